/** Four recorded incidents that come with the site, with what one learns from each. One key opens one. */
import { Button as AriaButton } from 'react-aria-components';
import type { Sample } from '../../data/index.ts';
import { Kbd } from '../../ui/Button.tsx';
import styles from './Samples.module.css';

export interface SamplesProps {
  readonly samples: readonly Sample[];
  readonly isFirst: boolean;
  readonly onOpen: (sample: Sample) => void;
}

export function Samples({ samples, isFirst, onOpen }: SamplesProps) {
  if (samples.length === 0) return undefined;
  return (
    <section aria-labelledby="samples-title">
      <header className={styles['header']}>
        <h2 id="samples-title">Sample incidents</h2>
        <p>
          Recorded from a real runtime that was really killed; every event was written by the component it tells about.
        </p>
      </header>
      <ul className={styles['cards']}>
        {samples.map((sample, at) => (
          <li key={sample.file}>
            <AriaButton
              className={styles['card'] ?? ''}
              aria-keyshortcuts={String(at + 1)}
              data-first={isFirst && at === 0}
              onPress={() => onOpen(sample)}
            >
              <span className={styles['title']}>
                {sample.title}
                <span className={styles['keys']}>
                  <Kbd>{String(at + 1)}</Kbd>
                  {isFirst && at === 0 ? <Kbd>Enter</Kbd> : undefined}
                </span>
              </span>
              <span className={styles['lesson']}>{sample.lesson}</span>
            </AriaButton>
          </li>
        ))}
      </ul>
    </section>
  );
}
