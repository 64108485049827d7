/**
 * The own format: one event a line, read as it stands and stored as it was written.
 *
 * Invariant: every line ends as mapped, merged (a copy of a record already read) or problem. Relations between events (dangling or
 * cyclic causes, mixed branches) are the causal index's business. Several files are one trace; their names and order mean nothing.
 */
import { isJsonObject, type JsonObject, recordedToPlain, repeatedKeyOf } from '../../base/json.ts';
import { type Result, err, ok } from '../../base/result.ts';
import { type EventProblem, type HindcastEvent, eventToLine, parseEvent, readAsCurrent } from '../../model/index.ts';
import { createBatchBuilder, type BatchBuilder } from '../batch.ts';
import { createCopyLog, type CopyLog } from '../copies.ts';
import type {
  Format,
  ImportBatch,
  ImportOptions,
  ImportSummary,
  Problem,
  Sniff,
  SourceFile,
  TraceEntry,
  UnusableInput,
} from '../format.ts';
import type { RawRecord, RecordOrProblem } from '../records.ts';
import { createSeenIds, type RecordPlace, type SeenIds } from '../seen.ts';
import { sniffObjects } from '../sniff.ts';
import { createValueScanner } from '../values.ts';
import { textToUtf8 } from '../../base/hash.ts';
import { parseLossless } from '../../base/lossless.ts';
import { decodeText } from '../decode/text.ts';
import { checkContent } from './content.ts';
import { type DigestWatch, createDigestWatch } from './digests.ts';
import { createGradeWatch, type GradeWatch } from './grade.ts';
import { type KindWatch, createKindWatch } from './kinds.ts';
import { isList, readEntries } from './source.ts';
import { filesOfRuns, listRuns } from './runs.ts';
import { listTrials, partOfTrial } from './trials.ts';

export const hindcast: Format = {
  id: 'hindcast',
  label: 'Hindcast stream (one event a line)',
  detect: detectHindcast,
  accepts: () => false,
  list: listTraces,
  read: readHindcast,
};

/** One trial a file, else what nothing joins. */
async function listTraces(files: readonly SourceFile[], options: ImportOptions): Promise<readonly TraceEntry[]> {
  const trials = await listTrials(files, options);
  return trials.length > 0 ? trials : listRuns(files, options);
}

/** The files of the trace that was chosen, where it is one of those that nothing joins. */
async function filesApart(
  files: readonly SourceFile[],
  options: ImportOptions,
): Promise<readonly SourceFile[] | undefined> {
  if (options.trace === undefined || (await listTrials(files, options)).length > 0) return undefined;
  return filesOfRuns(files, options);
}

function detectHindcast(sniff: Sniff): number {
  const objects = isList(sniff.text) ? elementsOf(sniff) : sniffObjects(sniff);
  const events = objects.filter(looksLikeEvent).length;
  if (events > 0) return Math.max(0.6, events / objects.length);
  // A first line longer than what was read: its envelope stands at the beginning.
  const head = sniff.text.slice(0, 4096);
  return /^\s*\[?\s*\{/.test(head) && /"v"\s*:\s*\d/.test(head) && /"run"\s*:\s*"[0-9a-f]{32}"/.test(head) ? 0.6 : 0;
}

function elementsOf(sniff: Sniff): readonly JsonObject[] {
  const objects: JsonObject[] = [];
  for (const { bytes } of createValueScanner(1).push(sniff.bytes).slice(0, 40)) {
    const value = parseLossless(decodeText(bytes).text);
    if (value.ok && isJsonObject(value.value)) objects.push(value.value);
  }
  return objects;
}

function looksLikeEvent(found: JsonObject): boolean {
  const record = repeatedKeyOf(found) === undefined ? found : recordedToPlain(found);
  return (
    isJsonObject(record) &&
    typeof record['v'] === 'number' &&
    typeof record['id'] === 'string' &&
    typeof record['type'] === 'string' &&
    typeof record['run'] === 'string'
  );
}

interface Reading {
  readonly batch: BatchBuilder;
  readonly seen: SeenIds;
  readonly copies: CopyLog;
  readonly watch: GradeWatch;
  readonly digests: DigestWatch;
  readonly kinds: KindWatch;
  readonly names: readonly string[];
  readonly acceptFuture: boolean;
  /** The run of the one trial that is wanted. */
  readonly only: string | undefined;
  /** Of the records that could be events: whether one was, and the first of a version this build does not read. */
  readonly found: { any: boolean; future?: UnusableInput | undefined };
}

async function* readHindcast(
  given: readonly SourceFile[],
  options: ImportOptions,
): AsyncGenerator<ImportBatch, Result<ImportSummary, UnusableInput>> {
  const apart = await filesApart(given, options);
  const files = apart ?? given;
  const names = files.map((file) => file.name);
  const reading: Reading = {
    batch: createBatchBuilder(),
    seen: createSeenIds(),
    copies: createCopyLog(names),
    watch: createGradeWatch(),
    digests: createDigestWatch(),
    kinds: createKindWatch(),
    names,
    acceptFuture: options.acceptFuture === true,
    only: undefined,
    found: { any: false },
  };
  let bytesRead = 0;
  for (const [index, file] of files.entries()) {
    let read = bytesRead;
    const part = apart === undefined ? await partOfTrial(file, options.trace) : 'all';
    if (part === 'none') continue;
    const taking = part === 'all' ? reading : { ...reading, only: options.trace };
    for await (const entries of readEntries(file, (length) => (read += length))) {
      for (const { entry, line } of entries) takeEntry(taking, entry, { file: index, line });
      if (options.signal?.aborted === true) return err({ code: 'cancelled', message: 'Opening was cancelled.' });
      if (reading.batch.isFull()) yield reading.batch.take(read);
    }
    bytesRead = read;
  }
  // A file of nothing but newer records is refused as a whole, with the way to read it all the same.
  const { any, future } = reading.found;
  if (!any && future !== undefined) return err(future);
  for (const notice of reading.copies.take()) reading.batch.note(notice);
  for (const contradiction of reading.digests.problems()) reading.batch.note(contradiction);
  for (const notice of reading.kinds.rest()) reading.batch.note(notice);
  if (!reading.batch.isEmpty()) yield reading.batch.take(bytesRead);
  return ok({ format: hindcast.id, ...reading.watch.grade() });
}

function takeEntry(reading: Reading, entry: RecordOrProblem, place: RecordPlace): void {
  const { batch } = reading;
  if (entry.record === undefined) {
    batch.problem(entry.problem);
    return;
  }
  const { record } = entry;
  const parsed = parseEvent(record.value);
  if (parsed.ok) {
    takeEvent(reading, record, parsed.value, record.text, entry, place);
    return;
  }
  if (parsed.error.code !== 'future-version') {
    batch.problem(recordProblem(record, parsed.error));
    return;
  }
  if (!reading.acceptFuture) {
    const where = `${record.place.file}, line ${record.place.line ?? 0}`;
    reading.found.future ??= {
      code: 'future-version',
      message: `${where}: ${parsed.error.message}`,
      place: record.place,
    };
    batch.problem(recordProblem(record, parsed.error));
    return;
  }
  const understood = isJsonObject(record.value) ? parseEvent(asUnderstood(record.value)) : parsed;
  if (understood.ok) takeEvent(reading, record, understood.value, eventToLine(understood.value), entry, place);
  else batch.problem(recordProblem(record, understood.error));
}

/** A record of a newer version as this build sees it; the version it had is kept beside it. */
function asUnderstood(record: JsonObject): JsonObject {
  const version = record['v'] ?? null;
  return { ...readAsCurrent(record), imported: { format: hindcast.id, extra: { v: version } } };
}

function takeEvent(
  reading: Reading,
  record: RawRecord,
  event: HindcastEvent,
  line: string,
  entry: RecordOrProblem,
  place: RecordPlace,
): void {
  const { batch } = reading;
  if (reading.only !== undefined && event.run !== reading.only) return;
  const seen = reading.seen.add(event.id, record.text, place);
  // The same id with another text is kept as an event of its own; the causal index tells of the conflict (its rule P2).
  if (seen.kind === 'same') {
    batch.merged();
    reading.copies.add(place, seen.first);
    return;
  }
  if (entry.problem !== undefined) batch.note({ ...entry.problem, events: [event.id] });
  const mismatch = contentProblem(record, event);
  if (mismatch !== undefined) {
    batch.problem(mismatch);
    return;
  }
  reading.found.any = true;
  reading.watch.see(event);
  reading.kinds.see(event, record.place);
  reading.digests.see(event, record.place);
  batch.mapped([{ event, line, place: record.place }]);
}

/** R9: bytes that are not what their digest says are no content, and no event of the trace. */
function contentProblem(record: RawRecord, event: HindcastEvent): Problem | undefined {
  if (event.type !== 'content.stored') return undefined;
  const check = checkContent(event.data);
  if (check === 'matches') return undefined;
  const reason = {
    differs: 'is not what its digest says',
    empty: 'has neither text nor base64',
    'not-base64': 'is not base64',
  }[check];
  const { file, line } = record.place;
  const message = `The content stored in line ${line ?? 0} of ${file} for ${event.data.digest} ${reason}. It is not used; its bytes are kept.`;
  return { code: 'content-mismatch', message, place: record.place, raw: textToUtf8(record.text), severity: 'problem' };
}

function recordProblem(record: RawRecord, error: EventProblem) {
  const { file, line, offset } = record.place;
  const message = `Line ${line ?? 0} of ${file} (byte ${offset}): ${error.message} The record is kept as it is.`;
  return { code: error.code, message, place: record.place, raw: textToUtf8(record.text), severity: 'problem' } as const;
}
