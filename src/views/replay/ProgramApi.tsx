/** A folded list of what a control program can ask for, beside its editor. */
import { type ApiEntry, programCalls, programOptions } from './program-api.ts';
import styles from './Changes.module.css';

export function ProgramApi() {
  return (
    <details className={styles['api']}>
      <summary>What a program can ask for</summary>
      <Entries label="Calls" entries={programCalls} />
      <h3>Options of a command</h3>
      <Entries label="Options of a command" entries={programOptions} />
    </details>
  );
}

function Entries({ label, entries }: { readonly label: string; readonly entries: readonly ApiEntry[] }) {
  return (
    <dl aria-label={label}>
      {entries.map(({ call, means }) => (
        <div key={call}>
          <dt>
            <code>{call}</code>
          </dt>
          <dd>{means}</dd>
        </div>
      ))}
    </dl>
  );
}
