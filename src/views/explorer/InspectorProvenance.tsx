/**
 * The four records of the run with their counts (R52), and for the decision behind the selection the matrix of what it
 * stood on (R53): empty cells are named.
 */
import type { Inspection, ProvenanceRecord } from '../../core/projections/trace-reader.ts';
import { useDecisionProvenance, useProvenance } from '../../data/index.ts';
import { Awaited } from '../../ui/Awaited.tsx';
import { Chip, NotRecorded, type Tone } from '../../ui/Chip.tsx';
import { countToText } from '../../ui/format.ts';
import { EventIdLink } from './EventLink.tsx';
import type { Explorer } from './explorer.ts';
import { Cells, Section } from './InspectorParts.tsx';
import styles from './Inspector.module.css';

const tones: Readonly<Record<Exclude<ProvenanceRecord['presence'], 'absent'>, Tone>> = {
  present: 'ok',
  partial: 'warning',
};

export function ProvenanceTab({
  inspection,
  explorer,
}: {
  readonly inspection: Inspection;
  readonly explorer: Explorer;
}) {
  const { trace, branch } = explorer;
  const decision =
    inspection.row.type === 'decision.made'
      ? inspection.row.id
      : inspection.chain.find(({ what }) => what === 'decision')?.event;
  const summary = useProvenance(trace, branch);
  const matrix = useDecisionProvenance(trace, branch, decision);
  return (
    <>
      <Section
        title="The decision behind it"
        end={
          decision === undefined || decision === explorer.event ? undefined : (
            <EventIdLink explorer={explorer} event={decision} />
          )
        }
      >
        {decision === undefined ? (
          <p className={styles['none']}>No record links this event to a decision.</p>
        ) : matrix.data === undefined ? (
          matrix.isSuccess ? (
            <NotRecorded />
          ) : (
            <Awaited of={matrix} label="Reading the provenance" />
          )
        ) : (
          <Cells cells={matrix.data.cells} explorer={explorer} />
        )}
      </Section>
      <Section title="Four records of the run">
        {summary.data === undefined ? (
          <Awaited of={summary} label="Counting" />
        ) : (
          <ul className={styles['records']}>
            {summary.data.records.map((record) => (
              <Record key={record.name} record={record} />
            ))}
          </ul>
        )}
      </Section>
    </>
  );
}

function Record({ record }: { readonly record: ProvenanceRecord }) {
  return (
    <li>
      <p>
        <b>{record.name}</b>
        {record.presence === 'absent' ? <NotRecorded /> : <Chip tone={tones[record.presence]}>{record.presence}</Chip>}
      </p>
      <p className={styles['none']}>
        {record.counts.map(({ name, count }) => `${countToText(count)} ${name}`).join(' · ')}
        {record.missing.length === 0
          ? ''
          : `${record.counts.length === 0 ? 'Not recorded' : ' · not recorded'}: ${record.missing.join(', ')}`}
      </p>
    </li>
  );
}
