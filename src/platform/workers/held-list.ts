/**
 * The received copies that this worker holds, found by their ids before the library is asked.
 */
import { ok } from '../../core/base/result.ts';
import type { TraceId } from '../storage/index.ts';
import type { Held } from './held-copies.ts';
import type { Opener } from './open-traces.ts';

export interface HeldCopies {
  /** Finds a held copy by its id before asking the library. */
  readonly opener: Opener;
  readonly find: (trace: TraceId) => Held | undefined;
  readonly hold: (held: Held) => void;
}

/** Copies stay as long as the worker: a reviewer's page shows one, a share panel one at a time. */
const heldAtMost = 4;

export function createHeldCopies(library: Opener): HeldCopies {
  const held = new Map<TraceId, Held>();
  return {
    find: (trace) => held.get(trace),
    hold: (copy) => {
      held.set(copy.copy.trace, copy);
      for (const oldest of held.keys()) {
        if (held.size <= heldAtMost) break;
        held.delete(oldest);
      }
    },
    opener: {
      open: (trace) => {
        const known = held.get(trace);
        return known === undefined ? library.open(trace) : Promise.resolve(ok(known.opened));
      },
      stream: (trace) => {
        const known = held.get(trace);
        if (known === undefined) return library.stream(trace);
        const { source } = known.opened;
        const lines = Array.from({ length: source.count }, (_, position) => `${source.line(position)}\n`);
        return Promise.resolve(ok(new Blob(lines, { type: 'application/x-ndjson' })));
      },
    },
  };
}
