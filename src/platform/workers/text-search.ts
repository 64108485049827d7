/**
 * Free text searched in the body of an opened trace, stretch by stretch, with whatever else is asked answered between.
 *
 * Invariant: the answer for a needle never changes while a trace is open, so the last few are kept; a search nobody waits for any more
 * ends. Called by the library worker before it answers a question with a text in its filter, and by the source itself where nobody did.
 */
import { type Bitset, addBit, createBitset } from '../../core/causal/index.ts';
import type { Body, SearchProgress } from '../storage/index.ts';

export interface TextSearch {
  /** Searches now, or hands out what was found before. The needle is in lower case. */
  readonly find: (needle: string) => Bitset;
  /** Searches with pauses, so that `find` has the answer at once. Resolves also when the search was given up. */
  readonly prepare: (needle: string, options: PrepareOptions) => Promise<void>;
}

export interface PrepareOptions {
  readonly signal: AbortSignal;
  /** Lets others have their turn. */
  readonly pause: () => Promise<void>;
  readonly onProgress?: ((progress: SearchProgress & { readonly found: number }) => void) | undefined;
}

interface Job {
  readonly done: Promise<void>;
  waiting: number;
}

/** Needles whose hits are kept: the present text and some before it. */
const kept = 8;

export function createTextSearch(body: Body, branchLines: readonly string[]): TextSearch {
  const known = new Map<string, Bitset>();
  const jobs = new Map<string, Job>();

  function* run(needle: string): Generator<SearchProgress & { readonly found: number }, Bitset> {
    const hits = createBitset(body.count + branchLines.length);
    let found = 0;
    const add = (position: number): void => {
      addBit(hits, position);
      found++;
    };
    for (const progress of body.search(needle, add)) yield { ...progress, found };
    branchLines.forEach((line, i) => {
      if (line.toLowerCase().includes(needle)) add(body.count + i);
    });
    return hits;
  }

  function keep(needle: string, hits: Bitset): Bitset {
    known.delete(needle);
    known.set(needle, hits);
    for (const oldest of known.keys()) {
      if (known.size <= kept) break;
      known.delete(oldest);
    }
    return hits;
  }

  async function work(needle: string, { pause, onProgress }: PrepareOptions): Promise<void> {
    const steps = run(needle);
    // The job is in the map before its first step runs.
    await pause();
    for (;;) {
      if ((jobs.get(needle)?.waiting ?? 0) === 0) return;
      const step = steps.next();
      if (step.done === true) {
        keep(needle, step.value);
        return;
      }
      onProgress?.(step.value);
      await pause();
    }
  }

  async function join(needle: string, options: PrepareOptions): Promise<void> {
    const job = jobs.get(needle) ?? { done: work(needle, options).finally(() => jobs.delete(needle)), waiting: 0 };
    jobs.set(needle, job);
    job.waiting++;
    const leave = (): void => {
      job.waiting--;
    };
    options.signal.addEventListener('abort', leave, { once: true });
    await job.done;
    options.signal.removeEventListener('abort', leave);
  }

  return {
    find: (needle) => {
      const before = known.get(needle);
      if (before !== undefined) return keep(needle, before);
      const steps = run(needle);
      for (;;) {
        const step = steps.next();
        if (step.done === true) return keep(needle, step.value);
      }
    },
    prepare: async (needle, options) => {
      const { signal } = options;
      // Again where the one who had started it gave it up just as this one joined.
      while (!known.has(needle) && !signal.aborted) await join(needle, options);
    },
  };
}
