/**
 * Reading of formats whose records become drafts at once: files to pieces, pieces to traces of drafts by the format, drafts to events
 * in batches with the account.
 *
 * Invariant: each piece ends as one mapped entry, as merged, or as a problem; the format's `collect` says which. The steps are shared
 * with formats of operations (`spans/read.ts`), which make the drafts themselves.
 */
import { err, ok, type Result } from '../base/result.ts';
import { type BatchBuilder, createBatchBuilder } from './batch.ts';
import { type EventDraft, draftToImported } from './draft.ts';
import type {
  ImportBatch,
  ImportedEvent,
  ImportOptions,
  ImportSummary,
  InputPlace,
  Problem,
  SourceFile,
  TraceEntry,
  UnusableInput,
} from './format.ts';
import { draftsToWords } from './entry-words.ts';
import { type Piece, readPieces } from './pieces.ts';

/** What one record became. */
export interface MappedRecord {
  readonly place: InputPlace;
  readonly drafts: readonly EventDraft[];
}

export interface GroupedTrace {
  readonly key: string;
  readonly title: string;
  readonly startedAt?: string | undefined;
  readonly mapped: readonly MappedRecord[];
  /** Events that belong to no single record; a rule made them. */
  readonly derived: readonly MappedRecord[];
  readonly merged: number;
}

export interface Grouped {
  readonly traces: readonly GroupedTrace[];
  readonly problems: readonly Problem[];
  readonly notes: readonly Problem[];
}

export interface GroupedFormat {
  readonly id: string;
  readonly wanted: ReadonlySet<string>;
  /** For the values of JSON lines, where they are cut in another way than documents. */
  readonly lineWanted?: ReadonlySet<string> | undefined;
  readonly collect: (pieces: readonly Piece[]) => Grouped;
  readonly summary: Pick<ImportSummary, 'replayGrade' | 'missingForReplay'>;
}

export async function listGrouped(format: GroupedFormat, files: readonly SourceFile[]): Promise<readonly TraceEntry[]> {
  const pieces: Piece[] = [];
  for (const file of files)
    for (const piece of (await readPieces(file, format.wanted, format.lineWanted)).pieces) pieces.push(piece);
  return format.collect(pieces).traces.map(({ key, title, startedAt, mapped, merged }) => ({
    key,
    title,
    ...draftsToWords(mapped.flatMap(({ drafts }) => drafts)),
    records: mapped.length + merged,
    startedAt,
  }));
}

export async function* readGrouped(
  format: GroupedFormat,
  files: readonly SourceFile[],
  options: ImportOptions,
): AsyncGenerator<ImportBatch, Result<ImportSummary, UnusableInput>> {
  const batch = createBatchBuilder();
  const gathered = yield* gatherPieces(format, files, options);
  if (gathered === undefined) return err(cancelled);
  const { bytes } = gathered;
  const collected = format.collect(gathered.pieces);
  reportProblems(batch, gathered, collected, options);
  for (const trace of collected.traces) {
    if (options.trace !== undefined && trace.key !== options.trace) continue;
    for (const { drafts, place } of trace.derived)
      for (const draft of drafts) addDerived(batch, format.id, draft, place);
    for (const { drafts, place } of trace.mapped) {
      addDrafts(batch, format.id, drafts, place);
      if (batch.isFull()) yield batch.take(bytes);
    }
    for (let n = 0; n < trace.merged; n++) batch.merged();
    if (options.signal?.aborted === true) return err(cancelled);
  }
  if (!batch.isEmpty()) yield batch.take(bytes);
  return ok({ format: format.id, ...format.summary });
}

export const cancelled: UnusableInput = { code: 'cancelled', message: 'Opening was cancelled.' };

interface Gathered {
  readonly pieces: readonly Piece[];
  readonly damage: readonly Problem[];
  readonly notes: readonly Problem[];
  readonly bytes: number;
}

/** The pieces of all files, for formats whose records mean something only together. undefined when it was cancelled. */
export async function* gatherPieces(
  { wanted, lineWanted }: Pick<GroupedFormat, 'wanted' | 'lineWanted'>,
  files: readonly SourceFile[],
  options: ImportOptions,
): AsyncGenerator<ImportBatch, Gathered | undefined> {
  const pieces: Piece[] = [];
  const damage: Problem[] = [];
  const notes: Problem[] = [];
  let bytes = 0;
  for (const file of files) {
    const read = await readPieces(file, wanted, lineWanted);
    for (const piece of read.pieces) pieces.push(piece);
    for (const problem of read.problems) damage.push(problem);
    for (const note of read.notes) notes.push(note);
    bytes += read.bytes;
    if (options.signal?.aborted === true) return undefined;
    yield createBatchBuilder().take(bytes);
  }
  return { pieces, damage, notes, bytes };
}

/** What was wrong with records is told where all traces are read: it is the account of the files and of no single trace. */
export function reportProblems(
  batch: BatchBuilder,
  gathered: Gathered,
  collected: Pick<Grouped, 'problems' | 'notes'>,
  options: ImportOptions,
): void {
  for (const note of gathered.notes) batch.note(note);
  if (options.trace !== undefined) return;
  for (const problem of gathered.damage) batch.problem(problem);
  for (const problem of collected.problems) batch.problem(problem);
  for (const note of collected.notes) batch.note(note);
  for (const { note } of gathered.pieces) if (note !== undefined) batch.note(note);
}

export function addDerived(batch: BatchBuilder, format: string, draft: EventDraft, place: InputPlace): void {
  const made = draftToImported(format, draft, place);
  if (made.ok) batch.derived(made.value);
}

/** One record: all of its events, or one problem. */
export function addDrafts(batch: BatchBuilder, format: string, drafts: readonly EventDraft[], place: InputPlace): void {
  const events: ImportedEvent[] = [];
  for (const draft of drafts) {
    const made = draftToImported(format, draft, place);
    if (made.ok) events.push(made.value);
    else {
      const message = `The record at byte ${place.offset} of ${place.file} makes no event: ${made.error}`;
      batch.problem({ code: 'invalid-event', message, place, severity: 'problem' });
      return;
    }
  }
  batch.mapped(events);
}
