/**
 * Events of all documents to executions: each has its run id, its events by number, and what it grew out of.
 *
 * Invariants: an event of one number stands in an execution once; a copy is counted as merged, another event of the same number is a
 * problem. A document without its first event joins the execution whose numbers it continues. The result does not depend on the order
 * of files or events.
 */
import { textToUtf8 } from '../../base/hash.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { writeLossless } from '../../base/lossless.ts';
import { traceToRun } from '../draft.ts';
import type { InputPlace, Problem } from '../format.ts';
import { isEmptyObject, listAt, objectAt, restOf } from '../members.ts';
import type { Piece } from '../pieces.ts';
import { fingerprint } from '../seen.ts';
import { enumName, fieldAt, nameField, objectField, textField } from './fields.ts';
import { type HistoryRecord, isSameRecord, isUsedBefore, valueToRecord } from './record.ts';

interface Reset {
  readonly at: number;
  readonly base: string | undefined;
  readonly next: string | undefined;
}

export interface Execution {
  /** As the engine names it; made of the first event where nothing names it. */
  readonly runId: string;
  readonly run: string;
  readonly workflowId: string | undefined;
  readonly workflow: string | undefined;
  readonly records: readonly HistoryRecord[];
  readonly byNumber: ReadonlyMap<number, HistoryRecord>;
  readonly started: HistoryRecord | undefined;
  readonly reset: Reset | undefined;
  /** Records that repeated an event. */
  readonly copies: number;
  /** What stood around the events, such as the token of a further page. */
  readonly frames: readonly JsonObject[];
}

interface Group {
  readonly records: Map<number, HistoryRecord>;
  readonly frames: JsonObject[];
  copies: number;
}

interface Gathered {
  readonly executions: readonly Execution[];
  readonly problems: readonly Problem[];
}

export function gatherExecutions(pieces: readonly Piece[]): Gathered {
  const groups = new Map<string, Group>();
  const problems: Problem[] = [];
  const frames: { readonly key: string; readonly piece: Piece }[] = [];
  for (const piece of pieces.flatMap(expandHistory)) {
    const { value, place } = piece.record;
    const record = valueToRecord(value, place);
    // Lines of events are documents of one event each: the file is what holds them together.
    const alone = piece.path === 'frame' || piece.path === '';
    const key = alone && record !== undefined ? place.file : `${place.file}\n${piece.document}`;
    if (record !== undefined) addRecord(groups, key, record, problems);
    else if (alone && isJsonObject(value)) frames.push({ key, piece });
    else problems.push(noEvent(piece));
  }
  for (const { key, piece } of frames) {
    const group = groups.get(key);
    if (group === undefined || !isJsonObject(piece.record.value)) problems.push(noEvent(piece));
    else group.frames.push(piece.record.value);
  }
  return { executions: uniteExecutions([...groups.values()], problems), problems };
}

/** A list of histories: each is a document of its own. Documents are numbered in whole numbers, so those in between are free. */
function expandHistory(piece: Piece, index: number): readonly Piece[] {
  const { value } = piece.record;
  if (piece.path !== '*' || !isJsonObject(value)) return [piece];
  const history = objectAt(value, 'history');
  const events = listAt(value, 'events') ?? listAt(history, 'events');
  if (events === undefined) return [piece];
  const document = piece.document + (index + 1) / 2 ** 30;
  const at = (path: string, record: JsonValue): Piece => ({
    ...piece,
    path,
    document,
    record: { ...piece.record, value: record },
  });
  const around = { ...restOf(value, new Set(['events', 'history'])), ...restOf(history ?? {}, new Set(['events'])) };
  return [...events.map((event) => at('events.*', event)), ...(isEmptyObject(around) ? [] : [at('frame', around)])];
}

function addRecord(groups: Map<string, Group>, key: string, record: HistoryRecord, problems: Problem[]): void {
  const group = groups.get(key) ?? { records: new Map<number, HistoryRecord>(), frames: [], copies: 0 };
  groups.set(key, group);
  takeRecord(group, record, problems);
}

function takeRecord(group: Group, record: HistoryRecord, problems: Problem[]): void {
  const known = group.records.get(record.number);
  if (known === undefined) {
    group.records.set(record.number, record);
    return;
  }
  const [used, other] = isUsedBefore(record, known) ? [record, known] : [known, record];
  group.records.set(record.number, used);
  if (isSameRecord(used, other)) group.copies++;
  else problems.push(conflict(other, used));
}

function uniteExecutions(groups: readonly Group[], problems: Problem[]): readonly Execution[] {
  const whole = new Map<string, Group>();
  const pages: Group[] = [];
  const ordered = [...groups].sort((a, b) => compareGroups(a, b));
  for (const group of ordered) {
    const runId = groupToRunId(group);
    if (runId === undefined) pages.push(group);
    else whole.set(runId, unite(whole.get(runId), group, problems));
  }
  for (const page of pages) {
    const first = lowest(page);
    const before = [...whole].find(([, group]) => group.records.has(first - 1) && !group.records.has(first));
    const key = before?.[0] ?? `history ${describeGroup(page)}`;
    whole.set(key, unite(whole.get(key), page, problems));
  }
  return [...whole].map(([runId, group]) => groupToExecution(runId, group));
}

/** Pages in their order; files in any order give the same. */
function compareGroups(a: Group, b: Group): number {
  return lowest(a) - lowest(b) || (describeGroup(a) < describeGroup(b) ? -1 : 1);
}

function lowest(group: Group): number {
  let least = Infinity;
  for (const number of group.records.keys()) if (number < least) least = number;
  return least;
}

function describeGroup(group: Group): string {
  const first = group.records.get(lowest(group));
  return first === undefined ? '' : fingerprint(`${first.number} ${first.type} ${first.time ?? ''}`);
}

function unite(known: Group | undefined, group: Group, problems: Problem[]): Group {
  if (known === undefined) return group;
  known.copies += group.copies;
  for (const frame of group.frames) known.frames.push(frame);
  for (const record of group.records.values()) takeRecord(known, record, problems);
  return known;
}

/** A reset goes on under a new run id, with the first events of its base: the last one names the execution. */
function groupToRunId(group: Group): string | undefined {
  const reset = findReset(group.records);
  if (reset?.next !== undefined) return reset.next;
  const started = group.records.get(1);
  if (started?.type !== 'WorkflowExecutionStarted') return undefined;
  return textField(started.attributes, 'originalExecutionRunId') ?? `history ${describeGroup(group)}`;
}

function findReset(records: ReadonlyMap<number, HistoryRecord>): Reset | undefined {
  let found: Reset | undefined;
  for (const { type, number, attributes } of records.values()) {
    if (type !== 'WorkflowTaskFailed' || number < (found?.at ?? 0)) continue;
    if (enumName(fieldAt(attributes, 'cause'), 'WORKFLOW_TASK_FAILED_CAUSE_') !== 'ResetWorkflow') continue;
    found = { at: number, base: textField(attributes, 'baseRunId'), next: textField(attributes, 'newRunId') };
  }
  return found;
}

function groupToExecution(runId: string, { records, frames, copies }: Group): Execution {
  const sorted = [...records.values()].sort((a, b) => a.number - b.number);
  const first = records.get(1);
  const started = first?.type === 'WorkflowExecutionStarted' ? first : undefined;
  return {
    runId,
    run: traceToRun(runId),
    workflowId:
      textField(started?.attributes, 'workflowId') ??
      textField(objectField(frames[0], 'workflowExecution'), 'workflowId'),
    workflow: nameField(started?.attributes, 'workflowType'),
    records: sorted,
    byNumber: records,
    started,
    reset: findReset(records),
    copies,
    frames,
  };
}

function noEvent({ record }: Piece): Problem {
  const { place, text } = record;
  const message = `The record at line ${place.line ?? 1} (byte ${place.offset}) of ${place.file} is no event of a history: it has no event number and kind. Its bytes are kept.`;
  return { code: 'no-history-event', message, place, raw: new TextEncoder().encode(text), severity: 'problem' };
}

function conflict(record: HistoryRecord, known: HistoryRecord): Problem {
  const { place } = record;
  const message = `Event ${record.number} at byte ${place.offset} of ${place.file} is ${words(record)}, but event ${known.number} of the same execution at byte ${known.place.offset} of ${known.place.file} is ${words(known)}. The earlier is used; what this one says is kept.`;
  return { code: 'conflicting-id', message, place, raw: textToUtf8(writeLossless(record.value)), severity: 'problem' };
}

function words({ type, time }: HistoryRecord): string {
  return time === undefined ? type : `${type} of ${time}`;
}

/** Where an execution stands in the input, for notices about all of it. */
export function placeOf({ started, records }: Execution): InputPlace {
  return (started ?? records[0])?.place ?? { file: '', offset: 0 };
}
