/**
 * A JSON value being edited: the text with its syntax, and a sentence with the place where it is no JSON.
 *
 * Invariant: what a writer can record can be typed and read back (long numbers, repeated keys); nothing is repaired silently.
 */
import { type ReactNode, useId } from 'react';
import { lineToShown, passageToShown } from '../core/base/shown-text.ts';
import { CodeEditor } from './CodeEditor.tsx';
import { textToJson } from './json-text.ts';
import styles from './JsonEditor.module.css';

export interface JsonEditorProps {
  readonly label: string;
  readonly text: string;
  readonly onText: (text: string) => void;
  /** What else is wrong with the value, in sentences. */
  readonly problems?: readonly string[];
  /** What the value was checked against, and what else there is to say while nothing is wrong. */
  readonly note?: ReactNode;
  /** Ctrl+Enter, or Cmd+Enter, while one types here. */
  readonly onSubmit?: (() => void) | undefined;
}

export function JsonEditor({ label, text, onText, problems = [], note, onSubmit }: JsonEditorProps) {
  const id = useId();
  const parsed = textToJson(text);
  // Nothing typed yet is no mistake; what it is missing for, the caller knows.
  const isEmpty = text.trim() === '';
  const wrong = parsed.ok || isEmpty ? problems : [parsed.error.sentence];
  return (
    <div className={styles['editor']}>
      <CodeEditor
        label={lineToShown(label)}
        text={text}
        onText={onText}
        language="json"
        problem={parsed.ok || isEmpty ? undefined : parsed.error}
        describedBy={id}
        onSubmit={onSubmit}
      />
      <div id={id} className={styles['below']}>
        {wrong.length === 0 ? undefined : (
          <div className={styles['problems']} role="alert" data-hard={!parsed.ok && !isEmpty}>
            <ul>
              {wrong.map((sentence) => (
                <li key={sentence}>{passageToShown(sentence)}</li>
              ))}
            </ul>
          </div>
        )}
        {note === undefined ? undefined : <div className={styles['note']}>{note}</div>}
      </div>
    </div>
  );
}
