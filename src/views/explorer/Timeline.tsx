/** All events as rows in display order, with a lane for each agent and producer. The order is causal where it is known, not time. */
import { useCallback, useState } from 'react';
import { lineToShown } from '../../core/base/shown-text.ts';
import { agentToText } from '../../core/projections/title-words.ts';
import type { EventRow } from '../../core/projections/trace-reader.ts';
import { useRowOf, useRows, useSummary } from '../../data/index.ts';
import { Awaited } from '../../ui/Awaited.tsx';
import { FamilyIcon } from '../../ui/FamilyIcon.tsx';
import { countToText, timeOfDay } from '../../ui/format.ts';
import { Icon } from '../../ui/Icons.tsx';
import { Message } from '../../ui/Message.tsx';
import { RowList } from '../../ui/RowList.tsx';
import { AllHidden } from './AllHidden.tsx';
import type { Explorer } from './explorer.ts';
import { findLane, summaryToLanes } from './lanes.ts';
import { itemAt, pageSize, rangeToPages } from './pages.ts';
import { MarkSign } from './MarkBadge.tsx';
import styles from './Timeline.module.css';

const rowHeight = 28;
const laneWidth = 8;

export function Timeline({ explorer }: { readonly explorer: Explorer }) {
  const { trace, branch, filter, event } = explorer;
  const [[first, second], setPages] = useState<readonly [number, number]>([0, 0]);
  const onRange = useCallback((from: number, to: number) => {
    setPages((known) => {
      const next = rangeToPages(from, to);
      return known[0] === next[0] && known[1] === next[1] ? known : next;
    });
  }, []);
  const pageA = useRows(trace, branch, filter, first, first + pageSize);
  const pageB = useRows(trace, branch, filter, second, second + pageSize);
  const current = useRowOf(trace, branch, filter, event);
  const summary = useSummary(trace);
  if (pageA.data === undefined) return <Awaited of={pageA} label="Reading the events" lines={8} />;
  const { total, hidden } = pageA.data;
  if (total === 0)
    return hidden === 0 ? (
      <Message title="This branch holds no event" icon="info" />
    ) : (
      <AllHidden hidden={hidden} explorer={explorer} />
    );
  const pages = [pageA.data, pageB.data].map((page) =>
    page === undefined ? undefined : { from: page.from, items: page.rows },
  );
  const lanes = summaryToLanes(summary.data);
  return (
    <section className={styles['timeline']} aria-label="Timeline">
      <p className={styles['note']}>
        <Icon name="info" size={12} /> Position is causal order where it is recorded, not time. Times of day are as they
        were written, each in its own zone; date and zone stand in the inspector.
      </p>
      {pageB.error === null ? undefined : (
        <p className={styles['note']}>
          <Awaited of={pageB} label="Reading the events" isInline />
        </p>
      )}
      <RowList
        label="Events in causal order"
        count={total}
        rowHeight={rowHeight}
        current={current.data}
        onRange={onRange}
        activeId={current.data === undefined ? undefined : rowToId(current.data)}
        renderRow={(at) => {
          const row = itemAt(pages, at);
          return row === undefined ? (
            <span className={styles['coming']} />
          ) : (
            <Row row={row} at={at} lanes={lanes} explorer={explorer} />
          );
        }}
      />
    </section>
  );
}

/** By its place: an event's own id may hold anything, also blanks. */
function rowToId(at: number): string {
  return `timeline-row-${at}`;
}

function laneToX(lane: number): number {
  return lane * laneWidth + 6;
}

function Row({
  row,
  at,
  lanes,
  explorer,
}: {
  readonly row: EventRow;
  readonly at: number;
  readonly lanes: readonly string[];
  readonly explorer: Explorer;
}) {
  const lane = findLane(lanes, row);
  const isSelected = row.id === explorer.event;
  const marked = row.findings + row.problems;
  const mark = explorer.overlay?.markOf(row.id);
  return (
    <div
      id={rowToId(at)}
      role="option"
      aria-selected={isSelected}
      tabIndex={-1}
      className={styles['row']}
      data-effect={row.effect}
      data-failed={row.failed}
      data-look={mark?.look}
      onClick={() => explorer.select(row.id)}
      onKeyDown={(event) => event.key === 'Enter' && explorer.select(row.id)}
    >
      <span className={styles['number']}>{countToText(at + 1)}</span>
      <svg
        className={styles['lanes']}
        style={{ width: lanes.length * laneWidth + 4 }}
        aria-hidden="true"
        data-family={row.effect ? 'effect' : row.failed ? 'fault' : row.family}
      >
        {lanes.map((name, index) => (
          <line key={name} x1={laneToX(index)} x2={laneToX(index)} y1="0" y2={rowHeight} />
        ))}
        <circle cx={laneToX(lane < 0 ? lanes.length - 1 : lane)} cy={rowHeight / 2} r={row.effect ? 5 : 3.5} />
      </svg>
      <FamilyIcon family={row.family} effect={row.effect} failed={row.failed} size="small" />
      <span className={styles['title']} title={row.title}>
        {row.title}
      </span>
      {mark === undefined ? undefined : <MarkSign mark={mark} />}
      {marked > 0 ? (
        <span className={styles['marked']}>
          <Icon name="warning" size={12} />
          {marked}
          <span className={styles['spoken']}> findings and problems</span>
        </span>
      ) : undefined}
      <span className={styles['type']}>{lineToShown(row.type)}</span>
      <span className={styles['who']} title={lineToShown(row.agent ?? row.source)}>
        <bdi>{row.agent === undefined ? row.source : (row.agentName ?? agentToText(row.agent))}</bdi>
      </span>
      <span className={styles['time']} title={row.time === undefined ? undefined : lineToShown(row.time)}>
        {row.time === undefined ? 'no time' : lineToShown(timeOfDay(row.time))}
      </span>
    </div>
  );
}
