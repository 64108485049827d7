/**
 * Walks through the text of a program and tells its words: what stands in strings, templates, comments and regular expressions is none.
 *
 * Invariant: a slash begins a regular expression exactly where a value may begin. Behind a bracket that depends on what the bracket was
 * for (`if (a) /b/` and `f(a) / b`, a block and an object), so brackets are kept until they close. Called by `instrument.ts`.
 */

/** `isAfterTry`: the word stands right behind the block of a `try`. */
export type SeeWord = (word: string, end: number, isAfterTry: boolean) => void;

/** What was read last that is neither space nor comment. */
interface Token {
  readonly kind: 'start' | 'word' | 'value' | 'sign' | 'closed';
  readonly text: string;
  /** A value may begin behind it; else what follows is an operator. */
  readonly opens: boolean;
  readonly closes?: Bracket;
}

interface Bracket {
  readonly kind: '(' | '[' | '{' | '${';
  /** Of a curly bracket: statements are in it, or members of a class. */
  readonly isBlock: boolean;
  /** Round: behind it stands a statement, as behind the condition of an `if`. */
  readonly isHead: boolean;
  readonly isTry: boolean;
}

const start: Token = { kind: 'start', text: '', opens: true };
const value: Token = { kind: 'value', text: '', opens: false };
const operators = new Set(
  'return typeof case in delete void instanceof new do else await yield throw default extends'.split(' '),
);
const heads = new Set(['if', 'while', 'for', 'with']);
const blockWords = new Set(['else', 'do', 'try', 'finally']);

const wordAt = /[\p{ID_Start}$_\\](?:[\p{ID_Continue}$\\]|\u200c|\u200d)*/uy;
const numberAt = /\d[\w.]*/y;

export function scanCode(source: string, see: SeeWord): void {
  const open: Bracket[] = [];
  let before = start;
  let i = 0;
  while (i < source.length) {
    const c = source.charAt(i);
    const two = source.slice(i, i + 2);
    if (/\s/.test(c)) i++;
    else if (two === '//') i = lineEnd(source, i);
    else if (two === '/*') i = blockEnd(source, i);
    else if (c === '"' || c === "'") {
      i = stringEnd(source, i);
      before = value;
    } else if (c === '`' || (c === '}' && open.at(-1)?.kind === '${')) {
      if (c === '}') open.pop();
      const end = templateEnd(source, i + 1);
      if (end.opens) open.push({ kind: '${', isBlock: false, isHead: false, isTry: false });
      before = end.opens ? start : value;
      i = end.at;
    } else if (c === '/' && before.opens) {
      i = regexEnd(source, i);
      before = value;
    } else {
      const word = textAt(wordAt, source, i);
      const text = word ?? textAt(numberAt, source, i) ?? signAt(source.slice(i, i + 3));
      i += text.length;
      if (word !== undefined) see(word, i, before.closes?.isTry === true);
      before = word === undefined ? signToToken(text, before, open) : wordToToken(word, before);
    }
  }
}

function textAt(pattern: RegExp, source: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(source)?.[0];
}

/** Signs of several characters that mean another thing than each of them alone. */
function signAt(next: string): string {
  return /^(?:=>|\+\+|--|\.\.\.|\?\.)/.exec(next)?.[0] ?? next.charAt(0);
}

function wordToToken(word: string, before: Token): Token {
  const isMember = before.text === '.' || before.text === '?.' || before.text === '#';
  if (isMember) return value;
  if (word === 'await' && before.text === 'for') return before;
  // A name of its own elsewhere; between a name and what it walks through, a word of the language.
  const isOperator = word === 'of' ? !before.opens : operators.has(word);
  return { kind: 'word', text: word, opens: isOperator };
}

function signToToken(text: string, before: Token, open: Bracket[]): Token {
  if (/^\d/.test(text)) return value;
  switch (text) {
    case '(':
    case '[':
      open.push({ kind: text, isBlock: false, isHead: heads.has(before.text), isTry: false });
      return { kind: 'sign', text, opens: true };
    case '{':
      open.push({
        kind: text,
        isBlock: isBlockStart(before, open.at(-1)),
        isHead: false,
        isTry: before.text === 'try',
      });
      return { kind: 'sign', text, opens: true };
    case ')':
    case ']':
    case '}': {
      const closes = open.pop();
      const opens = closes !== undefined && (text === '}' ? closes.isBlock : text === ')' && closes.isHead);
      return { kind: 'closed', text, opens, ...(closes === undefined ? {} : { closes }) };
    }
    case '++':
    case '--':
      // Behind a value it belongs to that value.
      return before.opens ? { kind: 'sign', text, opens: true } : value;
    default:
      return { kind: 'sign', text, opens: true };
  }
}

/** Else it is an object, or a pattern. */
function isBlockStart({ kind, text, opens }: Token, around: Bracket | undefined): boolean {
  if (kind === 'word') return blockWords.has(text) || !opens;
  if (kind === 'closed') return true;
  if (kind === 'start') return around?.kind !== '${';
  return text === ';' || text === '{' || text === '=>' || (text === ':' && (around === undefined || around.isBlock));
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
