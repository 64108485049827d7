/**
 * What a command gives back: exactly one document on standard output, sentences about failure on standard error, an exit code.
 *
 * Invariant: with `--json` standard output holds one JSON value and nothing else.
 */

/** 0: fine; 1: findings or divergence; 2: unusable input. */
export type ExitCode = 0 | 1 | 2;

export interface Outcome {
  readonly code: ExitCode;
  readonly out?: string | undefined;
  readonly problem?: string | undefined;
}

/** Input that cannot be used at all: a sentence, or with `--json` an object with the code and the sentence. */
export function unusable(failure: { readonly code: string; readonly message: string }, json: boolean): Outcome {
  if (json) return { code: 2, out: toJson({ error: { code: failure.code, message: failure.message } }) };
  return { code: 2, problem: failure.message };
}

export function toJson(value: unknown): string {
  return JSON.stringify(value, undefined, 2);
}
