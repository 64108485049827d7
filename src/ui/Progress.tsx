/** How far a long piece of work is, with its words beside the bar. Without a known end the bar only says that it goes on. */
import { ProgressBar } from 'react-aria-components';
import styles from './Progress.module.css';

export interface ProgressProps {
  readonly label: string;
  /** 0 to 1; undefined where the end is not known. */
  readonly share: number | undefined;
}

export function Progress({ label, share }: ProgressProps) {
  return (
    <ProgressBar
      aria-label={label}
      {...(share === undefined ? { isIndeterminate: true } : { value: Math.min(1, share) * 100 })}
      className={styles['bar'] ?? ''}
    >
      <span
        className={styles['fill']}
        data-endless={share === undefined}
        style={{ transform: `scaleX(${share === undefined ? 0.3 : Math.min(1, share)})` }}
      />
    </ProgressBar>
  );
}

/** Quiet place-holder lines while an answer is on its way. */
export function Waiting({ label, lines = 4 }: { readonly label: string; readonly lines?: number }) {
  return (
    <div className={styles['waiting']} role="status" aria-label={label}>
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} style={{ width: `${90 - ((line * 17) % 50)}%` }} />
      ))}
    </div>
  );
}
