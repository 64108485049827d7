/** The overview as a list: marks first, in the order of the run, then the lanes with their counts. Shown on demand. */
import { useState } from 'react';
import type { EventId } from '../../core/model/index.ts';
import type { Overview } from '../../core/projections/trace-reader.ts';
import { IconButton } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { countOf } from '../../ui/format.ts';
import type { Explorer } from './explorer.ts';
import styles from './Overview.module.css';

export function OverviewList({ overview, explorer }: { readonly overview: Overview; readonly explorer: Explorer }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className={styles['aslist']}>
      <IconButton icon="menu" label="Overview as a list" onPress={() => setOpen(true)} />
      <Dialog title="The run as a list" isOpen={isOpen} onClose={() => setOpen(false)}>
        {isOpen ? (
          <Listed
            overview={overview}
            onSelect={(event) => {
              setOpen(false);
              explorer.select(event);
            }}
          />
        ) : undefined}
      </Dialog>
    </div>
  );
}

interface ListedProps {
  readonly overview: Overview;
  readonly onSelect: (event: EventId) => void;
}

/** Made only when it is looked at: it counts all bins of all lanes. */
function Listed({ overview, onSelect }: ListedProps) {
  return (
    <>
      <h3>Marks, in causal order</h3>
      {overview.marks.length === 0 ? <p>No kill, restart, fork, finding or gap.</p> : undefined}
      <ol className={styles['marks']}>
        {overview.marks.map((mark) => (
          <li key={`${mark.kind}-${mark.event}`}>
            <button type="button" onClick={() => onSelect(mark.event)}>
              <b>{mark.kind}</b> {mark.label}
            </button>
          </li>
        ))}
      </ol>
      <h3>Lanes</h3>
      <ul>
        {overview.lanes.map((lane) => {
          const total = lane.bins.reduce((sum, { count }) => sum + count, 0);
          const effects = lane.bins.reduce((sum, bin) => sum + bin.effects, 0);
          const atOnce = lane.bins.reduce((most, bin) => Math.max(most, bin.atOnce ?? 0), 0);
          return (
            <li key={lane.id}>
              {lane.label} ({lane.kind}): {countOf(total, 'event')}
              {effects === 0 ? '' : `, ${countOf(effects, 'external effect')}`}
              {atOnce < 2 ? '' : `, up to ${countOf(atOnce, 'call')} open at once`}
            </li>
          );
        })}
      </ul>
    </>
  );
}
