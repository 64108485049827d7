/**
 * Words of the simulation: where a worker dies, under which design it lives again, and what came of it. Types and lists only.
 */
import { type KillBoundary, killBoundaries } from '../model/index.ts';
import type { ReplayRequest } from '../replay/index.ts';

/** In the order in which a write passes them. */
export const boundaries = killBoundaries;
export type Boundary = KillBoundary;

/** Where the world already has the effect when the worker is dead. */
export const afterCommitment: ReadonlySet<Boundary> = new Set(['2late', '3', '4', '5']);

export const strategies = ['naive', 'naive-key', 'journal', 'journal-key', 'reconcile'] as const;
export type Strategy = (typeof strategies)[number];

export interface StrategyTraits {
  readonly label: string;
  /** Whether a new worker starts with what earlier ones made durable. */
  readonly journal: boolean;
  /** Whether writes carry a key made of run and command, where the program gives none of its own. */
  readonly keys: boolean;
  /** Whether a write that may have been sent is looked up before it is sent again. */
  readonly looksUp: boolean;
}

export const traitsOf: Readonly<Record<Strategy, StrategyTraits>> = {
  naive: { label: 'naive restart', journal: false, keys: false, looksUp: false },
  'naive-key': { label: 'naive restart with key', journal: false, keys: true, looksUp: false },
  journal: { label: 'journal, no key', journal: true, keys: false, looksUp: false },
  'journal-key': { label: 'journal with key', journal: true, keys: true, looksUp: false },
  reconcile: { label: 'journal, look-up before sending again', journal: true, keys: false, looksUp: true },
};

export interface SimulationRequest {
  /** A recorded run; nothing of it is changed. */
  readonly events: ReplayRequest['events'];
  readonly sandbox: ReplayRequest['sandbox'];
  /** Default: the first run of the stream. */
  readonly run?: string;
  /** Default: the original. A branch that waits has no whole run to die in and is refused. */
  readonly branch?: string;
  /** A model that is asked again gives other prose. Default: it says the same. */
  readonly modelVaries?: boolean;
  readonly shouldStop?: () => boolean;
}

export interface Kill {
  readonly path: string;
  readonly boundary: Boundary;
}

/** One line of what would have happened. `type` is the type of the event that a recording runtime would have written. */
export interface StoryEvent {
  /** The worker's life, from 1. */
  readonly life: number;
  readonly type: string;
  readonly path?: string;
  readonly text: string;
}

export type TrialEnding = 'completed' | 'failed' | 'stuck' | 'limit';

export interface SimulatedTrial {
  readonly strategy: Strategy;
  /** Absent: a control, nothing is killed. */
  readonly kill: Kill | undefined;
  /** Whether the worker came to the boundary and died there. */
  readonly reached: boolean;
  /** Commitments of each write, by its path, as told by the simulated ledger. */
  readonly commitments: Readonly<Record<string, number>>;
  /** Of the struck write; of a control: of all writes the greatest. */
  readonly committed: number;
  /** Commitments beyond the first, over all writes. */
  readonly duplicates: number;
  /** Recorded effects that a completed run does not have. */
  readonly losses: readonly string[];
  /** Requests that the service answered from a saved answer. */
  readonly deduplicated: number;
  readonly refused: number;
  readonly modelCalls: number;
  /** Calls of a model that had been asked the same before. */
  readonly extraModelCalls: number;
  readonly ending: TrialEnding;
  readonly completed: boolean;
  /** The outcome is the recorded one, but for the names of effects that were made anew. */
  readonly equalsRecorded: boolean;
  readonly sentence: string;
  readonly story: readonly StoryEvent[];
  /** What the simulation had to assume, each once. */
  readonly assumptions: readonly string[];
}

export interface SimulatedSweep {
  readonly run: string;
  /** Name, version and digest of the program that was run. */
  readonly program: string;
  readonly boundaries: readonly Boundary[];
  readonly strategies: readonly Strategy[];
  /** Paths of the writes that were struck. */
  readonly effects: readonly string[];
  /** Writes that cannot be struck, and why. */
  readonly notSwept: readonly { readonly path: string; readonly why: string }[];
  readonly controls: readonly SimulatedTrial[];
  readonly trials: readonly SimulatedTrial[];
  /** The control that must duplicate did not, or the run does not repeat itself: nothing may be concluded. */
  readonly suspect: boolean;
  readonly causes: readonly string[];
  readonly modelVaries: boolean;
}
