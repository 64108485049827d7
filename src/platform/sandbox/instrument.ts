/**
 * Makes every catch clause of a program clean the error it caught.
 *
 * The interpreter writes a stack with line numbers onto errors it throws itself, as an own member that nothing inside can
 * intercept; a program that passes that text on would issue other arguments after a mere shift of lines. So each
 * `catch (e) {` becomes `catch (e) {scrub(e);`. No line moves. The scan knows strings, templates, comments and regular
 * expressions; a clause it cannot read (a destructuring pattern) is left alone.
 */
import { scrubName } from './prelude.ts';

const beforeRegex =
  /(?:^|[=(,:;!&|?{}[+\-*%~^<>]|\b(?:return|typeof|case|in|of|delete|void|instanceof|new|do|else|await|yield|throw))$/;

export function instrumentCatches(source: string): string {
  if (!source.includes('catch')) return source;
  let out = '';
  let copied = 0;
  const templates: number[] = [];
  let depth = 0;
  let i = 0;
  /** End of the last token that is not space or comment. */
  let last = 0;
  while (i < source.length) {
    const c = source.charAt(i);
    const two = source.slice(i, i + 2);
    if (/\s/.test(c)) i++;
    else if (two === '//') i = lineEnd(source, i);
    else if (two === '/*') i = blockEnd(source, i);
    else if (c === '"' || c === "'") last = i = stringEnd(source, i);
    else if (c === '`' || (c === '}' && templates.at(-1) === depth)) {
      if (c === '}') templates.pop();
      const end = templateEnd(source, i + 1);
      if (end.opens) templates.push(depth);
      last = i = end.at;
    } else if (c === '/' && beforeRegex.test(source.slice(Math.max(0, last - 12), last)))
      last = i = regexEnd(source, i);
    else if (/[\w$]/.test(c)) {
      const end = wordEnd(source, i);
      const insertAt =
        source.slice(i, end) === 'catch' && source.charAt(last - 1) === '}' ? clauseStart(source, end) : undefined;
      if (insertAt !== undefined) {
        out += `${source.slice(copied, insertAt.at)}${scrubName}(${insertAt.name});`;
        copied = insertAt.at;
      }
      last = i = end;
    } else {
      if (c === '{') depth++;
      if (c === '}') depth--;
      last = ++i;
    }
  }
  return out + source.slice(copied);
}

/** After the word `catch`: where the body begins and what the error is called there. */
function clauseStart(source: string, from: number): { readonly at: number; readonly name: string } | undefined {
  const match = /^\s*\(\s*([\p{L}_$][\p{L}\p{N}_$]*)\s*\)\s*\{/u.exec(source.slice(from, from + 200));
  return match?.[1] === undefined ? undefined : { at: from + match[0].length, name: match[1] };
}

function lineEnd(source: string, from: number): number {
  const at = source.indexOf('\n', from);
  return at < 0 ? source.length : at;
}

function blockEnd(source: string, from: number): number {
  const at = source.indexOf('*/', from + 2);
  return at < 0 ? source.length : at + 2;
}

function stringEnd(source: string, from: number): number {
  const quote = source.charAt(from);
  let i = from + 1;
  while (i < source.length && source.charAt(i) !== quote && source.charAt(i) !== '\n')
    i += source.charAt(i) === '\\' ? 2 : 1;
  return i + 1;
}

function templateEnd(source: string, from: number): { readonly at: number; readonly opens: boolean } {
  for (let i = from; i < source.length; i++) {
    const c = source.charAt(i);
    if (c === '\\') i++;
    else if (c === '`') return { at: i + 1, opens: false };
    else if (c === '$' && source.charAt(i + 1) === '{') return { at: i + 2, opens: true };
  }
  return { at: source.length, opens: false };
}

function regexEnd(source: string, from: number): number {
  let inClass = false;
  for (let i = from + 1; i < source.length; i++) {
    const c = source.charAt(i);
    if (c === '\\') i++;
    else if (c === '\n') return i;
    else if (c === '[') inClass = true;
    else if (c === ']') inClass = false;
    else if (c === '/' && !inClass) return i + 1;
  }
  return source.length;
}

function wordEnd(source: string, from: number): number {
  let i = from;
  while (i < source.length && /[\w$]/.test(source.charAt(i))) i++;
  return i;
}
