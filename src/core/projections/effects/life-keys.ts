/**
 * Which records are of one process life where several runs are read together: two runs may have workers of equal name, each a process of
 * its own.
 *
 * Invariant: one name is one life unless the records contradict it: it starts in both runs, has a process id of its own in each, or numbers
 * two records alike. Runs that causes tie are one group, and no name in them is taken apart. Called by lives.ts.
 */
import type { EventEnvelope, HindcastEvent } from '../../model/index.ts';
import { isService } from '../title-words.ts';

export interface LifeKeys {
  readonly keyOf: (event: EventEnvelope) => string;
  /** Where the name is told apart: whether the life is one of the runs that this record is of. */
  readonly isOfRun: (key: string, event: EventEnvelope) => boolean;
}

export function lifeKey(source: EventEnvelope['source']): string {
  return `${source.component}|${String(source.instance ?? '')}|${String(source.incarnation ?? '')}`;
}

interface Seen {
  starts: number;
  readonly pids: Set<number>;
  readonly seqs: Set<number>;
}

export function createLifeKeys(events: readonly HindcastEvent[]): LifeKeys {
  const runs = new Set(events.map(({ run }) => run));
  const groupOf = runs.size < 2 ? (run: string): string => run : tieRuns(events);
  const apart = runs.size < 2 ? new Set<string>() : findApart(events, groupOf);
  const keyOf = ({ source, run }: EventEnvelope): string => {
    const name = lifeKey(source);
    return apart.has(name) ? `${name}|${groupOf(run)}` : name;
  };
  const isOfRun = (key: string, { run }: EventEnvelope): boolean =>
    [...apart].every((name) => !key.startsWith(`${name}|`) || key === `${name}|${groupOf(run)}`);
  return { keyOf, isOfRun };
}

/** Runs of which a record names one of the other as its cause. */
function tieRuns(events: readonly HindcastEvent[]): (run: string) => string {
  const runOf = new Map<string, string>(events.map(({ id, run }) => [id, run]));
  const parents = new Map<string, string>();
  const rootOf = (run: string): string => {
    let root = run;
    for (let next = parents.get(root); next !== undefined; next = parents.get(root)) root = next;
    return root;
  };
  for (const { run, causes = [] } of events) {
    for (const { event } of causes) {
      const [one, other] = [rootOf(run), rootOf(runOf.get(event) ?? run)];
      if (one !== other) parents.set(one, other);
    }
  }
  return rootOf;
}

function findApart(events: readonly HindcastEvent[], groupOf: (run: string) => string): ReadonlySet<string> {
  const byName = new Map<string, Map<string, Seen>>();
  for (const event of events) {
    const { source, run, seq, type } = event;
    if (isService(source.component)) continue;
    const name = lifeKey(source);
    const groups = byName.get(name) ?? new Map<string, Seen>();
    byName.set(name, groups);
    const seen = groups.get(groupOf(run)) ?? { starts: 0, pids: new Set(), seqs: new Set() };
    groups.set(groupOf(run), seen);
    if (type === 'worker.started') seen.starts++;
    if (source.pid !== undefined) seen.pids.add(source.pid);
    if (seq !== undefined) seen.seqs.add(seq);
  }
  return new Set([...byName].flatMap(([name, groups]) => (isContradicted([...groups.values()]) ? [name] : [])));
}

function isContradicted(groups: readonly Seen[]): boolean {
  return groups.some((one, at) => groups.slice(at + 1).some((other) => contradict(one, other)));
}

function contradict(one: Seen, other: Seen): boolean {
  if (one.starts > 0 && other.starts > 0) return true;
  if (one.pids.size > 0 && other.pids.size > 0 && !haveCommon(one.pids, other.pids)) return true;
  return haveCommon(one.seqs, other.seqs);
}

function haveCommon(one: ReadonlySet<number>, other: ReadonlySet<number>): boolean {
  for (const value of one) if (other.has(value)) return true;
  return false;
}
