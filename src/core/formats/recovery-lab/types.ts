/**
 * The record types of the recovery vocabulary: what each becomes, and the other plain names that harnesses give the same record.
 *
 * Invariant: a synonym says the same thing of the same process; a name that could mean two of them is none. Read by `record.ts`.
 */

/** Type there to type here. A type that is not here becomes `recovery_lab.<type>` with its payload as it stands. */
export const typeByRecord: ReadonlyMap<string, string> = new Map([
  ['trial_started', 'trial.started'],
  ['trial_envelope', 'trial.started'],
  ['trial_finished', 'trial.finished'],
  ['kill_armed', 'fault.armed'],
  ['kill_point_reached', 'fault.witnessed'],
  ['kill_point_escaped', 'fault.witnessed'],
  ['kill_sent', 'fault.injected'],
  ['process_exited', 'worker.exited'],
  ['worker_spawned', 'worker.spawned'],
  ['worker_started', 'worker.started'],
  ['run_started', 'run.started'],
  ['run_completed', 'run.completed'],
  ['run_failed', 'run.failed'],
  ['run_rolled_over', 'run.rolled_over'],
  ['replay_started', 'recovery.replay_started'],
  ['replay_completed', 'recovery.replay_completed'],
  ['observation_replayed', 'recovery.observation_replayed'],
  ['model_call_dispatched', 'model_call.requested'],
  ['model_call_completed', 'model_call.completed'],
  ['model_call_failed', 'model_call.failed'],
  ['model_served', 'model_call.served'],
  ['action_selected', 'decision.made'],
  ['tool_call_dispatched', 'tool_call.dispatched'],
  ['tool_call_failed', 'tool_call.failed'],
  ['tool_call_timed_out', 'tool_call.timed_out'],
  ['tool_result_acknowledged', 'tool_call.acknowledged'],
  ['tool_result_persisted', 'tool_call.result_persisted'],
  ['effect_requested', 'effect.requested'],
  ['effect_request_dropped', 'effect.dropped'],
  ['effect_committed', 'effect.committed'],
  ['effect_deduplicated', 'effect.deduplicated'],
  ['effect_refused', 'effect.refused'],
  ['effect_request_refused', 'effect.refused'],
  ['effect_duplicate_detected', 'duplicate.detected'],
  ['state_transition', 'state.transitioned'],
  ['invariant_checked', 'invariant.checked'],
  ['heartbeat_missed', 'heartbeat.missed'],
]);

/** Other names of a record, beside those that the model gives it. */
const synonyms: readonly (readonly [record: string, names: readonly string[]])[] = [
  [
    'process_exited',
    [
      'process_exit',
      'process_ended',
      'process_terminated',
      'process_died',
      'process_stopped',
      'worker_exit',
      'worker_ended',
      'worker_terminated',
      'worker_died',
      'worker_stopped',
      'component_exited',
      'component_ended',
      'component_terminated',
      'child_exited',
    ],
  ],
  [
    'worker_spawned',
    [
      'process_spawned',
      'component_spawned',
      'child_spawned',
      'worker_launched',
      'process_launched',
      'worker_restarted',
    ],
  ],
  ['kill_sent', ['kill_injected', 'kill_delivered', 'kill_signal_sent']],
];

const recordByName = createNames();

function createNames(): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  // The first record of a type is the one that says it whole.
  for (const [record, type] of typeByRecord) {
    const name = toWords(type);
    if (!names.has(name)) names.set(name, record);
  }
  for (const [record, others] of synonyms) for (const name of others) names.set(name, record);
  for (const record of typeByRecord.keys()) names.set(record, record);
  return names;
}

/** The record type that a name stands for, however it is written (`worker.exited`, `ProcessExited`); any other name as it is. */
export function toRecordType(name: string): string {
  return recordByName.get(name) ?? recordByName.get(toWords(name)) ?? name;
}

function toWords(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[\s.-]+/g, '_')
    .toLowerCase();
}
