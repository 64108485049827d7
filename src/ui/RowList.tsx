/**
 * A list of rows of one height, of any length, of which only those on screen are in the page.
 *
 * Invariant: browsers stop at about 33 million pixels, so beyond `tallest` the scroll position is scaled: row `i` is
 * reached at any length. The caller gives rows by number and hears which range is on screen; it decides what to load.
 */
import { type KeyboardEvent, type ReactNode, type UIEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import styles from './RowList.module.css';

const tallest = 16_000_000;
const extra = 8;

export interface RowListProps {
  readonly label: string;
  readonly count: number;
  readonly rowHeight: number;
  /** Brought into view when it changes; never focused. */
  readonly current?: number | undefined;
  readonly renderRow: (row: number) => ReactNode;
  /** Half-open range of rows drawn now. */
  readonly onRange: (from: number, to: number) => void;
  readonly onKeyDown?: (event: KeyboardEvent) => void;
  /** The id of the row that is current, for `aria-activedescendant`: named only while the row is in the page. */
  readonly activeId?: string | undefined;
}

export function RowList({ label, count, rowHeight, current, renderRow, onRange, onKeyDown, activeId }: RowListProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 600 });
  const full = count * rowHeight;
  const total = Math.min(full, tallest);
  const scale = total <= view.height ? 1 : (full - view.height) / (total - view.height);
  const first = Math.max(0, Math.floor((view.top * scale) / rowHeight) - extra);
  const last = Math.min(count, Math.ceil((view.top * scale + view.height) / rowHeight) + extra);

  // Syncs with the size of the element, which the layout decides.
  useEffect(() => {
    const element = frame.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => {
      setView({ top: element.scrollTop, height: element.clientHeight });
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
    };
  }, []);

  // Tells the loader outside what is drawn.
  useEffect(() => {
    onRange(first, last);
  }, [first, last, onRange]);

  // Syncs the scroll position of the element with the selection, without moving what is already in view.
  useLayoutEffect(() => {
    const element = frame.current;
    if (element === null || current === undefined || current < 0) return;
    const top = current * rowHeight;
    const shown = element.scrollTop * scale;
    if (top >= shown && top + rowHeight <= shown + element.clientHeight) return;
    element.scrollTop = Math.max(0, (top - element.clientHeight / 2) / scale);
  }, [current, rowHeight, scale]);

  const onScroll = (event: UIEvent<HTMLDivElement>): void => {
    const { scrollTop, clientHeight } = event.currentTarget;
    setView({ top: scrollTop, height: clientHeight });
  };
  const isCurrentDrawn = current !== undefined && current >= first && current < last;
  const rows: ReactNode[] = [];
  for (let row = first; row < last; row += 1) {
    const top = row * rowHeight - view.top * (scale - 1);
    rows.push(
      <div
        key={row}
        role="presentation"
        className={styles['row']}
        style={{ height: rowHeight, transform: `translateY(${top}px)` }}
      >
        {renderRow(row)}
      </div>,
    );
  }
  return (
    <div
      ref={frame}
      role="listbox"
      aria-label={label}
      aria-activedescendant={isCurrentDrawn ? activeId : undefined}
      tabIndex={0}
      className={styles['frame']}
      onScroll={onScroll}
      onKeyDown={onKeyDown}
    >
      <div className={styles['content']} role="presentation" style={{ height: total }}>
        {rows}
      </div>
    </div>
  );
}
