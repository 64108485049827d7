/** The ledger of a trial with holes, beside its own word, or under flags: what is not there is never taken for what did not happen. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../base/json.ts';
import type { TrialReport } from './report.ts';
import { campaignOf, checkOf, control, incident, keyed, objectIn, textIn, trialOf } from './testing/altered-trials.ts';
import { labCheck, labReport, labTrial, type LabRecord } from './testing/lab-trial.ts';
import { readSample, toWhole } from './testing/opened-trials.ts';

const path = '/write:tickets.create#0';
const second = incident.find((record) => isCommit(record, '8422')) ?? {};

function isCommit(record: JsonObject, id: string): boolean {
  return record['type'] === 'effect.committed' && JSON.stringify(record['data']).includes(`"${id}"`);
}

function counts({ validity, outcome }: TrialReport): readonly unknown[] {
  const { duplicates, lost } = outcome.effects.find(({ effect }) => effect === path) ?? {};
  return [validity, outcome.duplicates, outcome.losses, duplicates, lost];
}

function verdictOf({ invariants }: TrialReport, id: string): string | undefined {
  const found = invariants.find((one) => one.id === id);
  return found === undefined ? undefined : `${found.verdict}: ${found.reason}`;
}

function inPlace(change: (record: JsonObject) => JsonObject): readonly JsonObject[] {
  return incident.map((record) => (record === second ? change(record) : record));
}

describe('trials whose records are numbered alike', () => {
  it('R87 R100 a damaged trial leaves the others as each is alone', () => {
    const [damaged, first, second] = ['naive-kill-3', 'journal-kill-3', 'journal-key-kill-3'].map((name) =>
      // Each service in a container of its own, where it is process 1.
      readSample(`campaign/one-ticket-${name}`).map((record): JsonObject => {
        const source = objectIn(record, 'source');
        return source['component'] === 'ticket-service' ? { ...record, source: { ...source, pid: 1 } } : record;
      }),
    );
    if (damaged === undefined || first === undefined || second === undefined) throw new Error('no samples');
    const alone = [first, second].map((trial) => counts(trialOf(trial)));
    const dispatch = damaged.findIndex(
      (record) => record['type'] === 'tool_call.dispatched' && objectIn(record, 'command')['path'] === path,
    );
    const request = damaged.findIndex((record) => record['type'] === 'model_call.requested');
    for (const cut of [dispatch, request]) {
      const { trials } = campaignOf([damaged.filter((_, at) => at !== cut), first, second]);
      expect(trials.slice(1).map(counts)).toEqual(alone);
    }
  });
});

describe('holes of the ledger', () => {
  const without = incident.filter((record) => record !== second && record['type'] !== 'duplicate.detected');

  it('R100 a commitment that is missing from the log of its service leaves the counts not known and the trial not established', () => {
    const trial = trialOf(without);
    expect(counts(trial)).toEqual(['not established', undefined, undefined, undefined, undefined]);
    expect(checkOf(trial, 'records-whole')?.text).toMatch(
      /^Records are missing: Records \d+ to \d+ are missing from the log of ticket-service, between "[^"]+" and "[^"]+"; "[^"]+" names "[^"]+" as a cause/,
    );
    expect(verdictOf(trial, 'no-duplicate-effect')).toMatch(/^not checked: Records \d/);
    expect(verdictOf(trial, 'answer-is-in-ledger')).toMatch(/^not checked: Records \d/);
    const [strategy] = campaignOf([without, control]).strategies;
    expect(strategy?.grid.every(({ fixed }) => fixed.length === 0)).toBe(true);
  });

  it('R100 so does one that only an answer names, where the numbers show no hole', () => {
    const numbered = toWhole(without).map((record, at) => ({ ...record, causes: without[at]?.['causes'] ?? [] }));
    const trial = trialOf(numbered);
    expect(counts(trial)).toEqual(['not established', undefined, undefined, undefined, undefined]);
    expect(checkOf(trial, 'records-whole')?.text).not.toContain('missing from the log');
    const silent = trialOf(toWhole(without));
    expect(verdictOf(silent, 'answer-is-in-ledger')).toBe(`violated: ${path}: effect 8422 is not in the ledger`);
    expect(counts(silent)).toEqual(['not established', undefined, undefined, undefined, undefined]);
    expect(silent.checks.filter(({ status }) => status !== 'holds').map(({ text }) => text)).toEqual([
      `${path}: a caller was told of 8422, which the ledger of this run does not have.`,
    ]);
  });

  it('R74 R100 so does one under a name without a number, whatever else of the trial has such a name', () => {
    const [started = {}] = without;
    const named = toWhole(without).map((record, at) => {
      const causes = without[at]?.['causes'] ?? [];
      const absent = JSON.stringify(causes).replaceAll(textIn(second, 'id'), 'absent-kqzw');
      return { ...record, causes: JSON.parse(absent) as JsonObject[] };
    });
    const note = { ...started, id: 'copy', type: 'note.made', data: {}, causes: [], source: { component: 'other' } };
    expect(JSON.stringify(named)).toContain('absent-kqzw');
    expect(counts(trialOf([...named, note]))).toEqual(['not established', undefined, undefined, undefined, undefined]);
    expect(trialOf([...named, note]).outcome.effects.find(({ effect }) => effect === path)?.whyNotKnown).toContain(
      'absent-kqzw',
    );
  });

  it('R100 an id in the ledger other than the one that the caller was told of is a violation', () => {
    for (const id of ['8421', '8422']) {
      const changed = incident.map((record) => (isCommit(record, id) ? renamed(record) : record));
      const isTold = id === '8422';
      expect([id, verdictOf(trialOf(changed), 'answer-is-in-ledger')?.startsWith('violated')]).toEqual([id, isTold]);
    }
    expect(trialOf(inPlace(renamed)).validity).toBe('not established');
    expect(verdictOf(trialOf(incident), 'answer-is-in-ledger')).toMatch(/^holds/);
  });

  function renamed(record: JsonObject): JsonObject {
    const data = objectIn(record, 'data');
    return { ...record, data: { ...data, effect: { ...objectIn(data, 'effect'), id: '9999' } } };
  }

  it('R24 what stands there of another run of the same log is no hole, unless it uses the numbers of this one', () => {
    const spread = incident.map((record) => {
      const isLater = textIn(objectIn(record, 'source'), 'component') === 'ticket-service' && Number(record['seq']) > 2;
      return isLater ? { ...record, seq: Number(record['seq']) + 2 } : record;
    });
    const of = (...files: readonly (readonly JsonObject[])[]): readonly unknown[] => {
      const { validity, outcome, limits } = trialOf(spread, ...files);
      const isTold = limits.some((text) => text.startsWith('The ledger has holes: Records 3 to 4 are missing'));
      return [validity, outcome.duplicates, outcome.duplicatesAtLeast, isTold];
    };
    expect(of()).toEqual(['valid', 1, true, true]);
    const first = incident.find(({ type }) => type === 'effect.requested') ?? {};
    const other = (numbers: readonly number[]): readonly JsonObject[] =>
      numbers.map((seq) => ({ ...first, id: `other:${String(seq)}`, run: 'f'.repeat(32), seq, causes: [] }));
    expect(of(other([3, 4]))).toEqual(['valid', 1, undefined, false]);
    expect(of(other([2, 3, 4]))).toEqual(['valid', 1, true, true]);
  });

  const lab = labTrial();
  const of = (records: readonly LabRecord[], ...types: readonly string[]): readonly LabRecord[] =>
    records.filter(({ type }) => !types.includes(type));

  it('R100 in the shared vocabulary too', async () => {
    const hole = await labReport({ a: of(lab, 'effect_committed') });
    expect([hole.validity, hole.outcome.duplicates, hole.outcome.losses]).toEqual([
      'not established',
      undefined,
      undefined,
    ]);
    expect(labCheck(hole, 'records-whole')?.text).toContain(
      'Record 1 is missing from the log of ticket-service, between "ticket-service.i.s:0" and "ticket-service.i.s:2"',
    );
    const tail = await labReport({ a: of(lab, 'effect_deduplicated') });
    expect(labCheck(tail, 'records-whole')?.text).toContain('"ticket-service.i.s:2" as a cause');
    expect(tail.outcome.duplicates).toBeUndefined();
  });

  it('R125 an effect that a saved answer is of and that this run never made is told', () => {
    const foreign = toWhole(
      keyed
        .filter((record) => !(record['type'] === 'effect.committed' && objectIn(record, 'command')['path'] === path))
        .map((record) => (record['type'] === 'fault.witnessed' ? { ...record, causes: [] } : record)),
    );
    const trial = trialOf(foreign);
    expect(counts(trial)).toEqual(['not established', undefined, undefined, undefined, undefined]);
    expect(verdictOf(trial, 'answer-is-in-ledger')).toMatch(/^violated: \/write:tickets\.create#0: effect 8421/);
    const stranger = keyed.map((record) => {
      const data = objectIn(record, 'data');
      return record['type'] === 'effect.deduplicated' ? { ...record, data: { ...data, idempotency_key: 'x' } } : record;
    });
    expect(verdictOf(trialOf(stranger), 'key-stable')).toMatch(/^violated/);
    expect(verdictOf(trialOf(keyed), 'key-stable')).toMatch(/^holds/);
  });
});

describe('what an execution is called', () => {
  it.each(['Tickets.Create', 'ticket'])('R23 R100 a second execution under the kind %s is one', (kind) => {
    const renamed = inPlace((record) => {
      const data = objectIn(record, 'data');
      return { ...record, data: { ...data, effect: { ...objectIn(data, 'effect'), kind } } };
    });
    const trial = trialOf(renamed);
    expect(counts(trial)).toEqual(['valid', 1, 0, 1, false]);
    expect(verdictOf(trial, 'no-duplicate-effect')).toBe(`violated: ${path} was executed 2 times`);
  });

  it('R23 two kinds that one request left behind are one execution', () => {
    const record = { ...second, id: 'note', seq: Number(second['seq']) + 0.5 };
    const note = { ...record, data: { effect: { kind: 'note', id: 'n-1' } } };
    expect(counts(trialOf(toWhole([...incident, note])))).toEqual(['valid', 1, 0, 1, false]);
  });
});

describe('the control that must fail', () => {
  it('R115 a control whose executions are not known in full is neither one that passes nor one that fails', () => {
    const naive = readSample('campaign/one-ticket-naive-kill-3');
    const last = naive.findLastIndex(({ type }) => type === 'effect.committed');
    const campaign = campaignOf([naive.map((one, at) => (at === last ? { ...one, type: 'ledger.wrote' } : one))]);
    expect([campaign.suspect, campaign.negativeControl.status]).toEqual([false, 'not struck after a commitment']);
    expect(campaign.trials[0]?.validity).toBe('not established');
    const stray = naive.map((one, at) => {
      if (at === last) return { ...one, causes: [], command: null, data: { effect: { kind: 'tickets.create' } } };
      return ['tool_call.acknowledged', 'tool_call.completed'].includes(textIn(one, 'type')) ? mute(one) : one;
    });
    const open = campaignOf([stray.map(withoutNull)]);
    expect(open.trials[0]?.validity).toBe('valid');
    expect([open.suspect, open.negativeControl.status]).toEqual([false, 'not struck after a commitment']);
    expect(open.negativeControl.text).toContain(`One kill is not judged: how often ${path} was executed is not known.`);
  });

  function mute(record: JsonObject): JsonObject {
    return { ...record, data: { ...objectIn(record, 'data'), response: { status: 'queued' } } };
  }

  function withoutNull(record: JsonObject): JsonObject {
    return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null));
  }
});

describe('who writes the ledger', () => {
  it.each(['worker', 'harness'])('R100 what the %s itself wrote of effects is no ledger', (component) => {
    const writer = objectIn(incident.find((one) => objectIn(one, 'source')['component'] === component) ?? {}, 'source');
    const records = incident.map((record) =>
      textIn(record, 'type').startsWith('effect.') || record['type'] === 'duplicate.detected'
        ? { ...record, source: writer, seq: 500 + Number(record['seq']) }
        : record,
    );
    const trial = trialOf(records);
    expect([trial.outcome.duplicates, trial.outcome.losses]).toEqual([undefined, undefined]);
    expect(trial.outcome.effects.flatMap(({ executions }) => executions)).toEqual([]);
    expect(trial.limits.join(' ')).toContain(
      `What ${component} wrote of effects is the word of a process of the trial`,
    );
  });
});

describe('what a service wrote counts under any flag', () => {
  it.each([
    ['another branch', { branch: 'what-if' }],
    ['a mark of a replay', { replayed: true }],
  ])('R23 R100 a second commitment with %s is an execution', (_, flag) => {
    expect(counts(trialOf(inPlace((record) => ({ ...record, ...flag }))))).toEqual(['valid', 1, 0, 1, false]);
  });

  it.each(['effect.commited', 'ledger.wrote'])('R100 a record of the type %s may be a commitment', (type) => {
    const trial = trialOf(inPlace((record) => ({ ...record, type })));
    expect([trial.outcome.duplicates, trial.outcome.losses]).toEqual([undefined, undefined]);
    expect(trial.limits.join(' ')).toContain(`of the unknown type ${type}`);
  });

  it('R136 a model that served a request was asked, whatever the request is marked as', () => {
    const naive = readSample('campaign/one-ticket-naive-kill-3');
    const last = naive.findLastIndex(({ type }) => type === 'model_call.requested');
    const before = trialOf(naive).outcome.models.extraCalls;
    const marked = naive.map((record, at) => (at === last ? { ...record, replayed: true } : record));
    expect([before, trialOf(marked).outcome.models.extraCalls]).toEqual([1, 1]);
  });
});

describe('records under the run of a stranger', () => {
  const request = incident.find(({ type }) => type === 'tool_call.dispatched') ?? {};
  /** Told under another run of a request of this trial. */
  const stranger = (source: JsonObject, more: readonly JsonObject[] = []): readonly JsonObject[] => [
    ...more.map((record) => ({ ...record, run: 'f'.repeat(32) })),
    {
      ...second,
      ...{ id: 'stranger:9', run: 'f'.repeat(32), seq: 9, source },
      causes: [{ event: textIn(request, 'id'), as: 'caused_by' }],
    },
  ];
  const service = { component: 'other-service', instance: 's', incarnation: 1 };
  const told = (others: readonly JsonObject[]): readonly unknown[] => {
    const trial = trialOf(incident, others);
    return [trial.validity, checkOf(trial, 'records-whole')?.status];
  };

  it('R100 R117 an execution of a service that names a request of this trial may be one of it', () => {
    expect(told(stranger(service))).toEqual(['not established', 'not established']);
  });

  it('R100 what a process of the trial, or of that run, says of effects there is its own word, and no hole', () => {
    expect(told([])).toEqual(['valid', undefined]);
    expect(told(stranger(objectIn(request, 'source')))).toEqual(['valid', undefined]);
    const started = { ...request, id: 'stranger:1', seq: 1, source: service, causes: [] };
    expect(told(stranger(service, [started]))).toEqual(['valid', undefined]);
  });
});
