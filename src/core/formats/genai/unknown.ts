/** Values that are no record of the format they stand in: kept whole, or told as a problem where they are no object at all. */
import { textToUtf8 } from '../../base/hash.ts';
import { type JsonValue, isJsonObject } from '../../base/json.ts';
import { writeLossless } from '../../base/lossless.ts';
import type { InputPlace, Problem } from '../format.ts';
import { fingerprint } from '../seen.ts';
import { textToTraceId } from './ids.ts';
import type { Entry } from './record.ts';
import type { SourceValue } from './source.ts';

export function unknownToEntry(value: JsonValue, place: InputPlace): Entry {
  const text = writeLossless(value);
  if (isJsonObject(value)) {
    const record = { kind: 'foreign', type: 'unknown', record: value, place, print: fingerprint(text) } as const;
    return { ...record, trace: textToTraceId('untraced ') };
  }
  const message = `Line ${place.line ?? 0} of ${place.file} (byte ${place.offset}) holds JSON that is no object where a record should be. Its text is kept.`;
  return problemToEntry({ code: 'not-an-object', message, place, raw: textToUtf8(text), severity: 'problem' }, true);
}

function problemToEntry(problem: Problem, counts: boolean): Entry {
  return { kind: 'problem', problem, counts };
}

/**
 * The records of a value by `read`, with the problem where it is damaged. Where something was lost the damage is an input record of
 * its own; a remark about bytes is none. A value in which `read` finds nothing is kept whole, unless `isEmpty` says that it holds none.
 */
export function valueToEntries(
  value: SourceValue,
  read: (value: JsonValue, place: InputPlace) => readonly Entry[],
  isEmpty: (value: JsonValue) => boolean,
): readonly Entry[] {
  if (value.value === undefined) return [problemToEntry(value.problem, true)];
  const entries = read(value.value, value.place);
  if (value.problem === undefined) {
    return entries.length > 0 || isEmpty(value.value) ? entries : [unknownToEntry(value.value, value.place)];
  }
  const lost = entries.length === 0 || /^(damaged|truncated)/.test(value.problem.code);
  return [...entries, problemToEntry(value.problem, lost)];
}
