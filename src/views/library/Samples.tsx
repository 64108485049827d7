/** Recorded incidents and a campaign that come with the site, with what one learns from each. One key opens one incident. */
import { Button as AriaButton } from 'react-aria-components';
import type { Sample } from '../../data/index.ts';
import { Kbd } from '../../ui/Button.tsx';
import { countOf } from '../../ui/format.ts';
import styles from './Samples.module.css';

export interface SamplesProps {
  readonly samples: readonly Sample[];
  readonly isFirst: boolean;
  readonly onOpen: (sample: Sample) => void;
  /** Trials of the sample campaign; empty where the site has none. */
  readonly campaign: readonly Sample[];
  readonly onOpenCampaign: (campaign: readonly Sample[]) => void;
}

export function Samples({ samples, isFirst, onOpen, campaign, onOpenCampaign }: SamplesProps) {
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
        {campaign.length === 0 ? undefined : (
          <li className={styles['wide']}>
            <AriaButton
              className={styles['card'] ?? ''}
              aria-keyshortcuts={String(samples.length + 1)}
              onPress={() => onOpenCampaign(campaign)}
            >
              <span className={styles['title']}>
                Recovery campaign: {countOf(campaign.length, 'trial')}
                <span className={styles['keys']}>
                  <Kbd>{String(samples.length + 1)}</Kbd>
                </span>
              </span>
              <span className={styles['lesson']}>
                One workload under three designs, with controls and kills: what each boundary cost, and what may be
                quoted of it.
              </span>
            </AriaButton>
          </li>
        )}
      </ul>
    </section>
  );
}
