import { beforeAll, describe, expect, it } from 'vitest';
import { computeGrid, computeOrdinals } from './grid.ts';
import { isJsonObject, type JsonObject } from '../base/json.ts';
import { analyseRecovery, type TrialReport } from './index.ts';
import { campaignOf, checkOf, objectIn, textIn } from './testing/altered-trials.ts';
import { openTrace, readSample, samplesFolder } from './testing/opened-trials.ts';

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

  it('R109 names what struck it and is labelled otherwise among what is not counted', () => {
    const placements = struck.placements.map((one) => ({ ...one, claimed: '5', verdict: 'contradicted' as const }));
    const cells = computeGrid([{ ...struck, validity: 'invalid', placements }], [effect]);
    expect(cells.flatMap(({ point, fixed, refused }) => [...fixed, ...refused].map((id) => [point, id]))).toEqual([
      ['3', struck.id],
    ]);
    expect(cells.every(({ fixed }) => fixed.length === 0)).toBe(true);
  });

  it('counts what became of its own effect, and not of another in the same trial', () => {
    expect(struck.outcome.duplicates).toBe(1);
    expect(cellOf({ duplicates: 0 })).toMatchObject({ withDuplicates: 0, withLosses: 0, notKnown: 0 });
    expect(cellOf({ duplicates: 0, lost: true })).toMatchObject({ withLosses: 1 });
  });
});

describe('a kill with other code after the restart', () => {
  const versions = ['1.0', '1.1'].map((program, n) => ({
    life: `start ${n + 1}`,
    versions: { program },
    event: `v${n}`,
  }));
  const redeployed = (): TrialReport => ({ ...struck, id: 'other', versions });

  it('R120 R109 has a cell of its own and fills none of the kill alone', () => {
    const cells = computeGrid([struck, redeployed()], [effect]).filter(({ point }) => point === '3');
    expect(cells.map(({ beside, fixed }) => [beside, fixed])).toEqual([
      [undefined, [struck.id]],
      ['other code', ['other']],
    ]);
  });

  it('R102 R120 its times stand in rows of their own', () => {
    const anchor = { event: 'e', type: 'fault.injected' };
    const metric = struck.metrics.find(({ id }) => id === 'detection');
    if (metric === undefined) throw new Error('no time of the kill');
    const timed = (trial: TrialReport): TrialReport => ({ ...trial, metrics: [{ ...metric, ms: 5, end: anchor }] });
    const rows = computeOrdinals([timed(struck), timed(redeployed())]);
    expect(rows.map(({ beside, observations }) => [beside, observations.length])).toEqual([
      [undefined, 1],
      ['other code', 1],
    ]);
  });
});

describe('a kill that struck one effect of two', () => {
  const mail = '/write:mail.send#0';
  const struckAtMail = (effects: TrialReport['outcome']['effects']) => {
    const placements = struck.placements.map((one) => ({ ...one, effect: mail }));
    return computeGrid([{ ...struck, placements, outcome: { ...struck.outcome, effects } }], [mail]).find(
      ({ point }) => point === '3',
    );
  };

  it('R106 R107 tells in its cell that another effect was executed twice', () => {
    expect(struckAtMail(struck.outcome.effects)).toMatchObject({
      withDuplicates: 0,
      executions: [1],
      otherDuplicates: [{ effect, trials: 1 }],
    });
    expect(cellOf({})).toMatchObject({ executions: [2], otherDuplicates: [] });
  });

  it('R106 of an effect that nobody asked for, where the ledger is whole, there is none', () => {
    const others = struck.outcome.effects.filter((one) => one.effect !== mail);
    expect(struckAtMail(others)).toMatchObject({ executions: [0], notKnown: 0 });
  });
});

describe('one trial under several run ids', () => {
  const killed = readSample('campaign/one-ticket-journal-kill-3');
  const run = textIn(killed[0] ?? {}, 'run');
  const copy = (digit: string): readonly JsonObject[] => {
    const text = JSON.stringify(killed).replaceAll(run, digit.repeat(32));
    const records: unknown = JSON.parse(text);
    return Array.isArray(records) ? records.filter(isJsonObject) : [];
  };

  it('R104 R105 counts once, by the process that all of them name', () => {
    const campaign = campaignOf([killed, copy('1'), copy('2')]);
    expect(campaign.trials.map(({ validity }) => validity)).toEqual(['valid', 'not established', 'not established']);
    const second = campaign.trials[1];
    expect(second === undefined ? undefined : checkOf(second, 'own-processes')?.text).toContain(
      `is one of trial ${run} too`,
    );
    expect(campaign.strategies[0]?.grid.find(({ point }) => point === '3')?.fixed).toEqual([run]);
    expect(campaign.strategies[0]?.statement).toMatch(/^In 1 valid trial of/);
  });

  it('R104 another process, at other times or with other times between its records, is another trial', () => {
    const other = copy('1').map((record, at) => ({
      ...record,
      source: { ...objectIn(record, 'source'), pid: 9 },
      mono: String(BigInt(textIn(record, 'mono')) + 7_000_000_000n + BigInt(at * at)),
    }));
    expect(isCopy(other)).toBe(false);
    const renumbered = copy('1').map((record, at) => ({
      ...record,
      mono: String(BigInt(textIn(record, 'mono')) + 7_000_000_000n + BigInt(at * at)),
    }));
    expect(isCopy(renumbered)).toBe(false);
  });

  it('R104 R105 no other number, no shifted clock and no other name of it makes two trials of one', () => {
    const changes: readonly ((record: JsonObject) => JsonObject)[] = [
      (record) => ({ ...record, source: { ...objectIn(record, 'source'), pid: 9 } }),
      (record) => ({ ...record, mono: String(BigInt(textIn(record, 'mono')) + 5_000_000_000n) }),
      (record) => ({ ...record, clock: 'another host' }),
    ];
    for (const change of changes) expect(isCopy(copy('1').map(change))).toBe(true);
    expect(isCopy(changes.reduce((records, change) => records.map(change), copy('1')))).toBe(true);
  });

  function isCopy(other: readonly JsonObject[]): boolean {
    const { trials } = campaignOf([killed, other]);
    return trials.some(({ checks }) => checks.some(({ id }) => id === 'own-processes'));
  }
});
