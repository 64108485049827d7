/**
 * What the words mean that stand where something is not there: each in one sense on the whole page, explained once a panel.
 *
 * Called by CampaignPanel.tsx and TrialPanel.tsx.
 */
import styles from './Parts.module.css';

const meanings: readonly (readonly [word: string, meaning: string])[] = [
  ['not recorded', 'no record has this value; what it was, nothing tells.'],
  [
    'absent',
    'a record that would be there, had it happened, is not there, and its process wrote every record through before it acted: so it did not happen. “Absent or lost”: the process did not write through, and may have taken the record along.',
  ],
  [
    'not established',
    'the records leave it open, because they are too few, could not be read, or disagree. A trial of which this is said counts as little as an invalid one.',
  ],
  ['not known', 'the service that would tell has no records here. It is never counted as zero.'],
  ['not measured', 'a time without a record at its start or its end; the reason stands beside it.'],
  [
    'not checked, not testable, not comparable',
    'an invariant, a clause or a comparison that lacks what it needs: a record, an event or metric to be bound to, a control.',
  ],
];

export function OpenWords() {
  return (
    <details className={styles['words']}>
      <summary>What “not recorded”, “absent” and “not established” say</summary>
      <dl className={styles['missing']} aria-label="Words for what is not there">
        {meanings.map(([word, meaning]) => (
          <div key={word}>
            <dt>{word}</dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
