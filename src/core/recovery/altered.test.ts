/** Shipped trials, each altered on purpose in one thing: what is wrong is found in the records (real runs, real kills). */
import { describe, expect, it } from 'vitest';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import { createEventCounter } from './claim-events.ts';
import { parseClaim } from './claim-schema.ts';
import { judgeClaim } from './claims.ts';
import { groupTraces } from './group.ts';
import { computeMenu } from './menu.ts';
import { analyseCampaigns, analyseRecovery, type RecoveryOptions } from './index.ts';
import type { CampaignReport, Check, TrialReport } from './report.ts';
import { alter, readSample, toTrace } from './testing/opened-trials.ts';
import { createTrialRecords, type TrialRecords } from './trial-records.ts';

const incident = readSample('ticket-incident');
const control = readSample('clean-control');
const keyed = readSample('ticket-with-key');
const otherRun = '0123456789abcdef0123456789abcdef';

function campaignOf(files: readonly (readonly JsonObject[])[], options: RecoveryOptions = {}): CampaignReport {
  const [campaign] = analyseCampaigns(
    files.map((records, i) => toTrace(`file-${i}`, records)),
    options,
  );
  if (campaign === undefined) throw new Error('no campaign');
  return campaign;
}

function trialOf(records: readonly JsonObject[], ...others: readonly (readonly JsonObject[])[]): TrialReport {
  const found = campaignOf([records, ...others]).trials.find(({ traces }) => traces.includes('file-0'));
  if (found === undefined) throw new Error('no trial');
  return found;
}

/** A member that is an object; empty where it is none. */
function objectIn(object: JsonObject, key: string): JsonObject {
  const value = object[key];
  return isJsonObject(value) ? value : {};
}

function textIn(object: JsonObject, key: string): string {
  const value = object[key];
  return typeof value === 'string' ? value : '';
}

function checkOf({ checks }: TrialReport, id: string): Check | undefined {
  return checks.find((check) => check.id === id);
}

function recordsOf(records: readonly JsonObject[]): TrialRecords {
  const [input] = groupTraces([toTrace('file-0', records)]).trials;
  if (input === undefined) throw new Error('no trial');
  return createTrialRecords(input);
}

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

  it('R89 the statement speaks of what was tried and of nothing else', () => {
    const [strategy] = campaignOf([incident, control]).strategies;
    expect(strategy?.statement).toMatch(
      /^In 1 valid trial of journal, without idempotency key, "support case.*SIGKILL at point 3 \(committed, not acknowledged\) of/,
    );
    expect(strategy?.statement).toMatch(/executed twice in 1 of 1/);
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
    const silent = [incident, control, keyed].map((records) => records.filter((record) => !told.has(record['type'])));
    expect(campaignOf(silent)).toEqual(campaignOf([incident, control, keyed]));
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
    expect(checkOf(trialOf(declared), 'no-leaked-state')?.status).toBe('violated');
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
    const stopped = incident.filter((record) => record['type'] !== 'run.completed');
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

describe('what the ledger does not have', () => {
  const path = '/write:tickets.create#0';
  const isOfWrite = (record: JsonObject): boolean => objectIn(record, 'command')['path'] === path;
  const asked = incident.find((record) => isOfWrite(record) && record['type'] === 'tool_call.dispatched') ?? {};
  const isFirstLife = (record: JsonObject): boolean =>
    JSON.stringify(objectIn(record, 'source')) === JSON.stringify(objectIn(asked, 'source'));
  /** Killed when the service held the request, which it dropped; the later life completes without asking again. */
  const unmade = (['fault.injected', 'fault.armed'] as const)
    .reduce<readonly JsonObject[]>((list, type) => alter(list, type, () => ({ kill_point: '2' })), incident)
    .filter((record) => !isOfWrite(record) || (record['type'] === 'tool_call.dispatched' && isFirstLife(record)))
    .filter(
      (record) => !['effect.committed', 'duplicate.detected'].includes(textIn(record, 'type')) || !isAbout(record),
    )
    .map((record): JsonObject =>
      record['type'] === 'trial.started'
        ? { ...record, data: { ...objectIn(record, 'data'), cell: { effect: path, points: ['2'] } } }
        : record,
    );

  function isAbout(record: JsonObject): boolean {
    return /"842[12]"/.test(JSON.stringify(record));
  }

  it('R95 R100 an effect that was asked for, never answered and is not in the ledger is lost when the run completes', () => {
    const campaign = campaignOf([unmade]);
    const [trial] = campaign.trials;
    expect([trial?.validity, trial?.placements[0]?.point, trial?.outcome.completed]).toEqual(['valid', '2', true]);
    expect([trial?.outcome.duplicates, trial?.outcome.losses]).toEqual([0, 1]);
    expect(trial?.invariants.find(({ id }) => id === 'no-missing-effect')).toMatchObject({ verdict: 'violated' });
    expect(campaign.strategies[0]?.statement).toContain('missing in 1 of 1;');
    expect(campaign.strategies[0]?.grid.find(({ effect, point }) => effect === path && point === '2')).toMatchObject({
      withLosses: 1,
    });
  });

  it('R95 an answer by which the program knows that nothing was made is no loss, and a run that goes on has lost nothing yet', () => {
    const told = { ...asked, id: 'told', seq: 1000, type: 'tool_call.failed', data: { executed: false } };
    const answered = { ...told, causes: [{ event: asked['id'] ?? '', as: 'result_of' }] };
    expect(trialOf([...unmade, answered]).outcome.losses).toBe(0);
    expect(trialOf(unmade.filter(({ type }) => type !== 'run.completed')).outcome).toMatchObject({
      losses: 0,
      pending: [path],
    });
  });

  it('R95 is not known where a later life executed the same tool under another path: commands may be numbered anew', () => {
    const later = incident
      .filter((record) => isOfWrite(record) && !isFirstLife(record) && textIn(record, 'id').startsWith('worker-2'))
      .map((record): JsonObject => ({
        ...record,
        command: { ...objectIn(record, 'command'), path: '/write:tickets.create#7' },
      }));
    const dispatched = later.find(({ type }) => type === 'tool_call.dispatched') ?? {};
    const commit = incident.find((record) => record['type'] === 'effect.committed' && isAbout(record)) ?? {};
    const made = {
      ...commit,
      id: 'made',
      seq: 1000,
      command: objectIn(dispatched, 'command'),
      causes: [{ event: textIn(dispatched, 'id'), as: 'result_of' }],
    };
    const { outcome, invariants } = trialOf([...unmade, dispatched, made]);
    expect([outcome.duplicates, outcome.losses]).toEqual([0, undefined]);
    expect(invariants.find(({ id }) => id === 'no-missing-effect')).toMatchObject({
      verdict: 'not checked',
      reason: expect.stringContaining('/write:tickets.create#7 executed the same tool later'),
    });
  });
});

describe('control, negative control, claims of producers', () => {
  it('R91 refuses a control of another configuration and names the difference; the trial stays valid', () => {
    const other = alter(control, 'trial.started', (data) => ({
      envelope: { ...objectIn(data, 'envelope'), retry_policy: 'none' },
    }));
    const trial = trialOf(incident, other);
    expect(trial.control).toMatchObject({ status: 'refused', differences: [{ field: 'retry_policy' }] });
    expect(trial.validity).toBe('valid');
    expect(trial.invariants.find(({ id }) => id === 'output-equals-control')?.verdict).toBe('not checked');
    expect(trialOf(incident, control).control.status).toBe('compared');
    expect(trialOf(incident).control.status).toBe('absent');
  });

  it('R115 a naive control that passes after a commitment makes the campaign suspect, with the three causes', () => {
    const passing = alter(keyed, 'trial.started', () => ({ arm: 'negative-control' }));
    const campaign = campaignOf([passing, incident, control]);
    expect(campaign).toMatchObject({
      suspect: true,
      negativeControl: { status: 'passes', passing: [{ points: ['3'] }] },
    });
    expect(campaign.negativeControl.causes).toHaveLength(3);
    const failing = campaignOf([alter(incident, 'trial.started', () => ({ arm: 'negative-control' })), control]);
    expect(failing).toMatchObject({ suspect: false, negativeControl: { status: 'fails as it must' } });
    expect(campaignOf([incident, control]).negativeControl.status).toBe('absent');
  });

  it('R115 is judged by the effect that was struck: that another was executed twice does not count for it', () => {
    const made = incident.filter(({ type }) => type === 'effect.committed');
    const isSecond = (record: JsonObject): boolean => JSON.stringify(record).includes('"8422"');
    const mail = made.find((record) => objectIn(record, 'command')['path'] === '/write:mail.send#0') ?? {};
    const twice = { ...mail, id: 'mail-again', seq: 1000, data: { effect: { kind: 'mail.send', id: 'again' } } };
    const records = [...incident.filter((record) => record['type'] !== 'effect.committed' || !isSecond(record)), twice];
    const campaign = campaignOf([alter(records, 'trial.started', () => ({ arm: 'negative-control' }))]);
    expect(campaign.trials[0]?.outcome.duplicates).toBe(1);
    expect(campaign).toMatchObject({ suspect: true, negativeControl: { status: 'passes' } });
    expect(campaign.negativeControl.text).toContain('/write:tickets.create#0 was not executed again');
  });

  it.each([
    ['Naive', 'fails as it must'],
    ['naive-restart', 'fails as it must'],
    ['naive_nokey', 'fails as it must'],
    ['NaiveRestart', 'fails as it must'],
    ['naive-idem', 'absent'],
    ['naive key', 'absent'],
    ['journal', 'absent'],
  ])('R115 the name %s of an engine: the control that must fail %s', (engine, status) => {
    const records = alter(incident, 'trial.started', (data) => ({
      arm: null,
      cell: null,
      engine,
      envelope: { ...objectIn(data, 'envelope'), idempotency_key: false },
    })).map((record) => {
      const data = Object.entries(objectIn(record, 'data')).filter(([, value]) => value !== null);
      return record['type'] === 'trial.started' ? { ...record, data: Object.fromEntries(data) } : record;
    });
    const { negativeControl } = campaignOf([records]);
    expect(negativeControl.status).toBe(status);
    expect(negativeControl.text).not.toContain('looks like one');
  });

  it('R115 a name that is like that of a naive engine is told, and declares nothing', () => {
    const records = alter(incident, 'trial.started', () => ({ cell: { strategy: 'baseline' } }));
    const { negativeControl, suspect } = campaignOf([records]);
    expect([negativeControl.status, suspect]).toEqual(['absent', false]);
    expect(negativeControl.text).toContain('"baseline" looks like one');
  });

  it('R96 a number without two records is found and stands nowhere as a measurement', () => {
    const bare = alter(incident, 'trial.finished', () => ({ recovery_ms: 120 }));
    const trial = trialOf(bare);
    expect(trial.findings).toMatchObject([
      { code: 'unanchored-number', text: expect.stringContaining('"recovery_ms"') },
    ]);
    expect(JSON.stringify(trial.metrics)).not.toContain('120');
    const wrong = alter(incident, 'trial.finished', () => ({
      recovery: { total_ms: 120, start: 'harness-1:4', end: 'worker-2:57' },
    }));
    expect(trialOf(wrong).findings.map(({ code }) => code)).toEqual(['anchors-disagree']);
  });

  it('verdicts of producers are compared and told', () => {
    const boast = alter(
      alter(incident, 'trial.finished', () => ({ completed: false, duplicates: 0 })),
      'invariant.checked',
      () => ({ verdict: 'holds' }),
    );
    expect(trialOf(boast).findings.map(({ text }) => text)).toEqual([
      expect.stringContaining('"one-ticket-per-case" is holds'),
      expect.stringContaining('completed: false; the records say true'),
      expect.stringContaining('duplicates: 0; the records say 1'),
    ]);
    expect(trialOf(boast).outcome).toMatchObject({ completed: true, duplicates: 1 });
  });

  it('R103 a kill with another number than its place keeps its place', () => {
    const trial = trialOf(alter(incident, 'fault.injected', () => ({ ordinal: 4 })));
    expect(trial.placements[0]).toMatchObject({ ordinal: 1, recordedOrdinal: 4 });
    expect(trial.findings.map(({ code }) => code)).toEqual(['ordinal-contradicted']);
  });

  it('R112 a random kill does not count as one placed on purpose', () => {
    const random = alter(incident, 'trial.started', () => ({ design: 'random' }));
    const [strategy] = campaignOf([random, control]).strategies;
    const cell = strategy?.grid.find(({ effect, point }) => effect === '/write:tickets.create#0' && point === '3');
    expect(cell).toMatchObject({ fixed: [], random: [expect.any(String)] });
    expect(strategy?.uncovered).toHaveLength(12);
  });

  it('R129 R132 names what the envelope lacks and what has changed since', () => {
    const poor = alter(incident, 'trial.started', (data) => {
      const { topology: _topology, input_rate: _rate, ...rest } = objectIn(data, 'envelope');
      return { envelope: { ...rest, metrics: {} } };
    });
    const trial = trialOf(poor);
    expect(trial.envelope.missing).toEqual(['topology', 'input rate', 'definition of the metrics']);
    expect(trial.validity).toBe('valid');
    const { strategies } = campaignOf([incident], { present: { persistence: 'batched', topology: 'two hosts' } });
    expect(strategies[0]?.stale.map(({ field }) => field)).toEqual(['persistence']);
    expect(strategies[0]?.staleText).toMatch(/^Stale: persistence/);
  });

  it('tells of runs that belong to no trial', () => {
    const { campaigns, unmatched } = analyseRecovery([toTrace('warranty', readSample('wrong-observation'))]);
    expect(campaigns).toEqual([]);
    expect(unmatched).toMatchObject([{ trace: 'warranty' }]);
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

describe('claims', () => {
  const nothing = { whyNot: () => undefined, count: () => ({ events: [], open: 0 }) };
  const base = { fault: { points: ['3'] }, protects: 'one ticket per case', continuation: 'the run completes' };

  function judge(clauses: readonly JsonObject[], more: JsonObject = {}): CampaignReport {
    const claim = parseClaim({ ...base, ...more, clauses });
    if (!claim.ok) throw new Error(claim.error);
    return campaignOf([incident, control, keyed], { claim: claim.value });
  }

  it('R87 a claim without one of its parts cannot be evaluated', () => {
    for (const part of ['fault', 'protects', 'continuation', 'clauses']) {
      const whole: JsonObject = { ...base, clauses: [{ id: 'a', text: 'a' }] };
      const rest = Object.fromEntries(Object.entries(whole).filter(([key]) => key !== part));
      const read = parseClaim(rest);
      expect(read.ok ? '' : read.error).toContain(`"${part}"`);
    }
  });

  it('judges each design by itself: one duplicates, the other does not', () => {
    const { claims } = judge([
      { id: 'once', text: 'no second ticket', metric: 'duplicates', predicate: '= 0' },
      { id: 'done', text: 'the run ends', event: { type: 'run.completed', after: 'fault' }, predicate: 'once' },
      { id: 'held', text: 'the key is stable', metric: 'no-missing-effect', predicate: 'holds' },
    ]);
    expect(claims.map(({ strategy, verdict }) => [strategy, verdict])).toEqual([
      ['journal, without idempotency key', 'failed'],
      ['journal, with idempotency key', 'holds in the tested trials'],
    ]);
    const [failed] = claims[0]?.clauses ?? [];
    expect(failed).toMatchObject({
      id: 'once',
      verdict: 'failed',
      trials: [{ holds: false, observed: 'duplicates 1' }],
    });
    expect(failed?.trials[0]?.events).toEqual(expect.arrayContaining(['ticket-service-1:1', 'ticket-service-1:4']));
  });

  it.each([
    ['bound to nothing', { id: 'x', text: 'it recovers gracefully' }, /no event and no metric/],
    ['no predicate', { id: 'x', text: 'x', metric: 'duplicates' }, /no predicate/],
    ['orchestration', { id: 'x', text: 'x', metric: 'orchestration', predicate: '< 500' }, /not a recovery/],
    ['explanatory', { id: 'x', text: 'x', metric: 'queueDepth', predicate: '< 5' }, /explains/],
    ['pooled', { id: 'x', text: 'x', metric: 'mean-completion', predicate: '< 5' }, /pools/],
    ['unknown', { id: 'x', text: 'x', metric: 'happiness', predicate: '> 5' }, /nothing called/],
    ['unmeasured', { id: 'x', text: 'x', metric: 'completion', predicate: '< 5' }, /not measured/],
    ['nonsense', { id: 'x', text: 'x', metric: 'duplicates', predicate: 'few' }, /predicate/],
    ['a verdict of the producer', { id: 'x', text: 'x', event: 'trial.finished', predicate: 'once' }, /verdict/],
    ['its name in a stream', { id: 'x', text: 'x', event: 'effect_duplicate_detected', predicate: 'never' }, /verdict/],
    [
      'a misspelt type',
      { id: 'x', text: 'x', event: 'tool_call.dispatchedd', predicate: 'never' },
      /no type of record/,
    ],
    ['a type of nobody', { id: 'x', text: 'x', event: { type: 'foo.bar' }, predicate: 'never' }, /no type of record/],
  ])('R88 R97 R99 %s is not testable, and never passed', (_name, clause, reason) => {
    const { claims } = judge([clause]);
    for (const { verdict, clauses } of claims) {
      expect(verdict).toBe('not established');
      expect(clauses[0]?.verdict).toBe('not testable');
      expect(clauses[0]?.reason).toMatch(reason);
    }
    expect(claims).toHaveLength(2);
  });

  it('R88 counts records by the names that streams give them, and by types that these records alone have', () => {
    const clause = (event: string, predicate: JsonValue): JsonObject => ({ id: event, text: 'x', event, predicate });
    const own = [...incident, { ...(incident.at(-1) ?? {}), id: 'own', seq: 999, type: 'foo.bar', data: {} }];
    const claim = parseClaim({
      ...base,
      clauses: [
        clause('effect_committed', 'never'),
        clause('effect.committed', 'never'),
        clause('run_completed', 'once'),
        clause('kill_point_reached', 'once'),
        clause('kill_point_escaped', 'never'),
        clause('foo.bar', 'once'),
      ],
    });
    if (!claim.ok) throw new Error(claim.error);
    const [verdict] = campaignOf([own], { claim: claim.value }).claims;
    expect(verdict?.clauses.map((one) => one.verdict)).toEqual([
      'failed',
      'failed',
      'holds',
      'holds',
      'holds',
      'holds',
    ]);
  });

  it('R31 R88 that no effect was committed is not known where its service has no records', () => {
    const blind = alter(
      incident.filter((record) => !textIn(record, 'type').startsWith('effect.')),
      'stream.declared',
      () => ({ producers: [] }),
    );
    const clauses = [{ id: 'x', text: 'x', event: 'effect.committed', predicate: 'never' }];
    const claim = parseClaim({ ...base, fault: 'any', clauses });
    if (!claim.ok) throw new Error(claim.error);
    const trial = { ...trialOf(blind), validity: 'valid' as const };
    const counter = createEventCounter(new Map([[trial.id, recordsOf(blind)]]));
    expect(judgeClaim(claim.value, { name: 'one' }, [trial], counter).verdict).toBe('not established');
  });

  it('R88 records of which no one says whether they came after the fault decide nothing', () => {
    const clause = { id: 'x', text: 'x', event: { type: 'run.failed', after: 'fault' }, predicate: 'never' };
    const claim = parseClaim({ ...base, clauses: [clause] });
    if (!claim.ok) throw new Error(claim.error);
    const unordered = { whyNot: () => undefined, count: () => ({ events: [], open: 1 }) };
    const [judged] = judgeClaim(claim.value, { name: 'one' }, [trialOf(incident)], unordered).clauses;
    expect(judged).toMatchObject({ verdict: 'not testable', trials: [{ holds: undefined }] });
  });

  it('R88 points and predicates are read as people and streams write them', () => {
    const read = (claim: JsonObject): unknown => {
      const parsed = parseClaim({ ...base, clauses: [{ id: 'x', text: 'x' }], ...claim });
      return parsed.ok ? parsed.value : parsed.error;
    };
    expect(read({ fault: { points: ['2-late', '2_LATE', 3, '2late'] } })).toMatchObject({
      fault: { points: ['2late', '2late', '3', '2late'] },
    });
    expect(read({ fault: { points: ['6'] } })).toMatch(/must be one of 1, 2, 2late, 3, 4, 5/);
    expect(read({ clauses: [] })).toMatch(/"clauses" must have at least 1 item\. /);
    const zeros = [0, '0', '== 0', '= 0', { op: '==', value: 0 }, { op: '===', value: 0 }];
    const verdicts = zeros.flatMap((predicate, i) =>
      judge([{ id: `c${String(i)}`, text: 'x', metric: 'duplicates', predicate }]).claims.map(({ verdict }) => verdict),
    );
    expect(verdicts).toEqual(zeros.flatMap(() => ['failed', 'holds in the tested trials']));
  });

  it('a claim that concerns nothing says so, and names what there is', () => {
    const { claims, claimNote } = judge([{ id: 'x', text: 'x', metric: 'duplicates', predicate: 0 }], {
      strategy: 'another design',
    });
    expect(claims).toEqual([]);
    expect(claimNote).toMatch(/concerns nothing.*"another design"; there are "journal, without idempotency key",/);
    const claim = parseClaim({ ...base, clauses: [{ id: 'x', text: 'x' }] });
    if (!claim.ok) throw new Error(claim.error);
    expect(analyseRecovery([toTrace('control', control)], { claim: claim.value }).claimNote).toMatch(/no trial with a/);
    expect(analyseRecovery([], { claim: claim.value }).claimNote).toMatch(/no trial among these files/);
    expect(judge([{ id: 'x', text: 'x' }]).claimNote).toBeUndefined();
  });

  it.each(['holds', '= 1', '>= 1', '!= false', '= TRUE', '> 0'])(
    'R88 an invariant that holds meets the predicate %s, and not its opposite',
    (predicate) => {
      const clause = { id: 'x', text: 'x', metric: 'no-missing-effect' };
      const [claim] = judge([
        { ...clause, predicate },
        { ...clause, id: 'y', predicate: '< 1' },
      ]).claims;
      expect(claim?.clauses.map(({ trials }) => trials.map(({ holds }) => holds))).toEqual([[true], [false]]);
    },
  );

  it('R88 a time that one of the kills never came to is not established; one that came too late fails all the same', () => {
    const trial = trialOf(incident);
    const known = trial.metrics.find(({ id }) => id === 'first-dispatch');
    if (known === undefined) throw new Error('the trial says nothing of its first dispatch');
    // Clocks of samples are made alike, so the time is put in; the anchors are those of the trial.
    const measured = { ...known, ordinal: 1, ms: 400, end: known.start, whyNot: undefined };
    const never = { ...known, ordinal: 2, ms: undefined, end: undefined, whyNot: 'no worker came after it' };
    const twice = { ...trial, metrics: [measured, never] };
    const verdictOf = (limit: number): JsonValue => {
      const clauses = [{ id: 't', text: 't', metric: measured.id, predicate: `<= ${String(limit)}` }];
      const claim = parseClaim({ ...base, clauses });
      if (!claim.ok) throw new Error(claim.error);
      const [clause] = judgeClaim(claim.value, { name: 'one' }, [twice], nothing).clauses;
      return {
        verdict: clause?.verdict ?? '',
        told: clause?.trials[0]?.observed.includes('no worker came after it') ?? false,
      };
    };
    expect(verdictOf(measured.ms)).toEqual({ verdict: 'not testable', told: true });
    expect(verdictOf(measured.ms - 1)).toEqual({ verdict: 'failed', told: false });
  });

  it('is about what was struck: another point has no trial', () => {
    const { claims } = judge([{ id: 'once', text: 'x', metric: 'duplicates', predicate: '= 0' }], {
      fault: { points: ['5'] },
    });
    expect(claims.map(({ clauses }) => clauses[0]?.reason)).toEqual([
      'no valid trial of this fault',
      'no valid trial of this fault',
    ]);
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

  it('R114 a declared difference of the deployed program hands nothing over', () => {
    const trial = trialOf(
      alter(incident, 'worker.spawned', (data) => ({
        environment: { ...objectIn(data, 'environment'), differences: ['the deployed program'] },
      })),
    );
    expect(checkOf(trial, 'no-leaked-state')?.status).toBe('holds');
  });

  it('R118 a fault of another class ends no life, has no boundary, is named in the statement and in the menu', () => {
    const records = alter(incident, 'fault.injected', () => ({ class: 'call-late' })).map((record) => {
      const data = objectIn(record, 'data');
      const rest = Object.fromEntries(Object.entries(data).filter(([key]) => key !== 'signal' && key !== 'kill_point'));
      return record['type'] === 'fault.injected' ? { ...record, data: rest } : record;
    });
    const { trials, strategies, menu } = campaignOf([records, control]);
    expect([trials[0]?.placements.length, trials[0]?.faults.map((fault) => fault.class)]).toEqual([0, ['call-late']]);
    expect(strategies[0]?.statement).toContain('with call-late at no named boundary');
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
