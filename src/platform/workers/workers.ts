/**
 * The workers of the page, each started when first called.
 *
 * Owns which worker file serves which methods. Called once, by `createServices` in src/app.
 */
import auditUrl from './audit.worker.ts?worker&url';
import { type WorkerClient, createWorkerClient } from './client.ts';
import importUrl from './import.worker.ts?worker&url';
import type { ImportMethods } from './import-methods.ts';
import indexUrl from './index.worker.ts?worker&url';
import type { AuditMethods, LibraryMethods, ReaderClient } from './library-methods.ts';
import { WorkerError, type WorkerPort } from './protocol.ts';
import replayUrl from './replay.worker.ts?worker&url';
import { createReaderClient } from './reader-client.ts';
import type { ReplayMethods } from './replay-methods.ts';
import { startModuleWorker } from './start-worker.ts';

export interface Workers {
  readonly library: WorkerClient<LibraryMethods>;
  readonly reader: ReaderClient;
  readonly importer: WorkerClient<ImportMethods>;
  readonly replayer: Pick<WorkerClient<ReplayMethods>, 'call'>;
}

export function createWorkers(): Workers {
  const library = createWorkerClient<LibraryMethods>(() => startModuleWorker(indexUrl, 'hindcast library'));
  // Every page asks the library first: its code is read while the page's own still is.
  library.start();
  const auditor = createWorkerClient<AuditMethods>(() => startModuleWorker(auditUrl, 'hindcast audit'));
  return {
    library,
    reader: createReaderClient(library, { client: auditor, build: auditUrl }),
    importer: createWorkerClient<ImportMethods>(() => startModuleWorker(importUrl, 'hindcast import')),
    replayer: createReplayClient(() => startModuleWorker(replayUrl, 'hindcast replay')),
  };
}

/**
 * Previews, replays, the debugger and long jobs over many runs have a worker each, so that a program that runs long does not hold up a
 * preview. A control program may never yield, and a request to stop would not be read: cancelling one of the others ends its worker, and
 * the next call starts a new one.
 */
const quick: ReadonlySet<keyof ReplayMethods> = new Set([
  'preview',
  'compare',
  'branchFile',
  'goldens',
  'goldenExport',
  'goldenRead',
  'goldenAdd',
  'goldenRemove',
] as const);

export function createReplayClient(start: () => WorkerPort): Pick<WorkerClient<ReplayMethods>, 'call'> {
  const previews = createWorkerClient<ReplayMethods>(start);
  const replays = createWorkerClient<ReplayMethods>(start);
  const debuggers = createWorkerClient<ReplayMethods>(start);
  /** One for each kind of job: cancelling one leaves the others alone. */
  const jobs = new Map<string, WorkerClient<ReplayMethods>>();
  const jobOf = (method: string): WorkerClient<ReplayMethods> => {
    const known = jobs.get(method) ?? createWorkerClient<ReplayMethods>(start);
    jobs.set(method, known);
    return known;
  };
  return {
    async call(method, args, options) {
      if (quick.has(method)) return previews.call(method, args, options);
      if (method === 'debugAt' || method === 'debugFind') return debuggers.call(method, args, options);
      const client = method === 'replay' ? replays : method === 'debugOpen' ? debuggers : jobOf(method);
      const stop = (): void => client.terminate(new WorkerError('cancelled', 'Cancelled.'));
      options?.signal?.addEventListener('abort', stop, { once: true });
      try {
        return await client.call(method, args, options);
      } finally {
        options?.signal?.removeEventListener('abort', stop);
      }
    },
  };
}
