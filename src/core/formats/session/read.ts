/**
 * The engine behind the formats of coding agents: two passes over the files, an account of every record, one run for each session.
 *
 * A format gives a reader of single records (`part.ts`); the survey, the linking and the events are shared. Progress counts each byte
 * half per pass.
 */
import { textToUtf8 } from '../../base/hash.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { writeLossless } from '../../base/lossless.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { eventToLine, mainBranch, parseEvent } from '../../model/index.ts';
import { type BatchBuilder, createBatchBuilder } from '../batch.ts';
import { createCopyLog } from '../copies.ts';
import type {
  Format,
  ImportBatch,
  ImportedEvent,
  ImportOptions,
  ImportSummary,
  InputPlace,
  Problem,
  Sniff,
  SourceFile,
  TraceEntry,
  UnusableInput,
} from '../format.ts';
import { fingerprint } from '../seen.ts';
import { alsoOf, type Converting, type EventDraft, recordedCauses } from './draft.ts';
import { entryToDrafts, startDraft } from './events.ts';
import { withoutUndefined } from '../members.ts';
import { linkStubs } from './link.ts';
import { sessionNotices } from './notices.ts';
import type { Reading } from './part.ts';
import type { CauseDraft, Entry, Plan, SessionInfo } from './plan.ts';
import type { Arranged, CountBytes, SessionEntry, SessionRecord } from './source.ts';
import { readingToStub, type Stub } from './survey.ts';

export interface SessionFormat {
  readonly id: string;
  readonly label: string;
  readonly detect: (sniff: Sniff) => number;
  readonly accepts?: Format['accepts'];
  readonly entries: (file: SourceFile, count: CountBytes) => AsyncGenerator<readonly SessionEntry[]>;
  /** What one record says; undefined for JSON that is no record of the format. */
  readonly read: (record: SessionRecord) => Reading | undefined;
  /** For formats whose files need one another; absent, each file says all that it says. */
  readonly arrange?: ((files: readonly SourceFile[]) => Promise<Arranged>) | undefined;
  /** Files that name no session are pieces of one; their order is that of their names, as the program numbers them. */
  readonly sharesSession?: boolean | undefined;
  /** See `Format.loop`. */
  readonly loop?: Format['loop'];
  /** The agent program, by name. */
  readonly program: string;
  readonly grade: (seen: SeenKinds) => Pick<ImportSummary, 'replayGrade' | 'missingForReplay'>;
}

/** How many records of each kind were read. */
export type SeenKinds = ReadonlyMap<string, number>;

export function createSessionFormat(format: SessionFormat): Format {
  return {
    id: format.id,
    label: format.label,
    detect: format.detect,
    accepts: format.accepts,
    loop: format.loop,
    list: (files, options) => listSessions(format, files, options),
    read: (files, options) => readSessions(format, files, options),
  };
}

async function arrange(format: SessionFormat, files: readonly SourceFile[]): Promise<Arranged> {
  if (format.arrange !== undefined) return format.arrange(files);
  const ordered = format.sharesSession === true ? [...files].sort(byNumberedName) : files;
  return { files: ordered, beside: () => undefined, notes: [] };
}

/** `event-9` before `event-10`, as the program counts. */
function byNumberedName(a: SourceFile, b: SourceFile): number {
  const [left, right] = [a.name, b.name].map((name) => name.replace(/\d+/g, (digits) => digits.padStart(20, '0')));
  return (left ?? '') < (right ?? '') ? -1 : 1;
}

function readRecord(format: SessionFormat, { beside }: Arranged, record: SessionRecord): Reading | undefined {
  const others = beside(record);
  return format.read(others === undefined ? record : { ...record, beside: { ...record.beside, ...others } });
}

const cancelled: UnusableInput = { code: 'cancelled', message: 'Opening was cancelled.' };

/** The elements of a document are told apart by what they say, not by how they are broken into lines. */
function recordPrint(record: SessionRecord): string {
  return fingerprint(record.where === 'line' ? record.text : writeLossless(record.value));
}

async function survey(
  format: SessionFormat,
  arranged: Arranged,
  options: ImportOptions,
  count: CountBytes,
): Promise<readonly Stub[] | undefined> {
  const stubs: Stub[] = [];
  for (const [file, source] of arranged.files.entries()) {
    const occurrences = new Map<string, number>();
    for await (const entries of format.entries(source, count)) {
      for (const { record } of entries) {
        const reading = record === undefined ? undefined : readRecord(format, arranged, record);
        if (record === undefined || reading === undefined) continue;
        const print = recordPrint(record);
        // What stands in several sessions of a file is counted in each, so that their order means nothing.
        const counted = `${reading.session ?? ''} ${print}`;
        const occurrence = occurrences.get(counted) ?? 0;
        occurrences.set(counted, occurrence + 1);
        stubs.push(readingToStub(reading, { print, occurrence, file, line: record.place.line ?? 1 }));
      }
      if (options.signal?.aborted === true) return undefined;
    }
  }
  return stubs;
}

async function listSessions(
  format: SessionFormat,
  files: readonly SourceFile[],
  options: ImportOptions,
): Promise<readonly TraceEntry[]> {
  const stubs = await survey(format, await arrange(format, files), options, () => undefined);
  if (stubs === undefined) return [];
  const plan = linkStubs(format.id, stubs, format.sharesSession === true);
  const roots = new Map<string, { title: string; records: number; startedAt: string | undefined }>();
  for (const info of plan.sessions.values()) {
    const key = rootOf(plan, info.key);
    const root = roots.get(key) ?? {
      title: plan.sessions.get(key)?.recorded ?? 'session not named',
      records: 0,
      startedAt: info.time,
    };
    root.records += info.records;
    roots.set(key, root);
  }
  return [...roots].map(([key, root]) => ({ key, ...root }));
}

/** The session that started the session that … started this one, as far as they are in the files. */
function rootOf(plan: Plan, session: string): string {
  let at = session;
  for (let depth = 0; depth < 1000; depth++) {
    const info = plan.sessions.get(at);
    const parent = info?.spawn?.call.entry.session ?? info?.parentSession;
    if (parent === undefined || parent === session || !plan.sessions.has(parent)) return at;
    at = parent;
  }
  return at;
}

async function* readSessions(
  format: SessionFormat,
  given: readonly SourceFile[],
  options: ImportOptions,
): AsyncGenerator<ImportBatch, Result<ImportSummary, UnusableInput>> {
  let bytes = 0;
  const count: CountBytes = (length) => void (bytes += length / 2);
  const arranged = await arrange(format, given);
  const { files } = arranged;
  const stubs = await survey(format, arranged, options, count);
  if (stubs === undefined) return err(cancelled);
  yield createBatchBuilder().take(bytes);
  const plan = linkStubs(format.id, stubs, format.sharesSession === true);
  const batch = createBatchBuilder();
  const converting: Converting = { format: format.id, plan, open: new Map() };
  const isWanted = (session: string): boolean => options.trace === undefined || rootOf(plan, session) === options.trace;
  const names = files.map(({ name }) => name);
  for (const info of plan.sessions.values()) {
    if (info.start === undefined && isWanted(info.key)) addRun(format, converting, batch, info, names[info.file] ?? '');
  }
  const copies = createCopyLog(names);
  const kinds = new Map<string, number>();
  let next = 0;
  for (const source of files) {
    for await (const entries of format.entries(source, count)) {
      for (const { record, problem } of entries) {
        if (record === undefined) {
          batch.problem(problem);
          continue;
        }
        const reading = readRecord(format, arranged, record);
        if (reading === undefined) {
          batch.problem(notARecord(format, record));
          continue;
        }
        const entry = plan.entries[next++];
        if (entry === undefined || entry.stub.print !== recordPrint(record)) {
          batch.problem(recordProblem(record, 'The file changed while it was read.'));
          continue;
        }
        if (!isWanted(entry.session)) continue;
        if (problem !== undefined) batch.note(problem);
        kinds.set(reading.kind, (kinds.get(reading.kind) ?? 0) + 1);
        if (entry.copyOf !== undefined) {
          const first = entry.copyOf.stub;
          copies.add({ file: entry.stub.file, line: entry.stub.line }, { file: first.file, line: first.line });
          batch.merged();
        } else takeRecord(format, converting, batch, entry, reading, record, names);
      }
      if (options.signal?.aborted === true) return err(cancelled);
      if (batch.isFull()) yield batch.take(bytes);
    }
  }
  for (const notice of copies.take()) batch.note(notice);
  for (const note of arranged.notes) batch.note(note);
  for (const notice of sessionNotices(plan, names)) batch.note(notice);
  if (!batch.isEmpty()) yield batch.take(bytes);
  return ok({ format: format.id, ...format.grade(kinds) });
}

function takeRecord(
  format: SessionFormat,
  converting: Converting,
  batch: BatchBuilder,
  entry: Entry,
  reading: Reading,
  record: SessionRecord,
  names: readonly string[],
): void {
  const events: ImportedEvent[] = [];
  let isFirst = true;
  for (const draft of entryToDrafts(converting, entry, reading, record.value)) {
    const isOwn = draft.entry === undefined || draft.entry === entry;
    // What has no place of its own is told once, with the first event of the record; what led to the record leads to that.
    const told: EventDraft =
      isOwn && isFirst
        ? { ...draft, causes: [...draft.causes, ...recordedCauses(converting.plan, entry)] }
        : { extra: {}, ...draft };
    if (isOwn) isFirst = false;
    const made = draftToEvent(format, converting.plan, entry, told, reading, names);
    if (!made.ok) {
      batch.problem(recordProblem(record, made.error));
      return;
    }
    events.push(made.value);
  }
  if (events.length === 0) batch.merged();
  else batch.mapped(events);
}

function draftToEvent(
  format: SessionFormat,
  plan: Plan,
  present: Entry,
  draft: EventDraft,
  reading: Reading,
  names: readonly string[],
): Result<ImportedEvent, string> {
  const entry = draft.entry ?? present;
  const { stub } = entry;
  const info = plan.sessions.get(entry.session);
  const place: InputPlace = { file: names[stub.file] ?? '', line: stub.line, offset: 0 };
  const time = draft.time ?? stub.time;
  const also = entry === present && draft.extra === undefined ? alsoOf(entry) : [];
  const extra = draft.extra ?? { ...reading.extra, ...(also.length > 0 ? { also } : {}) };
  return toEvent(
    withoutUndefined({
      v: 1,
      id: draft.id,
      type: draft.type,
      run: entry.run,
      session: info?.recorded,
      step: draft.step,
      branch: mainBranch,
      time,
      clock: time === undefined ? undefined : clockOf(entry.run, stub.zoneless),
      source: withoutUndefined({ component: format.id, version: stub.version ?? info?.version }),
      agent: entry.agent === 'main' ? agentOf(info) : entry.agent,
      principal: draft.principal,
      causes: causesToJson(draft),
      command: draft.command,
      imported: withoutUndefined({
        format: format.id,
        file: place.file,
        line: place.line,
        record: stub.id,
        extra: Object.keys(extra).length === 0 ? undefined : extra,
      }),
      data: draft.data,
    }),
    place,
  );
}

/** A session that another started is an agent of its own, named by its id where it has no name. */
function agentOf(info: SessionInfo | undefined): string {
  if (info?.agent !== undefined) return info.agent;
  return info !== undefined && (info.spawn !== undefined || info.parentSession !== undefined) ? info.key : 'main';
}

/** A clock whose zone is not recorded is a domain of its own: its times are read as if they were UTC, and a notice says so. */
function clockOf(run: string, zoneless: boolean): string {
  return `${zoneless ? 'zone-not-recorded' : 'host'}/${run.slice(0, 8)}`;
}

function toEvent(raw: JsonObject, place: InputPlace): Result<ImportedEvent, string> {
  const parsed = parseEvent(raw);
  if (!parsed.ok) return err(parsed.error.message);
  return ok({ event: parsed.value, line: eventToLine(parsed.value), place });
}

function causesToJson(draft: EventDraft): readonly JsonValue[] | undefined {
  const seen = new Set<string>();
  const out: JsonValue[] = [];
  for (const cause of draft.causes) {
    if (cause === undefined || cause.event === draft.id || seen.has(`${cause.event} ${cause.as}`)) continue;
    seen.add(`${cause.event} ${cause.as}`);
    out.push(causeToJson(cause));
  }
  return out.length === 0 ? undefined : out;
}

function causeToJson({ event, as, rule, clockOnly }: CauseDraft): JsonObject {
  const edge = { event, as };
  if (rule === undefined) return edge;
  return { ...edge, grade: clockOnly === true ? 'clock-only' : 'inferred', rule };
}

/** No record says that the session began, so its beginning is derived (rule `run-of-session`). */
function addRun(
  format: SessionFormat,
  converting: Converting,
  batch: BatchBuilder,
  info: SessionInfo,
  file: string,
): void {
  const first = converting.plan.entries.find(({ session }) => session === info.key);
  if (first === undefined) return;
  const draft = startDraft(converting, first, {});
  const event = toEvent(
    withoutUndefined({
      v: 1,
      id: draft.id,
      type: draft.type,
      run: info.run,
      session: info.recorded,
      branch: mainBranch,
      time: info.time,
      clock: info.time === undefined ? undefined : clockOf(info.run, info.zoneless),
      source: withoutUndefined({ component: format.id, version: info.version }),
      agent: agentOf(info),
      causes: causesToJson(draft),
      imported: {
        format: format.id,
        file,
        extra: { rule: info.recorded === undefined ? 'no-session' : 'run-of-session' },
      },
      data: { program: withoutUndefined({ name: format.program, version: info.version }) },
    }),
    { file, offset: 0 },
  );
  if (event.ok) batch.derived(event.value);
}

function notARecord(format: SessionFormat, record: SessionRecord): Problem {
  const { file, line, offset } = record.place;
  const message = `Line ${String(line ?? 0)} of ${file} (byte ${String(offset)}) is JSON but no record of a ${format.label}. Its text is kept.`;
  const raw = textToUtf8(record.text);
  return { code: 'not-an-object', message, place: record.place, raw, severity: 'problem' };
}

function recordProblem(record: SessionRecord, reason: string): Problem {
  const { file, line, offset } = record.place;
  const message = `Line ${String(line ?? 0)} of ${file} (byte ${String(offset)}): ${reason} The record is kept as it is.`;
  return { code: 'invalid-event', message, place: record.place, raw: textToUtf8(record.text), severity: 'problem' };
}
