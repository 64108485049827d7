/** The views that a trace offers: a copy is explored alone, and recovery is judged where there is something to judge. */
import type { TraceRecord } from '../data/index.ts';
import { type TraceView, traceViews } from '../state/location.ts';
import { isJudgeable } from '../views/library/judgeable.ts';

const copyViews: readonly TraceView[] = ['explore'];
const viewsWithoutRecovery = traceViews.filter((view) => view !== 'recovery');

export interface Offered {
  readonly isCopy: boolean;
  /** Whether a record of it says that a trial started. */
  readonly holdsTrial: boolean;
  /** As the library has it: the tables of an engine are judged without a trial. */
  readonly record: Pick<TraceRecord, 'format'> | undefined;
}

export function offeredViews({ isCopy, holdsTrial, record }: Offered): readonly TraceView[] {
  if (isCopy) return copyViews;
  const isJudged = holdsTrial || (record !== undefined && isJudgeable({ format: record.format, holdsTrial }));
  return isJudged ? traceViews : viewsWithoutRecovery;
}
