/**
 * Replay: control code run again against its own record.
 *
 * Glossary
 * - command: what control code asks for; its path is its identity (avoid: call, activity)
 * - journal: path to what was asked and observed, of one run, segment and branch
 * - pass: one run of control code over a journal; a replay makes as many as the world rule needs
 * - claim: a record taken by a re-executed command; at most once
 * - edit: another value for a recorded observation, decision or input; supply: a value where none is recorded
 * - suspect: a read that may have seen what a changed effect touched
 * - orphan effect: what the world has and the branch does not
 * - position: number of an issue or delivery; moment: the latest base position when something new is issued
 */
export { branchToLineage, branchToLines, computeBranchEvents, computeJournalOfBranch } from './branch-journal.ts';
export { areFibersRelated, pathToFiber, pathToParts, pathToSegment } from './command-path.ts';
export {
  type ChangeWord,
  changeWords,
  changesToText,
  commandToWord,
  countChanges,
  divergenceToWord,
  hasEnded,
  isMove,
  recordToWord,
  verdictOrder,
  verdictToSentence,
  verdictCountToWords,
  verdictToWords,
} from './change-words.ts';
export { createContents, type Contents } from './contents.ts';
export { type Condition, type ConditionProblem, parseCondition } from './debug/condition.ts';
export { type Debugger, type DebugMark, type DebugState, type DebugTarget, createDebugger } from './debug/debugger.ts';
export type { DebugCommand, DebugStep } from './debug/steps.ts';
export {
  type Edit,
  type EditFile,
  type EditTarget,
  type Supply,
  type SupplyOrigin,
  jsonToEditFile,
  textToEditFile,
} from './edit-file.ts';
export { computeJournal, outcomeDigest } from './journal.ts';
export type { Attempt, Journal, JournalEntry, JournalProblem, Observation, RecordedEffect } from './journal-types.ts';
export { type ReplayOperation, computeFrontierDigest, operationToBranch } from './operation.ts';
export { type MatchRule, type PendingReason } from './pass-types.ts';
export { comparePositions } from './position.ts';
export { type ChangedProtection, entryToKey, entryToRuntimeKey, protectionWords } from './protection.ts';
export { type PreviewItem, type PreviewReport, type PreviewStatus, computePreview } from './preview.ts';
export { runReplay } from './replay.ts';
export { type ReplayBase, readBase } from './replay-base.ts';
export { type ReplayRequest } from './replay-plan.ts';
export type {
  CommandReport,
  CommandStatus,
  Divergence,
  DivergenceKind,
  OrphanEffect,
  RecordReport,
  RecordStatus,
  ReplayItem,
  ReplayReport,
  ReplayResultWord,
} from './report-types.ts';
export { type ReplayReason } from './reason.ts';
export {
  computeRunInfos,
  computeTools,
  listRuns,
  programDigest,
  type RunOutcome,
  programToText,
  type ProgramInfo,
  type RunInfo,
} from './run-info.ts';
export { type PriceEstimates } from './run-prices.ts';
export {
  type RunOfSet,
  type RunSetProgress,
  type RunSetRequest,
  type RunSetResult,
  type RunSetRow,
  computeRunDigest,
  computeSetDigest,
  eventsToRuns,
  replayRunSet,
} from './run-set.ts';
export {
  type Delivered,
  type IssuedCommand,
  type Sandbox,
  type SandboxDelivery,
  type SandboxHost,
  type SandboxLimits,
  type SandboxSession,
  type Settled,
  type StepResult,
  defaultSandboxLimits,
} from './sandbox-port.ts';
export { type PatchVerdict, type VerdictWord, computeVerdict } from './verdict.ts';
