/**
 * Entry of the import worker: gives `runImport` the library and the port. Nothing else happens here.
 */
import { createRandomId } from '../crypto/index.ts';
import { createLibraryContext } from '../storage/index.ts';
import { runImport } from './import-job.ts';
import type { ImportMethods } from './import-methods.ts';
import { serveMethods } from './server.ts';
import { createScopePort, readSliceInWorker } from './worker-scope.ts';

const library = createLibraryContext(createRandomId);

serveMethods<ImportMethods>(createScopePort(), {
  import: (context, request) =>
    runImport({ library, readSlice: readSliceInWorker, ticks: () => performance.now() }, request, context),
});
