/** What became of every record of the input, how events are connected, and how far a replay could go. */
import { type TraceRecord, useSummary } from '../../data/index.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { countToText } from '../../ui/format.ts';
import styles from './AccountDialog.module.css';

export function AccountDialog({ trace, onClose }: { readonly trace: TraceRecord; readonly onClose: () => void }) {
  const { counts, events, replayGrade, missingForReplay } = trace;
  const summary = useSummary(trace.id);
  const edges = summary.data?.edges;
  const facts: readonly (readonly [name: string, value: string, note: string])[] = [
    ['Records read', countToText(counts.input), 'each of them is in one of the next three'],
    ['Mapped', countToText(counts.mapped), 'made at least one event'],
    ['Merged', countToText(counts.merged), 'went into the events of another record'],
    ['Problems', countToText(counts.problems), 'could not be used; kept with their bytes'],
    ['Events', countToText(events), 'in the trace'],
    ...(edges === undefined
      ? []
      : ([
          ['Recorded edges', countToText(edges.recorded), 'said by the source'],
          ['Inferred edges', countToText(edges.inferred), 'by a named rule'],
          ['Edges by clock only', countToText(edges.clockOnly), 'nothing but times'],
        ] as const)),
    ['Replay', replayGrade, missingForReplay.length === 0 ? 'nothing is missing' : 'what is missing is listed below'],
  ];
  return (
    <Dialog title={`What was read for “${trace.name}”`} isOpen onClose={onClose}>
      <dl className={styles['facts']}>
        {facts.map(([name, value, note]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
            <dd>{note}</dd>
          </div>
        ))}
      </dl>
      {missingForReplay.length === 0 ? undefined : (
        <>
          <p>A full replay would need:</p>
          <ul className={styles['missing']}>
            {missingForReplay.map((what) => (
              <li key={what}>{what}</li>
            ))}
          </ul>
        </>
      )}
      {summary.error === null ? undefined : <p role="alert">{summary.error.message}</p>}
    </Dialog>
  );
}
