/** Said by a pane whose every line the filter hides: what the filter reads, and the way back to all of them. */
import { Button } from '../../ui/Button.tsx';
import { countOf } from '../../ui/format.ts';
import { Message } from '../../ui/Message.tsx';
import type { Explorer } from './explorer.ts';

export function AllHidden({ hidden, explorer }: { readonly hidden: number; readonly explorer: Explorer }) {
  return (
    <Message
      title="Every line is hidden by the filter"
      icon="search"
      actions={<Button onPress={explorer.clearFilter}>Clear the filter</Button>}
    >
      <p>{countOf(hidden, 'event')} hidden by the filter.</p>
      <p>
        Plain words are looked for in the record of each event and in its title, each by itself; words in quotes
        together, as they stand. A field such as <code>type:</code>, <code>agent:</code>, <code>tool:</code> or{' '}
        <code>status:</code> compares that field alone.
      </p>
    </Message>
  );
}
