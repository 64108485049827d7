/**
 * What views know of the data: hooks that are called, return data, and stay current.
 *
 * Glossary
 * - library: the traces on this machine (avoid: database, store)
 * - ask: one question of `TraceReader` to an opened trace (avoid: fetch, request)
 * - import: files in, a trace in the library out (avoid: upload, load)
 * - preview: what an edit would make fall, from declared edges
 * - replay: what it did make fall, from running the control program
 * - act: something that belongs in the access log
 */
export { DataProvider, type DataProviderProps } from './DataProvider.tsx';
export { createQueryClient } from './query-client.ts';
export { type LibraryChanges, type Services } from './services.ts';
export { DataError } from './failure.ts';
export { type ExportForm, useExportTrace } from './export.ts';
export { type ImportControl, type ImportPhase, useImport, useImportActs, useImportPhase } from './import.ts';
export type { ImportState } from './import-session.ts';
export {
  useDeleteBranches,
  useDeleteTrace,
  useRenameTrace,
  useSetRetention,
  useTrace,
  useTraces,
  useTracesAnew,
} from './traces.ts';
export {
  type TraceQueryOptions,
  useBranchMarks,
  useCounterpart,
  useCone,
  useContent,
  useDecisionProvenance,
  useEffectRows,
  useFindings,
  useHeadline,
  useInspection,
  useInspections,
  useOverview,
  useOverviewPart,
  useProblems,
  useProvenance,
  useRowOf,
  useRows,
  useStates,
  useSummary,
  useTraceQuery,
  useTranscript,
  useTranscriptLineOf,
} from './trace-query.ts';
export { useTextSearch } from './text-search.ts';
export { type DebugControl, useDebugger, useDebugSearch, useDebugView } from './debugger.ts';
export type { DebugCommand, DebugOverview, DebugSearch, DebugStep, DebugView } from './debugger.ts';
export { mayHoldSummary, sortFiles, useKeepSummaries, useLabSummaries } from './lab-summaries.ts';
export { useRecovery } from './recovery.ts';
export { type ReplayControl, type ReplayState, useBranches, usePreview, useReplay } from './replay.ts';
export { useBranchFile, useBranchLines, useBranchNames, useComparedSides, useRenameBranch } from './replay-branches.ts';
export { useReferencePrograms } from './reference-programs.ts';
export {
  type Sample,
  type SourceAddress,
  textToSourceAddress,
  useFetchSource,
  useSampleRequest,
  useSamples,
} from './samples.ts';
export {
  type ReceivedShare,
  type SendRequest,
  type SentShare,
  type ShareForm,
  type ShareFragment,
  fileToShareKind,
  receivedFragment,
  useMadeShare,
  useOpenShare,
  useSealShare,
} from './share.ts';
export { useAccessLog, useAskToPersist, useRecordAct, useSaveSettings, useSettings, useStorage } from './log.ts';
export type {
  AccessLog,
  BranchRecord,
  LogAction,
  LogEntry,
  Retention,
  RunRecord,
  Settings,
  StorageFailure,
  StorageState,
  TraceId,
  TraceRecord,
} from '../platform/storage/index.ts';
export type { FetchProgress } from '../platform/net/index.ts';
export type {
  AnswerAsk,
  AnswerProgress,
  AnswersFound,
  BranchPlace,
  EarlyRow,
  FoundAnswer,
  GoldenCase,
  GoldenPinAsk,
  GoldenPlace,
  GoldenProposal,
  GoldenRunAnswer,
  GoldenRunAsk,
  GoldenRunProgress,
  GoldenVerdict,
  HeldCopy,
  ImportChoice,
  ImportFailure,
  ImportOutcome,
  ImportProgress,
  ImportRequest,
  KillAsk,
  KillProgress,
  LoggedAct,
  MadeShare,
  OpenedFile,
  Preview,
  RecoveryAnswer,
  ReplayFailure,
  ReplayProgress,
  ReplayReport,
  ReplayRequest,
  ReusableKind,
  RunSetAnswer,
  RunSetAsk,
  RunSetProgressed,
  ShareRequest,
} from '../platform/workers/index.ts';
export type { Edit, EditTarget, Supply } from '../core/replay/edit-file.ts';
export type { PreviewItem, PreviewStatus, PreviewedEvent } from '../core/replay/preview.ts';
export type {
  CommandStatus,
  Divergence,
  RecordStatus,
  ReplayItem,
  ReplayResultWord,
} from '../core/replay/report-types.ts';
export type { SimulatedSweep } from '../core/simulate/index.ts';
