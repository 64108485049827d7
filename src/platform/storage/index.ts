/**
 * The library on this machine: traces, their bytes, branches and the access log, in IndexedDB.
 *
 * Glossary
 * - library: all that is stored (avoid: database, cache)
 * - store: where the bytes of one import live, named by the import (avoid: bucket)
 * - chunk: up to 16 MB of event lines, stored and read as one piece
 * - lease: the proof that an unfinished import is alive
 */
export { listBranchNames, renameBranch } from './branch-names.ts';
export { createByteCache } from './byte-cache.ts';
export { type Body, createBody, type ReadSlice, type SearchProgress } from './body.ts';
export { type BodyChunk, createChunkWriter, lastAtMost } from './chunks.ts';
export { compactTraces } from './compact.ts';
export { createLibraryContext, type LibraryContext } from './context.ts';
export { errorToSentence } from './failures.ts';
export { beginImport, type Committed, type ImportStore, type NewTrace, sweepImports } from './import-store.ts';
export {
  addBranch,
  deleteBranch,
  deleteTrace,
  findTrace,
  listBranches,
  listRuns,
  listTraces,
  purgeDue,
  purgeTraces,
  readAccessLog,
  readBranchNames,
  readStorageState,
  recordAct,
  renameTrace,
  setRetention,
} from './library.ts';
export { deleteGolden, listGoldens, saveGolden, type StoredGolden } from './goldens.ts';
export { partsToStream, readPlaces, readTraceParts, saveIndex, type StoredTraceParts } from './open-trace.ts';
export { type AnswerKey, readAnswer, saveAnswer } from './answers.ts';
export { readAudit, saveAudit } from './audits.ts';
export type { DerivedColumns, KeptAudit, PlaceColumns, StoredIndex } from './schema.ts';
export { readSettings, saveSettings } from './settings.ts';
export { traceId } from './records.ts';
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
} from './records.ts';
