/**
 * In which segment of its run a record was written that names no command and no step.
 *
 * Invariant: a segment follows from the record itself or from the numbers of its own log, never from the order of lines (event-model rule
 * 3). Where these leave it open there is none. A log on the recorded line counts by `seq`; on a branch its lines are numbered by their ids.
 */
import { isJsonObject } from '../base/json.ts';
import type { HindcastEvent } from '../model/index.ts';
import { pathToSegment } from './command-path.ts';
import { dataOf } from './contents.ts';

interface Mark {
  readonly number: number;
  readonly segment: number;
  /** A segment begins here; another mark only says in which one the log was. */
  readonly begins: boolean;
}

/** Of the events of one run. */
export function createLogSegments(events: readonly HindcastEvent[]): (event: HindcastEvent) => number | undefined {
  const marksByLog = new Map<string, Mark[]>();
  for (const event of events) {
    const mark = eventToMark(event);
    if (mark === undefined) continue;
    const marks = marksByLog.get(logOf(event));
    if (marks === undefined) marksByLog.set(logOf(event), [mark]);
    else marks.push(mark);
  }
  for (const marks of marksByLog.values())
    marks.sort((a, b) => a.number - b.number || Number(b.begins) - Number(a.begins));
  return (event) => {
    const path = event.command?.path ?? event.step;
    if (path?.startsWith('/') === true) return pathToSegment(path);
    const number = numberInLog(event);
    const marks = marksByLog.get(logOf(event)) ?? [];
    if (number !== undefined) return segmentAt(marks, number);
    // A log that was in one segment alone needs no number.
    return marks.every(({ segment }) => segment === marks[0]?.segment) ? marks[0]?.segment : undefined;
  };
}

/** Number in its log: `seq`, and of a line of a branch the one in its id. */
export function numberInLog({ seq, branch, id }: HindcastEvent): number | undefined {
  if (seq !== undefined || branch === 'main') return seq;
  const counted = /:(\d+)$/.exec(id)?.[1];
  return counted === undefined ? undefined : Number(counted);
}

/** The segment that a run goes on from, as the record of its roll-over says it. */
export function rolledFrom(event: HindcastEvent): number | undefined {
  const { segment, next } = dataOf(event);
  if (typeof segment === 'number') return segment;
  const to = isJsonObject(next) ? next['segment'] : undefined;
  return typeof to === 'number' ? to - 1 : undefined;
}

function logOf({ source, branch }: HindcastEvent): string {
  return JSON.stringify([branch, source.component, source.instance ?? '', source.incarnation ?? '']);
}

function eventToMark(event: HindcastEvent): Mark | undefined {
  const number = numberInLog(event);
  if (number === undefined) return undefined;
  if (event.type === 'run.started') return { number, segment: event.data.segment ?? 0, begins: true };
  if (event.type === 'run.rolled_over') {
    const from = rolledFrom(event);
    return from === undefined ? undefined : { number, segment: from + 1, begins: true };
  }
  // An answer may be told late; only an issue is of the segment that runs. A branch tells of one segment after the other.
  const path = event.type === 'observation.reused' ? event.data.path : event.command?.path;
  const isTold = event.branch !== 'main' || event.command?.issued !== undefined;
  return path === undefined || !isTold ? undefined : { number, segment: pathToSegment(path), begins: false };
}

/** That of the mark before, unless the segment may have changed between it and the next without a mark of its own. */
function segmentAt(marks: readonly Mark[], number: number): number | undefined {
  let low = 0;
  let high = marks.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((marks[middle]?.number ?? 0) <= number) low = middle + 1;
    else high = middle;
  }
  const before = marks[low - 1];
  const after = marks[low];
  if (before === undefined)
    return after === undefined ? undefined : Math.max(0, after.segment - (after.begins ? 1 : 0));
  const isSure = before.begins || after === undefined || after.begins || after.segment === before.segment;
  return isSure ? before.segment : undefined;
}
