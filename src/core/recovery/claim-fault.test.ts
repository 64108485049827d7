/** Whom a claim is about: shipped trials, all killed at a boundary, and claims of other faults. */
import { describe, expect, it } from 'vitest';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import { trialsOfFault } from './claim-fault.ts';
import { parseClaim } from './claim-text.ts';
import { analyseRecovery } from './index.ts';
import type { RecoveryReport, TrialReport } from './report.ts';
import { objectIn, textIn } from './testing/altered-trials.ts';
import { alter, readSample, toTrace } from './testing/opened-trials.ts';

const names = ['journal-control', 'journal-kill-3', 'journal-kill-5', 'journal-key-kill-3', 'journal-key-five-kills-4'];
const samples = names.map((name) => readSample(`campaign/one-ticket-${name}`));
const noDuplicates = { id: 'once', text: 'once', metric: 'duplicates', predicate: '= 0' };

function judge(fault: JsonValue, more: JsonObject = {}, files: readonly (readonly JsonObject[])[] = samples) {
  const whole = { protects: 'one ticket', continuation: 'completes', clauses: [noDuplicates], ...more };
  const claim = parseClaim({ ...whole, fault });
  if (!claim.ok) throw new Error(claim.error);
  return analyseRecovery(
    files.map((records, i) => toTrace(`file-${String(i)}`, records)),
    { claim: claim.value },
  );
}

function verdictsOf({ campaigns }: RecoveryReport): readonly string[] {
  return campaigns.flatMap(({ claims }) => claims.map(({ text }) => text));
}

describe('the fault of a claim', () => {
  it.each([
    'network partition between worker and service',
    'power loss of the host',
    'SIGTERM of the worker',
    'two workers alive at once (stale lease)',
    'slow storage',
    'redeploy with patched code',
    'expired credential',
    'kill while the result is written',
    'kill of the database',
    'kill at point 2late',
    'any network partition',
    'Every loss of the database',
    'all host power failures',
    'any fault other than a kill',
    'each kill of the database',
    'the database crashes',
    'kill at points 1 or 2',
    'process-kill at point 1',
    'kill of a process at a boundary, point 2late',
    'kill at 5 seconds after the start',
    'kill at point 7',
    'kill at the third boundary',
    'kill except at point 3',
    'The worker is killed by signal 15',
    'process-kill by SIGUSR1',
    'kill -TERM of the worker',
    'no kill at all',
    'The worker is not killed',
    'random kills',
    'kill of the worker at a random moment',
    'the worker is killed twice in one run',
    { class: 'process-kill at point 1' },
    { class: 'network-partition' },
    { class: 'redeploy' },
    { class: 'call-late' },
  ])('R87 R89 that nobody tried, %j, is held by no trial', (fault) => {
    const report = judge(fault);
    expect(verdictsOf(report)).toEqual([]);
    expect(report.claimNote).toContain('The claim concerns nothing that was tried here: no trial has the fault');
    expect(report.claimNote).toContain('there are trials of process-kill');
  });

  it.each([
    'SIGKILL of the worker',
    'kill of a process at a boundary',
    'the worker crashes',
    'any',
    'Any injected fault',
    'all faults',
    'every kill of the worker',
    'kill of any process',
    'kill of each worker',
    'SIGKILL of a random worker',
    'The worker is killed by signal 9',
    'SIGKILL of the worker (signal 9)',
    'kill -9 of the worker',
    'SIGKILL, not SIGTERM, of the worker',
    'kill at points 3, 4 and 5',
    'kill at points 3 to 5',
    { class: 'process-kill' },
    {},
  ])('R87 that was tried, %j, is judged by the trials of it', (fault) => {
    expect(verdictsOf(judge(fault))).toEqual([
      'failed (2 valid trials): once',
      'holds in the tested trials (2 valid trials)',
    ]);
  });

  it('R89 R106 a verdict names the boundaries that were struck, in their order, and those that were not', () => {
    const [first] = judge('SIGKILL of the worker').campaigns.flatMap(({ claims }) => claims);
    expect(first?.scope).toMatch(
      /^Struck at 3 \(.*\), 5 \(.*\); at 1 \(.*\), 2 \(.*\), 2 late \(.*\), 4 \(.*\) by no trial/,
    );
    const [campaign] = judge('any', {}, [samples[2] ?? [], samples[1] ?? []]).campaigns;
    expect(campaign?.strategies[0]?.statement).toMatch(/at point 3 \(.*\), 5 \(/);
  });

  it('R87 may name a point, and several kills in one run', () => {
    expect(verdictsOf(judge('kill at point 5'))).toEqual([
      'holds in the tested trials (1 valid trial)',
      'not established (0 valid trials): not testable: once',
    ]);
    for (const fault of ['process-kill at point 5', 'kill of a process at a boundary, point 5', 'any fault at point 5'])
      expect(verdictsOf(judge(fault)), fault).toEqual(verdictsOf(judge('kill at point 5')));
    for (const fault of ['kill at points 4', 'kills at boundary 1, 2 or 4', 'kill at point 4, five times'])
      expect(verdictsOf(judge(fault)), fault).toEqual(verdictsOf(judge('kill at point 4')));
    for (const fault of [
      'kill at point 3 or 5',
      'kill at boundaries 3 and 5',
      'SIGKILL at points 3/5',
      'at point 3 or point 5 a kill',
    ])
      expect(verdictsOf(judge(fault)), fault).toEqual([
        'failed (2 valid trials): once',
        'holds in the tested trials (1 valid trial)',
      ]);
    expect(verdictsOf(judge('five kills in one run'))[1]).toBe('holds in the tested trials (1 valid trial)');
    expect(verdictsOf(judge('several kills in one run'))[1]).toBe('holds in the tested trials (1 valid trial)');
  });

  it('R103 a clause about the fifth kill is asked of the runs that have one', () => {
    const streams = samples.map((records) =>
      records.map((record) => (record['type'] === 'stream.declared' ? { ...record, data: {} } : record)),
    );
    const fifth = (value: number): JsonObject => ({
      strategy: 'journal, with idempotency key',
      clauses: [{ ...noDuplicates, metric: 'state-transition', predicate: { op: '<=', value, ordinal: 5 } }],
    });
    for (const fault of ['SIGKILL of the worker', { class: 'process-kill', repeated: true }]) {
      const [first] = judge(fault, fifth(1e9), streams).campaigns;
      expect(first?.claims[0]?.clauses[0]).toMatchObject({ verdict: 'holds', reason: 'holds in 1 of 1' });
      expect(judge(fault, fifth(0), streams).campaigns[0]?.claims[0]?.verdict).toBe('failed');
    }
  });

  it('R87 of another class than a kill is judged by the trials of that class, and by no others', () => {
    const [control, ...others] = samples;
    const called = alter(control ?? [], 'trial.started', () => ({ arm: 'faulted', trial: 'called', cell: {} })).map(
      (record) =>
        JSON.parse(JSON.stringify(record).replaceAll(textIn(control?.[1] ?? {}, 'run'), 'c'.repeat(32))) as unknown,
    );
    const records = called.filter(isJsonObject);
    const started = records.find(({ type }) => type === 'trial.started') ?? {};
    const injected = {
      ...started,
      id: 'x',
      seq: 900,
      type: 'fault.injected',
      causes: [],
      data: { class: 'call-late' },
    };
    const late = judge({ class: 'call-late' }, {}, [...others, [...records, injected]]);
    expect(verdictsOf(late)[0]).toContain('(1 valid trial)');
    expect(verdictsOf(judge({ class: 'process-kill' }, {}, [...others, [...records, injected]]))[0]).toContain(
      '(2 valid trials)',
    );
  });
});

describe('the words of a fault', () => {
  const trials = judge('any').campaigns.flatMap((campaign) => campaign.trials);
  const faulted = trials.filter(({ arm }) => arm === 'faulted').map(({ id }) => id);
  const ofFault = (fault: string, among: readonly TrialReport[]): readonly string[] =>
    trialsOfFault({ fault, protects: '', continuation: '', clauses: [] }, among, []).map(({ id }) => id);

  it('R87 a kill at random is judged by the trials that were killed at random', () => {
    const among = trials.map((trial) => (trial.id === faulted[1] ? { ...trial, design: 'random' as const } : trial));
    for (const fault of ['random kills', 'kills of the worker at random', 'a kill at a random time'])
      expect(ofFault(fault, among), fault).toEqual([faulted[1]]);
    expect(ofFault('SIGKILL of a random worker', among)).toEqual(faulted);
  });

  it('R87 another fault without a kill, with one, and by its name alone, are judged each by their trials', () => {
    const faults = [{ class: 'clock-jump', event: 'x', refused: [] }];
    const among = trials.map((trial) => {
      if (trial.id === faulted[1]) return { ...trial, faults };
      return trial.id === faulted[2] ? { ...trial, faults, placements: [] } : trial;
    });
    expect(ofFault('clock-jump', among)).toEqual([faulted[1], faulted[2]]);
    expect(ofFault('a clock jump without a kill', among)).toEqual([faulted[2]]);
    expect(ofFault('a clock jump and then a kill of the worker', among)).toEqual([faulted[1]]);
    expect(ofFault('no clock jump', among)).toEqual([]);
    // A class is named by its own words, whatever they say of an end.
    const crash = among.map((trial) => ({
      ...trial,
      faults: trial.faults.map((one) => ({ ...one, class: 'database-crash' })),
    }));
    expect(ofFault('crash of the database', crash)).toEqual([]);
    expect(ofFault('a database crash', crash)).toEqual([faulted[1], faulted[2]]);
  });
});

describe('what a trial is called', () => {
  it('R115 that some trials of a design are called the control that must fail hides no failure of it', () => {
    const files = samples.map((records) => {
      const { cell } = objectIn(records.find(({ type }) => type === 'trial.started') ?? {}, 'data');
      const isHidden = JSON.stringify(cell ?? null).includes('"3"') && JSON.stringify(cell ?? null).includes('without');
      return isHidden ? alter(records, 'trial.started', () => ({ arm: 'negative-control' })) : records;
    });
    expect(files).not.toEqual(samples);
    const report = judge('SIGKILL of the worker', {}, files);
    expect(verdictsOf(report)[0]).toBe('failed (2 valid trials): once');
    const named = judge('SIGKILL of the worker', { strategy: 'journal, without idempotency key' }, files);
    expect(verdictsOf(named)).toEqual(['failed (2 valid trials): once']);
    const findings = report.campaigns.flatMap(({ trials }) => trials.flatMap((trial) => trial.findings));
    expect(findings.map(({ text }) => text).join(' ')).toContain('calls this trial the control that must fail');
  });
});
