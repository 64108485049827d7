/**
 * Work of the import worker for the time between imports: begun a while after the last one ended, stopped when the next begins.
 *
 * Invariant: never beside an import, and its failure is no failure of anything a person asked for. Called by the import worker's entry.
 */

/** How long after an import the first views have the machine to themselves. */
const quietTime = 2_000;

export interface BetweenImports {
  readonly around: <T>(work: () => Promise<T>) => Promise<T>;
}

export function createBetweenImports(
  work: (signal: AbortSignal) => Promise<unknown>,
  wait: (run: () => void) => void = (run) => void setTimeout(run, quietTime),
): BetweenImports {
  let running = 0;
  let stop = new AbortController();

  function begin(): void {
    const { signal } = stop;
    wait(() => {
      if (signal.aborted) return;
      work(signal).catch(() => {
        // Nobody asked for it: what could not be packed stays readable, and is tried again after the next import.
      });
    });
  }

  return {
    around: async (run) => {
      stop.abort();
      running++;
      try {
        return await run();
      } finally {
        running--;
        if (running === 0) {
          stop = new AbortController();
          begin();
        }
      }
    },
  };
}
