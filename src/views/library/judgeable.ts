/** Whether the page of recovery can say something about a trace: it holds a trial, or an engine's own tables. */
import type { TraceRecord } from '../../data/index.ts';

/** Formats that have a record of the start of a trial; without one nothing is a trial. */
const formatsOfTrials: ReadonlySet<string> = new Set(['hindcast', 'recovery-lab']);

/** Files of this format without a trial are engines' own tables, which are judged as well. */
const tableFormat = 'recovery-lab';

export function isJudgeable(trace: Pick<TraceRecord, 'format' | 'holdsTrial'> | undefined): boolean {
  if (trace === undefined || !formatsOfTrials.has(trace.format)) return false;
  return trace.holdsTrial !== false || trace.format === tableFormat;
}
