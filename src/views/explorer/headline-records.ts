/**
 * What the headline says of the records before it says what the checks found in them: those that could not be read, and a branch that
 * holds nothing.
 *
 * Invariant: where records are missing that comes first; "nothing found" alone would be taken for the whole.
 */
import type { BranchId } from '../../core/model/index.ts';
import { unreadToWords } from '../../core/projections/headline/unread.ts';
import type { TraceSummary } from '../../core/projections/trace-reader.ts';
import { countOf } from '../../ui/format.ts';

export interface RecordsNote {
  /** What the words lead to: the list of problems, or a branch. */
  readonly leadsTo: 'problems' | BranchId;
  readonly link: string;
  readonly rest: string;
}

/** `shown`: how many events the branch has without any filter. */
export function computeRecordsNotes(
  { counts, branches, unread: files }: Pick<TraceSummary, 'counts' | 'branches' | 'unread'>,
  branch: BranchId,
  shown: number | undefined,
): readonly RecordsNote[] {
  const notes: RecordsNote[] = [];
  const unread = unreadToWords(counts.problems, files);
  if (unread !== undefined) notes.push({ leadsTo: 'problems', link: unread.what, rest: unread.rest });
  const filled = branches.filter(({ id, ownEvents }) => id !== branch && ownEvents > 0);
  const [largest] = filled.toSorted((a, b) => b.ownEvents - a.ownEvents);
  if (shown === 0 && largest !== undefined) {
    const more =
      filled.length === 1 ? '' : `, and more are on ${countOf(filled.length - 1, 'other branch', 'other branches')}`;
    notes.push({
      leadsTo: largest.id,
      link: `Show the branch ${largest.label}`,
      rest: `: it holds ${countOf(largest.ownEvents, 'event')}${more}. The branch shown holds none.`,
    });
  }
  return notes;
}
