/**
 * How long a trace is kept: the one place that decides whether it may be deleted, and whether its time is over. Pure; `now` is passed in.
 */
import type { Retention, StorageFailure, TraceRecord } from './records.ts';

export const keepUntilDeleted: Retention = { hold: false, then: 'offer' };

export type RetentionState = 'kept' | 'held' | 'before-floor' | 'due';

/** A hold wins over the floor, the floor over the date. */
export function computeRetentionState(retention: Retention, now: Date): RetentionState {
  if (retention.hold) return 'held';
  if (isAfter(retention.floor, now)) return 'before-floor';
  return retention.keepUntil !== undefined && !isAfter(retention.keepUntil, now) ? 'due' : 'kept';
}

/** Why a delete is refused without an override; undefined when nothing stands against it. */
export function deletionRefusal(
  { name, retention }: Pick<TraceRecord, 'name' | 'retention'>,
  now: Date,
): StorageFailure | undefined {
  const state = computeRetentionState(retention, now);
  if (state === 'held') {
    return {
      code: 'held',
      message: `"${name}" is on hold${because(retention)}. Deleting it needs a reason, which is logged.`,
    };
  }
  if (state === 'before-floor') {
    return {
      code: 'before-floor',
      message: `"${name}" must be kept until ${day(retention.floor)}${because(retention)}. Deleting it earlier needs a reason, which is logged.`,
    };
  }
  return undefined;
}

/** One sentence for the access log and the library. */
export function retentionToSentence(retention: Retention): string {
  const parts = [
    retention.hold ? 'on hold' : undefined,
    retention.floor === undefined ? undefined : `not deleted before ${day(retention.floor)}`,
    retention.keepUntil === undefined
      ? 'kept until deleted'
      : `kept until ${day(retention.keepUntil)}, then ${retention.then === 'purge' ? 'purged' : 'offered for purge'}`,
  ];
  return `${parts.filter((part) => part !== undefined).join(', ')}${because(retention)}`;
}

/** An unreadable date counts as not yet reached: keeping is the safe side. */
function isAfter(date: string | undefined, now: Date): boolean {
  if (date === undefined) return false;
  const at = Date.parse(date);
  return Number.isNaN(at) || at > now.getTime();
}

/** At the start of a day of the world's clock the day alone; else the instant, since a day begins elsewhere in every zone. */
function day(date: string | undefined): string {
  return date?.replace(/T00:00:00(?:\.0+)?Z$/, '') ?? 'an unknown date';
}

function because({ reason }: Retention): string {
  return reason === undefined || reason === '' ? '' : ` (${reason})`;
}
