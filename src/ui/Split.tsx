/**
 * Two panes with a bar between them that is dragged, or moved with the arrow keys.
 *
 * Invariant: the caller owns the share; a drag reports every step and nothing is kept here. Collapsing is the caller's
 * business: it shows one pane without a Split.
 */
import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef } from 'react';
import styles from './Split.module.css';

export interface SplitProps {
  /** What the bar resizes, as a screen reader says it. */
  readonly label: string;
  readonly share: number;
  readonly onShare: (share: number) => void;
  readonly least?: number;
  readonly children: readonly [ReactNode, ReactNode];
}

const step = 0.02;

export function Split({ label, share, onShare, least = 0.15, children }: SplitProps) {
  const frame = useRef<HTMLDivElement>(null);
  const clamp = (value: number): number => Math.min(1 - least, Math.max(least, value));
  const onPointerMove = (event: PointerEvent<HTMLDivElement>): void => {
    const box = frame.current?.getBoundingClientRect();
    if (box === undefined || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
    onShare(clamp((event.clientX - box.left) / box.width));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const to =
      event.key === 'ArrowLeft'
        ? share - step
        : event.key === 'ArrowRight'
          ? share + step
          : event.key === 'Home'
            ? 0
            : event.key === 'End'
              ? 1
              : undefined;
    if (to === undefined) return;
    event.preventDefault();
    onShare(clamp(to));
  };
  const percent = Math.round(share * 100);
  return (
    <div ref={frame} className={styles['split']}>
      <div className={styles['pane']} style={{ flexGrow: share }}>
        {children[0]}
      </div>
      <div
        role="slider"
        aria-orientation="horizontal"
        aria-label={label}
        aria-valuenow={percent}
        aria-valuemin={Math.round(least * 100)}
        aria-valuemax={Math.round((1 - least) * 100)}
        aria-valuetext={`${percent} percent`}
        tabIndex={0}
        className={styles['bar']}
        onKeyDown={onKeyDown}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
        }}
        onPointerMove={onPointerMove}
      />
      <div className={styles['pane']} style={{ flexGrow: 1 - share }}>
        {children[1]}
      </div>
    </div>
  );
}
