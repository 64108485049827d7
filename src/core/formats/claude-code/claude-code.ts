/**
 * Claude Code sessions: JSON lines with sub-agents inline, in `subagents/` or as side chains, tool results in files, and web exports.
 *
 * Two passes over the files, because a record may stand before what it refers to: the survey counts, the second pass converts.
 * Invariant: every record is mapped, merged (a further line of a model message, or a copy) or a problem. Progress counts each
 * byte half per pass.
 */
import { ensureExists } from '../../base/assert.ts';
import { textToUtf8 } from '../../base/hash.ts';
import type { JsonObject } from '../../base/json.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { mainBranch } from '../../model/index.ts';
import { type BatchBuilder, createBatchBuilder } from '../batch.ts';
import { type CopyLog, createCopyLog } from '../copies.ts';
import type {
  Format,
  ImportBatch,
  ImportedEvent,
  ImportOptions,
  ImportSummary,
  Problem,
  Sniff,
  SourceFile,
  UnusableInput,
} from '../format.ts';
import { looksLikeJson } from '../detect.ts';
import { fingerprint, type RecordPlace } from '../seen.ts';
import { sniffObjects } from '../sniff.ts';
import { draftToEvent, type EventDraft, formatId, rawToEvent, withoutUndefined } from './envelope.ts';
import { createLinks, type Links } from './link.ts';
import { hasCalls, type MessageLine, type OpenMessage, takeModelLine } from './model-call.ts';
import { recordToDrafts } from './other-records.ts';
import type { CcRecord } from './record.ts';
import { filesOfSession, listSessions } from './sessions.ts';
import { type Entry, isExport, readEntries, type SessionFile, type TextOutput, toSessionFile } from './source.ts';
import { baseName, createSurvey, type Node, nodeKey } from './survey.ts';

export const claudeCode: Format = {
  id: formatId,
  label: 'Claude Code session (JSON lines, with its subagents folder)',
  detect: detectClaudeCode,
  loop: 'session',
  accepts: (name, sniff) => /(?:^|\/)tool-results\//.test(name) || looksLikeJson(sniff),
  list: listSessions,
  read: readClaudeCode,
};

function detectClaudeCode(sniff: Sniff): number {
  const objects = sniffObjects(sniff);
  let best = 0;
  for (const object of objects) best = Math.max(best, recordConfidence(object));
  if (best > 0) return best;
  const head = sniff.text.trimStart();
  if (isExport(head)) return 0.9;
  const begins = /"(parentUuid|isSidechain|sessionId)"\s*:/.test(head) && /"type"\s*:/.test(head);
  return /^[[{]/.test(head) && begins ? 0.6 : 0;
}

const kinds: ReadonlySet<unknown> = new Set(['user', 'assistant', 'system', 'attachment', 'progress']);

function recordConfidence(record: JsonObject): number {
  if (typeof record['sessionId'] === 'string' && ('parentUuid' in record || 'isSidechain' in record)) return 0.95;
  if (typeof record['type'] !== 'string') return 0;
  if (typeof record['sessionId'] === 'string' && typeof record['timestamp'] === 'string') return 0.7;
  const { message } = record;
  const speaks = typeof message === 'object' && message !== null && 'content' in message;
  if (kinds.has(record['type']) && typeof record['timestamp'] === 'string' && speaks) return 0.6;
  return record['type'] === 'summary' && typeof record['leafUuid'] === 'string' ? 0.9 : 0;
}

interface Reading {
  readonly batch: BatchBuilder;
  readonly copies: CopyLog;
  readonly links: Links;
  readonly open: Map<string, OpenMessage>;
  readonly firsts: Map<string, RecordPlace>;
  /** How often each record without identity stood in the present file. */
  readonly occurrences: Map<string, number>;
}

async function* readClaudeCode(
  given: readonly SourceFile[],
  options: ImportOptions,
): AsyncGenerator<ImportBatch, Result<ImportSummary, UnusableInput>> {
  const files = await filesOfSession(given, options);
  const sessions: SessionFile[] = [];
  for (const file of files) sessions.push(await toSessionFile(file));
  let bytes = 0;
  const count = (length: number): void => void (bytes += length / 2);
  const survey = createSurvey();
  for (const session of sessions) {
    for await (const entries of readEntries(session, count)) {
      for (const entry of entries) {
        if (entry.kind === 'record') survey.add(entry.record);
        else if (entry.kind === 'output') survey.addOutput(session.file.name, entry.output.bytes);
      }
      if (options.signal?.aborted === true) return err(cancelled);
    }
    yield createBatchBuilder().take(bytes);
  }
  const reading: Reading = {
    batch: createBatchBuilder(),
    copies: createCopyLog(files.map((file) => file.name)),
    links: createLinks(survey.finish()),
    open: new Map(),
    firsts: new Map(),
    occurrences: new Map(),
  };
  addRuns(reading, sessions[0]?.file.name ?? '');
  for (const [index, session] of sessions.entries()) {
    reading.occurrences.clear();
    for await (const entries of readEntries(session, count)) {
      for (const entry of entries) takeEntry(reading, entry, session.file.name, index);
      if (options.signal?.aborted === true) return err(cancelled);
      if (reading.batch.isFull()) yield reading.batch.take(bytes);
    }
  }
  // Only a file that changed between the passes leaves a message without its last line.
  for (const { lines } of reading.open.values())
    for (const line of lines) if (!hasCalls(line)) reading.batch.problem(recordProblem(line.record, changed));
  for (const notice of reading.copies.take()) reading.batch.note(notice);
  noteForks(reading, sessions[0]?.file.name ?? '');
  if (!reading.batch.isEmpty()) yield reading.batch.take(bytes);
  return ok(summary);
}

const cancelled: UnusableInput = { code: 'cancelled', message: 'Opening was cancelled.' };

const summary: ImportSummary = {
  format: formatId,
  replayGrade: 'tool loop only',
  missingForReplay: [
    'the control program of Claude Code',
    'the system prompt',
    'the tool schemas',
    'the requests to the model (only its answers are recorded)',
  ],
};

/** One run for each session id; no record says that it began, so its beginning is derived (rule `run-of-session`). */
function addRuns(reading: Reading, file: string): void {
  const { links, batch } = reading;
  const known = [...links.survey.sessions];
  const sessions = known.length > 0 ? known : [[undefined, { time: undefined, version: undefined }] as const];
  for (const [session, info] of sessions) {
    const run = links.runOf(session);
    const event = rawToEvent(
      withoutUndefined({
        v: 1,
        id: `${run.slice(0, 8)}/run`,
        type: 'run.started',
        run,
        session,
        branch: mainBranch,
        time: info.time,
        clock: info.time === undefined ? undefined : `host/${run.slice(0, 8)}`,
        source: withoutUndefined({ component: formatId, version: info.version }),
        imported: { format: formatId, extra: { rule: session === undefined ? 'no-session' : 'run-of-session' } },
        data: { program: withoutUndefined({ name: 'Claude Code', version: info.version }) },
      }),
      { file, offset: 0 },
    );
    if (event.ok) batch.derived(event.value);
  }
  if (known.length === 0) {
    const message = `No record of ${file} names its session. The run id was made from the records (rule no-session).`;
    batch.note({ code: 'session-not-recorded', message, severity: 'notice' });
  }
}

/** Prompts that share a parent are ways a person took from the same place; answers that share one are parallel calls. */
function noteForks({ batch, links }: Reading, file: string): void {
  const prompts = new Map<string, number>();
  for (const node of links.survey.nodes.values()) {
    const parent = node.kind === 'prompt' && !node.sidechain ? links.parentOf(node) : undefined;
    if (parent !== undefined) prompts.set(parent.uuid, (prompts.get(parent.uuid) ?? 0) + 1);
  }
  const forks = [...prompts.values()].filter((count) => count > 1).length;
  if (forks === 0) return;
  const records = forks === 1 ? 'one record' : `${String(forks)} records`;
  const message = `The session goes on in more than one way after ${records}: a prompt was written again. All ways are shown side by side.`;
  batch.note({ code: 'session-forks', message, place: { file, offset: 0 }, severity: 'notice' });
}

function takeEntry(reading: Reading, entry: Entry, file: string, index: number): void {
  if (entry.kind === 'problem') reading.batch.problem(entry.problem);
  else if (entry.kind === 'output') takeOutput(reading, entry.output, file, index);
  else takeRecord(reading, entry.record, entry.note, index);
}

const changed = 'The file changed while it was read.';

function takeRecord(reading: Reading, record: CcRecord, note: Problem | undefined, index: number): void {
  const { batch, links } = reading;
  const print = fingerprint(record.source.text);
  const node = links.survey.nodes.get(nodeKey(record, print));
  // The survey saw the same records; a file that changed between the passes is the one way not to find it.
  if (node === undefined) {
    batch.problem(recordProblem(record, changed));
    return;
  }
  if (note !== undefined) batch.note(note);
  const place = { file: index, line: record.source.place.line ?? 1 };
  const again = countOccurrence(reading, record, print);
  const first = firstOf(reading, record, node, print, again, place);
  if (first !== undefined) {
    batch.merged();
    reading.copies.add(place, first);
    return;
  }
  if (conflicts(node) && record.uuid !== undefined) noteConflict(batch, record, node);
  const named: Node = again === 0 ? node : { ...node, uuid: `${node.uuid}#${again}` };
  if (record.type === 'assistant' && record.message !== undefined)
    takeAssistant(reading, { record, node: named }, print);
  else give(reading, { record, node: named }, recordToDrafts(links, record, named, print));
}

/** The events of one record, or its problem where the model refuses one of them. */
function give(reading: Reading, { record, node }: MessageLine, drafts: readonly EventDraft[]): void {
  const events = draftsToEvents(reading, { record, node }, drafts);
  if (events.ok) reading.batch.mapped(events.value);
  else reading.batch.problem(recordProblem(record, events.error));
}

function draftsToEvents(
  { links }: Reading,
  { record, node }: MessageLine,
  drafts: readonly EventDraft[],
): Result<readonly ImportedEvent[], string> {
  const events: ImportedEvent[] = [];
  for (const draft of drafts) {
    const made = draftToEvent(links, record, node, draft);
    if (!made.ok) return made;
    events.push(made.value);
  }
  return ok(events);
}

/**
 * A line with calls is mapped to them. The event of the whole message is that of its last line as they were written; lines that make
 * nothing else are merged into it, in whatever order they are read.
 */
function takeAssistant(reading: Reading, line: MessageLine, print: string): void {
  const { batch, links, open } = reading;
  const taken = takeModelLine(links, open, line, print);
  if (taken === undefined) {
    batch.problem(recordProblem(line.record, changed));
    return;
  }
  const { own, message } = taken;
  const last = message?.lines.at(-1);
  if (message !== undefined && last !== undefined) {
    const events = draftsToEvents(reading, last, message.drafts);
    if (!hasCalls(last)) {
      if (events.ok) batch.mapped(events.value);
      else batch.problem(recordProblem(last.record, events.error));
    } else if (events.ok) for (const event of events.value) batch.derived(event);
    else batch.note(recordProblem(last.record, events.error));
    for (const one of message.lines) if (one !== last && !hasCalls(one)) batch.merged();
  }
  if (hasCalls(line)) give(reading, line, own);
}

/** R20: records without identity that repeat in one file are separate occurrences. */
function countOccurrence(reading: Reading, record: CcRecord, print: string): number {
  if (record.uuid !== undefined) return 0;
  const before = reading.occurrences.get(print) ?? 0;
  reading.occurrences.set(print, before + 1);
  return before;
}

/** Where this record was read before, under the same identity and with the same text. */
function firstOf(
  reading: Reading,
  record: CcRecord,
  node: Node,
  print: string,
  again: number,
  place: RecordPlace,
): RecordPlace | undefined {
  const own = node.prints.filter((other) => !node.carried.has(other));
  const isCarriedCopy = record.carried && (own.length > 0 || print !== node.prints[0]);
  const key = record.carried || isCarriedCopy ? nodeKey(record, print) : `${nodeKey(record, print)}~${print}#${again}`;
  const first = reading.firsts.get(key);
  if (first !== undefined) return first;
  if (isCarriedCopy) return place;
  reading.firsts.set(key, place);
  return undefined;
}

function conflicts(node: Node): boolean {
  return node.prints.length - node.carried.size > 1;
}

function noteConflict(batch: BatchBuilder, record: CcRecord, node: Node): void {
  const { file, line } = record.source.place;
  batch.note({
    code: 'conflicting-id',
    message: `Line ${line ?? 0} of ${file} has the uuid "${node.uuid}" of ${node.prints.length - 1} other records that say something else. All are kept, each under an id of its own.`,
    place: record.source.place,
    raw: textToUtf8(record.source.text),
    severity: 'problem',
  });
}

function recordProblem(record: CcRecord, reason: string): Problem {
  const { file, line, offset } = record.source.place;
  const message = `Line ${line ?? 0} of ${file} (byte ${offset}): ${reason} The record is kept as it is.`;
  return {
    code: 'invalid-event',
    message,
    place: record.source.place,
    raw: textToUtf8(record.source.text),
    severity: 'problem',
  };
}

/** The output of a tool in a file of its own is stored under its digest; a result that names the file refers to it. */
function takeOutput(reading: Reading, output: TextOutput, file: string, index: number): void {
  const { links, batch, copies, firsts } = reading;
  const place = { file, offset: 0, length: output.bytes.length };
  if (output.invalid > 0) {
    const message = `${file} is neither a session nor text, so it is no part of the trace. Its bytes are kept.`;
    batch.problem({ code: 'unknown-file', message, place, raw: output.bytes, severity: 'problem' });
    return;
  }
  const { digest } = ensureExists(links.survey.outputs.get(file), 'the survey of this file');
  const first = firsts.get(digest);
  if (first !== undefined) {
    batch.merged();
    copies.add({ file: index, line: 1 }, first);
    return;
  }
  firsts.set(digest, { file: index, line: 1 });
  const run = links.runOf(links.sessionOf(undefined, undefined));
  const event = rawToEvent(
    {
      v: 1,
      id: `${run.slice(0, 8)}/content:${digest}`,
      type: 'content.stored',
      run,
      branch: mainBranch,
      source: { component: formatId },
      imported: { format: formatId, file, extra: { name: baseName(file) } },
      data: { digest, mediaType: 'text/plain', text: output.text },
    },
    place,
  );
  if (event.ok) batch.mapped([event.value]);
  else
    batch.problem({
      code: 'invalid-event',
      message: `${file}: ${event.error}`,
      place,
      raw: output.bytes,
      severity: 'problem',
    });
}
