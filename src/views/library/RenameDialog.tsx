/** Another name for a trace. The name is for people: nothing is found by it. */
import { type SubmitEvent, useState } from 'react';
import { nameProblem } from '../../core/base/shown-text.ts';
import { type TraceRecord, useRenameTrace } from '../../data/index.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Field } from '../../ui/Field.tsx';
import styles from './Forms.module.css';

export function RenameDialog({ trace, onClose }: { readonly trace: TraceRecord; readonly onClose: () => void }) {
  const [name, setName] = useState(trace.name);
  const rename = useRenameTrace();
  const problem = name.trim() === '' ? 'A trace needs a name.' : nameProblem(name);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (problem === undefined) rename.mutate({ trace: trace.id, name: name.trim() }, { onSuccess: onClose });
  };
  return (
    <Dialog title="Rename the trace" isOpen onClose={onClose}>
      <form className={styles['form']} onSubmit={submit}>
        <Field
          label="Name"
          value={name}
          onChange={setName}
          autoFocus
          problem={problem ?? rename.error?.message}
          help="Links keep working: they name a trace by its content."
        />
        <footer className={styles['actions']}>
          <Button onPress={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isDisabled={problem !== undefined || rename.isPending}>
            Rename
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
