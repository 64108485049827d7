/**
 * A text with syntax: JSON or a control program. The editor itself is heavy and is loaded when the first one is shown.
 *
 * Invariant: the caller owns the text; Tab moves the focus on, as everywhere on the page.
 */
import { Suspense, lazy } from 'react';
import type { CodeEditorProps } from './CodeEditorMirror.tsx';
import { Waiting } from './Progress.tsx';

export type { CodeEditorProps, LineMark, SyntaxDoubt, TextProblem } from './CodeEditorMirror.tsx';

const Mirror = lazy(async () => ({ default: (await import('./CodeEditorMirror.tsx')).CodeEditorMirror }));

export function CodeEditor(props: CodeEditorProps) {
  return (
    <Suspense fallback={<Waiting label={`Loading the editor for ${props.label}`} lines={6} />}>
      <Mirror {...props} />
    </Suspense>
  );
}
