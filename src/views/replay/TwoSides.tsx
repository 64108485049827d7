/** What tables of two sides share: values and places where they differ, and the row of statuses that narrows them. */
import type { ReactNode } from 'react';
import { lineToShown } from '../../core/base/shown-text.ts';
import type { JsonValue } from '../../core/base/json.ts';
import type { JsonDifference } from '../../core/replay/json-diff.ts';
import { countToText } from '../../ui/format.ts';
import { Icon } from '../../ui/Icons.tsx';
import { valueToLine } from './shown-value.ts';
import styles from './Comparison.module.css';

/** `recorded` is the side before, `now` the side after. */
export type Side = 'recorded' | 'now';

export interface StatusFilterProps<Status extends string> {
  readonly label: string;
  readonly counts: readonly (readonly [status: Status, count: number])[];
  readonly selected: Status | undefined;
  readonly onSelect: (status: Status | undefined) => void;
  readonly children: (status: Status) => ReactNode;
}

export function StatusFilter<Status extends string>({
  label,
  counts,
  selected,
  onSelect,
  children,
}: StatusFilterProps<Status>) {
  return (
    <ul aria-label={label}>
      {counts.map(([status, count]) => (
        <li key={status}>
          <button
            type="button"
            aria-pressed={status === selected}
            onClick={() => onSelect(status === selected ? undefined : status)}
          >
            {children(status)} <b>{countToText(count)}</b>
          </button>
        </li>
      ))}
    </ul>
  );
}

const mostPlaces = 3;

export interface PlacesProps {
  readonly differences: readonly JsonDifference[];
  readonly side: Side;
}

export function Places({ differences, side }: PlacesProps) {
  return (
    <ul className={styles['places']}>
      {differences.slice(0, mostPlaces).map((difference) => {
        const value = difference[side];
        return (
          <li key={difference.pointer}>
            <span>{lineToShown(difference.pointer.split('/').at(-1) ?? '')}</span>{' '}
            {value === undefined ? (
              <i>absent</i>
            ) : (
              <code>{valueToLine(value, 60, difference[side === 'now' ? 'recorded' : 'now'])}</code>
            )}
          </li>
        );
      })}
      {differences.length > mostPlaces ? (
        <li className={styles['none']}>{differences.length - mostPlaces} more</li>
      ) : undefined}
    </ul>
  );
}

/** What was asked otherwise, before what came of it. */
export function Asked({ differences, side }: PlacesProps) {
  if (differences.length === 0) return undefined;
  return (
    <div className={styles['asked']}>
      <span className={styles['none']}>asked with</span>
      <Places differences={differences} side={side} />
      <span className={styles['none']}>received</span>
    </div>
  );
}

/** `beside` is what the other side has in its place. */
export function Value({ value, beside }: { readonly value: JsonValue; readonly beside?: JsonValue | undefined }) {
  return <code className={styles['value']}>{valueToLine(value, 120, beside)}</code>;
}

/** A whole value under a word for what it is: what was asked with and what came back stand one below the other. */
export function Shown({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <>
      <p className={styles['none']}>{title}</p>
      {children}
    </>
  );
}

export function Same({ children }: { readonly children: string }) {
  return (
    <span className={styles['same']}>
      <Icon name="check" size={12} /> {children}
    </span>
  );
}

/** Before a side has come to its end, what is not there may still come. */
export function NotThere({ isReached = true }: { readonly isReached?: boolean }) {
  return <span className={styles['none']}>{isReached ? 'not there' : 'not reached'}</span>;
}
