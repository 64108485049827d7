/**
 * One import at a time, as state a view can draw: idle, running with progress, stopping, done, or failed with a sentence.
 *
 * Invariant: when the state leaves `stopping` or says `failed`, the library holds nothing of that import. Made once by `DataProvider`,
 * read through `useImport`.
 */
import type { ImportFailure, ImportOutcome, ImportProgress, ImportRequest } from '../platform/workers/index.ts';
import type { Services } from './services.ts';

export type ImportState =
  | { readonly status: 'idle' }
  | { readonly status: 'running' | 'stopping'; readonly request: ImportRequest; readonly progress: ImportProgress }
  | { readonly status: 'done'; readonly outcome: ImportOutcome }
  | { readonly status: 'failed'; readonly request: ImportRequest; readonly failure: ImportFailure };

export interface ImportSession {
  readonly getState: () => ImportState;
  readonly subscribe: (listener: () => void) => () => void;
  /** Resolves with the outcome, or undefined when it failed or was cancelled. A second start waits until the first one ended. */
  readonly start: (request: ImportRequest) => Promise<ImportOutcome | undefined>;
  readonly cancel: () => void;
  /** Back to idle, after the person read the result. */
  readonly dismiss: () => void;
}

const nothingRead: ImportProgress = { phase: 'looking', bytesRead: 0, events: 0, problems: 0 };

export function createImportSession(services: Services, onImported: () => Promise<void>): ImportSession {
  const listeners = new Set<() => void>();
  let state: ImportState = { status: 'idle' };
  let controller: AbortController | undefined;
  let last: Promise<unknown> = Promise.resolve();

  function become(next: ImportState): void {
    state = next;
    for (const listener of listeners) listener();
  }

  async function run(request: ImportRequest): Promise<ImportOutcome | undefined> {
    const own = new AbortController();
    controller = own;
    become({ status: 'running', request, progress: nothingRead });
    const onProgress = (progress: ImportProgress): void => {
      if (state.status === 'running') {
        const firstRows = progress.firstRows ?? state.progress.firstRows;
        become({ status: 'running', request, progress: { ...progress, firstRows } });
      }
    };
    try {
      const result = await services.importer.call('import', [request], {
        signal: own.signal,
        onProgress,
        cancel: 'when-answered',
      });
      if (result.ok) {
        await onImported();
        become({ status: 'done', outcome: result.value });
        return result.value;
      }
      become(
        result.error.code === 'cancelled' ? { status: 'idle' } : { status: 'failed', request, failure: result.error },
      );
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      become({ status: 'failed', request, failure: { code: 'defect', message } });
    }
    return undefined;
  }

  return {
    getState: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    start(request) {
      const started = last.then(() => run(request));
      last = started;
      return started;
    },
    cancel() {
      if (state.status !== 'running') return;
      become({ ...state, status: 'stopping' });
      controller?.abort();
    },
    dismiss() {
      if (state.status === 'done' || state.status === 'failed') become({ status: 'idle' });
    },
  };
}
