/**
 * What a recorder asks to do the real work: one handler for each kind and name of command.
 */
import type { Json } from './canonical.ts';

export interface HandlerInfo {
  readonly path: string;
  /** Counts from 1 over all lives of the run. */
  readonly attempt: number;
  readonly idempotencyKey: string | undefined;
  /** Aborted when the program cancels the command, or the run ends without it. */
  readonly signal: AbortSignal;
  /** Facts for the record beside the value: usage, cost, the answer as it came. They are never delivered. */
  about(facts: Readonly<Record<string, unknown>>): void;
}

export type Handler = (args: Json, info: HandlerInfo) => unknown;

/** For effects whose service can be asked: `undefined` from `lookUp` says that it knows of no such effect. */
export interface WriteHandler {
  readonly send: Handler;
  readonly lookUp: (
    args: Json,
    info: HandlerInfo,
  ) => Promise<{ readonly value: unknown } | undefined> | { readonly value: unknown } | undefined;
}

export interface Handlers {
  readonly model?: Readonly<Record<string, Handler>>;
  readonly read?: Readonly<Record<string, Handler>>;
  readonly write?: Readonly<Record<string, Handler | WriteHandler>>;
  readonly signal?: Readonly<Record<string, Handler>>;
  readonly child?: Readonly<Record<string, Handler>>;
}

export function findHandler(
  handlers: Handlers,
  kind: 'model' | 'read' | 'write' | 'signal' | 'child',
  name: string,
): Handler | WriteHandler {
  const byName = handlers[kind] ?? {};
  const handler = Object.hasOwn(byName, name) ? byName[name] : undefined;
  if (handler === undefined) throw new Error(`No handler is given for ${kind} "${name}".`);
  return handler;
}
