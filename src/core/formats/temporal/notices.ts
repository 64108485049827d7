/**
 * What has to be said about histories beside their events: payloads that cannot be read, events that are in no file, further pages.
 */
import { isJsonArray, isJsonObject, type JsonValue } from '../../base/json.ts';
import type { Problem } from '../format.ts';
import { memberAt } from '../members.ts';
import { type Execution, placeOf } from './executions.ts';
import { textField } from './fields.ts';
import type { Lacks } from './grade.ts';
import { payloadEncoding } from './payload.ts';

/** Ranges that are named; more are counted. */
const mostRanges = 20;

export function computeLacks(executions: readonly Execution[]): Lacks {
  const unreadable = new Map<string, number>();
  const holes: string[] = [];
  let withoutStart = 0;
  for (const execution of executions) {
    if (execution.started === undefined) withoutStart++;
    for (const { attributes } of execution.records) {
      for (const [name, member] of Object.entries(attributes)) if (!isBeside(name)) countUnreadable(member, unreadable);
    }
    for (const hole of computeHoles(execution)) if (holes.length < mostRanges) holes.push(hole);
  }
  return { unreadable, holes, withoutStart };
}

/** What control code is not given: nothing of a replay depends on it. */
function isBeside(name: string): boolean {
  return /^(?:header|memo|search_?[aA]ttributes)$/.test(name);
}

/** Iterative: attributes hold chains of failures. */
function countUnreadable(attributes: JsonValue, counts: Map<string, number>): void {
  const open: JsonValue[] = [attributes];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    const encoding = payloadEncoding(value);
    if (encoding === undefined) {
      const members = isJsonArray(value) ? value : isJsonObject(value) ? Object.values(value) : [];
      for (const member of members) if (typeof member === 'object' && member !== null) open.push(member);
    } else if (encoding !== '') counts.set(encoding, (counts.get(encoding) ?? 0) + 1);
  }
}

/** Inside the range that is there; a history that goes on behind it does not say so. */
function computeHoles({ records }: Execution): readonly string[] {
  const holes: string[] = [];
  let before = 0;
  for (const { number } of records) {
    if (before > 0 && number > before + 1)
      holes.push(number === before + 2 ? String(before + 1) : `${before + 1} to ${number - 1}`);
    before = number;
  }
  return holes;
}

export function executionsToNotes(executions: readonly Execution[], lacks: Lacks): readonly Problem[] {
  const notes: Problem[] = [];
  const place = executions[0] === undefined ? undefined : placeOf(executions[0]);
  for (const [encoding, count] of lacks.unreadable) {
    const remedy = encoding.endsWith('protobuf')
      ? 'a binary message needs the program that knows its type; a data converter that writes json/protobuf is read'
      : 'encrypted or compressed payloads need their codec: temporal workflow show --output json --codec-endpoint URL writes them decoded';
    const message = `${count} payloads are of encoding ${encoding}, which is not readable here (${remedy}). They are kept as they were recorded; what control code received in them is not known.`;
    notes.push({ code: 'payload-not-readable', message, place, severity: 'notice' });
  }
  for (const execution of executions) {
    const of = placeOf(execution);
    const holes = computeHoles(execution);
    if (holes.length > 0) {
      const more = holes.length > mostRanges ? ` and ${holes.length - mostRanges} more ranges` : '';
      const message = `Of the execution ${execution.runId} the events ${holes.slice(0, mostRanges).join(', ')}${more} are in no file.`;
      notes.push({ code: 'events-missing', message, place: of, severity: 'notice' });
    }
    if (execution.started === undefined) {
      const message = `The first event of an execution is in no file: its workflow, its input and its run id are not known. Open its first page with it.`;
      notes.push({ code: 'history-without-start', message, place: of, severity: 'notice' });
    }
    if (execution.frames.some((frame) => textField(frame, 'nextPageToken') !== undefined)) {
      const message = `${of.file} is one page of a history: it names a token for the next page. Open all pages together.`;
      notes.push({ code: 'history-has-more-pages', message, place: of, severity: 'notice' });
    }
    if (execution.records.some(({ zoneAssumed }) => zoneAssumed)) {
      const message = `Times of the execution ${execution.runId} have no time zone; they are read as UTC.`;
      notes.push({ code: 'time-without-zone', message, place: of, severity: 'notice' });
    }
    const raw = execution.frames
      .map((frame) => memberAt(frame, 'rawHistory'))
      .find((list) => isJsonArray(list) && list.length > 0);
    if (raw !== undefined) {
      const message = `${of.file} also holds a raw history in binary form, which is kept but not read.`;
      notes.push({ code: 'raw-history-not-read', message, place: of, severity: 'notice' });
    }
  }
  return notes;
}
