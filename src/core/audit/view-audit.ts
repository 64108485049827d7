/**
 * A TraceView as rules see it. Bodies are decoded once per type and kept for the audit of this branch.
 */
import { type EventId, type EventOf, type HindcastEvent, type KnownEventType, mainBranch } from '../model/index.ts';
import type { CausalProblem } from '../causal/index.ts';
import type { EffectLedger } from '../projections/effects/ledger.ts';
import { readCopy } from '../projections/copy-records.ts';
import { viewEvent } from '../projections/effects/view-event.ts';
import { idPrecedes } from '../projections/effects/view-ledger.ts';
import type { TraceView } from '../projections/trace-view.ts';
import type { AnyOf, AuditNeighbour, AuditView } from './audit-view.ts';
import { problemsOnBranch } from './view-problems.ts';

/** Records that control code causes to be written: after one of them, its life was still at work. */
const controlTypes = [
  'run.completed',
  'run.failed',
  'run.rolled_over',
  'step.started',
  'step.completed',
  'decision.made',
  'model_call.requested',
  'tool_call.dispatched',
  'timer.started',
  'signal.awaited',
  'approval.requested',
  'agent.spawned',
  'state.transitioned',
  'artifact.produced',
];

export function viewToAudit(view: TraceView, ledger: EffectLedger, problems: readonly CausalProblem[]): AuditView {
  const { index } = view;
  const byTypes = new Map<string, readonly HindcastEvent[]>();
  let lastControl: ReadonlyMap<number, number> | undefined;
  let commands: ReadonlyMap<string, readonly string[]> | undefined;

  function eventsOf(types: readonly string[]): readonly HindcastEvent[] {
    const key = types.join();
    const known = byTypes.get(key);
    if (known !== undefined) return known;
    const found = view.ofType(...types).map((position) => viewEvent(view, position));
    byTypes.set(key, found);
    return found;
  }

  function neighbours(id: EventId, side: 'causes' | 'effects'): AuditNeighbour[] {
    const position = index.find(id);
    if (!view.holds(position)) return [];
    const edges = side === 'causes' ? view.causesOf(position) : view.effectsOf(position);
    return edges.map((edge) => {
      const other = side === 'causes' ? edge.from : edge.to;
      return { event: index.id(other), type: index.type(other), as: edge.as, grade: edge.grade };
    });
  }

  function positionsOf(ids: readonly EventId[]): number[] {
    return ids.map(index.find).filter((position) => position >= 0);
  }

  function commandsByRun(): ReadonlyMap<string, readonly string[]> {
    return (commands ??= viewToCommands(view));
  }

  function askById(ask: (position: number) => boolean): (id: EventId) => boolean {
    return (id) => {
      const position = index.find(id);
      return position >= 0 && ask(position);
    };
  }

  return {
    branch: view.branch,
    isCopy: readCopy(index) !== undefined,
    ledger,
    problems: problemsOnBranch(view, problems),
    // Cast: `ofType` gives exactly the events of these types.
    events: <T extends KnownEventType>(...types: readonly T[]) => eventsOf(types) as readonly AnyOf<T>[],
    event: (id) => {
      const position = index.find(id);
      return view.holds(position) ? viewEvent(view, position) : undefined;
    },
    isRepeat: (id) => index.has(index.find(id), 'repeat'),
    agents: () => viewToAgents(view),
    hasRun: (run) => commandsByRun().has(run),
    hasCommandIn: (run, path) => holdsBelow(commandsByRun().get(run) ?? [], path),
    has: (...types) => view.ofType(...types).length > 0,
    precedes: (a, b) => idPrecedes(view, a, b),
    beforeAny: (ids) => askById(view.order.beforeAny(positionsOf(ids))),
    afterAny: (ids) => askById(view.order.afterAny(positionsOf(ids))),
    causesOf: (id) => neighbours(id, 'causes'),
    effectsOf: (id) => neighbours(id, 'effects'),
    edits: () => viewToEdits(view),
    orphanEffects: () => viewToOrphans(view, ledger),
    isLastOfLife: (id) => {
      const position = index.find(id);
      lastControl ??= lastControlByLog(view);
      return (lastControl.get(index.logNumber(position)) ?? -1) < (index.seq(position) ?? Infinity);
    },
  };
}

function viewToAgents({ index, positions }: TraceView): ReadonlySet<string> {
  const agents = new Set<string>();
  for (const position of positions) {
    const agent = index.agent(position);
    if (agent !== undefined) agents.add(agent);
  }
  return agents;
}

/** Of each run that has an event on the branch, the paths of its commands and of its steps, sorted. */
function viewToCommands({ index, positions }: TraceView): ReadonlyMap<string, readonly string[]> {
  const byRun = new Map<string, Set<string>>();
  for (const position of positions) {
    const run = index.run(position);
    let paths = byRun.get(run);
    if (paths === undefined) byRun.set(run, (paths = new Set()));
    const path = index.command(position);
    if (path !== undefined) paths.add(path);
    const step = index.step(position);
    if (step?.startsWith('/') === true) paths.add(step);
  }
  return new Map([...byRun].map(([run, paths]) => [run, [...paths].sort()]));
}

/** Whether one of the sorted paths lies inside `path`: the first that is not before `path/` would. */
function holdsBelow(sorted: readonly string[], path: string): boolean {
  const inside = `${path}/`;
  let from = 0;
  for (let to = sorted.length; from < to;) {
    const middle = (from + to) >> 1;
    if ((sorted[middle] ?? '') < inside) from = middle + 1;
    else to = middle;
  }
  return sorted[from]?.startsWith(inside) === true;
}

function viewToEdits(view: TraceView): HindcastEvent[] {
  const { index } = view;
  const mayBeEdit = (position: number): boolean =>
    index.branch(position) !== mainBranch || index.has(position, 'supplied') || index.supersedes(position) >= 0;
  return [...view.positions]
    .filter(mayBeEdit)
    .map((position) => viewEvent(view, position))
    .filter((event) => event.origin === 'supplied' || (event.supersedes !== undefined && !isRecomputed(event)));
}

/** Written by a replay that recomputed it: its operation names the person, the record itself is nobody's insertion. */
function isRecomputed({ origin, replay }: HindcastEvent): boolean {
  return replay !== undefined && origin !== undefined && origin !== 'supplied';
}

/** Committed on the recorded line, and on this branch either not shown or without the request that asked for it. */
function viewToOrphans(view: TraceView, ledger: EffectLedger): EventOf<'effect.committed'>[] {
  const orphans: EventOf<'effect.committed'>[] = [];
  const unmatched = new Set(ledger.unmatched.map(({ id }) => id));
  for (const position of view.index.ofType('effect.committed')) {
    const isShown = view.holds(position);
    const isParents = view.index.branch(position) === mainBranch || view.index.branch(position) === view.info?.parent;
    const hadRequest = view.index.causesOf(position).some(({ from }) => !view.holds(from));
    const event = viewEvent(view, position);
    if (event.type !== 'effect.committed') continue;
    if (isShown ? unmatched.has(event.id) && hadRequest : isParents) orphans.push(event);
  }
  return orphans;
}

/** Highest `seq` of a record of control code, by log. */
function lastControlByLog(view: TraceView): ReadonlyMap<number, number> {
  const last = new Map<number, number>();
  for (const position of view.ofType(...controlTypes)) {
    const log = view.index.logNumber(position);
    last.set(log, Math.max(last.get(log) ?? -1, view.index.seq(position) ?? Infinity));
  }
  return last;
}
