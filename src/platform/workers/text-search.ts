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
  readonly onProgress?: ((progress: TextProgress) => void) | undefined;
  /** Hears of the first hits of the search, in the order of the body; who joins later hears of those before at once. */
  readonly onFound?: ((position: number) => void) | undefined;
}

export interface TextProgress extends SearchProgress {
  readonly found: number;
}

interface Job {
  done: Promise<void>;
  readonly waiting: Set<PrepareOptions>;
  /** The first hits. */
  readonly first: number[];
}

/** Needles whose hits are kept: the words of the present text and some before them. */
const kept = 16;
/** Hits that are told of while the search goes on. A filter with more conditions than the text may show few of them. */
const toldHits = 20_000;

export function createTextSearch(body: Body, branchLines: readonly string[]): TextSearch {
  const known = new Map<string, Bitset>();
  const jobs = new Map<string, Job>();

  function* run(needle: string, onFound?: (position: number) => void): Generator<TextProgress, Bitset> {
    const hits = createBitset(body.count + branchLines.length);
    let found = 0;
    const add = (position: number): void => {
      addBit(hits, position);
      if (found++ < toldHits) onFound?.(position);
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

  async function work(needle: string, job: Job, pause: () => Promise<void>): Promise<void> {
    const steps = run(needle, (position) => {
      job.first.push(position);
      for (const one of job.waiting) one.onFound?.(position);
    });
    // The job is in the map before its first step runs.
    await pause();
    for (;;) {
      if (job.waiting.size === 0) return;
      const step = steps.next();
      if (step.done === true) {
        keep(needle, step.value);
        return;
      }
      for (const one of job.waiting) one.onProgress?.(step.value);
      await pause();
    }
  }

  function begin(needle: string, pause: () => Promise<void>): Job {
    const job: Job = { done: Promise.resolve(), waiting: new Set(), first: [] };
    jobs.set(needle, job);
    job.done = work(needle, job, pause).finally(() => jobs.delete(needle));
    return job;
  }

  async function join(needle: string, options: PrepareOptions): Promise<void> {
    const job = jobs.get(needle) ?? begin(needle, options.pause);
    job.waiting.add(options);
    for (const position of job.first) options.onFound?.(position);
    const leave = (): void => void job.waiting.delete(options);
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
