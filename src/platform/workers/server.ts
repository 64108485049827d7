/**
 * The worker's end: takes requests from a port, runs the handler of the method, posts the answer.
 *
 * Invariant: every call is answered exactly once, also when its handler throws. What the browser is known for is told as its sentence;
 * anything else is a defect, which is reported with its message and does not end the worker. A handler that hears of a cancellation
 * through its signal may stop; its answer is not awaited by anyone.
 */
import { passageToShown } from '../../core/base/shown-text.ts';
import { errorToSentence } from '../storage/index.ts';
import type { FailedReply, Methods, Port, WorkerReply, WorkerRequest } from './protocol.ts';

export interface CallContext<Progress> {
  readonly signal: AbortSignal;
  readonly progress: (progress: Progress) => void;
}

export type Handlers<M extends Methods<M>> = {
  readonly [K in keyof M]: (
    context: CallContext<M[K]['progress']>,
    ...args: M[K]['args']
  ) => M[K]['value'] | Promise<M[K]['value']>;
};

type AnyHandler = (context: CallContext<unknown>, ...args: readonly unknown[]) => unknown;

export function serveMethods<M extends Methods<M>>(port: Port, handlers: Handlers<M>): void {
  const running = new Map<number, AbortController>();
  const byName = new Map(Object.entries<AnyHandler>(handlers as Readonly<Record<string, AnyHandler>>));
  const post = (reply: WorkerReply): void => port.postMessage(reply, []);

  async function answer(id: number, method: string, args: readonly unknown[]): Promise<void> {
    const handler = byName.get(method);
    if (handler === undefined) {
      post({ kind: 'failed', id, code: 'unknown-method', message: `This worker has no method "${method}".` });
      return;
    }
    const controller = new AbortController();
    running.set(id, controller);
    const context = {
      signal: controller.signal,
      progress: (progress: unknown) => post({ kind: 'progress', id, progress }),
    };
    try {
      const value = await handler(context, ...args);
      post({ kind: 'value', id, value });
    } catch (error) {
      post({ kind: 'failed', id, ...errorToFailed(error, method, controller.signal.aborted) });
    } finally {
      running.delete(id);
    }
  }

  port.addEventListener('message', (event) => {
    // Cast: only `client.ts` posts on this port.
    const request = event.data as WorkerRequest;
    if (request.kind === 'cancel') running.get(request.id)?.abort();
    else answer(request.id, request.method, request.args).catch(reportDefect);
  });
}

function errorToFailed(error: unknown, method: string, isAborted: boolean): Pick<FailedReply, 'code' | 'message'> {
  const [what = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  if (isAborted) return { code: 'cancelled', message: what };
  const sentence = errorToSentence(error);
  if (sentence !== undefined) return { code: 'failed', message: sentence };
  return { code: 'defect', message: defectToSentence(passageToShown(what).replace(/[.\s]+$/, ''), method) };
}

function defectToSentence(what: string, method: string): string {
  return `This could not be finished, by a defect of Hindcast and not of the input: ${what} (in the worker of this page, at “${method}”). Nothing half done was stored, and what is in the library is untouched. Reload the page and try again; where it comes again, tell the makers of Hindcast this sentence.`;
}

/** Posting itself failed (a value that cannot be cloned was sent): let it reach the page as an error of the worker. */
function reportDefect(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
