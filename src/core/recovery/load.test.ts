/** Rates of a trial under load: what was driven is told in full, and a far reading of a clock ends no report. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../base/json.ts';
import { analyseCampaigns } from './index.ts';
import type { SeriesReport } from './series.ts';
import { alter, readSample, toTrace } from './testing/opened-trials.ts';

// Without the word of the sample that its own times are laid out: those of the driver are measured.
const incident = alter(readSample('ticket-incident'), 'stream.declared', () => ({ conventions: {} }));
const start = 1_000_000_000n;

/** Milliseconds after the first arrival of each completion. */
function loadOf(...completions: readonly (number | bigint)[]): readonly SeriesReport[] {
  const shared: JsonObject = { v: 1, run: incident[0]?.['run'] ?? '', branch: 'main', clock: 'driver' };
  const records = [-1n, ...completions.map(BigInt)].map((at, n): JsonObject => ({
    ...shared,
    id: `driver:${String(n)}`,
    type: n === 0 ? 'load.arrived' : 'load.completed',
    source: { component: 'driver' },
    seq: n,
    mono: String(start + (n === 0 ? 0n : at * 1_000_000n)),
    data: { latency_ms: 5 },
  }));
  const [campaign] = analyseCampaigns([toTrace('file', [...incident, ...records])]);
  return campaign?.trials[0]?.load ?? [];
}

function ratesOf(report: readonly SeriesReport[]): readonly (readonly [number, number])[] {
  return report[0]?.series.points.map(({ at, value }) => [at, value] as const) ?? [];
}

describe('the rate of completions', () => {
  it('R95 counts the second before each quarter of a second, zeros of an outage among them', () => {
    const rates = ratesOf(loadOf(100, 1000, 3500));
    expect(rates).toEqual([
      [1000, 2],
      [1250, 1],
      [1500, 1],
      [1750, 1],
      [2000, 0],
      [2250, 0],
      [2500, 0],
      [2750, 0],
      [3000, 0],
      [3250, 0],
      [3500, 1],
    ]);
  });

  it('R95 a far reading is reached in few steps, and the last empty window before it stays', () => {
    for (const far of [10 ** 9, 250 * 2 ** 44]) {
      const rates = ratesOf(loadOf(100, far));
      expect(rates.length).toBeLessThan(300);
      const [last, before] = [rates.at(-1), rates.at(-2)];
      expect([last?.[1], before?.[1]]).toEqual([1, 0]);
      expect(last?.[0]).toBe(far);
    }
  });

  it('R95 a reading that no clock comes to is no time, and one out of order is put in order', () => {
    const report = loadOf(100, 10n ** 23n, 2000, 1000);
    expect(report[1]?.series.points.map(({ at }) => at)).toEqual([100, 1000, 2000]);
    expect(ratesOf(report).at(-1)).toEqual([2000, 1]);
  });
});
