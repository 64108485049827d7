/** Records of the service that prove an uncertain effect; adopting one is always a person's act (replay 3.8). */
import type { EventId } from '../../core/model/index.ts';
import { useEffectRows, useInspections } from '../../data/index.ts';
import { Awaited } from '../../ui/Awaited.tsx';
import { Button } from '../../ui/Button.tsx';
import { recordToStart } from './evidence-text.ts';
import { EventRef } from './Links.tsx';
import type { ReplaySession } from './session.ts';
import styles from './Pending.module.css';

export interface EvidenceProps {
  readonly session: ReplaySession;
  readonly path: string;
  readonly chosen: EventId | undefined;
  /** With the text to start from; empty where the record holds none. */
  readonly onChoose: (event: EventId, text: string) => void;
}

export function Evidence({ session, path, chosen, onChoose }: EvidenceProps) {
  const effects = useEffectRows(session.trace, session.branch);
  const row = effects.data?.find(({ command }) => command === path);
  const proofs = row?.attempts.flatMap(({ committed, deduplicated }) => [...committed, ...deduplicated]) ?? [];
  const inspections = useInspections(session.trace, session.branch, proofs);
  if (effects.data === undefined) return <Awaited of={effects} label="Reading the records of the service" lines={2} />;
  if (proofs.length === 0) return <p className={styles['path']}>No record of the service proves or denies it.</p>;
  if (inspections.error !== null) return <Awaited of={inspections} label="Reading the records of the service" />;
  return (
    <ul className={styles['evidence']} aria-label="Evidence in the ledger">
      {proofs.map((event, n) => {
        const record = inspections.answers[n];
        return (
          <li key={event}>
            <EventRef event={event} />
            <Button
              isDisabled={chosen === event || record === undefined}
              onPress={() => onChoose(event, recordToStart(record?.event))}
            >
              Adopt as evidence
            </Button>
          </li>
        );
      })}
    </ul>
  );
}
