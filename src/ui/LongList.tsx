/**
 * A list of any length whose lines have heights of their own, of which only those on screen are in the page.
 *
 * Invariant: a scroll position stands for one line and a share of it, whatever the length: the line is at the top of the frame, moved
 * up by that share of its real height, so that nothing is estimated that is drawn and the last line is reached exactly. The scroll
 * area is scaled where it would be taller than browsers allow. No memory grows with the number of lines. The caller gives lines by
 * number and hears which are drawn.
 */
import { type ReactNode, type UIEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { lineToScroll, scrollToLine, wholeHeight } from './long-list.ts';
import styles from './LongList.module.css';

/** Height by which the scroll area is measured out; lines may have any. */
const usualHeight = 40;
/** Lines drawn beyond those that fill the frame at the least height a line has. */
const extra = 6;
const leastHeight = 22;

export interface LongListProps {
  readonly label: string;
  readonly count: number;
  /** Brought into view when it changes; never focused. */
  readonly current: number;
  readonly renderLine: (line: number) => ReactNode;
  /** Half-open range of lines drawn now. */
  readonly onRange: (from: number, to: number) => void;
}

export function LongList({ label, count, current, renderLine, onRange }: LongListProps) {
  const frame = useRef<HTMLDivElement>(null);
  const window = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 600 });
  const list = { count, lineHeight: usualHeight, frame: view.height };
  const at = scrollToLine(list, view.top);
  const first = Math.min(Math.max(0, count - 1), Math.floor(at));
  const last = Math.min(count, first + Math.ceil(view.height / leastHeight) + extra);

  // Syncs with the size of the element, which the layout decides.
  useEffect(() => {
    const element = frame.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => setView({ top: element.scrollTop, height: element.clientHeight }));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  // Tells the loader outside what is drawn.
  useEffect(() => {
    onRange(first, last);
  }, [first, last, onRange]);

  // Places the window by the height that its first line really has; again whenever a line was drawn or came.
  useLayoutEffect(() => {
    const height = window.current?.firstElementChild?.getBoundingClientRect().height ?? usualHeight;
    window.current?.style.setProperty('transform', `translateY(${view.top - (at - first) * height}px)`);
  });

  // Syncs the scroll position with the selection, without moving what is already in view.
  useLayoutEffect(() => {
    const element = frame.current;
    if (element === null || current < 0 || isShown(element, window.current, current)) return;
    element.scrollTop = lineToScroll({ count, lineHeight: usualHeight, frame: element.clientHeight }, current - 2);
  }, [current, count]);

  const onScroll = ({ currentTarget: { scrollTop, clientHeight } }: UIEvent<HTMLDivElement>): void =>
    setView({ top: scrollTop, height: clientHeight });
  return (
    <div ref={frame} role="list" aria-label={label} tabIndex={-1} className={styles['frame']} onScroll={onScroll}>
      <div role="presentation" style={{ height: wholeHeight(list) }}>
        <div ref={window} role="presentation" className={styles['window']}>
          {Array.from({ length: last - first }, (_none, i) => (
            <div key={first + i} role="presentation" data-line={first + i}>
              {renderLine(first + i)}
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}

function isShown(frame: HTMLElement, window: HTMLElement | null, line: number): boolean {
  const drawn = window?.querySelector(`[data-line="${line}"]`);
  if (drawn === null || drawn === undefined) return false;
  const [outer, inner] = [frame.getBoundingClientRect(), drawn.getBoundingClientRect()];
  return inner.top >= outer.top && inner.bottom <= outer.bottom;
}
