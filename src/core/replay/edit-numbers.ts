/**
 * Numbers of an edit that a program cannot receive as they were written: it computes with doubles.
 *
 * Invariant: a number that is none to a program is refused, one that it gets rounded is told with what it gets; nothing is changed
 * without a word. Called by `edit-file.ts` and `resolve-edits.ts` (refusal) and `report-warnings.ts` (what is told).
 */
import { type JsonValue, isJsonArray, isJsonObject, reservedKeyOf } from '../base/json.ts';
import { nameToShown } from '../base/shown-text.ts';
import { withoutEnd } from '../base/text-end.ts';

export interface RoundedNumber {
  readonly written: string;
  readonly received: string;
}

/** The first number that is infinite or none at all, as it was written. */
export function findNoNumber(value: JsonValue): string | undefined {
  return tokensOf(value).find((token) => !Number.isFinite(Number(token)));
}

/** `where`: the place in what was given. */
export function noNumberToText(where: string, token: string): string {
  return `${where} has ${nameToShown(token)}, which is no finite number for a program. Write one of at most 1.7976931348623157e308, or a text.`;
}

export function findRounded(value: JsonValue): readonly RoundedNumber[] {
  return tokensOf(value).flatMap((written) => {
    const received = String(Number(written));
    return toDigits(written) === toDigits(received) ? [] : [{ written, received }];
  });
}

/** Numbers that were kept as they were written, for a double may not hold them. Without recursion: a person may write anything. */
function tokensOf(root: JsonValue): readonly string[] {
  const tokens: string[] = [];
  const pending: JsonValue[] = [root];
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (isJsonArray(value)) for (const item of value) pending.push(item);
    else if (isJsonObject(value)) {
      const token = reservedKeyOf(value) === '$num' ? value['$num'] : undefined;
      if (typeof token === 'string') tokens.push(token);
      else for (const member of Object.values(value)) pending.push(member);
    } else if (typeof value === 'number' && !Number.isFinite(value)) tokens.push(String(value));
  }
  return tokens;
}

/** The same text for the same number, however it was written: digits without zeros around them, and the power of ten behind. */
function toDigits(token: string): string {
  const [, sign = '', whole = '', fraction = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(token) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const short = withoutEnd(digits, '0');
  if (short === '') return '0';
  return `${sign}${short}e${String(Number(power) - fraction.length + digits.length - short.length)}`;
}
