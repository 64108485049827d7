/** A word that opens what a replay would need and the trace does not have (R64): in the status bar, and where a way into replay is closed. */
import { Button as AriaButton, DialogTrigger, Popover } from 'react-aria-components';
import { ownName } from '../../ui/own-name.ts';
import styles from './ReplayNeeds.module.css';

export interface ReplayNeedsProps {
  readonly missing: readonly string[];
  /** What cannot be done without it, where that is more than a replay. */
  readonly because?: string;
  readonly children: string;
}

export function ReplayNeeds({ missing, because, children }: ReplayNeedsProps) {
  return (
    <DialogTrigger>
      <AriaButton className={styles['trigger'] ?? ''}>{children}</AriaButton>
      <Popover className={styles['popover'] ?? ''} placement="top" aria-label="What a replay would need" {...ownName}>
        <div className={styles['dialog'] ?? ''}>
          {because === undefined ? undefined : <p>{because}</p>}
          <h2>What a replay would need and the trace does not have</h2>
          <ul>
            {missing.map((one) => (
              <li key={one}>{one}</li>
            ))}
          </ul>
        </div>
      </Popover>
    </DialogTrigger>
  );
}
