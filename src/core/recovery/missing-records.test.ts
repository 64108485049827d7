/** Records of a trial that are not here or could not be read: what rests on their absence is not known, and contradicts nobody. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../base/json.ts';
import { analyseRecovery, modelCallsOf } from './index.ts';
import type { TrialReport } from './report.ts';
import { campaignOf, objectIn, textIn, trialOf } from './testing/altered-trials.ts';
import { labReport, labTrial } from './testing/lab-trial.ts';
import { openText, readSample, toWhole } from './testing/opened-trials.ts';

const naive = readSample('campaign/one-ticket-naive-kill-3');
const keyed = readSample('campaign/one-ticket-journal-key-kill-5');

function componentOf(record: JsonObject): string {
  return textIn(objectIn(record, 'source'), 'component');
}

function lifeOf(record: JsonObject): string {
  return `${componentOf(record)} ${JSON.stringify(objectIn(record, 'source')['incarnation'])}`;
}

async function judge(records: readonly JsonObject[], damagedAt = -1): Promise<TrialReport | undefined> {
  const lines = records.map((record, at) => (at === damagedAt ? '{"broken' : JSON.stringify(record)));
  const report = analyseRecovery([await openText('a', `${lines.join('\n')}\n`)]);
  return report.campaigns.flatMap(({ trials }) => trials)[0];
}

/** What is told as known: answers, verdicts of invariants, and where the producer is contradicted. */
function known({ outcome, invariants, findings }: TrialReport): readonly string[] {
  const { completed, duplicates, losses, models } = outcome;
  const numbers = { completed, losses, ...(outcome.duplicatesAtLeast === true ? {} : { duplicates }) };
  const calls = models.unseen === undefined ? { calls: modelCallsOf(outcome).count, again: models.extraCalls } : {};
  return [
    ...Object.entries({ ...numbers, ...calls }).flatMap(([name, value]) =>
      value === undefined ? [] : [`${name} ${String(value)}`],
    ),
    ...invariants.filter(({ verdict }) => verdict !== 'not checked').map(({ id, verdict }) => `${id} ${verdict}`),
    ...findings.map(({ text }) => text),
  ];
}

describe.each([
  ['naive, killed at 3', naive],
  ['journal with key, killed at 5', keyed],
])('%s', (_name, records) => {
  const whole = known(trialOf(records));

  it('R89 R100 no record that is damaged turns what is known into something else', async () => {
    for (const at of records.keys()) {
      const trial = await judge(records, at);
      const type = textIn(records[at] ?? {}, 'type');
      if (trial === undefined) expect(type).toBe('trial.started');
      else expect([type, known(trial).filter((one) => !whole.includes(one))]).toEqual([type, []]);
    }
  });

  it('R89 R100 no record that is missing does, but for one of the fault, or of an answer, which makes the trial another', async () => {
    for (const [at, { type, causes }] of records.entries()) {
      const trial = await judge(records.toSpliced(at, 1));
      if (trial === undefined || trial.validity === 'invalid') continue;
      const found = known(trial).filter((one) => !whole.includes(one));
      expect([type, causes, found]).toEqual([type, causes, []]);
    }
  });

  it('R89 R100 no log of a process or a service that is missing does', async () => {
    for (const of of [componentOf, lifeOf]) {
      for (const name of new Set(records.map(of))) {
        const trial = await judge(records.filter((record) => of(record) !== name));
        if (trial === undefined) expect(name).toMatch(/^harness/);
        else expect([name, known(trial).filter((one) => !whole.includes(one))]).toEqual([name, []]);
      }
    }
  });
});

describe('a producer who tells what nobody else can', () => {
  const claim = (data: JsonObject): JsonObject => ({
    ...(naive.at(-1) ?? {}),
    id: 'told',
    type: 'trial.finished',
    data,
  });
  const contradicted = (records: readonly JsonObject[], data: JsonObject): readonly string[] =>
    trialOf([...records.filter(({ type }) => type !== 'trial.finished' && type !== 'invariant.checked'), claim(data)])
      .findings.map(({ text }) => text)
      .filter((text) => text.startsWith('The stream says'));

  it('R100 is contradicted by no ledger that is not here, and by no check that is left open', () => {
    const blind = naive.filter((record) => componentOf(record) !== 'ticket-service');
    expect(trialOf(blind).validity).toBe('not established');
    expect(contradicted(blind, { valid: true, effects: 2, ledger_entries: 2, duplicates: 1 })).toEqual([]);
    expect(contradicted(naive, { valid: false, effects: 1 })).toEqual([
      'The stream says valid: false; the records say true.',
      'The stream says effects: 1; the records say 2.',
    ]);
  });

  it('R100 is contradicted by what is there all the same, as a lower bound', () => {
    const last = naive.findLastIndex(({ type }) => type === 'effect.committed');
    const open = naive.toSpliced(last, 1);
    expect(contradicted(open, { effects: 2 })).toEqual([]);
    expect(contradicted(open, { effects: 0 })).toEqual(['The stream says effects: 0; the records say at least 1.']);
  });

  it('R103 is not contradicted by the order of kills where one is missing between numbers that rise', () => {
    const five = readSample('campaign/one-ticket-journal-key-five-kills-4');
    const second = five.filter(({ type }) => type === 'fault.injected')[1];
    const codes = (records: readonly JsonObject[]): readonly string[] =>
      trialOf(records).findings.map(({ code }) => code);
    expect(codes(five.filter((record) => record !== second))).not.toContain('ordinal-contradicted');
    const swapped = five.map((record) =>
      record === second ? { ...record, data: { ...objectIn(record, 'data'), ordinal: 4 } } : record,
    );
    expect(codes(swapped)).toContain('ordinal-contradicted');
  });
});

describe('the end of a run that is not here', () => {
  const stopped = toWhole(naive.filter(({ type }) => type !== 'run.completed'));
  const completionOf = (records: readonly JsonObject[]): readonly unknown[] => {
    const { outcome } = trialOf(records);
    return [outcome.completed, outcome.completionText];
  };

  it('R111 is no end that did not come, where the last process wrote nothing that is here', () => {
    const workers = new Set(stopped.filter((record) => componentOf(record) === 'worker').map(lifeOf));
    const [last, lifeless] = [[...workers].at(-1), stopped.filter((record) => componentOf(record) !== 'worker')];
    expect(completionOf(stopped)).toEqual([false, 'No record says that the run completed.']);
    const silent = toWhole(stopped.filter((record) => lifeOf(record) !== last));
    expect(completionOf(silent)).toEqual([
      undefined,
      expect.stringMatching(/^Whether the run completed is not known: no record of the process that was started last/),
    ]);
    expect(trialOf(silent).outcome.losses).toBeUndefined();
    const bare = lifeless.filter(({ type }) => type !== 'worker.spawned');
    expect(completionOf(toWhole(bare))).toEqual([
      undefined,
      'Whether the run completed is not known: no record of a process that runs the control code is here.',
    ]);
    const alone = trialOf(toWhole(bare.filter((record) => componentOf(record) === 'harness')));
    expect([alone.outcome.duplicates, alone.outcome.losses]).toEqual([undefined, undefined]);
  });

  it('R111 is not known where a number is missing from the log of a process after the last that was begun', () => {
    const isEnd = ({ type }: JsonObject): boolean => type === 'run.completed';
    const end = naive.find(isEnd) ?? {};
    const after = { ...end, id: 'after', type: 'state.transitioned', seq: Number(end['seq']) + 1, causes: [] };
    const unnamed = naive.map((record) =>
      JSON.stringify(record['causes'] ?? []).includes(`"${textIn(end, 'id')}"`) ? { ...record, causes: [] } : record,
    );
    expect(completionOf([...unnamed.filter((record) => !isEnd(record)), after])).toEqual([
      undefined,
      expect.stringMatching(/a record of worker 2 between "[^"]+" and "after" is missing from its log\.$/),
    ]);
    // Where something new was begun after it, it was none.
    const early = stopped.findIndex(({ type }) => type === 'model_call.completed');
    expect(completionOf(stopped.toSpliced(early, 1))[0]).toBe(false);
  });

  it('R111 is not known where it may be what could not be read', async () => {
    const at = naive.findIndex(({ type }) => type === 'run.completed');
    expect((await judge(naive, at))?.outcome.completed).toBeUndefined();
    // Also where neither a number nor a name tells that something is missing.
    const unnamed = naive.map((record) => (record['type'] === 'worker.exited' ? { ...record, causes: [] } : record));
    expect((await judge(unnamed, at))?.outcome.completionText).toContain('could not be read: one of unknown type');
    // A decision that led to what was begun is none.
    const decided = stopped.findLastIndex(({ type }) => type === 'decision.made');
    const other = stopped.map((record, n) => (n === decided ? { ...record, data: 5 } : record));
    expect((await judge(other))?.outcome.completed).toBe(false);
  });

  it('R100 a record that could not be read may be an execution, unless it says what it is', async () => {
    const counted = async (line: string): Promise<readonly unknown[]> => {
      const lines = naive.map((record) => JSON.stringify(record)).toSpliced(-2, 0, line);
      const [trial] = analyseRecovery([await openText('a', lines.join('\n'))]).campaigns.flatMap(
        ({ trials }) => trials,
      );
      return [trial?.outcome.duplicates, trial?.outcome.duplicatesAtLeast];
    };
    const run = JSON.stringify(naive[0]?.['run'] ?? '');
    expect(await counted(`{"run":${run},"type":"effect.committed","data":{`)).toEqual([1, true]);
    expect(await counted(`{"run":${run},"data":{`)).toEqual([1, true]);
    expect(await counted(`{"run":${run},"type":"state.transitioned","data":{`)).toEqual([1, undefined]);
  });

  it('R111 is told by a process that had nothing else left to do', () => {
    const idle = keyed.filter((record) => record['type'] !== 'worker.started' || lifeOf(record) !== 'worker 2');
    expect(trialOf(toWhole(idle)).outcome.completed).toBe(true);
  });

  it('R89 in the shared vocabulary, where a service names what a process asked', async () => {
    const records = labTrial().filter(({ producer }) => !JSON.stringify(producer).includes('"worker"'));
    const { outcome, findings } = await labReport({ a: records });
    expect([outcome.completed, outcome.losses]).toEqual([undefined, undefined]);
    expect(findings).toEqual([]);
  });
});

describe('model calls of which one side is not here', () => {
  const of = (records: readonly JsonObject[]): readonly unknown[] => {
    const { outcome } = trialOf(records);
    return [outcome.models.extraCalls, outcome.models.unseen?.why, modelCallsOf(outcome).count];
  };
  const isNth = (type: string, at: number): JsonObject | undefined =>
    naive.filter((one) => one['type'] === type).at(at);

  it('R136 an answer whose request is missing leaves it open whether a model was asked again', () => {
    expect(of(naive)).toEqual([1, undefined, 2]);
    for (const at of [0, 1]) {
      const asked = isNth('model_call.requested', at);
      const found = of(naive.filter((record) => record !== asked));
      expect(found).toEqual([0, 'an answer of the model has no recorded request', 2]);
    }
    const trial = trialOf(naive.filter((record) => record !== isNth('model_call.requested', 0)));
    expect(trial.limits).toContain(
      'Whether a model was asked again is not known in full: an answer of the model has no recorded request.',
    );
    expect(campaignOf([naive]).trials[0]?.limits.join(' ')).not.toContain('asked again');
  });

  it('R136 so does one that a process recorded where the model has no records', () => {
    const blind = toWhole(naive.filter(({ type }) => type !== 'model_call.served'));
    expect(of(blind)).toEqual([1, undefined, 2]);
    const asked = blind.findLastIndex(({ type }) => type === 'model_call.requested');
    expect(of(toWhole(blind.toSpliced(asked, 1)))).toEqual([0, 'an answer of the model has no recorded request', 1]);
  });

  it('R136 a call whose record of the model is missing is one that its caller has the answer of', () => {
    const served = isNth('model_call.served', 1);
    expect(of(naive.filter((record) => record !== served))).toEqual([1, undefined, 2]);
  });
});
