/**
 * Records of each log in the order of their numbers: `seq`, and on a branch without `seq` the number in the id `<branch>:<n>`.
 */
import type { CausalIndex } from './causal-index.ts';

export interface LogOrder {
  /** Positions of numbered records, log by log, ascending by number within a log. */
  readonly positions: Int32Array;
  /** The number at each place of `positions`. */
  readonly numbers: Float64Array;
  /** Log `l` stands from `offsets[l]` up to `offsets[l + 1]`. */
  readonly offsets: Int32Array;
}

/** Number of a record within its log; NaN where it has none. */
export function numberInLog(index: CausalIndex, position: number): number {
  const seq = index.columns.seq[position] ?? Number.NaN;
  if (!Number.isNaN(seq)) return seq;
  const branch = index.branch(position);
  if (branch === 'main') return Number.NaN;
  const id = index.id(position);
  const tail = id.slice(branch.length + 1);
  return id.startsWith(`${branch}:`) && /^\d{1,15}$/.test(tail) ? Number(tail) : Number.NaN;
}

export function computeLogOrder(index: CausalIndex): LogOrder {
  const logCount = index.logs.length;
  const offsets = new Int32Array(logCount + 1);
  const numberOf = new Float64Array(index.count);
  for (let i = 0; i < index.count; i++) {
    const number = numberInLog(index, i);
    numberOf[i] = number;
    if (!Number.isNaN(number)) offsets[index.logNumber(i) + 1] = (offsets[index.logNumber(i) + 1] ?? 0) + 1;
  }
  for (let l = 0; l < logCount; l++) offsets[l + 1] = (offsets[l + 1] ?? 0) + (offsets[l] ?? 0);
  const positions = new Int32Array(offsets[logCount] ?? 0);
  const next = offsets.slice(0, logCount);
  for (let i = 0; i < index.count; i++) {
    if (Number.isNaN(numberOf[i] ?? Number.NaN)) continue;
    const log = index.logNumber(i);
    positions[next[log] ?? 0] = i;
    next[log] = (next[log] ?? 0) + 1;
  }
  for (let l = 0; l < logCount; l++) sortByNumber(positions.subarray(offsets[l] ?? 0, offsets[l + 1] ?? 0), numberOf);
  return { positions, numbers: Float64Array.from(positions, (position) => numberOf[position] ?? 0), offsets };
}

/** In place; equal numbers by position. Logs are nearly always read in order, so that is looked at first. */
function sortByNumber(positions: Int32Array, numberOf: Float64Array): void {
  for (let i = 1; i < positions.length; i++) {
    if ((numberOf[positions[i] ?? 0] ?? 0) < (numberOf[positions[i - 1] ?? 0] ?? 0)) {
      positions.sort((a, b) => (numberOf[a] ?? 0) - (numberOf[b] ?? 0) || a - b);
      return;
    }
  }
}
