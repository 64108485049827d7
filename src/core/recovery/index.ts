/**
 * Recovery trials: what was struck, what happened, and what a number means.
 *
 * Glossary
 * - trial: one run with its records from every producer, told to be a trial by a record (avoid: test, experiment)
 * - campaign: trials of one workload that may be looked at together
 * - strategy: trials of a campaign under one envelope; the design that was tried (avoid: engine, system)
 * - arm: faulted, control, or the control that must fail
 * - placement: the boundary a kill struck, derived from the records (avoid: label)
 * - cell: one boundary of one effect
 * - ordinal: the place of a kill among the kills of its run
 * - claim: fault, what is protected, what goes on, and the clauses that decide
 * - told: a verdict that a producer wrote; compared, never used
 */
import type { RecoveryOptions } from './campaign.ts';
import { analyseRecovery } from './campaign.ts';
import type { CampaignReport, RecoveryTrace } from './report.ts';

export { analyseRecovery, type RecoveryOptions } from './campaign.ts';
export { type Claim, claimJsonSchema } from './claim-schema.ts';
export { completionToWords } from './completion.ts';
export { textToClaim } from './claim-text.ts';
export type { EngineEvidence, EngineOperation, EngineReport, LedgerReport } from './engine-ledger.ts';
export { nameOfEngine } from './engine-run.ts';
export { envelopeFields } from './envelope.ts';
export { countInvariants, isCounted } from './invariant-counts.ts';
export { sectionTitles } from './reader-questions.ts';
export { computeKillChange } from './kill-change.ts';
export {
  compareLabSummary,
  differenceToText,
  type LabSummary,
  type SummaryDifference,
  type SummaryReport,
  textToLabSummary,
} from './lab-summary.ts';
export { type LedgerFile, textToLedger } from './ledger-file.ts';
export { executionsOf } from './grid.ts';
export {
  besideSimulated,
  chooseSimulated,
  countStruckCells,
  nameToSimulated,
  outcomeToWords,
  simulatedRowToWords,
  type CellOutcome,
  type SimulatedRow,
} from './beside-simulated.ts';
export { duplicatesToText, extraCallsOf, modelCallsOf, seenToText, type SeenCount } from './outcome.ts';
export { intervalOf, killPoints } from './placement.ts';
export type * from './report.ts';
export * from './series.ts';
export { textToSeries } from './series-file.ts';

/**
 * The campaigns in some opened traces, as plain serialisable data. Each trace is one opened file or a set of files that belong
 * together; trials are put together over all of them by run. `analyseRecovery` also tells of records that belong to no trial.
 */
export function analyseCampaigns(
  traces: readonly RecoveryTrace[],
  options: RecoveryOptions = {},
): readonly CampaignReport[] {
  return analyseRecovery(traces, options).campaigns;
}
