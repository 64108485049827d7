/**
 * Branches of one list, in one order, each under a text of its own: its label, when it was made, and its id where even that is another's.
 *
 * Invariant: no two branches get one text. Used by every list in which a branch is chosen.
 */
import { timeToMillis } from '../base/time.ts';
import { type BranchId, mainBranch } from '../model/index.ts';

export interface NamedBranch {
  readonly id: BranchId;
  readonly label: string;
  readonly at?: string | undefined;
}

/** The original first, then by when they were made: what was just made is what one looks for. One without a time stands last. */
export function newestFirst<Branch extends Pick<NamedBranch, 'id' | 'at'>>(
  branches: readonly Branch[],
): readonly Branch[] {
  return branches.toSorted((one, other) => {
    const [a, b] = [branchToRank(one), branchToRank(other)];
    return a === b ? 0 : b - a;
  });
}

/** A number that is greater for what was made later. */
function branchToRank({ id, at }: Pick<NamedBranch, 'id' | 'at'>): number {
  if (id === mainBranch) return Infinity;
  return (at === undefined ? undefined : timeToMillis(at)) ?? 0;
}

/** Each branch with a text of its own: its label, when it was made, and its id where even that is another's. */
export function nameApart(
  branches: readonly NamedBranch[],
  timeToText: (at: string) => string,
): ReadonlyMap<BranchId, { readonly text: string; readonly when: string }> {
  const named = branches.map(({ id, label, at }) => {
    const when = id === mainBranch ? '' : at === undefined ? id : timeToText(at);
    return { id, label, when, text: [label, when].filter((part) => part !== '').join(' · ') };
  });
  const counts = new Map<string, number>();
  for (const { text } of named) counts.set(text, (counts.get(text) ?? 0) + 1);
  return new Map(
    named.map(({ id, text, when }) => {
      const isShared = (counts.get(text) ?? 0) > 1 && !text.endsWith(id);
      return [id, isShared ? { text: `${text} · ${id}`, when: `${when} · ${id}` } : { text, when }];
    }),
  );
}
