/** Deleting one trace or several: what goes, and, where a floor or a hold forbids it, the reason that the access log keeps. */
import { useState } from 'react';
import { type TraceId, type TraceRecord, DataError, useDeleteTrace } from '../../data/index.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Field } from '../../ui/Field.tsx';
import { bytesToText, countOf } from '../../ui/format.ts';
import { notify } from '../../ui/notices.ts';
import { isHeldBack, retentionToText } from './retention.ts';
import styles from './Forms.module.css';

export interface DeleteDialogProps {
  readonly traces: readonly TraceRecord[];
  readonly onClose: () => void;
}

export function DeleteDialog({ traces, onClose }: DeleteDialogProps) {
  const remove = useDeleteTrace();
  const [reason, setReason] = useState('');
  // Of several the first ones may be gone before one is refused.
  const [gone, setGone] = useState<ReadonlySet<TraceId>>(new Set());
  const left = traces.filter(({ id }) => !gone.has(id));
  const now = new Date().toISOString();
  const held = left.filter(({ retention }) => isHeldBack(retention, now));
  const wasRefused = remove.error instanceof DataError && ['before-floor', 'held'].includes(remove.error.code);
  const needsReason = wasRefused || held.length > 0;
  const [first] = traces;
  const run = async (): Promise<void> => {
    for (const trace of left) {
      const override = wasRefused || held.includes(trace) ? { override: reason.trim() } : {};
      await remove.mutateAsync({ trace: trace.id, ...override });
      setGone((before) => new Set([...before, trace.id]));
    }
    notify(
      traces.length === 1 && first !== undefined
        ? `“${first.name}” was deleted.`
        : `${countOf(traces.length, 'trace')} were deleted.`,
    );
    onClose();
  };
  return (
    <Dialog
      title={traces.length === 1 ? 'Delete the trace' : `Delete ${countOf(left.length, 'trace')}`}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose} autoFocus>
            Cancel
          </Button>
          <Button
            kind="danger"
            onPress={() => {
              run().catch(toldByDialog);
            }}
            isDisabled={remove.isPending || (needsReason && reason.trim() === '')}
          >
            Delete
          </Button>
        </>
      }
    >
      <div className={styles['form']}>
        <ul>
          {left.map((trace) => (
            <li key={trace.id}>
              “{trace.name}”: {countOf(trace.events, 'event')}, {countOf(trace.branches, 'branch', 'branches')},{' '}
              {bytesToText(trace.storedBytes)} here
            </li>
          ))}
        </ul>
        <p>
          {traces.length === 1
            ? 'The copy in this browser goes, with everything replayed from it. The file it was opened from is not touched.'
            : 'The copies in this browser go, with everything replayed from them. The files they were opened from are not touched.'}
        </p>
        {needsReason ? (
          <>
            {(held.length > 0 ? held : left).map((trace) => (
              <p key={trace.id}>
                {traces.length === 1 ? 'It' : `“${trace.name}”`} is to be kept: {retentionToText(trace.retention)}.
              </p>
            ))}
            <p>Deleting it all the same needs a reason, which the access log keeps.</p>
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

/** The dialog stays open and shows why one was refused. */
function toldByDialog(): void {
  // Nothing else is to be done: the mutation holds the error.
}
