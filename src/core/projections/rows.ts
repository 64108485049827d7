/**
 * Rows of the display order: one event a row, under a filter, in half-open ranges.
 */
import { countBits, hasBit } from '../causal/index.ts';
import type { EventId } from '../model/index.ts';
import { otherName, viewToTitle } from './agent-names.ts';
import { shownAgent } from './agent-stand-ins.ts';
import { effectMark } from './effects/assumed.ts';
import { isEmptyFilter } from './matching.ts';
import { sourceToText } from './title-words.ts';
import type { EventRow, FilterSpec, RowPage } from './trace-reader.ts';
import type { TraceView } from './trace-view.ts';

/** How many findings and problems point at an event. */
export interface EventMarks {
  readonly findings: ReadonlyMap<string, number>;
  readonly problems: ReadonlyMap<string, number>;
}

export function positionToRow(view: TraceView, marks: EventMarks, position: number): EventRow {
  const { index } = view;
  const event = view.event(position);
  const id = index.id(position);
  const agent = event.agent ?? shownAgent(view, position);
  const called = otherName(view, agent);
  return {
    id,
    type: event.type,
    family: index.family(position),
    title: viewToTitle(view, position),
    ...(agent === undefined ? {} : { agent }),
    ...(called === undefined ? {} : { agentName: called }),
    source: sourceToText(event),
    ...(event.step === undefined ? {} : { step: event.step }),
    branch: event.branch,
    ...(event.time === undefined ? {} : { time: event.time }),
    failed: index.has(position, 'failed'),
    ...effectMark(view, position, event),
    findings: marks.findings.get(id) ?? 0,
    problems: marks.problems.get(id) ?? 0,
  };
}

/** The list that a filter leaves: positions in display order. Kept per view and filter. */
export type ListRows = (filter: FilterSpec) => Int32Array;

export function createRowLists(view: TraceView): ListRows {
  let key: object | undefined;
  let list: Int32Array = view.positions;
  return (filter) => {
    if (isEmptyFilter(filter)) return view.positions;
    // The view answers equal filters with one object.
    const shown = view.matching(filter);
    if (key !== shown) {
      key = shown;
      list = view.positions.filter((position) => hasBit(shown, position));
    }
    return list;
  };
}

export function computeRowPage(
  view: TraceView,
  marks: EventMarks,
  list: Int32Array,
  from: number,
  to: number,
): RowPage {
  const start = Math.max(0, Math.floor(from));
  const rows = Array.from(list.subarray(start, Math.max(start, to)), (position) =>
    positionToRow(view, marks, position),
  );
  return { total: list.length, from: start, rows, hidden: view.positions.length - list.length };
}

export function computeRowOf(view: TraceView, filter: FilterSpec, list: Int32Array, event: EventId): number {
  const position = view.index.find(event);
  if (!view.holds(position)) return -1;
  if (list === view.positions) return view.rowOf(position);
  const shown = view.matching(filter);
  if (!hasBit(shown, position)) return -1;
  // The list ascends by row of the view.
  const row = view.rowOf(position);
  let low = 0;
  let high = list.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (view.rowOf(list[middle] ?? 0) < row) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function countHidden(view: TraceView, filter: FilterSpec): number {
  return isEmptyFilter(filter) ? 0 : view.positions.length - countBits(view.matching(filter));
}
