/** What leaves, in numbers, what will replay, and a search in the text that leaves. */
import { useMemo, useState } from 'react';
import { computeCopyReplay } from '../../core/share/replays.ts';
import type { MadeShare } from '../../data/index.ts';
import { Field } from '../../ui/Field.tsx';
import { countOf } from '../../ui/format.ts';
import styles from './Leaving.module.css';

export interface LeavingProps {
  readonly made: MadeShare | undefined;
}

const shownMatches = 5;
const around = 40;

export function Leaving({ made }: LeavingProps) {
  const [sought, setSought] = useState('');
  const replay = useMemo(() => (made === undefined ? undefined : computeCopyReplay(made.text)), [made]);
  const matches = useMemo(() => (made === undefined ? [] : findMatches(made.text, sought)), [made, sought]);
  return (
    <section className={styles['leaving']} aria-label="What leaves">
      <h2>What leaves</h2>
      <p aria-live="polite">
        {made === undefined
          ? 'Making the copy…'
          : `${countOf(made.events, 'event')}, ${countOf(made.holes.length, 'hole')} where values were withheld${made.omitted === 0 ? '' : `, ${countOf(made.omitted, 'event')} left out and counted`}.`}{' '}
        {replay?.sentence}
      </p>
      <Field
        label="Look for a text in what leaves"
        value={sought}
        onChange={setSought}
        placeholder="a name, a number, a secret"
      />
      {sought === '' ? undefined : (
        <div className={styles['matches']} role="status">
          {matches.length === 0
            ? `“${sought}” does not occur in what leaves.`
            : `${countOf(matches.length, 'match', 'matches')}:`}
          <ul>
            {matches.slice(0, shownMatches).map((match) => (
              <li key={match.at}>
                <code>
                  {match.before}
                  <mark>{match.text}</mark>
                  {match.after}
                </code>
              </li>
            ))}
          </ul>
          {matches.length > shownMatches
            ? `and ${countOf(matches.length - shownMatches, 'more match', 'more matches')}`
            : undefined}
        </div>
      )}
    </section>
  );
}

interface Match {
  readonly at: number;
  readonly before: string;
  readonly text: string;
  readonly after: string;
}

function findMatches(text: string, sought: string): readonly Match[] {
  if (sought === '') return [];
  const matches: Match[] = [];
  const lower = text.toLowerCase();
  const needle = sought.toLowerCase();
  for (let at = lower.indexOf(needle); at >= 0; at = lower.indexOf(needle, at + needle.length)) {
    const end = at + needle.length;
    matches.push({
      at,
      before: text.slice(Math.max(0, at - around), at),
      text: text.slice(at, end),
      after: text.slice(end, end + around),
    });
  }
  return matches;
}
