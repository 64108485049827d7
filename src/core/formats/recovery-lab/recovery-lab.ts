/**
 * Recovery streams: trials of durable engines, killed and restarted, in the vocabulary of typed trial records (mapping J).
 *
 * Harness, worker and service write streams of their own; whatever of them is opened together is one trace, joined by the ids in the
 * records. Two passes, because a record may stand before what it refers to. Invariant: every record is mapped, merged (the envelope
 * of a trial into its start, or a copy) or a problem.
 */
import { textToUtf8 } from '../../base/hash.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { type BatchBuilder, createBatchBuilder } from '../batch.ts';
import { type CopyLog, createCopyLog } from '../copies.ts';
import type {
  Format,
  ImportBatch,
  ImportOptions,
  ImportSummary,
  SourceFile,
  TraceEntry,
  UnusableInput,
} from '../format.ts';
import { pushAll } from '../lists.ts';
import { createSeenIds, type SeenIds } from '../seen.ts';
import { readSniff } from '../sniff.ts';
import { formatId, recordToEvent } from './convert.ts';
import { convertRows, createContext, runOfRow } from './exports.ts';
import { detectStream, readRecords, recordProblem, type Stream, type Taken, toStream } from './streams.ts';
import { createSurvey, type Survey } from './survey.ts';
import { isExport, readRows, type RowOrProblem } from './table-files.ts';

export const recoveryLab: Format = {
  id: formatId,
  label: 'Recovery trial, or tables of a durable engine (DBOS, Restate, LangGraph)',
  detect: (sniff) => (isExport(sniff) ? 0.97 : detectStream(sniff)),
  list: listTrials,
  read: readRecoveryLab,
};

async function surveyFiles(
  files: readonly Stream[],
  options: ImportOptions,
  count: (bytes: number) => void,
  onRecord: (run: string, file: number) => void = () => undefined,
): Promise<Survey | undefined> {
  const survey = createSurvey();
  for await (const batch of readRecords(files, count)) {
    for (const taken of batch) {
      if (taken.record === undefined) continue;
      survey.add(taken.record);
      onRecord(taken.record.run, taken.place.file);
    }
    if (options.signal?.aborted === true) return undefined;
  }
  return survey;
}

async function listTrials(files: readonly SourceFile[], options: ImportOptions): Promise<readonly TraceEntry[]> {
  const { streams, tables } = await partFiles(files);
  const holders = new Map<string, Set<string>>();
  const survey = await surveyFiles(
    streams,
    options,
    () => undefined,
    (run, at) => addTo(holders, run, streams[at]?.file.name),
  );
  const trials = new Set((survey?.trials() ?? []).map(({ run }) => run));
  const shared = await tablesToTrials(tables, trials, holders);
  return (survey?.trials() ?? []).map(({ run, engine, points, startedAt }) => ({
    key: run,
    title: `${engine ?? 'engine not recorded'}, ${points === undefined || points === '' ? 'no fault' : `killed at ${points}`}`,
    records: survey?.recordsOf(run) ?? 0,
    startedAt,
    files: [...(holders.get(run) ?? []), ...shared],
  }));
}

/** A table goes with the trials that it has rows of; one that has rows of none, which are named otherwise, goes with each. */
async function tablesToTrials(
  tables: readonly SourceFile[],
  trials: ReadonlySet<string>,
  holders: Map<string, Set<string>>,
): Promise<readonly string[]> {
  const read = await Promise.all(
    tables.map(async (table) => ({ name: table.name, rows: await readRows(table, () => undefined) })),
  );
  const context = createContext(read.flatMap(({ rows }) => rows.flatMap(({ row }) => row ?? [])));
  return read.flatMap(({ name, rows }) => {
    const runs = new Set(
      rows.flatMap(({ row }) => {
        const run = row === undefined ? undefined : runOfRow(row, context);
        return run !== undefined && trials.has(run) ? [run] : [];
      }),
    );
    for (const run of runs) addTo(holders, run, name);
    return runs.size === 0 ? [name] : [];
  });
}

function addTo(holders: Map<string, Set<string>>, run: string, file: string | undefined): void {
  if (file !== undefined) holders.set(run, (holders.get(run) ?? new Set()).add(file));
}

interface Reading {
  readonly batch: BatchBuilder;
  readonly seen: SeenIds;
  readonly copies: CopyLog;
  readonly survey: Survey;
}

async function* readRecoveryLab(
  files: readonly SourceFile[],
  options: ImportOptions,
): AsyncGenerator<ImportBatch, Result<ImportSummary, UnusableInput>> {
  let bytes = 0;
  const count = (length: number): void => void (bytes += length / 2);
  const { streams, tables } = await partFiles(files);
  const survey = await surveyFiles(streams, options, count);
  if (survey === undefined) return err(cancelled);
  const names = files.map(({ name }) => name);
  const reading: Reading = { batch: createBatchBuilder(), seen: createSeenIds(), copies: createCopyLog(names), survey };
  for await (const taken of readRecords(streams, count)) {
    for (const one of taken) {
      if (one.record === undefined) takeProblem(reading.batch, one);
      else if (options.trace === undefined || one.record.run === options.trace) take(reading, one);
    }
    if (options.signal?.aborted === true) return err(cancelled);
    if (reading.batch.isFull()) yield reading.batch.take(bytes);
  }
  const rows: RowOrProblem[] = [];
  for (const table of tables) pushAll(rows, await readRows(table, (length) => count(length * 2)));
  takeRows(reading, rows, options.trace);
  for (const notice of reading.copies.take()) reading.batch.note(notice);
  if (!reading.batch.isEmpty()) yield reading.batch.take(bytes);
  return ok(streams.length === 0 && isAllTables(rows) ? tablesSummary(rows) : summary);
}

/** Streams are read record by record and in file order; tables of engines row by row, after them. */
async function partFiles(
  files: readonly SourceFile[],
): Promise<{ readonly streams: readonly Stream[]; readonly tables: readonly SourceFile[] }> {
  const streams: Stream[] = [];
  const tables: SourceFile[] = [];
  for (const file of files) {
    const sniff = await readSniff(file);
    if (isExport(sniff)) tables.push(file);
    else streams.push(toStream(file, sniff));
  }
  return { streams, tables };
}

function takeRows({ batch }: Reading, read: readonly RowOrProblem[], trace: string | undefined): void {
  const { rows, derived } = convertRows(read, formatId);
  const isWanted = (run: string | undefined): boolean => trace === undefined || run === trace;
  for (const { row, run, made } of rows) {
    if (made === undefined) {
      if (isWanted(run)) batch.merged();
    } else if (made.ok) {
      if (isWanted(run)) batch.mapped(made.value);
    } else {
      const { place, text } = row;
      const message = `A row of ${place.file} (byte ${place.offset}): ${made.error} It is kept as it is.`;
      batch.problem({ code: 'invalid-event', message, place, raw: textToUtf8(text), severity: 'problem' });
    }
  }
  for (const event of derived) if (isWanted(event.event.run)) batch.derived(event);
  for (const one of read) {
    if (!('problem' in one)) continue;
    if (one.isNote === true) batch.note(one.problem);
    else batch.problem(one.problem);
  }
}

const cancelled: UnusableInput = { code: 'cancelled', message: 'Opening was cancelled.' };

const summary: ImportSummary = {
  format: formatId,
  replayGrade: 'none',
  missingForReplay: ['the control program', 'the values of observations', 'positions of issues and deliveries'],
};

/** Engines that run a workflow again from what they remember of it: with its code, and without that not at all. */
function tablesSummary(rows: readonly RowOrProblem[]): ImportSummary {
  const isStep = rows.some(({ row }) => row?.table === 'dbos-output' || row?.table === 'restate-journal');
  return {
    format: formatId,
    replayGrade: isStep ? 'original code only' : 'none',
    missingForReplay: ['the code of the workflow', 'inputs of steps', ...(isStep ? [] : ['results of steps'])],
  };
}

function isAllTables(rows: readonly RowOrProblem[]): boolean {
  return rows.some(({ row }) => row !== undefined && !row.table.startsWith('langgraph-'));
}

function take(reading: Reading, { record, note, place }: Extract<Taken, { readonly record: object }>): void {
  const { batch, survey } = reading;
  const seen = reading.seen.add(record.id, record.source.text, place);
  if (seen.kind === 'same') {
    batch.merged();
    reading.copies.add(place, seen.first);
    return;
  }
  if (note !== undefined) batch.note(note);
  const isFolded = record.type === 'trial_envelope' && survey.isStarted(record.run);
  if (isFolded && survey.envelopeOf(record.run)?.id === record.id) {
    batch.merged();
    return;
  }
  const made = recordToEvent(record, survey);
  if (made.ok) batch.mapped([made.value]);
  else batch.problem(recordProblem(record.source, made.error));
}

function takeProblem(batch: BatchBuilder, { problem, isNote }: Extract<Taken, { readonly problem: object }>): void {
  if (isNote === true) batch.note(problem);
  else batch.problem(problem);
}
