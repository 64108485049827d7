/**
 * What a command gives back: exactly one document on standard output, sentences about failure on standard error, an exit code.
 *
 * Invariant: with `--json` standard output holds one JSON value and nothing else.
 */
import { controlsToEscapes, lineToEscapes, passageToShown } from '../core/base/shown-text.ts';
import { withoutEnd } from '../core/base/text-end.ts';

/** 0: fine; 1: findings or divergence; 2: unusable input. */
export type ExitCode = 0 | 1 | 2;

export interface Outcome {
  readonly code: ExitCode;
  readonly out?: string | undefined;
  readonly problem?: string | undefined;
}

export interface Failure {
  readonly code: string;
  readonly message: string;
}

/** A report: each entry is one line, whatever a trace or a program put into its names and messages. */
export function linesToText(lines: readonly string[]): string {
  return lines.map(lineToEscapes).join('\n');
}

/** The option that goes on where opening stopped; the core does not know how it is called here. */
const remedies: ReadonlyMap<string, string> = new Map([
  ['future-version', 'The option --accept-future reads it so.'],
  ['archive-too-large', 'The option --allow-huge unpacks it all the same.'],
  ['mixed-formats', 'The option --format ID reads the files of one.'],
  ['unknown-format', 'README.md lists the formats, and "hindcast survey FOLDER" finds what can be opened.'],
]);

/** Input that cannot be used at all: a sentence, or with `--json` an object with the code and the sentence. */
export function unusable(failure: Failure, json: boolean): Outcome {
  const remedy = remedies.get(failure.code);
  const message = remedy === undefined ? failure.message : `${failure.message} ${remedy}`;
  if (json) return { code: 2, out: toJson({ error: { code: failure.code, message } }) };
  return { code: 2, problem: message };
}

/** What went wrong inside the program, as a sentence: the first line is enough, the rest is of use to nobody here. */
export function defectToFailure(error: unknown): Failure {
  const [first = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  const what = withoutEnd(first, '. \t\r');
  const message = `The command could not be finished, by a defect of Hindcast and not of the input: ${what}. Nothing was written.`;
  return { code: 'defect', message };
}

/** Text from a trace may carry what a terminal would obey; it is shown, not sent. Tab and line end stay. */
export function toTerminal(text: string): string {
  return controlsToEscapes(text);
}

/** What people read: of a line that quotes a name of megabytes the beginning and the end; `--json` has it whole. */
export function linesToTerminal(text: string): string {
  return text.split('\n').map(passageToShown).join('\n');
}

export function toJson(value: unknown): string {
  return JSON.stringify(value, undefined, 2);
}
