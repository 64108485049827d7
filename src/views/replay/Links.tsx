/** Events named in text, as links into the explorer, and the path of reasons made of them. */
import { createContext, use, useState } from 'react';
import type { EventId } from '../../core/model/index.ts';
import type { EventRow } from '../../core/projections/trace-reader.ts';
import type { ReplayReason } from '../../core/replay/reason.ts';
import { FamilyIcon } from '../../ui/FamilyIcon.tsx';
import { countOf, shortId } from '../../ui/format.ts';
import { reasonToWords, reasonsToSteps } from '../../ui/reason-words.ts';
import styles from './Links.module.css';

export interface EventLinks {
  readonly hrefOf: (event: EventId) => string;
  readonly titles: ReadonlyMap<EventId, EventRow>;
}

export const EventLinksContext = createContext<EventLinks | undefined>(undefined);

export interface EventRefProps {
  readonly event: EventId;
  /** Without its icon, where that stands beside it already. */
  readonly bare?: boolean;
}

export function EventRef({ event, bare = false }: EventRefProps) {
  const links = use(EventLinksContext);
  const row = links?.titles.get(event);
  return (
    <a
      className={styles['event']}
      href={links?.hrefOf(event)}
      title={`${row === undefined ? '' : `${row.title} · ${row.type} · `}${event}`}
    >
      {row === undefined || bare ? undefined : (
        <FamilyIcon family={row.family} effect={row.effect} failed={row.failed} size="small" />
      )}
      <span>{row === undefined ? shortId(event) : row.title}</span>
    </a>
  );
}

/** Steps of a path shown before a person asks for the rest. */
const firstSteps = 4;

/** From a record back to the edit. A result and its request are one step: that hop says nothing. */
export function ReasonPath({ reasons }: { readonly reasons: readonly ReplayReason[] }) {
  const [isWhole, setWhole] = useState(false);
  const steps = reasonsToSteps(reasons);
  if (steps.length === 0) return undefined;
  const hidden = isWhole || steps.length <= firstSteps ? 0 : steps.length - firstSteps;
  return (
    <ol className={styles['path']} aria-label="Path of reasons">
      {steps.map(({ event, as }, at) => {
        // The nearest causes and the edit itself are always told.
        if (hidden > 0 && at >= firstSteps - 1 && at < steps.length - 1) return undefined;
        return (
          <li key={`${event}-${at}`}>
            {hidden > 0 && at === steps.length - 1 ? (
              <button type="button" className={styles['more']} onClick={() => setWhole(true)}>
                … {countOf(hidden, 'more step')} …
              </button>
            ) : undefined}
            <span>{at === 0 ? reasonToWords(as) : `which ${reasonToWords(as)}`}</span> <EventRef event={event} />
          </li>
        );
      })}
    </ol>
  );
}
