/**
 * The causal cone as the graph view draws it: positions in pixels, lanes with their names, edges by grade.
 *
 * The reader decides what is in the cone and where; here grid units become pixels and nothing else. Pure, so that the
 * picture and its list are made from the same values.
 */
import { nameToShown } from '../../core/base/shown-text.ts';
import type { EventId } from '../../core/model/index.ts';
import type { Cone, ConeEdge, ConeNode } from '../../core/projections/trace-reader.ts';
import { agentToText } from '../../core/projections/title-words.ts';
import { groupBy } from '../../ui/group.ts';

/** A node is as wide as this, and up to the widest where the pane has room: a narrow cone then shows its titles whole. */
export const nodeWidth = 190;
const widestNode = 320;
const columnGap = 16;
export const nodeHeight = 62;
export const columnWidth = nodeWidth + columnGap;
export const rankHeight = 102;
/** Below this nothing can be read. */
const leastZoom = 0.88;
const margin = 28;
/** Between a node and the frontier over it. */
const frontierGap = 12;
/** What stands above the topmost row: the way to what lies beyond it, and the names of the lanes. */
const rimHeight = 15;
const stripHeight = 37;
/** Between the rows of a rank that is wrapped: room for the ways to what lies beyond, below the one and above the other. */
const rowHeight = 92;

export interface PlacedNode {
  readonly node: ConeNode;
  readonly x: number;
  readonly y: number;
}

export interface LaneBand {
  readonly x: number;
  readonly width: number;
  readonly label: string;
  readonly branch: string;
}

/** A rank that takes several rows: what stands in them was caused by none of them. */
export interface RankBand {
  readonly y: number;
  readonly height: number;
}

export interface GraphPicture {
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly (ConeEdge & { readonly id: string })[];
  /** Empty where the ranks are wrapped: then every node says whose it is. */
  readonly lanes: readonly LaneBand[];
  /** Ranks of more than one row, which only wrapped ones can be. */
  readonly ranks: readonly RankBand[];
  /** Of every node of this picture. */
  readonly nodeWidth: number;
}

/** How many columns of nodes can be read side by side in a pane. */
export function widthToColumns(width: number): number {
  return Math.max(2, Math.floor(width / leastZoom / columnWidth));
}

/**
 * Lanes as the reader laid them out, where they fit side by side. Where a cone is wider than the pane its ranks are
 * wrapped to rows instead, so that causes are read above their effects without looking sideways for them.
 */
export function coneToPicture(cone: Cone, columns: number, paneWidth = 0): GraphPicture {
  const seen = new Map<string, number>();
  const edges = cone.edges.map((edge) => {
    // Two edges may join the same nodes in different ways; each keeps an id of its own.
    const base = `${edge.from}→${edge.to}:${edge.as}`;
    const copies = seen.get(base) ?? 0;
    seen.set(base, copies + 1);
    return { ...edge, id: copies === 0 ? base : `${base}#${copies}` };
  });
  const width = cone.nodes.reduce((most, { x }) => Math.max(most, x + 1), 0);
  if (width > columns) {
    const widest = widestRow(cone, columns);
    const wide = nodeWidthFor(widest, paneWidth);
    return { ...wrapRanks(cone, columns, wide), edges, lanes: [], nodeWidth: wide };
  }
  const wide = nodeWidthFor(width, paneWidth);
  const column = wide + columnGap;
  const nodes = cone.nodes.map((node) => ({ node, x: node.x * column, y: node.y * rankHeight }));
  return { nodes, edges, lanes: nodesToLanes(cone.nodes, column), ranks: [], nodeWidth: wide };
}

/** The room of the pane, shared among the columns that are used. */
function nodeWidthFor(columns: number, paneWidth: number): number {
  const room = (paneWidth - 2 * margin) / Math.max(1, columns) - columnGap;
  return Math.round(Math.min(widestNode, Math.max(nodeWidth, room)));
}

/** Most nodes side by side once ranks are wrapped. */
function widestRow({ nodes }: Cone, columns: number): number {
  return [...groupBy(nodes, (node) => node.y).values()].reduce(
    (most, rank) => Math.max(most, Math.ceil(rank.length / Math.ceil(rank.length / columns))),
    1,
  );
}

/** Rows of at most `columns` nodes, centred; within a rank, nodes stand near what they are joined to in the rank above. */
function wrapRanks(cone: Cone, columns: number, wide: number): Pick<GraphPicture, 'nodes' | 'ranks'> {
  const column = wide + columnGap;
  const causes = new Map<string, string[]>();
  for (const { from, to } of cone.edges) append(causes, to, from);
  const placedX = new Map<string, number>();
  const placed: PlacedNode[] = [];
  const ranks: RankBand[] = [];
  let y = 0;
  for (const [, rank] of [...groupBy(cone.nodes, (node) => node.y)].toSorted(([a], [b]) => a - b)) {
    const pull = new Map(
      rank.map((node) => [node.id, meanOf((causes.get(node.id) ?? []).flatMap((id) => placedX.get(id) ?? []))]),
    );
    const inOrder = rank.toSorted((a, b) => (pull.get(a.id) ?? a.x) - (pull.get(b.id) ?? b.x) || a.x - b.x);
    const rows = Math.ceil(inOrder.length / columns);
    const perRow = Math.ceil(inOrder.length / rows);
    inOrder.forEach((node, at) => {
      const row = Math.floor(at / perRow);
      const inRow = Math.min(perRow, inOrder.length - row * perRow);
      const x = ((at % perRow) - (inRow - 1) / 2) * column;
      placedX.set(node.id, x);
      placed.push({ node, x: x - wide / 2, y: y + row * rowHeight });
    });
    if (rows > 1) ranks.push({ y, height: (rows - 1) * rowHeight + nodeHeight });
    y += (rows - 1) * rowHeight + rankHeight;
  }
  return { nodes: placed, ranks };
}

function meanOf(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** A lane is named after whoever wrote most of it. */
function nodesToLanes(nodes: readonly ConeNode[], column: number): readonly LaneBand[] {
  const byLane = groupBy(nodes, ({ x }) => x);
  const lanes = [...byLane]
    .map(([x, members]) => ({
      x: x * column,
      width: column,
      label: mostFrequent(
        members.map(({ agent, agentName, source }) => agentName ?? (agent === undefined ? source : agentToText(agent))),
      ),
      branch: mostFrequent(members.map(({ branch }) => branch)),
    }))
    .toSorted((a, b) => a.x - b.x);
  // Columns side by side of one agent on one branch are one band.
  return lanes.reduce<LaneBand[]>((bands, lane) => {
    const last = bands.at(-1);
    if (last?.label !== lane.label || last.branch !== lane.branch) return [...bands, lane];
    return [...bands.slice(0, -1), { ...last, width: lane.x + lane.width - last.x }];
  }, []);
}

/**
 * How far an edge bows to the side, by its id: where it would run behind the nodes of its column it seems to lead to each of them. Longer
 * ones bow farther, so that they can be told apart. Others have no entry.
 */
export function computeBows({ nodes, edges, nodeWidth: wide }: GraphPicture): ReadonlyMap<string, number> {
  const byId = new Map(nodes.map((placed) => [placed.node.id, placed]));
  const bows = new Map<string, number>();
  for (const { id, from, to } of edges) {
    const [a, b] = [byId.get(from), byId.get(to)];
    if (a === undefined || b === undefined || Math.abs(a.x - b.x) > wide / 2) continue;
    const behind = nodes.filter(({ x, y }) => y > a.y && y < b.y && Math.abs(x - (a.x + b.x) / 2) < wide / 2);
    if (behind.length > 0) bows.set(id, wide / 2 + columnGap / 2 + 4 * Math.min(behind.length - 1, 5));
  }
  return bows;
}

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export function pictureToBox({ nodes, nodeWidth: wide }: Pick<GraphPicture, 'nodes' | 'nodeWidth'>): Box {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y } of nodes) {
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x + wide);
    bottom = Math.max(bottom, y + nodeHeight);
  }
  return nodes.length === 0
    ? { left: 0, top: 0, width: 0, height: 0 }
    : { left, top, width: right - left, height: bottom - top };
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/**
 * Corners of the line between what is kept and what falls: just above the first fallen node of each place, under the picture where none
 * falls. It runs between nodes, never through one: a kept node with the line on both sides stands behind it. Empty where nothing falls.
 */
export function computeFrontier(
  picture: GraphPicture,
  isFallen: (event: EventId | undefined) => boolean,
): readonly Point[] {
  const { nodes, nodeWidth: wide } = picture;
  const fallen = nodes.filter(({ node }) => isFallen(node.event));
  if (fallen.length === 0) return [];
  const { left, top, width, height } = pictureToBox(picture);
  const edges = nodes.flatMap(({ x }) => [x - columnGap / 2, x + wide + columnGap / 2]);
  const sides = [...new Set([left - columnGap / 2, left + width + columnGap / 2, ...edges])].sort((a, b) => a - b);
  const spans = sides.slice(1).map((to, n) => ({ from: sides[n] ?? to, to, y: top + height + frontierGap }));
  const raise = (x: number, y: number): boolean => {
    const over = spans.filter(({ from, to, y: at }) => from < x + wide && to > x && at > y);
    for (const span of over) span.y = y;
    return over.length > 0;
  };
  for (const { x, y } of fallen) raise(x, y - frontierGap);
  const isCut = (x: number, y: number): boolean =>
    spans.some(({ from, to, y: at }) => from < x + wide && to > x && at < y);
  // Raised over one node, it may run into the next.
  for (let moved = true; moved;)
    moved = nodes.reduce((before, { x, y }) => (isCut(x, y) ? raise(x, y - frontierGap) || before : before), false);
  return spans.flatMap(({ from, to, y }) => [
    { x: from, y },
    { x: to, y },
  ]);
}

export interface Rows {
  /** In rising order. */
  readonly tops: readonly number[];
  readonly above: number;
}

export function pictureToRows({ nodes, lanes }: GraphPicture): Rows {
  return { tops: nodes.map(({ y }) => y).toSorted((a, b) => a - b), above: lanes.length > 0 ? stripHeight : rimHeight };
}

/**
 * Where to look from: all of it where it can be read at that size, else around the focus without looking past the edge. A zoom that a
 * person chose is kept.
 */
export function computeViewpoint(
  box: Box,
  focus: Point,
  view: Pick<Box, 'width' | 'height'>,
  rows: Rows = { tops: [], above: 0 },
  chosen?: number,
): Point & { readonly zoom: number } {
  const fits = Math.min(
    (view.width - 2 * margin) / Math.max(1, box.width),
    (view.height - 2 * margin) / Math.max(1, box.height),
  );
  const zoom = chosen ?? Math.min(1, Math.max(leastZoom, fits));
  const axis = (start: number, size: number, at: number, length: number): number => {
    const seen = length / zoom;
    const edge = margin / zoom;
    if (size + 2 * edge <= seen) return start + size / 2;
    return Math.min(start + size + edge - seen / 2, Math.max(start - edge + seen / 2, at));
  };
  return {
    x: axis(box.left, box.width, focus.x, view.width),
    y: alignToRow(axis(box.top, box.height, focus.y, view.height), rows, view.height / zoom),
    zoom,
  };
}

/** Moves the view up to half a row, so that its topmost row is shown whole, below the names of the lanes. */
function alignToRow(y: number, { tops, above }: Rows, seen: number): number {
  const top = y - seen / 2;
  const cut = tops.find((row) => row < top + above && row + nodeHeight > top);
  return cut === undefined ? y : cut - above + seen / 2;
}

function mostFrequent(values: readonly string[]): string {
  const counts = new Map<string, number>();
  let best = '';
  for (const value of values) {
    const count = (counts.get(value) ?? 0) + 1;
    counts.set(value, count);
    if (value !== '' && count > (counts.get(best) ?? 0)) best = value;
    else if (best === '') best = value;
  }
  return best;
}

export interface ListedNode {
  readonly node: ConeNode;
  readonly causes: readonly { readonly edge: ConeEdge; readonly node: ConeNode }[];
  readonly effects: readonly { readonly edge: ConeEdge; readonly node: ConeNode }[];
}

/** The equivalent list: every node by causal depth, with what it comes from and what comes from it. */
export function coneToList(cone: Cone): readonly ListedNode[] {
  const byId = new Map(cone.nodes.map((node) => [node.id, node]));
  const causes = new Map<string, ListedNode['causes'][number][]>();
  const effects = new Map<string, ListedNode['effects'][number][]>();
  for (const edge of cone.edges) {
    const [from, to] = [byId.get(edge.from), byId.get(edge.to)];
    if (from === undefined || to === undefined) continue;
    append(causes, edge.to, { edge, node: from });
    append(effects, edge.from, { edge, node: to });
  }
  return cone.nodes
    .toSorted((a, b) => a.y - b.y || a.x - b.x)
    .map((node) => ({ node, causes: causes.get(node.id) ?? [], effects: effects.get(node.id) ?? [] }));
}

function append<T>(lists: Map<string, T[]>, key: string, value: T): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

export function hasEvent(cone: Cone, event: EventId): boolean {
  return cone.nodes.some((node) => node.event === event);
}

/** `result_of` → “result of”. */
export function kindToWords(kind: string): string {
  return kind.replaceAll('_', ' ');
}

export function edgeToName(edge: ConeEdge): string {
  const by = edge.grade === 'recorded' && edge.as !== 'gap' ? ', its kind by' : ' by';
  const rule = edge.rule === undefined ? '' : `${by} ${nameToShown(edge.rule)}`;
  return edge.as === 'gap' ? `expected, not recorded${rule}` : `${kindToWords(edge.as)}, ${edge.grade}${rule}`;
}
