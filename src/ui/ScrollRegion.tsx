/**
 * What is wider than its place scrolls sideways inside it: a shade stands at each edge behind which there is more, and the keyboard
 * reaches it, by its name.
 */
import { type ReactNode, useEffect, useRef, useState } from 'react';
import styles from './ScrollRegion.module.css';

export interface ScrollRegionProps {
  /** What is scrolled, as a screen reader says it. */
  readonly label: string;
  /** A line around it. */
  readonly isFramed?: boolean;
  readonly children: ReactNode;
}

const reachedWithTab = { tabIndex: 0 } as const;

/** Part of a pixel is no reason to scroll. */
const least = 2;

export function ScrollRegion({ label, isFramed = false, children }: ScrollRegionProps) {
  const frame = useRef<HTMLDivElement>(null);
  const inner = useRef<HTMLDivElement>(null);
  const [beyond, setBeyond] = useState({ left: false, right: false });
  const measure = (): void => {
    const element = frame.current;
    if (element === null) return;
    const { scrollLeft, scrollWidth, clientWidth } = element;
    const left = scrollLeft >= least;
    const right = scrollWidth - clientWidth - scrollLeft >= least;
    setBeyond((now) => (now.left === left && now.right === right ? now : { left, right }));
  };
  // Syncs with the widths the layout gives.
  useEffect(() => {
    const observer = new ResizeObserver(measure);
    for (const element of [frame.current, inner.current]) if (element !== null) observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const { left, right } = beyond;
  return (
    <div className={styles['region']} data-framed={isFramed} data-left={left} data-right={right}>
      <div
        ref={frame}
        className={styles['frame']}
        role="group"
        aria-label={label}
        onScroll={measure}
        {...(left || right ? reachedWithTab : {})}
      >
        <div ref={inner} className={styles['inner']}>
          {children}
        </div>
      </div>
    </div>
  );
}
