/**
 * Records of a trial that are known not to be here: nobody could read them, others name them, or a log has a hole where they stood.
 *
 * Invariant: nothing is concluded from the absence of a record that may be among these. The verdicts of producers count as if they were
 * not there, so that a stream without them is judged as the one with them. Called by completion.ts, outcome.ts and invariants.ts.
 */
import type { HindcastEvent } from '../model/index.ts';
import type { Life } from '../projections/effects/lives.ts';
import { gapsToText, type LedgerGap } from './ledger-gaps.ts';
import { actingComponents } from './services.ts';
import { announces } from './start-by-design.ts';
import type { TrialRecords } from './trial-records.ts';
import { mayBeOfType, type UnreadOfTrial, unreadToClause } from './unread-records.ts';

export interface Missing {
  /** A clause. */
  readonly text: string;
  readonly events: readonly string[];
}

/** Where the end of the run may be told, beside what is here: then that nothing tells of it says nothing. */
export function findMissingEnd(trial: TrialRecords): Missing | undefined {
  const unread = trial.input.unread.filter((record) => mayBeOfType(record, /^run\./));
  const isLast = createIsLast(trial);
  return unreadToMissing(unread) ?? findSilent(trial) ?? findNamedWork(trial, isLast) ?? findHoleAtEnd(trial, isLast);
}

/** What a process asked for may stand in records that are not here. */
export function findMissingWork(trial: TrialRecords): Missing | undefined {
  return findSilent(trial) ?? findNamedWork(trial, () => true);
}

/** Records of any kind of which nobody knows what they tell. A line that a killed process did not finish is none that it wrote. */
export function findMissing(trial: TrialRecords): Missing | undefined {
  const { unread, lost } = trial.input;
  const { gaps } = trial;
  const [first] = lost;
  return (
    unreadToMissing(unread.filter(({ isCut }) => !isCut)) ??
    (gaps.length > 0 ? { text: gapsToText(gaps), events: gaps.flatMap(({ events }) => events) } : undefined) ??
    (first === undefined ? undefined : { text: `${first.trace}: records under ids of others`, events: first.events }) ??
    findSilent(trial)
  );
}

/** Records of a family, such as `effect`, that are on file and could not be read. */
export function findUnreadOf(trial: TrialRecords, family: RegExp): Missing | undefined {
  return unreadToMissing(trial.input.unread.filter((record) => !record.isCut && mayBeOfType(record, family)));
}

function unreadToMissing(unread: readonly UnreadOfTrial[]): Missing | undefined {
  return unread.length === 0 ? undefined : { text: unreadToClause(unread), events: [] };
}

/** The process that was started last wrote nothing that is here, or none that ran the control code did. */
function findSilent(trial: TrialRecords): Missing | undefined {
  const spawned = trial.ofType('worker.spawned').at(-1);
  if (spawned !== undefined && !trial.ledger.lives.all.some((life) => isStart(trial, spawned, life))) {
    const text = `no record of the process that was started last ("${spawned.id}") is here`;
    return { text, events: [spawned.id] };
  }
  if (trial.ofType('worker.started', 'run.started', 'tool_call.dispatched', 'model_call.requested').length > 0)
    return undefined;
  return { text: 'no record of a process that runs the control code is here', events: [] };
}

/** Where a start names neither the life nor is named by it, any later life may be its own. */
function isStart(trial: TrialRecords, spawned: HindcastEvent, life: Life): boolean {
  if (announces(spawned, life)) return true;
  if (spawned.data?.['worker'] !== undefined) return false;
  const [first] = trial.ofLife(life);
  const isOther = life.key !== trial.ledger.lives.of(spawned)?.key;
  const isWorker = isOther && actingComponents(trial.events).has(life.component);
  return isWorker && first !== undefined && trial.compare(first, spawned).order !== 'before';
}

/** A service names what asked it, or a process another one: what is not here is a record of a process, and where it stood is not known. */
function findNamedWork(trial: TrialRecords, isAbout: (namer: HindcastEvent) => boolean): Missing | undefined {
  const acting = actingComponents(trial.events);
  const isWork = ({ kind, component, events: [id = ''] }: LedgerGap): boolean => {
    const namer = trial.find(id);
    if (kind !== 'named' || namer === undefined || !isAbout(namer)) return false;
    return component === undefined ? !acting.has(namer.source.component) : acting.has(component);
  };
  const gaps = trial.gaps.filter(isWork);
  return gaps.length === 0 ? undefined : { text: gapsToText(gaps), events: gaps.flatMap(({ events }) => events) };
}

/** Nobody began anything new with it or after it: what stood before it may have been the end of the run. */
function createIsLast(trial: TrialRecords): (event: HindcastEvent) => boolean {
  const work = trial.events.filter(isNewWork);
  return (event) => !work.some((later) => later === event || trial.compare(event, later).order === 'before');
}

/** A number that is missing from the log of a process. */
function findHoleAtEnd(trial: TrialRecords, isLast: (event: HindcastEvent) => boolean): Missing | undefined {
  for (const life of trial.workers) {
    const own = trial.ofLife(life).filter(({ seq }) => seq !== undefined);
    const log = [...own].sort((a, b) => Number(a.seq) - Number(b.seq));
    const at = log.findIndex((after, n) => isHole(log[n - 1], after) && isLast(after));
    const [before, after] = [log[at - 1], log[at]];
    if (before === undefined || after === undefined) continue;
    const text = `a record of ${life.label} between "${before.id}" and "${after.id}" is missing from its log`;
    return { text, events: [before.id, after.id] };
  }
  return undefined;
}

function isHole(before: HindcastEvent | undefined, after: HindcastEvent): boolean {
  return before !== undefined && Number(after.seq) - Number(before.seq) > 1;
}

/** Begun by the process that wrote it, and not told again by an engine that replays. */
export function isNewWork({ type, replayed }: HindcastEvent): boolean {
  return replayed !== true && (type === 'tool_call.dispatched' || type === 'model_call.requested');
}
