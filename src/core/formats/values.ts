/**
 * Where JSON values start and end, without parsing them.
 *
 * `splitValues` cuts one text that holds several values; `createValueScanner` does it over the byte chunks of a pretty-printed or
 * concatenated file and can descend into arrays, so that one big document is read an element at a time. Both are iterative and
 * linear, and both give what follows a damaged value as one last part instead of losing it.
 */
import { joinBytes } from './decode/decode.ts';

export interface Part {
  readonly start: number;
  readonly end: number;
}

/** Parts of a text that holds values one after another. Text between containers that is no container is a part as well. */
export function splitValues(text: string): readonly Part[] {
  const parts: Part[] = [];
  let depth = 0;
  let start = -1;
  let i = 0;
  for (; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === 34) {
      if (start < 0) start = i;
      for (i++; i < text.length && text.charCodeAt(i) !== 34; i++) if (text.charCodeAt(i) === 92) i++;
    } else if (c === 123 || c === 91) {
      if (depth === 0 && start >= 0 && start < i) parts.push(trimmed(text, start, i));
      if (depth++ === 0) start = i;
    } else if (c === 125 || c === 93) {
      if (depth > 0 && --depth === 0) {
        parts.push({ start, end: i + 1 });
        start = -1;
      } else if (start < 0) start = i;
    } else if (start < 0 && !isSpace(c)) start = i;
  }
  if (start >= 0) parts.push(trimmed(text, start, text.length));
  return parts;
}

function trimmed(text: string, start: number, end: number): Part {
  let last = end;
  while (last > start && isSpace(text.charCodeAt(last - 1))) last--;
  return { start, end: last };
}

function isSpace(c: number): boolean {
  // A byte order mark stands where files were put behind one another.
  return c === 32 || c === 9 || c === 10 || c === 13 || c === 0xfeff;
}

export interface ScannedValue {
  readonly bytes: Uint8Array;
  readonly offset: number;
  readonly line: number;
  /** False when the file ended inside the value. */
  readonly ended: boolean;
}

export interface ValueScanner {
  readonly push: (chunk: Uint8Array) => readonly ScannedValue[];
  /** What was open at the end of the file. */
  readonly end: () => readonly ScannedValue[];
  /** The document around the elements, with the elements themselves cut out. */
  readonly envelope: () => Uint8Array;
}

/** At the top every container is a value; below, only what stands in a list. */
function isElement(holders: readonly number[], depth: number): boolean {
  return depth === 0 || holders[depth - 1] === 91;
}

/**
 * Containers that start at nesting depth `depth`: 0 for concatenated documents, 1 for the elements of a list, 2 for those of
 * `{"name": [ … ]}`. Only containers are values here: records are objects.
 */
export function createValueScanner(depth: number): ValueScanner {
  const frame: Uint8Array[] = [];
  let open: Uint8Array[] = [];
  let level = 0;
  let inString = false;
  let escaped = false;
  let inValue = false;
  /** The opening bytes of the containers that hold the present place, down to `depth`. */
  const holders: number[] = [];
  let offset = 0;
  let line = 1;
  let startedAt = { offset: 0, line: 1 };

  function push(chunk: Uint8Array): readonly ScannedValue[] {
    const found: ScannedValue[] = [];
    let from = 0;
    for (let i = 0; i < chunk.length; i++) {
      const byte = chunk[i] ?? 0;
      if (byte === 10) line++;
      if (inString) {
        if (escaped) escaped = false;
        else if (byte === 92) escaped = true;
        else if (byte === 34) inString = false;
      } else if (byte === 34) inString = true;
      else if (byte === 123 || byte === 91) {
        if (level === depth && !inValue && isElement(holders, depth)) {
          frame.push(chunk.slice(from, i));
          from = i;
          inValue = true;
          startedAt = { offset: offset + i, line };
        }
        if (level <= depth) holders[level] = byte;
        level++;
      } else if (byte === 125 || byte === 93) {
        level = Math.max(0, level - 1);
        if (level === depth && inValue) {
          open.push(chunk.slice(from, i + 1));
          found.push({ bytes: joinBytes(open), ...startedAt, ended: true });
          open = [];
          from = i + 1;
          inValue = false;
        }
      } else if (byte === 44 && level === depth && !inValue && depth > 0 && isElement(holders, depth)) {
        // The commas between elements go with them.
        frame.push(chunk.slice(from, i));
        from = i + 1;
      }
    }
    const rest = chunk.slice(from);
    if (inValue) open.push(rest);
    else frame.push(rest);
    offset += chunk.length;
    return found;
  }

  return {
    push,
    end: () => (inValue ? [{ bytes: joinBytes(open), ...startedAt, ended: false }] : []),
    envelope: () => joinBytes(frame),
  };
}
