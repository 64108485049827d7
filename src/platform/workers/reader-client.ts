/**
 * The page's end of an opened trace: one generic question, typed by the reader's own signatures.
 *
 * Invariant: findings and headline are asked of the library worker only when they are at hand there, so that no question about structure
 * waits behind them. Where they are not, another worker finds them, and who showed the trace without them is told.
 */
import type { TraceReader } from '../../core/projections/trace-reader.ts';
import type { TraceId } from '../storage/index.ts';
import type { WorkerClient } from './client.ts';
import type { AuditMethods, LibraryMethods, ReaderClient, ReaderMethod, SearchTold } from './library-methods.ts';
import { WorkerError } from './protocol.ts';

const needsAudit: ReadonlySet<ReaderMethod> = new Set(['findings', 'headline']);

/** A worker that runs the rules. `build` names what it was built from: findings of other rules count for nothing. */
export interface Auditor {
  readonly client: Pick<WorkerClient<AuditMethods>, 'call' | 'terminate'>;
  readonly build: string;
}

/** Without an auditor the rules run in the library worker. Rejects with the sentence when the trace cannot be opened. */
export function createReaderClient(
  library: Pick<WorkerClient<LibraryMethods>, 'call'>,
  auditor?: Auditor,
): ReaderClient {
  const listeners = new Set<(trace: TraceId) => void>();
  const audits = new Map<string, Promise<void>>();
  const searches = new Map<TraceId, SearchTold>();
  const searchListeners = new Set<() => void>();

  /** Shared by all who ask meanwhile; a failed one is tried again by the next question. */
  function ensureAudited(trace: TraceId, branch: string): Promise<void> {
    if (auditor === undefined) return Promise.resolve();
    const key = `${trace} ${branch}`;
    const known = audits.get(key);
    if (known !== undefined) return known;
    const audit = findAudit(auditor, trace, branch).finally(() => audits.delete(key));
    audits.set(key, audit);
    return audit;
  }

  async function findAudit({ client, build }: Auditor, trace: TraceId, branch: string): Promise<void> {
    const state = await library.call('isAudited', [trace, branch, build]);
    if (state === 'late') tell(trace);
    if (state !== 'missing') return;
    const found = await client.call('audit', [trace, branch]);
    // Its memory is as large as the trace has events; it is needed once.
    if (audits.size <= 1) client.terminate(new WorkerError('cancelled', 'No longer needed.'));
    if (!found.ok) throw new WorkerError('failed', found.error.message);
    await library.call('keepAudit', [trace, branch, build, found.value]);
    tell(trace);
  }

  function tell(trace: TraceId): void {
    for (const listener of listeners) listener(trace);
  }

  function setSearch(trace: TraceId, told: SearchTold | undefined): void {
    if (told === undefined) searches.delete(trace);
    else searches.set(trace, told);
    for (const listener of searchListeners) listener();
  }

  /** Several questions may wait for one search: it is told as long as any of them says that it goes on. */
  async function askTold(trace: TraceId, method: ReaderMethod, args: readonly unknown[], signal?: AbortSignal) {
    const state = { hasTold: false };
    const onProgress = (told: SearchTold): void => {
      state.hasTold = true;
      setSearch(trace, told);
    };
    try {
      return await library.call('ask', [trace, method, args], { signal, onProgress });
    } finally {
      if (state.hasTold) setSearch(trace, undefined);
    }
  }

  return {
    searchOf: (trace) => searches.get(trace),
    onSearch: (listener) => {
      searchListeners.add(listener);
      return () => searchListeners.delete(listener);
    },
    onAudited: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async ask<K extends keyof TraceReader>(
      trace: TraceId,
      method: K,
      args: Parameters<TraceReader[K]>,
      signal?: AbortSignal,
    ) {
      const branch = firstOf(args);
      if (needsAudit.has(method) && typeof branch === 'string') await ensureAudited(trace, branch);
      const result = await askTold(trace, method, args, signal);
      if (!result.ok) throw new WorkerError('failed', result.error.message);
      // Cast: the worker called exactly this method of a `TraceReader`.
      return result.value as ReturnType<TraceReader[K]>;
    },
  };
}

function firstOf(args: readonly unknown[]): unknown {
  return args[0];
}
