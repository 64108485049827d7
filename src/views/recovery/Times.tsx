/** One metric at a time: a plot of single observations for each design, and beside it the table that says the same. */
import { type CampaignReport, computeKillChange, type OrdinalRow } from '../../core/recovery/index.ts';
import { Chip } from '../../ui/Chip.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { countOf } from '../../ui/format.ts';
import { EventRef, TrialRef } from './EventRef.tsx';
import type { Links } from './links.ts';
import { Plot } from './Plot.tsx';
import {
  type MetricChoice,
  metricsOf,
  type PlotPanel,
  preferredMetric,
  strategiesToPanels,
  whyNotOf,
} from './times-model.ts';
import { msToText, observationToText, rowToWords } from './words.ts';
import parts from './Parts.module.css';
import styles from './Times.module.css';

export interface TimesProps {
  readonly campaign: CampaignReport;
  readonly links: Links;
  readonly metric: string | undefined;
  readonly onMetric: (metric: string) => void;
}

export function Times({ campaign, links, metric, onMetric }: TimesProps) {
  const choices = metricsOf(campaign.strategies, campaign.trials);
  const shown = choices.find(({ id }) => id === metric) ?? choices.find(({ id }) => id === preferredMetric(choices));
  if (shown === undefined) return <p>No trial of this campaign met a kill: there is nothing to measure from.</p>;
  const panels = strategiesToPanels(campaign.strategies, shown.id);
  return (
    <>
      <MetricSelect choices={choices} shown={shown} onMetric={onMetric} />
      <p className={styles['definition']}>
        {shown.name}{' '}
        {shown.kind === 'recovery' ? undefined : <Chip tone="warning">{shown.kind}, no recovery time</Chip>}
      </p>
      <Changes campaign={campaign} metric={shown.id} links={links} />
      {panels.some(({ rows }) => rows.some(({ note }) => note !== undefined)) ? (
        <p className={parts['faint']}>A row of fewer than 10 observations is too few for a rate or a spread.</p>
      ) : undefined}
      {panels.map((panel) => (
        <PanelBeside key={`${panel.strategy} ${panel.grouping}`} panel={panel} links={links} />
      ))}
      <WhyNot campaign={campaign} metric={shown} links={links} />
    </>
  );
}

/** What a plot shows and does not say: how the time changes with the number of the kill, run by run. */
function Changes({
  campaign,
  metric,
  links,
}: {
  readonly campaign: CampaignReport;
  readonly metric: string;
  readonly links: Links;
}) {
  const changes = campaign.strategies.flatMap((strategy) => {
    const change = computeKillChange(strategy, metric);
    return change === undefined ? [] : [{ ...change, ...{ id: strategy.id, name: strategy.name } }];
  });
  if (changes.length === 0) return undefined;
  return (
    <ul className={parts['bullets']} aria-label="Change with the number of the kill">
      {changes.map(({ id, name, text, observations }) => (
        <li key={id}>
          <b>{name}</b>: {text}{' '}
          {observations.length > mostAnchored ? (
            <span className={parts['faint']}>The records of each stand in the table.</span>
          ) : (
            <span className={parts['events']}>
              {observations.map(({ trial, start, end }, at) => (
                <span key={`${start.event} ${end.event}`}>
                  {at === 0 ? '' : 'and '}
                  <EventRef links={links} trial={trial} event={start.event} /> to{' '}
                  <EventRef links={links} trial={trial} event={end.event} />
                </span>
              ))}
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Observations whose records stand behind the sentence: those of one run, or of two. */
const mostAnchored = 4;

function MetricSelect({
  choices,
  shown,
  onMetric,
}: {
  readonly choices: readonly MetricChoice[];
  readonly shown: MetricChoice;
  readonly onMetric: (metric: string) => void;
}) {
  return (
    <label className={styles['select']}>
      <span>Metric</span>
      <select value={shown.id} onChange={(event) => onMetric(event.target.value)}>
        {choices.map(({ id, name, observations }) => (
          <option key={id} value={id}>
            {name} ({observations === 0 ? 'not measured' : countOf(observations, 'observation')})
          </option>
        ))}
      </select>
    </label>
  );
}

function PanelBeside({ panel, links }: { readonly panel: PlotPanel; readonly links: Links }) {
  const { strategy, grouping, rows } = panel;
  const title = `${strategy}, ${grouping}`;
  // One observation is its own median.
  const hasMedians = rows.some(({ observations }) => observations.length > 1);
  return (
    <div className={styles['beside']}>
      <figure aria-label={`Plot: ${title}`}>
        <figcaption>
          <b>{strategy}</b>{' '}
          {rows.every(({ fault }) => fault !== undefined)
            ? 'faults that are no kill, by their class'
            : grouping === 'independent runs'
              ? 'one kill a run, by kill point'
              : 'several kills in one run, by number of the kill'}
        </figcaption>
        <Plot panel={panel} links={links} />
      </figure>
      <DataTable label={`Observations: ${title}`} className={styles['observations']}>
        <thead>
          <tr>
            <th scope="col">Fault</th>
            <th scope="col">Time</th>
            <th scope="col">From and to</th>
            <th scope="col">Trial</th>
            {hasMedians ? <th scope="col">Median</th> : undefined}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <ObservationRows
              key={`${row.effect ?? ''} ${row.point ?? ''} ${row.fault ?? ''} ${row.ordinal} ${row.design}`}
              row={row}
              hasMedians={hasMedians}
              links={links}
            />
          ))}
        </tbody>
      </DataTable>
    </div>
  );
}

interface ObservationRowsProps {
  readonly row: OrdinalRow;
  readonly hasMedians: boolean;
  readonly links: Links;
}

/** A row an observation; what they share stands once. */
function ObservationRows({ row, hasMedians, links }: ObservationRowsProps) {
  const { observations, median } = row;
  const span = observations.length;
  return observations.map((observation, at) => (
    <tr key={`${observation.trial} ${observation.start.event} ${observation.end.event}`}>
      {at > 0 ? undefined : (
        <th scope="row" rowSpan={span}>
          {rowToWords(row)}
        </th>
      )}
      <td className={styles['time']}>{observationToText(observation)}</td>
      <td className={parts['anchors']}>
        <EventRef
          links={links}
          trial={observation.trial}
          event={observation.start.event}
          label={observation.start.type}
        />{' '}
        to{' '}
        <EventRef links={links} trial={observation.trial} event={observation.end.event} label={observation.end.type} />
      </td>
      <td className={styles['trial']}>
        <TrialRef links={links} trial={observation.trial} />
      </td>
      {at > 0 || !hasMedians ? undefined : (
        <td rowSpan={span} className={styles['median-cell']}>
          {span > 1 ? `${msToText(median)} of ${span}` : <span className={parts['faint']}>one observation</span>}
        </td>
      )}
    </tr>
  ));
}

const mostNamed = 8;

function WhyNot({
  campaign,
  metric,
  links,
}: {
  readonly campaign: CampaignReport;
  readonly metric: MetricChoice;
  readonly links: Links;
}) {
  const missing = whyNotOf(campaign, metric.id);
  if (missing.length === 0) return undefined;
  return (
    <dl className={parts['missing']} aria-label="Faults without this measurement">
      {missing.map(({ reason, trials }) => (
        <div key={reason}>
          <dt>{countOf(trials.length, 'fault')} not measured</dt>
          <dd>
            {reason}:{' '}
            <span className={parts['events']}>
              {trials.slice(0, mostNamed).map(({ id, ordinal }) => (
                <TrialRef key={`${id} ${ordinal}`} links={links} trial={id} />
              ))}
              {trials.length > mostNamed ? `and ${trials.length - mostNamed} more` : undefined}
            </span>
          </dd>
        </div>
      ))}
    </dl>
  );
}
