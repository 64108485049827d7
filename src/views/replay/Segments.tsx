/** A choice between a few words, all in sight. */
import { lineToShown } from '../../core/base/shown-text.ts';
import styles from './Segments.module.css';

export interface SegmentsProps<Id extends string> {
  readonly label: string;
  readonly items: readonly { readonly id: Id; readonly label: string }[];
  readonly selected: Id;
  readonly onSelect: (id: Id) => void;
}

export function Segments<Id extends string>({ label, items, selected, onSelect }: SegmentsProps<Id>) {
  return (
    <div className={styles['segments']} role="group" aria-label={label}>
      <span>{label}</span>
      <div className={styles['buttons']}>
        {items.map((item) => (
          <button key={item.id} type="button" aria-pressed={item.id === selected} onClick={() => onSelect(item.id)}>
            {lineToShown(item.label)}
          </button>
        ))}
      </div>
    </div>
  );
}
