/** What the reviewer reads around the copy: its title, a note, and until when it may be shown. All of it leaves, encrypted. */
import { nameProblem } from '../../core/base/shown-text.ts';
import { Field } from '../../ui/Field.tsx';
import { expiryProblem } from './expires.ts';
import styles from './View.module.css';

export interface CoveringProps {
  readonly title: string;
  readonly onTitle: (title: string) => void;
  readonly note: string;
  readonly onNote: (note: string) => void;
  readonly expires: string;
  readonly onExpires: (day: string) => void;
}

export function Covering({ title, onTitle, note, onNote, expires, onExpires }: CoveringProps) {
  return (
    <section className={styles['covering']} aria-label="For the reviewer">
      <Field
        label="Title the reviewer sees"
        value={title}
        onChange={onTitle}
        problem={nameProblem(title)}
        help="The name of your file is not shared."
      />
      <Field
        label="Expires"
        type="date"
        value={expires}
        onChange={onExpires}
        problem={expiryProblem(expires, new Date().toISOString())}
        help="A courtesy that the page keeps, not a lock."
      />
      <Field label="Note" isLong value={note} onChange={onNote} placeholder="What should the reviewer look at?" />
    </section>
  );
}
