/**
 * The transcript: a reading of the stream, line by line, each linked to its events. Gaps, repetitions and what it cannot
 * say stand where they belong (R69, R70).
 */
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import type { TranscriptLine } from '../../core/projections/trace-reader.ts';
import { useTranscript, useTranscriptLineOf } from '../../data/index.ts';
import { Awaited } from '../../ui/Awaited.tsx';
import { LongList } from '../../ui/LongList.tsx';
import { Message } from '../../ui/Message.tsx';
import { AllHidden } from './AllHidden.tsx';
import type { Explorer } from './explorer.ts';
import { Line } from './TranscriptLine.tsx';
import { itemAt, pageSize, rangeToPages } from './pages.ts';
import styles from './Transcript.module.css';

export function Transcript({ explorer }: { readonly explorer: Explorer }) {
  const { trace, branch, filter } = explorer;
  const head = useTranscript(trace, branch, filter, 0, pageSize);
  if (head.data === undefined) return <Awaited of={head} label="Reading the transcript" lines={8} />;
  if (head.data.total === 0)
    return head.data.hidden > 0 ? (
      <AllHidden hidden={head.data.hidden} explorer={explorer} />
    ) : (
      <Message title="This branch holds nothing to read" icon="search">
        No event of this branch has a line.
      </Message>
    );
  const { total } = head.data;
  return total > longList ? (
    <LongLines total={total} explorer={explorer} />
  ) : (
    <Lines total={total} explorer={explorer} />
  );
}

/** Above it, keeping a height for each line costs more than it gives, and browsers come to their limit. */
const longList = 100_000;

function LongLines({ total, explorer }: { readonly total: number; readonly explorer: Explorer }) {
  const { trace, branch, filter, event } = explorer;
  const [[first, second], setPages] = useState<readonly [number, number]>([0, 0]);
  const pageA = useTranscript(trace, branch, filter, first, first + pageSize);
  const pageB = useTranscript(trace, branch, filter, second, second + pageSize);
  const lineOf = useTranscriptLineOf(trace, branch, filter, event);
  const current = lineOf.data ?? -1;
  const onRange = useCallback((from: number, to: number) => {
    const next = rangeToPages(from, to);
    setPages((before) => (before[0] === next[0] && before[1] === next[1] ? before : next));
  }, []);
  const pages = [pageA.data, pageB.data].map((page) =>
    page === undefined ? undefined : { from: page.from, items: page.lines },
  );
  const renderLine = (index: number): ReactNode => {
    const line = itemAt<TranscriptLine>(pages, index);
    if (line === undefined) return <span className={styles['coming']} />;
    const before = itemAt<TranscriptLine>(pages, index - 1);
    return (
      <Line
        line={line}
        id={`line-${index}`}
        isCurrent={index === current}
        isFrontier={isFrontier(explorer, before, line)}
        explorer={explorer}
      />
    );
  };
  return (
    <>
      <FailedPages pages={[pageA, pageB]} />
      <LongList label="Transcript" count={total} current={current} renderLine={renderLine} onRange={onRange} />
    </>
  );
}

function Lines({ total, explorer }: { readonly total: number; readonly explorer: Explorer }) {
  const { trace, branch, filter, event } = explorer;
  const frame = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: total,
    getScrollElement: () => frame.current,
    estimateSize: () => 40,
    overscan: 12,
  });
  const items = virtualizer.getVirtualItems();
  const [first, second] = rangeToPages(items[0]?.index ?? 0, (items.at(-1)?.index ?? 0) + 1);
  const pageA = useTranscript(trace, branch, filter, first, first + pageSize);
  const pageB = useTranscript(trace, branch, filter, second, second + pageSize);
  const lineOf = useTranscriptLineOf(trace, branch, filter, event);
  const current = lineOf.data ?? -1;

  const isLaid = items.length > 0;
  // Syncs the scroll position with the selection; the virtual list owns it, and has nothing to scroll before it is laid out.
  useEffect(() => {
    if (current < 0 || !isLaid) return;
    const range = virtualizer.range;
    const isShown = range !== null && current > range.startIndex && current < range.endIndex - 1;
    if (!isShown) virtualizer.scrollToIndex(current, { align: 'center' });
  }, [current, isLaid, virtualizer]);

  const pages = [pageA.data, pageB.data].map((page) =>
    page === undefined ? undefined : { from: page.from, items: page.lines },
  );
  const start = items[0]?.start ?? 0;
  return (
    <>
      <FailedPages pages={[pageA, pageB]} />
      <div ref={frame} role="list" aria-label="Transcript" tabIndex={-1} className={styles['frame']}>
        <div role="presentation" style={{ height: virtualizer.getTotalSize(), position: 'relative' }}>
          <div role="presentation" className={styles['window']} style={{ transform: `translateY(${start}px)` }}>
            {items.map(({ index, key }) => {
              const line = itemAt<TranscriptLine>(pages, index);
              return (
                <div key={key} role="presentation" data-index={index} ref={virtualizer.measureElement}>
                  {line === undefined ? (
                    <span className={styles['coming']} />
                  ) : (
                    <Line
                      line={line}
                      id={`line-${index}`}
                      isCurrent={index === current}
                      isFrontier={isFrontier(explorer, itemAt<TranscriptLine>(pages, index - 1), line)}
                      explorer={explorer}
                    />
                  )}
                </div>
              );
            })}
          </div>
        </div>
      </div>
    </>
  );
}

/** Lines that could not be read are told: their places would stay empty for ever. */
function FailedPages({ pages }: { readonly pages: readonly { readonly error: Error | null }[] }) {
  const failed = pages.find(({ error }) => error !== null);
  if (failed === undefined) return undefined;
  return (
    <p className={styles['failed']}>
      <Awaited of={failed} label="Reading the transcript" isInline />
    </p>
  );
}

/** Where what is kept gives way to what is not. */
function isFrontier({ overlay }: Explorer, before: TranscriptLine | undefined, line: TranscriptLine): boolean {
  if (overlay === undefined || before === undefined) return false;
  const [above, here] = [overlay.markOf(before.events[0])?.look, overlay.markOf(line.events[0])?.look];
  return (above === 'kept' || above === 'edited') && (here === 'fallen' || here === 'maybe');
}
