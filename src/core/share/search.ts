/**
 * A text looked for in what leaves: in the values as a reader meets them, and in the records as they are written.
 *
 * Invariant: "does not occur" is said of everything in the payload: title, note and every line; strings as they are and not as JSON
 * escapes them, names of members, numbers, what is encoded as base64, and the written line. Capitals and small letters are the same.
 * Called by the share panel.
 */
import { strFromU8 } from 'fflate';
import { type JsonValue, isJsonArray, isJsonObject } from '../base/json.ts';
import { base64UrlToBytes } from './envelope.ts';

/** One line of the stream, or the title or note: its written form, and the values in it. */
export interface LeavingText {
  readonly written: string;
  readonly values: readonly string[];
}

export interface LeavingMatch {
  readonly before: string;
  readonly text: string;
  readonly after: string;
}

export interface LeavingFound {
  /** Up to `most`. */
  readonly count: number;
  readonly isMore: boolean;
  /** The first ones. */
  readonly matches: readonly LeavingMatch[];
}

export interface Leaves {
  /** Newline-delimited records. */
  readonly text: string;
  /** What stands around them. */
  readonly around: readonly string[];
}

const around = 40;
const shown = 5;
const most = 1000;

export function leavesToTexts({ text, around: outside }: Leaves): readonly LeavingText[] {
  const lines = text.split('\n').filter((line) => line !== '');
  return [
    ...outside.map((written) => ({ written, values: [written] })),
    ...lines.map((written) => ({ written, values: lineToValues(written) })),
  ];
}

export function findInTexts(texts: readonly LeavingText[], sought: string): LeavingFound {
  const pattern = new RegExp(sought.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`), 'giu');
  const matches: LeavingMatch[] = [];
  let count = 0;
  for (const { written, values } of texts) {
    const before = count;
    for (const value of values) count += findIn(value, pattern, most - count, matches);
    // Pieces of a record as it is written, over several values.
    if (count === before) count += findIn(written, pattern, most - count, matches);
    if (count >= most) return { count: most, isMore: true, matches };
  }
  return { count, isMore: false, matches };
}

/** How often, up to `limit`; the first matches of all are kept with what stands around them. */
function findIn(text: string, pattern: RegExp, limit: number, matches: LeavingMatch[]): number {
  let count = 0;
  pattern.lastIndex = 0;
  while (count < limit) {
    const found = pattern.exec(text);
    if (found === null) break;
    count++;
    const [match] = found;
    const end = found.index + match.length;
    if (matches.length < shown)
      matches.push({
        before: text.slice(Math.max(0, found.index - around), found.index),
        text: match,
        after: text.slice(end, end + around),
      });
  }
  return count;
}

function lineToValues(line: string): readonly string[] {
  let value: JsonValue;
  try {
    // Cast: what JSON.parse returns is JSON.
    value = JSON.parse(line) as JsonValue;
  } catch {
    // The line is still searched as it is written.
    return [];
  }
  const values: string[] = [];
  const open: JsonValue[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === 'string') values.push(next, ...decodeBase64(next));
    else if (isJsonArray(next)) for (const item of next) open.push(item);
    else if (isJsonObject(next)) {
      for (const [name, member] of Object.entries(next)) {
        values.push(name);
        open.push(member);
      }
    } else values.push(String(next));
  }
  return values;
}

/** The text of a value that may be base64, in either alphabet; none where it cannot be. */
function decodeBase64(text: string): readonly string[] {
  if (text.length < 8 || !/^[\w+/-]+={0,2}$/.test(text)) return [];
  const bytes = base64UrlToBytes(text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, ''));
  return bytes === undefined ? [] : [strFromU8(bytes)];
}
