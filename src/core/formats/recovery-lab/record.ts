/**
 * One record of a recovery stream, read without trust: who wrote it, about which run, and what it refers to.
 *
 * Invariant: a `LabRecord` has an id, a type, a run and a producer; anything less is a problem of the file. Read by both passes.
 */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { RawRecord } from '../records.ts';

export interface LabRecord {
  readonly id: string;
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
  const [id, type, run] = [textAt(raw, 'eid'), textAt(raw, 'type'), textAt(raw, 'run')];
  if (id === undefined) return 'The record has no "eid".';
  if (type === undefined) return 'The record has no "type".';
  if (run === undefined) return 'The record has no "run".';
  if (component === undefined) return 'The record names no producer.';
  const causes = raw['causes'];
  return {
    id,
    type,
    run,
    seq: numberAt(raw, 'seq'),
    component,
    instance: textAt(producer, 'instance'),
    boot: textAt(producer, 'boot'),
    pid: numberAt(producer, 'pid'),
    step: textAt(raw, 'step'),
    cmd: textAt(raw, 'cmd'),
    attempt: numberAt(raw, 'attempt'),
    causes: isJsonArray(causes) ? causes.filter((cause) => typeof cause === 'string') : [],
    data: objectAt(raw, 'data') ?? {},
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
