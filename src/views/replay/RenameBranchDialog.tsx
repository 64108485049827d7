/** Another name for a branch, on this machine. What the replay wrote about it stays as it is. */
import { useState } from 'react';
import { nameProblem } from '../../core/base/shown-text.ts';
import { useRenameBranch } from '../../data/index.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Field } from '../../ui/Field.tsx';
import type { BranchListEntry } from './BranchRow.tsx';
import { branchToTitle } from './BranchRow.tsx';
import type { ReplaySession } from './session.ts';

export interface RenameBranchDialogProps {
  readonly session: ReplaySession;
  readonly entry: BranchListEntry;
  readonly onClose: () => void;
}

export function RenameBranchDialog({ session, entry, onClose }: RenameBranchDialogProps) {
  const rename = useRenameBranch();
  const [name, setName] = useState(branchToTitle(entry));
  const problem = nameProblem(name);
  const save = (): void => {
    if (problem !== undefined) return;
    rename.mutate({ trace: session.trace, branch: entry.id, name }, { onSuccess: onClose });
  };
  return (
    <Dialog
      title="Rename the branch"
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button kind="primary" isDisabled={problem !== undefined || rename.isPending} onPress={save}>
            Rename
          </Button>
        </>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <Field
          label="Name"
          value={name}
          onChange={setName}
          autoFocus
          problem={problem ?? rename.error?.message}
          help="For the lists on this machine. Its id and its operation stay, and a file of it carries those. Empty: the reason of its replay is its name again."
        />
      </form>
    </Dialog>
  );
}
