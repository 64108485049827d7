/** Shipped trials, each altered on purpose in one thing: what is wrong is found in the records (real runs, real kills). */
import { describe, expect, it } from 'vitest';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import { computeMenu } from './menu.ts';
import type { Claim } from './claim-schema.ts';
import type { TrialReport } from './report.ts';
import {
  campaignOf,
  checkOf,
  control,
  incident,
  keyed,
  objectIn,
  recordsOf,
  textIn,
  trialOf,
} from './testing/altered-trials.ts';
import { alter, toWhole, withoutDigests } from './testing/opened-trials.ts';

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

const otherRun = '0123456789abcdef0123456789abcdef';

describe('the shipped trials as they are', () => {
  it('R100 R109 R110 are valid, struck at 3, and tell one from two tickets by the ledger', () => {
    const { trials, basis, id } = campaignOf([incident, control, keyed]);
    expect([id, basis]).toEqual(['support-case-samples', 'recorded']);
    expect(
      trials.map(({ name, arm, validity, placements, outcome }) => [
        name,
        arm,
        validity,
        placements.map(({ point, effect, verdict }) => `${String(point)} ${effect ?? ''} ${verdict}`).join(),
        outcome.completed,
        outcome.duplicates,
        outcome.losses,
        outcome.models.extraCalls,
      ]),
    ).toEqual([
      ['ticket-incident', 'faulted', 'valid', '3 /write:tickets.create#0 verified', true, 1, 0, 0],
      ['clean-control', 'control', 'valid', '', true, 0, 0, 0],
      ['ticket-with-key', 'faulted', 'valid', '3 /write:tickets.create#0 verified', true, 0, 0, 0],
    ]);
    const [twice] = trials[0]?.outcome.effects.filter(({ duplicates }) => duplicates === 1) ?? [];
    expect(twice?.executions.map(({ effectId, life, basis: joined }) => [effectId, life, joined])).toEqual([
      ['8421', 'worker 1', 'recorded cause'],
      ['8422', 'worker 2', 'recorded cause'],
    ]);
    expect(trials.flatMap(({ findings }) => findings)).toEqual([]);
  });

  it('R106 R107 R113 show six cells for each of two effects, and which are not struck', () => {
    const { strategies } = campaignOf([incident, control]);
    const grid = strategies[0]?.grid ?? [];
    expect(grid).toHaveLength(12);
    expect(grid.filter(({ fixed }) => fixed.length > 0).map(({ effect, point }) => `${effect} ${point}`)).toEqual([
      '/write:tickets.create#0 3',
    ]);
    expect(strategies[0]?.uncovered).toHaveLength(11);
  });

  it('R100 R109 of a service whose witness alone is left the ledger is not known, and the label is not contradicted', () => {
    const { placements, outcome, validity } = trialOf(
      toWhole(incident.filter(({ type }) => !textOf(type).startsWith('effect.'))),
      control,
    );
    expect(placements.map(({ point, verdict, text }) => [point, verdict, text])).toEqual([
      [
        undefined,
        'not established',
        'Kill 1 is labelled 3; the records leave 2, 2late, 3 open: dispatched; no record of the service says what became of the request.',
      ],
    ]);
    expect([validity, outcome.duplicates, outcome.losses]).toEqual(['not established', undefined, undefined]);
  });

  it('R89 the statement speaks of what was tried and of nothing else', () => {
    const [strategy] = campaignOf([incident, control]).strategies;
    expect(strategy?.statement).toMatch(
      /^In 1 valid trial of journal, without idempotency key \(one kill\), workload "support case.*SIGKILL at point 3 \(committed, not acknowledged\) of the effect tickets\.create:/,
    );
    expect(strategy?.statement).toMatch(/executed more than once in 1 of 1/);
    expect(strategy?.statement).not.toMatch(/fault.toleran|reliable|safe\b/i);
  });

  it('R134 no combined score stands anywhere', () => {
    expect(JSON.stringify(campaignOf([incident, control, keyed]))).not.toMatch(/"(?:\w*score|grade|rating|rank)"/i);
  });

  it('times that the stream calls laid out are no measurements', () => {
    const { metrics } = trialOf(incident);
    expect(metrics.length).toBeGreaterThan(5);
    expect(metrics.every(({ ms, whyNot }) => ms === undefined && whyNot !== undefined)).toBe(true);
  });

  it('gives the same verdicts without a single verdict of the producers', () => {
    const told = new Set<unknown>(['trial.finished', 'invariant.checked', 'duplicate.detected']);
    const silent = [incident, control, keyed].map((records) =>
      toWhole(records.filter((record) => !told.has(record['type']))),
    );
    // Other numbers in the log are other records, and so another digest; nothing else may change.
    expect(withoutDigests(campaignOf(silent))).toEqual(withoutDigests(campaignOf([incident, control, keyed])));
  });
});

describe('validity', () => {
  it('R109 finds a mislabelled kill point', () => {
    const relabel = (records: readonly JsonObject[], type: string): readonly JsonObject[] =>
      alter(records, type, () => ({ kill_point: '4' }));
    const trial = trialOf(relabel(relabel(incident, 'fault.injected'), 'fault.armed'));
    expect(trial.validity).toBe('invalid');
    expect(trial.placements[0]).toMatchObject({ claimed: '4', point: '3', verdict: 'contradicted' });
    const wholly = alter(relabel(relabel(incident, 'fault.injected'), 'fault.armed'), 'trial.started', () => ({
      cell: { effect: '/write:tickets.create#0', points: ['4'] },
    }));
    expect(trialOf(wholly)).toMatchObject({ validity: 'invalid', placements: [{ verdict: 'contradicted' }] });
  });

  it('R110 a SIGTERM, a normal exit and a missing exit are no crash', () => {
    const soft = alter(
      alter(incident, 'fault.injected', () => ({ signal: 'SIGTERM' })),
      'worker.exited',
      (data, at) => (at === 0 ? { signal: 'SIGTERM' } : data),
    );
    expect(checkOf(trialOf(soft), 'exit-by-signal-1')).toMatchObject({
      status: 'violated',
      text: expect.stringContaining('SIGTERM'),
    });
    const normal = alter(incident, 'worker.exited', (data, at) => (at === 0 ? { signal: null, code: 0 } : data));
    expect(trialOf(normal).validity).toBe('invalid');
    expect(checkOf(trialOf(normal), 'exit-by-signal-1')?.text).toContain('ended with code 0 and not by SIGKILL');
    const open = incident.filter((record) => record['type'] !== 'worker.exited');
    expect(trialOf(open)).toMatchObject({ validity: 'not established' });
  });

  it('R110 a process that ran on past its kill point is no trial', () => {
    const escaped = alter(incident, 'fault.witnessed', () => ({ escaped: true }));
    expect(checkOf(trialOf(escaped), 'faults-happened')).toMatchObject({ status: 'violated' });
    const unsent = incident.filter((record) => record['type'] !== 'fault.injected');
    expect(trialOf(unsent).validity).toBe('invalid');
  });

  const sent = incident.find(({ type }) => type === 'fault.injected') ?? {};
  const gone = incident.find(({ type }) => type === 'worker.exited') ?? {};
  const withMore = (more: JsonObject, isBefore = false): readonly JsonObject[] => {
    const at = incident.findIndex(({ id }) => id === gone['id']) + (isBefore ? 0 : 1);
    return [...incident.slice(0, at), more, ...incident.slice(at)];
  };

  it.each([
    ['code 0', { signal: null, code: 0 }, false],
    ['code 0, told first', { signal: null, code: 0 }, true],
    ['SIGTERM', { signal: 'SIGTERM', code: null }, false],
    ['SIGTERM, told first', { signal: 'SIGTERM', code: null }, true],
  ])(
    'R110 two records of one end that disagree (%s) are a finding, and the trial is not established',
    (_, end, isFirst) => {
      const other = { ...gone, id: 'other-end', seq: isFirst ? 4.5 : 5.5, data: { ...objectIn(gone, 'data'), ...end } };
      const records = withMore(other, isFirst).map((record) =>
        objectIn(record, 'source')['component'] === 'harness' ? { ...record, seq: Number(record['seq']) * 2 } : record,
      );
      const trial = trialOf(records);
      expect([trial.validity, checkOf(trial, 'exit-by-signal-1')?.status]).toEqual([
        'not established',
        'not established',
      ]);
      expect(trial.findings).toContainEqual(
        expect.objectContaining({ code: 'ends-disagree', events: expect.arrayContaining(['other-end']) }),
      );
      const bare = Object.entries(other.data).filter(([, value]) => value !== null);
      expect(trialOf(withMore({ ...other, seq: 1000, data: Object.fromEntries(bare) })).validity).toBe(
        'not established',
      );
      const same = trialOf(withMore({ ...gone, id: 'other-end', seq: 1000 }));
      expect([same.validity, same.findings]).toEqual(['valid', []]);
    },
  );

  it('R110 a kill that is told again under another id is one kill', () => {
    const trial = trialOf(withMore({ ...sent, id: 'sent-again', seq: 1000 }));
    expect([trial.validity, trial.design, trial.placements.length]).toEqual(['valid', 'sweep', 1]);
    expect(trial.placements[0]?.events).toContain('sent-again');
    const other = { ...sent, id: 'sent-again', seq: 1000, data: { ...objectIn(sent, 'data'), signal: 'SIGTERM' } };
    expect(trialOf(withMore(other)).placements).toHaveLength(2);
  });

  it('R110 an arming without a number is that of the kill that came next, and of no other', () => {
    const bare = incident.map((record) => {
      if (record['type'] !== 'fault.armed' && record['type'] !== 'fault.injected') return record;
      const data = Object.entries(objectIn(record, 'data')).filter(([key]) => key !== 'ordinal');
      const rest = Object.entries(record).filter(([key]) => key !== 'causes' || record['type'] !== 'fault.injected');
      return { ...Object.fromEntries(rest), data: Object.fromEntries(data) };
    });
    expect(checkOf(trialOf(bare), 'faults-happened')?.status).toBe('holds');
    const armed = bare.find(({ type }) => type === 'fault.armed') ?? {};
    const idle = trialOf([...bare, { ...armed, id: 'armed-again', seq: 1000 }]);
    expect(checkOf(idle, 'faults-happened')).toMatchObject({ status: 'violated', events: ['armed-again'] });
  });

  it('R114 finds a hint that was leaked to the restarted process, declared or not', () => {
    const leaked = alter(incident, 'worker.spawned', (data, at) =>
      at === 0 ? {} : { environment: { ...objectIn(data, 'environment'), RESUME_TICKET: '8421' } },
    );
    const trial = trialOf(leaked);
    expect(checkOf(trial, 'no-leaked-state')).toMatchObject({
      status: 'violated',
      text: expect.stringContaining('RESUME_TICKET'),
    });
    expect(trial.outcome.duplicates).toBe(1);
    const declared = alter(incident, 'worker.spawned', (_data, at) =>
      at === 0 ? {} : { environment: { kill: 'none', differences: ['the number of the ticket that was made'] } },
    );
    expect(checkOf(trialOf(declared), 'no-leaked-state')?.status).toBe('not established');
    const silent = incident.filter((record) => record['id'] !== 'harness-1:6');
    expect(checkOf(trialOf(silent), 'no-leaked-state')?.status).toBe('not established');
  });

  it('R117 reports a run of another trial that a process of this one wrote', () => {
    const stray = incident
      .filter(({ id }) => id === 'worker-2:20')
      .map((record) => ({ ...record, id: 'worker-2:x', run: otherRun, seq: 900 }));
    const trial = trialOf([...incident, ...stray]);
    expect(stray).toHaveLength(1);
    expect(checkOf(trial, 'no-foreign-run')).toMatchObject({
      status: 'violated',
      events: ['worker-2:x'],
      text: expect.stringContaining('a process of this trial wrote 1 record of run'),
    });
    expect(trial.validity).toBe('invalid');
  });

  it('R111 validity and outcome are apart: a run that never completed after a confirmed kill is a valid trial', () => {
    const stopped = toWhole(incident.filter((record) => record['type'] !== 'run.completed'));
    const trial = trialOf(stopped);
    expect([trial.validity, trial.outcome.completed]).toEqual(['valid', false]);
    expect(trial.invariants.find(({ id }) => id === 'run-completed')).toMatchObject({ verdict: 'violated' });
    expect(trial.findings.map(({ code }) => code)).toContain('claim-disagrees');
  });

  it('R30 absence is no evidence where the killed process did not write its records through', () => {
    const buffered = incident.map((record) =>
      JSON.stringify(record['source']).includes('"worker"') ? { ...record, durable: { status: 'memory' } } : record,
    );
    const [placement] = trialOf(buffered).placements;
    expect(placement).toMatchObject({
      verdict: 'not established',
      candidates: ['3', '4', '5'],
      gap: { wording: 'absent or lost' },
    });
    expect(trialOf(buffered).validity).toBe('not established');
    expect(trialOf(incident).placements[0]?.gap).toMatchObject({
      wording: 'absent',
      expected: 'tool_call.acknowledged',
    });
  });

  it('R31 R100 without records of the service nothing is zero', () => {
    const blind = incident.filter((record) => !JSON.stringify(record['type']).startsWith('"effect.'));
    const trial = trialOf(alter(blind, 'stream.declared', () => ({ producers: [] })));
    expect(trial.outcome).toMatchObject({ duplicates: undefined, losses: undefined });
    expect(trial.placements[0]).toMatchObject({ point: undefined, candidates: ['2', '2late', '3'] });
  });
});

describe('what is told of one is not told of another', () => {
  it('a key with two bodies says nothing about the next key', () => {
    const ofWrite = keyed.filter((line) => objectIn(line, 'command')['path'] === '/write:tickets.create#0');
    const own = ofWrite.find((line) => objectIn(line, 'data')['idempotency_key'] !== undefined);
    const key = textIn(objectIn(own ?? {}, 'data'), 'idempotency_key');
    const second = ofWrite.map((line) => {
      const data = Object.fromEntries(
        Object.entries(objectIn(line, 'data')).filter(([name]) => !['request_digest', 'input_digest'].includes(name)),
      );
      const moved = { ...objectIn(line, 'command'), path: '/write:tickets.create#1' };
      const rest = 'idempotency_key' in data ? { ...data, idempotency_key: 'second' } : data;
      return { ...line, id: `${textIn(line, 'id')}-second`, command: moved, data: rest };
    });
    let n = 0;
    const first = keyed.map((line) =>
      objectIn(line, 'data')['idempotency_key'] === key
        ? { ...line, data: { ...objectIn(line, 'data'), input_digest: `body ${n++}` } }
        : line,
    );
    const found = trialOf([...first, ...second]).invariants.find(({ id }) => id === 'key-with-one-body');
    expect(found).toMatchObject({ verdict: 'violated' });
    expect(found?.reason).toContain(key);
    expect(found?.reason).not.toContain('key second');
  });

  it('a model asked by another instance with the same number of its incarnation is asked again', () => {
    const asked = incident.find(({ type }) => type === 'model_call.requested') ?? {};
    const source = { ...objectIn(asked, 'source'), instance: 'another' };
    const before = trialOf(incident).outcome.models.extraCalls;
    expect(trialOf([...incident, { ...asked, id: 'again', source }]).outcome.models.extraCalls).toBe(before + 1);
  });
});

describe('faults that are no kills, and redeployments', () => {
  const redeployed = (versions: (at: number) => JsonObject): TrialReport =>
    trialOf(
      alter(
        alter(incident, 'trial.started', () => ({ design: 'redeploy' })),
        'worker.spawned',
        (_data, at) => versions(at),
      ),
    );

  it('R120 a redeployment counts with both versions on record, and not with one or with the same twice', () => {
    const counted = redeployed((at) => ({ versions: { program: `1.${String(at)}` } }));
    expect([counted.validity, checkOf(counted, 'versions-on-record')?.status]).toEqual(['valid', 'holds']);
    const same = redeployed(() => ({ versions: { program: '1.0' } }));
    expect([same.validity, checkOf(same, 'versions-on-record')?.status]).toEqual(['invalid', 'violated']);
    const records = alter(incident, 'trial.started', () => ({ design: 'redeploy' })).map((record) => {
      const data = objectIn(record, 'data');
      const rest = Object.fromEntries(Object.entries(data).filter(([key]) => key !== 'versions'));
      return record['type'] === 'worker.spawned' ? { ...record, data: rest } : record;
    });
    expect(checkOf(trialOf(records), 'versions-on-record')?.status).toBe('not established');
    expect(trialOf(records).validity).not.toBe('valid');
  });

  const declaring = (difference: JsonValue): string | undefined =>
    checkOf(
      trialOf(
        alter(incident, 'worker.spawned', (data) => ({
          environment: { ...objectIn(data, 'environment'), differences: difference },
        })),
      ),
      'no-leaked-state',
    )?.status;

  it('R114 a declared difference hands nothing over where the whole of it is known, and is open where one word is', () => {
    expect(declaring(['the deployed program', 'the id of the event that announced this life'])).toBe('holds');
    for (const sentence of [
      'the kill setting is gone; resume at ticket 8421',
      'the id of the event that announced this life, and the ids of tickets made so far',
      'boot with the journal of the first life copied by the harness',
      'pid file tells the last effect',
    ]) {
      expect(declaring([sentence]), sentence).toBe('not established');
      expect(declaring(sentence), sentence).toBe('not established');
    }
  });

  it('R114 an identity, or a place in the own store, that holds the id of an effect is handed over', () => {
    const told = (type: string, name: string, value: JsonValue): string | undefined =>
      checkOf(trialOf(alter(incident, type, (_, at) => (at === 0 ? {} : { [name]: value }))), 'no-leaked-state')
        ?.status;
    expect(told('worker.spawned', 'boot_id', 'ticket-8421-done')).toBe('violated');
    expect(told('worker.spawned', 'boot_id', 'b-77')).toBe('holds');
    expect(told('worker.started', 'resumed_from', 'harness: ticket')).toBe('violated');
    expect(told('worker.started', 'resumed_from', 'ticket-8421')).toBe('violated');
    expect(told('worker.started', 'history', ['ticket made'])).toBe('violated');
    expect(told('worker.started', 'history', [{ ticket: 1 }])).toBe('violated');
    expect(told('worker.started', 'checkpoint', 'c-41')).toBe('holds');
  });

  it('R118 a fault of another class ends no life, has no boundary, is named in the statement and in the menu', () => {
    const records = alter(incident, 'fault.injected', () => ({ class: 'call-late' })).map((record) => {
      const data = objectIn(record, 'data');
      const rest = Object.fromEntries(Object.entries(data).filter(([key]) => key !== 'signal' && key !== 'kill_point'));
      return record['type'] === 'fault.injected' ? { ...record, data: rest } : record;
    });
    const claim: Claim = {
      ...{ fault: { class: 'call-late' }, protects: 'tickets', continuation: 'completes' },
      clauses: [{ id: 'a', text: 'completes', metric: 'completed', predicate: 'holds' }],
    };
    const { trials, strategies, menu, claims } = campaignOf([records, control], { claim });
    expect(claims[0]?.scope).toBe(
      'Struck at no boundary of an effect. Other faults: call-late met by calls of the effect tickets.create.',
    );
    expect([trials[0]?.placements.length, trials[0]?.faults.map((fault) => fault.class)]).toEqual([0, ['call-late']]);
    expect(strategies[0]?.statement).toContain('with call-late met by calls of the effect tickets.create:');
    expect(menu.find(({ id }) => id === 'call-late')?.included).toBe(true);
  });

  it('R118 a kill at 4 strikes no write: that one was struck in a write is for its stream to say', () => {
    const at4 = trialOf(incident);
    const menuOf = (classes: readonly string[]): readonly string[] =>
      computeMenu([{ ...at4, placements: at4.placements.map((one) => ({ ...one, point: '4' as const })) }], () =>
        recordsOf(incident)
          .ofType('fault.injected')
          .flatMap((event) => classes.map((name) => ({ ...event, data: { ...event.data, class: name } }))),
      ).flatMap(({ id, included }) => (included && id.includes('persistence') ? [id] : []));
    expect(menuOf(['process-kill'])).toEqual(['kill-before-persistence']);
    expect(menuOf(['kill-during-persistence'])).toEqual(['kill-before-persistence', 'kill-during-persistence']);
    expect(at4.hasProgram).toBe(true);
  });

  it('R121 a kill in a later segment of the run is beyond a roll-over, by the path that was struck', () => {
    const moved: unknown = JSON.parse(
      JSON.stringify(incident).replaceAll('"/write:tickets.create#0"', '"/seg:3/write:tickets.create#0"'),
    );
    const { menu } = campaignOf([Array.isArray(moved) ? moved.filter(isJsonObject) : [], control]);
    const isIncluded = (id: string): boolean | undefined => menu.find((entry) => entry.id === id)?.included;
    expect([isIncluded('rollover'), isIncluded('rollover-beyond')]).toEqual([false, true]);
    const both = campaignOf([incident, control]);
    expect(both.menu.filter(({ id }) => id.startsWith('rollover')).some(({ included }) => included)).toBe(false);
  });
});
