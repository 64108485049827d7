/** Events of some types, read whole: starts and ends of one run, replays of one branch, declarations. */
import { useMemo } from 'react';
import type { BranchId } from '../core/model/index.ts';
import type { FilterSpec, Inspection } from '../core/projections/trace-reader.ts';
import type { TraceId } from '../platform/storage/index.ts';
import { useInspections, useRows } from './trace-query.ts';

const noFilter: FilterSpec = { types: [], families: [], agents: [], steps: [], branches: [], text: '' };
const eventsRead = 100;

/** Events of these types, of one run where it is named: a trace may hold more runs than are ever read. */
export function typesToFilter(types: readonly string[], run: string | undefined): FilterSpec {
  return { ...noFilter, types, ...(run === undefined ? {} : { where: [{ field: 'run', values: [run] }] }) };
}

export interface EventsOf {
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly events: readonly Inspection[];
}

export function useEventsOf(trace: TraceId, branch: BranchId, types: readonly string[], run?: string): EventsOf {
  const filter = useMemo(() => typesToFilter(types, run), [types, run]);
  const rows = useRows(trace, branch, filter, 0, eventsRead);
  const ids = useMemo(() => (rows.data?.rows ?? []).map(({ id }) => id), [rows.data]);
  const inspections = useInspections(trace, branch, ids);
  return useMemo(() => {
    const events = inspections.answers.filter((one) => one !== undefined);
    return {
      isPending: rows.isPending || inspections.isPending,
      error: rows.error ?? inspections.error,
      events,
    };
  }, [inspections, rows.isPending, rows.error]);
}
