/**
 * Shares in the library worker: copies are made where index and bodies are, received copies are opened beside the stored traces.
 */
import { err, ok } from '../../core/base/result.ts';
import { createBranches } from '../../core/causal/index.ts';
import { emptyCopyToSentence, encodePayload, makeCopy } from '../../core/share/index.ts';
import { freshSecret } from '../crypto/share-cipher.ts';
import type { TraceId } from '../storage/index.ts';
import { type Held, bytesToHeld } from './held-copies.ts';
import type { LibraryMethods } from './library-methods.ts';
import type { Opener } from './open-traces.ts';
import type { ShareMethods } from './share-methods.ts';
import type { Handlers } from './server.ts';

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

export function createShareHandlers(
  library: Pick<Handlers<LibraryMethods>, 'trace'>,
  copies: HeldCopies,
  now: () => Date,
): Handlers<ShareMethods> & Pick<Handlers<LibraryMethods>, 'trace'> {
  return {
    trace: (context, id) => copies.find(id)?.opened.parts.trace ?? library.trace(context, id),
    makeShare: async (_context, request) => {
      const opened = await copies.opener.open(request.trace);
      if (!opened.ok) return err(opened.error.message);
      const { index, source } = opened.value;
      const branches = createBranches(index, source);
      const copy = makeCopy(index, source, branches, {
        selection: { branches: [request.branch], scope: request.scope },
        policy: request.policy,
        secret: freshSecret(),
        title: request.title,
        note: request.note,
        expires: request.expires,
        view: { branch: request.branch, event: request.event },
      });
      if (copy.events === 0)
        return err(
          `Nothing is selected. ${emptyCopyToSentence(branches, request.branch)} Choose another part of the trace.`,
        );
      const { events, omitted, holes, leaves, payload } = copy;
      const { stream, view = {}, expires = '' } = payload;
      return ok({
        bytes: encodePayload(payload),
        events,
        omitted,
        holes,
        leaves,
        text: stream,
        around: [payload.title, payload.note ?? '', expires, JSON.stringify(view)],
      });
    },
    holdCopy: async (_context, bytes) => {
      const held = await bytesToHeld(bytes, now().toISOString());
      if (!held.ok) return held;
      copies.hold(held.value);
      return ok(held.value.copy);
    },
  };
}
