/**
 * The whole run as lanes of bins: x is the place in display order, so that causes stand left of effects and no clock is believed.
 *
 * One pass over the visible events; memory grows with the bins that are not empty, never with events times lanes.
 */
import { addBit, createBitset, hasBit } from '../causal/index.ts';
import type { EventFamily } from '../model/index.ts';
import { isOutsideEffect } from './effects/stopped.ts';
import { countHidden } from './rows.ts';
import { agentToText } from './title-words.ts';
import { eventToTitle } from './titles.ts';
import type { FilterSpec, Finding, Overview, OverviewBin, OverviewLane, OverviewMark } from './trace-reader.ts';
import type { TraceView } from './trace-view.ts';

interface OpenBin {
  bucket: number;
  count: number;
  errors: number;
  effects: number;
  first: number;
  readonly families: Map<EventFamily, number>;
}

interface DraftLane {
  readonly id: string;
  readonly label: string;
  readonly kind: 'agent' | 'producer';
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

export function computeOverview(input: OverviewInput, filter: FilterSpec, wanted: number): Overview {
  const { view } = input;
  const length = view.positions.length;
  const buckets = Math.max(1, Math.min(Math.floor(wanted), length));
  const bucketOf = (row: number): number => Math.min(buckets - 1, Math.floor((row * buckets) / Math.max(1, length)));
  const shown = view.matching(filter);
  const lanes = new Map<string, DraftLane>();
  for (let row = 0; row < length; row++) {
    const position = view.positions[row] ?? 0;
    if (!hasBit(shown, position)) continue;
    const lane = laneOf(view, lanes, position);
    const bucket = bucketOf(row);
    if (lane.open.bucket !== bucket) {
      closeBin(view, lane);
      openBin(lane, bucket, position);
    }
    addToBin(view, lane.open, position);
  }
  for (const lane of lanes.values()) closeBin(view, lane);
  return {
    length,
    buckets,
    lanes: nameLanes([...lanes.values()])
      .sort(compareLanes)
      .map(({ id, label, kind, bins }): OverviewLane => ({ id, label, kind, bins })),
    marks: computeMarks(input, bucketOf),
    hidden: countHidden(view, filter),
  };
}

/** An event stands in the lane of its agent, or of its producer where no agent is recorded. All lives of a process share a lane. */
function laneOf(view: TraceView, lanes: Map<string, DraftLane>, position: number): DraftLane {
  const agent = view.index.agent(position);
  const { component, instance } = view.index.log(position);
  const full = instance === undefined ? component : `${component} ${instance}`;
  const label = agent === undefined ? full : agentToText(agent);
  const id = agent === undefined ? `producer:${full}` : `agent:${agent}`;
  const known = lanes.get(id);
  if (known !== undefined) return known;
  const open: OpenBin = { bucket: -1, count: 0, errors: 0, effects: 0, first: -1, families: new Map() };
  const lane: DraftLane = {
    id,
    label,
    kind: agent === undefined ? 'producer' : 'agent',
    component,
    instance: instance ?? '',
    bins: [],
    open,
  };
  lanes.set(id, lane);
  return lane;
}

/** A process is called by its component where that says which it is, and never what an agent is called. */
function nameLanes(lanes: readonly DraftLane[]): DraftLane[] {
  const agents = new Set(lanes.filter(({ kind }) => kind === 'agent').map(({ label }) => label));
  const instances = new Map<string, number>();
  for (const { kind, component } of lanes)
    if (kind === 'producer') instances.set(component, (instances.get(component) ?? 0) + 1);
  return lanes.map((lane) => {
    if (lane.kind === 'agent') return lane;
    const { component, instance } = lane;
    const isOnly = instances.get(component) === 1;
    const name = isOnly || instance === '' ? component : instance.startsWith(component) ? instance : lane.label;
    return { ...lane, label: agents.has(name) ? `${name} (process)` : name };
  });
}

function openBin({ open }: DraftLane, bucket: number, first: number): void {
  open.bucket = bucket;
  open.count = 0;
  open.errors = 0;
  open.effects = 0;
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
  const { bucket, count, errors, effects, first } = open;
  bins.push({ bucket, count, family: leadingFamily(open.families), errors, effects, first: view.index.id(first) });
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
): readonly OverviewMark[] {
  const marks: OverviewMark[] = [];
  const seen = createBitset(view.index.count);
  const add = (kind: OverviewMark['kind'], position: number, label: string): void => {
    if (view.holds(position))
      marks.push({ kind, bucket: bucketOf(view.rowOf(position)), label, event: view.index.id(position) });
  };
  for (const position of view.ofType('worker.exited')) {
    if (view.index.has(position, 'failed')) add('kill', position, eventToTitle(view.event(position)));
  }
  for (const position of restarts(view)) add('restart', position, eventToTitle(view.event(position)));
  for (const { position, label } of forks) add('fork', position, label);
  for (const finding of findings) {
    if (finding.severity === 'notice') continue;
    const position = lastHeld(view, finding.evidence);
    if (position < 0 || (finding.severity === 'violation' && hasBit(seen, position))) continue;
    if (finding.severity === 'violation') addBit(seen, position);
    add(finding.severity === 'gap' ? 'gap' : 'finding', position, finding.title);
  }
  return marks.sort((a, b) => a.bucket - b.bucket);
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
