/** What is shown and what is not. Every count that hides something leads to it. */
import type { CopyDeclared } from '../../core/projections/copy-records.ts';
import type { TraceSummary } from '../../core/projections/trace-reader.ts';
import { useRows, useSummary } from '../../data/index.ts';
import { Awaited } from '../../ui/Awaited.tsx';
import { countOf, countToText } from '../../ui/format.ts';
import { Icon } from '../../ui/Icons.tsx';
import { Explained } from '../../ui/Term.tsx';
import type { Explorer } from './explorer.ts';
import { ReplayNeeds } from './ReplayNeeds.tsx';
import styles from './StatusBar.module.css';

export interface StatusBarProps {
  readonly explorer: Explorer;
  readonly onProblems: () => void;
  readonly onClearFilter: () => void;
}

export function StatusBar({ explorer, onProblems, onClearFilter }: StatusBarProps) {
  const summary = useSummary(explorer.trace);
  const page = useRows(explorer.trace, explorer.branch, explorer.filter, 0, 1);
  if (summary.data === undefined)
    return (
      <section className={styles['bar']} aria-label="Status">
        <Awaited of={summary} label="Reading the trace" isInline />
      </section>
    );
  const { counts, edges, problems, notices, clocks, copy } = summary.data;
  const hidden = page.data?.hidden ?? 0;
  // Edges, problems and clocks are those of the records, whatever branch is shown.
  const isOneOfSeveral = summary.data.branches.length > 1;
  return (
    <section className={styles['bar']} aria-label="Status">
      <span>
        {page.data === undefined ? countOf(counts.events, 'event') : countOf(page.data.total + hidden, 'event')}
        {isOneOfSeveral && page.data !== undefined ? (
          <span className={styles['wide']}> of this branch</span>
        ) : undefined}
      </span>
      {copy === undefined ? undefined : <Copy copy={copy} explorer={explorer} />}
      <span title={isOneOfSeveral ? 'Of all branches together' : undefined}>
        {isOneOfSeveral ? 'of all branches: ' : undefined}edges {countToText(edges.recorded)} recorded,{' '}
        {countToText(edges.inferred)} inferred, {countToText(edges.clockOnly)} clock-only
      </span>
      {problems > 0 ? (
        <button type="button" data-tone="danger" onClick={onProblems}>
          <Icon name="warning" size={12} />
          {countOf(problems, 'problem')}
          <span className={styles['wide']}>in the records</span>
        </button>
      ) : (
        <span>
          no problem <span className={styles['wide']}>in the records</span>
        </span>
      )}
      {notices > 0 ? (
        <button type="button" onClick={onProblems}>
          {countOf(notices, 'remark')}
          <span className={styles['wide']}>about the records</span>
        </button>
      ) : undefined}
      <span>
        <Explained text={`clocks: ${countOf(clocks.length, 'domain')}`} />
      </span>
      <Grade summary={summary.data} />
      <span className={styles['end']} role="status">
        {page.data === undefined ? undefined : hidden === 0 ? (
          'all shown'
        ) : (
          <button type="button" data-tone="accent" onClick={onClearFilter}>
            {countToText(hidden)} hidden by the filter
            <span className={styles['wide']}>(show all)</span>
          </button>
        )}
      </span>
    </section>
  );
}

/** What a redacted copy says of itself: no event of the run, and one press away. */
function Copy({ copy, explorer }: { readonly copy: CopyDeclared; readonly explorer: Explorer }) {
  const { declared, omitted } = copy;
  return (
    <>
      <button type="button" data-tone="accent" onClick={() => explorer.select(declared)}>
        redacted copy
        <span className={styles['wide']}>and what it declares</span>
      </button>
      {omitted === undefined ? undefined : (
        <button type="button" data-tone="accent" onClick={() => explorer.select(omitted)}>
          events left out
        </button>
      )}
    </>
  );
}

/** Whether it can be replayed, and what would be needed (R64). */
function Grade({ summary }: { readonly summary: TraceSummary }) {
  const { replayGrade, missingForReplay } = summary;
  if (missingForReplay.length === 0) return <span>replay: {replayGrade}</span>;
  return (
    <span>
      <ReplayNeeds missing={missingForReplay}>{`replay: ${replayGrade}`}</ReplayNeeds>
    </span>
  );
}
