/** One trial in the vocabulary of typed trial records, altered in one thing, as harnesses write it and as somebody might cheat. */
import { describe, expect, it } from 'vitest';
import { change, labCheck, labReport, labTrial, type LabRecord } from './testing/lab-trial.ts';

const trial = labTrial();

describe('one record in two files', () => {
  const ofHarness = trial.filter(({ eid }) => String(eid).startsWith('harness'));
  const ofService = trial.filter(({ eid }) => String(eid).startsWith('ticket-service'));
  const overlaps: readonly (readonly [string, Readonly<Record<string, readonly LabRecord[]>>])[] = [
    ['the same file twice', { 'a.jsonl': trial, 'b.jsonl': trial }],
    ['the same records in another order', { 'a.jsonl': trial, 'b.jsonl': [...trial].reverse() }],
    ['a combined file and the stream of the service', { 'a.jsonl': trial, 'b.jsonl': ofService }],
    ['the stream of the service before it', { 'a.jsonl': ofService, 'b.jsonl': trial }],
    ['the stream of the harness before it', { 'a.jsonl': ofHarness, 'b.jsonl': trial }],
    ['a start without its envelope before it', { 'a.jsonl': trial.slice(0, 1), 'b.jsonl': trial }],
  ];

  it.each(overlaps)('R24 R68 %s: the trial is as it is alone', async (_, files) => {
    const alone = await labReport({ 'a.jsonl': trial });
    expect(alone).toMatchObject({ validity: 'valid', placements: [{ point: '3', verdict: 'verified' }] });
    const report = await labReport(files);
    expect({ ...report, traces: [] }).toEqual({ ...alone, traces: [] });
  });

  it.each([
    ['process_exited', { signal: 'SIGTERM' }],
    ['effect_committed', { effect: { kind: 't', id: '9' } }],
    ['worker_spawned', { env: { RESUME: '8' } }],
    ['trial_envelope', { envelope: { engine: 'other' } }],
  ])('R24 another %s under the id of one is told', async (type, data) => {
    const report = await labReport({ 'a.jsonl': trial, 'b.jsonl': change(trial, type, data) });
    expect(report.validity).toBe('not established');
    expect(labCheck(report, 'ids-distinct-1')?.text).toMatch(/^b\.jsonl: \d records? cannot be read/);
  });
});

/** How the first life and the second were started. */
async function startedWith(first: LabRecord['data'], second: LabRecord['data'], type = 'worker_spawned') {
  return labReport({ 'a.jsonl': change(change(trial, type, first, 0), type, second, 1) });
}

describe('what a restart may differ in', () => {
  const permitted: readonly (readonly [string, LabRecord['data'], LabRecord['data']])[] = [
    ['arguments', { args: ['worker.mjs', '--kill-point', '3', '-v'] }, { args: ['worker.mjs', '-v'] }],
    ['one argument', { argv: ['node', 'worker.mjs', '--kill-point=3'] }, { argv: ['node', 'worker.mjs'] }],
    ['a command', { command: 'KILL_AT=3 node worker.mjs --kill 3' }, { command: 'node worker.mjs' }],
    ['a command with its boot', { cmdline: 'node w.mjs --boot a --kill 3' }, { cmdline: 'node w.mjs --boot b' }],
    ['a setting that is empty', { env: { KILL_POINT: '3' } }, { env: { KILL_POINT: '' } }],
    ['a setting that is none', { env: { KILL_POINT: '3' } }, { env: { KILL_POINT: 'none' } }],
    ['a setting that is null', { env: { KILL_POINT: '3' } }, { env: { KILL_POINT: null } }],
    ['a setting that is gone', { env: { KILL_POINT: '3', A: '1' } }, { env: { A: '1' } }],
    ['the setting of the next kill', { kill: { point: '3', ordinal: 1 } }, { kill: { point: '2late', ordinal: 2 } }],
    ['variables in a list', { env: ['A=1', 'KILL_POINT=3'] }, { env: ['A=1', 'KILL_POINT='] }],
    ['the path of the kill', { kill_target: 'make#0' }, { kill_target: 'none' }],
    ['the boot in a variable', { env: { WORKER_BOOT: 'a' } }, { env: { WORKER_BOOT: 'b' } }],
    ['the time of the start', { spawned_at: '2026-11-29T14:43:03Z' }, { spawned_at: '2026-11-29T14:43:04.5Z' }],
    ['the number of the start', { attempt: 1, restart_count: 0 }, { attempt: 2, restart_count: 1 }],
    ['the life by name', { worker: { instance: 'w1' } }, { worker: { instance: 'w2' } }],
    ['the version', { versions: { program: '1' } }, { versions: { program: '2' } }],
  ];

  it.each(permitted)('R114 %s', async (_, first, second) => {
    const report = await startedWith(first, second);
    expect(labCheck(report, 'no-leaked-state')).toMatchObject({
      status: 'holds',
      text: 'The restart differs from the first start in identities and the kill setting alone.',
    });
    expect(report.validity).toBe('valid');
  });

  const handedOver: readonly (readonly [string, LabRecord['data'], LabRecord['data'], RegExp])[] = [
    ['an argument', { args: ['w.mjs', '--kill-point', '3'] }, { args: ['w.mjs', '--resume', 'make'] }, /"args" is/],
    ['in place of a point', { args: ['w.mjs', '--kill', '3'] }, { args: ['w.mjs', '--kill', 'ticket-8'] }, /"args"/],
    ['a command', { command: 'w.mjs --kill 3' }, { command: 'w.mjs --ticket 8' }, /"command" is/],
    ['a variable in a list', { env: ['A=1'] }, { env: ['A=1', 'TICKET=8'] }, /"env.TICKET" is "8"/],
    ['a variable of the worker', {}, { worker: { env: { RESUME: '1' } } }, /"worker.env.RESUME"/],
    ['a hint below a kill', {}, { kill: { resume: 'ticket 8' } }, /"kill.resume" is "ticket 8"/],
    ['a number below a kill', {}, { kill: { ticket: 8 } }, /"kill.ticket" is 8/],
    ['a hint as a kill setting', {}, { kill_setting: 'none; TICKET=8' }, /"kill_setting"/],
    ['a hint as a boot', { env: { BOOT: 'a' } }, { env: { BOOT: 'b, ticket 8' } }, /"env.BOOT"/],
    ['a hint as an attempt', { attempt: 1 }, { attempt: 'ticket-8' }, /"attempt"/],
    ['a hint as a time', { spawned_at: '10:00' }, { spawned_at: 'after ticket 8' }, /"spawned_at"/],
    ['a hint as a version', {}, { versions: { program: '1', hint: '8' } }, /"versions.hint"/],
  ];

  it.each(handedOver)('R114 and not %s', async (_, first, second, told) => {
    const report = await startedWith(first, second);
    expect(labCheck(report, 'no-leaked-state')).toMatchObject({
      status: 'violated',
      text: expect.stringMatching(told),
    });
    expect(report.validity).toBe('invalid');
  });

  it('R114 nor what stands beside the payload of the record', async () => {
    const at = trial.findLastIndex(({ type }) => type === 'worker_spawned');
    const report = await labReport({ a: trial.map((one, n) => (n === at ? { ...one, env: { RESUME: '8' } } : one)) });
    expect(labCheck(report, 'no-leaked-state')?.text).toContain('"env.RESUME" is "8"');
    // What a writer puts beside every record is not about a start.
    expect((await labReport({ a: trial.map((one, n) => ({ ...one, line: n, sum: `s${String(n)}` })) })).validity).toBe(
      'valid',
    );
  });

  it('R114 nor what the start of the run, or of the replay, says that it was given', async () => {
    for (const [type, data] of [
      ['run_started', { hint: '8' }],
      ['run_started', { input: { ticket: 8 } }],
      ['run_started', { ticket: 8 }],
    ] as const) {
      const report = await startedWith({}, data, type);
      expect(labCheck(report, 'no-leaked-state')?.status, JSON.stringify(data)).toBe('violated');
    }
    for (const name of ['hint', 'from_harness', 'recovery_data', 'given']) {
      const report = await labReport({ a: change(trial, 'replay_started', { [name]: { ticket: 8 } }) });
      expect(labCheck(report, 'no-leaked-state')?.text).toContain(`"${name}" of recovery.replay_started`);
    }
    const started = await startedWith({}, { env: { RESUME: true } }, 'worker_started');
    expect(labCheck(started, 'no-leaked-state')?.text).toContain('"env.RESUME" is true');
    expect((await startedWith({}, { recovering: true, checkpoint: 'c-1' }, 'worker_started')).validity).toBe('valid');
    const own = await labReport({
      a: change(change(trial, 'run_started', { resumed: true, checkpoint: 'c-1' }, 1), 'replay_started', {
        next: ['x'],
      }),
    });
    expect(own.validity).toBe('valid');
  });

  it('R114 nor a record of the harness that says so under a type of its own', async () => {
    const at = trial.findLastIndex(({ type }) => type === 'worker_spawned');
    const hint: LabRecord = { ...trial[at], eid: 'harness.i.h:99', seq: 99, type: 'recovery_hint_passed', data: {} };
    const report = await labReport({ a: [...trial, hint] });
    expect(labCheck(report, 'no-leaked-state')).toMatchObject({ status: 'violated', events: ['harness.i.h:99'] });
  });
});
