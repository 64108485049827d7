/** How long a trace is kept, and why. Every change is written into the access log. */
import { type SubmitEvent, useState } from 'react';
import { type TraceRecord, useSetRetention } from '../../data/index.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Checkbox, Field } from '../../ui/Field.tsx';
import { dateToDay, dayToDate } from './retention.ts';
import styles from './Forms.module.css';

export function RetentionDialog({ trace, onClose }: { readonly trace: TraceRecord; readonly onClose: () => void }) {
  const { retention } = trace;
  const [keepUntil, setKeepUntil] = useState(dateToDay(retention.keepUntil));
  const [floor, setFloor] = useState(dateToDay(retention.floor));
  const [hold, setHold] = useState(retention.hold);
  const [isPurged, setPurged] = useState(retention.then === 'purge');
  const [reason, setReason] = useState(retention.reason ?? '');
  const change = useSetRetention();
  const isCrossed = keepUntil !== '' && floor !== '' && keepUntil < floor;
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    change.mutate(
      {
        trace: trace.id,
        retention: {
          keepUntil: dayToDate(keepUntil),
          floor: dayToDate(floor),
          hold,
          then: isPurged ? 'purge' : 'offer',
          reason: reason.trim() === '' ? undefined : reason.trim(),
        },
      },
      { onSuccess: onClose },
    );
  };
  return (
    <Dialog title="How long this trace is kept" isOpen onClose={onClose}>
      <form className={styles['form']} onSubmit={submit}>
        <div className={styles['pair']}>
          <Field
            label="Keep until"
            type="date"
            value={keepUntil}
            onChange={setKeepUntil}
            help="Empty: until deleted."
            problem={isCrossed ? 'This is before the floor.' : undefined}
          />
          <Field
            label="Not to be deleted before"
            type="date"
            value={floor}
            onChange={setFloor}
            help="Logs of high-risk systems: at least six months."
          />
        </div>
        <Checkbox isSelected={isPurged} onChange={setPurged}>
          Delete by itself after that date, instead of asking
        </Checkbox>
        <Checkbox isSelected={hold} onChange={setHold}>
          On hold: keep it whatever the dates say
        </Checkbox>
        <Field label="Why" value={reason} onChange={setReason} placeholder="In your own words" />
        {change.error === null ? undefined : (
          <p role="alert" className={styles['problem']}>
            {change.error.message}
          </p>
        )}
        <footer className={styles['actions']}>
          <Button onPress={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isDisabled={isCrossed || change.isPending}>
            Save
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
