/**
 * What is before what (SPEC G16 to G19): the partial order of edges and of `seq` within one log, and one total order for display.
 *
 * The display order extends the partial order. Among events that are free, it takes the one with the earliest time, then by log,
 * number and id: clocks break ties on screen and decide nothing else, and the order in which records were read decides nothing
 * except between two records that conflict.
 *
 * Records of one log with equal numbers are ordered with the others of the log but not with each other: a barrier node between two
 * groups keeps that exact without an edge for every pair.
 */
import { type Adjacency, groupEdges } from './adjacency.ts';
import type { CausalIndex } from './causal-index.ts';
import { type Components, computeComponents } from './cycles.ts';
import { type LogOrder, computeLogOrder } from './logs.ts';

export interface CausalOrder {
  /** All positions in display order. */
  readonly display: Int32Array;
  /** Place of each position in `display`. */
  readonly placeOf: Int32Array;
  readonly logs: LogOrder;
  /** Sets of events that edges and logs together put before each other; empty in a sound trace. */
  readonly cycles: readonly (readonly number[])[];
  readonly precedes: (before: number, after: number) => boolean;
  readonly isConcurrent: (a: number, b: number) => boolean;
  /** Whether an event precedes any of these, and whether any of these precedes it: one pass for as many questions as there are. */
  readonly beforeAny: (positions: Iterable<number>) => (position: number) => boolean;
  readonly afterAny: (positions: Iterable<number>) => (position: number) => boolean;
}

interface OrderGraph {
  /** Events, then barriers. */
  readonly size: number;
  readonly successors: Adjacency;
}

/** The part of an order that is kept beside the columns: what a view needs at once. */
export interface KnownOrder {
  readonly display: Int32Array;
  readonly cycles: readonly (readonly number[])[];
}

/** With a kept order, the graph behind `precedes` is built when it is first asked. */
export function createOrder(index: CausalIndex, known?: KnownOrder): CausalOrder {
  if (known === undefined) return computeOrder(index);
  let full: CausalOrder | undefined;
  const computed = (): CausalOrder => (full ??= computeOrder(index));
  return {
    display: known.display,
    placeOf: displayToPlaces(known.display, index.count),
    cycles: known.cycles,
    get logs() {
      return computed().logs;
    },
    precedes: (before, after) => computed().precedes(before, after),
    isConcurrent: (a, b) => computed().isConcurrent(a, b),
    beforeAny: (positions) => computed().beforeAny(positions),
    afterAny: (positions) => computed().afterAny(positions),
  };
}

function displayToPlaces(display: Int32Array, count: number): Int32Array {
  const placeOf = new Int32Array(count);
  for (let at = 0; at < display.length; at++) placeOf[display[at] ?? 0] = at;
  return placeOf;
}

function computeOrder(index: CausalIndex): CausalOrder {
  const logs = computeLogOrder(index);
  // Clocks break ties on screen and put nothing before anything: an edge that rests on them alone is no order (G18).
  let graph = buildGraph(index, logs, false);
  let components: Components | undefined;
  let sorted = index.edgeCounts.clockOnly === 0 ? undefined : sortGraph(index, buildGraph(index, logs, true), logs);
  if (sorted === undefined || sorted.length < graph.size) sorted = sortGraph(index, graph, logs);
  if (sorted.length < graph.size) {
    components = computeComponents(graph.successors, graph.size);
    graph = condense(graph, components);
    sorted = sortGraph(index, graph, logs);
  }
  const places = new Int32Array(graph.size);
  for (let at = 0; at < sorted.length; at++) places[sorted[at] ?? 0] = at;
  const display = sorted.filter((node) => node < index.count);
  const precedes = createPrecedes(graph, places);
  return {
    display,
    placeOf: displayToPlaces(display, index.count),
    logs,
    cycles: (components?.cycles ?? [])
      .map((nodes) => nodes.filter((node) => node < index.count))
      .filter((nodes) => nodes.length > 0),
    precedes,
    isConcurrent: (a, b) => a !== b && !precedes(a, b) && !precedes(b, a),
    beforeAny: (positions) => reach(graph, sorted, positions, 'before'),
    afterAny: (positions) => reach(graph, sorted, positions, 'after'),
  };
}

function buildGraph(index: CausalIndex, logs: LogOrder, hasClocks: boolean): OrderGraph {
  const from: number[] = [];
  const to: number[] = [];
  let size = index.count;
  for (let l = 0; l + 1 < logs.offsets.length; l++) size = linkLog(logs, l, size, from, to);
  const { offsets, nodes } = hasClocks ? index.effects : effectsWithoutClocks(index);
  const total = nodes.length + from.length;
  const allFrom = new Int32Array(total);
  const allTo = new Int32Array(total);
  for (let node = 0; node < index.count; node++) allFrom.fill(node, offsets[node] ?? 0, offsets[node + 1] ?? 0);
  allTo.set(nodes);
  allFrom.set(from, nodes.length);
  allTo.set(to, nodes.length);
  return { size, successors: groupEdges(size, allFrom, allTo) };
}

/** Effects over edges that somebody recorded or a rule of the record infers; those by clock alone are left out. */
export function effectsWithoutClocks(index: CausalIndex): Adjacency {
  if (index.edgeCounts.clockOnly === 0) return index.effects;
  const { offsets, nodes, edges } = index.effects;
  const from = new Int32Array(nodes.length);
  for (let node = 0; node < index.count; node++) from.fill(node, offsets[node] ?? 0, offsets[node + 1] ?? 0);
  const to = nodes.map((node, at) => (index.edge(edges[at] ?? 0).grade === 'clock-only' ? -1 : node));
  return groupEdges(index.count, from, to);
}

/** Links each group of equal numbers to the next, through a barrier where either has several. Returns the new graph size. */
function linkLog(logs: LogOrder, log: number, size: number, from: number[], to: number[]): number {
  const end = logs.offsets[log + 1] ?? 0;
  let group = logs.offsets[log] ?? 0;
  let groupEnd = endOfGroup(logs, group, end);
  let nextSize = size;
  while (groupEnd < end) {
    const nextEnd = endOfGroup(logs, groupEnd, end);
    if (groupEnd - group === 1 && nextEnd - groupEnd === 1) {
      from.push(logs.positions[group] ?? 0);
      to.push(logs.positions[groupEnd] ?? 0);
    } else {
      const barrier = nextSize++;
      for (let at = group; at < groupEnd; at++) {
        from.push(logs.positions[at] ?? 0);
        to.push(barrier);
      }
      for (let at = groupEnd; at < nextEnd; at++) {
        from.push(barrier);
        to.push(logs.positions[at] ?? 0);
      }
    }
    group = groupEnd;
    groupEnd = nextEnd;
  }
  return nextSize;
}

function endOfGroup(logs: LogOrder, start: number, end: number): number {
  let at = start + 1;
  while (at < end && logs.numbers[at] === logs.numbers[start]) at++;
  return at;
}

/** Puts two barriers around each cycle: what leads into any member leads to all, and all lead to what any member leads to. */
function condense(graph: OrderGraph, { of, cycles }: Components): OrderGraph {
  const { offsets, nodes } = graph.successors;
  const gates = new Map<number, number>();
  const from: number[] = [];
  const to: number[] = [];
  let size = graph.size;
  for (const cycle of cycles) {
    gates.set(of[cycle[0] ?? 0] ?? 0, size);
    for (const node of cycle) {
      from.push(size, node);
      to.push(node, size + 1);
    }
    size += 2;
  }
  for (let node = 0; node < graph.size; node++) {
    const component = of[node] ?? 0;
    const end = offsets[node + 1] ?? 0;
    for (let at = offsets[node] ?? 0; at < end; at++) {
      const target = nodes[at] ?? 0;
      const targetComponent = of[target] ?? 0;
      if (component === targetComponent) continue;
      const exit = gates.get(component);
      from.push(exit === undefined ? node : exit + 1);
      to.push(gates.get(targetComponent) ?? target);
    }
  }
  return { size, successors: groupEdges(size, Int32Array.from(from), Int32Array.from(to)) };
}

function sortGraph(index: CausalIndex, graph: OrderGraph, logs: LogOrder): Int32Array {
  const times = computeDisplayTimes(index, graph.size);
  placeCutBranches(index, logs, times);
  const compare = createComparison(index, times);
  return sortByComparison(index, graph, compare) ?? sortWithHeap(index, graph, times, compare);
}

/**
 * Where sorting by the comparison contradicts no edge, it is the order that the heap would give: of what is left, the least has all
 * that precedes it behind it. Most traces are recorded nearly so, and a million events are then ordered in one pass. Undefined where
 * an edge runs backward, where a place depends on what comes before it, and where there is much to sort.
 */
function sortByComparison(
  index: CausalIndex,
  { size, successors: { offsets, nodes } }: OrderGraph,
  compare: (a: number, b: number) => number,
): Int32Array | undefined {
  if (size !== index.count) return undefined;
  const sorted = new Int32Array(size);
  let descents = 0;
  for (let node = 0; node < size; node++) {
    if (isTimeless(index, node)) return undefined;
    sorted[node] = node;
    if (node > 0 && compare(node - 1, node) > 0) descents++;
  }
  if (descents > size / 16) return undefined;
  if (descents > 0) sorted.sort(compare);
  const places = new Int32Array(size);
  for (let at = 0; at < size; at++) places[sorted[at] ?? 0] = at;
  for (let node = 0; node < size; node++) {
    const end = offsets[node + 1] ?? 0;
    for (let at = offsets[node] ?? 0; at < end; at++) {
      if ((places[nodes[at] ?? 0] ?? 0) <= (places[node] ?? 0)) return undefined;
    }
  }
  return sorted;
}

/** Kahn's algorithm with a heap. Shorter than the graph when a cycle stops it. */
function sortWithHeap(
  index: CausalIndex,
  graph: OrderGraph,
  times: Float64Array,
  compare: (a: number, b: number) => number,
): Int32Array {
  const { offsets, nodes } = graph.successors;
  const waiting = new Int32Array(graph.size);
  for (let node = 0; node < graph.size; node++) {
    const end = offsets[node + 1] ?? 0;
    for (let at = offsets[node] ?? 0; at < end; at++) {
      const target = nodes[at] ?? 0;
      waiting[target] = (waiting[target] ?? 0) + 1;
    }
  }
  const heap = createHeap(graph.size, compare);
  for (let node = 0; node < graph.size; node++) if (waiting[node] === 0) heap.push(node);
  const sorted = new Int32Array(graph.size);
  let count = 0;
  for (let node = heap.pop(); node >= 0; node = heap.pop()) {
    sorted[count++] = node;
    const end = offsets[node + 1] ?? 0;
    for (let at = offsets[node] ?? 0; at < end; at++) {
      const target = nodes[at] ?? 0;
      if (isTimeless(index, target)) times[target] = Math.max(times[target] ?? 0, times[node] ?? 0);
      waiting[target] = (waiting[target] ?? 0) - 1;
      if (waiting[target] === 0) heap.push(target);
    }
  }
  return sorted.subarray(0, count);
}

/** True where the node's place on screen is taken from what comes before it: no time, a barrier, or an event a replay made. */
function isTimeless(index: CausalIndex, node: number): boolean {
  return node >= index.count || Number.isNaN(index.columns.time[node] ?? Number.NaN) || index.branch(node) !== 'main';
}

/** Recorded times; for an event of a branch, the time of the record it replaces or points at, because its own is of another day. */
function computeDisplayTimes(index: CausalIndex, size: number): Float64Array {
  const times = new Float64Array(size).fill(Number.NEGATIVE_INFINITY);
  for (let node = 0; node < index.count; node++) {
    if (!isTimeless(index, node)) {
      times[node] = index.columns.time[node] ?? 0;
      continue;
    }
    const model = Math.max(index.supersedes(node), index.pointsAt(node));
    const time = model < 0 ? undefined : index.time(model);
    if (time !== undefined) times[node] = time;
  }
  return times;
}

/**
 * The beginning of a branch whose fork is not in the trace, such as in a copy of the branch alone: it stands before the first of its
 * records that has a place, not before the whole run.
 */
function placeCutBranches(index: CausalIndex, { offsets, positions }: LogOrder, times: Float64Array): void {
  for (let log = 0; log + 1 < offsets.length; log++) {
    const start = offsets[log] ?? 0;
    const end = offsets[log + 1] ?? 0;
    const first = positions[start] ?? 0;
    if (start === end || index.branch(first) === 'main' || times[first] !== Number.NEGATIVE_INFINITY) continue;
    if (index.causesOf(first).length > 0) continue;
    let at = start;
    while (at < end && times[positions[at] ?? 0] === Number.NEGATIVE_INFINITY) at++;
    if (at < end) times[first] = times[positions[at] ?? 0] ?? Number.NEGATIVE_INFINITY;
  }
}

function createComparison(index: CausalIndex, times: Float64Array): (a: number, b: number) => number {
  const { logs } = index;
  const logRank = rankTexts(
    logs.map((log) =>
      [log.component, log.instance ?? '', log.incarnation ?? '', log.branch, log.run ?? ''].join('\u0000'),
    ),
  );
  return (a, b) => {
    const ta = times[a] ?? 0;
    const tb = times[b] ?? 0;
    if (ta !== tb) return ta < tb ? -1 : 1;
    if (a >= index.count || b >= index.count) return b - a;
    const byLog = (logRank[index.logNumber(a)] ?? 0) - (logRank[index.logNumber(b)] ?? 0);
    if (byLog !== 0) return byLog;
    const sa = index.columns.seq[a] ?? Number.NaN;
    const sb = index.columns.seq[b] ?? Number.NaN;
    // Records with a number stand before those without, else three of them could come in a circle.
    if (Number.isNaN(sa) !== Number.isNaN(sb)) return Number.isNaN(sa) ? 1 : -1;
    if (sa < sb) return -1;
    if (sa > sb) return 1;
    return compareIds(index.id(a), index.id(b)) || a - b;
  };
}

/** By code units of what stands before a number at the end, then by its value, so that `w:9` stands before `w:10`. */
function compareIds(a: string, b: string): number {
  if (a === b) return 0;
  const numbers = /\d{1,15}$/;
  const na = numbers.exec(a);
  const nb = numbers.exec(b);
  const [pa, pb] = [a.slice(0, na?.index), b.slice(0, nb?.index)];
  if (pa !== pb) return pa < pb ? -1 : 1;
  const [va, vb] = [Number(na?.[0] ?? -1), Number(nb?.[0] ?? -1)];
  if (va !== vb) return va - vb;
  return a < b ? -1 : 1;
}

function rankTexts(texts: readonly string[]): Int32Array {
  const ranks = new Int32Array(texts.length);
  const sorted = texts
    .map((text, number) => ({ text, number }))
    .sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0));
  sorted.forEach(({ number }, rank) => {
    ranks[number] = rank;
  });
  return ranks;
}

interface Heap {
  readonly push: (node: number) => void;
  /** The least node, -1 when empty. */
  readonly pop: () => number;
}

function createHeap(capacity: number, compare: (a: number, b: number) => number): Heap {
  const items = new Int32Array(capacity);
  let length = 0;
  const at = (i: number): number => items[i] ?? 0;
  return {
    push: (node) => {
      let i = length++;
      while (i > 0) {
        const parent = (i - 1) >> 1;
        if (compare(node, at(parent)) >= 0) break;
        items[i] = at(parent);
        i = parent;
      }
      items[i] = node;
    },
    pop: () => {
      if (length === 0) return -1;
      const top = at(0);
      const last = at(--length);
      let i = 0;
      for (let child = 1; child < length; child = 2 * i + 1) {
        if (child + 1 < length && compare(at(child + 1), at(child)) < 0) child++;
        if (compare(last, at(child)) <= 0) break;
        items[i] = at(child);
        i = child;
      }
      items[i] = last;
      return top;
    },
  };
}

/** Reachability, entering only nodes that stand before the target in the sorted order. */
function createPrecedes(graph: OrderGraph, places: Int32Array) {
  const { offsets, nodes } = graph.successors;
  const stamps = new Uint32Array(graph.size);
  let stamp = 0;
  return (before: number, after: number): boolean => {
    const last = places[after] ?? 0;
    if (before === after || (places[before] ?? 0) >= last) return false;
    stamp++;
    const stack = [before];
    for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
      const end = offsets[node + 1] ?? 0;
      for (let at = offsets[node] ?? 0; at < end; at++) {
        const target = nodes[at] ?? 0;
        if (stamps[target] === stamp || (places[target] ?? 0) > last) continue;
        if (target === after) return true;
        stamps[target] = stamp;
        stack.push(target);
      }
    }
    return false;
  };
}

/** All that leads to a set, or that it leads to: one pass over the sorted graph, against or along it. */
function reach(
  { size, successors: { offsets, nodes } }: OrderGraph,
  sorted: Int32Array,
  positions: Iterable<number>,
  side: 'before' | 'after',
): (position: number) => boolean {
  const given = new Uint8Array(size);
  for (const position of positions) given[position] = 1;
  const reached = new Uint8Array(size);
  for (let i = 0; i < sorted.length; i++) {
    const node = sorted[side === 'after' ? i : sorted.length - 1 - i] ?? 0;
    const end = offsets[node + 1] ?? 0;
    const isSource = given[node] === 1 || reached[node] === 1;
    for (let at = offsets[node] ?? 0; at < end; at++) {
      const next = nodes[at] ?? 0;
      if (side === 'after' && isSource) reached[next] = 1;
      if (side === 'before' && (given[next] === 1 || reached[next] === 1)) reached[node] = 1;
    }
  }
  return (position) => reached[position] === 1;
}
