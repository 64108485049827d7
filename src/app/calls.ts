/**
 * Calls of a worker that are under way, counted: what no query and no mutation of the cache tells, such as a replay.
 *
 * Read by the flag for tests alone. Made around the clients in `services.ts`.
 */
import type { Services } from '../data/index.ts';

type Listener = () => void;

const listeners = new Set<Listener>();
let count = 0;

function add(change: 1 | -1): void {
  count += change;
  for (const listener of listeners) listener();
}

export function isCalling(): boolean {
  return count > 0;
}

export function subscribeToCalls(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The same client, whose calls are counted until what was waiting for them has had its turn. */
export function countCalls(client: Services['replayer']): Services['replayer'] {
  return {
    call: async (method, args, options) => {
      add(1);
      try {
        return await client.call(method, args, options);
      } finally {
        setTimeout(() => add(-1));
      }
    },
  };
}
