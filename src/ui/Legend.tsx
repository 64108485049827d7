/** What every sign on screen means: families, grades of edges, status of records on a branch, marks. */
import { NotRecorded, StatusBadge, branchStatuses } from './Chip.tsx';
import { Dialog } from './Dialog.tsx';
import { FamilyIcon, familyLegend } from './FamilyIcon.tsx';
import styles from './Legend.module.css';

const edges = [
  { grade: 'recorded', name: 'Recorded', meaning: 'the producer named this cause' },
  { grade: 'inferred', name: 'Inferred', meaning: 'drawn by a named rule; focus or hover shows which' },
  { grade: 'clock-only', name: 'Clock only', meaning: 'nothing but timestamps; not evidence of cause' },
] as const;

const statusMeanings: Readonly<Record<(typeof branchStatuses)[number], string>> = {
  reused: 'kept as it was recorded',
  superseded: 'replaced by the edit',
  changed: 'came out differently',
  inserted: 'was not there before',
  removed: 'no longer asked for',
  suspect: 'read something that changed',
  pending: 'needs an outcome that no record has',
  'orphan effect': 'the world has it, the branch does not',
  uncertain: 'sent; outcome not recorded',
  unknown: 'the trace does not say what it depends on',
};

export function EdgeSample({ grade }: { readonly grade: 'recorded' | 'inferred' | 'clock-only' }) {
  return (
    <svg className={styles['edge']} data-grade={grade} viewBox="0 0 36 10" aria-hidden="true" focusable="false">
      <path d="M1 5h28" />
      <path d="m29 1.5 5 3.5-5 3.5" />
    </svg>
  );
}

export function Legend({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  return (
    <Dialog title="Legend" isOpen={isOpen} onClose={onClose} size="large">
      <div className={styles['columns']}>
        <section>
          <h3>Events</h3>
          <ul>
            {familyLegend.map(({ family, name, meaning }) => (
              <li key={family}>
                <FamilyIcon family={family} />
                <b>{name}</b>
                <span>{meaning}</span>
              </li>
            ))}
          </ul>
        </section>
        <section>
          <h3>Edges, by what supports them</h3>
          <ul>
            {edges.map(({ grade, name, meaning }) => (
              <li key={grade}>
                <EdgeSample grade={grade} />
                <b>{name}</b>
                <span>{meaning}</span>
              </li>
            ))}
          </ul>
          <h3>Records on a branch</h3>
          <ul>
            {branchStatuses.map((status) => (
              <li key={status}>
                <StatusBadge status={status} />
                <span>{statusMeanings[status]}</span>
              </li>
            ))}
          </ul>
          <h3>What is missing</h3>
          <ul>
            <li>
              <span className={styles['gap']} />
              <b>Gap</b>
              <span>a record that should follow is not there</span>
            </li>
            <li>
              <NotRecorded />
              <span>no record says it; nothing was filled in</span>
            </li>
          </ul>
        </section>
      </div>
    </Dialog>
  );
}
