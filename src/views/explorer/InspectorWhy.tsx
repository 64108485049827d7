/** Why this happened, in one place (R21, R57): the chain from the effect to whose authority it ran under, the evidence, the policies, what was found. */
import type { ChainLink, Inspection, Neighbour } from '../../core/projections/trace-reader.ts';
import { NotRecorded } from '../../ui/Chip.tsx';
import { Icon } from '../../ui/Icons.tsx';
import { EventLink } from './EventLink.tsx';
import type { Explorer } from './explorer.ts';
import { Section } from './InspectorParts.tsx';
import styles from './Inspector.module.css';

export function WhyTab({ inspection, explorer }: { readonly inspection: Inspection; readonly explorer: Explorer }) {
  const { chain, causes, findings } = inspection;
  const policies = causes.filter(({ as }) => as === 'authorized_by');
  const evidence = causes.filter(({ as }) => as === 'informed_by' || as === 'consumed');
  return (
    <>
      {findings.length === 0 ? undefined : (
        <ul className={styles['findings']}>
          {findings.map((finding) => (
            <li key={finding.id} data-severity={finding.severity}>
              <button type="button" onClick={() => explorer.showFinding(finding.id)}>
                <Icon name={finding.severity === 'notice' ? 'info' : 'warning'} />
                {finding.title}
              </button>
            </li>
          ))}
        </ul>
      )}
      <Section title="How it came about">
        <ol className={styles['chain']}>
          {chain.map((link, at) => (
            <Link key={`${link.what}-${at}`} link={link} explorer={explorer} />
          ))}
        </ol>
      </Section>
      <Evidence title="Policy and approval" neighbours={policies} explorer={explorer} />
      <Evidence title="Evidence" neighbours={evidence} explorer={explorer} />
    </>
  );
}

function Link({ link, explorer }: { readonly link: ChainLink; readonly explorer: Explorer }) {
  const { what, value, event, basis } = link;
  const word = value ?? event;
  return (
    <li data-here={event !== undefined && event === explorer.event}>
      <span className={styles['what']}>{what}</span>
      <span className={styles['value']}>
        {word === undefined ? (
          <NotRecorded />
        ) : event === undefined ? (
          word
        ) : (
          <button type="button" className={styles['jump']} onClick={() => explorer.select(event)}>
            {word}
          </button>
        )}
        {basis === 'derived' ? <span className={styles['basis']}>derived</span> : undefined}
      </span>
    </li>
  );
}

function Evidence({
  title,
  neighbours,
  explorer,
}: {
  readonly title: string;
  readonly neighbours: readonly Neighbour[];
  readonly explorer: Explorer;
}) {
  return (
    <Section title={title}>
      {neighbours.length === 0 ? (
        <NotRecorded />
      ) : (
        neighbours.map(({ row, as }) => <EventLink key={`${as}-${row.id}`} row={row} explorer={explorer} />)
      )}
    </Section>
  );
}
