/**
 * A run as four records (R52): state snapshot, event record, artifact lineage, execution provenance; each present, partial or absent.
 *
 * Invariant: a record is "present" only when nothing of what it must be able to say is missing; what is missing is named.
 */
import type { HindcastEvent } from '../../model/index.ts';
import { countToText } from '../effects/words.ts';
import type { Counted, ProvenanceRecord, ProvenanceSummary } from '../trace-reader.ts';
import type { TraceView } from '../trace-view.ts';

export function computeProvenanceSummary(view: TraceView): ProvenanceSummary {
  return {
    records: [stateRecord(view), eventRecord(view), artifactRecord(view), executionRecord(view)],
    decisions: view
      .ofType('decision.made')
      .filter((position) => !view.index.has(position, 'replayed'))
      .map((position) => view.index.id(position)),
  };
}

function record(
  name: ProvenanceRecord['name'],
  total: number,
  counts: readonly Counted[],
  missing: readonly string[],
): ProvenanceRecord {
  return { name, presence: total === 0 ? 'absent' : missing.length === 0 ? 'present' : 'partial', counts, missing };
}

function eventsOf(view: TraceView, ...types: readonly string[]): HindcastEvent[] {
  return view.ofType(...types).map((position) => view.event(position));
}

function counted(events: { readonly length: number }, one: string, many = `${one}s`): Counted {
  return { name: events.length === 1 ? one : many, count: events.length };
}

/** "the digest of 2 transitions", where some lack it. */
function lack(
  events: readonly HindcastEvent[],
  has: (event: HindcastEvent) => boolean,
  what: string,
  of: string,
): string[] {
  const count = events.filter((event) => !has(event)).length;
  return count === 0 ? [] : [`${what} of ${countToText(count, of)}`];
}

function stateRecord(view: TraceView): ProvenanceRecord {
  const transitions = eventsOf(view, 'state.transitioned');
  const written = view.ofType('checkpoint.written');
  const total = transitions.length + written.length;
  const missing = [
    ...(transitions.length === 0 ? ['state transitions'] : []),
    ...lack(
      transitions,
      ({ data }) => data?.['from'] !== undefined && data['to'] !== undefined,
      'the versions',
      'transition',
    ),
    ...lack(transitions, ({ data }) => data?.['digest'] !== undefined, 'the digest', 'transition'),
    ...lack(
      transitions,
      ({ data }) => data?.['value'] !== undefined || data?.['patch'] !== undefined || data?.['$ref'] !== undefined,
      'the value',
      'transition',
    ),
  ];
  const counts = [
    counted(transitions, 'transition'),
    counted(written, 'checkpoint'),
    counted(view.ofType('checkpoint.restored'), 'restore'),
  ];
  return record('state snapshot', total, counts, missing);
}

/** Read from columns: a trace of a million events is not decoded for it. */
function eventRecord(view: TraceView): ProvenanceRecord {
  let unordered = 0;
  let rootless = 0;
  let unknown = 0;
  let durable = 0;
  for (const position of view.positions) {
    const { index } = view;
    if (index.seq(position) === undefined && index.branch(position) === 'main') unordered++;
    if (!hasCause(view, position)) rootless++;
    if (index.has(position, 'durable')) durable++;
    else if (!index.has(position, 'flushed') && !index.has(position, 'inMemory')) unknown++;
  }
  const total = view.positions.length;
  const missing = [
    ...(unordered === 0 ? [] : [`a position in the log for ${countToText(unordered, 'event')}`]),
    ...(unknown === 0 ? [] : [`the persistence status of ${countToText(unknown, 'event')}`]),
  ];
  const counts = [
    { name: 'events', count: total },
    { name: 'events with a recorded or inferred cause', count: total - rootless },
    { name: 'durable events', count: durable },
  ];
  return record('event record', total, counts, missing);
}

function hasCause(view: TraceView, position: number): boolean {
  const { index } = view;
  const { offsets, edges } = index.causes;
  const end = offsets[position + 1] ?? 0;
  const start = offsets[position] ?? 0;
  if (index.edgeCounts.clockOnly === 0) return end > start;
  for (let at = start; at < end; at++) if (index.edge(edges[at] ?? 0).grade !== 'clock-only') return true;
  return false;
}

function artifactRecord(view: TraceView): ProvenanceRecord {
  const produced = eventsOf(view, 'artifact.produced');
  const used = eventsOf(view, 'artifact.used');
  const all = [...produced, ...used];
  const missing = [
    ...(all.length === 0 ? ['artifacts'] : []),
    ...lack(
      all,
      ({ data }) => data?.['digest'] !== undefined || data?.['value'] !== undefined,
      'the digest or content',
      'artifact record',
    ),
    ...lack(
      all,
      ({ causes, data }) =>
        data?.['derived_from'] !== undefined ||
        (causes ?? []).some(({ as }) => as === 'consumed' || as === 'informed_by'),
      'the lineage',
      'artifact record',
    ),
  ];
  return record(
    'artifact lineage',
    all.length,
    [counted(produced, 'produced', 'produced'), counted(used, 'used', 'used')],
    missing,
  );
}

function executionRecord(view: TraceView): ProvenanceRecord {
  const starts = eventsOf(view, 'run.started');
  const calls = view.ofType('model_call.completed', 'model_call.served');
  const policies = view.ofType('policy.evaluated');
  const approvals = view.ofType('approval.granted', 'approval.denied');
  const access = view.ofType('access.exercised');
  const unnamed = calls.filter((position) => view.data(position)['response_model'] === undefined).length;
  const program = starts.map(({ data }) => data?.['program']);
  const missing = [
    ...(starts.length === 0 ? ['the start of the run'] : []),
    ...(program.some((value) => value === undefined) ? ['the control program'] : []),
    ...lack(starts, ({ data }) => data?.['engine'] !== undefined, 'the engine and its version', 'run'),
    ...lack(starts, ({ source }) => source.version !== undefined, 'the version of the component', 'run'),
    ...lack(starts, ({ principal }) => principal !== undefined, 'the authority', 'run'),
    ...(unnamed === 0 ? [] : [`the model that answered ${countToText(unnamed, 'call')}`]),
    ...(policies.length === 0 ? ['policies'] : []),
    ...(approvals.length === 0 ? ['approvals'] : []),
    ...(access.length === 0 ? ['use of privileged access'] : []),
  ];
  const counts = [
    counted(starts, 'run with its start', 'runs with their start'),
    counted(view.ofType('model_call.completed'), 'answered model call'),
    counted(policies, 'policy evaluation'),
    counted(approvals, 'approval'),
    counted(access, 'privileged access', 'privileged accesses'),
  ];
  const total = starts.length + calls.length + policies.length + approvals.length + access.length;
  return record('execution provenance', total, counts, missing);
}
