/**
 * The causal cone of an event: what it rests on and what rests on it, so many steps each way, laid out by rank and lane.
 *
 * Nodes nearest to the focus come first, up to the limit; what is left out is counted on the nodes at the rim. Gaps that findings
 * report and points where an overseer could have stepped in (R147) are nodes of their own or marks, never silent.
 */
import type { EventId } from '../model/index.ts';
import { shownAgent } from './agent-stand-ins.ts';
import { otherName, viewToTitle } from './agent-names.ts';
import { layOut } from './cone-layout.ts';
import { effectMark } from './effects/assumed.ts';
import { isInsertionPoint } from './insertion-point.ts';
import { lastHeld } from './overview.ts';
import { componentToText } from './title-words.ts';
import type { Cone, ConeEdge, ConeNode, ConeRequest, Finding } from './trace-reader.ts';
import type { TraceView } from './trace-view.ts';
import type { EventMarks } from './rows.ts';

export interface ConeInput {
  readonly view: TraceView;
  readonly marks: EventMarks;
  readonly findings: readonly Finding[];
}

export function computeCone({ view, marks, findings }: ConeInput, request: ConeRequest): Cone {
  const focus = view.index.find(request.focus);
  if (!view.holds(focus)) return { nodes: [], edges: [] };
  const members = selectMembers(view, focus, request);
  const gaps = gapsOf(view, findings, members);
  const positions = inOrder(view, members);
  const edges = positions.flatMap((to) => memberEdges(view, members, to));
  const gapEdges = gaps.map(({ finding, after }): ConeEdge => ({
    from: view.index.id(after),
    to: gapId(finding),
    as: 'gap',
    grade: 'inferred',
    rule: finding.rule,
  }));
  const places = layOut({
    nodes: [...positions.map((p) => view.index.id(p)), ...gaps.map(({ finding }) => gapId(finding))],
    lanes: [...positions.map((p) => laneOf(view, p)), ...gaps.map(({ after }) => laneOf(view, after))],
    edges: [...edges, ...gapEdges],
  });
  const nodes = positions.map((p): ConeNode => eventNode(view, marks, members, p, places));
  return { nodes: [...nodes, ...gaps.map((gap) => gapNode(view, gap, places))], edges: [...edges, ...gapEdges] };
}

/** Causes before effects, also of records that have no row, such as what a copy says of itself. */
function inOrder({ order }: TraceView, positions: Iterable<number>): readonly number[] {
  return [...positions].sort((a, b) => (order.placeOf[a] ?? 0) - (order.placeOf[b] ?? 0));
}

/** What opening a node may bring in where the picture is full already: a press that shows nothing would be no answer. */
const perExpansion = 40;

/** Breadth first, up and down by turns, so that the limit cuts the farthest. */
function selectMembers(view: TraceView, focus: number, request: ConeRequest): ReadonlySet<number> {
  let limit = Math.max(1, request.limit);
  const members = new Set([focus]);
  const expanded = request.expanded.map((id) => view.index.find(id)).filter(view.holds);
  const add = (positions: readonly number[], into: number[]): void => {
    for (const position of positions) {
      if (members.size >= limit) return;
      if (members.has(position)) continue;
      members.add(position);
      into.push(position);
    }
  };
  let up = [focus];
  let down = [focus];
  for (let depth = 0; depth < Math.max(request.up, request.down) && members.size < limit; depth++) {
    const nextUp: number[] = [];
    const nextDown: number[] = [];
    if (depth < request.up) for (const position of up) add(causePositions(view, position), nextUp);
    if (depth < request.down) for (const position of down) add(effectPositions(view, position), nextDown);
    up = nextUp;
    down = nextDown;
    if (up.length === 0 && down.length === 0) break;
  }
  // In the order of pressing: what one brings in, the next may open. What is no longer in the picture opens nothing: it would stand alone.
  for (const position of expanded) {
    if (!members.has(position)) continue;
    limit = Math.max(limit, members.size + perExpansion);
    add([...causePositions(view, position), ...effectPositions(view, position)], []);
  }
  return members;
}

function causePositions(view: TraceView, position: number): readonly number[] {
  return [...new Set(view.causesOf(position).map(({ from }) => from))];
}

/** In display order, so that a fan-out is cut in the same place whatever the order of the file. */
function effectPositions(view: TraceView, position: number): readonly number[] {
  return inOrder(view, new Set(view.effectsOf(position).map(({ to }) => to)));
}

function memberEdges(view: TraceView, members: ReadonlySet<number>, to: number): readonly ConeEdge[] {
  return view
    .causesOf(to)
    .filter(({ from }) => members.has(from))
    .map(({ from, as, grade, rule }) => ({
      from: view.index.id(from),
      to: view.index.id(to),
      as,
      grade,
      ...(rule === undefined ? {} : { rule }),
    }));
}

function laneOf(view: TraceView, position: number): string {
  const branch = view.index.branch(position);
  const { component, instance } = view.index.log(position);
  return JSON.stringify([branch, shownAgent(view, position) ?? [component, instance ?? '']]);
}

interface Gap {
  readonly finding: Finding;
  /** The record the missing one should have followed. */
  readonly after: number;
}

function gapsOf(view: TraceView, findings: readonly Finding[], members: ReadonlySet<number>): readonly Gap[] {
  return findings
    .filter(({ severity }) => severity === 'gap')
    .map((finding) => ({ finding, after: lastHeld(view, finding.evidence) }))
    .filter(({ after }) => members.has(after));
}

function gapId(finding: Finding): string {
  return `gap:${finding.id}`;
}

type Places = ReadonlyMap<string, { readonly x: number; readonly y: number }>;

function eventNode(
  view: TraceView,
  marks: EventMarks,
  members: ReadonlySet<number>,
  position: number,
  places: Places,
): ConeNode {
  const { index } = view;
  const id: EventId = index.id(position);
  const agent = index.agent(position);
  const called = otherName(view, agent);
  return {
    id,
    event: id,
    kind: isInsertionPoint(view, position) ? 'insertion-point' : 'event',
    type: index.type(position),
    family: index.family(position),
    title: viewToTitle(view, position),
    ...(agent === undefined ? {} : { agent }),
    ...(called === undefined ? {} : { agentName: called }),
    source: componentToText(index.log(position).component),
    branch: index.branch(position),
    x: places.get(id)?.x ?? 0,
    y: places.get(id)?.y ?? 0,
    failed: index.has(position, 'failed'),
    ...effectMark(view, position, view.event(position)),
    findings: marks.findings.get(id) ?? 0,
    hiddenCauses: causePositions(view, position).filter((from) => !members.has(from)).length,
    hiddenEffects: effectPositions(view, position).filter((to) => !members.has(to)).length,
  };
}

function gapNode(view: TraceView, { finding, after }: Gap, places: Places): ConeNode {
  const { index } = view;
  const id = gapId(finding);
  const agent = index.agent(after);
  return {
    id,
    kind: 'gap',
    type: 'gap',
    family: index.family(after),
    title: finding.interval ?? finding.title,
    ...(agent === undefined ? {} : { agent }),
    source: componentToText(index.log(after).component),
    branch: view.branch,
    x: places.get(id)?.x ?? 0,
    y: places.get(id)?.y ?? 0,
    failed: false,
    effect: false,
    findings: 1,
    hiddenCauses: 0,
    hiddenEffects: 0,
  };
}
