/**
 * Opening: files in, events in batches out, with an account of every record. The import worker and the command line call this.
 *
 * Owns the order of things: unpack and look at everything (`opened-set.ts`), read with the format found, add what was noticed on the
 * way. Nothing is thrown for bad input; an archive that was stopped gives no trace at all, because half of it would look like the whole.
 */
import { type Result, err, ok } from '../base/result.ts';
import { nameToShown } from '../base/shown-text.ts';
import { cutToProblem, findCut, tellsCut } from './cut-document.ts';
import type { DecodedFile } from './decode/decode.ts';
import {
  type ImportBatch,
  type ImportOptions,
  type ImportSummary,
  type Problem,
  ReadingCancelled,
  type SourceFile,
  SourceReadError,
  type TraceEntry,
  type UnusableInput,
} from './format.ts';
import { createRequestStage } from './loop/requests.ts';
import { createLoopStage, type LoopStage } from './loop/stage.ts';
import type { LoopKind } from './loop/rules.ts';
import { type FormatGroup, type OpenedSet, cancelled, openSet } from './opened-set.ts';
import { formats } from './registry.ts';
import { createRemarkLimit } from './remark-limit.ts';

export interface ImportResult extends ImportSummary {
  /** Name of the format for people. */
  readonly label: string;
}

export type Import = AsyncGenerator<ImportBatch, Result<ImportResult, UnusableInput>>;

/** One of the formats in what was opened, with its traces. */
export interface FoundFormat {
  readonly id: string;
  readonly label: string;
  readonly files: readonly string[];
  /** In order of first appearance; one or none where everything is one trace. */
  readonly traces: readonly TraceEntry[];
}

/** What there is to choose from, before anything is imported: every format found, the surest first. */
export async function listTraces(
  sources: readonly SourceFile[],
  options: ImportOptions = {},
): Promise<Result<readonly FoundFormat[], UnusableInput>> {
  return listAll(sources, options).catch(notReadable);
}

/** What the host cannot read is no defect, nor is a reading that was cancelled: its sentence is the answer. Anything else goes on. */
function notReadable(error: unknown): { readonly ok: false; readonly error: UnusableInput } {
  if (error instanceof ReadingCancelled) return err(cancelled);
  if (error instanceof SourceReadError) return err({ code: 'not-readable', message: error.message });
  throw error;
}

async function listAll(
  sources: readonly SourceFile[],
  options: ImportOptions,
): Promise<Result<readonly FoundFormat[], UnusableInput>> {
  const set = await openSet(sources, formats, options);
  if (!set.ok) return set;
  const found: FoundFormat[] = [];
  for (const { format, files } of set.value.groups) {
    if (options.format !== undefined && format.id !== options.format) continue;
    const traces = tellApart((await format.list?.(files, options)) ?? []);
    if (options.signal?.aborted === true) return err(cancelled);
    const stopped = stoppedBy(files);
    if (stopped !== undefined) return err(stopped);
    found.push({ id: format.id, label: format.label, files: files.map(({ name }) => name), traces });
  }
  return ok(found);
}

/** Traces of one title are told apart by the beginning of their keys. */
function tellApart(traces: readonly TraceEntry[]): readonly TraceEntry[] {
  const counts = new Map<string, number>();
  for (const { title } of traces) counts.set(title, (counts.get(title) ?? 0) + 1);
  return traces.map((trace) => {
    const { key, title } = trace;
    const isAlone = counts.get(title) === 1 || title === '' || title === key;
    return { ...trace, title: nameToShown(isAlone ? title : `${title} (${key.slice(0, keyShown)})`) };
  });
}

/** Characters of a key behind a title: enough to find it by. */
const keyShown = 12;

export async function* importFiles(sources: readonly SourceFile[], options: ImportOptions = {}): Import {
  try {
    return yield* importAll(sources, options);
  } catch (error) {
    return notReadable(error);
  }
}

async function* importAll(sources: readonly SourceFile[], options: ImportOptions): Import {
  const set = await openSet(sources, formats, options);
  if (!set.ok) return set;
  const group = chooseGroup(set.value, options.format);
  if (!group.ok) return group;
  const { format, files } = group.value;
  const aside = [...set.value.aside, ...othersToNotices(set.value, group.value)];
  const reading = format.read(files, options);
  const loop = format.loop === undefined ? undefined : createStage(format.loop);
  const remarks = createRemarkLimit();
  let bytesRead = 0;
  let events = 0;
  let first: Problem | undefined;
  const cutFiles = new Set<string>();
  for (;;) {
    const step = await reading.next();
    const stopped = stoppedBy(files);
    if (stopped !== undefined) {
      await reading.return(err(stopped));
      return err(stopped);
    }
    if (options.signal?.aborted === true) {
      await reading.return(err(cancelled));
      return err(cancelled);
    }
    if (step.done === true) {
      const held = loop?.finish() ?? [];
      // A trace without an event would look like a run in which nothing happened.
      if (step.value.ok && events + held.length === 0) return err(await nothingUsable(format.label, files, first));
      if (held.length > 0) yield { ...bytesBatch([], bytesRead), events: held };
      const noticed = files.flatMap((file) => {
        const { problems, cut } = file.report();
        if (cut === undefined || cutFiles.has(file.name) || problems.some(tellsCut)) return problems;
        return [...problems, cutToProblem(file.name, cut)];
      });
      const rest = [...noticed, ...remarks.rest()];
      if (rest.length > 0) yield bytesBatch(rest, bytesRead);
      if (aside.length > 0) yield asideBatch(aside, bytesRead);
      if (!step.value.ok) return step.value;
      const { missingForReplay: known } = step.value.value;
      const missingForReplay = loop?.missing?.(known) ?? known;
      return ok({ ...step.value.value, missingForReplay, label: format.label });
    }
    bytesRead = step.value.bytesRead;
    for (const problem of step.value.problems)
      if (problem.place !== undefined && tellsCut(problem)) cutFiles.add(problem.place.file);
    first ??= step.value.problems.find(({ severity }) => severity === 'problem');
    const batch = loop?.take(step.value) ?? step.value;
    events += batch.events.length;
    yield { ...batch, problems: remarks.take(batch.problems) };
  }
}

function createStage(kind: LoopKind): LoopStage {
  return kind === 'requests' ? createRequestStage() : createLoopStage(kind);
}

function chooseGroup({ groups }: OpenedSet, wanted: string | undefined): Result<FormatGroup, UnusableInput> {
  const [first, second] = groups;
  if (wanted !== undefined) {
    const group = groups.find(({ format }) => format.id === wanted);
    if (group !== undefined) return ok(group);
    const there = groups.map(({ format }) => format.id).join(', ');
    const message = `There is no file of the format "${wanted}" in what was opened. What there is: ${there}.`;
    return err({ code: 'format-not-there', message });
  }
  if (first !== undefined && second === undefined) return ok(first);
  const parts = groups.map(({ format, files }) => {
    const more = files.length === 1 ? '' : ` and ${files.length - 1} more`;
    return `${files[0]?.name ?? ''}${more} ${more === '' ? 'is' : 'are'} ${format.label} (${format.id})`;
  });
  const message = `These files are of different formats: ${parts.join('; ')}. Open each format as a trace of its own.`;
  return err({ code: 'mixed-formats', message });
}

/** Files left to a trace of another format are said, so that nobody believes they were looked at. */
function othersToNotices({ groups }: OpenedSet, chosen: FormatGroup): readonly Problem[] {
  return groups
    .filter((group) => group !== chosen)
    .map(({ format, files }) => {
      const which = files.length === 1 ? `${files[0]?.name ?? ''} is` : `${files.length} files are`;
      const message = `${which} of another format, ${format.label}, and no part of this trace.`;
      return { code: 'other-format', message, severity: 'notice' };
    });
}

/** A document that was cut off before its first whole record is told as such, whatever its format made of the piece. */
async function nothingUsable(
  label: string,
  files: readonly DecodedFile[],
  first: Problem | undefined,
): Promise<UnusableInput> {
  const place = first?.place;
  for (const file of files) {
    if (place !== undefined && file.name !== place.file) continue;
    const cut = await findCut(file);
    if (cut === undefined) continue;
    const text = `${file.name} was read as ${label}, and ends in the middle, at byte ${cut.bytes} (line ${cut.line}), before its first whole record. Fetch or copy the whole file again.`;
    return { code: 'nothing-usable', message: text, place };
  }
  const sentence =
    first === undefined
      ? `This was read as ${label}, and there is no event of a run in it.`
      : `This was read as ${label}, and not one of its records can be used. The first: ${first.message}`;
  return { code: 'nothing-usable', message: sentence, place };
}

function stoppedBy(files: readonly DecodedFile[]): UnusableInput | undefined {
  return files.find((file) => file.report().stopped !== undefined)?.report().stopped;
}

/** What the decoder noticed is about bytes, not about records: it changes no count. */
function bytesBatch(problems: readonly Problem[], bytesRead: number): ImportBatch {
  return { events: [], problems, counts: { input: 0, mapped: 0, merged: 0, problems: 0 }, bytesRead };
}

/** A file that is no part of the trace counts as one record that could not be used. */
function asideBatch(aside: readonly Problem[], bytesRead: number): ImportBatch {
  const whole = aside.filter(({ code }) => code === 'not-a-trace').length;
  return { events: [], problems: aside, counts: { input: whole, mapped: 0, merged: 0, problems: whole }, bytesRead };
}
