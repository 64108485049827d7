/**
 * A search for text that takes a while: how far it is, the first events that hold it, and the way to give it up.
 *
 * Shown only while it runs; what was shown before it began stays until the answer is whole.
 */
import { useTextSearch } from '../../data/index.ts';
import { bytesToText, countToText } from '../../ui/format.ts';
import { Progress } from '../../ui/Progress.tsx';
import type { Explorer } from './explorer.ts';
import styles from './Searching.module.css';

export interface SearchingProps {
  readonly explorer: Explorer;
  /** Takes the filter away, and the search with it. */
  readonly onStop: () => void;
}

export function Searching({ explorer, onStop }: SearchingProps) {
  const search = useTextSearch(explorer.trace);
  if (search === undefined) return undefined;
  const { text, bytes, bytesTotal, found, first } = search;
  return (
    <section className={styles['bar']} aria-label="Search for text">
      <span className={styles['progress']}>
        <Progress label={`Searching for “${text}”`} share={bytes / bytesTotal} />
      </span>
      <span>
        Searched {bytesToText(bytes)} of {bytesToText(bytesTotal)} for “{text}”: in {countToText(found)}{' '}
        {found === 1 ? 'record' : 'records'} so far
      </span>
      {first.length === 0 ? undefined : (
        <ul aria-label="First events that it will show">
          {first.map(({ id, title }) => (
            <li key={id}>
              <button type="button" onClick={() => explorer.select(id)}>
                {title}
              </button>
            </li>
          ))}
        </ul>
      )}
      <button type="button" className={styles['stop']} onClick={onStop}>
        Stop
      </button>
    </section>
  );
}
