/**
 * Edges grouped by one of their ends (compressed sparse rows): the neighbours of a node are one slice of an array.
 */

export interface Adjacency {
  /** Neighbours of node `n` stand from `offsets[n]` up to `offsets[n + 1]`. */
  readonly offsets: Int32Array;
  readonly nodes: Int32Array;
  /** Number of the edge at each place of `nodes`. */
  readonly edges: Int32Array;
}

/** Groups edges by `key`; `value` is the other end. An edge with a negative end is left out. Order within a group is edge order. */
export function groupEdges(size: number, key: Int32Array, value: Int32Array): Adjacency {
  const offsets = new Int32Array(size + 1);
  let kept = 0;
  for (let e = 0; e < key.length; e++) {
    const k = key[e] ?? -1;
    if (k < 0 || (value[e] ?? -1) < 0) continue;
    offsets[k + 1] = (offsets[k + 1] ?? 0) + 1;
    kept++;
  }
  for (let n = 0; n < size; n++) offsets[n + 1] = (offsets[n + 1] ?? 0) + (offsets[n] ?? 0);
  const next = offsets.slice(0, size);
  const nodes = new Int32Array(kept);
  const edges = new Int32Array(kept);
  for (let e = 0; e < key.length; e++) {
    const k = key[e] ?? -1;
    const v = value[e] ?? -1;
    if (k < 0 || v < 0) continue;
    const at = next[k] ?? 0;
    next[k] = at + 1;
    nodes[at] = v;
    edges[at] = e;
  }
  return { offsets, nodes, edges };
}

export function degree(adjacency: Adjacency, node: number): number {
  return (adjacency.offsets[node + 1] ?? 0) - (adjacency.offsets[node] ?? 0);
}
