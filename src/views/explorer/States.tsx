/** Durable state, one line a name: every version, what it was made from, and what changed where both values are recorded. */
import { lineToShown } from '../../core/base/shown-text.ts';
import type { JsonValue } from '../../core/base/json.ts';
import type { StateLine, StateVersion, ValueChange } from '../../core/projections/trace-reader.ts';
import { useStates } from '../../data/index.ts';
import { Awaited } from '../../ui/Awaited.tsx';
import { NotRecorded } from '../../ui/Chip.tsx';
import { FamilyIcon } from '../../ui/FamilyIcon.tsx';
import { countOf, shortId } from '../../ui/format.ts';
import { JsonView } from '../../ui/JsonView.tsx';
import { Message } from '../../ui/Message.tsx';
import { More } from '../../ui/More.tsx';
import type { Explorer } from './explorer.ts';
import styles from './States.module.css';

export function States({ explorer }: { readonly explorer: Explorer }) {
  const states = useStates(explorer.trace, explorer.branch);
  const { data } = states;
  if (data === undefined) return <Awaited of={states} label="Reading the state" />;
  if (data.length === 0)
    return (
      <Message title="No durable state is on record" icon="info">
        No event of this branch says that a version was made durable.
      </Message>
    );
  return (
    <section className={styles['states']} aria-label="State">
      <More
        items={data}
        noun="state"
        wanted={data.findIndex(({ versions }) => versions.some(({ event }) => event === explorer.event))}
      >
        {(part) => part.map((line) => <Name key={line.name} line={line} explorer={explorer} />)}
      </More>
    </section>
  );
}

function Name({ line, explorer }: { readonly line: StateLine; readonly explorer: Explorer }) {
  return (
    <article className={styles['name']}>
      <header>
        <FamilyIcon family="state" />
        <h3>{line.name}</h3>
        <span>{countOf(line.versions.length, 'version')}</span>
      </header>
      <More
        items={line.versions}
        noun="version"
        wanted={line.versions.findIndex(({ event }) => event === explorer.event)}
      >
        {(part) => (
          <ol>
            {part.map((version) => (
              <Version key={version.event} version={version} explorer={explorer} />
            ))}
          </ol>
        )}
      </More>
    </article>
  );
}

function Version({ version, explorer }: { readonly version: StateVersion; readonly explorer: Explorer }) {
  const { event, from, to, changes, value, digest } = version;
  return (
    <li className={styles['version']} data-here={event === explorer.event}>
      <button type="button" aria-current={event === explorer.event} onClick={() => explorer.select(event)}>
        <span className={styles['step']}>
          {from ?? <NotRecorded what="from" />} → {to ?? <NotRecorded what="to" />}
        </span>
        <span className={styles['digest']}>{digest === undefined ? '' : shortId(digest)}</span>
      </button>
      {changes.length > 0 ? (
        <dl className={styles['changes']}>
          {changes.slice(0, 12).map((change) => (
            <div key={change.path}>
              <dt>{change.path === '' ? 'whole value' : lineToShown(change.path)}</dt>
              <dd>
                <Change change={change} />
              </dd>
            </div>
          ))}
          {changes.length > 12 ? <p>{countOf(changes.length - 12, 'more change')}</p> : undefined}
        </dl>
      ) : value === undefined ? undefined : (
        <JsonView value={value} label={`Value of version ${to ?? ''}`} depth={1} />
      )}
    </li>
  );
}

/** Added, gone, or one value instead of another: by sign and word order, not by colour alone. */
function Change({ change }: { readonly change: ValueChange }) {
  const { before, after } = change;
  if (before === undefined) return <ins>+ {valueToText(after)}</ins>;
  if (after === undefined) return <del>− {valueToText(before)}</del>;
  return (
    <>
      <del>{valueToText(before)}</del> → <ins>{valueToText(after)}</ins>
    </>
  );
}

/** A value in one line. */
function valueToText(value: JsonValue | undefined): string {
  if (value === undefined) return '';
  const text = JSON.stringify(value);
  return lineToShown(text.length > 160 ? `${text.slice(0, 160)}…` : text);
}
