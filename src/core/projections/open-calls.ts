/**
 * How long calls of tools and models were open, in rows: from the record that asks to the last record that is its result.
 *
 * Invariant: a call without a recorded end has no length; that it was open later is not known. Very long traces are left out: there a place
 * of the overview holds many events, and which of them ran at once cannot be seen. Called by the overview.
 */
import type { TraceView } from './trace-view.ts';

const longestView = 100_000;

const ends = [
  'tool_call.completed',
  'tool_call.failed',
  'tool_call.timed_out',
  'tool_call.cancelled',
  'model_call.completed',
  'model_call.failed',
  'model_call.cancelled',
] as const;
const begins: ReadonlySet<string> = new Set(['tool_call.dispatched', 'model_call.requested']);

const known = new WeakMap<TraceView, ReadonlyMap<number, number>>();

/** The row in which a call ends, by the row in which it begins. */
function computeOpenCalls(view: TraceView): ReadonlyMap<number, number> {
  const before = known.get(view);
  if (before !== undefined) return before;
  const calls = new Map<number, number>();
  if (view.positions.length <= longestView) {
    for (const position of view.ofType(...ends)) {
      const end = view.rowOf(position);
      for (const { from, as } of view.causesOf(position)) {
        if (as !== 'result_of' || !begins.has(view.index.type(from))) continue;
        const begin = view.rowOf(from);
        if (begin >= 0 && begin < end) calls.set(begin, Math.max(end, calls.get(begin) ?? 0));
      }
    }
  }
  known.set(view, calls);
  return calls;
}

interface OpenCount {
  /** The row to begin with, to know what is open at this one. */
  readonly from: (row: number) => number;
  /** How many calls of its lane are open at a row, the one that begins or ends there among them. To be asked row by row. */
  readonly at: (row: number, isShown: boolean) => number;
}

/** A lane is any object, the same one for all its positions. */
export function createOpenCount(view: TraceView, laneOf: (position: number) => object): OpenCount {
  const calls = computeOpenCalls(view);
  const open = new Map<object, number>();
  const ending = new Map<number, object[]>();
  return {
    from: (row) => (calls.size === 0 ? row : 0),
    at: (row, isShown) => {
      const position = view.positions[row] ?? 0;
      const end = isShown ? calls.get(row) : undefined;
      if (end !== undefined) {
        const lane = laneOf(position);
        open.set(lane, (open.get(lane) ?? 0) + 1);
        const others = ending.get(end);
        if (others === undefined) ending.set(end, [lane]);
        else others.push(lane);
      }
      const count = isShown && open.size > 0 ? (open.get(laneOf(position)) ?? 0) : 0;
      for (const lane of ending.get(row) ?? []) {
        const left = (open.get(lane) ?? 1) - 1;
        if (left === 0) open.delete(lane);
        else open.set(lane, left);
      }
      ending.delete(row);
      return count;
    },
  };
}
