/** What leaves, in numbers, what will replay, and a search in the text that leaves. */
import { useDeferredValue, useMemo, useState } from 'react';
import { omissionToWords } from '../../core/share/omitted.ts';
import { computeCopyReplay } from '../../core/share/replays.ts';
import { type LeavingFound, findInTexts, leavesToTexts } from '../../core/share/search.ts';
import type { MadeShare } from '../../data/index.ts';
import { Field } from '../../ui/Field.tsx';
import { countOf, countToText } from '../../ui/format.ts';
import { matchToPlace } from './match-words.ts';
import { holesToLines } from './withheld-words.ts';
import styles from './Leaving.module.css';

export interface LeavingProps {
  readonly made: MadeShare | undefined;
}

export function Leaving({ made }: LeavingProps) {
  const [sought, setSought] = useState('');
  const replay = useMemo(() => (made === undefined ? undefined : computeCopyReplay(made.text)), [made]);
  // Typing stays quick in a large copy, which is unfolded once, when something is first looked for.
  const settled = useDeferredValue(sought);
  const isSought = settled !== '';
  const texts = useMemo(() => (made === undefined || !isSought ? undefined : leavesToTexts(made)), [made, isSought]);
  const found = useMemo(() => (texts === undefined ? undefined : findInTexts(texts, settled)), [texts, settled]);
  const omission = made === undefined ? undefined : omissionToWords(made);
  return (
    <section className={styles['leaving']} aria-label="What leaves">
      <h2>What leaves</h2>
      <p aria-live="polite">
        {made === undefined
          ? 'Making the copy…'
          : `${countOf(made.events, 'event')}, ${countOf(made.holes.length, 'hole')} where values were withheld.${omission === undefined ? '' : ` Not in it, and counted in it: ${omission}.`}`}{' '}
        {replay?.sentence}
      </p>
      {made === undefined || made.holes.length === 0 ? undefined : (
        <details className={styles['withheld']}>
          <summary>What is withheld, and why</summary>
          <ul>
            {holesToLines(made.holes).map(({ count, what, why }) => (
              <li key={`${what} ${why}`}>
                <b>{countToText(count)}</b> {what}: {why}
              </li>
            ))}
          </ul>
        </details>
      )}
      <Field
        label="Look for a text in what leaves"
        value={sought}
        onChange={setSought}
        placeholder="a name, a number, a secret"
      />
      {found === undefined || !isSought ? undefined : (
        <div className={styles['matches']} role="status">
          {foundToSentence(found, settled)}
          <ul>
            {found.matches.map((match, at) => (
              <li key={at}>
                <code>
                  {match.before}
                  <mark>{match.text}</mark>
                  {match.after}
                </code>
                <span>in {matchToPlace(match)}</span>
              </li>
            ))}
          </ul>
          {found.count > found.matches.length
            ? `and ${countOf(found.count - found.matches.length, 'more match', 'more matches')}`
            : undefined}
        </div>
      )}
    </section>
  );
}

function foundToSentence({ count, isMore }: LeavingFound, sought: string): string {
  if (count === 0) return `“${sought}” does not occur in what leaves.`;
  return `${isMore ? 'At least ' : ''}${countOf(count, 'match', 'matches')}:`;
}
