/**
 * Whose records of effects count: those of a service, which is no process that runs the control code or places the faults (R100).
 *
 * Invariant: what a service wrote within the trial counts, whatever flag the record carries. A branch or a mark of a replay is a word
 * about the record and undoes nothing that was done outside. Called by group.ts before anything is joined, and by trial-records.ts.
 */
import { type HindcastEvent, isKnownEventType, mainBranch } from '../model/index.ts';
import { lifeKey } from '../projections/effects/lives.ts';
import type { RecoveryTrace } from './report.ts';

/** Only who runs the program, or starts and ends its processes, writes these. */
const actingTypes: ReadonlySet<string> = new Set([
  'trial.started',
  'worker.spawned',
  'worker.started',
  'worker.exited',
  'run.started',
  'tool_call.dispatched',
  'model_call.requested',
]);

/** What becomes of a request, as only the service that was asked can know it. */
const ledgerTypes: ReadonlySet<string> = new Set([
  'effect.requested',
  'effect.dropped',
  'effect.committed',
  'effect.deduplicated',
  'effect.refused',
]);

/** Components that act in the trial: what they write of an effect is their own word, and no ledger. */
export function actingComponents(events: readonly HindcastEvent[]): ReadonlySet<string> {
  return new Set(events.flatMap(({ type, source }) => (actingTypes.has(type) ? [source.component] : [])));
}

/** Told of an effect by a component that acts, of itself or of what a service is to have said. */
export function isOwnWord({ type, source }: HindcastEvent, acting: ReadonlySet<string>): boolean {
  return ledgerTypes.has(type) && acting.has(source.component);
}

/** Written by a service about what it did. */
export function isOfLedger({ type }: HindcastEvent): boolean {
  return ledgerTypes.has(type) || type === 'model_call.served';
}

/** The life of a process, and its number in the operating system: files of several trials may call theirs alike. */
export function streamKey({ source }: HindcastEvent): string {
  return `${lifeKey(source)}|${String(source.pid ?? '')}`;
}

/** Of each trace the recorded branch, with what services wrote beside it. */
export function countedTraces(traces: readonly RecoveryTrace[]): readonly RecoveryTrace[] {
  const isPlain = (event: HindcastEvent): boolean => event.branch === mainBranch && !isFlagged(event);
  if (traces.every(({ events }) => events.every(isPlain))) return traces;
  const main = traces.flatMap(({ events }) => events.filter(({ branch }) => branch === mainBranch));
  const acting = actingComponents(main);
  const isServices = (event: HindcastEvent): boolean => isOfLedger(event) && !acting.has(event.source.component);
  const logs = new Set(main.filter(isServices).map(streamKey));
  const toCounted = (event: HindcastEvent): readonly HindcastEvent[] => {
    if (logs.has(streamKey(event))) return [asRecorded(event)];
    return event.branch === mainBranch ? [event] : [];
  };
  return traces.map((trace) => ({ ...trace, events: trace.events.flatMap(toCounted) }));
}

function isFlagged(event: HindcastEvent): boolean {
  return event.replayed === true && (isOfLedger(event) || !isKnownEventType(event.type));
}

function asRecorded(event: HindcastEvent): HindcastEvent {
  return event.branch === mainBranch && event.replayed !== true
    ? event
    : { ...event, branch: mainBranch, replayed: false };
}
