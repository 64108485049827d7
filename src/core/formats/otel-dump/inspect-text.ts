/**
 * What Node's console prints of an object, to JSON: the console exporter of the JavaScript SDK writes spans so.
 *
 * Names without quotes, texts in single, double or backward quotes, `undefined`, `[Object]`, `… more items`. Iterative; a text that
 * is none of this is undefined.
 */
import { createTable } from '../../base/table.ts';
import { type JsonValue, isJsonArray, setOwn } from '../../base/json.ts';

type Token = { readonly kind: 'open' | 'close' | 'comma' | 'colon'; readonly text: string } | TextToken;
interface TextToken {
  readonly kind: 'text' | 'bare';
  readonly text: string;
}

const escapes: Readonly<Record<string, string>> = createTable({
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  f: '\f',
  v: '\v',
  '0': '\0',
});

export function inspectTextToJson(text: string): JsonValue | undefined {
  const tokens = tokenize(text);
  return tokens === undefined ? undefined : build(tokens);
}

function tokenize(text: string): readonly Token[] | undefined {
  const tokens: Token[] = [];
  for (let i = 0; i < text.length; i++) {
    const c = text[i] ?? '';
    if (/\s/.test(c)) continue;
    if (c === '{') tokens.push({ kind: 'open', text: c });
    else if (c === '[' && /^\[(Object|Array|Function|Getter|Circular)/.test(text.slice(i, i + 12))) {
      const end = text.indexOf(']', i);
      if (end < 0) return undefined;
      tokens.push({ kind: 'text', text: text.slice(i, end + 1) });
      i = end;
    } else if (c === '[') tokens.push({ kind: 'open', text: c });
    else if (c === '}' || c === ']') tokens.push({ kind: 'close', text: c });
    else if (c === ',') tokens.push({ kind: 'comma', text: c });
    else if (c === ':') tokens.push({ kind: 'colon', text: c });
    else if (c === "'" || c === '"' || c === '`') {
      const quoted = readQuoted(text, i);
      if (quoted === undefined) return undefined;
      i = quoted.end;
      const before = tokens.at(-1);
      // Long texts are printed in pieces joined by a plus sign.
      if (before?.kind === 'bare' && before.text === '+' && tokens.at(-2)?.kind === 'text') {
        const first = tokens.at(-2)?.text ?? '';
        tokens.splice(-2, 2, { kind: 'text', text: first + quoted.text });
      } else tokens.push({ kind: 'text', text: quoted.text });
    } else {
      const bare = /^(?:\.\.\. \d+ more items?|[^\s,:{}[\]'"`]+)/.exec(text.slice(i, i + 400))?.[0] ?? c;
      tokens.push({ kind: 'bare', text: bare });
      i += bare.length - 1;
    }
  }
  return tokens;
}

function readQuoted(text: string, start: number): { readonly text: string; readonly end: number } | undefined {
  const quote = text[start];
  let out = '';
  for (let i = start + 1; i < text.length; i++) {
    const c = text[i] ?? '';
    if (c === quote) return { text: out, end: i };
    if (c !== '\\') {
      out += c;
      continue;
    }
    const next = text[++i] ?? '';
    const hex = next === 'u' ? text.slice(i + 1, i + 5) : next === 'x' ? text.slice(i + 1, i + 3) : '';
    if (hex !== '' && /^[0-9a-fA-F]+$/.test(hex)) {
      out += String.fromCharCode(Number.parseInt(hex, 16));
      i += hex.length;
    } else out += escapes[next] ?? next;
  }
  return undefined;
}

interface Frame {
  readonly value: Record<string, JsonValue> | JsonValue[];
  key: string | undefined;
}

function build(tokens: readonly Token[]): JsonValue | undefined {
  const stack: Frame[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    const frame = stack.at(-1);
    if (token === undefined) return undefined;
    switch (token.kind) {
      case 'open':
        if (stack.length > 256) return undefined;
        stack.push({ value: token.text === '{' ? {} : [], key: undefined });
        break;
      case 'close': {
        const done = stack.pop();
        if (done === undefined) return undefined;
        const parent = stack.at(-1);
        if (parent === undefined) return done.value;
        add(parent, done.value);
        break;
      }
      case 'text':
      case 'bare':
        if (frame === undefined) break;
        if (!isJsonArray(frame.value) && frame.key === undefined && tokens[at + 1]?.kind === 'colon') {
          frame.key = token.text;
          at++;
        } else add(frame, token.kind === 'text' ? token.text : bareToValue(token.text));
        break;
      case 'comma':
      case 'colon':
        break;
    }
  }
  return undefined;
}

function add(frame: Frame, value: JsonValue | undefined): void {
  if (Array.isArray(frame.value)) {
    if (value !== undefined) frame.value.push(value);
  } else if (frame.key !== undefined) {
    if (value !== undefined) setOwn(frame.value, frame.key, value);
    frame.key = undefined;
  }
}

/** A class name before a brace, and anything else that is no value, is left out. */
function bareToValue(text: string): JsonValue | undefined {
  if (text === 'true') return true;
  if (text === 'false') return false;
  if (text === 'null') return null;
  if (/^-?\d+n$/.test(text)) return text.slice(0, -1);
  const number = Number(text);
  return Number.isFinite(number) ? number : undefined;
}
