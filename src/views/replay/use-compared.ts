/** The records that a branch and its parent do not share, read and aligned. */
import { useMemo } from 'react';
import { type BranchId, type EventId, mainBranch } from '../../core/model/index.ts';
import type { EventRow, FilterSpec, Inspection } from '../../core/projections/trace-reader.ts';
import { type TraceId, useInspections, useRows, useSummary } from '../../data/index.ts';
import { type Compared, type ComparedRecord, compareBranches } from './compare-branches.ts';

const noFilter: FilterSpec = { types: [], families: [], agents: [], steps: [], branches: [], text: '' };
/** Records of a side that are looked through, and of those that differ, how many are read. */
const looked = 20_000;
const read = 600;

export interface ComparedBranches extends Compared {
  readonly parent: BranchId;
  readonly parentLabel: string;
  readonly label: string;
  /** Records that both sides share. */
  readonly shared: number;
  /** Records beyond what was read. */
  readonly unread: number;
}

export interface ComparedState {
  readonly data: ComparedBranches | undefined;
  /** The branch has no parent: it is the original. */
  readonly isOriginal: boolean;
  readonly problem: string | undefined;
}

export function useComparedBranches(trace: TraceId, branch: BranchId): ComparedState {
  const summary = useSummary(trace);
  const branches = summary.data?.branches;
  const own = branches?.find(({ id }) => id === branch);
  const parent = own?.parent ?? mainBranch;
  const here = useRows(trace, branch, noFilter, 0, looked);
  const there = useRows(trace, parent, noFilter, 0, looked);
  const split = useMemo(() => splitRows(here.data?.rows ?? [], there.data?.rows ?? []), [here.data, there.data]);
  const mine = useInspections(trace, branch, split.here);
  const theirs = useInspections(trace, parent, split.there);
  const isRead = mine.every((one) => one !== undefined) && theirs.every((one) => one !== undefined);
  const compared = useMemo(
    () => (isRead ? compareBranches(mine.flatMap(inspectionToRecord), theirs.flatMap(inspectionToRecord)) : undefined),
    [isRead, mine, theirs],
  );
  const isReady = here.data !== undefined && there.data !== undefined && branches !== undefined;
  return {
    isOriginal: branch === mainBranch,
    problem: (summary.error ?? here.error ?? there.error)?.message,
    data:
      isReady && compared !== undefined && !here.isPlaceholderData && !there.isPlaceholderData
        ? {
            ...compared,
            parent,
            parentLabel: branches.find(({ id }) => id === parent)?.label ?? parent,
            label: own?.label ?? branch,
            shared: split.shared,
            unread: split.unread + Math.max(0, here.data.total - looked) + Math.max(0, there.data.total - looked),
          }
        : undefined,
  };
}

function splitRows(
  here: readonly EventRow[],
  there: readonly EventRow[],
): {
  readonly here: readonly EventId[];
  readonly there: readonly EventId[];
  readonly shared: number;
  readonly unread: number;
} {
  const mine = new Set(here.map(({ id }) => id));
  const theirs = new Set(there.map(({ id }) => id));
  const onlyHere = here.flatMap(({ id }) => (theirs.has(id) ? [] : [id]));
  const onlyThere = there.flatMap(({ id }) => (mine.has(id) ? [] : [id]));
  return {
    here: onlyHere.slice(0, read),
    there: onlyThere.slice(0, read),
    shared: here.length - onlyHere.length,
    unread: Math.max(0, onlyHere.length - read) + Math.max(0, onlyThere.length - read),
  };
}

function inspectionToRecord(inspection: Inspection | undefined): readonly ComparedRecord[] {
  return inspection === undefined ? [] : [{ id: inspection.row.id, event: inspection.event }];
}
