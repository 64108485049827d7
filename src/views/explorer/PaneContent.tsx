/** What a pane shows, below its tabs or title: the place a key moves the focus to. Inside it the reading keys of the browser scroll. */
import type { ReactNode } from 'react';
import type { PaneId } from './FoldablePanes.tsx';
import { paneToElementId } from './pane-focus.ts';
import styles from './Panes.module.css';

/** What scrolls as a whole must be reachable without a mouse; the rest holds something that is. */
const reachedWithTab = { tabIndex: 0 } as const;
const reachedByKey = { tabIndex: -1 } as const;

export function PaneContent({
  pane,
  label,
  isScrolling = false,
  children,
}: {
  readonly pane: PaneId;
  readonly label: string;
  /** It scrolls as a whole, and so can be reached by Tab too. */
  readonly isScrolling?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <div
      id={paneToElementId(pane)}
      role="group"
      aria-label={label}
      className={styles['content']}
      data-scrolling={isScrolling}
      {...(isScrolling ? reachedWithTab : reachedByKey)}
    >
      {children}
    </div>
  );
}
