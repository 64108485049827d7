/** An event named in text: its icon and title, pressed to select it. */
import { lineToShown } from '../../core/base/shown-text.ts';
import type { EventId } from '../../core/model/index.ts';
import type { EventRow } from '../../core/projections/trace-reader.ts';
import { agentToText } from '../../core/projections/title-words.ts';
import { FamilyIcon } from '../../ui/FamilyIcon.tsx';
import { shortId } from '../../ui/format.ts';
import type { Explorer } from './explorer.ts';
import { titleToRead } from './title.ts';
import styles from './EventLink.module.css';

export interface EventLinkProps {
  readonly explorer: Explorer;
  readonly row: Pick<EventRow, 'id' | 'type' | 'family' | 'title' | 'failed' | 'effect' | 'agent' | 'agentName'>;
}

export function EventLink({ explorer, row }: EventLinkProps) {
  return (
    <button
      type="button"
      className={styles['link']}
      aria-current={row.id === explorer.event}
      onClick={() => explorer.select(row.id)}
    >
      <FamilyIcon family={row.family} effect={row.effect} failed={row.failed} />
      <span className={styles['words']}>
        <span className={styles['title']} title={row.title}>
          {titleToRead(row.title).name}
        </span>
        <span className={styles['type']}>
          {lineToShown(row.type)}
          {row.agent === undefined ? '' : ` · ${row.agentName ?? agentToText(row.agent)}`}
        </span>
      </span>
    </button>
  );
}

/** An event known by its id alone. */
export function EventIdLink({ explorer, event }: { readonly explorer: Explorer; readonly event: EventId }) {
  return (
    <button
      type="button"
      className={styles['id']}
      title={lineToShown(event)}
      aria-current={event === explorer.event}
      onClick={() => explorer.select(event)}
    >
      {lineToShown(shortId(event))}
    </button>
  );
}
