/**
 * What stands inside a button, a badge or a message: text in it is shown as names are, and elements stay what they are.
 *
 * Invariant: a name that a trace brings turns nothing around and is never longer than can be laid out, whoever passed it here.
 */
import { Children, type ReactNode } from 'react';
import { lineToShown, passageToShown } from '../core/base/shown-text.ts';

/** In one line: buttons and badges. */
export function labelToShown(children: ReactNode): ReactNode {
  return textsToShown(children, lineToShown);
}

/** Sentences: messages and notes. */
export function sentencesToShown(children: ReactNode): ReactNode {
  return textsToShown(children, passageToShown);
}

/** Only where a text changes: what is made anew would get other keys. */
function textsToShown(children: ReactNode, toShown: (text: string) => string): ReactNode {
  if (typeof children === 'string') return toShown(children);
  if (!Array.isArray(children)) return children;
  const parts: readonly ReactNode[] = children;
  if (parts.every((part) => typeof part !== 'string' || toShown(part) === part)) return parts;
  return Children.toArray(parts).map((part) => (typeof part === 'string' ? toShown(part) : part));
}
