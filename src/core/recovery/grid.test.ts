import { beforeAll, describe, expect, it } from 'vitest';
import { computeGrid } from './grid.ts';
import { analyseRecovery, type TrialReport } from './index.ts';
import { openTrace, samplesFolder } from './testing/opened-trials.ts';

const effect = '/write:tickets.create#0';
let struck: TrialReport;

beforeAll(async () => {
  const { campaigns } = analyseRecovery([await openTrace(samplesFolder, 'ticket-incident.hindcast.jsonl')]);
  const [trial] = campaigns.flatMap(({ trials }) => trials);
  if (trial === undefined) throw new Error('no trial in the sample');
  struck = trial;
});

function cellOf(change: Partial<TrialReport['outcome']['effects'][number]>) {
  const { outcome } = struck;
  const effects = outcome.effects.map((one) => (one.effect === effect ? { ...one, ...change } : one));
  return computeGrid([{ ...struck, outcome: { ...outcome, effects } }], [effect]).find(({ point }) => point === '3');
}

describe('a cell of the grid', () => {
  it('R106 says where nothing is known of the effect, instead of once', () => {
    expect(cellOf({})).toMatchObject({ fixed: [struck.id], withDuplicates: 1, notKnown: 0 });
    expect(cellOf({ duplicates: undefined, lost: undefined })).toMatchObject({
      withDuplicates: 0,
      withLosses: 0,
      notKnown: 1,
    });
  });

  it('counts what became of its own effect, and not of another in the same trial', () => {
    expect(struck.outcome.duplicates).toBe(1);
    expect(cellOf({ duplicates: 0 })).toMatchObject({ withDuplicates: 0, withLosses: 0, notKnown: 0 });
    expect(cellOf({ duplicates: 0, lost: true })).toMatchObject({ withLosses: 1 });
  });
});
