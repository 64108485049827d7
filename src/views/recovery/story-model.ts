/**
 * A trial as a picture: producers as lanes, records in their recorded order, kills across them, the interval each one struck, what is
 * absent from it, and which records of others fill it.
 *
 * Invariant: places on the line are positions in the order of the records, never lengths of time; a duration is written only where one
 * clock measured both ends. Nothing is drawn that no record or placement names.
 */
import { timeToMillis } from '../../core/base/time.ts';
import { msToText } from './words.ts';
import type { Placement, TimelineItem, TrialReport } from '../../core/recovery/index.ts';

export interface StoryMark {
  readonly event: string;
  readonly type: string;
  readonly role: TimelineItem['role'];
  readonly lane: number;
  /** Column: the place in the order. */
  readonly at: number;
  /** Kills that this record fills the gap of, by number. */
  readonly fills: readonly number[];
  /** True for the last record before a kill. */
  readonly isLast: boolean;
  readonly words: string;
}

export interface StoryKill {
  readonly ordinal: number;
  readonly event: string;
  readonly at: number;
  /** Lane of the life that was struck; undefined where none is known. */
  readonly lane: number | undefined;
  /** Column of the last record of that life: the interval runs from here to the kill. */
  readonly from: number;
  readonly label: string;
  readonly words: string;
  readonly isVerified: boolean;
}

export interface Story {
  readonly lanes: readonly string[];
  readonly marks: readonly StoryMark[];
  readonly kills: readonly StoryKill[];
  readonly columns: number;
}

export function trialToStory({
  timeline,
  placements,
  metrics,
}: Pick<TrialReport, 'timeline' | 'placements' | 'metrics'>): Story {
  // A stream may declare its times as laid out: then no metric has one, and no mark gets one.
  const isMeasured = metrics.some(({ ms }) => ms !== undefined);
  const lanes = toLanes(timeline);
  const laneOf = new Map(lanes.map((lane, i) => [lane, i]));
  const columnOf = new Map(timeline.map(({ event }, i) => [event, i]));
  const fills = new Map<string, number[]>();
  const lasts = new Map<string, number>();
  for (const { ordinal, gap } of placements) {
    for (const event of gap.filledBy) fills.set(event, [...(fills.get(event) ?? []), ordinal]);
    if (gap.lastRecord !== undefined) lasts.set(gap.lastRecord, ordinal);
  }
  const firstKill = timeline.find(({ role }) => role === 'kill');
  const marks = timeline.map((item, at): StoryMark => {
    const own = fills.get(item.event) ?? [];
    const last = lasts.get(item.event);
    return {
      event: item.event,
      type: item.type,
      role: item.role,
      lane: laneOf.get(item.lane) ?? 0,
      at,
      fills: own,
      isLast: last !== undefined,
      words: [
        `${item.lane}: ${item.type}`,
        isMeasured ? offsetToWords(firstKill, item) : undefined,
        last === undefined ? undefined : `last record before kill ${last}`,
        own.length === 0 ? undefined : `tells about the gap of kill ${own.join(', ')}`,
      ]
        .filter((part) => part !== undefined)
        .join(', '),
    };
  });
  return {
    lanes,
    marks,
    kills: placements.map((placement) => toKill(placement, timeline, laneOf, columnOf)),
    columns: timeline.length,
  };
}

/** The harness first, the lives in the order of their start, then who they asked. */
function toLanes(timeline: readonly TimelineItem[]): readonly string[] {
  const order = [...new Set(timeline.map(({ lane }) => lane))];
  const weight = (lane: string): number => {
    const own = timeline.filter((item) => item.lane === lane);
    if (own.some(({ role }) => role === 'kill')) return 0;
    return own.some(({ role }) => role === 'request' || role === 'restart') ? 1 : 2;
  };
  return order.toSorted((a, b) => weight(a) - weight(b));
}

function toKill(
  { ordinal, injected, life, gap, verdict, point, text }: Placement,
  timeline: readonly TimelineItem[],
  laneOf: ReadonlyMap<string, number>,
  columnOf: ReadonlyMap<string, number>,
): StoryKill {
  const at = columnOf.get(injected) ?? 0;
  const lane = life === undefined ? undefined : laneOf.get(life);
  const lastOfLife = timeline.findLastIndex((item, i) => i < at && item.lane === life);
  const from = (gap.lastRecord === undefined ? undefined : columnOf.get(gap.lastRecord)) ?? Math.max(lastOfLife, 0);
  const absent = gap.expected === undefined ? '' : ` ${gap.wording}: ${gap.expected}.`;
  const filled =
    gap.filledBy.length === 0
      ? ' No record of another producer fills it.'
      : ` ${gap.filledBy.length === 1 ? 'One record of another producer tells' : `${gap.filledBy.length} records of other producers tell`} about it.`;
  return {
    ordinal,
    event: injected,
    at,
    lane,
    from: Math.min(from, at),
    label: point === undefined ? `kill ${ordinal}` : `kill ${ordinal} at ${point}`,
    words: `${text}${absent}${filled}`,
    isVerified: verdict === 'verified',
  };
}

/** Time from the first kill, where the same clock was read at both. */
function offsetToWords(kill: TimelineItem | undefined, item: TimelineItem): string | undefined {
  if (kill === undefined || kill.event === item.event) return undefined;
  if (kill.clock === undefined || kill.clock !== item.clock) return undefined;
  const ms = offsetOf(kill, item);
  if (ms === undefined) return undefined;
  return `${msToText(Math.abs(ms))} ${ms < 0 ? 'before' : 'after'} the first kill was sent, by one clock`;
}

function offsetOf(kill: TimelineItem, item: TimelineItem): number | undefined {
  const [start, end] = [kill.mono, item.mono].map((mono) =>
    mono === undefined || !/^\d+$/.test(mono) ? undefined : BigInt(mono),
  );
  if (start !== undefined && end !== undefined) return Number(end - start) / 1e6;
  const [from, to] = [kill.time, item.time].map((time) => (time === undefined ? undefined : timeToMillis(time)));
  return from === undefined || to === undefined ? undefined : to - from;
}
