/**
 * JSON records of line-based files: one value a line, several values on a line, or a line that is damaged.
 *
 * Invariant: the byte ranges of the records of a line, and the problem where there is one, cover all its text. Called by the formats that are JSON lines.
 */
import { textToUtf8, utf8Length } from '../base/hash.ts';
import type { JsonValue } from '../base/json.ts';
import { type JsonSyntaxError, type NotedValue, parseNoting } from '../base/lossless.ts';
import { notedToWords } from '../base/noted-words.ts';
import type { InputPlace, Problem } from './format.ts';
import type { Line } from './lines.ts';
import { splitValues } from './values.ts';

export interface RawRecord {
  readonly value: JsonValue;
  /** As it was written. */
  readonly text: string;
  readonly place: InputPlace;
}

/** A line's records, each with the notice or problem of its own where it has one. Every entry is one input record. */
export type RecordOrProblem =
  | { readonly record: RawRecord; readonly problem?: Problem | undefined }
  | { readonly record?: undefined; readonly problem: Problem };

export function lineToRecords(file: string, line: Line): readonly RecordOrProblem[] {
  const place = { file, line: line.line, offset: line.offset, length: line.length };
  if (line.tooLong) {
    const message = `Line ${line.line} of ${file} has ${line.length} bytes, more than a record may have. Its first ${line.raw?.length ?? 0} bytes are kept.`;
    return [{ problem: { code: 'line-too-long', message, place, raw: line.raw, severity: 'problem' } }];
  }
  const parsed = parseNoting(line.text);
  const spoiled = invalidText(file, line);
  if (parsed.ok) {
    const record = { value: parsed.value.value, text: line.text, place };
    return [{ record, problem: joinProblems(spoiled, notedToRemark(place, parsed.value)) }];
  }
  const parts = splitValues(line.text).map((part) => ({
    ...part,
    read: parseNoting(line.text.slice(part.start, part.end)),
  }));
  if (!parts.some(({ read }) => read.ok)) return [{ problem: damaged(file, line, parsed.error) }];
  const out: RecordOrProblem[] = [];
  let offset = line.offset;
  let at = 0;
  for (let n = 0; n < parts.length; n++) {
    const part = parts[n];
    if (part === undefined) break;
    // Where one damaged value ends and the next begins cannot be told: all of them up to the next that can be read are one record.
    if (!part.read.ok) while (parts[n + 1]?.read.ok === false) n++;
    const end = parts[n]?.end ?? part.end;
    offset += utf8Length(line.text.slice(at, part.start));
    const text = line.text.slice(part.start, end);
    const length = utf8Length(text);
    const partPlace = { file, line: line.line, offset, length };
    if (part.read.ok) {
      const record = { value: part.read.value.value, text, place: partPlace };
      out.push({ record, problem: joinProblems(spoiled, notedToRemark(partPlace, part.read.value)) });
    } else {
      const last = end === line.text.length;
      const rest: Line = { ...line, text, offset, length, raw: textToUtf8(text), ended: line.ended || !last };
      out.push({ problem: damaged(file, rest, part.read.error) });
    }
    offset += length;
    at = end;
  }
  return out;
}

/** What programs read otherwise than it is written: one remark a record, whatever it has of it. */
export function notedToRemark(place: InputPlace, noted: NotedValue): Problem | undefined {
  const [first, ...rest] = notedToWords(noted);
  if (first === undefined) return undefined;
  const where = `Line ${String(place.line ?? 1)} of ${place.file} (byte ${String(place.offset)})`;
  const texts = [first, ...rest].map(({ text }) => text);
  return { code: first.code, message: `${where}: ${texts.join(' Also, ')}`, place, severity: 'notice' };
}

/** Two things said of one record: what comes first decides which kind it is. */
export function joinProblems(first: Problem | undefined, second: Problem | undefined): Problem | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  return { ...first, message: `${first.message} ${second.message}` };
}

function damaged(file: string, line: Line, { message: reason, at }: JsonSyntaxError): Problem {
  const place = { file, line: line.line, offset: line.offset, length: line.length };
  const raw = line.raw ?? textToUtf8(line.text);
  const cutOff = !line.ended && (reason.includes('text ends') || at >= line.text.length);
  const message = cutOff
    ? `The last line of ${file} (line ${line.line}, byte ${line.offset}) is cut off. Its bytes are kept; everything before it is used.`
    : `Line ${line.line} of ${file} (byte ${line.offset}) is not JSON: ${reason}, at character ${at + 1}. Its bytes are kept; the other lines are used.`;
  return { code: cutOff ? 'truncated-last-line' : 'damaged-line', message, place, raw, severity: 'problem' };
}

function invalidText(file: string, line: Line): Problem | undefined {
  if (line.raw === undefined) return undefined;
  const place = { file, line: line.line, offset: line.offset, length: line.length };
  if (line.invalid === 0) {
    const message = `Line ${line.line} of ${file} holds lone surrogates written as three bytes each, which UTF-8 does not allow. They were read as what they stand for.`;
    return { code: 'surrogate-bytes', message, place, raw: line.raw, severity: 'notice' };
  }
  const message = `Line ${line.line} of ${file} (byte ${line.offset}) has ${line.invalid === 1 ? 'one byte that is' : `${line.invalid} bytes that are`} not UTF-8. Such bytes show as U+FFFD and are kept.`;
  return { code: 'invalid-utf8', message, place, raw: line.raw, severity: 'problem' };
}
