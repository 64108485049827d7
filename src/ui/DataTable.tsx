/** A table of facts, of one look everywhere. Wider than its place it scrolls sideways inside it, under its own name. */
import type { ReactNode } from 'react';
import { ScrollRegion } from './ScrollRegion.tsx';
import styles from './DataTable.module.css';

export interface DataTableProps {
  /** What it holds, as a screen reader says it. */
  readonly label: string;
  /** `framed` stands by itself, `flush` reaches from edge to edge of its panel, `plain` stands inside of something with a margin. */
  readonly place?: 'framed' | 'flush' | 'plain';
  /** Small type, for tables inside of rows and dialogs. */
  readonly isSmall?: boolean;
  /** What this table alone needs: widths of columns, marks of rows. */
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

export function DataTable({ label, place = 'framed', isSmall = false, className, children }: DataTableProps) {
  return (
    <ScrollRegion label={`${label}, scrolled sideways`} isFramed={place === 'framed'}>
      <table
        className={`${styles['table'] ?? ''} ${className ?? ''}`}
        data-place={place}
        data-small={isSmall}
        aria-label={label}
      >
        {children}
      </table>
    </ScrollRegion>
  );
}
