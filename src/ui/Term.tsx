/**
 * A word of the trade, explained in place: pressed, or reached with Tab and pressed, it says what it means.
 *
 * `Explained` finds the first such word in a text by itself. Neither goes inside a button or a link.
 */
import { Button, DialogTrigger, Popover } from 'react-aria-components';
import { type GlossaryEntry, findTerm } from './glossary.ts';
import { ownName } from './own-name.ts';
import styles from './Term.module.css';

function Term({ entry, children }: { readonly entry: GlossaryEntry; readonly children: string }) {
  return (
    <DialogTrigger>
      <Button className={styles['term'] ?? ''} aria-label={`${children}: what it means`}>
        {children}
      </Button>
      <Popover
        className={styles['popover'] ?? ''}
        placement="bottom start"
        offset={4}
        aria-label={`What “${entry.term}” means`}
        {...ownName}
      >
        <div className={styles['dialog'] ?? ''}>
          <b>{entry.term}</b> {entry.meaning}
        </div>
      </Popover>
    </DialogTrigger>
  );
}

export function Explained({ text }: { readonly text: string }) {
  const found = findTerm(text);
  if (found === undefined) return text;
  const { entry, from, to } = found;
  return (
    <>
      {text.slice(0, from)}
      <Term entry={entry}>{text.slice(from, to)}</Term>
      {text.slice(to)}
    </>
  );
}
