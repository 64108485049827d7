/** A long list in parts: what is not shown is counted, and one press away. */
import { type ReactNode, useState } from 'react';
import { Button } from './Button.tsx';
import { countOf, countToText } from './format.ts';
import styles from './More.module.css';

const firstItems = 200;

export interface MoreProps<T> {
  readonly items: readonly T[];
  /** In the singular. */
  readonly noun: string;
  /** In the plural, where it is not the noun with an s. */
  readonly nouns?: string | undefined;
  /** The item that has to be in sight: all before it are shown too. -1 for none. */
  readonly wanted?: number;
  readonly children: (part: readonly T[]) => ReactNode;
}

export function More<T>({ items, noun, nouns, wanted = -1, children }: MoreProps<T>) {
  const [asked, setAsked] = useState(firstItems);
  const shown = Math.max(asked, wanted + 1);
  return (
    <>
      {children(items.length <= shown ? items : items.slice(0, shown))}
      {items.length <= shown ? undefined : (
        <p className={styles['more']}>
          {countToText(shown)} of {countOf(items.length, noun, nouns)} shown.
          <Button onPress={() => setAsked(shown * 2)}>
            Show {countToText(Math.min(shown, items.length - shown))} more
          </Button>
        </p>
      )}
    </>
  );
}
