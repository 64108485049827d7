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
  readonly values: readonly LeavingValue[];
  /** Id and type of the record, where it is one. */
  readonly record?: LeavingRecord | undefined;
}

interface LeavingRecord {
  readonly id: string;
  readonly type: string;
}

/** A value, the name of a member, or what either is as base64; with the members that lead to it. */
interface LeavingValue {
  readonly text: string;
  readonly path: readonly string[];
  readonly isName?: boolean;
}

export interface LeavingMatch {
  /** Absent in what stands around the records. */
  readonly record?: LeavingRecord | undefined;
  /** Absent where it was found in the record as it is written, over several values. */
  readonly path?: readonly string[] | undefined;
  /** The name of a member, and not its value. */
  readonly isName?: boolean | undefined;
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
  return [...outside.map((written) => ({ written, values: [{ text: written, path: [] }] })), ...lines.map(lineToText)];
}

export function findInTexts(texts: readonly LeavingText[], sought: string): LeavingFound {
  const pattern = new RegExp(sought.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`), 'giu');
  const matches: LeavingMatch[] = [];
  let count = 0;
  for (const { written, values, record } of texts) {
    const before = count;
    for (const { text, ...place } of values)
      count += findIn(text, pattern, most - count, matches, { record, ...place });
    // Pieces of a record as it is written, over several values.
    if (count === before) count += findIn(written, pattern, most - count, matches, { record });
    if (count >= most) return { count: most, isMore: true, matches };
  }
  return { count, isMore: false, matches };
}

/** How often, up to `limit`; the first matches of all are kept with what stands around them. */
function findIn(
  text: string,
  pattern: RegExp,
  limit: number,
  matches: LeavingMatch[],
  place: Pick<LeavingMatch, 'record' | 'path' | 'isName'>,
): number {
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
        ...place,
        before: text.slice(Math.max(0, found.index - around), found.index),
        text: match,
        after: text.slice(end, end + around),
      });
  }
  return count;
}

function lineToText(written: string): LeavingText {
  let value: JsonValue;
  try {
    // Cast: what JSON.parse returns is JSON.
    value = JSON.parse(written) as JsonValue;
  } catch {
    // The line is still searched as it is written.
    return { written, values: [] };
  }
  return { written, values: valueToTexts(value), record: valueToRecord(value) };
}

function valueToRecord(value: JsonValue): LeavingRecord | undefined {
  if (!isJsonObject(value)) return undefined;
  const { id, type } = value;
  return typeof id === 'string' && typeof type === 'string' ? { id, type } : undefined;
}

function valueToTexts(value: JsonValue): readonly LeavingValue[] {
  const values: LeavingValue[] = [];
  const open: { readonly value: JsonValue; readonly path: readonly string[] }[] = [{ value, path: [] }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value: here, path } = next;
    if (typeof here === 'string') values.push(...[here, ...decodeBase64(here)].map((text) => ({ text, path })));
    else if (isJsonArray(here)) for (const item of here) open.push({ value: item, path });
    else if (isJsonObject(here)) {
      for (const [name, member] of Object.entries(here)) {
        const below = [...path, name];
        values.push({ text: name, path: below, isName: true });
        open.push({ value: member, path: below });
      }
    } else values.push({ text: String(here), path });
  }
  return values;
}

/** The text of a value that may be base64, in either alphabet; none where it cannot be. */
function decodeBase64(text: string): readonly string[] {
  if (text.length < 8 || !/^[\w+/-]+={0,2}$/.test(text)) return [];
  const bytes = base64UrlToBytes(text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, ''));
  return bytes === undefined ? [] : [strFromU8(bytes)];
}
