/**
 * A trial in the vocabulary of typed trial records, small and whole: killed at 3, restarted, one effect executed once. For tests that
 * alter one thing of it, and open it as the page does.
 */
import { createTable } from '../../base/table.ts';
import { importFiles } from '../../formats/import.ts';
import type { HindcastEvent } from '../../model/index.ts';
import { analyseCampaigns } from '../index.ts';
import type { Check, RecoveryTrace, TrialReport } from '../report.ts';

export interface LabRecord {
  readonly [member: string]: unknown;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const pids = createTable<number>({ h: 1, a: 71, b: 72, s: 2 });

function write(run: string) {
  const counts = new Map<string, number>();
  let time = 0;
  return (boot: string, type: string, data: LabRecord['data'], rest: object = {}): LabRecord => {
    const component = boot === 'h' ? 'harness' : boot === 's' ? 'ticket-service' : 'worker';
    const seq = counts.get(boot) ?? 0;
    counts.set(boot, seq + 1);
    const producer = { component, instance: 'i', boot, pid: pids[boot] };
    const eid = `${component}.i.${boot}:${String(seq)}`;
    const mono = String(1_000_000 * ++time);
    const base = {
      v: 1,
      eid,
      seq,
      type,
      producer,
      prev: seq === 0 ? null : `${component}.i.${boot}:${String(seq - 1)}`,
    };
    return { ...base, run, branch: 'main', mono_ns: mono, clock: 'host', durability: 'fsync', ...rest, data };
  };
}

const command = { cmd: 'make#0', step: 'make', attempt: 1 };
const envelope = {
  engine: 'journal',
  engine_version: '1',
  persistence: 'file',
  idempotency_key: true,
  restart_code: 'v1',
};

const labRun = '0123456789abcdef0123456789abcdef';

export function labTrial(point = '3'): readonly LabRecord[] {
  const record = write(labRun);
  return [
    record('h', 'trial_started', { engine: 'journal', kill_points: [point], env: { IDEM: '1' } }),
    record('h', 'trial_envelope', { envelope }),
    record('h', 'kill_armed', { kill_point: point, ordinal: 1 }),
    record('h', 'worker_spawned', { pid: 71, worker_boot: 'a', code_version: 'v1' }),
    record('a', 'worker_started', { engine: 'journal' }),
    record('a', 'run_started', {}),
    record('a', 'tool_call_dispatched', { tool: 't', idempotency_key: 'k' }, command),
    record('s', 'effect_requested', { idempotency_key: 'k' }, { ...command, causes: ['worker.i.a:2'] }),
    record('s', 'effect_committed', { effect: { kind: 't', id: '8' } }, { ...command, causes: ['worker.i.a:2'] }),
    record('h', 'kill_sent', { kill_point: point, ordinal: 1, pid: 71, signal: 'SIGKILL' }),
    record('h', 'process_exited', { pid: 71, code: null, signal: 'SIGKILL', kill_confirmed: true }),
    record('h', 'worker_spawned', { pid: 72, worker_boot: 'b', code_version: 'v1' }),
    record('b', 'worker_started', { engine: 'journal' }),
    record('b', 'run_started', {}),
    record('b', 'replay_started', { entries: 1 }),
    record('b', 'tool_call_dispatched', { tool: 't', idempotency_key: 'k' }, command),
    record('s', 'effect_deduplicated', { effect_id: '8' }, { ...command, causes: ['worker.i.b:3'] }),
    record('b', 'tool_result_acknowledged', { effect_id: '8' }, { ...command, causes: ['ticket-service.i.s:2'] }),
    record('b', 'run_completed', { output_digest: 'c'.repeat(64) }),
    record('h', 'trial_finished', { valid: true, completed: true }),
  ];
}

/** The same design without a fault. */
export function labControl(): readonly LabRecord[] {
  const record = write('fedcba9876543210fedcba9876543210');
  return [
    record('h', 'trial_started', { engine: 'journal', kill_points: [null], env: { IDEM: '1' } }),
    record('h', 'trial_envelope', { envelope }),
    record('h', 'worker_spawned', { pid: 71, worker_boot: 'a', code_version: 'v1' }),
    record('a', 'worker_started', { engine: 'journal' }),
    record('a', 'run_started', {}),
    record('a', 'tool_call_dispatched', { tool: 't', idempotency_key: 'k' }, command),
    record('s', 'effect_committed', { effect: { kind: 't', id: '8' } }, { ...command, causes: ['worker.i.a:2'] }),
    record('a', 'tool_result_acknowledged', { effect_id: '8' }, { ...command, causes: ['ticket-service.i.s:0'] }),
    record('a', 'run_completed', { output_digest: 'c'.repeat(64) }),
  ];
}

/** Changes the payload of one record of a type; `at` 1 is that of the life after the kill. */
export function change(
  records: readonly LabRecord[],
  type: string,
  data: LabRecord['data'],
  at: number | 'all' = 'all',
): readonly LabRecord[] {
  let n = 0;
  return records.map((record) => {
    if (record.type !== type || (at !== 'all' && n++ !== at)) return record;
    return { ...record, data: { ...record.data, ...data } };
  });
}

async function openLab(name: string, records: readonly LabRecord[]): Promise<RecoveryTrace> {
  const bytes = new TextEncoder().encode(records.map((record) => JSON.stringify(record)).join('\n'));
  const reading = importFiles([{ name, size: bytes.length, open: () => once(bytes) }]);
  const events: HindcastEvent[] = [];
  for (;;) {
    const step = await reading.next();
    if (step.done === true) {
      if (!step.value.ok) throw new Error(step.value.error.message);
      return { name, events };
    }
    for (const { event } of step.value.events) events.push(event);
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes);
}

/** The trial with the kill. */
export async function labReport(files: Readonly<Record<string, readonly LabRecord[]>>): Promise<TrialReport> {
  const traces: RecoveryTrace[] = [];
  for (const [name, records] of Object.entries(files)) traces.push(await openLab(name, records));
  const trial = analyseCampaigns(traces)
    .flatMap(({ trials }) => trials)
    .find(({ id }) => id === labRun);
  if (trial === undefined) throw new Error('no trial');
  return trial;
}

export function labCheck({ checks }: TrialReport, id: string): Check | undefined {
  return checks.find((check) => check.id === id);
}
