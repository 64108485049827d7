/**
 * Hooks that an editor of recorded values needs, in the explorer and in the replay, apart from `index.ts`: the first page loads none of it.
 */
export { type EventsOf, useEventsOf } from './events-of.ts';
export { useShapeCheck } from './shape-check.ts';
