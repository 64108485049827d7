/**
 * Inspect logs to traces, one a sample: a JSON log with its samples, or the files of an unpacked `.eval` (`header.json`,
 * `samples/<id>_epoch_<n>.json`, or for a chunked sample a folder of that name with its parts).
 *
 * Invariant: a record is an event, a sample, or one of the documents about the log. Journals and summaries repeat what samples say and
 * are kept as events of their own kind. Names of files join the parts of a chunked sample, because nothing else does.
 */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { sha256Hex } from '../../base/hash.ts';
import { recordToEventId } from '../draft.ts';
import type { InputPlace, Problem } from '../format.ts';
import { listAt, memberAt, objectAt, restOf, textAt, withoutUndefined } from '../members.ts';
import type { Piece } from '../pieces.ts';
import type { Collected, CollectedTrace, PlacedDraft } from '../spans/read.ts';
import { valueToTime } from '../times.ts';
import { eventsToOperations } from './events.ts';
import { createPools, isSample } from './resolve.ts';

export const wanted: ReadonlySet<string> = new Set(['samples.*']);

interface Document {
  readonly value: JsonValue;
  readonly place: InputPlace;
}

export function collect(pieces: readonly Piece[]): Collected {
  const samples: { readonly value: JsonObject; readonly place: InputPlace; readonly records: number }[] = [];
  const headers: Document[] = [];
  const others: Document[] = [];
  const problems: Problem[] = [];
  const parts = new Map<string, Document[]>();
  for (const piece of pieces) {
    const { value, place } = piece.record;
    const folder = chunkFolder(place.file);
    if (folder !== undefined) parts.set(folder, [...(parts.get(folder) ?? []), { value, place }]);
    else if (isSample(value)) samples.push({ value, place, records: 1 });
    else if (isJsonObject(value) && isJsonObject(value['eval'])) headers.push({ value, place });
    else others.push({ value, place });
  }
  for (const documents of parts.values()) samples.push(joinChunks(documents));
  const log = headers.find(({ place }) => !place.file.includes('_journal/')) ?? headers[0];
  const traces = samples.map((sample) => sampleToTrace(sample.value, sample.place, log?.value, sample.records - 1));
  const rest = [...headers, ...others];
  const [first] = traces;
  if (first === undefined) return { traces: log === undefined ? [] : [logToTrace(log, rest)], problems, notes: [] };
  return {
    traces: [{ ...first, others: documentsToDrafts(first.run, rest) }, ...traces.slice(1)],
    problems,
    notes: [],
  };
}

/** Parts of a chunked sample stand in a folder `samples/<id>_epoch_<n>/`. */
function chunkFolder(file: string): string | undefined {
  return /^(.*samples\/[^/]+_epoch_\d+)\//.exec(file)?.[1];
}

function joinChunks(documents: readonly Document[]) {
  const sorted = [...documents].sort((a, b) => (a.place.file < b.place.file ? -1 : 1));
  const main = sorted.find(({ place }) => place.file.endsWith('/sample.json')) ?? sorted[0];
  const named = (part: string): readonly JsonValue[] =>
    sorted
      .filter(({ place }) => place.file.includes(`/${part}/`))
      .flatMap(({ value }) => (isJsonArray(value) ? [...value] : [value]));
  const attachments: Record<string, JsonValue> = {};
  for (const { value, place } of sorted) {
    if (!place.file.includes('/attachments/')) continue;
    if (isJsonObject(value)) Object.assign(attachments, value);
  }
  const body: JsonObject = isJsonObject(main?.value) ? main.value : {};
  const skeleton = sorted.find(({ place }) => place.file.endsWith('/skeleton.json'))?.value;
  const value = withoutUndefined({
    ...body,
    events: [...(listAt(body, 'events') ?? []), ...named('events')],
    message_pool: [...(listAt(body, 'message_pool') ?? []), ...named('messages')],
    attachments: { ...objectAt(body, 'attachments'), ...attachments },
    calls: named('calls').length > 0 ? named('calls') : undefined,
    skeleton,
  });
  return { value, place: main?.place ?? { file: '', offset: 0 }, records: documents.length };
}

const samplePlaced: ReadonlySet<string> = new Set([
  'id',
  'epoch',
  'input',
  'output',
  'events',
  'attachments',
  'message_pool',
  'error',
  'transcript',
]);

function sampleToTrace(
  sample: JsonObject,
  place: InputPlace,
  log: JsonValue | undefined,
  merged: number,
): CollectedTrace {
  const pools = createPools(sample, {});
  const events = listAt(sample, 'events') ?? listAt(objectAt(sample, 'transcript'), 'events') ?? [];
  const read = eventsToOperations(events, place, pools);
  const described = objectAt(log, 'eval');
  const id = memberAt(sample, 'id') ?? '0';
  const epoch = memberAt(sample, 'epoch') ?? 1;
  const about = [
    textAt(described, 'run_id') ?? textAt(described, 'task_id') ?? '',
    JSON.stringify(id),
    JSON.stringify(epoch),
  ];
  const key = textAt(sample, 'uuid') ?? about.join('/');
  const error = objectAt(sample, 'error');
  return {
    key,
    run: sha256Hex(key).slice(0, 32),
    name: `${textAt(described, 'task') ?? 'sample'} ${typeof id === 'string' ? id : JSON.stringify(id)}, epoch ${JSON.stringify(epoch)}`,
    session: textAt(described, 'run_id'),
    input: pools.resolve(memberAt(sample, 'input')),
    outcome: {
      time: valueToTime(memberAt(sample, 'completed_at'))?.time,
      result: error === undefined ? memberAt(sample, 'output') : undefined,
      error:
        error === undefined ? undefined : { name: 'SampleError', message: textAt(error, 'message') ?? '', data: error },
    },
    start: valueToTime(memberAt(sample, 'started_at'))?.time,
    place,
    extra: restOf(sample, samplePlaced),
    operations: read.operations,
    merged: read.merged + merged,
    others: [],
  };
}

/** A log without samples is a run of its own, of which only the outcome is told. */
function logToTrace(log: Document, documents: readonly Document[]): CollectedTrace {
  const described = objectAt(log.value, 'eval');
  const key = textAt(described, 'run_id') ?? textAt(described, 'task_id') ?? 'log';
  const run = sha256Hex(key).slice(0, 32);
  const error = objectAt(log.value, 'error');
  return {
    key,
    run,
    name: textAt(described, 'task'),
    start: valueToTime(memberAt(described, 'created'))?.time,
    place: log.place,
    outcome: {
      time: valueToTime(memberAt(objectAt(log.value, 'stats'), 'completed_at'))?.time,
      result: error === undefined ? memberAt(log.value, 'results') : undefined,
      error:
        error === undefined ? undefined : { name: 'EvalError', message: textAt(error, 'message') ?? '', data: error },
    },
    extra: isJsonObject(log.value) ? restOf(log.value, new Set(['results', 'error'])) : {},
    operations: [],
    merged: 0,
    others: documentsToDrafts(
      run,
      documents.filter((document) => document !== log),
    ),
  };
}

/** Header, journal, summaries, reductions: about the log, not about one sample. */
function documentsToDrafts(run: string, documents: readonly Document[]): readonly PlacedDraft[] {
  return documents.map(({ value, place }) => {
    const isHeader = isJsonObject(value) && isJsonObject(value['eval']);
    const name = isHeader ? 'log' : documentName(place.file);
    return {
      place,
      draft: {
        id: recordToEventId(run, `document ${sha256Hex(`${name}${JSON.stringify(value)}${place.file}`).slice(0, 16)}`),
        type: `inspect.${isHeader ? 'log' : name.replace(/\W+/g, '_')}`,
        run,
        causes: [{ event: recordToEventId(run, 'run'), as: 'caused_by', rule: 'run-of-trace' }],
        data: isJsonObject(value) ? value : { value },
      },
    };
  });
}

/** `_journal/summaries/1.json` is one of the summaries. */
function documentName(file: string): string {
  const [, folder = '', name = 'document'] = /(?:([^/]*)\/)?([^/]*)\.json$/.exec(file) ?? [];
  return /^\d+$/.test(name) && folder !== '' ? folder : name;
}
