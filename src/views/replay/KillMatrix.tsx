/** The matrix of one effect: a row for each design, a column for each boundary; every cell opens its story. */
import type { ReactNode } from 'react';
import { lineToShown } from '../../core/base/shown-text.ts';
import {
  type SimulatedSweep,
  type SimulatedTrial,
  boundaryLabels,
  boundaryWords,
  traitsOf,
} from '../../core/simulate/index.ts';
import { Icon } from '../../ui/Icons.tsx';
import { ScrollRegion } from '../../ui/ScrollRegion.tsx';
import { trialToTone, trialToWords } from './kill-words.ts';
import styles from './Kill.module.css';

export interface KillMatrixProps {
  readonly sweep: SimulatedSweep;
  readonly path: string;
  /** The trial whose story is open. */
  readonly told: SimulatedTrial | undefined;
  readonly onTell: (trial: SimulatedTrial | undefined) => void;
  readonly children?: ReactNode;
}

export function KillMatrix({ sweep, path, told, onTell, children }: KillMatrixProps) {
  const { strategies, boundaries, controls, trials } = sweep;
  const control = new Map(controls.map((trial) => [trial.strategy, trial]));
  const struck = new Map(
    trials.flatMap((trial) =>
      trial.kill?.path === path ? [[`${trial.strategy} ${trial.kill.boundary}`, trial] as const] : [],
    ),
  );
  return (
    <section className={styles['effect']} aria-label={lineToShown(path)}>
      <h3>
        <code>{lineToShown(path)}</code>
      </h3>
      <ScrollRegion label={`Kills of ${lineToShown(path)}, scrolled sideways`}>
        <table className={styles['matrix']} aria-label={`Kills of ${lineToShown(path)}`}>
          <thead>
            <tr>
              <th scope="col">Design</th>
              <th scope="col">
                <b>no kill</b>
                <span>the control</span>
              </th>
              {boundaries.map((boundary) => (
                <th key={boundary} scope="col">
                  <b>{boundaryLabels[boundary]}</b>
                  <span>{boundaryWords[boundary]}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {strategies.map((strategy) => (
              <tr key={strategy}>
                <th scope="row">{traitsOf[strategy].label}</th>
                {[undefined, ...boundaries].map((boundary) => {
                  const trial = boundary === undefined ? control.get(strategy) : struck.get(`${strategy} ${boundary}`);
                  return (
                    <td key={boundary ?? 'control'}>
                      {trial === undefined ? undefined : <Cell trial={trial} isTold={trial === told} onTell={onTell} />}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      {children}
    </section>
  );
}

interface CellProps {
  readonly trial: SimulatedTrial;
  readonly isTold: boolean;
  readonly onTell: KillMatrixProps['onTell'];
}

function Cell({ trial, isTold, onTell }: CellProps) {
  const tone = trialToTone(trial);
  const [first, ...rest] = trialToWords(trial);
  return (
    <button
      type="button"
      className={styles['cell']}
      data-tone={tone}
      aria-pressed={isTold}
      aria-label={`${traitsOf[trial.strategy].label}, ${trial.kill === undefined ? 'no kill' : `at ${boundaryLabels[trial.kill.boundary]}`}: ${[first, ...rest].join(', ')}`}
      onClick={() => onTell(isTold ? undefined : trial)}
    >
      <b>
        {tone === 'none' ? undefined : <Icon name={tone === 'ok' ? 'check' : 'warning'} size={12} />} {first}
      </b>
      {rest.map((word) => (
        <span key={word}>{word}</span>
      ))}
    </button>
  );
}
