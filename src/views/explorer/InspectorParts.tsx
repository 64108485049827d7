/** The pieces the tabs of the inspector are made of. */
import type { ReactNode } from 'react';
import type { Fact, ProvenanceCell } from '../../core/projections/trace-reader.ts';
import { NotRecorded } from '../../ui/Chip.tsx';
import { countOf } from '../../ui/format.ts';
import { InlineButton } from '../../ui/InlineButton.tsx';
import { Explained } from '../../ui/Term.tsx';
import type { Explorer } from './explorer.ts';
import styles from './Inspector.module.css';

export function Section({
  title,
  children,
  end,
}: {
  readonly title: string;
  readonly children: ReactNode;
  readonly end?: ReactNode;
}) {
  return (
    <section className={styles['section']}>
      <h3>
        {title}
        {end}
      </h3>
      {children}
    </section>
  );
}

/** How many a list has that are not shown, so that a cut list never reads as a whole one. */
export function More({ count, one, many }: { readonly count: number; readonly one: string; readonly many?: string }) {
  if (count === 0) return undefined;
  return <p className={styles['none']}>and {countOf(count, `more ${one}`, `more ${many ?? `${one}s`}`)}</p>;
}

/** Named facts, each with its basis (R61). */
export function Facts({ facts, explorer }: { readonly facts: readonly Fact[]; readonly explorer: Explorer }) {
  return (
    <dl className={styles['facts']}>
      {facts.map(({ name, value, basis, event }, at) => (
        <div key={`${name}-${at}`}>
          <dt>
            <Explained text={name} />
          </dt>
          <dd>
            {value === undefined ? (
              <NotRecorded />
            ) : event === undefined || event === explorer.event ? (
              value
            ) : (
              <InlineButton onPress={() => explorer.select(event)}>{value}</InlineButton>
            )}
            {basis === 'derived' ? (
              <span className={styles['basis']}>
                <Explained text="derived" />
              </span>
            ) : undefined}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Cells of a decision's matrix; an empty one is named as such (R53). */
export function Cells({ cells, explorer }: { readonly cells: readonly ProvenanceCell[]; readonly explorer: Explorer }) {
  return (
    <dl className={styles['facts']}>
      {cells.map(({ name, entries, unlisted }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {entries.length === 0 ? <NotRecorded /> : undefined}
            {entries.map(({ value, event, basis }, at) => (
              <span key={at} className={styles['entry']}>
                {event === undefined || event === explorer.event ? (
                  value
                ) : (
                  <InlineButton onPress={() => explorer.select(event)}>{value}</InlineButton>
                )}
                {basis === 'derived' ? (
                  <span className={styles['basis']}>
                    <Explained text="derived" />
                  </span>
                ) : undefined}
              </span>
            ))}
            <More count={unlisted} one="entry" many="entries" />
          </dd>
        </div>
      ))}
    </dl>
  );
}
