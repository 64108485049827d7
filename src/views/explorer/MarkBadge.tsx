/** What an overlay says of one event: sign and word together; the sign alone only where the word stands beside it. */
import { StatusSign } from '../../ui/Chip.tsx';
import type { Mark } from './overlay.ts';
import styles from './MarkBadge.module.css';

export function MarkBadge({ mark, count }: { readonly mark: Mark; readonly count?: number }) {
  return (
    <span className={styles['badge']} data-look={mark.look} data-sign={mark.sign} title={mark.meaning}>
      <StatusSign status={mark.sign} />
      {mark.word}
      {count === undefined ? undefined : <b>{count.toLocaleString('en')}</b>}
    </span>
  );
}

/** Kept records get a quiet tick, everything else its badge. */
export function MarkSign({ mark }: { readonly mark: Mark }) {
  if (mark.look !== 'kept') return <MarkBadge mark={mark} />;
  return (
    <span className={styles['tick']} title={`${mark.word}: ${mark.meaning}`}>
      <StatusSign status={mark.sign} />
      <span className={styles['spoken']}>{mark.word}</span>
    </span>
  );
}
