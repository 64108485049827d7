/**
 * What was opened holds more than one trace: a person picks some, or takes all as one.
 *
 * Thousands of traces are normal (one file of a collector), so only the rows on screen are in the page, and a filter narrows them.
 */
import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef, useState } from 'react';
import type { ImportChoice, ImportRequest } from '../../data/index.ts';
import { Button } from '../../ui/Button.tsx';
import { Checkbox, Field } from '../../ui/Field.tsx';
import { countOf, countToText, instantToText } from '../../ui/format.ts';
import { type ChoiceRow, choiceToRows, filterRows, rowToRequest } from './choice-rows.ts';
import panel from './ImportPanel.module.css';
import styles from './TraceChooser.module.css';

export interface TraceChooserProps {
  readonly request: ImportRequest;
  readonly choice: ImportChoice;
  readonly onOpen: (requests: readonly ImportRequest[]) => void;
  readonly onClose: () => void;
}

export function TraceChooser({ request, choice, onOpen, onClose }: TraceChooserProps) {
  const rows = useMemo(() => choiceToRows(choice.formats), [choice]);
  const [query, setQuery] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<ChoiceRow>>(new Set());
  const shown = useMemo(() => filterRows(rows, query), [rows, query]);
  const { formats } = choice;
  const set = (members: readonly ChoiceRow[], isIn: boolean): void => {
    const next = new Set(chosen);
    for (const row of members) {
      if (isIn) next.add(row);
      else next.delete(row);
    }
    setChosen(next);
  };
  const areAllIn = shown.length > 0 && shown.every((row) => chosen.has(row));
  return (
    <section className={panel['panel']} aria-label="Opening">
      <header>
        <h2>Which of these?</h2>
        <Button onPress={onClose}>Close</Button>
      </header>
      <p>{choice.message} Choose some: each becomes a trace of its own.</p>
      <div className={styles['tools']}>
        <Field label="Filter" value={query} onChange={setQuery} placeholder="Title, first words or result" />
        <Checkbox isSelected={areAllIn} onChange={(isIn) => set(shown, isIn)}>
          {query === '' ? 'All' : 'All shown'} ({countToText(shown.length)})
        </Checkbox>
      </div>
      <Rows rows={shown} chosen={chosen} onChange={(row, isIn) => set([row], isIn)} hasFormats={formats.length > 1} />
      <footer>
        <Button
          kind={chosen.size === 0 ? 'plain' : 'primary'}
          isDisabled={chosen.size === 0}
          onPress={() => onOpen(rows.filter((row) => chosen.has(row)).map((row) => rowToRequest(request, row)))}
        >
          {chosen.size === 0 ? 'Open the chosen' : `Open ${countOf(chosen.size, 'trace')}`}
        </Button>
        {chosen.size > 0 || rows.length < 2 || rows.length > mostAtOnce ? undefined : (
          <Button kind="primary" onPress={() => onOpen(rows.map((row) => rowToRequest(request, row)))}>
            {`Open all ${countToText(rows.length)}, each by itself`}
          </Button>
        )}
        {formats.some(({ traces }) => traces.some(({ isTrial }) => isTrial === true)) ? undefined : (
          <Button onPress={() => onOpen(formats.map(({ id }) => ({ ...request, choice: { format: id } })))}>
            {formats.length === 1 ? 'Open all as one trace' : 'Open one trace for each format'}
          </Button>
        )}
      </footer>
    </section>
  );
}

/** More traces than this are a choice, not a heap to open. */
const mostAtOnce = 500;

const rowHeight = 36;
/** Of more than these the last is cut in half, so that one sees that the list goes on. */
const mostShown = 14;

interface RowsProps {
  readonly rows: readonly ChoiceRow[];
  readonly chosen: ReadonlySet<ChoiceRow>;
  readonly hasFormats: boolean;
  readonly onChange: (row: ChoiceRow, isIn: boolean) => void;
}

function Rows({ rows, chosen, hasFormats, onChange }: RowsProps) {
  const frame = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan: 10,
  });
  if (rows.length === 0)
    return <p className={panel['facts']}>No trace has that in its title, key, question or score.</p>;
  return (
    <>
      <div
        ref={frame}
        className={styles['frame']}
        style={{ height: rows.length <= mostShown ? rows.length * rowHeight + 2 : (mostShown + 0.5) * rowHeight }}
      >
        <ul aria-label="Traces" style={{ height: virtualizer.getTotalSize() }} className={styles['rows']}>
          {virtualizer.getVirtualItems().map(({ index, start }) => {
            const row = rows[index];
            if (row === undefined) return undefined;
            return (
              <li
                key={row.id}
                aria-setsize={rows.length}
                aria-posinset={index + 1}
                style={{ height: rowHeight, transform: `translateY(${start}px)` }}
              >
                <Checkbox isSelected={chosen.has(row)} onChange={(isIn) => onChange(row, isIn)}>
                  <span
                    className={styles['title']}
                    title={row.about === undefined ? row.title : `${row.title}: ${row.about}`}
                  >
                    {row.title}
                    {row.about === undefined ? undefined : <span className={styles['about']}> {row.about}</span>}
                  </span>
                </Checkbox>
                <span className={styles['facts']}>
                  {[
                    row.verdict,
                    hasFormats ? row.label : undefined,
                    row.startedAt === undefined ? undefined : instantToText(row.startedAt),
                    row.size,
                  ]
                    .filter((fact) => fact !== undefined)
                    .join(' · ')}
                </span>
              </li>
            );
          })}
        </ul>
      </div>
      {rows.length <= mostShown ? undefined : (
        <p className={styles['facts']}>{countToText(rows.length)} in all: scroll for the rest.</p>
      )}
    </>
  );
}
