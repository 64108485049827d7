/**
 * Entry of the import worker: gives `runImport` the library and the port, and packs what was imported while there is nothing to import.
 */
import { createRandomId } from '../crypto/index.ts';
import { compactTraces, createLibraryContext } from '../storage/index.ts';
import { createBetweenImports } from './between-imports.ts';
import { runImport } from './import-job.ts';
import type { ImportMethods } from './import-methods.ts';
import { serveMethods } from './server.ts';
import { createPause, createScopePort, readSliceInWorker } from './worker-scope.ts';

const library = createLibraryContext(createRandomId);
const pause = createPause();
const between = createBetweenImports((signal) => compactTraces(library, { signal, pause }));

serveMethods<ImportMethods>(createScopePort(), {
  import: (context, request) =>
    between.around(() =>
      runImport(
        { library, readSlice: readSliceInWorker, ticks: () => performance.now(), giveTurn: pause },
        request,
        context,
      ),
    ),
});
