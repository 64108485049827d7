/** Files in memory and whole imports, for tests of opening. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { ImportedEvent, ImportOptions, Problem, RecordCounts, SourceFile, UnusableInput } from '../format.ts';
import { type ImportResult, importFiles } from '../import.ts';

export function bytesToSource(name: string, bytes: Uint8Array, chunk = 64 * 1024): SourceFile {
  return { name, size: bytes.length, open: () => cut(bytes, chunk) };
}

export function textToSource(name: string, text: string, chunk?: number): SourceFile {
  return bytesToSource(name, new TextEncoder().encode(text), chunk);
}

async function* cut(bytes: Uint8Array, chunk: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += chunk) yield await Promise.resolve(bytes.slice(at, at + chunk));
}

export interface Opened {
  readonly events: readonly ImportedEvent[];
  readonly problems: readonly Problem[];
  readonly counts: RecordCounts;
  readonly result: ImportResult | undefined;
  readonly error: UnusableInput | undefined;
  readonly bytesRead: number;
}

export async function openFiles(files: readonly SourceFile[], options: ImportOptions = {}): Promise<Opened> {
  const reading = importFiles(files, options);
  const events: ImportedEvent[] = [];
  const problems: Problem[] = [];
  const counts = { input: 0, mapped: 0, merged: 0, problems: 0 };
  let bytesRead = 0;
  for (;;) {
    const step = await reading.next();
    if (step.done === true) {
      const result = step.value.ok ? step.value.value : undefined;
      return { events, problems, counts, result, error: step.value.ok ? undefined : step.value.error, bytesRead };
    }
    for (const event of step.value.events) events.push(event);
    for (const problem of step.value.problems) problems.push(problem);
    counts.input += step.value.counts.input;
    counts.mapped += step.value.counts.mapped;
    counts.merged += step.value.counts.merged;
    counts.problems += step.value.counts.problems;
    bytesRead = step.value.bytesRead;
  }
}

/** The shared real files, beside the project. */
export const tracesFolder = join(import.meta.dirname, '../../../../../shared/traces');

/** All files below a folder of the shared traces; none where they are not on this machine, and the tests then say so. */
export function listTraces(folder: string): readonly string[] {
  const root = join(tracesFolder, folder);
  if (!existsSync(root)) return [];
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(root, name)).isFile())
    .map((name) => `${folder}/${name}`)
    .sort();
}

/** Ends the title of a suite that needs them. */
export function whereFound(files: readonly string[]): string {
  return files.length > 0 ? '' : ' (skipped: no shared traces beside the project)';
}

export function readTrace(name: string): Uint8Array {
  return new Uint8Array(readFileSync(join(tracesFolder, name)));
}

export function traceToSource(name: string): SourceFile {
  return bytesToSource(name, readTrace(name));
}
