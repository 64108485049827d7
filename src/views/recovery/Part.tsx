/** A headed part of the page, reached from the row of parts at its top. */
import type { ReactNode } from 'react';
import styles from './Parts.module.css';

export interface PartProps {
  readonly id: string;
  readonly title: string;
  readonly lead?: ReactNode;
  readonly children: ReactNode;
}

export function Part({ id, title, lead, children }: PartProps) {
  return (
    <section className={styles['part']} aria-labelledby={`part-${id}`}>
      <h2 id={`part-${id}`} tabIndex={-1}>
        {title}
      </h2>
      {lead === undefined ? undefined : <p className={styles['lead']}>{lead}</p>}
      {children}
    </section>
  );
}

export type PartEntry = readonly [id: string, title: string];

/** Moves there and puts the focus on the heading, so that reading and Tab go on from it. */
export function PartNav({ parts }: { readonly parts: readonly PartEntry[] }) {
  return (
    <nav aria-label="Parts of this page" className={styles['nav']}>
      {parts.map(([id, title]) => (
        <button key={id} type="button" onClick={(event) => goTo(id, event.currentTarget.closest('header'))}>
          {title}
        </button>
      ))}
    </nav>
  );
}

/** Scrolls the body of the page alone, until the heading stands below the header that stays. */
function goTo(id: string, header: HTMLElement | null): void {
  const heading = document.getElementById(`part-${id}`);
  const scroller = header?.parentElement ?? undefined;
  if (heading === null || header === null || scroller === undefined) return;
  scroller.scrollTop += heading.getBoundingClientRect().top - header.getBoundingClientRect().bottom - 16;
  heading.focus({ preventScroll: true });
}
