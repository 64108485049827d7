/**
 * Work off the page: importing, reading, replaying.
 *
 * Glossary
 * - client: the page's end of a worker, typed by the methods it offers (avoid: proxy, remote)
 * - method: one thing a worker does, with its arguments, value and progress
 * - ask: one question of `TraceReader` to an opened trace
 */
export type {
  EarlyRow,
  ImportChoice,
  ImportFailure,
  ImportMethods,
  ImportOutcome,
  ImportProgress,
  ImportRequest,
  OpenedFile,
} from './import-methods.ts';
export type { LibraryMethods, LoggedAct, ReaderClient, ReaderMethod, SearchTold } from './library-methods.ts';
export type { RecoveryAnswer, RecoveryFailure, RecoveryMethods, RecoveryRequest } from './recovery-methods.ts';
export type { HeldCopy, MadeShare, ShareMethods, ShareRequest } from './share-methods.ts';
export type {
  Preview,
  ReplayFailure,
  ReplayMethods,
  ReplayProgress,
  ReplayReport,
  ReplayRequest,
} from './replay-methods.ts';
export type {
  GoldenCase,
  GoldenFile,
  GoldenPinAsk,
  GoldenPlace,
  GoldenProposal,
  GoldenRunAnswer,
  GoldenRunAsk,
  GoldenRunProgress,
  GoldenVerdict,
} from './replay-golden-methods.ts';
export type { BranchPlace } from './replay-compare-methods.ts';
export type { AnswerAsk, AnswerProgress, AnswersFound, FoundAnswer, ReusableKind } from './replay-reuse-methods.ts';
export type { KillAsk, KillProgress } from './replay-kill-methods.ts';
export type { RunSetAnswer, RunSetAsk, RunSetProgressed, TracePrograms } from './replay-set-methods.ts';
export type { CallOptions, WorkerClient } from './client.ts';
export { createWorkers, type Workers } from './workers.ts';
