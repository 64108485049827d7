/** The set of runs a person chose, and the job over it: kept by the view, so that a walk to another tab loses neither. */
import { useState } from 'react';
import type { RunSetAnswer, RunSetAsk, RunSetProgressed, TraceId } from '../../data/index.ts';
import { type Job, useRunSet } from '../../data/replay-view.ts';

export interface SetSession {
  readonly job: Job<RunSetAsk, RunSetProgressed, RunSetAnswer>;
  /** Undefined while nobody chose. */
  readonly chosen: ReadonlySet<TraceId> | undefined;
  readonly choose: (traces: Iterable<TraceId>) => void;
}

export function useSetSession(): SetSession {
  const job = useRunSet();
  const [chosen, setChosen] = useState<ReadonlySet<TraceId>>();
  return { job, chosen, choose: (traces) => setChosen(new Set(traces)) };
}
