/** Every effect of a trial by the records of the service: each execution, who asked for it, and what else was answered. */
import type { EffectOutcome, TrialReport } from '../../core/recovery/index.ts';
import { Chip } from '../../ui/Chip.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { EventRefs } from './EventRef.tsx';
import type { Links } from './links.ts';
import styles from './Parts.module.css';

export function EffectLedger({ trial, links }: { readonly trial: TrialReport; readonly links: Links }) {
  const { effects, pending } = trial.outcome;
  if (effects.length === 0) return <p>No outside effect is on record.</p>;
  return (
    <div className={styles['block']}>
      <h3>Effect ledger</h3>
      <DataTable label="Effect ledger">
        <thead>
          <tr>
            <th scope="col">Effect</th>
            <th scope="col">Verdict</th>
            <th scope="col">Executions</th>
            <th scope="col">Answered from the key</th>
            <th scope="col">Refused</th>
            <th scope="col">Late</th>
          </tr>
        </thead>
        <tbody>
          {effects.map((effect) => (
            <Row key={effect.effect} trial={trial.id} effect={effect} links={links} />
          ))}
        </tbody>
      </DataTable>
      {pending.length === 0 ? undefined : (
        <p>Asked for and not executed while the run is not completed: {pending.join(', ')}.</p>
      )}
    </div>
  );
}

function Row({
  trial,
  effect,
  links,
}: {
  readonly trial: string;
  readonly effect: EffectOutcome;
  readonly links: Links;
}) {
  const { tool, service, verdict, executions, duplicates, lost, savedAnswers, refused, late } = effect;
  const isTwice = (duplicates ?? 0) > 0;
  const list = (events: readonly string[]) =>
    events.length === 0 ? (
      <span className={styles['faint']}>none</span>
    ) : (
      <EventRefs links={links} trial={trial} events={events} />
    );
  return (
    <tr>
      <th scope="row">
        <b>{tool}</b> <code>{effect.effect}</code>{' '}
        {service === undefined ? undefined : <span className={styles['faint']}>by {service}</span>}
      </th>
      <td>
        <Chip tone={isTwice ? 'effect' : lost === true ? 'danger' : duplicates === undefined ? 'warning' : 'ok'}>
          {verdict}
        </Chip>
      </td>
      <td>
        <span className={styles['stack']}>
          {executions.map(({ effectId, life, attempt, basis, events }) => (
            <span key={events.join(' ')}>
              <code>{effectId ?? 'no id'}</code>{' '}
              <span className={styles['faint']}>
                asked by {life ?? 'a life not recorded'}, attempt {attempt ?? 'not recorded'}, joined by {basis}
              </span>{' '}
              <EventRefs links={links} trial={trial} events={events} />
            </span>
          ))}
          {executions.length === 0 ? (
            <span className={styles['faint']}>
              {duplicates === undefined ? 'not known: no records of the service' : 'none'}
            </span>
          ) : undefined}
        </span>
      </td>
      <td>{list(savedAnswers)}</td>
      <td>{list(refused)}</td>
      <td>{list(late)}</td>
    </tr>
  );
}
