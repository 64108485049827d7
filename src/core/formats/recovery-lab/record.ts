/**
 * One record of a recovery stream, read without trust: who wrote it, about which run, and what it refers to.
 *
 * Invariant: a `LabRecord` has an id, a type, a run and a producer; anything less is a problem of the file. Read by both passes.
 */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { RawRecord } from '../records.ts';
import { toRecordType } from './types.ts';

export interface LabRecord {
  readonly id: string;
  /** The record type of the vocabulary; what the producer called it stands in `raw`. */
  readonly type: string;
  readonly run: string;
  readonly seq: number | undefined;
  readonly component: string;
  readonly instance: string | undefined;
  /** One life of a process, as its producer named it. */
  readonly boot: string | undefined;
  readonly pid: number | undefined;
  readonly step: string | undefined;
  readonly cmd: string | undefined;
  readonly attempt: number | undefined;
  readonly causes: readonly string[];
  readonly data: JsonObject;
  readonly raw: JsonObject;
  readonly source: RawRecord;
}

export function toLabRecord(source: RawRecord): LabRecord | string {
  const raw = source.value;
  if (!isJsonObject(raw)) return 'A record must be a JSON object.';
  const producer = objectAt(raw, 'producer');
  const component = textAt(producer, 'component');
  const [id, type, run] = [idAt(raw, 'eid'), textAt(raw, 'type'), textAt(raw, 'run')];
  if (id === undefined) return 'The record has no "eid".';
  if (type === undefined) return 'The record has no "type".';
  if (run === undefined) return 'The record has no "run".';
  if (component === undefined) return 'The record names no producer.';
  const causes = raw['causes'];
  return {
    id,
    type: toRecordType(type),
    run,
    seq: countAt(raw, 'seq'),
    component,
    instance: idAt(producer, 'instance'),
    boot: idAt(producer, 'boot') ?? idAt(producer, 'incarnation'),
    pid: countAt(producer, 'pid'),
    step: idAt(raw, 'step'),
    cmd: idAt(raw, 'cmd'),
    attempt: countAt(raw, 'attempt'),
    causes: isJsonArray(causes) ? causes.flatMap((cause) => toId(cause) ?? []) : [],
    data: toMembers(objectAt(raw, 'data') ?? {}),
    raw,
    source,
  };
}

export function lifeOf(record: LabRecord): string {
  return `${record.run}|${record.component}|${record.instance ?? ''}|${record.boot ?? ''}`;
}

export function textAt(object: JsonValue | undefined, key: string): string | undefined {
  const value = isJsonObject(object) ? object[key] : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** An id is text here, whether it was written as text or as a number. */
export function idAt(object: JsonValue | undefined, key: string): string | undefined {
  return isJsonObject(object) ? toId(object[key]) : undefined;
}

function toId(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value;
  if (typeof value === 'number') return String(value);
  // More digits than a double holds.
  const token = isJsonObject(value) ? value['$num'] : undefined;
  return typeof token === 'string' ? token : undefined;
}

/** A number that counts or names, whether it was written as a number or as its digits. */
export function countAt(object: JsonValue | undefined, key: string): number | undefined {
  const value = isJsonObject(object) ? object[key] : undefined;
  return typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : numberAt(object, key);
}

const countMembers: readonly string[] = ['pid', 'ordinal', 'attempt', 'code'];
const signals: ReadonlyMap<string, string> = new Map([
  ['1', 'SIGHUP'],
  ['2', 'SIGINT'],
  ['3', 'SIGQUIT'],
  ['6', 'SIGABRT'],
  ['9', 'SIGKILL'],
  ['11', 'SIGSEGV'],
  ['15', 'SIGTERM'],
]);

/** The payload with ids, numbers and signals in the form that the model knows. */
function toMembers(data: JsonObject): JsonObject {
  const changed: Record<string, JsonValue> = {};
  for (const key of countMembers) {
    const count = countAt(data, key);
    if (count !== undefined && count !== data[key]) changed[key] = count;
  }
  const boot = idAt(data, 'worker_boot');
  if (boot !== undefined && boot !== data['worker_boot']) changed['worker_boot'] = boot;
  const signal = toSignal(idAt(data, 'signal'));
  if (signal !== undefined && signal !== data['signal']) changed['signal'] = signal;
  return Object.keys(changed).length === 0 ? data : { ...data, ...changed };
}

/** `KILL`, `sigkill`, 9: one signal under the names that systems and languages give it. */
function toSignal(text: string | undefined): string | undefined {
  const name = text?.trim().toUpperCase();
  if (name === undefined) return undefined;
  if (/^\d+$/.test(name)) return signals.get(String(Number(name)));
  if (/^SIG[A-Z0-9]+$/.test(name)) return name;
  return [...signals.values()].find((signal) => signal === `SIG${name}`);
}

/** Members of the payload that were written in another form, as they were written. */
export function rewrittenMembers({ data, raw }: LabRecord): JsonObject | undefined {
  const recorded = objectAt(raw, 'data');
  if (recorded === undefined || recorded === data) return undefined;
  return Object.fromEntries(
    Object.entries(recorded).filter(([key, value]) => data[key] !== value && key !== '__proto__'),
  );
}

export function numberAt(object: JsonValue | undefined, key: string): number | undefined {
  const value = isJsonObject(object) ? object[key] : undefined;
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

export function objectAt(object: JsonValue | undefined, key: string): JsonObject | undefined {
  const value = isJsonObject(object) ? object[key] : undefined;
  return isJsonObject(value) ? value : undefined;
}

/** Members that have a value; absent and null are "not recorded" and do not become one. */
export function present(members: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  const out: Record<string, JsonValue> = {};
  for (const [key, value] of Object.entries(members)) if (value !== undefined && value !== null) out[key] = value;
  return out;
}
