/**
 * Shares in the library worker: copies are made where index and bodies are, received copies are opened beside the stored traces.
 */
import { err, ok } from '../../core/base/result.ts';
import { createBranches } from '../../core/causal/index.ts';
import { emptyCopyToSentence, encodePayload, makeCopy } from '../../core/share/index.ts';
import { freshSecret } from '../crypto/share-cipher.ts';
import type { HeldCopies } from './held-list.ts';
import type { ShareMethods } from './share-methods.ts';
import type { Handlers } from './server.ts';

export function createShareHandlers(copies: HeldCopies, now: () => Date): Handlers<ShareMethods> {
  return {
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
      const { events, omitted, lacking, chosen, holes, leaves, payload } = copy;
      const { stream, view = {}, expires = '' } = payload;
      return ok({
        bytes: encodePayload(payload),
        events,
        omitted,
        lacking,
        chosen,
        holes,
        leaves,
        text: stream,
        around: [payload.title, payload.note ?? '', expires, JSON.stringify(view)],
      });
    },
    holdCopy: async (_context, bytes) => {
      // With it come the readers of all formats, which no other question needs: they are loaded when a copy comes.
      const { bytesToHeld } = await import('./held-copies.ts');
      const held = await bytesToHeld(bytes, now().toISOString());
      if (!held.ok) return held;
      copies.hold(held.value);
      return ok(held.value.copy);
    },
  };
}
