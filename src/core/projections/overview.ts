/**
 * The whole run as lanes of bins: x is the place in display order, so that causes stand left of effects and no clock is believed.
 *
 * One pass over the visible events; memory grows with the bins that are not empty, never with events times lanes.
 */
import { type Bitset, addBit, createBitset, hasBit } from '../causal/index.ts';
import type { EventFamily } from '../model/index.ts';
import { lineToShown } from '../base/shown-text.ts';
import { type AgentLane, createAgentLanes } from './agent-lanes.ts';
import { agentName, viewToTitle } from './agent-names.ts';
import { standInOf } from './agent-stand-ins.ts';
import { isOutsideEffect } from './effects/stopped.ts';
import { countToText } from './effects/words.ts';
import { createOpenCount } from './open-calls.ts';
import { countHidden } from './rows.ts';
import { nameToKey } from './spoken.ts';
import type {
  FilterSpec,
  Finding,
  Overview,
  OverviewBin,
  OverviewLane,
  OverviewMark,
  RowRange,
} from './trace-reader.ts';
import type { TraceView } from './trace-view.ts';

interface OpenBin {
  bucket: number;
  count: number;
  errors: number;
  effects: number;
  atOnce: number;
  first: number;
  readonly families: Map<EventFamily, number>;
}

interface DraftLane {
  readonly id: string;
  /** Of the agent, without what tells its lanes apart. */
  readonly name: string;
  readonly label: string;
  readonly kind: OverviewLane['kind'];
  readonly component: string;
  readonly instance: string;
  readonly bins: OverviewBin[];
  readonly open: OpenBin;
}

export interface OverviewInput {
  readonly view: TraceView;
  readonly findings: readonly Finding[];
  /** Branches that were made from this one, with the event they fork at. */
  readonly forks: readonly { readonly label: string; readonly position: number }[];
}

/** Lanes drawn one by one; of more, the busiest, and all others together in one that says how many they are. */
const mostLanes = 32;

export function computeOverview(input: OverviewInput, filter: FilterSpec, wanted: number, rows?: RowRange): Overview {
  const { view } = input;
  const length = view.positions.length;
  const from = Math.max(0, Math.min(length, Math.floor(rows?.from ?? 0)));
  const to = Math.max(from, Math.min(length, Math.ceil(rows?.to ?? length)));
  const span = to - from;
  const buckets = Math.max(1, Math.min(Math.floor(wanted), span));
  const bucketOf = (row: number): number =>
    Math.min(buckets - 1, Math.floor(((row - from) * buckets) / Math.max(1, span)));
  const shown = view.matching(filter);
  // Lanes are those of the whole, so that they stay where they are when a part is looked at.
  const { lanes, laneOf } = computeLanes(view, shown);
  const openCount = createOpenCount(view, laneOf);
  for (let row = openCount.from(from); row < to; row++) {
    const position = view.positions[row] ?? 0;
    const isShown = hasBit(shown, position);
    const open = openCount.at(row, isShown);
    if (row < from || !isShown) continue;
    const lane = laneOf(position);
    const bucket = bucketOf(row);
    if (lane.open.bucket !== bucket) {
      closeBin(view, lane);
      openBin(lane, bucket, position);
    }
    lane.open.atOnce = Math.max(lane.open.atOnce, open);
    addToBin(view, lane.open, position);
  }
  for (const lane of lanes) closeBin(view, lane);
  const inPart = (position: number): boolean => view.rowOf(position) >= from && view.rowOf(position) < to;
  return {
    length,
    buckets,
    lanes: lanes.map(({ id, label, kind, bins }): OverviewLane => ({ id, label, kind, bins })),
    marks: computeMarks(input, bucketOf, inPart),
    hidden: countHidden(view, filter),
  };
}

interface Lanes {
  /** In the order of drawing. */
  readonly lanes: readonly DraftLane[];
  readonly laneOf: (position: number) => DraftLane;
}

/**
 * An event stands in the lane of its agent (of one session, where several use its name), or of its producer where no agent is recorded. All lives of a process share a lane. Both
 * are the same for all events of a context, so names are made once a context and not once an event.
 */
function computeLanes(view: TraceView, shown: Bitset): Lanes {
  const { context } = view.index.columns;
  const agentOf = createAgentLanes(view.index, (agent) => agentName(view, agent));
  const byContext = new Map<number, DraftLane>();
  const lanes = new Map<string, DraftLane>();
  const counts = new Map<DraftLane, number>();
  for (const position of view.positions) {
    if (!hasBit(shown, position)) continue;
    // What a replay wrote stands with the agent whose command it is.
    const owner = standInOf(view, position);
    const number = context[owner] ?? 0;
    let lane = byContext.get(number);
    if (lane === undefined) {
      lane = newOrKnownLane(view, lanes, agentOf(owner), owner);
      byContext.set(number, lane);
    }
    counts.set(lane, (counts.get(lane) ?? 0) + 1);
  }
  const all = nameLanes([...lanes.values()]);
  // Naming makes lanes anew: the contexts follow by id.
  const named = new Map(all.map((lane) => [lane.id, lane]));
  const drawn = new Map<number, DraftLane>();
  const busiest = new Set(
    [...counts]
      .sort(([, a], [, b]) => b - a)
      .slice(0, all.length <= mostLanes ? all.length : mostLanes - 1)
      .map(([{ id }]) => id),
  );
  const rest = createLane({
    id: 'rest',
    label: `${(all.length - busiest.size).toLocaleString('en')} more`,
    kind: 'rest',
  });
  for (const [number, { id }] of byContext) drawn.set(number, (busiest.has(id) ? named.get(id) : rest) ?? rest);
  const chosen = all.filter(({ id }) => busiest.has(id)).sort(compareLanes);
  return {
    lanes: chosen.length === all.length ? chosen : [...chosen, rest],
    laneOf: (position) => drawn.get(context[standInOf(view, position)] ?? 0) ?? rest,
  };
}

function newOrKnownLane(
  view: TraceView,
  lanes: Map<string, DraftLane>,
  agent: AgentLane | undefined,
  position: number,
): DraftLane {
  const { component, instance } = view.index.log(position);
  const full = instance === undefined ? component : `${component} ${instance}`;
  const { id, name, label } = agent ?? { id: `producer:${full}`, name: full, label: full };
  const known = lanes.get(id);
  if (known !== undefined) return known;
  const lane = createLane({ id, name, label, kind: agent === undefined ? 'producer' : 'agent', component, instance });
  lanes.set(id, lane);
  return lane;
}

/**
 * A process is called by its component where that says which it is, and never what an agent is called. Agents that are called nearly alike
 * by different components say by which.
 */
function nameLanes(lanes: readonly DraftLane[]): DraftLane[] {
  const agents = new Map<string, Map<string, string>>();
  for (const { kind, name, component } of lanes) {
    if (kind !== 'agent') continue;
    const alike = agents.get(nameToKey(name)) ?? new Map<string, string>();
    agents.set(nameToKey(name), alike.has(name) ? alike : alike.set(name, component));
  }
  const instances = new Map<string, number>();
  for (const { kind, component } of lanes)
    if (kind === 'producer') instances.set(component, (instances.get(component) ?? 0) + 1);
  return lanes.map((lane) => {
    if (lane.kind === 'agent') {
      const alike = agents.get(nameToKey(lane.name));
      if (alike === undefined || new Set(alike.values()).size < 2) return lane;
      return { ...lane, label: lineToShown(`${lane.label} (of ${alike.get(lane.name) ?? lane.component})`) };
    }
    const { component, instance } = lane;
    const isOnly = instances.get(component) === 1;
    const name = isOnly || instance === '' ? component : instance.startsWith(component) ? instance : lane.label;
    return { ...lane, label: lineToShown(agents.has(nameToKey(name)) ? `${name} (process)` : name) };
  });
}

interface LaneName {
  readonly id: string;
  readonly name?: string;
  readonly label: string;
  readonly kind: DraftLane['kind'];
  readonly component?: string;
  readonly instance?: string | undefined;
}

function createLane({ id, label, name = label, kind, component = '', instance = '' }: LaneName): DraftLane {
  const open: OpenBin = { bucket: -1, count: 0, errors: 0, effects: 0, atOnce: 0, first: -1, families: new Map() };
  return { id, name, label, kind, component, instance, bins: [], open };
}

function openBin({ open }: DraftLane, bucket: number, first: number): void {
  open.bucket = bucket;
  open.count = 0;
  open.errors = 0;
  open.effects = 0;
  open.atOnce = 0;
  open.first = first;
  open.families.clear();
}

function addToBin(view: TraceView, open: OpenBin, position: number): void {
  const { index } = view;
  const family = index.family(position);
  open.count++;
  if (index.has(position, 'failed')) open.errors++;
  if (isOutsideEffect(view, position)) open.effects++;
  open.families.set(family, (open.families.get(family) ?? 0) + 1);
}

function closeBin(view: TraceView, { open, bins }: DraftLane): void {
  if (open.bucket < 0) return;
  const { bucket, count, errors, effects, atOnce, first } = open;
  const family = leadingFamily(open.families);
  const several = atOnce > 1 ? { atOnce } : {};
  bins.push({ bucket, count, family, errors, effects, ...several, first: view.index.id(first) });
}

/** Effects and faults win over any number of others: they are what must not be overlooked. */
function leadingFamily(families: ReadonlyMap<EventFamily, number>): EventFamily {
  if (families.has('effect')) return 'effect';
  if (families.has('fault')) return 'fault';
  let leading: EventFamily = 'unknown';
  let most = 0;
  for (const [family, count] of families) {
    if (count > most || (count === most && family < leading)) {
      leading = family;
      most = count;
    }
  }
  return leading;
}

/** Agents first, then producers, each by name. */
function compareLanes(a: DraftLane, b: DraftLane): number {
  if (a.kind !== b.kind) return a.kind === 'agent' ? -1 : 1;
  return a.label < b.label ? -1 : a.label > b.label ? 1 : 0;
}

function computeMarks(
  { view, findings, forks }: OverviewInput,
  bucketOf: (row: number) => number,
  inPart: (position: number) => boolean,
): readonly OverviewMark[] {
  const marks: OverviewMark[] = [];
  const seen = createBitset(view.index.count);
  const add = (kind: OverviewMark['kind'], position: number, label: string): void => {
    if (view.holds(position) && inPart(position))
      marks.push({ kind, bucket: bucketOf(view.rowOf(position)), label, event: view.index.id(position) });
  };
  for (const position of view.ofType('worker.exited')) {
    if (view.index.has(position, 'failed')) add('kill', position, viewToTitle(view, position));
  }
  for (const position of restarts(view)) add('restart', position, viewToTitle(view, position));
  for (const [position, labels] of groupForks(forks)) add('fork', position, labels);
  for (const finding of findings) {
    if (finding.severity === 'notice') continue;
    const position = lastHeld(view, finding.evidence);
    if (position < 0 || (finding.severity === 'violation' && hasBit(seen, position))) continue;
    if (finding.severity === 'violation') addBit(seen, position);
    add(finding.severity === 'gap' ? 'gap' : 'finding', position, finding.title);
  }
  return marks.sort((a, b) => a.bucket - b.bucket);
}

const mostForksNamed = 3;

/** Branches that begin at one event have one mark: a replay that was continued leaves one for every stop. */
function groupForks(forks: OverviewInput['forks']): ReadonlyMap<number, string> {
  const byPosition = new Map<number, string[]>();
  for (const { position, label } of forks) {
    const labels = byPosition.get(position);
    if (labels === undefined) byPosition.set(position, [label]);
    else labels.push(label);
  }
  return new Map([...byPosition].map(([position, labels]) => [position, labelsToText(labels)]));
}

function labelsToText(labels: readonly string[]): string {
  const named = labels.slice(0, mostForksNamed).join('; ');
  const more = labels.length - mostForksNamed;
  if (labels.length === 1) return named;
  return `${countToText(labels.length, 'branch', 'branches')} from here: ${named}${more > 0 ? `; ${String(more)} more` : ''}`;
}

/** Starts of a worker after the first one of its component. */
function restarts(view: TraceView): readonly number[] {
  const seen = new Set<string>();
  return view.ofType('worker.started').filter((position) => {
    const { component, instance } = view.index.log(position);
    const key = JSON.stringify([component, instance, view.index.run(position)]);
    const isFirst = !seen.has(key);
    seen.add(key);
    return !isFirst;
  });
}

/** The evidence that is latest in display order: for a gap, what the missing record should have followed. */
export function lastHeld(view: TraceView, evidence: Finding['evidence']): number {
  let last = -1;
  for (const id of evidence) {
    const position = view.index.find(id);
    if (view.holds(position) && (last < 0 || view.rowOf(position) > view.rowOf(last))) last = position;
  }
  return last;
}
