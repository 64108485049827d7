/**
 * The page's end of a worker: calls with typed arguments, answers as promises.
 *
 * Invariant: every call settles. A worker that cannot be started rejects the call that needs it. A worker that dies rejects all pending calls and is started anew by the next one; a cancelled call
 * rejects at once, and what the worker still says about it is not heard. Called by `workers.ts`, which knows the worker files.
 */
import { passageToShown } from '../../core/base/shown-text.ts';
import { type Methods, type WorkerPort, type WorkerReply, type WorkerRequest, WorkerError } from './protocol.ts';

export interface CallOptions<Progress> {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  readonly transfer?: Transferable[] | undefined;
  /**
   * What an abort means: the call rejects at once (the default), or the worker is asked to stop and its answer is awaited, because only
   * it can say that nothing was left behind.
   */
  readonly cancel?: 'at-once' | 'when-answered' | undefined;
}

export interface WorkerClient<M extends Methods<M>> {
  /** Loads the worker before anything is asked of it. */
  start(): void;
  call<K extends keyof M & string>(
    method: K,
    args: M[K]['args'],
    options?: CallOptions<M[K]['progress']>,
  ): Promise<M[K]['value']>;
  /** Ends the worker now. Pending calls reject with `reason`; the next call starts a new worker. */
  terminate(reason: WorkerError): void;
}

interface Pending {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: WorkerError) => void;
  readonly onProgress: (progress: unknown) => void;
}

export function createWorkerClient<M extends Methods<M>>(start: () => WorkerPort): WorkerClient<M> {
  const pending = new Map<number, Pending>();
  let port: WorkerPort | undefined;
  let lastId = 0;

  function settle(id: number): Pending | undefined {
    const call = pending.get(id);
    pending.delete(id);
    return call;
  }

  function hear(reply: WorkerReply): void {
    if (reply.kind === 'progress') pending.get(reply.id)?.onProgress(reply.progress);
    else if (reply.kind === 'value') settle(reply.id)?.resolve(reply.value);
    else settle(reply.id)?.reject(new WorkerError(reply.code, reply.message));
  }

  function terminate(reason: WorkerError): void {
    port?.terminate();
    port = undefined;
    const calls = [...pending.values()];
    pending.clear();
    for (const call of calls) call.reject(reason);
  }

  function ensurePort(): WorkerPort {
    if (port !== undefined) return port;
    const started = startOrExplain(start);
    let hasSpoken = false;
    started.addEventListener('message', (event) => {
      hasSpoken = true;
      // Cast: only `server.ts` posts on this port.
      hear(event.data as WorkerReply);
    });
    const die = (event: Event): void => {
      if (port !== started) return;
      const detail = 'message' in event && typeof event.message === 'string' ? event.message : '';
      terminate(
        new WorkerError(
          'died',
          hasSpoken ? deathToSentence(detail) : notBegunToSentence('stopped before its first answer', detail),
        ),
      );
    };
    started.addEventListener('error', die);
    started.addEventListener('messageerror', die);
    port = started;
    return started;
  }

  function call(method: string, args: readonly unknown[], options: CallOptions<never> = {}): Promise<unknown> {
    const { signal, onProgress, transfer = [], cancel: mode = 'at-once' } = options;
    const cancelled = new WorkerError('cancelled', 'Cancelled.');
    if (signal?.aborted === true) return Promise.reject(cancelled);
    const id = ++lastId;
    let target: WorkerPort;
    try {
      target = ensurePort();
    } catch (error) {
      return Promise.reject(error instanceof Error ? error : new Error(String(error)));
    }
    const answer = new Promise<unknown>((resolve, reject) => {
      // Cast: the worker sends what the method's type names.
      pending.set(id, { resolve, reject, onProgress: (progress) => onProgress?.(progress as never) });
    });
    const cancel = (): void => {
      target.postMessage({ kind: 'cancel', id } satisfies WorkerRequest, []);
      if (mode === 'at-once') settle(id)?.reject(cancelled);
    };
    signal?.addEventListener('abort', cancel, { once: true });
    target.postMessage({ kind: 'call', id, method, args } satisfies WorkerRequest, transfer);
    return answer.finally(() => signal?.removeEventListener('abort', cancel));
  }

  /** Where it cannot be started, the first call tells it to the person: nobody listens here. */
  function startAhead(): void {
    try {
      ensurePort();
    } catch (error) {
      if (!(error instanceof WorkerError)) throw error;
    }
  }

  // Cast: `call` is the untyped core of exactly this signature; server and client share the type `M`.
  return { start: startAhead, call: call, terminate };
}

/** A browser may refuse to make one at all. */
function startOrExplain(start: () => WorkerPort): WorkerPort {
  try {
    return start();
  } catch (error) {
    throw new WorkerError(
      'died',
      notBegunToSentence('did not start', error instanceof Error ? error.message : String(error)),
    );
  }
}

function notBegunToSentence(what: string, detail: string): string {
  return `A background worker of this page ${what}${inBrackets(detail)}, and what was asked of it was not done. The page does its work in such workers: a policy, an extension or a setting of the browser may keep them away. Allow them for this address and reload the page.`;
}

function inBrackets(detail: string): string {
  return detail === '' ? '' : ` (${passageToShown(detail)})`;
}

function deathToSentence(detail: string): string {
  return `A background worker of this page stopped${inBrackets(detail)}. What it had stored before is in the library, whole; what it was doing is lost. Look there, then try again.`;
}
