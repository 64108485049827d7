/**
 * Whether the run came to its end, and whether the records do (R89, R95, R111).
 *
 * Invariant: a run that is not recorded to its end is none that did not complete. Only a process that runs the control code can say that
 * the run completed; what its harness says of it is a claim. `trial.finished` counts for being there, never for what it says, and a run
 * that stands at a request which no service answers (`dead-end.ts`) did not complete with or without it.
 * Called by outcome.ts, validity.ts, control.ts (through campaign.ts) and equivalence.ts.
 */
import { withoutEnd } from '../base/text-end.ts';
import type { EventOf, HindcastEvent } from '../model/index.ts';
import { type Life, lifeKey } from '../projections/effects/lives.ts';
import { findDeadEnd } from './dead-end.ts';
import { findMissingEnd, isNewWork } from './missing-records.ts';
import type { TrialRecords } from './trial-records.ts';

export interface Completion {
  /** Undefined where the records stop before the end, or contradict each other about it. */
  readonly completed: boolean | undefined;
  readonly by: EventOf<'run.completed'> | undefined;
  readonly text: string;
  /** Why the records do not say how the trial ended. */
  readonly open: { readonly text: string; readonly events: readonly string[] } | undefined;
  /** The records stop: the ledger may go on after them too. */
  readonly isCutOff: boolean;
  /** Records of the processes are known to be missing: what they asked for is not known in full either. */
  readonly lacksWork?: true;
  /** What the answer rests on where nobody recorded an end. */
  readonly limit?: string;
}

/** Only who runs the control code writes these. */
const working: ReadonlySet<string> = new Set([
  'run.started',
  'worker.started',
  'tool_call.dispatched',
  'model_call.requested',
]);

export function computeCompletion(trial: TrialRecords): Completion {
  const isWorkers = createIsWorkers(trial);
  const [by] = trial.ofType('run.completed').filter(isWorkers);
  const failed = trial.ofType('run.failed').filter(isWorkers);
  const contradiction = by === undefined ? undefined : contradict(trial, by, failed);
  if (contradiction !== undefined)
    return { completed: undefined, by, text: contradiction.text, open: contradiction, isCutOff: false };
  if (by !== undefined) return { completed: true, by, text: 'The run completed.', open: undefined, isCutOff: false };
  const text = failureToText(trial, failed);
  const stopped = { completed: false, by, text, open: undefined, isCutOff: false } as const;
  if (failed.length > 0) return stopped;
  const limit = isEnded(trial) ? undefined : deadEndToLimit(trial);
  if (limit === undefined && !isEnded(trial)) {
    const open = toOpenEnd(trial);
    return { completed: undefined, by, text: open.text, open, isCutOff: true };
  }
  const missing = toMissingEnd(trial);
  if (missing === undefined) return limit === undefined ? stopped : { ...stopped, limit };
  return { ...stopped, completed: undefined, text: missing.text, open: missing, lacksWork: true };
}

function deadEndToLimit(trial: TrialRecords): string | undefined {
  const found = findDeadEnd(trial);
  if (found === undefined) return undefined;
  const { asked, executed } = found;
  return `The end of the trial is not recorded. That the run did not complete rests on its last request ("${asked.id}"): its key stands for another body, which was carried out ("${executed.id}"), and a service that keeps to keys refuses it. What may have come after it is not known.`;
}

/** That no record tells of the end says nothing where it may be told in one that is not here. */
function toMissingEnd(trial: TrialRecords): Completion['open'] {
  const missing = findMissingEnd(trial);
  if (missing === undefined) return undefined;
  return { text: `Whether the run completed is not known: ${missing.text}.`, events: missing.events };
}

/** What other processes than those that run the control code say of the end of the run. */
export function completionClaims(trial: TrialRecords): readonly EventOf<'run.completed'>[] {
  const isWorkers = createIsWorkers(trial);
  return trial.ofType('run.completed').filter((event) => event.run === trial.run && !isWorkers(event));
}

function createIsWorkers(trial: TrialRecords): (event: HindcastEvent) => boolean {
  const sources = trial.events.filter(({ type }) => working.has(type)).map(({ source }) => source);
  const workers = new Set(sources.map(lifeKey));
  // A later life may have nothing else to do than to find that all is done.
  const components = new Set(sources.map(({ component }) => component));
  const harness = trial.input.started.source.component;
  const isWorker = (source: HindcastEvent['source']): boolean =>
    workers.has(lifeKey(source)) || (source.component !== harness && components.has(source.component));
  return ({ run, source }) => run === trial.run && (workers.size === 0 || isWorker(source));
}

/** It failed as well, or a later life went on with it: then either did not happen. */
function contradict(
  trial: TrialRecords,
  by: EventOf<'run.completed'>,
  failed: readonly EventOf<'run.failed'>[],
): Completion['open'] {
  const [other] = failed;
  const what = `"${by.id}" says that the run completed`;
  if (other !== undefined)
    return {
      text: `${what}, and "${other.id}" that it failed: which of the two is not known.`,
      events: [by.id, other.id],
    };
  const own = trial.ledger.lives.of(by);
  const later = trial.workers.slice(own === undefined ? trial.workers.length : trial.workers.indexOf(own) + 1);
  const after = later.flatMap((life) => trial.ofLife(life)).find(isNewWork);
  if (after === undefined) return undefined;
  return {
    text: `${what}, and a later process went on with it ("${after.id}"): whether it had completed is not known.`,
    events: [by.id, String(after.id)],
  };
}

/** The harness wrote its last word, or the last process ended by itself. After a kill another is to come. */
function isEnded(trial: TrialRecords): boolean {
  if (trial.told.some(({ type }) => type === 'trial.finished')) return true;
  const last = trial.workers.at(-1);
  if (last?.exited === undefined || last.injections.length > 0) return false;
  return !trial.ofType('worker.spawned').some((spawned) => isLater(trial, spawned, last));
}

/** A start after the end of what seems to be the last process: of one of which nothing else is on record. */
function isLater(trial: TrialRecords, spawned: HindcastEvent, { exited }: Life): boolean {
  return exited !== undefined && trial.compare(exited, spawned).order === 'before';
}

function toOpenEnd(trial: TrialRecords): NonNullable<Completion['open']> {
  const last = trial.events.at(-1);
  const text =
    'Whether the run completed is not known: its records stop before an end of the trial (no end of the run or of its last process, and no trial.finished). The file may be cut off.';
  return { text, events: last === undefined ? [] : [last.id] };
}

function failureToText(trial: TrialRecords, [failed]: readonly EventOf<'run.failed'>[]): string {
  if (failed !== undefined) {
    const message = failed.data.error?.message ?? 'reason not recorded';
    return `The run failed: ${withoutEnd(message, '. \t\r\n')}.`;
  }
  const wording = trial.absence(trial.workers.at(-1));
  return wording === 'absent'
    ? 'No record says that the run completed.'
    : 'A record that the run completed is absent or lost: the last process did not write its records through.';
}

/** As a list of facts says it. */
export function completionToWords(completed: boolean | undefined): string {
  if (completed === undefined) return 'completion not known';
  return completed ? 'completed' : 'not completed';
}
