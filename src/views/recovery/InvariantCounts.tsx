/** Every invariant over the valid faulted trials of each design: held, violated, not checked; the trials that broke it by name. */
import { type CampaignReport, countInvariants, isCounted, type TrialReport } from '../../core/recovery/index.ts';
import { DataTable } from '../../ui/DataTable.tsx';
import { TrialRef } from './EventRef.tsx';
import type { Links } from './links.ts';
import styles from './Parts.module.css';

export function InvariantCounts({ campaign, links }: { readonly campaign: CampaignReport; readonly links: Links }) {
  const { strategies, trials } = campaign;
  const valid = trials.filter(isCounted);
  const known = countInvariants(valid);
  if (known.length === 0) return undefined;
  return (
    <div className={styles['block']}>
      <h3>Invariants</h3>
      <DataTable label="Invariants by design">
        <thead>
          <tr>
            <th scope="col">Invariant</th>
            {strategies.map(({ id, name }) => (
              <th key={id} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {known.map(({ id, text }) => (
            <tr key={id}>
              <th scope="row">{text}</th>
              {strategies.map((strategy) => (
                <td key={strategy.id}>
                  <Counts
                    invariant={id}
                    trials={valid.filter((trial) => strategy.trials.includes(trial.id))}
                    links={links}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </DataTable>
    </div>
  );
}

const mostNamed = 3;

function Counts({
  invariant,
  trials,
  links,
}: {
  readonly invariant: string;
  readonly trials: readonly TrialReport[];
  readonly links: Links;
}) {
  const count = countInvariants(trials).find(({ id }) => id === invariant);
  const checked = count?.checked ?? 0;
  const broken = count?.violatedIn ?? [];
  if (checked === 0) return <span className={styles['faint']}>not checked</span>;
  const others = trials.length - checked;
  const unchecked = others === 0 ? (broken.length === 0 ? ` of ${trials.length}` : '') : `, not checked in ${others}`;
  if (broken.length === 0)
    return (
      <span className={styles['good']}>
        held in {checked}
        {unchecked}
      </span>
    );
  return (
    <span className={styles['stack']}>
      <span className={styles['bad']}>
        violated in {broken.length} of {checked}
        {unchecked}
      </span>
      {broken.slice(0, mostNamed).map((id) => (
        <TrialRef key={id} links={links} trial={id} />
      ))}
      {broken.length > mostNamed ? (
        <span className={styles['faint']}>and {broken.length - mostNamed} more</span>
      ) : undefined}
    </span>
  );
}
