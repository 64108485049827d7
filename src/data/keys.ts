/**
 * Query keys. A trace id is a digest of its content, so an answer under it never changes except by an added branch, and everything
 * asked of one trace can be invalidated together. What the library lists does change and stands under its own prefix.
 */
import type { TraceId } from '../platform/storage/index.ts';
import type { RecoveryRequest, ReplayRequest, ShareRequest } from '../platform/workers/index.ts';

export const keys = {
  library: ['library'],
  traces: ['library', 'traces'],
  trace: (trace: TraceId) => ['library', 'trace', trace],
  branches: (trace: TraceId) => ['library', 'branches', trace],
  branchLines: (trace: TraceId) => ['library', 'branch lines', trace],
  branchNames: (trace: TraceId) => ['library', 'branch names', trace],
  goldens: ['library', 'goldens'],
  log: ['library', 'log'],
  settings: ['library', 'settings'],
  storage: ['library', 'storage'],
  everyAsked: ['asked'],
  /** Every answer of one trace. */
  asked: (trace: TraceId) => ['asked', trace],
  ask: (trace: TraceId, method: string, args: readonly unknown[]) => ['asked', trace, method, ...args],
  preview: (request: ReplayRequest | undefined) => ['asked', request?.trace, 'preview', request],
  runPrograms: (traces: readonly TraceId[]) => ['run programs', traces],
  share: (request: ShareRequest) => ['share', request],
  recovery: (request: RecoveryRequest) => ['recovery', request],
  labSummaries: ['lab summaries'],
  samples: ['samples'],
} as const;
