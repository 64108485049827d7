/**
 * Parallel sub-agents told one after the other: between two lines of nobody's sub-agent, the lines of each stay together.
 *
 * Invariant: no line comes before one that caused it; where telling the threads apart would do that, the stretch stays as it was.
 * A line outside all threads (the agent above, a kill, a restart) never moves, and none moves across it.
 */
import type { TraceView } from '../trace-view.ts';
import type { Nesting } from './nesting.ts';

/** `shown`: positions in display order; the answer holds the same ones. */
export function groupThreads(view: TraceView, nesting: Nesting, shown: Int32Array): Int32Array {
  const grouped = Int32Array.from(shown);
  let start = 0;
  while (start < shown.length) {
    let end = start;
    while (end < shown.length && nesting.threadOf(shown[end] ?? 0) >= 0) end++;
    if (end - start > 2) groupStretch(view, nesting, grouped.subarray(start, end));
    start = Math.max(end, start) + 1;
  }
  return grouped;
}

function groupStretch(view: TraceView, nesting: Nesting, stretch: Int32Array): void {
  const threads = new Map<number, number[]>();
  for (const position of stretch) {
    const thread = nesting.threadOf(position);
    const list = threads.get(thread);
    if (list === undefined) threads.set(thread, [position]);
    else list.push(position);
  }
  if (threads.size < 2) return;
  const places = new Map<number, number>();
  for (const list of threads.values()) for (const position of list) places.set(position, places.size);
  for (const [position, place] of places)
    for (const { from } of view.causesOf(position)) if ((places.get(from) ?? -1) > place) return;
  for (const [position, place] of places) stretch[place] = position;
}
