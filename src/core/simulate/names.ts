/**
 * Names of effects inside values: an effect that is made a second time gets another id, and whatever speaks of it speaks of that one.
 *
 * Invariant: only whole names are exchanged, never parts of longer numbers or words. Values keep their recorded form. Used by the world.
 */
import type { JsonValue } from '../base/json.ts';

/** An id of the record, and the one that stands for it now. */
export interface Renaming {
  readonly recorded: string;
  readonly now: string;
}

/** Whether a value names an id: as a number, or as a whole word of a text. */
export function namesId(value: JsonValue, id: string): boolean {
  let found = false;
  mapScalars(value, (scalar) => {
    if (replaceIn(scalar, id, '') !== scalar) found = true;
    return scalar;
  });
  return found;
}

export function replaceId(value: JsonValue, from: string, to: string): JsonValue {
  return mapScalars(value, (scalar) => replaceIn(scalar, from, to));
}

/** The id that a service would give next: numbers at the end count on, other names get a suffix. */
export function nextId(id: string, isTaken: (candidate: string) => boolean): string {
  const [, stem = '', digits = ''] = /^(.*?)(\d{1,15})$/.exec(id) ?? [];
  for (let n = 1; ; n++) {
    const candidate = digits === '' ? `${id}-${String(n + 1)}` : `${stem}${countOn(digits, n)}`;
    if (!isTaken(candidate)) return candidate;
  }
}

function countOn(digits: string, by: number): string {
  return String(Number(digits) + by).padStart(digits.length, '0');
}

/** Texts of a value that are prose, and so may differ from one answer to the next. Labels of one word decide, and stay. */
export function varyProse(value: JsonValue, labels: ReadonlySet<string>, ask: number): JsonValue {
  return mapScalars(value, (scalar) =>
    typeof scalar === 'string' && /\S\s+\S/.test(scalar) && !labels.has(scalar)
      ? `${scalar} (answer ${String(ask)})`
      : scalar,
  );
}

type Scalar = string | number | boolean | null;

function replaceIn(scalar: Scalar, from: string, to: string): Scalar {
  if (typeof scalar === 'number') {
    if (String(scalar) !== from) return scalar;
    const number = Number(to);
    return to !== '' && Number.isSafeInteger(number) && String(number) === to ? number : to;
  }
  if (typeof scalar !== 'string' || !scalar.includes(from)) return scalar;
  return scalar.replace(wholeWord(from), () => to);
}

function wholeWord(id: string): RegExp {
  const escaped = id.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(?<![\\p{L}\\p{N}_-]|\\p{N}[.,])${escaped}(?![\\p{L}\\p{N}_-]|[.,]\\p{N})`, 'gu');
}

/** Over the text of the value, so that depth is no matter. */
function mapScalars(value: JsonValue, map: (scalar: Scalar) => Scalar): JsonValue {
  const mapped: unknown = JSON.parse(JSON.stringify(value), (_, member: unknown) =>
    typeof member === 'object' && member !== null ? member : map(toScalar(member)),
  );
  // Cast: JSON in, JSON out.
  return mapped as JsonValue;
}

function toScalar(member: unknown): Scalar {
  return typeof member === 'string' || typeof member === 'number' || typeof member === 'boolean' ? member : null;
}
