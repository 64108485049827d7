/** A campaign: what may be quoted, then the five sections side by side, then claim, faults and envelope. No number sums them up. */
import { type CampaignReport, sectionTitles, type SummaryReport } from '../../core/recovery/index.ts';
import { Chip } from '../../ui/Chip.tsx';
import { ClaimPart, type Claimed } from './ClaimPart.tsx';
import { EnvelopePart } from './EnvelopePart.tsx';
import { FaultMenu } from './FaultMenu.tsx';
import { Grid } from './Grid.tsx';
import { InvariantCounts } from './InvariantCounts.tsx';
import type { Links } from './links.ts';
import { OpenWords } from './OpenWords.tsx';
import { Part, type PartEntry, PartNav } from './Part.tsx';
import { Sections } from './Sections.tsx';
import { Questions } from './Questions.tsx';
import { SeriesFile, SeriesReports } from './SeriesPart.tsx';
import { SimulatedPart } from './SimulatedPart.tsx';
import { SummaryPart } from './SummaryPart.tsx';
import { Statements } from './Statements.tsx';
import { CostTable, ReliabilityTable } from './StrategyTables.tsx';
import { Times } from './Times.tsx';
import { negativeControlTones, negativeControlWords } from './words.ts';
import { EventRef, TrialRef } from './EventRef.tsx';
import styles from './Parts.module.css';

const parts: readonly PartEntry[] = [
  ['questions', 'In short'],
  ...sectionTitles,
  ['simulated', 'Beside the simulation'],
  ['claim', 'Claim'],
  ['faults', 'Faults'],
  ['envelope', 'Envelope'],
  ['quote', 'What may be quoted'],
];

/** Beside the claim: it is one as well. */
const withSummary = parts.flatMap((part): readonly PartEntry[] =>
  part[0] === 'faults' ? [['summary', 'Summary'], part] : [part],
);

export interface CampaignPanelProps {
  /** What labs told of trials of this campaign. */
  readonly summaries: readonly SummaryReport[];
  readonly campaign: CampaignReport;
  readonly links: Links;
  readonly metric: string | undefined;
  readonly onMetric: (metric: string) => void;
  readonly claimed: Claimed;
  readonly onClaimed: (claimed: Claimed) => void;
  readonly problem: string | undefined;
}

export function CampaignPanel(props: CampaignPanelProps) {
  const { campaign, links, metric, onMetric, claimed, onClaimed, problem, summaries } = props;
  const { name, suspect, strategies, comparison } = campaign;
  return (
    <>
      <header className={styles['head']}>
        <h1>{name}</h1>
        {suspect ? (
          <p>
            <Chip tone="danger">suspect: the control that must fail passed</Chip>
          </p>
        ) : undefined}
        <PartNav parts={summaries.length === 0 ? parts : withSummary} />
      </header>
      <Part
        id="questions"
        title="In short"
        lead="What a reader must be able to tell before a number is quoted. Each answer counts valid trials with a fault alone; the sections below hold what it rests on."
      >
        <Questions campaign={campaign} links={links} />
      </Part>
      <Sections
        campaign={campaign}
        content={{
          correctness: {
            lead: 'Effects are counted by the records of the service that made them, joined to the command and the process life; an engine’s own journal is never the witness.',
            body: (
              <>
                <NegativeControl campaign={campaign} links={links} />
                <Grid campaign={campaign} links={links} />
                <InvariantCounts campaign={campaign} links={links} />
              </>
            ),
          },
          reliability: {
            lead: 'Whether a run came to its end after the kills it met, and how many trials that rests on. Validity is apart from outcome.',
            body: <ReliabilityTable campaign={campaign} links={links} />,
          },
          performance: {
            lead: 'Every time has a record it starts at and a record it ends at. Several definitions are several numbers; single observations are shown, and no mean.',
            body: (
              <>
                <Times campaign={campaign} links={links} metric={metric} onMetric={onMetric} />
                <UnderLoad campaign={campaign} links={links} />
                <SeriesFile />
              </>
            ),
          },
          cost: {
            lead: 'Model calls made again because of a kill, and what they cost where a record says so.',
            body: <CostTable campaign={campaign} links={links} />,
          },
          usability: { lead: 'Whether a person understood the state of the run and could start its recovery safely.' },
        }}
      />
      <Part
        id="simulated"
        title="Beside the simulation"
        lead="The same boundaries in a simulated worker: what the rules say, beside what was measured, and where they disagree."
      >
        <SimulatedPart campaign={campaign} links={links} />
      </Part>
      <Part
        id="claim"
        title="Claim"
        lead="A claim names the fault, what it protects, what must go on, and the clauses that decide; each clause is bound to an event or a measurement."
      >
        <ClaimPart campaign={campaign} links={links} claimed={claimed} onClaimed={onClaimed} problem={problem} />
      </Part>
      {summaries.length === 0 ? undefined : (
        <Part
          id="summary"
          title="Summary of the lab"
          lead="What the lab counted itself stands beside what the records say. It is a claim, and in no verdict."
        >
          <SummaryPart reports={summaries} links={links} />
        </Part>
      )}
      <Part
        id="faults"
        title="Faults"
        lead="What these trials hold of the faults a reader may ask about. What was not tried is no evidence either way."
      >
        <FaultMenu menu={campaign.menu} links={links} />
      </Part>
      <Part
        id="envelope"
        title="Envelope"
        lead="Under what the numbers were obtained. A number means nothing outside of it."
      >
        <EnvelopePart strategies={strategies} />
      </Part>
      {/* Last, as the questions go: valid, struck, effects, times, cost, envelope, and only then a statement. */}
      <Part id="quote" title="What may be quoted" lead={comparison.text}>
        <Statements campaign={campaign} links={links} />
        <OpenWords />
      </Part>
    </>
  );
}

/** Rates and latencies of each trial that had a load; trials are not put together. */
function UnderLoad({ campaign, links }: { readonly campaign: CampaignReport; readonly links: Links }) {
  return campaign.trials
    .filter(({ load, arm }) => load.length > 0 && arm !== 'control')
    .map(({ id, load }) => (
      <section key={id} className={styles['load']} aria-label={`Under load: ${links.nameOf(id)}`}>
        <h3>
          Under load: <TrialRef links={links} trial={id} />
        </h3>
        <SeriesReports reports={load} anchor={(event) => <EventRef links={links} trial={id} event={event} />} />
      </section>
    ));
}

function NegativeControl({ campaign, links }: { readonly campaign: CampaignReport; readonly links: Links }) {
  const { status, text, causes, passing } = campaign.negativeControl;
  return (
    <div className={styles['block']}>
      <h3>
        Control that must fail <Chip tone={negativeControlTones[status]}>{negativeControlWords[status]}</Chip>
      </h3>
      <p>{text}</p>
      {causes.length === 0 ? undefined : (
        <>
          <p>Possible causes:</p>
          <ul className={styles['bullets']}>
            {causes.map((cause) => (
              <li key={cause}>{cause}</li>
            ))}
          </ul>
        </>
      )}
      {passing.length === 0 ? undefined : (
        <ul className={styles['bullets']}>
          {passing.map(({ trial, points }) => (
            <li key={trial}>
              <TrialRef links={links} trial={trial} /> passed at {points.join(', ')}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
