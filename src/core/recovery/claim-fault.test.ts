/** Whom a claim is about: shipped trials, all killed at a boundary, and claims of other faults. */
import { describe, expect, it } from 'vitest';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import { parseClaim } from './claim-text.ts';
import { analyseRecovery } from './index.ts';
import type { RecoveryReport } from './report.ts';
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
