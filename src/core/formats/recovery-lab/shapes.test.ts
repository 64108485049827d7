/** The same trial as other harnesses write it: ids as numbers, records under other plain names, files that are documents. */
import { describe, expect, it } from 'vitest';
import type { HindcastEvent } from '../../model/index.ts';
import { type Opened, openFiles, textToSource } from '../testing/opening.ts';
import { toRecordType } from './types.ts';

const run = 'a5b7aad0d5e5c2b116e0cdade4eaf28c';

interface Shape {
  readonly [member: string]: unknown;
}

function record(component: string, boot: unknown, seq: number, type: string, data: object, rest: Shape = {}): Shape {
  const producer = { component, instance: 'i', boot, pid: component === 'worker' ? Number(boot) + 70 : 1 };
  const eid = `${component}.i.${String(boot)}:${String(seq)}`;
  const mono = String(10n ** 16n + BigInt(seq));
  return { v: 1, eid, seq, type, producer, run, mono_ns: mono, clock: 'host', durability: 'fsync', data, ...rest };
}

const trial: readonly Shape[] = [
  record('harness', 'h', 0, 'trial_started', { engine: 'x', kill_points: ['3'] }),
  record('harness', 'h', 1, 'kill_armed', { kill_point: '3', ordinal: 1 }),
  record('harness', 'h', 2, 'worker_spawned', { pid: 71, worker_boot: '1' }),
  record('worker', '1', 0, 'worker_started', {}),
  record('worker', '1', 1, 'tool_call_dispatched', { tool: 't' }, { cmd: 'make#0', step: 'make', attempt: 1 }),
  record('harness', 'h', 3, 'kill_sent', { kill_point: '3', ordinal: 1, pid: 71, signal: 'SIGKILL' }),
  record('harness', 'h', 4, 'process_exited', { pid: 71, code: null, signal: 'SIGKILL' }),
  record('harness', 'h', 5, 'worker_spawned', { pid: 72, worker_boot: '2' }),
  record('worker', '2', 0, 'worker_started', {}),
];

async function open(text: string): Promise<Opened> {
  return openFiles([textToSource('x', text)]);
}

function toLines(records: readonly Shape[]): string {
  return records.map((one) => JSON.stringify(one)).join('\n');
}

/** What the records say, without where they stood and how they were written. */
function told({ events }: Opened): readonly object[] {
  return events.map(({ event }) => ({ ...event, imported: undefined }));
}

function ofType({ events }: Opened, type: string): readonly HindcastEvent[] {
  return events.map(({ event }) => event).filter((event) => event.type === type);
}

function change(type: string, data: object): string {
  return toLines(trial.map((one) => (one['type'] === type ? { ...one, data: { ...toData(one), ...data } } : one)));
}

function toData(one: Shape): object {
  const { data } = one;
  return typeof data === 'object' && data !== null ? data : {};
}

describe('members that name or count', () => {
  it('R24 R110 are the same as numbers and as text, and lives are told apart by them', async () => {
    const whole = await open(toLines(trial));
    const numbers = toLines(trial)
      .replace(/"(boot|worker_boot)":"(\d)"/g, '"$1":$2')
      .replace(/"mono_ns":"(\d+)"/g, '"mono_ns":$1')
      .replace(/"(pid|ordinal|attempt|seq)":(\d+)/g, '"$1":"$2"');
    expect(numbers).toContain('"boot":1,"pid":"71"');
    const other = await open(numbers);
    expect(other.counts).toEqual(whole.counts);
    expect(told(other)).toEqual(told(whole));
    expect(ofType(other, 'worker.started').map(({ source }) => source.incarnation)).toEqual(['1', '2']);
    expect(ofType(other, 'worker.exited')[0]?.causes).toMatchObject([{ event: 'harness.i.h:3' }]);
    // How it was written is kept.
    expect(ofType(other, 'fault.injected')[0]?.imported?.extra).toMatchObject({
      recorded_as: { ordinal: '1', pid: '71' },
      'producer.pid': '1',
    });
  });

  it.each([
    ['KILL', 'SIGKILL'],
    ['sigkill', 'SIGKILL'],
    [9, 'SIGKILL'],
    ['15', 'SIGTERM'],
    ['SIGTERM', 'SIGTERM'],
    ['hoped', 'hoped'],
  ])('R110 the signal %j is %s', async (signal, known) => {
    const opened = await open(change('process_exited', { signal }));
    expect(opened.counts.problems).toBe(0);
    expect(ofType(opened, 'worker.exited')[0]?.data).toMatchObject({ signal: known });
  });
});

it('R103 kills under one number are each joined to the arming that stands last before them in the log', async () => {
  const again = [
    record('harness', 'h', 6, 'kill_armed', { kill_point: '3', ordinal: 1 }),
    record('harness', 'h', 7, 'kill_sent', { kill_point: '3', ordinal: 1, pid: 72, signal: 'SIGKILL' }),
  ];
  const opened = await open(toLines([...again, ...trial]));
  expect(ofType(opened, 'fault.injected').map(({ id, causes }) => [id, causes?.map(({ event }) => event)])).toEqual([
    ['harness.i.h:7', ['harness.i.h:6']],
    ['harness.i.h:3', ['harness.i.h:1']],
  ]);
});

describe('other names of a record', () => {
  it.each(['worker_exited', 'component_exited', 'process_terminated', 'worker.exited', 'WorkerExited'])(
    'R110 %s is the end of a process, of the life that it names',
    async (type) => {
      const opened = await open(
        toLines(trial.map((one) => (one['type'] === 'process_exited' ? { ...one, type } : one))),
      );
      expect(ofType(opened, 'worker.exited')).toMatchObject([
        { imported: { record: type }, data: { worker: { component: 'worker', incarnation: '1' } } },
      ]);
      expect(ofType(opened, 'worker.exited')[0]?.causes).toMatchObject([{ event: 'harness.i.h:3', rule: 'lab-pid' }]);
    },
  );

  it('R110 an end that names the life and no process id is of that life', async () => {
    const opened = await open(change('process_exited', { pid: null, worker_boot: 1 }));
    expect(ofType(opened, 'worker.exited')[0]?.data).toMatchObject({ worker: { incarnation: '1' } });
  });

  it('a name of no record stays as it is', () => {
    expect(['worker_started', 'fault.injected', 'process_killed', 'something_new'].map(toRecordType)).toEqual([
      'worker_started',
      'kill_sent',
      'process_killed',
      'something_new',
    ]);
  });
});

describe('files that are documents', () => {
  const documents: readonly (readonly [name: string, text: string])[] = [
    ['a list on one line', JSON.stringify(trial)],
    ['a list over many lines', JSON.stringify(trial, undefined, 2)],
    ['a list with a record on each line', `[\n${trial.map((one) => JSON.stringify(one)).join(',\n')}\n]`],
    ['records over many lines each', trial.map((one) => JSON.stringify(one, undefined, 2)).join('\n')],
    ['a list under a name', JSON.stringify({ events: trial }, undefined, 1)],
  ];

  it.each(documents)('R23 %s holds the records that lines hold', async (_, text) => {
    const whole = await open(toLines(trial));
    const opened = await open(text);
    expect(opened.error).toBeUndefined();
    expect(opened.result).toMatchObject({ format: 'recovery-lab' });
    expect(opened.counts).toEqual(whole.counts);
    expect(opened.problems).toEqual([]);
    expect(told(opened)).toEqual(told(whole));
  });

  it('R67 a list that is cut off gives its whole records, and says that it is cut off', async () => {
    const opened = await open(JSON.stringify(trial).slice(0, -60));
    expect(opened.counts).toMatchObject({ mapped: trial.length - 1, problems: 1 });
    expect(opened.problems.map(({ message }) => message).join()).toMatch(/cut off|ends inside/);
  });

  it('R67 what is no record of a trial in a list is told and costs nothing else', async () => {
    const opened = await open(JSON.stringify([...trial.slice(0, 3), { note: 'by hand' }, ...trial.slice(3)]));
    expect(opened.counts).toMatchObject({ mapped: trial.length, problems: 1 });
    expect(opened.problems[0]?.message).toContain('The record has no "eid".');
  });
});
