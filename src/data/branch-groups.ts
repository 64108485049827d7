/**
 * The list of branches as a person thinks of it: a replay that stopped and was continued is one line of work, not one branch a stop.
 *
 * Invariant: every branch is in exactly one group. Whatever differs in anything but supplied answers begins a group of its own.
 *
 * Loaded when something is to be grouped, not with the first page: reading an operation brings the words of replays along.
 */
import { type BranchOperation, linesToOperation } from './branch-operation.ts';
import type { BranchRecord, TraceId } from '../platform/storage/index.ts';
import type { ReplayRequest } from '../platform/workers/index.ts';

export interface BranchEntry {
  readonly id: string;
  /** When it was made; empty for a branch that came with the file. */
  readonly created: string;
  readonly operation: BranchOperation | undefined;
}

export interface BranchGroup<Entry extends BranchEntry> {
  readonly last: Entry;
  /** Stops on the way to it, newest first: the same change, with some of its answers. */
  readonly earlier: readonly Entry[];
}

/** Newest first; a continued replay stands where its last stop stands. */
export function groupBranches<Entry extends BranchEntry>(
  entries: readonly Entry[],
  trace: TraceId,
): readonly BranchGroup<Entry>[] {
  const newest = entries.toSorted((a, b) => (a.created < b.created ? 1 : a.created > b.created ? -1 : 0));
  const groups: { last: Entry; earlier: Entry[]; answers: ReadonlySet<string> }[] = [];
  const byChange = new Map<string, typeof groups>();
  for (const entry of newest) {
    const request = entry.operation?.request(trace);
    const answers = new Set(request?.supply.map((one) => JSON.stringify(one)) ?? []);
    // A branch whose operation is not recorded continues nothing that could be known.
    const change = request === undefined ? undefined : requestToChange(request);
    const alike = change === undefined ? [] : (byChange.get(change) ?? []);
    const later = alike.find(
      (group) => group.answers.size > answers.size && [...answers].every((one) => group.answers.has(one)),
    );
    if (later !== undefined) {
      later.earlier.push(entry);
      continue;
    }
    const group = { last: entry, earlier: [], answers };
    groups.push(group);
    if (change !== undefined) byChange.set(change, [...alike, group]);
  }
  return groups.map(({ last, earlier }) => ({ last, earlier }));
}

/** Everything that makes a replay another one, except answers and the person's reason. */
function requestToChange({ supply: _supply, reason: _reason, patience: _patience, ...rest }: ReplayRequest): string {
  return JSON.stringify(Object.entries(rest).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Branches that a later one continues, with the latest of their line; the latest with its stops, newest first. */
export interface BranchLines {
  readonly latestOf: ReadonlyMap<string, string>;
  readonly stopsOf: ReadonlyMap<string, readonly string[]>;
}

export function recordsToLines(records: readonly BranchRecord[], trace: TraceId): BranchLines {
  const groups = groupBranches(
    records.map(({ branch, created, lines }) => ({ id: branch, created, operation: linesToOperation(lines) })),
    trace,
  );
  return {
    latestOf: new Map(groups.flatMap(({ last, earlier }) => earlier.map(({ id }) => [id, last.id] as const))),
    stopsOf: new Map(groups.map(({ last, earlier }) => [last.id, earlier.map(({ id }) => id)] as const)),
  };
}
