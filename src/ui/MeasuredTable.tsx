/**
 * Measured cells beside simulated ones: the same table wherever the two stand side by side.
 * The view gives words and links; nothing is judged here.
 */
import type { ReactNode } from 'react';
import { Chip, type Tone } from './Chip.tsx';
import { DataTable } from './DataTable.tsx';
import { labelToShown } from './shown-children.ts';
import styles from './MeasuredTable.module.css';

export interface MeasuredCell {
  readonly design: string;
  /** The simulated design that it is held against. */
  readonly simulatedAs: string;
  readonly effect: string;
  readonly point: string;
  readonly trials: readonly string[];
  /** What was measured, once for each thing that came of it. */
  readonly measured: readonly string[];
  /** Undefined where the simulation never came there. */
  readonly simulated: string | undefined;
  readonly verdict: 'agree' | 'disagree' | 'measured only' | 'not comparable';
}

const tones: Readonly<Record<MeasuredCell['verdict'], Tone>> = {
  agree: 'ok',
  disagree: 'danger',
  'measured only': 'neutral',
  'not comparable': 'warning',
};

export interface MeasuredTableProps {
  readonly cells: readonly MeasuredCell[];
  /** A way to the trial, by its id. */
  readonly trialLink: (trial: string) => ReactNode;
}

export function MeasuredTable({ cells, trialLink }: MeasuredTableProps) {
  return (
    <DataTable label="Measured beside simulated" className={styles['table']}>
      <thead>
        <tr>
          <th scope="col">Design</th>
          <th scope="col">Effect</th>
          <th scope="col">Point</th>
          <th scope="col">Measured</th>
          <th scope="col">Simulated</th>
          <th scope="col">Verdict</th>
        </tr>
      </thead>
      <tbody>
        {byVerdict(cells).map(({ design, simulatedAs, effect, point, trials, measured, simulated, verdict }) => (
          <tr key={`${design} ${effect} ${point}`}>
            <th scope="row">
              {labelToShown(design)}
              <span className={styles['faint']}>simulated as: {simulatedAs}</span>
            </th>
            <td>
              <code>{labelToShown(effect)}</code>
            </td>
            <td>{point}</td>
            <td>
              {measured.join(' / ')}
              <span className={styles['trials']}>
                {trials.map((trial) => (
                  <span key={trial}>{trialLink(trial)}</span>
                ))}
              </span>
            </td>
            <td>{simulated ?? 'never came there'}</td>
            <td>
              <Chip tone={tones[verdict]}>{verdict}</Chip>
            </td>
          </tr>
        ))}
      </tbody>
    </DataTable>
  );
}

/** Where the two disagree comes first: it is what one looks for. */
const order: readonly MeasuredCell['verdict'][] = ['disagree', 'not comparable', 'measured only', 'agree'];

function byVerdict(cells: readonly MeasuredCell[]): readonly MeasuredCell[] {
  return cells.toSorted((a, b) => order.indexOf(a.verdict) - order.indexOf(b.verdict));
}
