/**
 * Entry of the library worker: gives the handlers the library, the opened traces and the port. Nothing else happens here.
 *
 * Invariant: what the list of traces and a kept first view need is loaded at once, everything else when it is first asked for: the first
 * answer waits for little code.
 */
import { createRandomId } from '../crypto/index.ts';
import { createLibraryContext } from '../storage/index.ts';
import { createAuditedReaders } from './audited-readers.ts';
import { createHeldCopies } from './held-list.ts';
import { createLazyOpening } from './lazy-opening.ts';
import { createLibraryHandlers } from './library-handlers.ts';
import type { LibraryMethods } from './library-methods.ts';
import type { RecoveryMethods } from './recovery-methods.ts';
import { type Handlers, serveMethods } from './server.ts';
import { createScopePort, readSliceInWorker } from './worker-scope.ts';

const library = createLibraryContext(createRandomId);
const opening = createLazyOpening(() => import('./library-opening.ts'), { library, readSlice: readSliceInWorker });
const copies = createHeldCopies(opening.opener);
const readers = createAuditedReaders(library, opening.createReader);
const handlers = createLibraryHandlers(library, copies.opener, readers, import.meta.url);

serveMethods<LibraryMethods>(createScopePort(), {
  ...handlers,
  trace: (context, id) => copies.find(id)?.opened.parts.trace ?? handlers.trace(context, id),
  makeShare: async (context, request) => (await shareHandlers()).makeShare(context, request),
  holdCopy: async (context, bytes) => {
    // A copy is read without the library, and its reader is made as that of a trace.
    await opening.load();
    return (await shareHandlers()).holdCopy(context, bytes);
  },
  recovery: async (context, request) => (await recoveryHandlers()).recovery(context, request),
});

async function shareHandlers() {
  return (await import('./share-handlers.ts')).createShareHandlers(copies, library.now);
}

/** Once a worker: they keep what they read of each trace. */
let recovery: Promise<Handlers<RecoveryMethods>> | undefined;

function recoveryHandlers(): Promise<Handlers<RecoveryMethods>> {
  recovery ??= import('./recovery-handlers.ts').then(({ createRecoveryHandlers }) =>
    createRecoveryHandlers(library, readSliceInWorker),
  );
  return recovery;
}
