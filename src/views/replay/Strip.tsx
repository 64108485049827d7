/**
 * The run in one picture: lines of work as lanes, commands in order of issue. What falls is dimmed and hatched, what is kept has its full
 * strength and a quiet tick, and the frontier between them is drawn.
 *
 * Decorative for assistive technology beyond its one sentence: the list below it says the same in words.
 */
import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { lineToShown } from '../../core/base/shown-text.ts';
import { type BranchStatus, StatusSign } from '../../ui/Chip.tsx';
import { FamilyIcon } from '../../ui/FamilyIcon.tsx';
import { countOf } from '../../ui/format.ts';
import {
  type StripItem,
  type StripNode,
  countBeyond,
  fadeWidth,
  itemsToStrip,
  labelWidth,
  laneHeight,
} from './strip-layout.ts';
import styles from './Strip.module.css';

const reachedWithTab = { tabIndex: 0 } as const;

export interface StripEntry extends StripItem {
  readonly family: string;
  readonly label: string;
  /** Absent where nothing is compared yet. */
  readonly sign: BranchStatus | undefined;
  /** Word of the status. */
  readonly word: string;
  readonly look: 'kept' | 'edited' | 'fallen' | 'maybe' | 'new';
}

export interface StripProps {
  /** The sentence a screen reader gets. */
  readonly label: string;
  readonly entries: readonly StripEntry[];
  readonly current?: string | undefined;
}

export function Strip({ label, entries, current }: StripProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [available, setAvailable] = useState(800);
  const [scrolled, setScrolled] = useState(0);
  // Syncs with the width the layout gives.
  useLayoutEffect(() => {
    const element = frame.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => setAvailable(element.clientWidth - 16));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const layout = useMemo(() => itemsToStrip(entries, available), [entries, available]);
  const entriesByKey = useMemo(() => new Map(entries.map((entry) => [entry.key, entry])), [entries]);
  const here = layout.nodes.find(({ key }) => key === current)?.x;
  // Syncs the scroll position, which the browser owns, with the step that is chosen.
  useEffect(() => {
    const element = frame.current;
    if (element === null || here === undefined) return;
    const left = element.scrollLeft;
    if (here < left + labelWidth || here > left + available - 2 * fadeWidth) element.scrollLeft = here - available / 2;
  }, [here, available]);
  if (entries.length === 0) return undefined;
  const beyond = countBeyond(layout.nodes, scrolled, scrolled + available);
  const corners = layout.frontier.map(({ x, y }) => `${x},${y}`).join(' ');
  return (
    <figure className={styles['figure']}>
      <Beyond side="left" count={beyond.left} frame={frame} by={-available} />
      <Beyond side="right" count={beyond.right} frame={frame} by={available} />
      <div
        ref={frame}
        className={styles['scroll']}
        role="group"
        aria-label="Picture of the commands, scrolled sideways"
        onScroll={(event) => setScrolled(event.currentTarget.scrollLeft)}
        {...(beyond.left + beyond.right > 0 || layout.width > available + 2 ? reachedWithTab : {})}
      >
        <div
          className={styles['strip']}
          role="img"
          aria-label={label}
          style={{ width: layout.width, height: layout.height }}
        >
          {layout.lanes.map((lane) => (
            <div
              key={lane.label + String(lane.y)}
              className={styles['lane']}
              style={{ top: lane.y - laneHeight / 2, height: laneHeight }}
            >
              <span style={{ width: labelWidth - 12 }}>{lane.label}</span>
            </div>
          ))}
          <svg width={layout.width} height={layout.height} aria-hidden="true" focusable="false">
            {layout.edges.map(({ from, to }) => (
              <path key={`${from.key} ${to.key}`} className={styles['edge']} d={edgeToPath(from, to)} />
            ))}
            {corners === '' ? undefined : <polyline className={styles['frontier']} points={corners} />}
          </svg>
          {layout.nodes.map(({ key, x, y }) => {
            const entry = entriesByKey.get(key);
            if (entry === undefined) return undefined;
            return (
              <span
                key={key}
                className={styles['node']}
                data-look={entry.look}
                data-here={key === current}
                style={{ left: x, top: y }}
                title={`${lineToShown(entry.label)}: ${entry.word}`}
              >
                <FamilyIcon family={entry.family} effect={entry.family === 'effect'} />
                {entry.sign === undefined ? undefined : (
                  <i className={styles['sign']} data-sign={entry.sign}>
                    <StatusSign status={entry.sign} />
                  </i>
                )}
              </span>
            );
          })}
        </div>
      </div>
      <figcaption>
        {layout.frontier.length === 0 ? undefined : (
          <>
            <span className={styles['line']} /> Frontier: what stands before it is kept, and so is every ticked command
            behind it.
          </>
        )}
        {layout.hidden === 0 ? '' : ` ${countOf(layout.hidden, 'more command')} in the list below, not in the picture.`}
      </figcaption>
    </figure>
  );
}

interface BeyondProps {
  readonly side: 'left' | 'right';
  readonly count: number;
  readonly frame: RefObject<HTMLDivElement | null>;
  readonly by: number;
}

/** Says that the picture goes on at a side, and leads there: what is cut is never cut silently. */
function Beyond({ side, count, frame, by }: BeyondProps) {
  if (count === 0) return undefined;
  return (
    <div className={styles['beyond']} data-side={side}>
      <button
        type="button"
        aria-label={`${countOf(count, 'more command')} to the ${side}`}
        onClick={() => frame.current?.scrollBy({ left: by * 0.7 })}
      >
        {side === 'left' ? `← ${count}` : `${count} →`}
      </button>
    </div>
  );
}

/** A bow over its lane, or across lanes. */
function edgeToPath(from: StripNode, to: StripNode): string {
  if (from.y === to.y) {
    const lift = from.y - 15 - Math.min(5, (to.x - from.x) / 60);
    return `M${from.x + 8} ${from.y - 9}C${from.x + 14} ${lift} ${to.x - 14} ${lift} ${to.x - 8} ${to.y - 9}`;
  }
  const middle = (from.x + to.x) / 2;
  return `M${from.x + 10} ${from.y}C${middle} ${from.y} ${middle} ${to.y} ${to.x - 10} ${to.y}`;
}
