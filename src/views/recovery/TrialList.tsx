/** Campaigns, and under each its trials by design; validity and outcome stand apart in every row. */
import type { CampaignReport, TrialReport } from '../../core/recovery/index.ts';
import { Chip } from '../../ui/Chip.tsx';
import { countOf } from '../../ui/format.ts';
import type { Links } from './links.ts';
import { armWords, killsToText, outcomeToText, validityTones } from './words.ts';
import styles from './TrialList.module.css';

export interface TrialListProps {
  readonly campaigns: readonly CampaignReport[];
  /** The campaign shown as a whole. */
  readonly campaign: string | undefined;
  readonly trial: string | undefined;
  readonly onCampaign: (id: string) => void;
  readonly links: Links;
}

export function TrialList({ campaigns, campaign, trial, onCampaign, links }: TrialListProps) {
  return (
    <ul className={styles['campaigns']}>
      {campaigns.map(({ id, name, basis, strategies, trials, suspect }) => (
        <li key={id}>
          <button
            type="button"
            className={styles['campaign']}
            aria-current={id === campaign ? 'page' : undefined}
            onClick={() => onCampaign(id)}
          >
            <b>{name}</b>
            <span>
              {countOf(trials.length, 'trial')} of {countOf(strategies.length, 'design')}
              {basis === 'recorded' ? '' : ', put together by equal envelopes'}
            </span>
            {suspect ? <Chip tone="danger">suspect</Chip> : undefined}
          </button>
          {strategies.map((strategy) => (
            <details key={strategy.id} open className={styles['strategy']}>
              <summary>
                {strategy.name} <span>{strategy.trials.length}</span>
              </summary>
              <ul aria-label={`Trials of ${strategy.name}`}>
                {trials
                  .filter((one) => strategy.trials.includes(one.id))
                  .toSorted(byName)
                  .map((one) => (
                    <li key={one.id}>
                      <Row trial={one} isShown={one.id === trial} links={links} />
                    </li>
                  ))}
              </ul>
            </details>
          ))}
        </li>
      ))}
    </ul>
  );
}

interface RowProps {
  readonly trial: TrialReport;
  readonly isShown: boolean;
  readonly links: Links;
}

function Row({ trial, isShown, links }: RowProps) {
  const { id, name, arm, validity, outcome } = trial;
  const title = links.titleOf(id);
  const isTwice = (outcome.duplicates ?? 0) > 0;
  return (
    <button
      type="button"
      className={styles['trial']}
      aria-current={isShown ? 'page' : undefined}
      onClick={() => links.showTrial(id)}
    >
      <span className={styles['name']} title={name}>
        {links.shortNameOf(id)}
      </span>
      <span className={styles['validity']} data-tone={validityTones[validity]}>
        {validity}
      </span>
      <span className={styles['facts']} data-twice={isTwice} data-stuck={outcome.completed === false}>
        {title === undefined ? '' : `“${title}” · `}
        {arm === 'control' ? armWords.control : killsToText(trial)} · {outcomeToText(trial)}
      </span>
    </button>
  );
}

/** The control first, then by name, numbers as numbers. */
function byName(a: TrialReport, b: TrialReport): number {
  const first = Number(b.arm === 'control') - Number(a.arm === 'control');
  return first === 0 ? a.name.localeCompare(b.name, 'en', { numeric: true }) : first;
}
