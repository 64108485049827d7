/**
 * Kill here: simulated faults over a recorded run. Nothing real is touched.
 *
 * Glossary
 * - boundary: a place between two acts of a write where a worker can die (1, 2, 2late, 3, 4, 5)
 * - life: one worker process; a new one starts with what its runtime kept (avoid: attempt)
 * - strategy: the design of the runtime: what it keeps, whether it sends keys, whether it looks up
 * - world: services, models and people, answering from the record; it outlives every worker
 * - control: the same without a kill; the naive restart is the control that must duplicate
 */
export { type KillRequest, simulateKill } from './simulate.ts';
export { sweepToSentence } from './sentence.ts';
export { type SweepRequest, simulateSweep } from './sweep.ts';
export { boundaryLabels, boundaryWords } from '../model/index.ts';
export {
  type Boundary,
  type SimulatedSweep,
  type SimulatedTrial,
  type StoryEvent,
  type Strategy,
  boundaries,
  strategies,
  traitsOf,
} from './types.ts';
