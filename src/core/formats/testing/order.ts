/**
 * The same records in another order, and what of an import may not depend on it (R18).
 */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { parseLossless, writeLossless } from '../../base/lossless.ts';
import { createIndexBuilder } from '../../causal/index.ts';
import { canon, type HindcastEvent } from '../../model/index.ts';
import { createRandom, shuffled } from './damage.ts';
import type { Opened } from './opening.ts';

export interface Order {
  readonly name: string;
  readonly apply: <T>(items: readonly T[]) => readonly T[];
}

export const orders: readonly Order[] = [
  { name: 'reversed', apply: (items) => [...items].reverse() },
  ...['one', 'two', 'three'].map((seed): Order => {
    return { name: `shuffled, seed ${seed}`, apply: (items) => shuffled(items, createRandom(seed)) };
  }),
];

/** Members that hold records, or other lists of records; what they are called says nothing below a record. */
const lists: ReadonlySet<string> = new Set([
  'resourceSpans',
  'resource_spans',
  'batches',
  'scopeSpans',
  'instrumentationLibrarySpans',
  'spans',
  'resourceLogs',
  'scopeLogs',
  'logRecords',
  'data',
  'observations',
  'events',
  'post',
  'patch',
  'traces',
  'result',
  'trace',
  'history',
  'rows',
  'timeline',
  'data_timeline',
]);

/** The text with its records in another order: lines, documents one after another, or the lists of one document; itself if it has none. */
export function reorder(text: string, order: Order): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length > 1 && lines.every((line) => parseLossless(line).ok)) return `${order.apply(lines).join('\n')}\n`;
  const document = parseLossless(text);
  if (document.ok) return writeLossless(reorderValue(document.value, order));
  const documents = text.split(/(?<=^\})\s*(?=^\{)/m);
  return documents.every((one) => parseLossless(one).ok) ? order.apply(documents).join('\n') : text;
}

function reorderValue(value: JsonValue, order: Order): JsonValue {
  if (isJsonArray(value)) {
    // Tuples and texts are no lists of records.
    if (!value.every(isJsonObject)) return value;
    return order.apply(value).map((item) => reorderValue(item, order));
  }
  if (!isJsonObject(value) || isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inside]) => [name, lists.has(name) ? reorderValue(inside, order) : inside]),
  );
}

const recordLists = ['spans', 'observations', 'events'] as const;
const recordIds = [
  'spanId',
  'span_id',
  'spanID',
  'id',
  'context',
  'eventId',
  'event_id',
  'checkpoint',
  'config',
] as const;

/** Lists in a record are its content, whatever they are called; what has records in it is none, though it may have an id too. */
function isRecord(value: JsonObject): boolean {
  if (recordLists.some((name) => isJsonArray(value[name]) && !('attributes' in value))) return false;
  return recordIds.some((name) => name in value) || ('attributes' in value && 'name' in value);
}

/** The first things that are told otherwise, cut to what a person reads. */
export function differencesOf(straight: readonly string[], other: readonly string[]): readonly string[] {
  const [known, found] = [new Set(straight), new Set(other)];
  const gone = straight.filter((one) => !found.has(one)).map((one) => `- ${one}`);
  const come = other.filter((one) => !known.has(one)).map((one) => `+ ${one}`);
  const counts = straight.length === other.length ? [] : [`${String(straight.length)} -> ${String(other.length)}`];
  return [...counts, ...gone.slice(0, 3), ...come.slice(0, 3)].map((one) => one.slice(0, 500));
}

/** All that an import says, but where records stood: counts, problems, grade, edges, and events by their ids. */
export function toTold(opened: Opened, withoutLog: boolean): readonly string[] {
  const { counts, problems, result, error } = opened;
  const events = opened.events.map(({ event }) => event).filter(({ type }) => !(withoutLog && isOfLog(type)));
  const builder = createIndexBuilder();
  for (const event of events) builder.add(event);
  const index = builder.build();
  const byCode = new Map<string, number>();
  for (const { code, severity } of problems) {
    const key = `${severity} ${code}`;
    // Copies next to one another are told in one notice.
    byCode.set(key, severity === 'notice' ? 1 : (byCode.get(key) ?? 0) + 1);
  }
  return [
    canon({ ...counts }),
    canon({ ...index.edgeCounts }),
    `error ${error?.code ?? ''}, format ${result?.format ?? ''}, grade ${result?.replayGrade ?? ''}`,
    ...[...(result?.missingForReplay ?? [])].map((one) => `missing ${one}`).sort(),
    ...[...byCode].map(([key, count]) => `${key} ${String(count)}`).sort(),
    ...events.map((event) => `${event.run} ${canon(withoutPlace(event, withoutLog))}`).sort(),
  ];
}

/** What the commands of a loop wait for is found by the lines of its log (`loop/README.md`). */
function isOfLog(type: string): boolean {
  return type.startsWith('signal.');
}

/** Lists of records that an event was made of, in the order in which they stood. */
const places: ReadonlySet<string> = new Set(['lines', 'log_records', 'records', 'also']);

function withoutPlace(event: HindcastEvent, withoutLog: boolean): JsonValue {
  const { imported, causes, command, ...rest } = event;
  const extra = Object.entries(imported?.extra ?? {}).filter(([name]) => !places.has(name));
  const plain = parseLossless(
    JSON.stringify({
      ...rest,
      command: withoutLog ? undefined : command,
      causes: [...(causes ?? [])].map((cause) => JSON.stringify(cause)).sort(),
      imported: { format: imported?.format, record: imported?.record, extra: Object.fromEntries(extra) },
    }),
  );
  return plain.ok ? plain.value : null;
}
