/** Deleting a trace: what goes, and, where a floor or a hold forbids it, the reason that the access log keeps. */
import { useState } from 'react';
import { type TraceRecord, DataError, useDeleteTrace } from '../../data/index.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Field } from '../../ui/Field.tsx';
import { bytesToText, countOf } from '../../ui/format.ts';
import { notify } from '../../ui/notices.ts';
import { isHeldBack, retentionToText } from './retention.ts';
import styles from './Forms.module.css';

export function DeleteDialog({ trace, onClose }: { readonly trace: TraceRecord; readonly onClose: () => void }) {
  const remove = useDeleteTrace();
  const [reason, setReason] = useState('');
  const wasRefused = remove.error instanceof DataError && ['before-floor', 'held'].includes(remove.error.code);
  const needsReason = wasRefused || isHeldBack(trace.retention, new Date().toISOString());
  const run = (): void => {
    const override = needsReason ? { override: reason.trim() } : {};
    remove.mutate(
      { trace: trace.id, ...override },
      {
        onSuccess: () => {
          notify(`“${trace.name}” was deleted.`);
          onClose();
        },
      },
    );
  };
  return (
    <Dialog
      title="Delete the trace"
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose} autoFocus>
            Cancel
          </Button>
          <Button kind="danger" onPress={run} isDisabled={remove.isPending || (needsReason && reason.trim() === '')}>
            Delete
          </Button>
        </>
      }
    >
      <div className={styles['form']}>
        <p>
          “{trace.name}”: {countOf(trace.events, 'event')}, {countOf(trace.branches, 'branch', 'branches')},{' '}
          {bytesToText(trace.storedBytes)} here. The copy in this browser goes, with everything replayed from it. The
          file it was opened from is not touched.
        </p>
        {needsReason ? (
          <>
            <p>
              It is to be kept: {retentionToText(trace.retention)}. Deleting it all the same needs a reason, which the
              access log keeps.
            </p>
            <Field label="Reason" value={reason} onChange={setReason} isLong />
          </>
        ) : undefined}
        {remove.error !== null && !wasRefused ? (
          <p role="alert" className={styles['problem']}>
            {remove.error.message}
          </p>
        ) : undefined}
      </div>
    </Dialog>
  );
}
