/** What a harness writes beside its records, in the vocabulary of typed trial records: labels, numbers of its own, controls. */
import { describe, expect, it } from 'vitest';
import { toKillPoint } from './placement.ts';
import { change, labCheck, labControl, labReport, labTrial, type LabRecord } from './testing/lab-trial.ts';

const trial = labTrial();

describe('labels of a kill', () => {
  it.each([
    ['3', '3'],
    [4, '4'],
    ['kp3', '3'],
    ['KP 3', '3'],
    ['point 3', '3'],
    ['kill_point_3', '3'],
    ['at point 5', '5'],
    ['2_late', '2late'],
    ['kp2late', '2late'],
    ['Kill-Point 2-Late', '2late'],
    ['late', undefined],
    ['33', undefined],
    ['kp', undefined],
    [-3, undefined],
    ['-3', undefined],
    ['p6', undefined],
    ['after-commit', undefined],
  ])('R109 %j names point %s', (label, point) => {
    expect(toKillPoint(label)).toBe(point);
  });

  it('R109 are the point itself however they are spelt, and a wrong one is found', async () => {
    expect(await labReport({ a: labTrial('kp3') })).toMatchObject({
      validity: 'valid',
      placements: [{ claimed: '3' }],
    });
    const wrong = await labReport({ a: labTrial('kp4') });
    expect(wrong).toMatchObject({ validity: 'invalid', placements: [{ claimed: '4', verdict: 'contradicted' }] });
  });

  it('R109 of another vocabulary contradict nothing, and are told', async () => {
    const report = await labReport({ a: labTrial('after-commit') });
    expect(report).toMatchObject({
      validity: 'valid',
      placements: [{ claimed: undefined, point: '3', verdict: 'verified' }],
    });
    expect(report.placements[0]?.text).toMatch(
      /^Kill 1 is labelled "after-commit", which names no point that is known/,
    );
  });
});

/** Findings of the trial with these members in its last record. */
async function findingsWith(data: LabRecord['data']): Promise<readonly string[]> {
  const { findings, metrics } = await labReport({ a: change(trial, 'trial_finished', data) });
  expect(JSON.stringify(metrics)).not.toContain('130.5');
  return findings.map(({ code, text }) => `${code}: ${text}`);
}

describe('times that a harness computed', () => {
  it.each([
    ['"metrics.time_to_recover"', { metrics: { time_to_recover: 130.5 } }],
    ['"recovery" ("metrics.0.value")', { metrics: [{ name: 'recovery', value: 130.5, unit: 'ms' }] }],
    ['"restart" ("metrics.0.value")', { metrics: [{ metric: 'restart', value: 130.5, unit: 'milliseconds' }] }],
    ['"recovery_time_ms" ("value")', { metric: 'recovery_time_ms', value: 130.5 }],
    ['"recovery_time_ms" ("recovery_time_ms.median")', { recovery_time_ms: { median: 130.5 } }],
    ['"recovery_times_ms" ("recovery_times_ms.0")', { recovery_times_ms: [130.5] }],
    ['"recoveryMs"', { recoveryMs: 130.5 }],
    ['"timeToRecover"', { timeToRecover: 130.5 }],
    ['"mttr"', { summary: { mttr: 130.5 } }, '"summary.mttr"'],
    ['"downtime"', { downtime: '130.5 ms' }],
    ['"recovery_seconds"', { recovery_seconds: 130.5 }],
  ])('R96 %s without two records is told as a number, and is no measurement', async (called, data, path = called) => {
    const findings = await findingsWith(data);
    expect(findings).toHaveLength(1);
    expect(findings[0]).toContain(`unanchored-number: ${path} of trial.finished is 130.5`);
    expect(findings[0]).toContain('names no start and end record');
  });

  it('R96 in a record of its own', async () => {
    const last: LabRecord = {
      ...trial.at(-1),
      type: 'metric_recorded',
      data: { metric: 'recovery_time_ms', value: 9 },
    };
    const { findings } = await labReport({ a: [...trial, { ...last, eid: 'harness.i.h:99', seq: 99 }] });
    expect(findings).toMatchObject([{ code: 'unanchored-number', events: ['harness.i.h:99'] }]);
  });

  it('R96 with two records is computed again, in its own unit', async () => {
    const ends = { start: 'harness.i.h:3', end: 'worker.i.b:0' };
    const right = { name: 'recovery', ...ends };
    expect(await findingsWith({ metrics: [{ ...right, value: 40, unit: 'ms' }] })).toEqual([
      expect.stringMatching(/^anchors-disagree: .* stand \d+ ms apart/),
    ]);
    for (const told of [
      { metrics: [{ ...right, value: 9, unit: 'ms' }] },
      { metrics: [{ ...right, value: 0.009, unit: 's' }] },
      { recovery_ns: 9e6, anchors: [ends.start, ends.end] },
      { recovery_ms: 9, from: ends.start, to: ends.end },
      { recovery_ms: { min: 9, ...ends } },
    ])
      expect(await findingsWith(told), JSON.stringify(told)).toEqual([]);
  });

  it('R96 numbers that are no times, and settings, are none', async () => {
    expect(
      await findingsWith({
        repeats: 3,
        timeout_ms: 500,
        metrics: [{ name: 'calls', value: 2 }],
        seed: '12',
        s: 1,
        retries: { min: 1, max: 3 },
      }),
    ).toEqual([]);
  });
});

describe('the control of a trial', () => {
  const control = labControl();

  async function controlWith(type: string, data: LabRecord['data'], records = trial) {
    return (await labReport({ a: records, b: change(control, type, data) })).control;
  }

  it('R91 is compared where it was started with the same settings, apart from what every trial has for itself', async () => {
    expect(await controlWith('run_started', {})).toMatchObject({ status: 'compared', differences: [] });
    const own = { IDEM: '1', PG_URL: 'postgres://x/lab_2', WORKER_PORT: '2', KILL_POINT: 'none', WORKER_BOOT: 'z' };
    expect(await controlWith('trial_started', { env: own })).toMatchObject({ status: 'compared' });
  });

  it.each([
    ['another variable', 'trial_started', { env: { IDEM: '0' } }, 'env.IDEM'],
    ['a variable more', 'trial_started', { env: { IDEM: '1', RETRY: '1' } }, 'env.RETRY'],
    ['another argument', 'trial_started', { args: ['w.mjs', '--fast'] }, 'args'],
    [
      'other code after a restart',
      'trial_envelope',
      { envelope: { ...envelopeOf(control), restart_code: 'v2' } },
      'restart_code',
    ],
  ])('R91 is refused with %s, which is named', async (_, type, data, field) => {
    const found = await controlWith(type, data);
    expect(found).toMatchObject({ status: 'refused', differences: [{ field }] });
    expect(found.text).toContain(field);
  });

  it('R91 R120 other code after the restart is the fault itself where the trial is one with a redeployment', async () => {
    const redeployed = change(
      change(trial, 'trial_envelope', { envelope: { ...envelopeOf(control), restart_code: 'v2' } }),
      'worker_spawned',
      { code_version: 'v2' },
      1,
    );
    expect(await controlWith('run_started', {}, redeployed)).toMatchObject({ status: 'compared' });
  });

  it('R110 a fault in it is one', async () => {
    const report = await labReport({ a: trial, b: change(control, 'trial_started', { kill_points: ['3'] }) });
    expect(labCheck(report, 'faults-happened')?.status).toBe('holds');
    expect(report.control.status).toBe('absent');
  });
});

function envelopeOf(records: readonly LabRecord[]): object {
  const envelope = records.find(({ type }) => type === 'trial_envelope')?.data['envelope'];
  return typeof envelope === 'object' && envelope !== null ? envelope : {};
}
