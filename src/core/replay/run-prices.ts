/**
 * What further model calls would cost, by what the record says such calls did cost (3.10).
 *
 * Invariant: an estimate is a mean of recorded costs and names what it rests on; a call of which no cost is recorded has none.
 * Used by the comparison over a set of runs.
 */
import { isJsonObject } from '../base/json.ts';
import type { HindcastEvent } from '../model/index.ts';
import { dataOf } from './contents.ts';

export interface PriceEstimate {
  readonly amount: number;
  readonly currency: string;
  /** Calls it is the sum of. */
  readonly calls: number;
}

export interface PriceEstimates {
  readonly estimates: readonly PriceEstimate[];
  /** Calls of a name of which the record has no cost. */
  readonly unpriced: number;
}

interface Sum {
  amount: number;
  calls: number;
  readonly currency: string;
}

/** Mean recorded cost of a model call by its name; calls in a second currency are left out of the mean. */
export function computeRecordedPrices(events: readonly HindcastEvent[]): ReadonlyMap<string, Readonly<Sum>> {
  const sums = new Map<string, Sum>();
  for (const event of events) {
    const name = event.command?.name;
    if (event.type !== 'model_call.completed' || event.branch !== 'main' || name === undefined) continue;
    const { cost } = dataOf(event);
    if (!isJsonObject(cost) || typeof cost['amount'] !== 'number' || typeof cost['currency'] !== 'string') continue;
    const sum = sums.get(name) ?? { amount: 0, calls: 0, currency: cost['currency'] };
    sums.set(name, sum);
    if (sum.currency !== cost['currency']) continue;
    sum.amount += cost['amount'];
    sum.calls += 1;
  }
  return sums;
}

/** By calls of the same name; where there are none, by all calls of the record that have the first currency. */
export function estimatePrices(names: readonly string[], recorded: ReadonlyMap<string, Readonly<Sum>>): PriceEstimates {
  const any = sumAll(recorded);
  const totals = new Map<string, { amount: number; calls: number }>();
  let unpriced = 0;
  for (const name of names) {
    const price = recorded.get(name) ?? any;
    if (price === undefined || price.calls === 0) {
      unpriced += 1;
      continue;
    }
    const total = totals.get(price.currency) ?? { amount: 0, calls: 0 };
    totals.set(price.currency, { amount: total.amount + price.amount / price.calls, calls: total.calls + 1 });
  }
  const estimates = [...totals].map(([currency, { amount, calls }]) => ({ amount: rounded(amount), currency, calls }));
  return { estimates, unpriced };
}

function sumAll(recorded: ReadonlyMap<string, Readonly<Sum>>): Readonly<Sum> | undefined {
  const [first] = recorded.values();
  if (first === undefined) return undefined;
  const all: Sum = { amount: 0, calls: 0, currency: first.currency };
  for (const sum of recorded.values()) {
    if (sum.currency !== first.currency) continue;
    all.amount += sum.amount;
    all.calls += sum.calls;
  }
  return all;
}

/** Sums of decimal fractions as people wrote them. */
function rounded(amount: number): number {
  return Math.round(amount * 1e9) / 1e9;
}
