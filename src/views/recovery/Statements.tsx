/** The generated sentence of each design: limited to what was tried, with a way to take it along unless the campaign is suspect. */
import { type CampaignReport, isCounted } from '../../core/recovery/index.ts';
import { Button } from '../../ui/Button.tsx';
import { Chip } from '../../ui/Chip.tsx';
import { copyText } from '../../ui/copy-text.ts';
import { countOf } from '../../ui/format.ts';
import { TrialRef } from './EventRef.tsx';
import type { Links } from './links.ts';
import styles from './Parts.module.css';

export function Statements({ campaign, links }: { readonly campaign: CampaignReport; readonly links: Links }) {
  return (
    <ul className={styles['statements']}>
      {campaign.strategies.map(({ id, name, isNegativeControl, statement, staleText, recordsDigest, trials }) => (
        <li key={id}>
          <header>
            <h3>{name}</h3>
            {isNegativeControl ? <Chip>control that must fail</Chip> : undefined}
            {staleText === undefined ? undefined : <Chip tone="warning">stale</Chip>}
            {campaign.suspect ? (
              <Chip tone="danger">suspect</Chip>
            ) : (
              <Button
                kind="quiet"
                icon="copy"
                aria-label={`Copy the statement about ${name}`}
                onPress={() =>
                  copyText(`${statement} [records ${recordsDigest}]`, 'The statement is in the clipboard.')
                }
              >
                Copy
              </Button>
            )}
          </header>
          {staleText === undefined ? undefined : <p className={styles['stale']}>{staleText}</p>}
          <blockquote>{statement}</blockquote>
          <p className={styles['anchors']}>
            Records <code>{recordsDigest}</code>
          </p>
          <Records
            trials={campaign.trials.filter((trial) => isCounted(trial) && trials.includes(trial.id))}
            links={links}
          />
        </li>
      ))}
    </ul>
  );
}

/** Where the digest in the statement leads: the trials it is made from, each with the digest of its records. */
function Records({ trials, links }: { readonly trials: CampaignReport['trials']; readonly links: Links }) {
  if (trials.length === 0) return undefined;
  return (
    <details>
      <summary>The records of {countOf(trials.length, 'trial')}, by digest</summary>
      <ul className={styles['bullets']}>
        {trials.map(({ id, recordsDigest }) => (
          <li key={id}>
            <TrialRef links={links} trial={id} /> <code>{recordsDigest}</code>
          </li>
        ))}
      </ul>
    </details>
  );
}
