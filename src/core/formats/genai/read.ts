/**
 * The import of every telemetry format: records in, events out, two passes, each record mapped, merged or a problem.
 *
 * An input record is a span, a log record, or (in a format that has others) a record kept whole. A span is mapped; a copy of it, or a
 * record that tells less of it, is merged. A log record that is a message of a model call is merged into the call, else mapped.
 */
import { textToUtf8 } from '../../base/hash.ts';
import { writeLossless } from '../../base/lossless.ts';
import { type Result, err, ok } from '../../base/result.ts';
import { eventId, eventToLine, parseEvent } from '../../model/index.ts';
import { runToPrefix } from '../draft.ts';
import { type BatchBuilder, createBatchBuilder } from '../batch.ts';
import type {
  Format,
  ImportBatch,
  ImportedEvent,
  ImportOptions,
  ImportSummary,
  InputPlace,
  Problem,
  SourceFile,
  UnusableInput,
} from '../format.ts';
import { createGradeWatch, type GradeWatch } from '../hindcast/grade.ts';
import { type CarriedRecord, entryToRecords, isCarrier, isCarrying } from './carried.ts';
import { logToDraft, modelDrafts, runCause, spanToDrafts } from './convert.ts';
import { type Draft, draftToEvent, type Origin } from './envelope.ts';
import { spanToFailure, spanToModel } from './fields.ts';
import { type CallWatch, createCallWatch } from './grade.ts';
import { createLinks, type Links } from './link.ts';
import { listTraces, tracesOf } from './list.ts';
import {
  type AssumptionCounter,
  conflictsToProblems,
  countToText,
  createAssumptionCounter,
  linksToNotices,
  notice,
} from './notices.ts';
import type { TelemetryReader } from './reader.ts';
import type { Entry, Foreign, Log, Span } from './record.ts';
import { addRuns } from './runs.ts';
import { isSpoken } from './spoken.ts';
import { createSurvey, logKey, type SpanInfo, variantOf } from './survey.ts';
import { resourcePrint } from './trace-info.ts';
import { withoutUndefined } from './values.ts';

export function createTelemetryFormat(reader: TelemetryReader): Format {
  return {
    id: reader.id,
    label: reader.label,
    detect: reader.detect,
    loop: 'requests',
    list: (files, options) => listTraces(reader, files, options),
    read: (files, options) => readTelemetry(reader, files, options),
  };
}

interface Reading {
  readonly format: string;
  readonly batch: BatchBuilder;
  readonly links: Links;
  /** Calls whose records are not all here yet. */
  readonly open: Map<SpanInfo, OpenCall>;
  readonly used: Set<string>;
  /** Of log records that came from several resources one, until all were read. */
  readonly forwarded: Map<string, Log>;
  readonly watch: CallWatch;
  readonly carriedWatch: GradeWatch;
  readonly carried: { record: CarriedRecord; entry: Span | Log; first: boolean }[];
  copies: number;
  firstCopy: InputPlace | undefined;
}

interface OpenCall {
  span: Span | undefined;
  readonly logs: Log[];
}

const cancelled: UnusableInput = { code: 'cancelled', message: 'Opening was cancelled.' };

async function* readTelemetry(
  reader: TelemetryReader,
  files: readonly SourceFile[],
  options: ImportOptions,
): AsyncGenerator<ImportBatch, Result<ImportSummary, UnusableInput>> {
  let bytes = 0;
  const count = (length: number): void => void (bytes += length / 2);
  const only = options.trace === undefined ? undefined : await tracesOf(reader, files, options.trace, options);
  const survey = createSurvey();
  const assumptions = createAssumptionCounter();
  for (const file of files) {
    for await (const entries of reader.entries(file, count)) {
      for (const entry of entries) {
        if (!isWanted(entry, only)) continue;
        survey.add(entry);
        assumptions.add(entry);
      }
      if (options.signal?.aborted === true) return err(cancelled);
    }
    yield createBatchBuilder().take(bytes);
  }
  const reading: Reading = {
    format: reader.id,
    batch: createBatchBuilder(),
    links: createLinks(survey.finish()),
    open: new Map(),
    used: new Set(),
    forwarded: new Map(),
    watch: createCallWatch(),
    carriedWatch: createGradeWatch(),
    carried: [],
    copies: 0,
    firstCopy: undefined,
  };
  addRuns(reading.links, reading.batch, reader.id, files[0]?.name ?? '');
  for (const file of files) {
    for await (const entries of reader.entries(file, count)) {
      for (const entry of entries) takeEntry(reading, entry, only);
      if (options.signal?.aborted === true) return err(cancelled);
      if (reading.batch.isFull()) yield reading.batch.take(bytes);
    }
  }
  for (const log of reading.forwarded.values()) giveLog(reading, log);
  for (const [info, call] of [...reading.open]) closeCall(reading, info, call);
  giveCarried(reading);
  noteAll(reading, assumptions);
  if (!reading.batch.isEmpty()) yield reading.batch.take(bytes);
  const grade = reading.carried.length > 0 ? reading.carriedWatch.grade() : reading.watch.grade();
  return ok({ format: reader.id, ...grade });
}

function isWanted(entry: Entry, only: ReadonlySet<string> | undefined): boolean {
  return only === undefined || entry.kind === 'problem' || only.has(entry.trace);
}

function takeEntry(reading: Reading, entry: Entry, only: ReadonlySet<string> | undefined): void {
  if (!isWanted(entry, only)) return;
  switch (entry.kind) {
    case 'problem':
      // A damaged record belongs to no trace: where one of several is read it is told and not counted.
      if (entry.counts && only === undefined) reading.batch.problem(entry.problem);
      else reading.batch.note(entry.problem);
      return;
    case 'span':
      takeSpan(reading, entry);
      return;
    case 'log':
      takeLog(reading, entry);
      return;
    case 'foreign':
      takeForeign(reading, entry);
  }
}

/** True the first time this very record comes; a copy is merged. */
function isFirst(reading: Reading, entry: Span | Log | Foreign, identity: string): boolean {
  const key = `${entry.kind} ${identity} ${entry.print}`;
  if (!reading.used.has(key)) {
    reading.used.add(key);
    return true;
  }
  merge(reading, entry.place);
  return false;
}

function merge(reading: Reading, place: InputPlace): void {
  reading.batch.merged();
  reading.copies++;
  reading.firstCopy ??= place;
}

function takeSpan(reading: Reading, span: Span): void {
  if (isCarrying(span)) takeCarried(reading, span);
  if (isCarrier(span)) return;
  const info = reading.links.survey.byVariant.get(variantOf(span));
  // The survey saw the same records; a file that changed between the passes is the one way not to find it.
  if (info === undefined) {
    reading.batch.problem(recordProblem(span.place, 'The file changed while it was read.', span));
    return;
  }
  if (span.print !== info.print || resourcePrint(span.resource) !== info.resource) {
    merge(reading, span.place);
    return;
  }
  if (!isFirst(reading, span, variantOf(span))) return;
  const call = reading.open.get(info) ?? { span: undefined, logs: [] };
  call.span = span;
  if (call.logs.length >= info.logs.size) closeCall(reading, info, call);
  else reading.open.set(info, call);
}

function takeLog(reading: Reading, log: Log): void {
  const key = logKey(log);
  if (!reading.links.survey.forwarded.has(key)) {
    if (isFirst(reading, log, `${log.trace}/${log.span ?? ''}`)) giveLog(reading, log);
    return;
  }
  const known = reading.forwarded.get(key);
  const isOther = known !== undefined && resourcePrint(known.resource) <= resourcePrint(log.resource);
  if (!isOther) reading.forwarded.set(key, log);
  if (known !== undefined) merge(reading, (isOther ? log : known).place);
}

function giveLog(reading: Reading, log: Log): void {
  if (isCarrying(log)) {
    takeCarried(reading, log);
    return;
  }
  const { links, batch } = reading;
  const info = isSpoken(log.name) ? links.survey.callOf(log) : undefined;
  if (info === undefined) {
    give(reading, log.place, [logToDraft(links, log, reading.format, `log:${log.print}`)], originOf(reading, log), log);
    return;
  }
  const call = reading.open.get(info) ?? { span: undefined, logs: [] };
  call.logs.push(log);
  reading.open.set(info, call);
  // The record that stands for a call without a span is counted when the call is made.
  if (info.present || call.logs.length > 1) batch.merged();
  if (call.logs.length >= info.logs.size && (call.span !== undefined || !info.present)) closeCall(reading, info, call);
}

/** All records of a span or call are here: its events are made. */
function closeCall(reading: Reading, info: SpanInfo, call: OpenCall): void {
  reading.open.delete(info);
  const { links } = reading;
  const one = links.of(info);
  const logs = inSpokenOrder(info, call.logs);
  const span = call.span ?? logsToSpan(info, logs);
  if (span === undefined) return;
  if (one.role === 'model') reading.watch.see(spanToModel(span, logs), span.failed);
  const drafts = info.present
    ? spanToDrafts(links, one, span, logs, reading.format)
    : modelDrafts(links, one, span, spanToModel(span, logs), spanToFailure(span));
  give(reading, span.place, withLogLines(drafts, logs), originOf(reading, span), span);
}

/** The survey knows in which order they were said. */
function inSpokenOrder(info: SpanInfo, logs: readonly Log[]): readonly Log[] {
  if (logs.length < 2) return logs;
  const places = new Map([...info.logs].map((print, at) => [print, at]));
  return [...logs].sort((a, b) => (places.get(a.print) ?? 0) - (places.get(b.print) ?? 0));
}

/** Where the merged log records stood. */
function withLogLines(drafts: readonly Draft[], logs: readonly Log[]): readonly Draft[] {
  const [first, ...rest] = drafts;
  if (first === undefined || logs.length === 0) return drafts;
  const from = logs.map(({ place, name }) => ({ file: place.file, line: place.line ?? 0, name: name ?? '' }));
  return [{ ...first, extra: { ...first.extra, log_records: from } }, ...rest];
}

/** What stands for the span of a call of which only log records are here (rule `call-from-logs`). */
function logsToSpan(info: SpanInfo, logs: readonly Log[]): Span | undefined {
  const [first] = logs;
  if (first === undefined) return undefined;
  const times = logs.map(({ time }) => time ?? '').filter((time) => time !== '');
  times.sort();
  const isAnswered = info.hasOutput;
  return {
    kind: 'span',
    trace: info.trace,
    id: info.id,
    key: info.key,
    parent: undefined,
    side: undefined,
    name: '',
    start: times[0],
    end: isAnswered ? times.at(-1) : undefined,
    failed: false,
    statusText: undefined,
    attributes: {},
    events: [],
    links: [],
    extra: first.extra,
    place: first.place,
    print: first.print,
    resource: first.resource,
    scope: first.scope,
  };
}

function originOf(reading: Reading, entry: Span | Log): Origin {
  return { format: reading.format, trace: entry.trace, place: entry.place, emitter: entry };
}

/** The events of one record, or its problem where the model refuses one of them. */
function give(reading: Reading, place: InputPlace, drafts: readonly Draft[], origin: Origin, entry?: Span | Log): void {
  const events: ImportedEvent[] = [];
  for (const draft of drafts) {
    const made = draftToEvent(origin, draft);
    if (made.ok) events.push(made.value);
    else {
      reading.batch.problem(recordProblem(place, made.error, entry));
      return;
    }
  }
  reading.batch.mapped(events);
}

function takeForeign(reading: Reading, entry: Foreign): void {
  if (!isFirst(reading, entry, entry.trace)) return;
  const draft: Draft = {
    id: eventId(`${runToPrefix(entry.trace)}/${entry.type}:${entry.print}`),
    type: `${reading.format}.${entry.type}`,
    causes: runCause(reading.links, entry.trace),
    data: { record: entry.record },
  };
  const origin = { format: reading.format, trace: entry.trace, place: entry.place, emitter: undefined };
  give(reading, entry.place, [draft], origin);
}

function takeCarried(reading: Reading, entry: Span | Log): void {
  if (entry.kind === 'span' && isCarrier(entry) && !isFirst(reading, entry, `carrier ${entry.trace}/${entry.key}`))
    return;
  const counts = entry.kind === 'log' || isCarrier(entry);
  let first = counts;
  for (const record of entryToRecords(entry)) {
    if (!record.ok) {
      reading.batch.note(recordProblem(entry.place, record.error, entry));
      continue;
    }
    reading.carried.push({ record: record.value, entry, first });
    first = false;
  }
  // A span that was made to carry events and carries none, or whose events are all damaged.
  if (first) reading.batch.merged();
}

/** Whole events come in the order in which they were exported, where all say it. */
function giveCarried(reading: Reading): void {
  const { carried, batch } = reading;
  if (carried.every(({ record }) => record.order !== undefined))
    carried.sort((a, b) => (a.record.order ?? 0) - (b.record.order ?? 0));
  const counted = new Set<Span | Log>();
  const counts = new Set(carried.filter(({ first }) => first).map(({ entry }) => entry));
  const failed = new Map<Span | Log, Problem>();
  for (const { record, entry } of carried) {
    const parsed = parseEvent(record.record);
    if (!parsed.ok) {
      const problem = recordProblem(entry.place, parsed.error.message, entry);
      if (counts.has(entry)) failed.set(entry, problem);
      else batch.note(problem);
      continue;
    }
    reading.carriedWatch.see(parsed.value);
    const event = { event: parsed.value, line: eventToLine(parsed.value), place: entry.place };
    if (counts.has(entry) && !counted.has(entry)) batch.mapped([event]);
    else batch.derived(event);
    counted.add(entry);
  }
  for (const [entry, problem] of failed) {
    if (counted.has(entry)) batch.note(problem);
    else batch.problem(problem);
  }
}

function noteAll(reading: Reading, assumptions: AssumptionCounter): void {
  const { batch, links, copies } = reading;
  for (const one of assumptions.notices()) batch.note(one);
  for (const one of linksToNotices(links)) batch.note(one);
  for (const one of conflictsToProblems(links)) batch.note(one);
  if (copies === 0) return;
  const message = `Told by another record as well, or more fully: ${countToText(copies, 'record')}. Each span and log record is counted once.`;
  batch.note(notice('same-record', message, reading.firstCopy));
}

/** `entry` is what the record said, so that nothing of it is lost. */
function recordProblem(place: InputPlace, reason: string, entry?: Span | Log): Problem {
  const message = `Line ${place.line ?? 0} of ${place.file} (byte ${place.offset}): ${reason} What the record says is kept.`;
  const problem = { code: 'invalid-event', message, place, severity: 'problem' } as const;
  if (entry === undefined) return problem;
  const { attributes, extra, name } = entry;
  const said = withoutUndefined({ name, trace: entry.trace, attributes, extra });
  return { ...problem, raw: textToUtf8(writeLossless(said)) };
}
