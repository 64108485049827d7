/** Requests to other origins, one per confirmation; see `fetch-foreign.ts`. */
export type { FetchFailure, FetchProgress, ForeignFetch, ForeignPost } from './fetch-foreign.ts';
export { createForeignFetch } from './fetch-foreign.ts';
