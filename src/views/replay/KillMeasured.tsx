/**
 * What was measured, beside what is simulated: the cells of the campaign that the opened trace is a trial of, and where the two disagree.
 * Read from the trials of the library once a sweep is done.
 */
import { type ReactNode, useMemo } from 'react';
import { lineToShown } from '../../core/base/shown-text.ts';
import {
  besideSimulated,
  type CampaignReport,
  type SimulatedRow,
  simulatedRowToWords,
} from '../../core/recovery/index.ts';
import type { SimulatedSweep } from '../../core/simulate/index.ts';
import { type TraceId, useRecovery, useTraces } from '../../data/index.ts';
import { recoveryLocation, useNavigation } from '../../state/location.ts';
import { countOf } from '../../ui/format.ts';
import { MeasuredTable } from '../../ui/MeasuredTable.tsx';
import { Waiting } from '../../ui/Progress.tsx';
import styles from './Sheet.module.css';

export interface KillMeasuredProps {
  readonly sweep: SimulatedSweep;
  readonly trace: TraceId;
  /** What was simulated is not the program as it was recorded. */
  readonly isChanged: boolean;
}

export function KillMeasured({ sweep, trace, isChanged }: KillMeasuredProps) {
  const traces = useTraces();
  const ids = useMemo(() => (traces.data ?? []).map(({ id }) => id).toReversed(), [traces.data]);
  const judged = useRecovery(traces.data === undefined ? undefined : { traces: ids });
  const error = traces.error ?? judged.error;
  if (error !== null) return <Part>The trials of the library could not be judged: {error.message}</Part>;
  if (judged.data === undefined) return <Waiting label="Judging the trials" />;
  const campaign = judged.data.report.campaigns.find(({ trials }) => trials.some((one) => one.traces.includes(trace)));
  if (campaign === undefined) return <Part>This trace is no trial: there is nothing measured to stand beside it.</Part>;
  const rows = besideSimulated(campaign, sweep).filter(({ effect }) => sweep.effects.includes(effect));
  if (rows.length === 0)
    return <Part>No trial of this campaign was killed once, on purpose, at a boundary of these effects.</Part>;
  return <Measured campaign={campaign} rows={rows} isChanged={isChanged} />;
}

function Part({ children }: { readonly children: ReactNode }) {
  return (
    <section className={styles['part']} aria-label="What was measured">
      <h3>What was measured</h3>
      <p className={styles['soft']}>{children}</p>
    </section>
  );
}

interface MeasuredProps {
  readonly campaign: CampaignReport;
  readonly rows: readonly SimulatedRow[];
  readonly isChanged: boolean;
}

function Measured({ campaign, rows, isChanged }: MeasuredProps) {
  const { hrefOf } = useNavigation();
  const count = (verdict: SimulatedRow['verdict']): number => rows.filter((row) => row.verdict === verdict).length;
  const nameOf = (trial: string): string => campaign.trials.find(({ id }) => id === trial)?.name ?? trial;
  return (
    <section className={styles['part']} aria-label="What was measured">
      <h3>
        {countOf(rows.length, 'measured cell')}: the simulation agrees with {count('agree')}, disagrees with{' '}
        {count('disagree')}
      </h3>
      <p className={styles['soft']}>
        Real kills of campaign {lineToShown(campaign.name)}, beside the matrix above. What is simulated is specified and
        not measured.
        {isChanged ? ' The trials ran the program as it was recorded, and not the one that was simulated.' : ''}
      </p>
      <MeasuredTable
        cells={rows.map(simulatedRowToWords)}
        trialLink={(trial) => (
          <a href={hrefOf({ ...recoveryLocation(), extra: { trial } })}>{lineToShown(nameOf(trial))}</a>
        )}
      />
    </section>
  );
}
