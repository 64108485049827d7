/** The control program with the line that goes on at this step, and those that asked for something in it. */
import { useMemo } from 'react';
import { lineToShown } from '../../core/base/shown-text.ts';
import type { DebugStep } from '../../data/index.ts';
import { CodeEditor, type LineMark } from '../../ui/CodeEditor.tsx';
import styles from './Debugger.module.css';

export interface DebuggerProgramProps {
  readonly program: string;
  readonly step: DebugStep;
}

export function DebuggerProgram({ program, step }: DebuggerProgramProps) {
  const { site } = step;
  const lines = useMemo(() => stepToLines(step), [step]);
  const text = site === undefined ? undefined : program.split('\n')[site.line - 1]?.trim();
  return (
    <section className={styles['program']} aria-label="Program at this step">
      <h3>Program</h3>
      {site === undefined ? (
        <p className={styles['soft']}>The call site of this step is not known.</p>
      ) : (
        <p className={styles['site']}>
          {step.delivered === undefined ? 'Starts, up to' : 'Goes on at'} line {site.line}
          {site.function === '' || site.function === '<anonymous>' ? '' : ` in ${lineToShown(site.function)}`}:{' '}
          <code>{text === undefined ? undefined : lineToShown(text)}</code>
        </p>
      )}
      <CodeEditor label="Program, read only" text={program} language="javascript" lines={lines} fills />
      <p className={styles['soft']}>
        Local variables are not shown: what is known of the program is what it asked for, was given, printed and kept as
        state.
      </p>
    </section>
  );
}

function stepToLines({ site, issued, decided, states }: DebugStep): readonly LineMark[] {
  const others = new Set(
    [...issued, ...decided, ...states].flatMap((one) => (one.site === undefined ? [] : [one.site.line])),
  );
  if (site !== undefined) others.delete(site.line);
  return [
    ...(site === undefined ? [] : [{ line: site.line, tone: 'current' as const }]),
    ...[...others].map((line) => ({ line, tone: 'other' as const })),
  ];
}
