/** The simulated matrix beside the measured cells: asked for by a button, for it runs the recorded program many times. */
import { useState } from 'react';
import {
  besideSimulated,
  type CampaignReport,
  chooseSimulated,
  countStruckCells,
  type SimulatedRow,
  simulatedRowToWords,
} from '../../core/recovery/index.ts';
import { useKillSweep } from '../../data/replay-view.ts';
import { Button } from '../../ui/Button.tsx';
import { Checkbox } from '../../ui/Field.tsx';
import { countOf, countToText } from '../../ui/format.ts';
import { MeasuredTable } from '../../ui/MeasuredTable.tsx';
import { Message } from '../../ui/Message.tsx';
import { Progress } from '../../ui/Progress.tsx';
import { TrialRef } from './EventRef.tsx';
import type { Links } from './links.ts';
import styles from './Parts.module.css';

export function SimulatedPart({ campaign, links }: { readonly campaign: CampaignReport; readonly links: Links }) {
  const job = useKillSweep();
  const [modelVaries, setModelVaries] = useState(true);
  const { state } = job;
  // A control is the run without a fault: what a simulated worker dies in.
  const control = chooseSimulated(campaign);
  if (typeof control === 'string') return <p>{control}</p>;
  const place = links.traceOf(control.id);
  if (place === undefined) return <p>The trace of the control is not in the library: there is no run to simulate.</p>;
  const run = (): void => {
    // What goes wrong stands in the state of the job.
    job.start({ trace: place, run: control.id, modelVaries }).catch(() => undefined);
  };
  return (
    <>
      <div className={styles['acts']}>
        <Checkbox isSelected={modelVaries} onChange={setModelVaries}>
          A model that is asked again answers in other words
        </Checkbox>
        <Button isDisabled={state.status === 'running'} onPress={run}>
          Simulate every boundary of {links.shortNameOf(control.id)}
        </Button>
      </div>
      {state.status === 'running' ? <Progress label="Simulating kills" share={shareOf(state.progress)} /> : undefined}
      {state.status === 'failed' ? (
        <Message title="The kills were not simulated" tone="problem" icon="warning">
          {state.message}
        </Message>
      ) : undefined}
      {state.status === 'done' ? (
        <Rows rows={besideSimulated(campaign, state.answer)} struck={countStruckCells(campaign)} links={links} />
      ) : undefined}
    </>
  );
}

function shareOf(progress: { readonly done: number; readonly of: number } | undefined): number | undefined {
  return progress === undefined || progress.of === 0 ? undefined : progress.done / progress.of;
}

interface RowsProps {
  readonly rows: readonly SimulatedRow[];
  /** Cells of the grid above that hold a trial. */
  readonly struck: number;
  readonly links: Links;
}

function Rows({ rows, struck, links }: RowsProps) {
  if (rows.length === 0) return <p>No cell of this campaign was struck by a single kill placed on purpose.</p>;
  const count = (verdict: SimulatedRow['verdict']): number => rows.filter((row) => row.verdict === verdict).length;
  return (
    <>
      <p role="status">
        {countOf(rows.length, 'measured cell')}: the simulation agrees with {count('agree')}, disagrees with{' '}
        {count('disagree')}, and has no word on {count('measured only')}.
        {count('not comparable') === 0
          ? ''
          : ` ${countToText(count('not comparable'))} cannot be compared: no record of the service tells how often the effect was made.`}{' '}
        What is simulated is specified and not measured.
        {struck === rows.length
          ? ''
          : ` Compared are cells struck by one kill on purpose. ${countOf(struck - rows.length, 'more cell')} of the grid under Correctness ${struck - rows.length === 1 ? 'was' : 'were'} struck only by several kills in one run, or at random: the simulation has no counterpart.`}
      </p>
      <MeasuredTable
        cells={rows.map(simulatedRowToWords)}
        trialLink={(trial) => <TrialRef links={links} trial={trial} />}
      />
    </>
  );
}
