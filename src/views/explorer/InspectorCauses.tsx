/** What this event comes from and what came from it, each edge with its kind, its grade and, where inferred, its rule. */
import { nameToShown } from '../../core/base/shown-text.ts';
import type { Inspection, Neighbours } from '../../core/projections/trace-reader.ts';
import { Kbd } from '../../ui/Button.tsx';
import { countOf } from '../../ui/format.ts';
import { EdgeSample } from '../../ui/Legend.tsx';
import { EventLink } from './EventLink.tsx';
import type { Explorer } from './explorer.ts';
import { kindToWords } from './graph-model.ts';
import { Section } from './InspectorParts.tsx';
import styles from './Inspector.module.css';

export function CausesTab({ inspection, explorer }: { readonly inspection: Inspection; readonly explorer: Explorer }) {
  const { causes, effects } = inspection;
  return (
    <>
      <Section title="Because of" end={<Kbd>[</Kbd>}>
        {causes.listed.length === 0 ? (
          <p className={styles['none']}>No cause of this event is on record.</p>
        ) : (
          <List neighbours={causes} explorer={explorer} />
        )}
      </Section>
      <Section title="Led to" end={<Kbd>]</Kbd>}>
        {effects.listed.length === 0 ? (
          <p className={styles['none']}>No event names this one as its cause.</p>
        ) : (
          <List neighbours={effects} explorer={explorer} />
        )}
      </Section>
    </>
  );
}

function List({ neighbours, explorer }: { readonly neighbours: Neighbours; readonly explorer: Explorer }) {
  return (
    <>
      <ul>
        {neighbours.listed.map(({ row, as, grade, rule }) => (
          <li key={`${as}-${row.id}-${rule ?? ''}`} className={styles['neighbour']}>
            <p>
              <EdgeSample grade={grade} />
              {kindToWords(as)}
              <span>
                {grade}
                {rule === undefined ? '' : `${grade === 'recorded' ? ', its kind' : ''} by ${nameToShown(rule)}`}
              </span>
            </p>
            <EventLink row={row} explorer={explorer} />
          </li>
        ))}
      </ul>
      {neighbours.unlisted.length === 0 ? undefined : (
        <p className={styles['none']}>
          and{' '}
          {neighbours.unlisted
            .map(({ as, count }) => `${countOf(count, 'more event')} (${kindToWords(as)})`)
            .join(', ')}
          ; the timeline has them all
        </p>
      )}
    </>
  );
}
