/**
 * Anthropic managed agents: recorded calls of the sessions API as `[method, payload]`, or the events alone.
 *
 * Invariant: an event that was sent and came back in the stream with an id is one event; the sent copy is merged into it.
 */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { timeToMillis } from '../../base/time.ts';
import { canon } from '../../model/index.ts';
import { type EventDraft, recordToEventId, traceToRun } from '../draft.ts';
import type { Format, InputPlace, Problem, Sniff } from '../format.ts';
import {
  type Grouped,
  type GroupedFormat,
  type GroupedTrace,
  listGrouped,
  type MappedRecord,
  readGrouped,
} from '../grouped.ts';
import { listAt, memberAt, objectAt, restOf, textAt, withoutUndefined } from '../members.ts';
import type { Piece } from '../pieces.ts';
import { fingerprint } from '../seen.ts';
import { sniffObjects } from '../sniff.ts';
import { valueToTime } from '../times.ts';
import { type SessionEvent, sessionToRecords } from './session.ts';

const grouped: GroupedFormat = {
  id: 'anthropic-managed-agents',
  wanted: new Set(['*', 'data.*']),
  lineWanted: new Set(['']),
  collect,
  summary: {
    replayGrade: 'tool loop only',
    missingForReplay: [
      'the requests to the model',
      'the schemas of built-in tools',
      'the control program (the service)',
      'positions of issues and deliveries',
    ],
  },
};

export const managedAgents: Format = {
  id: 'anthropic-managed-agents',
  label: 'Anthropic managed agents session events',
  detect,
  list: (files) => listGrouped(grouped, files),
  read: (files, options) => readGrouped(grouped, files, options),
};

const kinds = /^(session|agent|user|span)\.[a-z_]+$/;

function isEvent(value: JsonValue | undefined): value is JsonObject {
  return (
    isJsonObject(value) &&
    kinds.test(textAt(value, 'type') ?? '') &&
    (textAt(value, 'id')?.startsWith('sevt_') === true || 'processed_at' in value)
  );
}

function detect(sniff: Sniff): number {
  const { text } = sniff;
  if (sniffObjects(sniff, 5).some((value) => isEvent(value) || (listAt(value, 'data') ?? []).some(isEvent))) return 0.9;
  // Blanks within a line only: across lines, a flood of empty ones would be read once for each.
  if (/^[ \t]*\[\s*"client\.beta\.(sessions|agents)\./m.test(text)) return 0.95;
  return /^\s*[[{]/.test(text) && /"sevt_\w+"/.test(text) && /"type"\s*:\s*"(session|agent|span)\.[a-z_]+"/.test(text)
    ? 0.9
    : 0;
}

interface Building {
  created: { readonly value: JsonObject; readonly place: InputPlace } | undefined;
  readonly events: Map<string, SessionEvent>;
  readonly sent: SessionEvent[];
  /** What an API writes around a page of events. */
  readonly documents: JsonObject[];
  merged: number;
}

function collect(pieces: readonly Piece[]): Grouped {
  const sessions = new Map<string, Building>();
  const problems: Problem[] = [];
  const named = new Set(pieces.flatMap(({ record }) => sessionNamed(record.value) ?? []));
  const [only] = named.size === 1 ? named : [];
  let current: string | undefined = only;
  const prints = new Set<string>();
  const nameless = namelessSession(pieces);
  for (const piece of pieces) {
    const { value, place, text } = piece.record;
    current = sessionNamed(value) ?? only ?? current;
    const key = current ?? nameless;
    const building = sessions.get(key) ?? { created: undefined, events: new Map(), sent: [], documents: [], merged: 0 };
    const print = fingerprint(text);
    const isCopy = prints.has(print);
    prints.add(print);
    if (isCopy) building.merged++;
    else if (piece.path === 'frame' && isJsonObject(value) && !isEvent(value)) {
      building.merged++;
      building.documents.push(value);
      sessions.set(key, building);
    } else if (!take(building, value, place)) problems.push(notKnown(piece));
    else sessions.set(key, building);
    if (isCopy) sessions.set(key, building);
  }
  return { traces: [...sessions].map(([key, building]) => toTrace(key, building)), problems, notes: [] };
}

/** A list of events names no session: it is known by the smallest of their ids. */
function namelessSession(pieces: readonly Piece[]): string {
  let smallest: string | undefined;
  for (const { record } of pieces) {
    const id = isEvent(record.value) ? textAt(record.value, 'id') : undefined;
    if (id !== undefined && (smallest === undefined || id < smallest)) smallest = id;
  }
  return smallest === undefined ? 'session' : `session of ${smallest}`;
}

/** The session that a call of the API names. */
function sessionNamed(value: JsonValue): string | undefined {
  if (!isJsonArray(value)) return undefined;
  const [, payload] = value;
  if (isJsonArray(payload)) return typeof payload[0] === 'string' ? payload[0] : undefined;
  const id = textAt(payload, 'id');
  return id?.startsWith('sesn_') === true ? id : undefined;
}

function take(building: Building, value: JsonValue, place: InputPlace): boolean {
  if (isEvent(value)) return takeEvent(building, value, place);
  if (!isJsonArray(value)) return false;
  const [method, payload] = value;
  if (typeof method !== 'string') return false;
  const body = isJsonObject(payload) ? payload : undefined;
  if (isEvent(payload)) return takeEvent(building, payload, place);
  if (isJsonArray(payload)) {
    const sent = (listAt(payload[1], 'events') ?? []).filter(isJsonObject);
    for (const event of sent) building.sent.push({ value: event, place });
    return sent.length > 0;
  }
  if (body === undefined) return false;
  if (building.created === undefined && textAt(body, 'id')?.startsWith('sesn_') === true)
    building.created = { value: body, place };
  else return takeEvent(building, { type: method, ...body }, place);
  return true;
}

function takeEvent(building: Building, value: JsonObject, place: InputPlace): boolean {
  const id = textAt(value, 'id') ?? fingerprint(canon(value));
  if (building.events.has(id)) building.merged++;
  else building.events.set(id, { value, place });
  return true;
}

function toTrace(key: string, building: Building): GroupedTrace {
  const run = traceToRun(key);
  const { created } = building;
  const echoed = new Set([...building.events.values()].map(({ value }) => contentKey(value)));
  const own = building.sent.filter(({ value }) => !echoed.has(contentKey(value)));
  const events = inOrder([...building.events.values(), ...own]);
  const begun = beginning(run, key, created?.value, events[0]);
  const { documents } = building;
  const begin = documents.length === 0 ? begun : { ...begun, extra: { ...begun.extra, documents } };
  const place = created?.place ?? events[0]?.place ?? { file: '', offset: 0 };
  const first: MappedRecord = { place, drafts: [begin] };
  // Sent events of one call are one record: counted where the first of them is kept, else merged.
  const places = new Set(own.map((event) => event.place));
  const echoes = new Set(building.sent.map((event) => event.place)).size - places.size;
  return {
    key,
    title: textAt(created?.value, 'title') ?? key,
    startedAt: begin.time,
    mapped: [
      ...(created === undefined ? [] : [first]),
      ...joinByPlace(sessionToRecords(run, key, created?.value, events), places),
    ],
    derived: created === undefined ? [first] : [],
    merged: building.merged + echoes,
  };
}

/** Records that were one call of the API are one entry of the account. */
function joinByPlace(records: readonly MappedRecord[], places: ReadonlySet<InputPlace>): readonly MappedRecord[] {
  const joined = new Map<InputPlace, MappedRecord>();
  const out: MappedRecord[] = [];
  for (const record of records) {
    if (places.has(record.place)) {
      const known = joined.get(record.place);
      joined.set(record.place, { place: record.place, drafts: [...(known?.drafts ?? []), ...record.drafts] });
    } else out.push(record);
  }
  return [...out, ...joined.values()];
}

/** What an event says, without what the service adds when it streams it back. */
function contentKey(value: JsonObject): string {
  return canon(restOf(value, new Set(['id', 'processed_at', 'session_thread_id', 'is_error', 'agent_name'])));
}

/** The service's order; what has no time, such as an event that was sent and not streamed, stands last. */
function inOrder(events: readonly SessionEvent[]): readonly SessionEvent[] {
  const keyed = events.map((event, n) => {
    const time = valueToTime(memberAt(event.value, 'processed_at'))?.time;
    return {
      event,
      n,
      at: time === undefined ? Number.POSITIVE_INFINITY : (timeToMillis(time) ?? Number.POSITIVE_INFINITY),
    };
  });
  keyed.sort((a, b) => (a.at === b.at ? a.n - b.n : a.at - b.at));
  return keyed.map(({ event }) => event);
}

function beginning(
  run: string,
  key: string,
  created: JsonObject | undefined,
  first: SessionEvent | undefined,
): EventDraft {
  const agent = objectAt(created, 'agent');
  const time = valueToTime(memberAt(created, 'created_at') ?? memberAt(first?.value, 'processed_at'))?.time;
  return {
    id: recordToEventId(run, 'run'),
    type: 'run.started',
    run,
    session: key,
    time,
    clock: `anthropic/${run.slice(0, 8)}`,
    record: key,
    extra:
      created === undefined ? { rule: 'session-of-stream' } : restOf(created, new Set(['id', 'created_at', 'type'])),
    data: withoutUndefined({ program: { name: textAt(agent, 'name') ?? 'managed agent' } }),
  };
}

function notKnown({ record }: Piece): Problem {
  const { place } = record;
  const message = `The record at line ${place.line ?? 1} (byte ${place.offset}) of ${place.file} is no event of a session. Its bytes are kept.`;
  return { code: 'not-an-event', message, place, raw: new TextEncoder().encode(record.text), severity: 'problem' };
}
