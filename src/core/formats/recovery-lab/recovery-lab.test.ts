import { describe, expect, it } from 'vitest';
import type { HindcastEvent } from '../../model/index.ts';
import {
  type Opened,
  listTraces,
  openFiles,
  readTrace,
  textToSource,
  traceToSource,
  whereFound,
} from '../testing/opening.ts';
import { problemsOf } from '../testing/platforms.ts';
import { recoveryLab } from './recovery-lab.ts';

const run = 'a5b7aad0d5e5c2b116e0cdade4eaf28c';
const other = '0123456789abcdef0123456789abcdef';

function line(id: string, type: string, rest: object): string {
  const [component = '', instance = '', boot = '', seq = ''] = id.split(/[.:]/);
  const pid = component === 'worker' ? 7 : 1;
  const producer = { component, instance, boot, pid };
  return JSON.stringify({ v: 1, eid: id, seq: Number(seq), type, producer, prev: null, run, branch: 'main', ...rest });
}

/** A kill after commitment, as the harness, the worker and the service write it. */
const trial = [
  line('harness.h.a:5', 'trial_started', { durability: 'fsync', data: { engine: 'x', kill_points: ['3'], env: {} } }),
  line('harness.h.a:6', 'trial_envelope', { data: { envelope: { engine: 'x', persistence: null } } }),
  line('harness.h.a:7', 'kill_armed', { data: { kill_point: '3', ordinal: 1 } }),
  line('harness.h.a:8', 'worker_spawned', { data: { pid: 7, worker_boot: 'b1', code_version: 'v1' } }),
  line('worker.w.b1:0', 'worker_started', { data: { engine: 'x' } }),
  line('worker.w.b1:1', 'action_selected', { step: 'decide', cmd: 'decide#0', data: { action: 't' } }),
  line('worker.w.b1:2', 'tool_call_dispatched', {
    step: 'make',
    cmd: 'make#0',
    attempt: 1,
    data: { tool: 't', selected_by: 'decide', idempotency_key: null },
  }),
  line('service.s.c:4', 'effect_committed', {
    cmd: 'make#0',
    causes: ['worker.w.b1:2'],
    data: { effect: { kind: 't', id: '8' }, idempotency_key: null },
  }),
  line('harness.h.a:9', 'kill_sent', { data: { kill_point: '3', ordinal: 1, pid: 7, signal: 'SIGKILL' } }),
  line('harness.h.a:10', 'process_exited', { data: { pid: 7, code: null, signal: 'SIGKILL', kill_confirmed: true } }),
  line('worker.w.b1:3', 'something_new', { data: { a: null } }),
];

function find(opened: Opened, id: string): HindcastEvent {
  const found = opened.events.find(({ event }) => event.id === id)?.event;
  if (found === undefined) throw new Error(`no event ${id}`);
  return found;
}

const hex = 'c'.repeat(64);

/** One record of each type that has words of its own, and the type and payload it becomes. */
const payloads: readonly (readonly [type: string, rest: object, becomes: string, data: object])[] = [
  ['kill_armed', { data: { ordinal: 1 } }, 'fault.armed', { class: 'process-kill', ordinal: 1 }],
  [
    'kill_point_escaped',
    { cmd: 'make#0', data: { ordinal: 1 } },
    'fault.witnessed',
    { class: 'process-kill', ordinal: 1, escaped: true, target: { path: 'make#0' } },
  ],
  ['run_completed', { data: { output_digest: hex } }, 'run.completed', { output_digest: hex, digest: `sha256:${hex}` }],
  [
    'model_call_completed',
    { cmd: 'decide#0', data: { usage: { in: 3, out: 4, cached: 1 }, cost_usd: 0.5 } },
    'model_call.completed',
    {
      usage: { cached: 1, input_tokens: 3, output_tokens: 4 },
      cost_usd: 0.5,
      cost: { amount: 0.5, currency: 'USD' },
    },
  ],
  ['action_selected', { cmd: 'decide#0', data: { action: 't' } }, 'decision.made', { action: 't', chosen: 't' }],
  ['effect_deduplicated', { data: { effect_id: '8' } }, 'effect.deduplicated', { effect_id: '8', effect: { id: '8' } }],
  ['effect_deduplicated', { data: { effect: { id: '9' } } }, 'effect.deduplicated', { effect: { id: '9' } }],
  [
    'state_transition',
    { step: 'note', data: { state_digest: 'short' } },
    'state.transitioned',
    { state_digest: 'short', name: 'note' },
  ],
  [
    'invariant_checked',
    { data: { passed: false, checked_by: 'h' } },
    'invariant.checked',
    { passed: false, checked_by: 'h', verdict: 'violated', by: 'h' },
  ],
  ['invariant_checked', { data: { passed: true } }, 'invariant.checked', { passed: true, verdict: 'holds' }],
];

describe('recovery streams', () => {
  it.each(payloads)('J a record %s becomes what it says', async (type, rest, becomes, data) => {
    const opened = await openFiles([textToSource('x', `${trial[0] ?? ''}\n${line('worker.w.b1:9', type, rest)}`)]);
    expect(find(opened, 'worker.w.b1:9')).toMatchObject({ type: becomes });
    expect(find(opened, 'worker.w.b1:9').data).toEqual(data);
  });

  it('R86 a record of very many fields keeps them all, by name and value', async () => {
    const wide = Object.fromEntries(
      Array.from({ length: 64 }, (_, n) => [`field_${n}`, [n, `${n}`, n % 2 === 0, n / 8, { in: [n] }][n % 5]]),
    );
    const last = line('harness.h.a:11', 'trial_finished', { data: wide });
    const opened = await openFiles([textToSource('x', [...trial, last].join('\n'))]);
    expect(problemsOf(opened)).toEqual([]);
    const { type, data } = find(opened, 'harness.h.a:11');
    expect(type).toBe('trial.finished');
    expect(data).toMatchObject(wide);
  });

  it('R8 J durability is what the record says, and no more', async () => {
    const words = ['fsync', 'durable', 'flush', 'flushed', 'buffered', 'memory', 'hoped'];
    const lines = words.map((durability, n) => line(`worker.w.b1:${String(n)}`, 'step', { durability, data: {} }));
    const opened = await openFiles([textToSource('x', [trial[0] ?? '', ...lines].join('\n'))]);
    const status = (n: number) => find(opened, `worker.w.b1:${String(n)}`).durable?.status;
    expect(words.map((_, n) => status(n))).toEqual([
      'durable',
      'durable',
      'flushed',
      'flushed',
      'memory',
      'memory',
      undefined,
    ]);
  });

  it('J maps types, ids, lives and edges, and folds the envelope into the start of the trial', async () => {
    const opened = await openFiles([textToSource('x', trial.join('\n'))]);
    expect(opened.counts).toEqual({ input: 11, mapped: 10, merged: 1, problems: 0 });
    expect(opened.result).toMatchObject({ format: 'recovery-lab', replayGrade: 'none' });
    const started = find(opened, 'harness.h.a:5');
    expect(started).toMatchObject({ type: 'trial.started', seq: 6, durable: { status: 'durable' } });
    expect(started.data).toMatchObject({ engine: 'x', envelope: { engine: 'x', persistence: null } });
    expect(find(opened, 'worker.w.b1:0').causes).toEqual([
      { event: 'harness.h.a:8', as: 'caused_by', grade: 'inferred', rule: 'lab-boot' },
    ]);
    const dispatched = find(opened, 'worker.w.b1:2');
    expect(dispatched.command).toEqual({
      path: '/write:make#0',
      kind: 'write',
      name: 'make',
      attempt: 1,
      identity: 'derived',
      alias: 'make#0',
    });
    expect(dispatched.causes).toEqual([
      { event: 'worker.w.b1:1', as: 'selected_by', grade: 'inferred', rule: 'lab-step-name' },
    ]);
    expect(dispatched.data).not.toHaveProperty('idempotency_key');
    expect(dispatched.imported?.extra).toMatchObject({ recorded_null: ['idempotency_key'] });
    expect(find(opened, 'service.s.c:4').causes).toEqual([
      { event: 'worker.w.b1:2', as: 'result_of', rule: 'lab-result' },
    ]);
    expect(find(opened, 'harness.h.a:10')).toMatchObject({
      type: 'worker.exited',
      data: { signal: 'SIGKILL', worker: { component: 'worker', instance: 'w', incarnation: 'b1' } },
      causes: [{ event: 'harness.h.a:9', rule: 'lab-pid' }],
    });
    expect(find(opened, 'worker.w.b1:3').type).toBe('recovery_lab.something_new');
  });

  it('R24 R68 gives the same events from three files, shuffled and doubled, and counts copies', async () => {
    const whole = await openFiles([textToSource('whole', trial.join('\n'))]);
    const streams = ['worker', 'service', 'harness'].map((name) =>
      trial.filter((text) => text.includes(`"eid":"${name}`)).reverse(),
    );
    const files = streams.map((lines, i) => textToSource(`part-${i}`, lines.join('\r\n')));
    const parts = await openFiles([...files, textToSource('again', (streams[0] ?? []).join('\n'))]);
    const withoutPlace = (opened: Opened) =>
      opened.events
        .map(({ event }) => ({ ...event, imported: event.imported?.extra }))
        .sort((a, b) => (a.id < b.id ? -1 : 1));
    expect(withoutPlace(parts)).toEqual(withoutPlace(whole));
    const copies = streams[0]?.length ?? 0;
    expect(parts.counts).toEqual({ input: 11 + copies, mapped: 10, merged: 1 + copies, problems: 0 });
  });

  it('lists the trials of one file and reads the one that was chosen', async () => {
    const second = trial.slice(0, 3).map((text) => text.replaceAll(run, other).replace('harness.h.a', 'harness.h.z'));
    const file = textToSource('two', [...trial, ...second].join('\n'));
    expect(await recoveryLab.list?.([file], {})).toEqual([
      { key: run, title: 'x, killed at 3', records: 11, startedAt: undefined, files: ['two'] },
      { key: other, title: 'x, killed at 3', records: 3, startedAt: undefined, files: ['two'] },
    ]);
    const chosen = await openFiles([file], { trace: other });
    expect(chosen.counts).toMatchObject({ input: 3, mapped: 2, merged: 1 });
    expect(new Set(chosen.events.map(({ event }) => event.run))).toEqual(new Set([other]));
  });

  it('names the files that hold each trial', async () => {
    const second = trial.slice(0, 3).map((text) => text.replaceAll(run, other).replace('harness.h.a', 'harness.h.z'));
    const files = [
      textToSource('one', trial.slice(0, 5).join('\n')),
      textToSource('rest', trial.slice(5).join('\n')),
      textToSource('second', second.join('\n')),
    ];
    const listed = await recoveryLab.list?.(files, {});
    expect(listed?.map(({ key, files: holders }) => [key, holders])).toEqual([
      [run, ['one', 'rest']],
      [other, ['second']],
    ]);
  });

  it("an engine's table goes with the trials that it has rows of; one with rows of none goes with each", async () => {
    const second = trial.slice(0, 3).map((text) => text.replaceAll(run, other).replace('harness.h.a', 'harness.h.z'));
    const rows = (workflow: string): string =>
      JSON.stringify([{ workflow_uuid: workflow, function_id: 0, function_name: 'pay', output: '{}', error: null }]);
    const files = [
      textToSource('one', trial.join('\n')),
      textToSource('second', second.join('\n')),
      textToSource('outputs', rows(other)),
      textToSource('elsewhere', rows('f'.repeat(32))),
    ];
    const listed = await recoveryLab.list?.(files, {});
    expect(listed?.map(({ key, files: holders }) => [key, holders])).toEqual([
      [run, ['one', 'elsewhere']],
      [other, ['second', 'outputs', 'elsewhere']],
    ]);
  });

  it('tells what is wrong with a record and uses the others', async () => {
    const bad = [
      '{"eid":"worker.w.b1:9","producer":{"component":"worker"},"type":"x"}',
      line('worker.w.b1:9', 'run_completed', { run: 'short' }),
      '{"eid":',
    ];
    const opened = await openFiles([textToSource('x', [...trial, ...bad].join('\n'))]);
    expect(opened.counts).toMatchObject({ input: 14, problems: 3 });
    expect(opened.problems.map(({ message }) => message)).toEqual([
      expect.stringContaining('The record has no "run".'),
      expect.stringContaining('32 lowercase hex digits'),
      expect.stringContaining('cut off'),
    ]);
  });
});

const streams = listTraces('lab').filter((name) => name.endsWith('.jsonl'));

describe(`real recovery streams${whereFound(streams)}`, () => {
  it.each(streams)('%s opens whole, with no problem and every record accounted for', async (name) => {
    const opened = await openFiles([traceToSource(name)]);
    const lines = new TextDecoder().decode(readTrace(name)).trimEnd().split('\n').length;
    expect(opened.error).toBeUndefined();
    expect(opened.counts).toEqual({ input: lines, mapped: lines - 1, merged: 1, problems: 0 });
    expect(opened.problems).toEqual([]);
    expect(opened.events.filter(({ event }) => event.type.startsWith('recovery_lab.'))).toEqual([]);
    expect(problemsOf(opened)).toEqual([]);
  });
});

const tables = listTraces('lab').filter((name) => name.endsWith('.json'));

describe(`tables of real engines${whereFound(tables)}`, () => {
  it.each(tables)('%s opens row by row, with no problem', async (name) => {
    const opened = await openFiles([traceToSource(name)]);
    expect(opened.problems).toEqual([]);
    expect(opened.counts).toMatchObject({ problems: 0, merged: 0 });
    expect(opened.counts.mapped).toBeGreaterThan(0);
    for (const { event } of opened.events) expect(event.type).not.toMatch(/^(?:effect|run|tool_call)\./);
  });

  it.runIf(tables.length > 0)('R24 R100 join the trial they are of, and show the second ticket alone', async () => {
    const names = [
      'restate-kp3.jsonl',
      'restate-kp3-journal.json',
      'restate-kp3-events.json',
      'restate-kp3-invocation.json',
    ];
    const opened = await openFiles(names.map((name) => traceToSource(`lab/${name}`)));
    expect(new Set(opened.events.map(({ event }) => event.run))).toEqual(new Set([run]));
    const completed = opened.events
      .filter(({ event }) => event.type === 'step.completed')
      .map(({ event }) => event.data);
    expect(completed).toMatchObject([{ name: 'decide' }, { name: 'create-ticket', result: { id: 8524 } }]);
    expect(opened.events.filter(({ event }) => event.type === 'effect.committed')).toHaveLength(2);
    const [transient = ''] = opened.events.flatMap(({ event }) =>
      /transient_error$/.test(event.type) ? [event.id] : [],
    );
    expect(find(opened, transient).causes).toMatchObject([{ event: expect.stringMatching(/:3$/) }]);
    expect(problemsOf(opened)).toEqual([]);
  });

  it.runIf(tables.length > 0)('of a folder go with the trial that they are of, and with no other', async () => {
    const trials = [
      'lab/dbos-kp3.jsonl',
      'lab/restate-kp3.jsonl',
      'lab/langgraph-sync-kp3.jsonl',
      'lab/naive-kp3.jsonl',
    ];
    const listed = await recoveryLab.list?.(
      [...trials, ...tables].map((name) => traceToSource(name)),
      {},
    );
    const held = listed?.map(({ files: holders = [] }) => holders.map((name) => name.replace(/^.*\//, '')).sort());
    expect(held?.toSorted()).toEqual([
      ['dbos-kp3-operation_outputs.json', 'dbos-kp3-workflow_status.json', 'dbos-kp3.jsonl'],
      ['langgraph-kp3-checkpoints.json', 'langgraph-kp3-writes.json', 'langgraph-sync-kp3.jsonl'],
      ['naive-kp3.jsonl'],
      ['restate-kp3-events.json', 'restate-kp3-invocation.json', 'restate-kp3-journal.json', 'restate-kp3.jsonl'],
    ]);
  });

  it.runIf(tables.length > 0)('a table that is cut off keeps its whole rows', async () => {
    const bytes = readTrace('lab/dbos-kp3-operation_outputs.json');
    const opened = await openFiles([textToSource('cut', new TextDecoder().decode(bytes).slice(0, 700))]);
    expect(opened.counts).toEqual({ input: 2, mapped: 1, merged: 0, problems: 1 });
    expect(opened.problems[0]?.code).toBe('truncated-row');
    expect(opened.events[0]?.event).toMatchObject({
      time: '2026-11-29T14:43:45.850Z',
      type: 'step.completed',
      data: { name: 'decide' },
    });
  });
});
