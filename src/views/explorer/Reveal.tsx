/** A sentence that appears over an element while it is hovered or holds the focus, and is its description for screen readers. */
import styles from './Reveal.module.css';

/** Goes inside a positioned parent that has `revealing` among its classes. */
export function Reveal({ id, text }: { readonly id: string; readonly text: string }) {
  return (
    <span id={id} role="tooltip" className={styles['sentence']}>
      {text}
    </span>
  );
}

export const revealing = styles['revealing'] ?? '';
