/**
 * Control programs that commands read from files, and the author whom a command writes into its operations.
 */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseLossless } from '../core/base/lossless.ts';
import { type Result, err, ok } from '../core/base/result.ts';
import { referencePrograms } from '../core/formats/reference-programs.ts';
import { stripTypes } from '../platform/sandbox/typescript.ts';
import { readText } from './option-files.ts';

export interface ProgramText {
  readonly source: string;
  /** What was written, where `source` was made of it. */
  readonly original?: string;
}

/** A file, or a reference program by its name. A file that is named as TypeScript loses its types first. */
export async function readProgram(path: string): Promise<Result<ProgramText, string>> {
  const text = await readText('The program', existsSync(path) ? path : (referencePath(path) ?? path));
  if (!text.ok) return text;
  if (isData(text.value))
    return err(
      `${path}: The program is JSON, as traces and edit files are, and no control program. Give a JavaScript file with a function named main.`,
    );
  return /\.[cm]?ts$/.test(path) ? stripTypes(text.value) : ok({ source: text.value });
}

/** A JSON document, or lines of it; no script begins with a whole object or list of JSON and nothing else in its line. */
function isData(text: string): boolean {
  const start = text.trimStart();
  if (!/^[{[]/.test(start)) return false;
  return parseLossless(start.slice(0, start.search(/\r|\n|$/))).ok || parseLossless(start).ok;
}

/** Where the source of a reference program stands: beside the page, above wherever this was built to. */
function referencePath(name: string): string | undefined {
  if (!referencePrograms.some(({ id }) => id === name)) return undefined;
  let folder = import.meta.dirname;
  for (let level = 0; level < 6; level++, folder = dirname(folder)) {
    const path = join(folder, 'public/programs', `${name}.js`);
    if (existsSync(path)) return path;
  }
  return undefined;
}

export function commandLineAuthor(): {
  readonly actor: { readonly id: string; readonly kind: string };
  readonly at: string;
} {
  return { actor: { id: 'command line', kind: 'service' }, at: new Date().toISOString() };
}

/** How long a program may run before it is stopped, in milliseconds. */
const patience = 30_000;

/** Patience that begins now. */
export function createStop(): () => boolean {
  const started = performance.now();
  return () => performance.now() - started > patience;
}
