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

/** Moves there and puts the focus on the heading, so that reading and Tab go on from it. */
export function PartNav({ parts }: { readonly parts: readonly (readonly [id: string, title: string])[] }) {
  return (
    <nav aria-label="Parts of this page" className={styles['nav']}>
      {parts.map(([id, title]) => (
        <button
          key={id}
          type="button"
          onClick={() => {
            const heading = document.getElementById(`part-${id}`);
            heading?.scrollIntoView({ block: 'start' });
            heading?.focus({ preventScroll: true });
          }}
        >
          {title}
        </button>
      ))}
    </nav>
  );
}
