/** The traces on this machine: what is in each, what was damaged, how long it is kept, and what can be done with it. */
import { memo, useCallback, useMemo, useState } from 'react';
import { type TraceId, type TraceRecord, useBranchLines } from '../../data/index.ts';
import { recoveryLocation, traceLocation, useNavigation } from '../../state/location.ts';
import { IconButton } from '../../ui/Button.tsx';
import { Chip } from '../../ui/Chip.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { countOf, countToText, dateToText } from '../../ui/format.ts';
import { Menu } from '../../ui/Menu.tsx';
import { AccessLogDialog } from './AccessLogDialog.tsx';
import { AccountDialog } from './AccountDialog.tsx';
import { ChosenActs } from './ChosenActs.tsx';
import { DeleteDialog } from './DeleteDialog.tsx';
import { ExportDialog } from './ExportDialog.tsx';
import { RenameDialog } from './RenameDialog.tsx';
import { RetentionDialog } from './RetentionDialog.tsx';
import { branchesToWords, traceToSizes } from './import-words.ts';
import { isJudgeable } from './judgeable.ts';
import { retentionToText } from './retention.ts';
import { findTraces } from './trace-filter.ts';
import styles from './TraceTable.module.css';

/** So many are seen at once; a longer list can be narrowed. */
const fewTraces = 12;

type Act = 'rename' | 'retention' | 'log' | 'account' | 'export' | 'delete';

export function TraceTable({ traces }: { readonly traces: readonly TraceRecord[] }) {
  const [act, setAct] = useState<{ readonly what: Act; readonly trace: TraceRecord }>();
  const [chosen, setChosen] = useState<ReadonlySet<TraceId>>(new Set());
  const [deleted, setDeleted] = useState<readonly TraceRecord[]>();
  const [sought, setSought] = useState('');
  const isSought = traces.length > fewTraces;
  const shown = useMemo(() => (isSought ? findTraces(traces, sought) : traces), [isSought, traces, sought]);
  const close = (): void => setAct(undefined);
  // What was deleted meanwhile is no longer chosen. In the order in which they were ticked.
  const byId = new Map(traces.map((trace) => [trace.id, trace]));
  const inList = [...chosen].filter((id) => byId.has(id));
  const [first, ...others] = inList;
  const choose = useCallback((ids: readonly TraceId[], isIn: boolean): void => {
    setChosen((before) => new Set(isIn ? [...before, ...ids] : [...before].filter((id) => !ids.includes(id))));
  }, []);
  const onAct = useCallback((what: Act, trace: TraceRecord): void => setAct({ what, trace }), []);
  return (
    <section aria-labelledby="traces-title" className={styles['section']}>
      <header className={styles['head']}>
        <h2 id="traces-title">
          Traces on this machine <span>{countToText(traces.length)}</span>
        </h2>
        {isSought ? (
          <span className={styles['sought']}>
            <input
              type="search"
              aria-label="Show only traces with these words"
              placeholder="Filter by name, format or file"
              value={sought}
              onChange={(event) => setSought(event.target.value)}
            />
            <span role="status">
              {shown.length === traces.length ? undefined : `${countToText(traces.length - shown.length)} hidden`}
            </span>
          </span>
        ) : undefined}
        {first === undefined ? undefined : (
          <ChosenActs
            chosen={[first, ...others]}
            mayHoldTrials={inList.some((id) => isJudgeable(byId.get(id)))}
            onDelete={() => setDeleted(traces.filter(({ id }) => chosen.has(id)))}
          />
        )}
      </header>
      <DataTable label="Traces" className={styles['table']}>
        <thead>
          <tr>
            <th scope="col" className={styles['choice']}>
              <input
                type="checkbox"
                aria-label="Choose every trace"
                checked={shown.length > 0 && shown.every(({ id }) => chosen.has(id))}
                onChange={(event) =>
                  choose(
                    shown.map(({ id }) => id),
                    event.target.checked,
                  )
                }
              />
            </th>
            <th scope="col">Trace</th>
            <th scope="col" className={styles['wide']}>
              Format
            </th>
            <th scope="col" data-number="true" className={styles['wide']}>
              Events
            </th>
            <th scope="col">Problems</th>
            <th scope="col" data-number="true" className={styles['wide']}>
              Size
            </th>
            <th scope="col" className={styles['wide']}>
              Kept
            </th>
            <th scope="col" className={styles['wide']}>
              Opened
            </th>
            <th scope="col">
              <span className={styles['spoken']}>Acts</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((trace) => (
            <Row key={trace.id} trace={trace} isChosen={chosen.has(trace.id)} onChoose={choose} onAct={onAct} />
          ))}
        </tbody>
      </DataTable>
      {act?.what === 'rename' ? <RenameDialog trace={act.trace} onClose={close} /> : undefined}
      {act?.what === 'retention' ? <RetentionDialog trace={act.trace} onClose={close} /> : undefined}
      {act?.what === 'log' ? <AccessLogDialog trace={act.trace} onClose={close} /> : undefined}
      {act?.what === 'account' ? <AccountDialog trace={act.trace} onClose={close} /> : undefined}
      {act?.what === 'export' ? <ExportDialog trace={act.trace} onClose={close} /> : undefined}
      {act?.what === 'delete' ? <DeleteDialog traces={[act.trace]} onClose={close} /> : undefined}
      {deleted === undefined ? undefined : <DeleteDialog traces={deleted} onClose={() => setDeleted(undefined)} />}
    </section>
  );
}

/** Of a longer trace every branch counts. */
const groupedEvents = 20_000;

interface RowProps {
  readonly trace: TraceRecord;
  readonly isChosen: boolean;
  readonly onChoose: (ids: readonly TraceId[], isIn: boolean) => void;
  readonly onAct: (act: Act, trace: TraceRecord) => void;
}

/** Drawn again only when its own trace changed: while a hundred files are opened the list changes a hundred times. */
const Row = memo(function Row({ trace, isChosen, onChoose, onAct }: RowProps) {
  const { hrefOf, go } = useNavigation();
  const to = traceLocation(trace.id);
  const sizes = traceToSizes(trace);
  // Only what has several can hold stops of one replay; of a very long run counting them would read too much.
  const lines = useBranchLines(trace.id, trace.branches > 1 && trace.events <= groupedEvents);
  const more = [
    trace.runs > 1 ? countOf(trace.runs, 'run') : undefined,
    branchesToWords(trace, lines.data?.latestOf.size ?? 0),
    trace.files.length > 1 ? countOf(trace.files.length, 'file') : undefined,
  ].filter((part) => part !== undefined);
  return (
    <tr>
      <td className={styles['choice']}>
        <input
          type="checkbox"
          aria-label={`Choose ${trace.name}`}
          checked={isChosen}
          onChange={(event) => onChoose([trace.id], event.target.checked)}
        />
      </td>
      <th scope="row" className={styles['name']}>
        <a href={hrefOf(to)}>{trace.name}</a>
        <span>{more.join(' · ')}</span>
        {trace.origin === 'sample' ? <Chip>sample</Chip> : undefined}
        {trace.origin === 'shared' ? <Chip tone="accent">redacted copy, read only</Chip> : undefined}
        <span className={styles['brief']}>
          {trace.format} · {countOf(trace.events, 'event')} · {sizes.join(', ')} · {retentionToText(trace.retention)} ·{' '}
          {dateToText(trace.created)} · replay: {trace.replayGrade}
        </span>
      </th>
      <td className={styles['wide']}>
        {trace.format} <span className={styles['faint']}>replay: {trace.replayGrade}</span>
      </td>
      <td data-number="true" className={styles['wide']}>
        {countToText(trace.events)}
      </td>
      <td>
        {trace.problems === 0 ? (
          <span className={styles['faint']}>none</span>
        ) : (
          <a href={hrefOf({ ...to, extra: { drawer: 'problems' } })} className={styles['problems']}>
            {countToText(trace.problems)}
          </a>
        )}
      </td>
      <td
        data-number="true"
        className={`${styles['wide'] ?? ''} ${styles['size'] ?? ''}`}
        title="What was read of the files, unpacked; and what its events take in this browser, packed"
      >
        <span>{sizes[0]},</span> <span>{sizes[1]}</span>
      </td>
      <td className={styles['wide']}>{retentionToText(trace.retention)}</td>
      <td className={`${styles['faint'] ?? ''} ${styles['wide'] ?? ''}`}>{dateToText(trace.created)}</td>
      <td className={styles['acts']}>
        <Menu
          label={`Acts on ${trace.name}`}
          trigger={<IconButton icon="more" label={`Acts on ${trace.name}`} />}
          groups={[
            {
              entries: [
                { id: 'open', label: 'Explore', icon: 'target', run: () => go(to) },
                ...(isJudgeable(trace)
                  ? [
                      {
                        id: 'recovery',
                        label: 'Judge as a recovery trial',
                        icon: 'drill' as const,
                        run: () => go(recoveryLocation([trace.id])),
                      },
                    ]
                  : []),
                { id: 'rename', label: 'Rename', icon: 'pencil', run: () => onAct('rename', trace) },
                {
                  id: 'retention',
                  label: 'Change how long it is kept',
                  icon: 'lock',
                  run: () => onAct('retention', trace),
                },
                { id: 'account', label: 'What was read', icon: 'info', run: () => onAct('account', trace) },
                { id: 'export', label: 'Export', icon: 'download', run: () => onAct('export', trace) },
                { id: 'log', label: 'Access log', icon: 'file', run: () => onAct('log', trace) },
              ],
            },
            {
              entries: [
                { id: 'delete', label: 'Delete', icon: 'trash', danger: true, run: () => onAct('delete', trace) },
              ],
            },
          ]}
        />
      </td>
    </tr>
  );
});
