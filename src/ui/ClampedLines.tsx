/**
 * Paragraphs that share few lines, of which the first leads: each has one at least, and what is cut off is one press away.
 *
 * Invariant: all of the text is in the page, so it is read out and found whole; a link that is cut off is shown while it has the focus.
 */
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { InlineButton } from './InlineButton.tsx';
import { shareLines } from './share-lines.ts';
import styles from './ClampedLines.module.css';

/** Pixels; as the style of the page has it. */
const lineHeight = 20;

export interface ClampedLinesProps {
  readonly paragraphs: readonly ReactNode[];
  /** Lines of all of them together. */
  readonly most: number;
}

export function ClampedLines({ paragraphs, most }: ClampedLinesProps) {
  const list = useRef<HTMLDivElement>(null);
  const [needed, setNeeded] = useState<readonly number[]>([]);
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  // Syncs with the layout: how many lines each paragraph would take, after every draw and whenever the width changes.
  useEffect(() => {
    const element = list.current;
    if (element === null) return undefined;
    const measure = (): void => {
      const found = [...element.querySelectorAll('p')].map(({ scrollHeight }) => Math.round(scrollHeight / lineHeight));
      setNeeded((known) => (known.join() === found.join() ? known : found));
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, [paragraphs]);
  const turn = (at: number): void => {
    const next = new Set(open);
    if (!next.delete(at)) next.add(at);
    setOpen(next);
  };
  const shares = shareLines(needed, most);
  return (
    <div ref={list} className={styles['list']}>
      {paragraphs.map((paragraph, at) => {
        const share = shares[at];
        const isCut = share !== undefined && share < (needed[at] ?? 0);
        const isOpen = open.has(at);
        return (
          <div key={at} className={styles['item']}>
            <p
              className={styles['text']}
              {...(isCut && !isOpen ? { 'data-cut': true, style: { WebkitLineClamp: share } } : {})}
            >
              {paragraph}
            </p>
            {isCut ? (
              <span className={styles['more']}>
                <InlineButton isExpanded={isOpen} onPress={() => turn(at)}>
                  {isOpen ? 'less' : 'more'}
                </InlineButton>
              </span>
            ) : undefined}
          </div>
        );
      })}
    </div>
  );
}
