/**
 * What pages and workers say to each other: two unions, a request id, an envelope for the answer.
 *
 * A worker offers *methods*: a type that maps each name to its arguments, value and progress. The client (`client.ts`) and the server
 * (`server.ts`) are generic over it, so a call is checked at both ends. Expected failures are part of a method's value (`Result`); the
 * `failed` envelope is for the rest: a defect, a cancelled call, a worker that died.
 */

export interface Method {
  readonly args: readonly unknown[];
  readonly value: unknown;
  readonly progress: unknown;
}

export type Methods<T> = { readonly [K in keyof T]: Method };

export interface CallRequest {
  readonly kind: 'call';
  readonly id: number;
  readonly method: string;
  readonly args: readonly unknown[];
}

export interface CancelRequest {
  readonly kind: 'cancel';
  readonly id: number;
}

export type WorkerRequest = CallRequest | CancelRequest;

export interface ValueReply {
  readonly kind: 'value';
  readonly id: number;
  readonly value: unknown;
}

export interface ProgressReply {
  readonly kind: 'progress';
  readonly id: number;
  readonly progress: unknown;
}

export interface FailedReply {
  readonly kind: 'failed';
  readonly id: number;
  readonly code: WorkerErrorCode;
  readonly message: string;
}

export type WorkerReply = ValueReply | ProgressReply | FailedReply;

export type WorkerErrorCode = 'defect' | 'failed' | 'cancelled' | 'died' | 'unknown-method';

/** Thrown by a call that has no value. `message` is a sentence for the person. */
export class WorkerError extends Error {
  readonly code: WorkerErrorCode;

  constructor(code: WorkerErrorCode, message: string) {
    super(message);
    this.name = 'WorkerError';
    this.code = code;
  }
}

/** What both ends need of a worker, a `MessagePort`, or the worker's own global. */
export interface Port {
  postMessage(message: unknown, transfer: Transferable[]): void;
  addEventListener(type: 'message', listener: (event: MessageEvent<unknown>) => void): void;
}

/** The page's end also hears of a death. */
export interface WorkerPort extends Port {
  addEventListener(type: 'message', listener: (event: MessageEvent<unknown>) => void): void;
  addEventListener(type: 'error' | 'messageerror', listener: (event: Event) => void): void;
  terminate(): void;
}
