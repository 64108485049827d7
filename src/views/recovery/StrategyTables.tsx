/** Reliability and cost of each design as counts of trials: what they rest on stands in every cell. */
import type { ReactNode } from 'react';
import { killPointToText } from '../../core/model/index.ts';
import {
  type CampaignReport,
  extraCallsOf,
  modelCallsOf,
  seenToText,
  type StrategyReport,
  type TrialReport,
} from '../../core/recovery/index.ts';
import { DataTable } from '../../ui/DataTable.tsx';
import { TrialRef } from './EventRef.tsx';
import type { Links } from './links.ts';
import styles from './Parts.module.css';

interface TablesProps {
  readonly campaign: CampaignReport;
  readonly links: Links;
}

export function ReliabilityTable({ campaign, links }: TablesProps) {
  return (
    <StrategyTable
      label="Reliability by design"
      campaign={campaign}
      columns={[
        'Valid faulted trials',
        'Completed',
        'Most kills survived in one run',
        'Not valid',
        'Not struck on purpose',
      ]}
      cells={(strategy, trials) => {
        const faulted = trials.filter(({ arm }) => arm !== 'control');
        const valid = faulted.filter(({ validity }) => validity === 'valid');
        const done = valid.filter(({ outcome }) => outcome.completed === true);
        const stuck = valid.filter(({ outcome }) => outcome.completed === false);
        const refused = trials.filter(({ validity }) => validity !== 'valid');
        const survived = most(done.map(({ placements }) => placements.length));
        return [
          `${valid.length} of ${faulted.length}`,
          <Named
            key="done"
            text={`${done.length} of ${valid.length}`}
            trials={stuck}
            what="not completed"
            links={links}
          />,
          survived === 0 ? 'none' : String(survived),
          <Named key="refused" text={String(refused.length)} trials={refused} what="" links={links} />,
          uncoveredToText(strategy),
        ];
      }}
    />
  );
}

export function CostTable({ campaign, links }: TablesProps) {
  return (
    <StrategyTable
      label="Cost by design"
      campaign={campaign}
      columns={[
        'Model calls in the control',
        'Trials with a model call made again',
        'Most calls made again in one trial',
        'Extra cost recorded',
      ]}
      cells={(_strategy, trials) => {
        const control = trials.find(({ arm, validity }) => arm === 'control' && validity === 'valid');
        const valid = trials.filter(({ arm, validity }) => arm !== 'control' && validity === 'valid');
        const again = valid.filter(({ outcome }) => (extraCallsOf(outcome).count ?? 0) > 0);
        const open = valid.filter(({ outcome }) => extraCallsOf(outcome).count === undefined).length;
        const costs = valid.flatMap(({ outcome: { models } }) =>
          models.extraCost === undefined || models.extraCalls === 0
            ? []
            : [{ cost: models.extraCost, currency: models.currency }],
        );
        return [
          control === undefined ? 'no control' : seenToText(modelCallsOf(control.outcome)),
          <Named
            key="again"
            text={`${again.length} of ${valid.length}${open === 0 ? '' : ` (not known in ${open})`}`}
            trials={again}
            what=""
            links={links}
          />,
          mostCallsToText(valid),
          costs.length === 0
            ? again.length === 0
              ? open === 0
                ? 'none'
                : 'not known'
              : 'not recorded'
            : costs.map(({ cost, currency }) => `${cost} ${currency ?? ''}`.trim()).join(', '),
        ];
      }}
    />
  );
}

/** Where one number is a lower bound, or not known, the highest may be another. */
function mostCallsToText(trials: readonly TrialReport[]): string {
  const calls = trials.map(({ outcome }) => extraCallsOf(outcome));
  const isOpen = calls.some(({ count, isAtLeast }) => count === undefined || isAtLeast);
  const count = most(calls.map((one) => one.count ?? 0));
  return seenToText({ count: isOpen && count === 0 ? undefined : count, isAtLeast: isOpen });
}

interface StrategyTableProps {
  readonly label: string;
  readonly campaign: CampaignReport;
  readonly columns: readonly string[];
  readonly cells: (strategy: StrategyReport, trials: readonly TrialReport[]) => readonly ReactNode[];
}

function StrategyTable({ label, campaign, columns, cells }: StrategyTableProps) {
  return (
    <DataTable label={label}>
      <thead>
        <tr>
          <th scope="col">Design</th>
          {columns.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {campaign.strategies.map((strategy) => (
          <tr key={strategy.id}>
            <th scope="row">{strategy.name}</th>
            {cells(
              strategy,
              campaign.trials.filter(({ id }) => strategy.trials.includes(id)),
            ).map((cell, at) => (
              <td key={columns[at]}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </DataTable>
  );
}

const mostNamed = 4;

interface NamedProps {
  readonly text: string;
  readonly trials: readonly TrialReport[];
  readonly what: string;
  readonly links: Links;
}

function Named({ text, trials, what, links }: NamedProps) {
  return (
    <span className={styles['stack']}>
      <span>{text}</span>
      {trials.slice(0, mostNamed).map(({ id }) => (
        <span key={id}>
          {what === '' ? '' : `${what}: `}
          <TrialRef links={links} trial={id} />
        </span>
      ))}
      {trials.length > mostNamed ? (
        <span className={styles['faint']}>and {trials.length - mostNamed} more</span>
      ) : undefined}
    </span>
  );
}

function most(counts: readonly number[]): number {
  return counts.reduce((highest, count) => Math.max(highest, count), 0);
}

/** By effect: “/write:x#0 at 1 (before dispatch), 5 (after the durable result)”. */
function uncoveredToText({ uncovered }: StrategyReport): string {
  const effects = [...new Set(uncovered.map(({ effect }) => effect))];
  if (effects.length === 0) return 'none';
  return effects
    .map((effect) => {
      const points = uncovered.filter((one) => one.effect === effect).map(({ point }) => killPointToText(point));
      return `${effect} at ${points.join(', ')}`;
    })
    .join('; ');
}
