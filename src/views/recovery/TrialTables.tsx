/** Checks of validity, invariants and times of one trial, each row with the records it rests on. */
import { createTable } from '../../core/base/table.ts';
import type { Section, TrialReport } from '../../core/recovery/index.ts';
import { Chip, type Tone } from '../../ui/Chip.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { EventRef, EventRefs } from './EventRef.tsx';
import type { Links } from './links.ts';
import { metricTitle, msToText } from './words.ts';
import styles from './Parts.module.css';

interface TablesProps {
  readonly trial: TrialReport;
  readonly links: Links;
}

const checkTones = { holds: 'ok', violated: 'danger', 'not established': 'warning' } as const;
const invariantTones: Readonly<Record<string, Tone>> = createTable({
  holds: 'ok',
  violated: 'danger',
  'not checked': 'neutral',
});

export function Checks({ trial, links }: TablesProps) {
  return (
    <ul className={styles['checks']} aria-label="Checks of validity">
      {trial.checks.map(({ id, status, text, events }) => (
        <li key={id}>
          <Chip tone={checkTones[status]}>{status}</Chip>
          <span>
            {text} <EventRefs links={links} trial={trial.id} events={events} />
          </span>
        </li>
      ))}
    </ul>
  );
}

export function Invariants({ trial, section, links }: TablesProps & { readonly section: Section }) {
  const own = trial.invariants.filter((one) => one.section === section);
  if (own.length === 0) return undefined;
  const order = ['violated', 'holds', 'not checked'];
  return (
    <div className={styles['block']}>
      <h3>Invariants</h3>
      <ul className={styles['checks']} aria-label={`Invariants of ${section}`}>
        {own
          .toSorted((a, b) => order.indexOf(a.verdict) - order.indexOf(b.verdict))
          .map(({ id, text, verdict, reason, events, controlEvents = [] }) => (
            <li key={id}>
              <Chip tone={invariantTones[verdict] ?? 'neutral'}>{verdict}</Chip>
              <span>
                <b>{text}</b> <span className={styles['faint']}>{reason}</span>{' '}
                <EventRefs links={links} trial={trial.id} events={events} />
                {trial.control.trial === undefined || controlEvents.length === 0 ? undefined : (
                  <>
                    {' '}
                    <span className={styles['faint']}>in the control:</span>{' '}
                    <EventRefs links={links} trial={trial.control.trial} events={controlEvents} />
                  </>
                )}
              </span>
            </li>
          ))}
      </ul>
    </div>
  );
}

export function TrialMetrics({ trial, links }: TablesProps) {
  if (trial.metrics.length === 0) return <p>No fault is on record: there is nothing to measure from.</p>;
  const [kills, others] = [true, false].map((isKill) =>
    trial.metrics.filter(({ fault }) => (fault === undefined) === isKill),
  );
  return [kills, others].map((metrics = [], at) =>
    metrics.length === 0 ? undefined : (
      <TimesTable key={at === 0 ? 'kills' : 'faults'} trial={trial} metrics={metrics} links={links} />
    ),
  );
}

/** Times after kills, or times after faults that are no kill: never in one table. */
function TimesTable({ trial, metrics, links }: TablesProps & { readonly metrics: TrialReport['metrics'] }) {
  const ordinals = [...new Map(metrics.map(({ ordinal, fault }) => [ordinal, fault ?? `Kill ${ordinal}`]))];
  const ids = [...new Map(metrics.map(({ id, name, kind }) => [id, { name, kind }]))];
  const isKill = metrics.every(({ fault }) => fault === undefined);
  return (
    <DataTable label={isKill ? 'Times after each kill' : 'Times after faults that are no kill'}>
      <thead>
        <tr>
          <th scope="col">Definition</th>
          {ordinals.map(([ordinal, title]) => (
            <th key={ordinal} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {ids.map(([id, { name, kind }]) => (
          <tr key={id}>
            <th scope="row" title={name}>
              <b>{metricTitle(name)}</b>
              {kind === 'recovery' ? undefined : <span className={styles['faint']}> {kind}, no recovery time</span>}
            </th>
            {ordinals.map(([ordinal]) => (
              <td key={ordinal}>
                <Time trial={trial} id={id} ordinal={ordinal} links={links} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </DataTable>
  );
}

function Time({ trial, id, ordinal, links }: TablesProps & { readonly id: string; readonly ordinal: number }) {
  const metric = trial.metrics.find((one) => one.id === id && one.ordinal === ordinal);
  if (metric === undefined) return undefined;
  const { ms, start, end, basis, whyNot } = metric;
  if (ms === undefined || end === undefined) return <span className={styles['faint']}>not measured: {whyNot}</span>;
  return (
    <span className={styles['stack']}>
      <b>{msToText(ms)}</b>
      <span className={styles['anchors']}>
        <EventRef links={links} trial={trial.id} event={start.event} label={start.type} /> to{' '}
        <EventRef links={links} trial={trial.id} event={end.event} label={end.type} />, {basis}
      </span>
    </span>
  );
}
