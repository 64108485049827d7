/**
 * What a replay made of each event, read back from the branch's own lines: on the branch (reused, superseded, changed, inserted, pending,
 * suspect, orphan effect) and on its parent (superseded, changed, removed or not reached, suspect, orphan effect).
 *
 * Invariant: nothing here is recomputed. A status follows from what the branch wrote (`observation.reused`, `supersedes`, `origin`, what
 * blocked it) and from what it left out of the frontier; where that does not decide, the event has no mark. An id in a line of the branch
 * means the record of the branch's own run (causal G6).
 */
import { type JsonValue, isJsonArray } from '../base/json.ts';
import { hasBit, memberOf, payloadOf, textAt, textOf } from '../causal/index.ts';
import { type BranchId, type EventId, type HindcastEvent, eventId } from '../model/index.ts';
import type { BranchMark, BranchMarks } from './trace-reader.ts';
import type { TraceParts } from './trace-view.ts';

const bookkeeping: ReadonlySet<string> = new Set([
  'branch.created',
  'replay.started',
  'replay.completed',
  'replay.diverged',
  'observation.reused',
]);

export function computeBranchMarks({ index, source, branches }: TraceParts, branch: BranchId): BranchMarks | undefined {
  const info = branches.find(branch);
  if (info?.parent === undefined) return undefined;
  const lines = readOwnLines({ index, source }, branch);
  const own = lines.map(({ event }) => event);
  const blocked = readBlocked(own);
  // Before the end nothing is known of what the branch has not come to; what had no answer at the end was left running.
  const ended = hasEnded(own);
  const gone = ended ? 'removed' : 'not reached';
  const leftOpen = ended ? findLeftOpen(own) : new Set<HindcastEvent>();
  const onBranch = new Map<EventId, BranchMark['status']>();
  const onParent = new Map<EventId, BranchMark['status']>();
  const statusByPath = new Map<string, BranchMark['status']>();
  /** As it is shown; one that is not in the trace has the id it is named by. */
  const shownId = (position: number, text: string): EventId => (position < 0 ? eventId(text) : index.id(position));
  // The end of a run has no path; the branch's own end takes the place of the parent's.
  const hasOwnEnd = own.some(({ type }) => isRunEnd(type));
  for (const { position, event } of lines) {
    if (event.type === 'observation.reused') {
      const text = textAt(payloadOf(event), 'event');
      if (text === undefined) continue;
      const reused = shownId(index.pointsAt(position), text);
      const path = textAt(payloadOf(event), 'path') ?? '';
      const status = waitsToStatus(blocked.get(path)) ?? (leftOpen.has(event) ? 'open' : 'reused');
      onBranch.set(reused, status);
      if (status === 'open') onParent.set(reused, status);
      continue;
    }
    if (bookkeeping.has(event.type)) continue;
    const path = event.command?.path ?? '';
    const status = leftOpen.has(event) ? 'open' : eventToStatus(event, blocked.get(path), statusByPath.get(path));
    onBranch.set(index.id(position), status);
    if (path !== '') statusByPath.set(path, status);
    if (event.supersedes === undefined) continue;
    const superseded = shownId(index.supersedes(position), event.supersedes);
    onParent.set(superseded, status === 'pending' ? 'changed' : status);
  }
  const leftOut = branches.leftOut(branch);
  for (const position of leftOut) {
    const id = index.id(position);
    if (onParent.has(id)) continue;
    const status = statusByPath.get(source.at(position).command?.path ?? '');
    if (hasOwnEnd && isRunEnd(index.type(position))) onParent.set(id, 'changed');
    else onParent.set(id, status === undefined || status === 'pending' || status === 'inserted' ? gone : status);
  }
  const minus = new Set(leftOut);
  for (const position of findOrphans({ index, branches }, info.parent, minus)) {
    onParent.set(index.id(position), 'orphan effect');
    if (!minus.has(position)) onBranch.set(index.id(position), 'orphan effect');
  }
  return { parent: info.parent, onBranch: toList(onBranch), onParent: toList(onParent) };
}

interface OwnLine {
  readonly position: number;
  readonly event: HindcastEvent;
}

function readOwnLines({ index, source }: Pick<TraceParts, 'index' | 'source'>, branch: BranchId): readonly OwnLine[] {
  const own: OwnLine[] = [];
  for (let position = 0; position < index.count; position++)
    if (index.branch(position) === branch) own.push({ position, event: source.at(position) });
  const numberOf = ({ event }: OwnLine): number => Number(/:(\d+)$/.exec(event.id)?.[1] ?? 0);
  return own.sort((a, b) => numberOf(a) - numberOf(b));
}

/** By what the replay said of itself: a branch that waits, or was stopped, has not ended. */
function hasEnded(own: readonly HindcastEvent[]): boolean {
  return !own.some((event) => event.type === 'replay.completed' && isOpenStatus(textAt(payloadOf(event), 'status')));
}

function isRunEnd(type: string): boolean {
  return type === 'run.completed' || type === 'run.failed';
}

function isOpenStatus(status: string | undefined): boolean {
  return status === 'blocked' || status === 'limit' || status === 'aborted-by-host';
}

/** Why each open command waits, by path. */
function readBlocked(own: readonly HindcastEvent[]): ReadonlyMap<string, string> {
  const out = new Map<string, string>();
  for (const event of own) {
    if (event.type !== 'replay.completed') continue;
    const list: JsonValue | undefined = memberOf(payloadOf(event), 'blocked');
    for (const one of isJsonArray(list) ? list : []) {
      const path = textAt(one, 'path');
      if (path !== undefined) out.set(path, textOf(memberOf(one, 'reason')) ?? '');
    }
  }
  return out;
}

function eventToStatus(
  event: HindcastEvent,
  waitsFor: string | undefined,
  issued: BranchMark['status'] | undefined,
): BranchMark['status'] {
  const waits = waitsToStatus(waitsFor);
  if (waits !== undefined) return waits;
  // An answer to a command this branch issued has the status of its request; one given to a recorded command replaces its value.
  if (issued !== undefined) return issued;
  if (event.supersedes === undefined) return event.command === undefined ? 'changed' : 'inserted';
  return event.origin === 'supplied' || event.origin === 'reconciled' ? 'superseded' : 'changed';
}

function waitsToStatus(reason: string | undefined): BranchMark['status'] | undefined {
  if (reason === undefined) return undefined;
  return reason === 'suspect' || reason === 'uncertain' ? reason : 'pending';
}

/**
 * Asked for on the branch and never answered, although the run ended there: a sub-agent that was left running, and what it was doing. A
 * request without an answer of its path; or a record that was claimed and never delivered.
 */
function findLeftOpen(own: readonly HindcastEvent[]): ReadonlySet<HindcastEvent> {
  const answered = new Set(own.flatMap(({ command }) => (command?.delivered === undefined ? [] : [command.path])));
  return new Set(
    own.filter((event) =>
      event.type === 'observation.reused'
        ? textAt(payloadOf(event), 'delivered') === undefined
        : event.command?.issued !== undefined && !answered.has(event.command.path),
    ),
  );
}

/** What the world has and the branch does not: committed effects whose request the branch left out. */
function findOrphans(
  { index, branches }: Pick<TraceParts, 'index' | 'branches'>,
  parent: BranchId,
  minus: ReadonlySet<number>,
): readonly number[] {
  const visible = branches.visible(parent);
  return [...index.ofType('effect.committed')]
    .filter((at) => hasBit(visible, at))
    .filter((at) => minus.has(at) || index.causesOf(at).some(({ from }) => minus.has(from)));
}

function toList(marks: ReadonlyMap<EventId, BranchMark['status']>): readonly BranchMark[] {
  return [...marks].map(([event, status]) => ({ event, status }));
}
