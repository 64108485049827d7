/**
 * What the library worker needs to open a trace and to answer from it: the index, the projections and the rules.
 *
 * Loaded by `index.worker.ts` when a trace is first opened, because the list of traces and a kept first view need none of it.
 */
export { createOpener } from './open-traces.ts';
export { openedToReader } from './opened-reader.ts';
