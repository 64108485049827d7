/**
 * The causal cone as the graph view draws it: positions in pixels, lanes with their names, edges by grade.
 *
 * The reader decides what is in the cone and where; here grid units become pixels and nothing else. Pure, so that the
 * picture and its list are made from the same values.
 */
import type { EventId } from '../../core/model/index.ts';
import type { Cone, ConeEdge, ConeNode } from '../../core/projections/trace-reader.ts';
import { groupBy } from '../../ui/group.ts';

export const nodeWidth = 208;
export const nodeHeight = 48;
export const columnWidth = 240;
export const rankHeight = 88;

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

export interface GraphPicture {
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly (ConeEdge & { readonly id: string })[];
  readonly lanes: readonly LaneBand[];
  readonly height: number;
}

export function coneToPicture(cone: Cone): GraphPicture {
  const nodes = cone.nodes.map((node) => ({ node, x: node.x * columnWidth, y: node.y * rankHeight }));
  const seen = new Map<string, number>();
  const edges = cone.edges.map((edge) => {
    // Two edges may join the same nodes in different ways; each keeps an id of its own.
    const base = `${edge.from}→${edge.to}:${edge.as}`;
    const copies = seen.get(base) ?? 0;
    seen.set(base, copies + 1);
    return { ...edge, id: copies === 0 ? base : `${base}#${copies}` };
  });
  const bottom = cone.nodes.reduce((most, { y }) => Math.max(most, y), 0);
  const top = cone.nodes.reduce((least, { y }) => Math.min(least, y), 0);
  return { nodes, edges, lanes: nodesToLanes(cone.nodes), height: (bottom - top + 1) * rankHeight };
}

/** A lane is named after whoever wrote most of it. */
function nodesToLanes(nodes: readonly ConeNode[]): readonly LaneBand[] {
  const byLane = groupBy(nodes, ({ x }) => x);
  return [...byLane]
    .map(([x, members]) => ({
      x: x * columnWidth,
      width: columnWidth,
      label: mostFrequent(members.map(({ agent }) => agent ?? '')),
      branch: mostFrequent(members.map(({ branch }) => branch)),
    }))
    .toSorted((a, b) => a.x - b.x);
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
  const rule = edge.rule === undefined ? '' : ` by ${edge.rule}`;
  return edge.as === 'gap' ? `expected, not recorded${rule}` : `${kindToWords(edge.as)}, ${edge.grade}${rule}`;
}
