/**
 * Opening: files in, events in batches out, with an account of every record. The import worker and the command line call this.
 *
 * Owns the order of things: decode, detect by content, read with the format found, add what the decoder had to say. Nothing is
 * thrown for bad input; an archive that was stopped gives no trace at all, because half of it would look like the whole.
 */
import { type Result, err, ok } from '../base/result.ts';
import { type DecodedFile, decodeFile } from './decode/decode.ts';
import { detectFormat, type NamedSniff } from './detect.ts';
import type { ImportBatch, ImportOptions, ImportSummary, Problem, SourceFile, UnusableInput } from './format.ts';
import { formats } from './registry.ts';
import { readSniff } from './sniff.ts';

export interface ImportResult extends ImportSummary {
  /** Name of the format for people. */
  readonly label: string;
}

export type Import = AsyncGenerator<ImportBatch, Result<ImportResult, UnusableInput>>;

export async function* importFiles(sources: readonly SourceFile[], options: ImportOptions = {}): Import {
  const files = sources.map((source) => decodeFile(source, options));
  const sniffs: NamedSniff[] = [];
  for (const file of files) {
    sniffs.push({ file: file.name, sniff: await readSniff(file) });
    const stopped = stoppedBy([file]);
    if (stopped !== undefined) return err(stopped);
    if (options.signal?.aborted === true) return err(cancelled);
  }
  const format = detectFormat(sniffs, formats);
  if (!format.ok) return format;
  const reading = format.value.read(files, options);
  let bytesRead = 0;
  let usable = 0;
  let first: Problem | undefined;
  for (;;) {
    const step = await reading.next();
    const stopped = stoppedBy(files);
    if (stopped !== undefined) {
      await reading.return(err(stopped));
      return err(stopped);
    }
    if (options.signal?.aborted === true) return err(cancelled);
    if (step.done === true) {
      // A trace of nothing but problems would look like a run in which nothing happened.
      if (step.value.ok && usable === 0 && first !== undefined) return err(nothingUsable(format.value.label, first));
      const problems = files.flatMap((file) => file.report().problems);
      if (problems.length > 0) yield problemsBatch(problems, bytesRead);
      return step.value.ok ? ok({ ...step.value.value, label: format.value.label }) : step.value;
    }
    bytesRead = step.value.bytesRead;
    usable += step.value.counts.mapped;
    // A single record cut off in writing is told as such: its run had begun.
    first ??= step.value.problems.find(
      ({ severity, code }) => severity === 'problem' && code !== 'truncated-last-line',
    );
    yield step.value;
  }
}

const cancelled: UnusableInput = { code: 'cancelled', message: 'Opening was cancelled; nothing was kept.' };

function nothingUsable(label: string, { message, place }: Problem): UnusableInput {
  const sentence = `This looks like a ${label}, and not one of its records can be used. The first: ${message}`;
  return { code: 'nothing-usable', message: sentence, place };
}

function stoppedBy(files: readonly DecodedFile[]): UnusableInput | undefined {
  return files.find((file) => file.report().stopped !== undefined)?.report().stopped;
}

/** What the decoder noticed is about bytes, not about records: it changes no count. */
function problemsBatch(problems: readonly Problem[], bytesRead: number): ImportBatch {
  return { events: [], problems, counts: { input: 0, mapped: 0, merged: 0, problems: 0 }, bytesRead };
}
