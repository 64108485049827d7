/** A long job of the sandbox under way: what it does, how far it is, and the way to stop it. */
import { Button } from '../../ui/Button.tsx';
import { Progress } from '../../ui/Progress.tsx';
import styles from './View.module.css';

export interface JobProgressProps {
  readonly label: string;
  readonly what: string;
  readonly share: number | undefined;
  readonly onCancel: () => void;
}

export function JobProgress({ label, what, share, onCancel }: JobProgressProps) {
  return (
    <div className={styles['running']}>
      <div role="status">
        <p>{what}</p>
        <Progress label={label} share={share} />
      </div>
      <Button onPress={onCancel}>Cancel</Button>
    </div>
  );
}
