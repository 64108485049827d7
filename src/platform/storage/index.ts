/**
 * The library on this machine: traces, their bytes, branches and the access log, in IndexedDB.
 *
 * Glossary
 * - library: all that is stored (avoid: database, cache)
 * - store: where the bytes of one import live, named by the import (avoid: bucket)
 * - chunk: up to 16 MB of event lines, stored and read as one piece
 * - lease: the proof that an unfinished import is alive
 */
export { digestToTraceId, traceId } from './records.ts';
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
