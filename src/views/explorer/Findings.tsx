/** What the checks found: evidence worded as evidence, what is known, what is not, and the events that say so. */
import { useEffect, useRef } from 'react';
import type { Finding } from '../../core/projections/trace-reader.ts';
import { useFindings, useHeadline } from '../../data/index.ts';
import { Awaited } from '../../ui/Awaited.tsx';
import { countOf } from '../../ui/format.ts';
import { Icon, type IconName } from '../../ui/Icons.tsx';
import { Message } from '../../ui/Message.tsx';
import { More } from '../../ui/More.tsx';
import { Explained } from '../../ui/Term.tsx';
import { Checks } from './Checks.tsx';
import { EventIdLink } from './EventLink.tsx';
import type { Explorer } from './explorer.ts';
import styles from './Findings.module.css';

const signs: Readonly<Record<Finding['severity'], IconName>> = { violation: 'warning', gap: 'close', notice: 'info' };

export function Findings({ explorer }: { readonly explorer: Explorer }) {
  const findings = useFindings(explorer.trace, explorer.branch);
  const headline = useHeadline(explorer.trace, explorer.branch);
  const { data } = findings;
  if (data === undefined) return <Awaited of={findings} label="Checking" />;
  // How many checks ran is told with what they found: that none ran is never said before it is known.
  if (data.length === 0 && headline.data === undefined) return <Awaited of={headline} label="Checking" />;
  const checked = headline.data?.checked ?? [];
  return (
    <section className={styles['findings']} aria-label="Findings">
      {data.length === 0 ? (
        <NothingFound checks={checked.length} leftOut={headline.data?.leftOut} />
      ) : (
        <More items={data} noun="finding" wanted={data.findIndex(({ id }) => id === explorer.finding)}>
          {(part) => (
            <ol>
              {part.map((finding) => (
                <Item key={finding.id} finding={finding} explorer={explorer} />
              ))}
            </ol>
          )}
        </More>
      )}
      {checked.length === 0 ? undefined : (
        <details className={styles['checked']}>
          <summary>{countOf(checked.length, 'check')} ran: what each looks for and found</summary>
          <Checks checked={checked} findings={data} explorer={explorer} />
        </details>
      )}
    </section>
  );
}

/** Over a part nothing is found absent: what is not here may be what was left out. */
function NothingFound({ checks, leftOut }: { readonly checks: number; readonly leftOut: number | undefined }) {
  return leftOut === undefined ? (
    <Message title="Nothing found" icon="check">
      {countOf(checks, 'check')} ran over this branch. A fault that left no record cannot be found.
    </Message>
  ) : (
    <Message title="Not decidable in this copy" icon="info">
      {countOf(leftOut, 'event')} of this branch {leftOut === 1 ? 'is' : 'are'} left out of this copy. Nothing that the{' '}
      {countOf(checks, 'check')} look for is established by what is here alone; it may stand in what is left out.
    </Message>
  );
}

function Item({ finding, explorer }: { readonly finding: Finding; readonly explorer: Explorer }) {
  const { id, severity, title, text, known, unknown, evidence, interval, rule } = finding;
  const element = useRef<HTMLLIElement>(null);
  const isOpened = explorer.finding === id;
  const isHere = evidence.some((event) => event === explorer.event);
  // Syncs the scroll position with the finding that was asked for.
  useEffect(() => {
    if (isOpened) element.current?.scrollIntoView({ block: 'nearest' });
  }, [isOpened]);
  const [first] = evidence;
  return (
    <li ref={element} className={styles['finding']} data-severity={severity} data-here={isHere || isOpened}>
      <span className={styles['sign']}>
        <Icon name={signs[severity]} />
      </span>
      <div className={styles['body']}>
        <h3>
          <button
            type="button"
            disabled={first === undefined}
            onClick={() => first !== undefined && explorer.select(first)}
          >
            {title}
          </button>
          <span>{severity}</span>
        </h3>
        {text === title ? undefined : (
          <p>
            <Explained text={text} />
          </p>
        )}
        {interval === undefined ? undefined : <p>Interval: {interval}</p>}
        {known.length + unknown.length === 0 ? undefined : (
          <div className={styles['sides']}>
            <Side title="Known" lines={known} />
            <Side title="Not known" lines={unknown} />
          </div>
        )}
        <p className={styles['evidence']}>
          {evidence.length === 0 ? <span>No record of this trace is evidence</span> : <span>Evidence</span>}
          {evidence.slice(0, 8).map((event) => (
            <EventIdLink key={event} event={event} explorer={explorer} />
          ))}
          {evidence.length > 8 ? <span>and {countOf(evidence.length - 8, 'more event')}</span> : undefined}
          <code>{rule}</code>
        </p>
      </div>
    </li>
  );
}

function Side({ title, lines }: { readonly title: string; readonly lines: readonly string[] }) {
  if (lines.length === 0) return undefined;
  return (
    <div>
      <h4>{title}</h4>
      <ul>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </div>
  );
}
