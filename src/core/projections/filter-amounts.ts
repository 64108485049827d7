/**
 * Amounts as a person writes them in a filter: `7`, `>1000`, `<=0.5`, `100..500`, and durations with their unit, in milliseconds.
 *
 * Invariant: both bounds are included; a strict bound is the next number a double can hold. Called by `filter.ts` alone.
 */
import { createTable } from '../base/table.ts';
import { type Result, err, ok } from '../base/result.ts';

export interface Bounds {
  readonly least?: number | undefined;
  readonly most?: number | undefined;
}

const units: Readonly<Record<string, number>> = createTable({ ms: 1, s: 1000, m: 60_000, h: 3_600_000 });

/** Undefined while it is still being typed; the sentence where it is no amount. */
export function textToBounds(text: string, isDuration: boolean): Result<Bounds | undefined, string> {
  const operator = /^(?:>=|<=|>|<|=)/.exec(text)?.[0] ?? '';
  const rest = text.slice(operator.length);
  if (rest === '') return ok(undefined);
  if (operator === '' && rest.includes('..')) return rangeToBounds(rest, isDuration);
  const amount = textToAmount(rest, isDuration);
  if (!amount.ok) return amount;
  switch (operator) {
    case '>':
      return ok({ least: nextAbove(amount.value) });
    case '>=':
      return ok({ least: amount.value });
    case '<':
      return ok({ most: -nextAbove(-amount.value) });
    case '<=':
      return ok({ most: amount.value });
    default:
      return ok({ least: amount.value, most: amount.value });
  }
}

function rangeToBounds(text: string, isDuration: boolean): Result<Bounds | undefined, string> {
  const cut = text.indexOf('..');
  const low = text.slice(0, cut);
  const high = text.slice(cut + 2);
  const least = low === '' ? ok(undefined) : textToAmount(low, isDuration);
  if (!least.ok) return least;
  const most = high === '' ? ok(undefined) : textToAmount(high, isDuration);
  if (!most.ok) return most;
  if (least.value === undefined && most.value === undefined) return ok(undefined);
  if (least.value !== undefined && most.value !== undefined && least.value > most.value)
    return err(`The range ${text} is empty: the first bound is above the second.`);
  return ok({
    ...(least.value === undefined ? {} : { least: least.value }),
    ...(most.value === undefined ? {} : { most: most.value }),
  });
}

function textToAmount(text: string, isDuration: boolean): Result<number, string> {
  const found = /^(\d+(?:\.\d+)?|\.\d+)([a-z]*)$/i.exec(text);
  const [, digits = '', unit = ''] = found ?? [];
  const factor = isDuration ? units[unit.toLowerCase()] : unit === '' ? 1 : undefined;
  if (found !== null && factor !== undefined) return ok(Number(digits) * factor);
  if (found !== null && isDuration && unit === '')
    return err(`A duration needs a unit: write ${digits}ms, ${digits}s, ${digits}m or ${digits}h.`);
  const example = isDuration ? '>2s, <150ms or 1s..1m' : '>1000, <=0.5 or 100..500';
  return err(`"${text}" is no amount. Write for example ${example}.`);
}

/** The smallest double above a number. */
function nextAbove(value: number): number {
  if (value === 0) return Number.MIN_VALUE;
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, value);
  bits.setBigInt64(0, bits.getBigInt64(0) + (value > 0 ? 1n : -1n));
  return bits.getFloat64(0);
}
