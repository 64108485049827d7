/**
 * Langfuse records to traces: the export of a trace with its observations (which stand in it twice), lists and lines of
 * observations, and ingestion batches.
 *
 * Invariant: one observation id is one operation. Further records of the id are merged: what the fullest one lacks is taken from them.
 */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { parseLossless } from '../../base/lossless.ts';
import { recordToEventId, traceToRun } from '../draft.ts';
import type { InputPlace, Problem } from '../format.ts';
import {
  firstText,
  isEmptyObject,
  listAt,
  memberAt,
  objectAt,
  parseText,
  restOf,
  textAt,
  withoutUndefined,
} from '../members.ts';
import type { Piece } from '../pieces.ts';
import { fingerprint } from '../seen.ts';
import type { Collected, CollectedTrace, PlacedDraft } from '../spans/read.ts';
import { valueToTime } from '../times.ts';
import { idsIn, looksLikeScore } from './alone.ts';
import { fieldOf, textOf, toOperation } from './observation.ts';

export const wanted: ReadonlySet<string> = new Set([
  '*',
  'observations.*',
  'trace.observations.*',
  'data.*',
  'data.*.observations.*',
  'batch.*',
  'scores.*',
  'trace.scores.*',
]);

interface Held {
  record: JsonObject;
  place: InputPlace;
  count: number;
}

interface Building {
  readonly key: string;
  trace: Held | undefined;
  readonly observations: Map<string, Held>;
  readonly scores: Map<string, Held>;
}

export function collect(pieces: readonly Piece[]): Collected {
  const traces = new Map<string, Building>();
  const problems: Problem[] = [];
  const buildingOf = (key: string): Building => {
    const known = traces.get(key);
    if (known !== undefined) return known;
    const made: Building = { key, trace: undefined, observations: new Map(), scores: new Map() };
    traces.set(key, made);
    return made;
  };
  for (const piece of pieces.flatMap(expandPiece)) {
    const read = readPiece(piece);
    if (read === undefined) {
      problems.push(notKnown(piece));
      continue;
    }
    const building = buildingOf(read.trace);
    const { place } = piece.record;
    if (read.kind === 'trace') building.trace = merge(building.trace, read.record, place);
    else {
      const held = read.kind === 'score' ? building.scores : building.observations;
      held.set(read.id, merge(held.get(read.id), read.record, place));
    }
  }
  giveFrames(traces);
  const buildings = [...traces.values()];
  return { traces: buildings.map(toTrace), problems, notes: buildings.flatMap(absentOf) };
}

/** What an API writes around its records is no trace: it is kept with the first of the traces by their ids. */
function giveFrames(traces: Map<string, Building>): void {
  const frames = [...traces.values()].filter(({ key }) => key.startsWith(documentKey));
  const [first] = [...traces.values()]
    .filter(({ key }) => !key.startsWith(documentKey))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
  if (first === undefined) return;
  for (const frame of frames) {
    for (const [id, held] of frame.observations) first.observations.set(`${frame.key} ${id}`, held);
    traces.delete(frame.key);
  }
}

/** A trace that was exported apart from its observations names them: which of them were not opened is said. */
function absentOf({ key, trace, observations }: Building): readonly Problem[] {
  if (trace === undefined) return [];
  const absent = idsIn(trace.record, 'observations').filter((id) => !observations.has(id));
  if (absent.length === 0) return [];
  const many = absent.length === 1 ? 'one observation that is' : `${absent.length} observations that are`;
  const message = `The trace ${key} names ${many} in no file that was opened, for example ${absent[0] ?? ''}. Export the observations too and open them together with it.`;
  return [{ code: 'observations-not-opened', message, place: trace.place, severity: 'notice' }];
}

const documentKey = 'document ';

/** Traces in a list hold their observations inside them: each is a record of its own, as where a trace is the document. */
function expandPiece(piece: Piece): readonly Piece[] {
  const { value } = piece.record;
  const many = listAt(value, 'traces') ?? [];
  const around = objectAt(value, 'trace');
  const inner = around ?? (isJsonObject(value) ? value : {});
  const held = [value, around].flatMap((one) => [
    ...(listAt(one, 'observations') ?? []).map((record) => ['observations.*', record] as const),
    ...(listAt(one, 'scores') ?? []).map((record) => ['scores.*', record] as const),
  ]);
  const below = held.filter(([, record]) => isJsonObject(record));
  if (many.length === 0 && below.length === 0) return [piece];
  const at = (path: string, record: JsonValue): Piece => ({
    ...piece,
    path,
    record: { ...piece.record, value: record },
  });
  const own = restOf(inner, new Set(['observations', 'scores', 'traces']));
  const beside =
    around === undefined || !isJsonObject(value) ? {} : restOf(value, new Set(['trace', 'observations', 'scores']));
  const trace = isEmptyObject(beside) ? own : { ...own, beside };
  return [
    ...(isEmptyObject(trace) ? [] : [at('*', trace)]),
    ...below.map(([path, record]) => at(path, record)),
    ...many.flatMap((one) => expandPiece(at('*', one))),
  ];
}

interface Read {
  readonly kind: 'trace' | 'observation' | 'score';
  readonly trace: string;
  readonly id: string;
  readonly record: JsonObject;
}

function readPiece(piece: Piece): Read | undefined {
  const value = piece.record.value;
  if (!isJsonObject(value)) return undefined;
  const body = objectAt(value, 'body');
  const type = textAt(value, 'type') ?? '';
  if (body !== undefined && /-(create|update)$/.test(type)) return readIngested(type, body);
  if (piece.path === 'frame') return readFrame(value, piece);
  if (piece.path.endsWith('scores.*') || looksLikeScore(value)) return readScore(value);
  return readObservation(value) ?? readTrace(value);
}

function readFrame(value: JsonObject, piece: Piece): Read | undefined {
  const trace = objectAt(value, 'trace');
  const rest = restOf(value, new Set(['trace', 'observations', 'scores']));
  if (trace !== undefined) return readTrace({ ...trace, ...(Object.keys(rest).length > 0 ? { beside: rest } : {}) });
  const known = readObservation(value) ?? readTrace(value);
  // Pages of an API around its records: kept with them under an id of its own.
  return (
    known ?? {
      kind: 'observation',
      trace: `${documentKey}${fingerprint(piece.record.text)}`,
      id: 'frame',
      record: { type: 'EVENT', name: 'document', input: value },
    }
  );
}

function readObservation(value: JsonObject): Read | undefined {
  const id = textAt(value, 'id');
  const trace = textOf(value, 'traceId');
  const type = textAt(value, 'type');
  if (id === undefined || trace === undefined || (type === undefined && fieldOf(value, 'startTime') === undefined))
    return undefined;
  return { kind: 'observation', trace, id, record: value };
}

function readTrace(value: JsonObject): Read | undefined {
  const id = textAt(value, 'id');
  return id === undefined ? undefined : { kind: 'trace', trace: id, id, record: value };
}

function readScore(value: JsonObject): Read | undefined {
  const id = textAt(value, 'id');
  const trace = textOf(value, 'traceId');
  return id === undefined || trace === undefined ? undefined : { kind: 'score', trace, id, record: value };
}

/** `generation-create` and its updates carry the observation as their body. */
function readIngested(type: string, body: JsonObject): Read | undefined {
  if (type.startsWith('trace')) return readTrace(body);
  if (type.startsWith('score')) return readScore(body);
  const kind = type.replace(/-(create|update)$/, '').toUpperCase();
  return readObservation({ ...(kind === 'OBSERVATION' ? {} : { type: kind }), ...body });
}

/** What one record has and the other lacks; where both say something else, both stay. */
function merge(held: Held | undefined, record: JsonObject, place: InputPlace): Held {
  if (held === undefined) return { record, place, count: 1 };
  const [full, other] = weightOf(record) > weightOf(held.record) ? [record, held.record] : [held.record, record];
  const out: Record<string, JsonValue> = { ...other, ...withoutNull(full) };
  const differing = Object.entries(withoutNull(other)).filter(
    ([key, value]) => key !== 'also_recorded' && !sameValue(out[key], value),
  );
  if (differing.length > 0) {
    const before = memberAt(full, 'also_recorded') ?? memberAt(other, 'also_recorded');
    out['also_recorded'] = [...(isJsonArray(before) ? before : []), Object.fromEntries(differing)];
  }
  return { record: out, place: full === record ? place : held.place, count: held.count + 1 };
}

function withoutNull(record: JsonObject): JsonObject {
  return restOf(record, new Set());
}

function sameValue(one: JsonValue | undefined, other: JsonValue): boolean {
  return JSON.stringify(parseText(one)) === JSON.stringify(parseText(other));
}

function weightOf(record: JsonObject): number {
  return (
    Object.values(record).filter((value) => value !== null).length +
    (fieldOf(record, 'input') === undefined ? 0 : 100) +
    (fieldOf(record, 'output') === undefined ? 0 : 100)
  );
}

function toTrace(building: Building): CollectedTrace {
  const record = building.trace?.record ?? {};
  const run = traceToRun(building.key);
  const user = textOf(record, 'userId');
  const observations = [...building.observations].map(([id, held]) => toOperation(held.record, id, held.place));
  const scores = [...building.scores].map(([id, held]) => scoreToDraft(run, id, held));
  const counts = [building.trace, ...building.observations.values(), ...building.scores.values()];
  const output = parseTwice(memberAt(record, 'output'));
  const isObserved = [...building.observations.keys()].some((id) => !id.startsWith(documentKey));
  return {
    key: building.key,
    run,
    name: textAt(record, 'name'),
    session: textOf(record, 'sessionId'),
    input: parseTwice(memberAt(record, 'input')),
    output,
    // Without its observations a trace is what came in and what came out.
    outcome: output === undefined || isObserved ? undefined : { result: output },
    start: valueToTime(memberAt(record, 'timestamp'))?.time,
    version: firstText(record, 'release', 'version'),
    principal: user === undefined ? undefined : { id: user },
    place: building.trace?.place,
    extra: restOf(record, tracePlaced),
    operations: observations,
    others: scores,
    merged: counts.reduce((sum, held) => sum + Math.max(0, (held?.count ?? 1) - 1), 0),
  };
}

/** Some exports write a JSON text as a JSON string once more. */
function parseTwice(value: JsonValue | undefined): JsonValue | undefined {
  if (typeof value !== 'string' || !/^".*"$/s.test(value)) return parseText(value);
  const inner = parseLossless(value);
  return parseText(inner.ok ? inner.value : value);
}

const tracePlaced: ReadonlySet<string> = new Set([
  'id',
  'name',
  'input',
  'timestamp',
  'sessionId',
  'session_id',
  'userId',
  'user_id',
  'scores',
  'observations',
]);

/** A judgement on the trace or one observation, by a person or a program. */
function scoreToDraft(run: string, id: string, { record, place }: Held): PlacedDraft {
  const target = textOf(record, 'observationId');
  const time = valueToTime(memberAt(record, 'timestamp'))?.time;
  const source = textAt(record, 'source');
  const by = textOf(record, 'authorUserId');
  return {
    place,
    draft: {
      id: recordToEventId(run, `score ${id}`),
      type: 'annotation.made',
      run,
      time,
      clock: `langfuse/${run.slice(0, 8)}`,
      record: id,
      causes:
        target === undefined
          ? [{ event: recordToEventId(run, 'run'), as: 'caused_by' }]
          : [{ event: recordToEventId(run, target), as: 'caused_by' }],
      extra: restOf(record, new Set(['id', 'name', 'value', 'comment', 'observationId', 'traceId', 'timestamp'])),
      data: withoutUndefined({
        annotator: { id: by ?? source ?? 'langfuse', kind: by === undefined ? 'service' : 'human' },
        target: target ?? textOf(record, 'traceId'),
        label: textAt(record, 'name'),
        body: withoutUndefined({
          value: memberAt(record, 'value') ?? fieldOf(record, 'stringValue'),
          comment: textAt(record, 'comment'),
        }),
        method: source,
      }),
    },
  };
}

function notKnown({ record, path }: Piece): Problem {
  const { place } = record;
  const message = `The record at byte ${place.offset} of ${place.file} (${path}) has no id of an observation or a trace, so it cannot be placed. Its bytes are kept.`;
  return { code: 'no-identity', message, place, raw: new TextEncoder().encode(record.text), severity: 'problem' };
}

/** True for a value that holds records of Langfuse. */
export function looksLikeObservation(value: JsonValue | undefined): boolean {
  if (!isJsonObject(value)) return false;
  const hasTrace = textOf(value, 'traceId') !== undefined && textAt(value, 'id') !== undefined;
  return (
    hasTrace &&
    ('parentObservationId' in value ||
      'parent_observation_id' in value ||
      'modelParameters' in value ||
      'model_parameters' in value)
  );
}

export function observationsIn(value: JsonObject): readonly JsonValue[] {
  return (
    listAt(value, 'observations') ??
    listAt(objectAt(value, 'trace'), 'observations') ??
    listAt(value, 'data') ??
    listAt(value, 'batch') ??
    []
  );
}
