/** The set of runs a person chose, and the job over it: kept by the view, so that a walk to another tab loses neither. */
import { useState } from 'react';
import type { RunSetAnswer, RunSetAsk, RunSetProgressed, TraceId } from '../../data/index.ts';
import { type Job, useRunSet } from '../../data/replay-view.ts';

export interface SetSession {
  readonly job: Job<RunSetAsk, RunSetProgressed, RunSetAnswer>;
  /** Undefined while nobody chose. */
  readonly chosen: ReadonlySet<TraceId> | undefined;
  /** The runs that the address names: the choice while nobody chose here. */
  readonly named: string | undefined;
  readonly choose: (traces: Iterable<TraceId>) => void;
}

export function useSetSession(named: string | undefined): SetSession {
  const job = useRunSet();
  const [chosen, setChosen] = useState<ReadonlySet<TraceId>>();
  return { job, chosen, named, choose: (traces) => setChosen(new Set(traces)) };
}

/** Ids apart by spaces; those the library does not have are left out. */
export function textToChosen(
  text: string | undefined,
  traces: readonly { readonly id: TraceId }[],
): ReadonlySet<TraceId> | undefined {
  if (text === undefined) return undefined;
  const wanted = new Set<string>(text.split(' '));
  return new Set(traces.filter(({ id }) => wanted.has(id)).map(({ id }) => id));
}
