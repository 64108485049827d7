/**
 * What a recorder is given and gives: options, the clock, the text of the program as a function. Used by `recorder.ts`.
 */
import { Script } from 'node:vm';
import { type Json, type JsonRecord, asText, isRecord } from './canonical.ts';
import type { startProgram } from './context.ts';
import type { FlushPolicy } from './event-log.ts';
import type { Handlers } from './handlers.ts';

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

export interface RecorderOptions {
  /** One run, one file; where it holds a run that did not end, that run goes on. */
  readonly file: string;
  /** A plain script with `async function main(ctx, input)`: the text that runs is the text that is recorded. */
  readonly program: { readonly name: string; readonly version: string; readonly source: string };
  readonly input: unknown;
  readonly handlers: Handlers;
  /** Who writes; part of the ids of its events. */
  readonly component?: string;
  /** Default `fsync`: see `event-log.ts`. */
  readonly flush?: FlushPolicy;
  /** As in `stream.declared`: names, effect, service, resources, schemas. */
  readonly tools?: readonly JsonRecord[];
  readonly clock?: Clock;
  readonly random?: () => number;
}

export type RecordedRun =
  | { readonly kind: 'completed'; readonly value: Json; readonly run: string }
  | { readonly kind: 'failed'; readonly error: JsonRecord; readonly run: string };

export const realClock: Clock = {
  now: () => Date.now(),
  wait: (ms, signal) =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      signal.addEventListener('abort', () => {
        clearTimeout(timer);
      });
    }),
};

export function outcomeToRun(event: JsonRecord): RecordedRun {
  const { data } = event;
  const run = asText(event['run']);
  const told = isRecord(data) ? data : {};
  const { error } = told;
  return isRecord(error) ? { kind: 'failed', error, run } : { kind: 'completed', value: told['result'] ?? null, run };
}

export type Main = Parameters<typeof startProgram>[0];

export function textToMain(source: string, name: string): Main {
  const script = new Script(`(function () {${source}\nreturn typeof main === 'function' ? main : undefined;})()`, {
    filename: `${name}.js`,
  });
  const main: unknown = script.runInThisContext();
  if (typeof main !== 'function') throw new Error(`The program ${name} defines no function named main.`);
  // Cast: it is called with a context and an input, and may give anything.
  return main as Main;
}
