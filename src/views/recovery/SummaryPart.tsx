/** What a lab told of its own trials in a summary beside their streams: each difference from the records, and what was not compared. */
import type { SummaryDifference, SummaryReport } from '../../core/recovery/index.ts';
import { Chip } from '../../ui/Chip.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { countOf } from '../../ui/format.ts';
import { TrialRef } from './EventRef.tsx';
import type { Links } from './links.ts';
import styles from './Parts.module.css';

/** Rows of a table that one looks through; the rest is counted. */
const mostShown = 50;

export function SummaryPart({ reports, links }: { readonly reports: readonly SummaryReport[]; readonly links: Links }) {
  return reports.map(({ file, text, differences, notCompared }) => (
    <div key={file} className={styles['block']}>
      <h3>
        {file}{' '}
        <Chip tone={differences.length === 0 ? 'ok' : 'danger'}>
          {differences.length === 0 ? 'no difference' : countOf(differences.length, 'difference')}
        </Chip>
      </h3>
      <p>{text}</p>
      {differences.length === 0 ? undefined : (
        <DataTable label={`Differences of ${file}`}>
          <thead>
            <tr>
              <th scope="col">Trial</th>
              <th scope="col">Field</th>
              <th scope="col">The summary says</th>
              <th scope="col">The records say</th>
            </tr>
          </thead>
          <tbody>
            {differences.slice(0, mostShown).map(({ trial, field, claimed, ours }) => (
              <tr key={`${trial} ${field}`}>
                <td>
                  <TrialRef links={links} trial={trial} />
                </td>
                <th scope="row">
                  <code>{field}</code>
                </th>
                <td>{claimed}</td>
                <td>{ours}</td>
              </tr>
            ))}
          </tbody>
        </DataTable>
      )}
      {differences.length > mostShown ? <p>And {differences.length - mostShown} more.</p> : undefined}
      {notCompared.length === 0 ? undefined : (
        <>
          <p>Not compared:</p>
          <ul className={styles['bullets']}>
            {notCompared.map((field) => (
              <li key={field}>{field}</li>
            ))}
          </ul>
        </>
      )}
    </div>
  ));
}

/** Of one trial: what summaries say of it otherwise than its records do. */
export function SummaryDifferences({
  trial,
  reports,
}: {
  readonly trial: string;
  readonly reports: readonly SummaryReport[];
}) {
  const own = reports.filter(({ trials }) => trials.includes(trial));
  if (own.length === 0) return undefined;
  const found = own.flatMap(({ file, differences }) =>
    differences.filter((one) => one.trial === trial).map((one) => ({ ...one, file })),
  );
  if (found.length === 0)
    return <p>{own.map(({ file }) => file).join(', ')}: what the lab wrote of this trial is what its records say.</p>;
  return (
    <ul className={styles['checks']} aria-label="What a summary of the lab says otherwise">
      {found.map((one) => (
        <li key={`${one.file} ${one.field}`}>
          <Chip tone="danger">differs</Chip>
          <span>{toSentence(one)}</span>
        </li>
      ))}
    </ul>
  );
}

function toSentence({ file, field, claimed, ours }: SummaryDifference): string {
  return `${file} says ${field}: ${claimed}; the records say ${ours}.`;
}
