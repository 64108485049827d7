/** The editor behind CodeEditor, in a chunk of its own. Colours are the tokens of the page, so it follows light and dark. */
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { javascript } from '@codemirror/lang-javascript';
import { json } from '@codemirror/lang-json';
import {
  HighlightStyle,
  bracketMatching,
  defaultHighlightStyle,
  ensureSyntaxTree,
  indentOnInput,
  syntaxHighlighting,
} from '@codemirror/language';
import { setDiagnostics } from '@codemirror/lint';
import { Compartment, EditorState } from '@codemirror/state';
import { Decoration, EditorView, drawSelection, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import styles from './CodeEditor.module.css';

export interface TextProblem {
  /** UTF-16 index in the text. */
  readonly at: number;
  readonly message: string;
}

/** Where the grammar of the editor cannot go on. It knows less than what runs the text: a doubt, and no verdict. */
export interface SyntaxDoubt extends TextProblem {
  /** From 1. */
  readonly line: number;
}

export interface LineMark {
  readonly line: number;
  readonly tone: 'current' | 'other';
}

/** UTF-16 indexes in the text. */
export interface Caret {
  readonly anchor: number;
  readonly head: number;
}

export interface CodeEditorProps {
  readonly label: string;
  readonly text: string;
  /** Absent: the text can be read and selected, not changed. */
  readonly onText?: ((text: string) => void) | undefined;
  /** Lines that stand out, from 1; the first of tone `current` is scrolled to. */
  readonly lines?: readonly LineMark[] | undefined;
  readonly language: 'json' | 'javascript';
  readonly problem?: TextProblem | undefined;
  /** What may be wrong: told as a warning. */
  readonly doubt?: TextProblem | undefined;
  /** Hears, a moment after the text changed, where it cannot be read; undefined where it can. */
  readonly onSyntax?: ((doubt: SyntaxDoubt | undefined) => void) | undefined;
  /** The id of the element that says what is wrong, or what was checked. */
  readonly describedBy?: string | undefined;
  /** Ctrl+Enter, or Cmd+Enter, while one types here. Absent: the key is the page's. */
  readonly onSubmit?: (() => void) | undefined;
  /** Takes the height there is, instead of growing with the text. */
  readonly fills?: boolean;
}

/** The default style names the tags; its colours, made for white paper, are exchanged for the tokens of the page. */
const colours: ReadonlyMap<string, string> = new Map([
  ['#708', 'var(--family-model)'],
  ['#219', 'var(--family-tool)'],
  ['#164', 'var(--family-tool)'],
  ['#a11', 'var(--family-state)'],
  ['#e40', 'var(--family-effect)'],
  ['#00f', 'var(--family-tool)'],
  ['#30a', 'var(--family-tool)'],
  ['#085', 'var(--family-observation)'],
  ['#167', 'var(--family-observation)'],
  ['#256', 'var(--family-observation)'],
  ['#00c', 'var(--family-observation)'],
  ['#940', 'var(--text-faint)'],
  ['#f00', 'var(--danger)'],
]);

const highlight = HighlightStyle.define(
  defaultHighlightStyle.specs.map((spec) => {
    const colour: unknown = spec['color'];
    return typeof colour === 'string' ? { ...spec, color: colours.get(colour) ?? 'var(--text)' } : spec;
  }),
);

const theme = EditorView.theme({
  '&': { fontSize: 'var(--text-12)', color: 'var(--text)', backgroundColor: 'var(--surface)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-content': { fontFamily: 'var(--font-mono)', caretColor: 'var(--accent)', padding: '8px 0' },
  '.cm-line': { lineHeight: '20px', padding: '0 12px 0 6px' },
  '.cm-gutters': { backgroundColor: 'var(--surface)', color: 'var(--text-faint)', border: '0' },
  '.cm-lineNumbers .cm-gutterElement': { fontFamily: 'var(--font-mono)', lineHeight: '20px', padding: '0 6px 0 12px' },
  '.cm-activeLine': { backgroundColor: 'transparent' },
  '&.cm-focused .cm-activeLine': { backgroundColor: 'var(--hover)' },
  '.cm-cursor': { borderLeftColor: 'var(--accent)', borderLeftWidth: '2px' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': {
    backgroundColor: 'var(--accent-line)',
  },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': {
    backgroundColor: 'var(--accent-tint)',
    outline: '1px solid var(--accent-line)',
  },
  '.cm-tooltip': { backgroundColor: 'var(--raised)', color: 'var(--text)', border: '1px solid var(--line-strong)' },
  '.cm-markedCurrent': { backgroundColor: 'var(--accent-tint)', boxShadow: 'inset 3px 0 0 var(--accent)' },
  '.cm-markedOther': { boxShadow: 'inset 3px 0 0 var(--line-strong)' },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--danger)' },
  '.cm-diagnostic-warning': { borderLeftColor: 'var(--warning)' },
});

/** After the last key, before the text is called wrong. */
const restMs = 500;
/** A text too long to be read in this time is not called wrong. */
const mostReadMs = 100;

function stateToDoubt(state: EditorState): SyntaxDoubt | undefined {
  const tree = ensureSyntaxTree(state, state.doc.length, mostReadMs);
  let at: number | undefined;
  tree?.iterate({
    enter: ({ type, from }) => {
      if (at === undefined && type.isError) at = from;
      return at === undefined;
    },
  });
  if (at === undefined) return undefined;
  const { number } = state.doc.lineAt(at);
  return { at, line: number, message: 'This cannot be read as a program.' };
}

const noLines: readonly LineMark[] = [];

/** Running the replay belongs to the page, also while one types. */
const keys = [...defaultKeymap.filter(({ key }) => key !== 'Mod-Enter'), ...historyKeymap];

/** False leaves the key to the page. */
function runSubmit(submit: (() => void) | undefined): boolean {
  submit?.();
  return submit !== undefined;
}

interface CodeEditorMirrorProps extends CodeEditorProps {
  /** Where a person was in the field this takes the place of; undefined where they were not in it. */
  readonly caretRef: RefObject<Caret | undefined>;
}

export function CodeEditorMirror({
  label,
  text,
  onText,
  language,
  problem,
  doubt,
  onSyntax,
  describedBy,
  onSubmit,
  fills = false,
  lines = noLines,
  caretRef,
}: CodeEditorMirrorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const attributes = useRef(new Compartment());
  const marked = useRef(new Compartment());
  const isReadOnly = onText === undefined;
  const hear = useRef(onText);
  const submit = useRef(onSubmit);
  const first = useRef(text);
  useEffect(() => {
    hear.current = onText;
    submit.current = onSubmit;
  }, [onText, onSubmit]);

  // Syncs with the editor, which keeps its own document: made once, ended with the component. In the draw itself: a key typed between the
  // field it replaces and the editor would go to the page.
  useLayoutEffect(() => {
    const parent = host.current;
    if (parent === null) return undefined;
    const made = new EditorView({
      parent,
      state: EditorState.create({
        doc: first.current,
        extensions: [
          lineNumbers(),
          history(),
          drawSelection(),
          highlightActiveLine(),
          indentOnInput(),
          bracketMatching(),
          EditorState.tabSize.of(2),
          ...(language === 'json'
            ? [json(), EditorView.lineWrapping]
            : [javascript({ typescript: true }), EditorView.lineWrapping]),
          syntaxHighlighting(highlight),
          keymap.of([{ key: 'Mod-Enter', run: () => runSubmit(submit.current) }, ...keys]),
          theme,
          attributes.current.of([]),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) hear.current?.(update.state.doc.toString());
          }),
          marked.current.of([]),
          ...(isReadOnly ? [EditorState.readOnly.of(true), EditorView.editable.of(false)] : []),
        ],
      }),
    });
    view.current = made;
    const at = caretRef.current;
    caretRef.current = undefined;
    if (at !== undefined) {
      const most = made.state.doc.length;
      made.dispatch({ selection: { anchor: Math.min(at.anchor, most), head: Math.min(at.head, most) } });
      made.focus();
    }
    return () => {
      view.current = undefined;
      made.destroy();
    };
  }, [language, isReadOnly, caretRef]);

  // Syncs the document with the text where that was changed from outside (another step, a starting text). In the draw itself: a key
  // typed after it would be written over by the text of before.
  useLayoutEffect(() => {
    const shown = view.current?.state.doc;
    first.current = text;
    if (shown === undefined || shown.toString() === text) return;
    view.current?.dispatch({ changes: { from: 0, to: shown.length, insert: text } });
  }, [text]);

  // Syncs what the editor says about itself to assistive technology.
  useEffect(() => {
    view.current?.dispatch({
      effects: attributes.current.reconfigure(
        EditorView.contentAttributes.of({
          'aria-label': label,
          'aria-invalid': String(problem !== undefined),
          spellcheck: 'false',
          role: 'textbox',
          'aria-multiline': 'true',
          ...(isReadOnly ? { 'aria-readonly': 'true' } : {}),
          // Editable content is reached by Tab anyway; said, so that it counts as the keyboard's way to scroll.
          tabindex: '0',
          ...(describedBy === undefined ? {} : { 'aria-describedby': describedBy }),
        }),
      ),
    });
  }, [label, describedBy, problem, language, isReadOnly]);

  // Syncs the marked lines, and brings the current one into sight.
  useEffect(() => {
    const shown = view.current;
    if (shown === undefined) return;
    const { doc } = shown.state;
    const known = lines.filter(({ line }) => line >= 1 && line <= doc.lines).toSorted((a, b) => a.line - b.line);
    const decorations = known.map(({ line, tone }) =>
      Decoration.line({ class: tone === 'current' ? 'cm-markedCurrent' : 'cm-markedOther' }).range(doc.line(line).from),
    );
    const current = known.find(({ tone }) => tone === 'current');
    shown.dispatch({
      effects: [
        marked.current.reconfigure(EditorView.decorations.of(Decoration.set(decorations, true))),
        ...(current === undefined
          ? []
          : [EditorView.scrollIntoView(doc.line(current.line).from, { y: 'nearest', yMargin: 60 })]),
      ],
    });
  }, [lines, text, language, isReadOnly]);

  // Syncs with the grammar, which reads along; heard only when one stops typing.
  useEffect(() => {
    if (onSyntax === undefined) return undefined;
    const timer = setTimeout(() => {
      if (view.current !== undefined) onSyntax(stateToDoubt(view.current.state));
    }, restMs);
    return () => clearTimeout(timer);
  }, [onSyntax, text]);

  // Syncs the mark in the text with the problem.
  useEffect(() => {
    const shown = view.current;
    if (shown === undefined) return;
    const { length } = shown.state.doc;
    const told = problem ?? doubt;
    const at = Math.min(told?.at ?? 0, length);
    const marks =
      told === undefined
        ? []
        : [
            {
              from: Math.min(at, Math.max(0, length - 1)),
              to: Math.min(at + 1, length),
              severity: problem === undefined ? ('warning' as const) : ('error' as const),
              message: told.message,
            },
          ];
    shown.dispatch(setDiagnostics(shown.state, marks));
  }, [problem, doubt, text]);

  return (
    <div
      ref={host}
      className={styles['editor']}
      data-fills={fills}
      data-invalid={problem !== undefined || (doubt !== undefined && 'doubt')}
    />
  );
}
