/**
 * The first view of a long trace, answered from what was answered before.
 *
 * Invariant: an answer from here equals the one the reader would give; whoever asks anything else of a trace that is not open yet waits
 * until those first answers are out. Called by the library worker around each question.
 */
import { readAnswer, saveAnswer, type AnswerKey, type LibraryContext, type TraceId } from '../storage/index.ts';
import type { AuditedReaders } from './audited-readers.ts';
import type { ReaderMethod } from './library-methods.ts';
import type { OpenedTrace } from './open-traces.ts';

export interface KeptAnswers {
  /** Until the first view of a trace that is not open is out, if it was asked for. */
  readonly wait: (trace: TraceId) => Promise<void>;
  readonly read: (
    trace: TraceId,
    method: ReaderMethod,
    args: readonly unknown[],
  ) => Promise<{ readonly value: unknown } | undefined>;
  readonly keep: (
    opened: OpenedTrace,
    trace: TraceId,
    method: ReaderMethod,
    args: readonly unknown[],
    value: unknown,
  ) => void;
}

/** What a trace is first shown by: its summary, and its overview without a filter, of all rows. */
function isFirstView(method: ReaderMethod, args: readonly unknown[]): boolean {
  if (method === 'summary') return true;
  const [, filter, , rows] = args;
  if (method !== 'overview' || rows !== undefined || typeof filter !== 'object' || filter === null) return false;
  return Object.values(filter).every(
    (part: unknown) => part === undefined || part === '' || (Array.isArray(part) && part.length === 0),
  );
}

/** `pause` ends the turn of this worker. */
export function createKeptAnswers(
  library: LibraryContext,
  readers: AuditedReaders,
  build: string,
  pause: () => Promise<void>,
): KeptAnswers {
  /** Traces that were opened here: the reader has its own memory. */
  const opened = new Set<TraceId>();
  const saved = new Map<string, Promise<void>>();
  let looking: Promise<unknown> = Promise.resolve();

  function keyOf(method: ReaderMethod, args: readonly unknown[]): AnswerKey | undefined {
    return isFirstView(method, args) ? { method, question: JSON.stringify([method, ...args]), build } : undefined;
  }

  async function wait(trace: TraceId): Promise<void> {
    if (opened.has(trace)) return;
    // Questions that were sent together are heard first.
    await pause();
    await looking;
  }

  return {
    wait,
    read: async (trace, method, args) => {
      if (opened.has(trace)) return undefined;
      const key = keyOf(method, args);
      if (key === undefined) {
        await wait(trace);
        return undefined;
      }
      const reading = readAnswer(library, trace, key);
      looking = Promise.allSettled([looking, reading]);
      return reading;
    },
    keep: (one, trace, method, args, value) => {
      opened.add(trace);
      const key = keyOf(method, args);
      if (key === undefined || !readers.isLong(one)) return;
      const [branch = 'main'] = args;
      const branches = one.parts.branches
        .map((row) => row.branch)
        .toSorted()
        .join(' ');
      // A summary says nothing of findings.
      const audited = method === 'summary' || readers.knows(one, String(branch));
      const name = `${trace} ${method}`;
      const before = saved.get(name) ?? Promise.resolve();
      // Only a help for the next opening: a full disk or a closed database is no failure of this question.
      saved.set(
        name,
        before.then(() => saveAnswer(library, trace, key, { value, branches, audited })).catch(() => undefined),
      );
    },
  };
}
