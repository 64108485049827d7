/** What a reader must be able to tell before a number is quoted: each question with its answer and the trials that it is about. */
import { passageToShown } from '../../core/base/shown-text.ts';
import type { CampaignReport } from '../../core/recovery/index.ts';
import { Chip } from '../../ui/Chip.tsx';
import { TrialRef } from './EventRef.tsx';
import type { Links } from './links.ts';
import styles from './Parts.module.css';

const mostNamed = 6;

export function Questions({ campaign, links }: { readonly campaign: CampaignReport; readonly links: Links }) {
  if (campaign.questions.length === 0) return <p>No valid trial with a fault is among these: nothing can be told.</p>;
  return (
    <dl className={styles['questions']} aria-label="Questions of a reader">
      {campaign.questions.map(({ id, question, answers, told, trials }) => (
        <div key={id}>
          <dt>
            {question} {told ? undefined : <Chip tone="warning">open</Chip>}
          </dt>
          <dd>
            {answers.map((answer) => (
              <span key={answer}>{passageToShown(answer)}</span>
            ))}
            {trials.length === 0 ? undefined : (
              <span className={styles['named']}>
                {trials.slice(0, mostNamed).map((trial) => (
                  <TrialRef key={trial} links={links} trial={trial} />
                ))}
                {trials.length > mostNamed ? (
                  <span className={styles['faint']}>and {trials.length - mostNamed} more</span>
                ) : undefined}
              </span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
