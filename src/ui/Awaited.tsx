/**
 * What stands where an answer is not there: quiet lines while it comes, a sentence where it could not be read.
 *
 * Invariant: a failed read is told as that. "Not recorded" is a fact about the run, and needs an answer.
 */
import { passageToShown } from '../core/base/shown-text.ts';
import { Message } from './Message.tsx';
import { Waiting } from './Progress.tsx';

export interface AwaitedProps {
  /** The question; `error` is null while nothing went wrong. */
  readonly of: { readonly error: Error | null };
  /** What is being read, for who cannot see the lines. */
  readonly label: string;
  readonly lines?: number;
  /** Inside a sentence or a table there is no room for a message of its own. */
  readonly isInline?: boolean;
}

export function Awaited({ of: { error }, label, lines = 4, isInline = false }: AwaitedProps) {
  if (error === null) return isInline ? <span role="status">{label}…</span> : <Waiting label={label} lines={lines} />;
  if (isInline) return <span role="alert">This could not be read: {passageToShown(error.message)}</span>;
  return (
    <Message title="This could not be read" icon="warning" tone="problem">
      {error.message}
    </Message>
  );
}
