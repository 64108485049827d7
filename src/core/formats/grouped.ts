/**
 * Reading of formats whose records become drafts at once: files to pieces, pieces to traces of drafts by the format, drafts to events
 * in batches with the account.
 *
 * Invariant: each piece ends as one mapped entry, as merged, or as a problem; the format's `collect` says which.
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
  const pieces: Piece[] = [];
  const damage: Problem[] = [];
  let bytes = 0;
  for (const file of files) {
    const read = await readPieces(file, format.wanted, format.lineWanted);
    for (const piece of read.pieces) pieces.push(piece);
    for (const problem of read.problems) damage.push(problem);
    for (const note of read.notes) batch.note(note);
    bytes += read.bytes;
    if (options.signal?.aborted === true) return err(cancelled);
    yield createBatchBuilder().take(bytes);
  }
  const { traces, problems, notes } = format.collect(pieces);
  if (options.trace === undefined) {
    for (const problem of [...damage, ...problems]) batch.problem(problem);
    for (const { note } of pieces) if (note !== undefined) batch.note(note);
    for (const note of notes) batch.note(note);
  }
  for (const trace of traces) {
    if (options.trace !== undefined && trace.key !== options.trace) continue;
    for (const { drafts, place } of trace.derived)
      for (const draft of drafts) addDerived(batch, format.id, draft, place);
    for (const record of trace.mapped) {
      addMapped(batch, format.id, record);
      if (batch.isFull()) yield batch.take(bytes);
    }
    for (let n = 0; n < trace.merged; n++) batch.merged();
    if (options.signal?.aborted === true) return err(cancelled);
  }
  if (!batch.isEmpty()) yield batch.take(bytes);
  return ok({ format: format.id, ...format.summary });
}

const cancelled: UnusableInput = { code: 'cancelled', message: 'Opening was cancelled.' };

function addDerived(batch: BatchBuilder, format: string, draft: EventDraft, place: InputPlace): void {
  const made = draftToImported(format, draft, place);
  if (made.ok) batch.derived(made.value);
}

function addMapped(batch: BatchBuilder, format: string, { drafts, place }: MappedRecord): void {
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
