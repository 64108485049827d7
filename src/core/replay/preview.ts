/**
 * What an edit would invalidate, by the declared edges alone (I6): works without control code, and never runs any.
 *
 * Follows all causes forward; what is reached only through `informed_by` may fall, the rest falls. A record after the edit in
 * the same line of work that declares no consumption at all is `unknown`, never retained (R45).
 */
import type { JsonValue } from '../base/json.ts';
import { listFrames, saysWhatItUsed } from '../causal/index.ts';
import type { EventId, HindcastEvent } from '../model/index.ts';
import { areFibersRelated, pathToFiber } from './command-path.ts';
import { type DeliveredValue, createContentIndex } from './content-rule.ts';
import type { Journal, JournalEntry } from './journal-types.ts';
import { comparePositions } from './position.ts';
import { type HoldingEvent, findHolding } from './preview-holding.ts';
import { type ReplayReason, cutStep, mostSteps } from './reason.ts';

export type PreviewStatus = 'edited' | 'falls' | 'may-fall' | 'unknown' | 'stands';

export interface PreviewItem {
  readonly path: string;
  readonly kind: string;
  readonly name: string;
  readonly event: EventId;
  readonly status: PreviewStatus;
  /** From the record back to the edit. */
  readonly reasons: readonly ReplayReason[];
}

/** One event that does not stand, whether or not a command owns it: what a graph or a transcript marks. */
export interface PreviewedEvent {
  readonly event: EventId;
  readonly status: Exclude<PreviewStatus, 'stands'>;
  /** One step towards the edit; absent at the edit itself, and where nothing declares what was used. */
  readonly because?: ReplayReason;
}

export interface PreviewReport {
  readonly items: readonly PreviewItem[];
  /** In the order of the stream; every event that is not here stands. */
  readonly events: readonly PreviewedEvent[];
  /** Starts and ends of sub-agents and steps that stand while something between them does not. */
  readonly holding: readonly HoldingEvent[];
  readonly counts: Readonly<Record<PreviewStatus, number>>;
  /** True when something after the edit has no references: the trace cannot say what falls. */
  readonly insufficient: boolean;
}

interface Unit {
  readonly path: string;
  readonly kind: string;
  readonly name: string;
  readonly event: EventId;
  readonly events: readonly EventId[];
  readonly hasReferences: boolean;
  readonly fiber: string;
  isAfter(target: Unit): boolean;
}

interface Edge {
  readonly to: EventId;
  readonly as: string;
}

/** `targets`: events whose value is replaced; the start of the run stands for its input. */
export function computePreview(
  events: readonly HindcastEvent[],
  journal: Journal,
  targets: ReadonlySet<EventId>,
): PreviewReport {
  const inferred = contentEdges(journal);
  const forward = forwardEdges(events, journal, inferred);
  const strong = reach(forward, targets, (as) => as !== 'informed_by');
  const weak = reach(forward, new Set([...targets, ...strong.keys()]), () => true);
  const units = journal.entries.length > 0 ? entriesToUnits(events, journal, inferred) : eventsToUnits(events);
  const edited = units.filter((unit) => unit.events.some((id) => targets.has(id)));
  const isInput = [...targets].some((id) => events.some((event) => event.id === id && event.type === 'run.started'));
  const items = units.map((unit): PreviewItem => {
    const { path, kind, name, event } = unit;
    const item = { path, kind, name, event };
    if (edited.includes(unit)) return { ...item, status: 'edited', reasons: [] };
    const fallen = unit.events.find((id) => strong.has(id));
    if (fallen !== undefined) return { ...item, status: 'falls', reasons: reasonsOf(fallen, strong) };
    const weakly = unit.events.find((id) => weak.has(id));
    if (weakly !== undefined)
      return {
        ...item,
        status: 'may-fall',
        reasons: [...reasonsOf(weakly, weak), ...continueStrong(weakly, weak, strong)],
      };
    const cannotTell =
      !unit.hasReferences &&
      (isInput || edited.some((target) => unit.isAfter(target) && areFibersRelated(unit.fiber, target.fiber)));
    return { ...item, status: cannotTell ? 'unknown' : 'stands', reasons: [] };
  });
  const unknown = spreadUnknown(items, units, forward);
  const counts = { edited: 0, falls: 0, 'may-fall': 0, unknown: 0, stands: 0 };
  for (const item of items) counts[item.status]++;
  const previewed = listPreviewed(events, { items, units, targets, strong, weak, unknown });
  return {
    items,
    events: previewed,
    holding: findHolding(events, new Map(previewed.map(({ event, status }) => [event, status]))),
    counts,
    insufficient: counts.unknown > 0,
  };
}

interface Findings {
  readonly items: readonly PreviewItem[];
  readonly units: readonly Unit[];
  readonly targets: ReadonlySet<EventId>;
  readonly strong: Reached;
  readonly weak: Reached;
  readonly unknown: Reached;
}

/** Event by event, by the edges that reach it; all of a command whose issue does not stand goes with its issue. */
function listPreviewed(events: readonly HindcastEvent[], findings: Findings): readonly PreviewedEvent[] {
  const { items, units, targets, strong, weak, unknown } = findings;
  const owned = new Map<EventId, Omit<PreviewedEvent, 'event'>>();
  for (const [n, unit] of units.entries()) {
    const status = items[n]?.status;
    if (status === undefined || status === 'stands' || status === 'edited') continue;
    const isWhole = strong.has(unit.event) || weak.has(unit.event) || unknown.has(unit.event) || status === 'unknown';
    if (!isWhole) continue;
    for (const id of unit.events)
      owned.set(id, id === unit.event ? { status } : { status, because: { event: unit.event, as: 'result_of' } });
  }
  const out = new Map<EventId, PreviewedEvent>();
  const add = (event: EventId, status: PreviewedEvent['status'], step: Step | undefined): void => {
    out.set(event, { event, status, ...(step === undefined ? {} : { because: { event: step.from, as: step.as } }) });
  };
  for (const { id } of events) {
    const whole = owned.get(id);
    if (targets.has(id)) add(id, 'edited', undefined);
    else if (strong.has(id)) add(id, 'falls', strong.get(id));
    else if (weak.has(id)) add(id, 'may-fall', weak.get(id));
    else if (unknown.has(id)) add(id, 'unknown', unknown.get(id));
    else if (whole !== undefined) out.set(id, { event: id, ...whole });
  }
  return [...out.values()];
}

/** What consumes something unknown cannot be known to stand. */
function spreadUnknown(
  items: PreviewItem[],
  units: readonly Unit[],
  forward: ReadonlyMap<EventId, readonly Edge[]>,
): Reached {
  const sources = new Set<EventId>();
  for (const [n, item] of items.entries())
    if (item.status === 'unknown') for (const id of units[n]?.events ?? []) sources.add(id);
  if (sources.size === 0) return new Map();
  const reached = reach(forward, sources, () => true);
  for (const [n, item] of items.entries()) {
    const id = item.status === 'stands' ? units[n]?.events.find((event) => reached.has(event)) : undefined;
    if (id !== undefined) items[n] = { ...item, status: 'unknown', reasons: reasonsOf(id, reached) };
  }
  return reached;
}

interface Step {
  readonly from: EventId;
  readonly as: string;
  /** Steps from here to the edit, this one too. */
  readonly length: number;
  /** The step at the edit; absent at that step itself. */
  readonly last: Step | undefined;
}

type Reached = ReadonlyMap<EventId, Step>;

/** Of an edge that nobody recorded: arguments repeat what a value says. */
const inferredUse = 'content';

function reach(
  forward: ReadonlyMap<EventId, readonly Edge[]>,
  from: ReadonlySet<EventId>,
  follows: (as: string) => boolean,
): Reached {
  const reached = new Map<EventId, Step>();
  const take = (id: EventId, { to, as }: Edge): boolean => {
    if (reached.has(to) || from.has(to) || !follows(as)) return false;
    const before = reached.get(id);
    const last = before === undefined ? undefined : (before.last ?? before);
    reached.set(to, { from: id, as, length: (before?.length ?? 0) + 1, last });
    return true;
  };
  const spread = (starts: readonly EventId[]): EventId[] => {
    const queue = [...starts];
    for (const id of queue)
      for (const edge of forward.get(id) ?? []) if (edge.as !== inferredUse && take(id, edge)) queue.push(edge.to);
    return queue;
  };
  // What recorded edges reach is told by them, however short an inferred way there is; then one inferred step at a time.
  for (let front = spread([...from]); front.length > 0;) {
    const next: EventId[] = [];
    for (const id of front)
      for (const edge of forward.get(id) ?? []) if (edge.as === inferredUse && take(id, edge)) next.push(edge.to);
    front = spread(next);
  }
  return reached;
}

function reasonsOf(id: EventId, reached: Reached): readonly ReplayReason[] {
  const out: ReplayReason[] = [];
  for (let step = reached.get(id); step !== undefined; step = reached.get(step.from)) {
    const { last } = step;
    if (out.length === mostSteps - 1 && last !== undefined) {
      out.push({ event: last.from, as: cutStep(last.as, step.length - 1) });
      break;
    }
    out.push({ event: step.from, as: step.as });
  }
  return out;
}

/** A weak path ends where the strong ones begin. */
function continueStrong(id: EventId, weak: Reached, strong: Reached): readonly ReplayReason[] {
  const step = weak.get(id);
  return step === undefined ? [] : reasonsOf((step.last ?? step).from, strong);
}

function forwardEdges(
  events: readonly HindcastEvent[],
  journal: Journal,
  inferred: readonly InferredUse[],
): Map<EventId, Edge[]> {
  const forward = new Map<EventId, Edge[]>();
  const add = (from: EventId, to: EventId, as: string): void => {
    const list = forward.get(from);
    if (list === undefined) forward.set(from, [{ to, as }]);
    else list.push({ to, as });
  };
  for (const event of events) for (const cause of event.causes ?? []) add(cause.event, event.id, cause.as);
  for (const { from, to } of inferred) add(from, to, inferredUse);
  const versions = new Map<string, EventId>();
  for (const entry of journal.entries) {
    if (entry.finalEvent !== undefined && entry.finalEvent !== entry.issueEvent)
      add(entry.issueEvent, entry.finalEvent, 'result_of');
    if (entry.transition !== undefined)
      versions.set(`${entry.transition.name} ${String(entry.transition.to)}`, entry.issueEvent);
  }
  for (const { transition, issueEvent } of journal.entries) {
    const before = transition === undefined ? undefined : versions.get(`${transition.name} ${String(transition.from)}`);
    if (before !== undefined) add(before, issueEvent, 'from_version');
  }
  return forward;
}

interface InferredUse {
  readonly from: EventId;
  readonly to: EventId;
}

function contentEdges(journal: Journal): readonly InferredUse[] {
  const values: DeliveredValue[] = [];
  const finals = new Map<string, JournalEntry>();
  for (const entry of journal.entries) {
    if (entry.observation.kind !== 'ok' || entry.finalEvent === undefined || entry.kind === 'decide') continue;
    values.push({ path: entry.path, value: entry.observation.value });
    finals.set(entry.path, entry);
  }
  if (values.length === 0) return [];
  const index = createContentIndex(values);
  const out: InferredUse[] = [];
  for (const entry of journal.entries) {
    const args: JsonValue | undefined = entry.args;
    if (args === undefined) continue;
    for (const path of index.usesOf(args)) {
      const used = finals.get(path);
      if (used?.finalEvent === undefined || used === entry || !wasBefore(used, entry)) continue;
      out.push({ from: used.finalEvent, to: entry.issueEvent });
    }
  }
  return out;
}

function wasBefore(used: JournalEntry, entry: JournalEntry): boolean {
  return (
    used.delivered !== undefined && entry.issued !== undefined && comparePositions(used.delivered, entry.issued) < 0
  );
}

function entriesToUnits(
  events: readonly HindcastEvent[],
  journal: Journal,
  inferred: readonly InferredUse[],
): readonly Unit[] {
  const frames = listFrames(events);
  const byContent = new Set(inferred.map((use) => use.to));
  const byUnit = new Map<Unit, JournalEntry>();
  return journal.entries.map((entry) => {
    const unit: Unit = {
      path: entry.path,
      kind: entry.kind,
      name: entry.name,
      event: entry.issueEvent,
      events: entry.events,
      hasReferences: saysWhatItUsed(entry.causes, frames) || byContent.has(entry.issueEvent),
      fiber: pathToFiber(entry.path),
      isAfter(target) {
        const other = byUnit.get(target);
        if (entry.issued === undefined || other?.delivered === undefined) return true;
        return comparePositions(entry.issued, other.delivered) > 0;
      },
    };
    byUnit.set(unit, entry);
    return unit;
  });
}

/** A trace without commands: every event is a record of its own, and its agent is its line of work. */
function eventsToUnits(events: readonly HindcastEvent[]): readonly Unit[] {
  const orders = new Map<Unit, number>();
  return events
    .filter(
      (event) =>
        !/^(?:stream|content|annotation|branch|replay|observation\.reused|trial|worker|fault)\b/.test(event.type),
    )
    .map((event, n) => {
      const unit: Unit = {
        path: '',
        kind: event.type,
        name: event.type,
        event: event.id,
        events: [event.id],
        hasReferences: (event.causes?.length ?? 0) > 0,
        fiber: event.agent === undefined ? '' : `/${event.agent}`,
        isAfter: (target) => n > (orders.get(target) ?? -1),
      };
      orders.set(unit, n);
      return unit;
    });
}
