/**
 * Control programs written in TypeScript: types are stripped, lines stay where they are, and what runs is plain JavaScript.
 *
 * Only syntax is looked at; nothing is checked. The stripper is loaded when the first such program comes.
 */
import { type Result, err, ok } from '../../core/base/result.ts';

export interface StrippedProgram {
  /** What runs, and what the digest is of. */
  readonly source: string;
  /** What was written. */
  readonly original: string;
}

export async function stripTypes(text: string): Promise<Result<StrippedProgram, string>> {
  const { transform } = await import('sucrase');
  try {
    const { code } = transform(text, {
      transforms: ['typescript'],
      disableESTransforms: true,
      keepUnusedImports: true,
    });
    return ok({ source: code, original: text });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return err(`The program is not TypeScript that can be stripped of its types: ${reason}.`);
  }
}
