/** An event of a trial named in text: a link to it in the explorer. */
import { shortId } from '../../ui/format.ts';
import type { Links } from './links.ts';
import styles from './Parts.module.css';

export interface EventRefProps {
  readonly links: Links;
  readonly trial: string;
  readonly event: string;
  /** What stands in the link; by default the type of the event. */
  readonly label?: string | undefined;
}

export function EventRef({ links, trial, event, label }: EventRefProps) {
  const href = links.toEvent(trial, event);
  const text = label ?? links.typeOf(trial, event) ?? shortId(event);
  if (href === undefined) return <span className={styles['event']}>{text}</span>;
  return (
    <a className={styles['event']} href={href} title={event}>
      {text}
    </a>
  );
}

const mostShown = 6;

export function EventRefs({
  links,
  trial,
  events,
}: {
  readonly links: Links;
  readonly trial: string;
  readonly events: readonly string[];
}) {
  const shown = [...new Set(events)];
  return (
    <span className={styles['events']}>
      {shown.slice(0, mostShown).map((event) => (
        <EventRef key={event} links={links} trial={trial} event={event} />
      ))}
      {shown.length > mostShown ? <span>and {shown.length - mostShown} more</span> : undefined}
    </span>
  );
}

/** A trial named in text: shows its story. */
export function TrialRef({ links, trial }: { readonly links: Links; readonly trial: string }) {
  return (
    <button
      type="button"
      className={styles['trialRef']}
      title={links.nameOf(trial)}
      onClick={() => links.showTrial(trial)}
    >
      {links.shortNameOf(trial)}
    </button>
  );
}
