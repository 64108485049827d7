/**
 * Places for a small graph: y is the rank, x the lane, one lane an agent or producer.
 *
 * The rank is the longest way from a node without causes; what comes from nothing in the picture, alone or in a line of its own, stands
 * just above what it leads to, not at the top beside what happened long before it. Invariant: an edge that goes forward in the given
 * order goes downward in the picture.
 * A lane is as wide as the most nodes it has on one rank; within a rank, nodes stand in the order of the mean place of their causes,
 * which keeps most edges from crossing. Nodes are given in display order, so that every edge goes forward except in a cycle, and an
 * edge that goes backward is left out of the ranks.
 */

export interface LayoutInput {
  /** Ids; causes before effects. */
  readonly nodes: readonly string[];
  /** Lane of each node. */
  readonly lanes: readonly string[];
  readonly edges: readonly { readonly from: string; readonly to: string }[];
}

export interface LayoutPlace {
  readonly x: number;
  readonly y: number;
}

export function layOut({ nodes, lanes, edges }: LayoutInput): ReadonlyMap<string, LayoutPlace> {
  const numbers = new Map(nodes.map((node, i) => [node, i]));
  const causes = nodes.map((): number[] => []);
  for (const { from, to } of edges) {
    const a = numbers.get(from) ?? -1;
    const b = numbers.get(to) ?? -1;
    if (a >= 0 && a < b) causes[b]?.push(a);
  }
  const ranks = computeRanks(causes);
  const laneNumbers = new Map<string, number>();
  for (const lane of lanes) if (!laneNumbers.has(lane)) laneNumbers.set(lane, laneNumbers.size);
  const cells = groupByCell(nodes.length, ranks, lanes);
  const starts = computeLaneStarts(laneNumbers, cells);
  return placeNodes(nodes, { causes, ranks, lanes, starts, cells });
}

/** Nodes are in an order that extends the edges kept: one pass along it and one against it settle all ranks. */
function computeRanks(causes: readonly (readonly number[])[]): readonly number[] {
  const ranks = causes.map(() => 0);
  const nearest = causes.map(() => Infinity);
  const effects = causes.map(() => 0);
  for (const [i, before] of causes.entries()) {
    for (const cause of before) {
      ranks[i] = Math.max(ranks[i] ?? 0, (ranks[cause] ?? 0) + 1);
      effects[cause] = (effects[cause] ?? 0) + 1;
    }
  }
  // Going down with such a node goes all that leads to it: that leads nowhere else.
  const goesDown: boolean[] = [];
  for (const before of causes) goesDown.push(before.every((cause) => goesDown[cause] === true && effects[cause] === 1));
  for (let i = causes.length - 1; i >= 0; i--) {
    const below = nearest[i] ?? Infinity;
    if (goesDown[i] === true && below < Infinity) ranks[i] = below - 1;
    for (const cause of causes[i] ?? []) nearest[cause] = Math.min(nearest[cause] ?? Infinity, ranks[i] ?? 0);
  }
  return ranks;
}

type Cells = ReadonlyMap<string, ReadonlyMap<number, readonly number[]>>;

/** Nodes by lane and rank. */
function groupByCell(count: number, ranks: readonly number[], lanes: readonly string[]): Cells {
  const cells = new Map<string, Map<number, number[]>>();
  for (let i = 0; i < count; i++) {
    const lane = lanes[i] ?? '';
    const rank = ranks[i] ?? 0;
    const byRank = cells.get(lane) ?? new Map<number, number[]>();
    cells.set(lane, byRank);
    const cell = byRank.get(rank);
    if (cell === undefined) byRank.set(rank, [i]);
    else cell.push(i);
  }
  return cells;
}

function computeLaneStarts(laneNumbers: ReadonlyMap<string, number>, cells: Cells): ReadonlyMap<string, number> {
  const starts = new Map<string, number>();
  let start = 0;
  for (const lane of laneNumbers.keys()) {
    starts.set(lane, start);
    let width = 1;
    for (const cell of cells.get(lane)?.values() ?? []) width = Math.max(width, cell.length);
    start += width;
  }
  return starts;
}

interface Draft {
  readonly causes: readonly (readonly number[])[];
  readonly ranks: readonly number[];
  readonly lanes: readonly string[];
  readonly starts: ReadonlyMap<string, number>;
  readonly cells: Cells;
}

function placeNodes(nodes: readonly string[], draft: Draft): ReadonlyMap<string, LayoutPlace> {
  const xs = nodes.map(() => 0);
  const meanOfCauses = (node: number): number => {
    const before = draft.causes[node] ?? [];
    if (before.length === 0) return -1;
    return before.reduce((sum, cause) => sum + (xs[cause] ?? 0), 0) / before.length;
  };
  const deepest = draft.ranks.reduce((most, rank) => Math.max(most, rank), 0);
  const lanesByRank = Array.from({ length: deepest + 1 }, (): (readonly [string, readonly number[]])[] => []);
  for (const [lane, byRank] of draft.cells) for (const [rank, cell] of byRank) lanesByRank[rank]?.push([lane, cell]);
  for (const row of lanesByRank) {
    for (const [lane, cell] of row) {
      const means = new Map(cell.map((node) => [node, meanOfCauses(node)]));
      const sorted = [...cell].sort((a, b) => (means.get(a) ?? 0) - (means.get(b) ?? 0) || a - b);
      sorted.forEach((node, i) => {
        xs[node] = (draft.starts.get(lane) ?? 0) + i;
      });
    }
  }
  return new Map(nodes.map((node, i) => [node, { x: xs[i] ?? 0, y: draft.ranks[i] ?? 0 }]));
}
