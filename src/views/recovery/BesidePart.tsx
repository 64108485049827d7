/** The control beside the faulted trial with the difference; or why there is nothing to set beside it. */
import type { CampaignReport, TrialReport } from '../../core/recovery/index.ts';
import { Chip } from '../../ui/Chip.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { besideControl } from './beside-control.ts';
import { EventRefs, TrialRef } from './EventRef.tsx';
import type { Links } from './links.ts';
import { valueToText } from './words.ts';
import styles from './Parts.module.css';

export interface BesidePartProps {
  readonly trial: TrialReport;
  readonly campaign: CampaignReport;
  readonly links: Links;
}

const comparisonTones = { equal: 'ok', differs: 'warning', 'not comparable': 'neutral' } as const;

export function BesidePart({ trial, campaign, links }: BesidePartProps) {
  const { status, text, differences } = trial.control;
  const control = campaign.trials.find(({ id }) => id === trial.control.trial);
  if (status === 'is the control') return undefined;
  const rows = control === undefined ? [] : besideControl(control, trial);
  return (
    <div className={styles['block']}>
      <h3>Beside the control</h3>
      <p>
        {text} {control === undefined ? undefined : <TrialRef links={links} trial={control.id} />}
      </p>
      {differences.length === 0 ? undefined : (
        <ul className={styles['bullets']} aria-label="Differences of the envelope">
          {differences.map(({ field, one, other }) => (
            <li key={field}>
              {field}: {one === undefined ? 'not recorded' : valueToText(one)}, and{' '}
              {other === undefined ? 'not recorded' : valueToText(other)}
            </li>
          ))}
        </ul>
      )}
      {control === undefined ? undefined : (
        <DataTable label="Control beside faulted">
          <thead>
            <tr>
              <th scope="col">What</th>
              <th scope="col">Control</th>
              <th scope="col">Faulted</th>
              <th scope="col">Difference</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.what}>
                <th scope="row">{row.what}</th>
                <td>
                  {row.control} <EventRefs links={links} trial={control.id} events={row.controlEvents} />
                </td>
                <td>
                  {row.faulted} <EventRefs links={links} trial={trial.id} events={row.faultedEvents} />
                </td>
                <td>
                  {row.differs ? <b>{row.difference}</b> : <span className={styles['faint']}>{row.difference}</span>}
                </td>
              </tr>
            ))}
            {trial.outcome.comparisons.map(({ what, verdict, text: reason, control: one, faulted }) => (
              <tr key={what}>
                <th scope="row">{what}</th>
                <td>
                  <EventRefs links={links} trial={control.id} events={one} />
                </td>
                <td>
                  <EventRefs links={links} trial={trial.id} events={faulted} />
                </td>
                <td>
                  <Chip tone={comparisonTones[verdict]}>{verdict}</Chip> {reason}
                </td>
              </tr>
            ))}
          </tbody>
        </DataTable>
      )}
    </div>
  );
}
