/** Who and under whose authority; and how safely it was kept, with the state versions it made or consumed. */
import type { Inspection } from '../../core/projections/trace-reader.ts';
import { useStates } from '../../data/index.ts';
import { Awaited } from '../../ui/Awaited.tsx';
import { EventIdLink } from './EventLink.tsx';
import type { Explorer } from './explorer.ts';
import { Facts, Section } from './InspectorParts.tsx';
import styles from './Inspector.module.css';

export interface FactsTabProps {
  readonly inspection: Inspection;
  readonly explorer: Explorer;
}

export function IdentityTab({ inspection, explorer }: FactsTabProps) {
  return (
    <Section title="Identity and authority">
      <Facts facts={inspection.identity} explorer={explorer} />
    </Section>
  );
}

export function StateTab({ inspection, explorer }: FactsTabProps) {
  const states = useStates(explorer.trace, explorer.branch);
  const touched = new Set([
    inspection.row.id,
    ...inspection.causes.listed.map(({ row }) => row.id),
    ...inspection.effects.listed.map(({ row }) => row.id),
  ]);
  const isWhole = inspection.causes.unlisted.length + inspection.effects.unlisted.length === 0;
  const versions = (states.data ?? []).flatMap(({ name, versions: all }) =>
    all.filter(({ event }) => touched.has(event)).map((version) => ({ name, version })),
  );
  return (
    <>
      <Section title="How safely it was kept">
        <Facts facts={inspection.persistence} explorer={explorer} />
      </Section>
      <Section title="State versions beside it">
        {states.data === undefined ? (
          <Awaited of={states} label="Reading the states" lines={2} />
        ) : versions.length === 0 ? (
          <p className={styles['none']}>
            {isWhole
              ? 'Neither this event nor its neighbours made a version durable.'
              : 'Neither this event nor a neighbour that “Causes” lists made a version durable; it has more neighbours than are listed.'}
          </p>
        ) : (
          <ul className={styles['versions']}>
            {versions.map(({ name, version }) => (
              <li key={version.event}>
                <b>{name}</b> {version.from ?? 'not recorded'} → {version.to ?? 'not recorded'}
                <EventIdLink explorer={explorer} event={version.event} />
              </li>
            ))}
          </ul>
        )}
      </Section>
    </>
  );
}
