/**
 * JSON text laid out for reading: a member a line, indented by its depth.
 *
 * Invariant: only white space between tokens changes. Every token, every digit of a number, every escape and every repeated key stands as
 * it was written; a text that is no JSON comes back with its tokens untouched. Called by the raw tab of the inspector.
 */
const step = '  ';
const deepest = 64;

export function indentJson(text: string): string {
  const out: string[] = [];
  let depth = 0;
  let at = 0;
  const breakLine = (): void => void out.push('\n', step.repeat(Math.min(depth, deepest)));
  while (at < text.length) {
    const char = text.charAt(at);
    if (char === '"') {
      const end = endOfString(text, at);
      out.push(text.slice(at, end));
      at = end;
      continue;
    }
    at++;
    if (char === '{' || char === '[') {
      const next = skipSpace(text, at);
      const closing = char === '{' ? '}' : ']';
      out.push(char);
      if (text.charAt(next) === closing) {
        out.push(closing);
        at = next + 1;
      } else {
        depth++;
        breakLine();
      }
    } else if (char === '}' || char === ']') {
      depth = Math.max(0, depth - 1);
      breakLine();
      out.push(char);
    } else if (char === ',') {
      out.push(char);
      breakLine();
    } else if (char === ':') out.push(': ');
    else if (!isSpace(char)) out.push(char);
  }
  return out.join('');
}

/** Behind the closing quote; the end of the text where there is none. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charAt(at) !== '"') at += text.charAt(at) === '\\' ? 2 : 1;
  return Math.min(at + 1, text.length);
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && isSpace(text.charAt(at))) at++;
  return at;
}

function isSpace(char: string): boolean {
  return char === ' ' || char === '\n' || char === '\r' || char === '\t';
}
