/** One trial: its story, whether it was what it says, what happened, beside its control; the five sections apart. */
import {
  type CampaignReport,
  completionToWords,
  extraCallsOf,
  modelCallsOf,
  sectionTitles,
  seenToText,
  type SummaryReport,
  type TrialReport,
} from '../../core/recovery/index.ts';
import { Button } from '../../ui/Button.tsx';
import { Chip, NotRecorded } from '../../ui/Chip.tsx';
import { BesidePart } from './BesidePart.tsx';
import { EffectLedger } from './EffectLedger.tsx';
import { EventRef, EventRefs } from './EventRef.tsx';
import type { Links } from './links.ts';
import { OpenWords } from './OpenWords.tsx';
import { Part, PartNav } from './Part.tsx';
import { Sections } from './Sections.tsx';
import { SeriesReports } from './SeriesPart.tsx';
import { StoryPart } from './StoryPart.tsx';
import { SummaryDifferences } from './SummaryPart.tsx';
import { Checks, Invariants, TrialMetrics } from './TrialTables.tsx';
import { outcomeToText, trialToText, validityTones, valueToText } from './words.ts';
import styles from './Parts.module.css';

const parts = [
  ['story', 'Story'],
  ['validity', 'Validity'],
  ...sectionTitles,
  ['told', 'What was claimed'],
  ['envelope', 'Envelope and limits'],
] as const;

export interface TrialPanelProps {
  readonly trial: TrialReport;
  readonly campaign: CampaignReport;
  readonly links: Links;
  readonly onCampaign: () => void;
  /** What labs told of their trials. */
  readonly summaries: readonly SummaryReport[];
}

export function TrialPanel({ trial, campaign, links, onCampaign, summaries }: TrialPanelProps) {
  const href = links.toTrace(trial.id);
  const title = links.titleOf(trial.id);
  const { outcome } = trial;
  return (
    <>
      <header className={styles['head']}>
        <div className={styles['over']}>
          <Button kind="quiet" icon="chevron-left" onPress={onCampaign}>
            {campaign.name}
          </Button>
          {href === undefined ? undefined : (
            <a href={href}>Explore the trace{title === undefined ? '' : ` “${title}”`}</a>
          )}
        </div>
        <h1>{trial.name}</h1>
        <p className={styles['facts']}>
          <Chip tone={validityTones[trial.validity]}>{trial.validity}</Chip>
          <Chip tone={completionTone(outcome)}>{completionToWords(outcome.completed)}</Chip>
          {(outcome.duplicates ?? 0) > 0 ? <Chip tone="effect">executed more than once</Chip> : undefined}
          <span>
            {trial.strategy} · {trialToText(trial)} · {outcomeToText(trial)}
          </span>
        </p>
        <PartNav parts={parts} />
      </header>
      <Part
        id="story"
        title="Story"
        lead="Who recorded what, in the order of the records; the distance between two marks is no time. Each mark leads to its event."
      >
        <StoryPart trial={trial} links={links} />
      </Part>
      <Part
        id="validity"
        title="Validity"
        lead="Was the intended kill, and no other, confirmed by the exit and by the records around it? The outcome does not enter."
      >
        <Checks trial={trial} links={links} />
        <OpenWords />
      </Part>
      <Sections
        campaign={campaign}
        content={{
          correctness: {
            lead: outcome.completionText,
            body: (
              <>
                <EffectLedger trial={trial} links={links} />
                <Invariants trial={trial} section="correctness" links={links} />
                <BesidePart trial={trial} campaign={campaign} links={links} />
              </>
            ),
          },
          reliability: { body: <Reliability trial={trial} links={links} /> },
          performance: {
            body: (
              <>
                <TrialMetrics trial={trial} links={links} />
                <SeriesReports
                  reports={trial.load}
                  anchor={(event) => <EventRef links={links} trial={trial.id} event={event} />}
                />
              </>
            ),
          },
          cost: {
            body: (
              <>
                <Cost trial={trial} links={links} />
                <Invariants trial={trial} section="cost" links={links} />
              </>
            ),
          },
          usability: {},
        }}
      />
      <Part
        id="told"
        title="What was claimed"
        lead="Verdicts and numbers that the producer wrote are compared with the records, and never used."
      >
        <Findings trial={trial} links={links} />
        <SummaryDifferences trial={trial.id} reports={summaries} />
      </Part>
      <Part id="envelope" title="Envelope and limits">
        <Envelope trial={trial} links={links} />
      </Part>
    </>
  );
}

function killsInWords(count: number): string {
  return count === 1 ? 'one kill' : `${count} kills`;
}

interface OfTrial {
  readonly trial: TrialReport;
  readonly links: Links;
}

function completionTone({ completed }: TrialReport['outcome']): 'ok' | 'danger' | 'neutral' {
  if (completed === undefined) return 'neutral';
  return completed ? 'ok' : 'danger';
}

function completionToSentence({ completed }: TrialReport['outcome']): string {
  if (completed === undefined) return 'Whether the run completed is not known';
  return completed ? 'The run completed' : 'The run did not complete';
}

function Reliability({ trial, links }: OfTrial) {
  const { outcome, placements } = trial;
  return (
    <>
      <p>
        {completionToSentence(outcome)}
        {placements.length === 0 ? '; no kill is on record.' : ` after ${killsInWords(placements.length)}.`}{' '}
        {outcome.completedBy === undefined ? undefined : (
          <EventRef links={links} trial={trial.id} event={outcome.completedBy} />
        )}
      </p>
      <Invariants trial={trial} section="reliability" links={links} />
    </>
  );
}

function Cost({ trial, links }: OfTrial) {
  const { outcome } = trial;
  const { beyondControl, extraCost, currency, extraEvents, unseen } = outcome.models;
  return (
    <dl className={styles['pairs']}>
      <div>
        <dt>Model calls</dt>
        <dd>{seenToText(modelCallsOf(outcome))}</dd>
      </div>
      <div>
        <dt>Made again because of a kill</dt>
        <dd>
          {seenToText(extraCallsOf(outcome))}{' '}
          <EventRefs links={links} trial={trial.id} events={[...extraEvents, ...(unseen?.events ?? [])]} />
          {unseen === undefined ? null : <p>{`Not known in full: ${unseen.why}.`}</p>}
        </dd>
      </div>
      <div>
        <dt>Beyond the control</dt>
        <dd>{beyondControl ?? (trial.control.status === 'compared' ? 'not known' : 'not comparable: no control')}</dd>
      </div>
      <div>
        <dt>Cost of the calls made again</dt>
        <dd>
          {extraCost === undefined ? (
            <NotRecorded />
          ) : unseen !== undefined ? (
            `at least ${extraCost} ${currency ?? ''}`
          ) : (
            `${extraCost} ${currency ?? ''}`
          )}
        </dd>
      </div>
    </dl>
  );
}

function Findings({ trial, links }: OfTrial) {
  if (trial.findings.length === 0) return <p>Nothing the producer claimed is contradicted by the records.</p>;
  return (
    <ul className={styles['bullets']}>
      {trial.findings.map(({ code, text, events }) => (
        <li key={`${code} ${text}`}>
          <Chip tone="warning">{code.replaceAll('-', ' ')}</Chip> {text}{' '}
          <EventRefs links={links} trial={trial.id} events={events} />
        </li>
      ))}
    </ul>
  );
}

function Envelope({ trial, links }: OfTrial) {
  const { envelope, limits, versions } = trial;
  return (
    <>
      {limits.length === 0 ? undefined : (
        <>
          <h3>What limits a claim about this trial</h3>
          <ul className={styles['bullets']}>
            {limits.map((limit) => (
              <li key={limit}>{limit}</li>
            ))}
          </ul>
        </>
      )}
      <h3>Envelope</h3>
      <dl className={styles['pairs']}>
        {envelope.fields.map(({ id, title, value }) => (
          <div key={id}>
            <dt>{title}</dt>
            <dd className={styles['value']}>{value === undefined ? <NotRecorded /> : valueToText(value)}</dd>
          </div>
        ))}
        {versions.map(({ life, versions: value, event }) => (
          <div key={event}>
            <dt>versions at {life}</dt>
            <dd className={styles['value']}>
              {valueToText(value)} <EventRef links={links} trial={trial.id} event={event} />
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}
