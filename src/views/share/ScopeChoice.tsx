/** Which part of the trace goes: the whole branch, or one event with everything it rests on. */
import { useId } from 'react';
import type { ShareScope } from '../../core/share/index.ts';
import { mainBranch, type BranchId, type EventId } from '../../core/model/index.ts';
import { type TraceId, useInspection } from '../../data/index.ts';
import styles from './ScopeChoice.module.css';

export interface ScopeChoiceProps {
  readonly trace: TraceId;
  readonly scope: ShareScope;
  readonly onScope: (scope: ShareScope) => void;
  /** The selected event, which a slice can be made of. */
  readonly event: EventId | undefined;
  readonly branch: BranchId;
}

export function ScopeChoice({ trace, scope, onScope, event, branch }: ScopeChoiceProps) {
  const name = useId();
  const title = useInspection(trace, branch, event).data?.row.title;
  const whole = branch === mainBranch ? 'The whole original run' : `The whole branch ${branch}`;
  return (
    <fieldset className={styles['choice']}>
      <legend>What goes</legend>
      <label className={styles['radio']}>
        <input type="radio" name={name} checked={scope.kind === 'all'} onChange={() => onScope({ kind: 'all' })} />
        <span>
          {whole}
          {branch === mainBranch ? undefined : (
            <small>
              With what it inherits, and with the effects outside that it lacks. The rest of the original stays behind
              and is counted.
            </small>
          )}
        </span>
      </label>
      <label className={styles['radio']}>
        <input
          type="radio"
          name={name}
          checked={scope.kind === 'slice'}
          disabled={event === undefined}
          onChange={() => {
            if (event !== undefined) onScope({ kind: 'slice', event });
          }}
        />
        <span>
          Only the selected event and what it rests on
          <small>
            {event === undefined
              ? 'Select an event in the explorer first.'
              : `${title === undefined ? '' : `Selected: ${title}. `}What is left out becomes one record that says how many events it was.`}
          </small>
        </span>
      </label>
    </fieldset>
  );
}
