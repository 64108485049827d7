/** The faults a reader may ask about: included here or not, and where each is known from. */
import type { MenuEntry } from '../../core/recovery/index.ts';
import { Chip } from '../../ui/Chip.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { countOf } from '../../ui/format.ts';
import { TrialRef } from './EventRef.tsx';
import type { Links } from './links.ts';
import styles from './Parts.module.css';

export function FaultMenu({ menu, links }: { readonly menu: readonly MenuEntry[]; readonly links: Links }) {
  const ordered = [...menu.filter(({ included }) => included), ...menu.filter(({ included }) => !included)];
  return (
    <DataTable label="Fault menu">
      <thead>
        <tr>
          <th scope="col">Fault</th>
          <th scope="col">In these trials</th>
          <th scope="col">Known from</th>
          <th scope="col">Trials</th>
        </tr>
      </thead>
      <tbody>
        {ordered.map(({ id, title, included, provenance, trials }) => (
          <tr key={id}>
            <th scope="row">{title}</th>
            <td>{included ? <Chip tone="ok">included</Chip> : <Chip>excluded</Chip>}</td>
            <td>{provenance}</td>
            <td>
              {trials.length === 0 ? (
                <span className={styles['faint']}>none</span>
              ) : (
                <details>
                  <summary>{countOf(trials.length, 'trial')}</summary>
                  <span className={styles['stack']}>
                    {trials.map((trial) => (
                      <TrialRef key={trial} links={links} trial={trial} />
                    ))}
                  </span>
                </details>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </DataTable>
  );
}
