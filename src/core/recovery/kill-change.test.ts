/** How a time changes with the number of the kill, from the observations of the shipped trial with five kills in one run. */
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { analyseCampaigns, computeKillChange } from './index.ts';
import type { OrdinalRow } from './report.ts';
import { openTrace, samplesFolder } from './testing/opened-trials.ts';

const metric = 'next-acknowledged';
let ordinals: readonly OrdinalRow[] = [];

beforeAll(async () => {
  const folder = join(samplesFolder, 'campaign');
  const trace = await openTrace(folder, 'one-ticket-journal-key-five-kills-4.hindcast.jsonl');
  ordinals = analyseCampaigns([trace])[0]?.strategies[0]?.ordinals ?? [];
});

/** The rows of the metric with other times, one a kill. */
function timed(times: readonly number[], trial?: string): readonly OrdinalRow[] {
  const rows = ordinals.filter((row) => row.metric === metric);
  return times.flatMap((ms, at) => {
    const row = rows.find(({ ordinal }) => ordinal === at + 1);
    if (row === undefined) return [];
    const observations = row.observations.map((one) => ({ ...one, trial: trial ?? one.trial, ms }));
    return [{ ...row, observations }];
  });
}

function together(...runs: readonly (readonly OrdinalRow[])[]): readonly OrdinalRow[] {
  const [first = [], ...others] = runs;
  return first.map((row) => ({
    ...row,
    observations: [row, ...others.flatMap((rows) => rows.filter(({ ordinal }) => ordinal === row.ordinal))].flatMap(
      ({ observations }) => observations,
    ),
  }));
}

describe('the change with the number of the kill', () => {
  it('R103 compares the first and the fifth kill of the shipped run, and names the records of both', () => {
    const change = computeKillChange({ ordinals }, metric);
    const rows = ordinals.filter((row) => row.metric === metric);
    const [first, fifth] = [1, 5].map((number) => rows.find(({ ordinal }) => ordinal === number)?.observations[0]);
    expect(rows).toHaveLength(5);
    expect(change?.observations).toEqual([first, fifth]);
    const [one, other] = [first?.ms ?? 0, fifth?.ms ?? 0].map(Math.round);
    expect(change?.text).toContain(`${one} ms after kill 1 and ${other} ms after kill 5 of one run: `);
    expect(change?.text).toContain(
      `${Math.abs((other ?? 0) - (one ?? 0))} ms ${(other ?? 0) > (one ?? 0) ? 'longer' : 'shorter'} (`,
    );
  });

  it.each([
    [[100, 200, 300, 400, 500], '400 ms longer (5 times as long); longer after every further kill.'],
    [[500, 400, 300, 200, 100], '400 ms shorter (0.2 times as long); shorter after every further kill.'],
    [[100, 300, 200, 400, 100], 'the same; not in one direction: 100 ms, 300 ms, 200 ms, 400 ms, 100 ms.'],
    [[96.5, 95, 94, 94, 147.4], '50 ms longer (1.5 times as long); not in one direction'],
    [
      [100, 250],
      '250 ms after kill 2 of one run: 150 ms longer (2.5 times as long); no kill between them was measured.',
    ],
  ])('R103 of times %j says: %s', (times, expected) => {
    expect(computeKillChange({ ordinals: timed(times) }, metric)?.text).toContain(expected);
  });

  it('R102 R103 of several runs gives the range of the differences run by run, and no mean', () => {
    const both = together(timed([100, 1, 1, 1, 300], 'a'), timed([200, 1, 1, 1, 260], 'b'));
    const change = computeKillChange({ ordinals: both }, metric);
    expect(change?.text).toBe(
      '100 ms to 200 ms after kill 1 and 260 ms to 300 ms after kill 5 of 2 runs: longer in every run, by 60 ms to 200 ms.',
    );
    expect(change?.observations).toHaveLength(4);
    const mixed = together(timed([100, 1, 1, 1, 300], 'a'), timed([200, 1, 1, 1, 150], 'b'));
    expect(computeKillChange({ ordinals: mixed }, metric)?.text).toContain(
      'longer in 1 of 2 runs; the two differ by 50 ms to 200 ms',
    );
  });

  it('R102 says nothing of independent runs, of one kill, and of a time that only one kill has', () => {
    const apart = timed([1, 2, 3, 4, 5]).map((row) => ({ ...row, grouping: 'independent runs' as const }));
    expect(computeKillChange({ ordinals: apart }, metric)).toBeUndefined();
    expect(computeKillChange({ ordinals: timed([1]) }, metric)).toBeUndefined();
    expect(computeKillChange({ ordinals }, 'completion')).toBeUndefined();
    const elsewhere = timed([10, 20, 30, 40, 50]).map((row) =>
      row.ordinal === 5 ? { ...row, point: '3' as const } : row,
    );
    expect(computeKillChange({ ordinals: elsewhere }, metric)?.text).toContain('struck different places');
  });
});
