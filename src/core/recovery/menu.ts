/**
 * The faults a reader may ask about, which of them these trials hold, and where each is known from (R118, R119, R122, R123).
 */
import type { EventOf } from '../model/index.ts';
import { pathToSegment } from '../replay/command-path.ts';
import type { MenuEntry, TrialReport } from './report.ts';

interface Entry extends Pick<MenuEntry, 'id' | 'title' | 'provenance'> {
  /** `segments`: the parts of their runs in which any trial of this design was struck. */
  readonly includes: (trial: TrialReport, classes: readonly string[], segments: ReadonlySet<number>) => boolean;
}

const observed = 'observed in production';
const injectable = 'injectable for convenience';

const entries: readonly Entry[] = [
  {
    id: 'process-kill',
    title: 'kill of a process at a boundary',
    provenance: observed,
    includes: ({ placements }) => placements.length > 0,
  },
  {
    id: 'kill-in-gap',
    title: 'kill between commitment and acknowledgement',
    provenance: observed,
    includes: hasPoint('3'),
  },
  {
    id: 'commit-after-death',
    title: 'request that commits when its caller is dead',
    provenance: observed,
    includes: hasPoint('2late'),
  },
  {
    id: 'kill-before-persistence',
    title: 'kill between acknowledgement and durable result',
    provenance: observed,
    includes: hasPoint('4'),
  },
  // A worker that is blocked before it writes, or after, is not struck in a write: that one was is for its stream to say.
  ...declared('kill-during-persistence', 'kill while a result is written', observed),
  {
    id: 'kill-during-model-call',
    title: 'kill during a model call',
    provenance: observed,
    includes: ({ placements }) => placements.some(({ duringModelCall }) => duringModelCall),
  },
  {
    id: 'repeated-kills',
    title: 'several kills in one run',
    provenance: injectable,
    includes: ({ placements }) => placements.length > 1,
  },
  {
    id: 'random-kill',
    title: 'kill at a random place',
    provenance: injectable,
    includes: ({ design }) => design === 'random',
  },
  { id: 'redeploy', title: 'other code after the restart', provenance: observed, includes: isRedeployed },
  {
    id: 'rollover',
    title: 'faults on both sides of a roll-over of the history',
    provenance: observed,
    includes: (_trial, classes, segments) => classes.includes('rollover') || (segments.has(0) && segments.size > 1),
  },
  {
    id: 'rollover-beyond',
    title: 'faults beyond three times the roll-over threshold',
    provenance: observed,
    includes: ({ placements }) => placements.some(({ effect }) => segmentOf(effect) >= 3),
  },
  ...declared('call-hung', 'call that never answers', observed),
  ...declared('call-retryable', 'retryable response', observed),
  ...declared('call-delayed', 'response beyond the heartbeat', observed),
  ...declared('call-late', 'late response after a retry', observed),
  ...declared('slow-storage', 'slow storage', observed),
  ...declared('stale-lease', 'stale lease', observed),
  ...declared('partition', 'network partition', observed),
  ...declared('quota', 'quota used up', observed),
  ...declared('malformed-state', 'malformed state', observed),
  ...declared('expired-credential', 'expired credential', observed),
  ...declared('changed-model', 'changed model', observed),
  ...declared('external-drift', 'drift of an external system', observed),
];

function hasPoint(point: string): Entry['includes'] {
  return ({ placements }) => placements.some((one) => one.point === point && one.verdict === 'verified');
}

/** Faults that only their recorded class tells. */
function declared(id: string, title: string, provenance: MenuEntry['provenance']): readonly Entry[] {
  return [{ id, title, provenance, includes: (_trial, classes) => classes.includes(id) }];
}

function segmentOf(effect: string | undefined): number {
  return pathToSegment(effect ?? '');
}

/** Parts struck in trials of a strategy whose runs had a roll-over at all. */
function struckSegments(trials: readonly TrialReport[], strategy: string): ReadonlySet<number> {
  const own = trials.filter((trial) => trial.strategy === strategy && trial.placements.length > 0);
  return new Set(own.flatMap(({ placements }) => placements.map(({ effect }) => segmentOf(effect))));
}

/** Lives of one trial ran other versions. */
export function isRedeployed({ versions }: TrialReport): boolean {
  return new Set(versions.map((one) => JSON.stringify(one.versions))).size > 1;
}

export function computeMenu(
  trials: readonly TrialReport[],
  faultsOf: (trial: string) => readonly EventOf<'fault.injected'>[],
): readonly MenuEntry[] {
  return entries.map(({ id, title, provenance, includes }) => {
    const found = trials.filter((trial) =>
      includes(
        trial,
        faultsOf(trial.id).flatMap(({ data }) => data.class ?? []),
        trial.placements.length > 0 ? struckSegments(trials, trial.strategy) : new Set(),
      ),
    );
    return { id, title, provenance, included: found.length > 0, trials: found.map((trial) => trial.id) };
  });
}
