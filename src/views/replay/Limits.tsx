/** What a result rests on: preview against fact, assumptions, warnings, and what no replay can repeat or reverse (R46). */
import type { ReactNode } from 'react';
import { passageToShown, lineToShown } from '../../core/base/shown-text.ts';
import type { ReplayItem, ReplayReport } from '../../data/index.ts';
import { countOf } from '../../ui/format.ts';
import { Explained } from '../../ui/Term.tsx';
import { EventRef } from './Links.tsx';
import styles from './Result.module.css';
import { flagsToSentences } from './words.ts';

const listed = 20;

export function Limits({ report }: { readonly report: ReplayReport }) {
  const { savedByCutoff, undeclaredEdges, warnings, problems, cannotRepeat, open, preview } = report;
  const assumptions = [...flagsToSentences(report.flags), ...warnings];
  return (
    <section className={styles['part']} aria-label="What this rests on">
      {preview === undefined || report.noop ? undefined : (
        <>
          <h3>Preview and fact</h3>
          {savedByCutoff.length + undeclaredEdges.length === 0 ? (
            <p className={styles['soft']}>
              <Explained text="The preview, which follows the declared edges, foretold exactly what fell." />
            </p>
          ) : undefined}
          <Items items={savedByCutoff}>
            {countOf(savedByCutoff.length, 'record')} would have fallen by the edges and{' '}
            {savedByCutoff.length === 1 ? 'stands' : 'stand'}: the recomputed value is the recorded one (saved by early
            cut-off).
          </Items>
          <Items items={undeclaredEdges}>
            {countOf(undeclaredEdges.length, 'record')} fell although no declared edge leads there: the trace lacks{' '}
            {undeclaredEdges.length === 1 ? 'an edge' : 'edges'} (a provenance gap).
          </Items>
        </>
      )}
      {assumptions.length === 0 ? undefined : (
        <>
          <h3>Assumed</h3>
          <Sentences list={assumptions} />
        </>
      )}
      {open.length === 0 ? undefined : (
        <>
          <h3>Asked for, and not answered before the run ended</h3>
          <Sentences list={open} />
        </>
      )}
      {problems.length === 0 ? undefined : (
        <>
          <h3>Problems in the record</h3>
          <Sentences list={problems.map(({ message }) => message)} />
        </>
      )}
      <h3>What a replay cannot repeat or take back</h3>
      <Sentences list={cannotRepeat} />
    </section>
  );
}

/** The first ones; the rest is one press away. */
function Sentences({ list }: { readonly list: readonly string[] }) {
  const first = list.slice(0, listed);
  const rest = list.slice(listed);
  return (
    <>
      <ul className={styles['sentences']}>
        {first.map((sentence, at) => (
          <li key={at}>{passageToShown(sentence)}</li>
        ))}
      </ul>
      {rest.length === 0 ? undefined : (
        <details>
          <summary>{countOf(rest.length, 'more', 'more')}</summary>
          <ul className={styles['sentences']}>
            {rest.map((sentence, at) => (
              <li key={at}>{passageToShown(sentence)}</li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function Items({ items, children }: { readonly items: readonly ReplayItem[]; readonly children: ReactNode }) {
  if (items.length === 0) return undefined;
  return (
    <div className={styles['items']}>
      <p>{children}</p>
      <ul>
        {items.slice(0, listed).map(({ path, event }) => (
          <li key={path}>{event === undefined ? <code>{lineToShown(path)}</code> : <EventRef event={event} />}</li>
        ))}
        {items.length > listed ? <li>and {countOf(items.length - listed, 'more', 'more')}</li> : undefined}
      </ul>
    </div>
  );
}
