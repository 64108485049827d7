/**
 * The two sides of a comparison: how they stand in the address, what they are called, and which are compared when nobody chose.
 */
import { type BranchId, branchId, mainBranch } from '../../core/model/index.ts';
import { nameApart, newestFirst } from '../../core/projections/name-apart.ts';
import type { BranchSummary } from '../../core/projections/trace-reader.ts';
import type { BranchPlace, TraceId, TraceRecord } from '../../data/index.ts';

/** A branch of this trace by its id; of another one, `TRACE/BRANCH`. */
export function placeToText({ trace, branch }: BranchPlace, own: TraceId): string {
  return trace === own ? branch : `${trace}/${branch}`;
}

/** A text that names no trace of the library is no place. */
export function textToPlace(
  text: string | undefined,
  own: TraceId,
  run: string | undefined,
  traces: readonly Pick<TraceRecord, 'id'>[],
): BranchPlace | undefined {
  if (text === undefined || text === '') return undefined;
  const slash = text.indexOf('/');
  if (slash < 0) return { trace: own, branch: branchId(text), ...(run === undefined ? {} : { run }) };
  const found = traces.find(({ id }) => id === text.slice(0, slash));
  return found === undefined ? undefined : { trace: found.id, branch: branchId(text.slice(slash + 1)) };
}

/**
 * What the last replay made, else the branch that is shown, beside its parent. On the original, the newest branch beside it; without any
 * branch there is nothing to compare it with.
 */
export function defaultSides(
  shown: BranchId,
  made: BranchId | undefined,
  branches: readonly BranchSummary[],
): { readonly here: BranchId | undefined; readonly there: BranchId } {
  const parentOf = (branch: BranchId): BranchId => branches.find(({ id }) => id === branch)?.parent ?? mainBranch;
  if (made !== undefined) return { here: made, there: parentOf(made) };
  if (shown !== mainBranch) return { here: shown, there: parentOf(shown) };
  // Without times what stands later was made later, for a branch stands after its parent.
  const newest = newestFirst(branches.toReversed()).find(({ id }) => id !== mainBranch)?.id;
  return newest === undefined ? { here: undefined, there: mainBranch } : { here: newest, there: parentOf(newest) };
}

/** A choice of the lists: every branch under a name of its own, with the id by which the other parts of the page call it. */
export interface BranchOption {
  readonly id: BranchId;
  readonly label: string;
}

export function branchesToOptions(
  branches: readonly BranchSummary[],
  names: Readonly<Record<string, string>>,
  timeToText: (at: string) => string,
): readonly BranchOption[] {
  const apart = nameApart(
    branches.map((one) => ({ ...one, label: branchToName(one, names) })),
    timeToText,
  );
  return newestFirst(branches).map(({ id }) => {
    const text = apart.get(id)?.text ?? id;
    return { id, label: id === mainBranch || text.endsWith(id) ? text : `${text} · ${id}` };
  });
}

function branchToName(branch: BranchSummary, names: Readonly<Record<string, string>>): string {
  return names[branch.id] ?? branch.label;
}
