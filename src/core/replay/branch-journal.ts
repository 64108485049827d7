/**
 * The journal of a branch: its parent's entries as the branch's own lines reuse, supersede and extend them (mapping I).
 *
 * A branch copies nothing: `observation.reused` points at a record of an ancestor, a superseding event replaces one
 * observation, a new issue is open until the branch gives it a value (it was never dispatched, so it is never uncertain).
 */
import { type HindcastEvent, isDigest } from '../model/index.ts';
import { isJsonObject } from '../base/json.ts';
import { pathToParts, pathToSegment } from './command-path.ts';
import { dataOf } from './contents.ts';
import { eventToOutcome, eventToRow } from './event-roles.ts';
import { computeJournal, eventToDraft, finishJournal } from './journal.ts';
import type { Journal, JournalEntry } from './journal-types.ts';
import { toPosition } from './position.ts';
import { entryToKey } from './protection.ts';

/** `main` first, then every branch down to `branch`; `undefined` when a parent is not in the stream. */
export function branchToLineage(events: readonly HindcastEvent[], branch: string): readonly string[] | undefined {
  const parents = new Map<string, string>();
  for (const event of events) if (event.type === 'branch.created') parents.set(event.branch, event.data.parent);
  const line = [branch];
  for (let b = branch; b !== 'main';) {
    const parent = parents.get(b);
    if (parent === undefined || line.includes(parent)) return undefined;
    line.unshift(parent);
    b = parent;
  }
  return line;
}

/** Own lines of a branch in the order they were produced. */
export function branchToLines(events: readonly HindcastEvent[], branch: string): readonly HindcastEvent[] {
  const lines = events.filter((event) => event.branch === branch);
  return lines.sort((a, b) => lineNumber(a) - lineNumber(b));
}

function lineNumber(event: HindcastEvent): number {
  return Number(/:(\d+)$/.exec(event.id)?.[1] ?? 0);
}

/** Events of the parent line that a branch does not inherit. */
export function branchToExcluded(events: readonly HindcastEvent[], branch: string): ReadonlySet<string> {
  for (const event of events) {
    if (event.branch !== branch || event.type !== 'branch.created') continue;
    const { frontier } = event.data;
    const minus = isJsonObject(frontier) ? frontier['minus'] : undefined;
    return new Set(Array.isArray(minus) ? minus.filter((id) => typeof id === 'string') : []);
  }
  return new Set();
}

/** What a branch shows of a run: the frontier it inherits, then its own events. */
export function computeBranchEvents(
  events: readonly HindcastEvent[],
  run: string,
  lineage: readonly string[],
): readonly HindcastEvent[] {
  let visible = events.filter((event) => event.run === run && event.branch === 'main');
  for (const branch of lineage.slice(1)) {
    const excluded = branchToExcluded(events, branch);
    visible = [...visible.filter((event) => !excluded.has(event.id)), ...branchToLines(events, branch)];
  }
  return visible;
}

export function computeJournalOfBranch(
  events: readonly HindcastEvent[],
  run: string,
  segment: number,
  lineage: readonly string[],
): Journal {
  let journal = computeJournal(events, { run, segment });
  for (const branch of lineage.slice(1)) {
    journal = applyLines(journal, branchToLines(events, branch), segment, branchToExcluded(events, branch));
  }
  return journal;
}

function applyLines(
  parent: Journal,
  lines: readonly HindcastEvent[],
  segment: number,
  excluded: ReadonlySet<string>,
): Journal {
  const entries = new Map<string, JournalEntry>();
  // A segment the operation did not run again is inherited as it is, but for what the frontier leaves out.
  const isTouched = lines.some((line) => pathToSegment(lineToPath(line)) === segment && lineToPath(line) !== '');
  if (!isTouched)
    for (const entry of parent.entries) if (!excluded.has(entry.issueEvent)) entries.set(entry.path, entry);
  for (const event of lines) {
    const entry = event.type === 'observation.reused' ? reused(event, parent) : fromEvent(event, parent, entries);
    if (entry !== undefined && pathToSegment(entry.path) === segment) entries.set(entry.path, entry);
  }
  const { problems, orderAssumed, rules, replayable } = parent;
  return finishJournal([...entries.values()], { problems, orderAssumed, rules, replayable });
}

/** Of the command that a line of a branch is about; empty where it is about none. */
export function lineToPath(line: HindcastEvent): string {
  const path = line.type === 'observation.reused' ? line.data.path : line.command?.path;
  return path ?? '';
}

function reused(event: HindcastEvent, parent: Journal): JournalEntry | undefined {
  const data = dataOf(event);
  const entry = [...idsOf(data['event'])]
    .map((id) => parent.entriesByEvent.get(id))
    .find((found) => found !== undefined);
  if (entry === undefined) return undefined;
  const path = typeof data['path'] === 'string' ? data['path'] : entry.path;
  const { delivered, idempotency_key: key } = data;
  const parts = pathToParts(path);
  return {
    ...entry,
    path,
    scope: parts.scope,
    label: parts.label,
    index: parts.index,
    // A key made from the place of the record says so only there.
    programKey: typeof key === 'string' || key === null ? key : (entryToKey(entry) ?? null),
    delivered: typeof delivered === 'number' || typeof delivered === 'string' ? toPosition(delivered) : entry.delivered,
    events: [...entry.events, event.id],
  };
}

function* idsOf(value: unknown): Generator<HindcastEvent['id']> {
  // Cast: a text that is no id simply finds nothing.
  if (typeof value === 'string') yield value as HindcastEvent['id'];
}

function fromEvent(
  event: HindcastEvent,
  parent: Journal,
  entries: ReadonlyMap<string, JournalEntry>,
): JournalEntry | undefined {
  const row = eventToRow(event);
  if (row === undefined || row.role === 'side' || event.command === undefined) return undefined;
  const { path, issued, delivered, vt } = event.command;
  const position = issued === undefined ? undefined : toPosition(issued);
  if (row.role === 'issue') {
    const key = dataOf(event)['idempotency_key'];
    const programKey = typeof key === 'string' ? key : null;
    return { ...eventToDraft(event, position), attempts: [], programKey, events: [event.id] };
  }
  const before =
    entries.get(path) ??
    (event.supersedes === undefined ? undefined : parent.entriesByEvent.get(event.supersedes)) ??
    parent.entriesByPath.get(path);
  const base =
    row.role === 'one' && event.command.args !== undefined && isDigest(event.command.args)
      ? eventToDraft(event, position)
      : (before ?? eventToDraft(event, position));
  const key = dataOf(event)['program_key'];
  const asked = entries.has(path) ? base.programKey : before === undefined ? undefined : (entryToKey(before) ?? null);
  const programKey = typeof key === 'string' || key === null ? key : asked;
  return {
    ...base,
    path,
    ...(programKey === undefined ? {} : { programKey }),
    given: event.origin === 'supplied' && (row.kind === 'decide' || row.kind === 'child'),
    observation: eventToOutcome(event, row),
    finalEvent: event.id,
    finalType: event.type,
    delivered: delivered === undefined ? base.delivered : toPosition(delivered),
    vt: vt ?? base.vt,
    events: [...base.events, event.id],
  };
}
