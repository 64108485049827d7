/**
 * A text with syntax: JSON or a control program. The editor itself is heavy and is loaded when the first one is shown; until it is there
 * one types into a plain field in its place.
 *
 * Invariant: the caller owns the text; Tab moves the focus on, as everywhere on the page; who is in the field stays there, caret and all,
 * when the editor takes its place.
 */
import { type KeyboardEvent, type RefObject, Suspense, type SyntheticEvent, lazy, useRef } from 'react';
import type { Caret, CodeEditorProps } from './CodeEditorMirror.tsx';
import styles from './CodeEditor.module.css';

export type { CodeEditorProps, LineMark, SyntaxDoubt, TextProblem } from './CodeEditorMirror.tsx';

const Mirror = lazy(async () => ({ default: (await import('./CodeEditorMirror.tsx')).CodeEditorMirror }));

export function CodeEditor(props: CodeEditorProps) {
  const caretRef = useRef<Caret | undefined>(undefined);
  return (
    <Suspense fallback={<PlainField {...props} caretRef={caretRef} />}>
      <Mirror {...props} caretRef={caretRef} />
    </Suspense>
  );
}

interface PlainFieldProps extends CodeEditorProps {
  /** Where the hands are; undefined while they are elsewhere. */
  readonly caretRef: RefObject<Caret | undefined>;
}

function PlainField({ label, text, onText, problem, describedBy, onSubmit, fills = false, caretRef }: PlainFieldProps) {
  const keep = ({ currentTarget }: SyntheticEvent<HTMLTextAreaElement>): void => {
    caretRef.current = { anchor: currentTarget.selectionStart, head: currentTarget.selectionEnd };
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || onSubmit === undefined) return;
    event.preventDefault();
    onSubmit();
  };
  return (
    <div className={styles['editor']} data-fills={fills} data-invalid={problem !== undefined}>
      <textarea
        className={styles['plain']}
        aria-label={label}
        aria-describedby={describedBy}
        aria-invalid={problem !== undefined}
        value={text}
        readOnly={onText === undefined}
        spellCheck={false}
        rows={Math.min(24, text.split('\n').length + 1)}
        onChange={(event) => {
          keep(event);
          onText?.(event.target.value);
        }}
        onFocus={keep}
        onSelect={keep}
        onBlur={() => {
          caretRef.current = undefined;
        }}
        onKeyDown={onKeyDown}
      />
    </div>
  );
}
