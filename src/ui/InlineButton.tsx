/**
 * A button inside a sentence: it breaks over lines as the words around it do.
 *
 * Invariant: pressed, focused and named as every button. Browsers lay out the element `button` as a box of its own, whatever its style
 * says, so that a long one becomes a block and the full stop after it stands alone.
 */
import type { KeyboardEvent, ReactNode } from 'react';
import styles from './InlineButton.module.css';

export interface InlineButtonProps {
  readonly onPress: () => void;
  /** Of a button that opens and closes what it stands at. */
  readonly isExpanded?: boolean;
  /** The id of what says more about it. */
  readonly describedBy?: string | undefined;
  /** For another look than that of a link. */
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

export function InlineButton({ onPress, isExpanded, describedBy, className, children }: InlineButtonProps) {
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    // A space would scroll.
    event.preventDefault();
    onPress();
  };
  return (
    <span
      role="button"
      tabIndex={0}
      aria-expanded={isExpanded}
      aria-describedby={describedBy}
      className={className ?? styles['button']}
      onClick={onPress}
      onKeyDown={onKeyDown}
    >
      {children}
    </span>
  );
}
