/** Which part of the trace goes: the whole branch, or one event with everything it rests on. */
import { Label, Radio, RadioGroup } from 'react-aria-components';
import type { ShareScope } from '../../core/share/index.ts';
import { mainBranch, type BranchId, type EventId } from '../../core/model/index.ts';
import styles from './ScopeChoice.module.css';

export interface ScopeChoiceProps {
  readonly scope: ShareScope;
  readonly onScope: (scope: ShareScope) => void;
  /** The selected event, which a slice can be made of. */
  readonly event: EventId | undefined;
  readonly branch: BranchId;
}

export function ScopeChoice({ scope, onScope, event, branch }: ScopeChoiceProps) {
  const whole = branch === mainBranch ? 'The whole original run' : `The whole branch ${branch}`;
  return (
    <RadioGroup
      value={scope.kind}
      onChange={(kind) => onScope(kind === 'slice' && event !== undefined ? { kind, event } : { kind: 'all' })}
      className={styles['choice'] ?? ''}
    >
      <Label className={styles['label'] ?? ''}>What goes</Label>
      <Radio value="all" className={styles['radio'] ?? ''}>
        {whole}
      </Radio>
      <Radio value="slice" isDisabled={event === undefined} className={styles['radio'] ?? ''}>
        <span>
          Only the selected event and what it rests on
          <small>
            {event === undefined ? 'Select an event in the explorer first.' : 'The rest becomes one counted anchor.'}
          </small>
        </span>
      </Radio>
    </RadioGroup>
  );
}
