/** The pieces the tabs of the inspector are made of. */
import type { ReactNode } from 'react';
import type { Fact } from '../../core/projections/trace-reader.ts';
import { NotRecorded } from '../../ui/Chip.tsx';
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

/** Named facts, each with its basis (R61). */
export function Facts({ facts, explorer }: { readonly facts: readonly Fact[]; readonly explorer: Explorer }) {
  return (
    <dl className={styles['facts']}>
      {facts.map(({ name, value, basis, event }, at) => (
        <div key={`${name}-${at}`}>
          <dt>{name}</dt>
          <dd>
            {value === undefined ? (
              <NotRecorded />
            ) : event === undefined || event === explorer.event ? (
              value
            ) : (
              <button type="button" className={styles['jump']} onClick={() => explorer.select(event)}>
                {value}
              </button>
            )}
            {basis === 'derived' ? <span className={styles['basis']}>derived</span> : undefined}
          </dd>
        </div>
      ))}
    </dl>
  );
}
