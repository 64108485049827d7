/** Summaries of labs that were opened beside the trials, held against a report whose traces are those of the library. */
import {
  type CampaignReport,
  compareLabSummary,
  type LabSummary,
  type SummaryReport,
} from '../../core/recovery/index.ts';
import type { RecoveryAnswer, TraceRecord } from '../../data/index.ts';

export function compareSummaries(
  summaries: readonly LabSummary[],
  { report }: Pick<RecoveryAnswer, 'report'>,
  library: readonly Pick<TraceRecord, 'id' | 'files'>[],
): readonly SummaryReport[] {
  const files = new Map<string, readonly string[]>(library.map(({ id, files: names }) => [id, names]));
  return summaries.map((summary) => compareLabSummary(summary, report, (trace) => files.get(trace) ?? []));
}

/** Those that tell of trials of a campaign; one that tells of no opened trial at all stands with each, for it says that. */
export function summariesOf(
  { trials }: Pick<CampaignReport, 'trials'>,
  reports: readonly SummaryReport[],
): readonly SummaryReport[] {
  const ids = new Set(trials.map(({ id }) => id));
  return reports.flatMap((report): readonly SummaryReport[] => {
    if (report.trials.length === 0) return [report];
    if (!report.trials.some((id) => ids.has(id))) return [];
    return [{ ...report, differences: report.differences.filter(({ trial }) => ids.has(trial)) }];
  });
}
