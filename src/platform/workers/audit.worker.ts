/**
 * Entry of the audit worker: gives the rules the library and the port. The page ends it after each answer, and its memory with it.
 */
import { createRandomId } from '../crypto/index.ts';
import { createLibraryContext } from '../storage/index.ts';
import { createAuditHandlers } from './audit-handlers.ts';
import type { AuditMethods } from './library-methods.ts';
import { createOpener } from './open-traces.ts';
import { serveMethods } from './server.ts';
import { createScopePort, readSliceInWorker } from './worker-scope.ts';

const library = createLibraryContext(createRandomId);

serveMethods<AuditMethods>(
  createScopePort(),
  createAuditHandlers(createOpener({ library, readSlice: readSliceInWorker })),
);
