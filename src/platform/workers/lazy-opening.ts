/**
 * Opening traces with code that is loaded when the first of them is opened.
 *
 * Invariant: a reader is made only of an opened trace, so its code is there by then. A load that failed is tried again by the next
 * question. Called by the library worker's entry.
 */
import { ensureExists } from '../../core/base/assert.ts';
import type { TraceReader } from '../../core/projections/trace-reader.ts';
import type { CreateReader } from './audited-readers.ts';
import type { Opener, OpenTracesOptions } from './open-traces.ts';

/** What library-opening.ts offers. */
export interface OpeningCode {
  readonly createOpener: (options: OpenTracesOptions) => Opener;
  readonly openedToReader: CreateReader;
}

export interface LazyOpening {
  readonly opener: Opener;
  readonly createReader: CreateReader;
  /** For who comes to an opened trace by another way. */
  readonly load: () => Promise<Opener>;
}

export function createLazyOpening(load: () => Promise<OpeningCode>, options: OpenTracesOptions): LazyOpening {
  let code: OpeningCode | undefined;
  let opener: Opener | undefined;

  async function ensureOpener(): Promise<Opener> {
    code ??= await load();
    opener ??= code.createOpener(options);
    return opener;
  }

  return {
    opener: {
      open: async (id) => (await ensureOpener()).open(id),
      stream: async (id) => (await ensureOpener()).stream(id),
    },
    createReader: (opened, audited): TraceReader =>
      ensureExists(code, 'the code of readers').openedToReader(opened, audited),
    load: ensureOpener,
  };
}
