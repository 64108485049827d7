/**
 * Entry of the library worker: gives the handlers the library, the opened traces and the port. Nothing else happens here.
 */
import { createAuditedReaders } from './audited-readers.ts';
import { createRandomId } from '../crypto/index.ts';
import { createLibraryContext } from '../storage/index.ts';
import { createLibraryHandlers } from './library-handlers.ts';
import type { LibraryMethods } from './library-methods.ts';
import { createOpener } from './open-traces.ts';
import { openedToReader } from './opened-reader.ts';
import { createRecoveryHandlers } from './recovery-handlers.ts';
import { serveMethods } from './server.ts';
import { createHeldCopies, createShareHandlers } from './share-handlers.ts';
import { createScopePort, readSliceInWorker } from './worker-scope.ts';

const library = createLibraryContext(createRandomId);
const copies = createHeldCopies(createOpener({ library, readSlice: readSliceInWorker }));
const readers = createAuditedReaders(library, openedToReader);
const handlers = createLibraryHandlers(library, copies.opener, readers, import.meta.url);

serveMethods<LibraryMethods>(createScopePort(), {
  ...handlers,
  ...createShareHandlers(handlers, copies, library.now),
  ...createRecoveryHandlers(library, readSliceInWorker),
});
