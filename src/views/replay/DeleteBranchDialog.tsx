/** Deleting branches: what goes and what stays. Each is told in the access log, where the entry outlives the branch. */
import { useDeleteBranches } from '../../data/index.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { countOf } from '../../ui/format.ts';
import { notify } from '../../ui/notices.ts';
import { type BranchListEntry, branchToTitle } from './BranchRow.tsx';
import type { ReplaySession } from './session.ts';
import styles from './Branches.module.css';

export interface DeleteBranchDialogProps {
  readonly session: ReplaySession;
  /** Newest first: a branch goes before the one it may start from. */
  readonly entries: readonly BranchListEntry[];
  readonly onClose: () => void;
}

export function DeleteBranchDialog({ session, entries, onClose }: DeleteBranchDialogProps) {
  const remove = useDeleteBranches();
  const what = countOf(entries.length, 'branch', 'branches');
  const run = (): void => {
    const branches = entries.map(({ branch }) => branch.id);
    remove.mutate(
      { trace: session.trace, branches },
      {
        onSuccess: () => {
          notify(entries.length === 1 ? 'The branch was deleted.' : `${what} were deleted.`);
          onClose();
        },
      },
    );
  };
  return (
    <Dialog
      title={entries.length === 1 ? 'Delete the branch' : `Delete ${what}`}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose} autoFocus>
            Cancel
          </Button>
          <Button kind="danger" onPress={run} isDisabled={remove.isPending}>
            Delete
          </Button>
        </>
      }
    >
      <ul className={styles['goes']}>
        {entries.map((entry) => (
          <li key={entry.id}>
            <b>{branchToTitle(entry)}</b> <code>{entry.id}</code>
          </li>
        ))}
      </ul>
      <p>
        The original and the other branches stay as they are. The access log keeps that it was there and who deleted it.
        The same change makes the same branch again.
      </p>
      {remove.error === null ? undefined : (
        <p role="alert" className={styles['problem']}>
          {remove.error.message}
        </p>
      )}
    </Dialog>
  );
}
