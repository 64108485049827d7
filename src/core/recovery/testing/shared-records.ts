/** Real trials in the vocabulary of the shared streams, as records that a test alters on purpose; for tests only. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { analyseRecovery } from '../index.ts';
import type { RecoveryReport, RecoveryTrace, TrialReport } from '../report.ts';
import { openText, readRecords, sharedFolder } from './opened-trials.ts';

export const hasShared = existsSync(sharedFolder);

export function readShared(name: string): readonly JsonObject[] {
  return readRecords(join(sharedFolder, `${name}.jsonl`));
}

/** The files are called `file-0`, `file-1` and so on. */
export async function analyseRecords(...files: readonly (readonly JsonObject[])[]): Promise<RecoveryReport> {
  const traces: RecoveryTrace[] = [];
  for (const [n, records] of files.entries()) {
    traces.push(await openText(`file-${String(n)}`, records.map((record) => JSON.stringify(record)).join('\n') + '\n'));
  }
  return analyseRecovery(traces);
}

/** The trial of the first file. */
export async function trialOfRecords(...files: readonly (readonly JsonObject[])[]): Promise<TrialReport> {
  const trials = (await analyseRecords(...files)).campaigns.flatMap((campaign) => campaign.trials);
  const found = trials.find(({ traces }) => traces.includes('file-0'));
  if (found === undefined) throw new Error('no trial');
  return found;
}

type Change = (record: JsonObject, at: number) => JsonObject;

/** Changes the records of one type; `at` counts them. */
export function changeType(records: readonly JsonObject[], type: string, change: Change): readonly JsonObject[] {
  let at = 0;
  return records.map((record) => (record['type'] === type ? change(record, at++) : record));
}

export function withData(record: JsonObject, members: Readonly<Record<string, JsonValue>>): JsonObject {
  const data = record['data'] ?? null;
  return { ...record, data: { ...(isJsonObject(data) ? data : {}), ...members } };
}

export function dataOf(record: JsonObject | undefined): JsonObject {
  const data = record?.['data'] ?? null;
  return isJsonObject(data) ? data : {};
}

/** Later, or earlier, by the monotonic clock. */
export function later(record: JsonObject, millis: number): JsonObject {
  return { ...record, mono_ns: String(BigInt(textIn(record, 'mono_ns')) + BigInt(millis) * 1_000_000n) };
}

/** Where in a log: its number, its name and its place on the clock. */
export function placedAs(record: JsonObject, other: JsonObject): JsonObject {
  const names = ['seq', 'eid', 'prev', 'mono_ns', 'wall'];
  return {
    ...record,
    ...Object.fromEntries(names.flatMap((name) => (name in other ? [[name, other[name] ?? null]] : []))),
  };
}

export function componentOf(record: JsonObject): string {
  return textIn(producerOf(record), 'component');
}

export function bootOf(record: JsonObject): string {
  return textIn(producerOf(record), 'boot');
}

function producerOf(record: JsonObject): JsonObject {
  const producer = record['producer'] ?? null;
  return isJsonObject(producer) ? producer : {};
}

/** Empty where it is no text. */
export function textIn(record: JsonObject, member: string): string {
  const value = record[member];
  return typeof value === 'string' ? value : '';
}

/** Boots of the workers, in their order. */
export function bootsOf(records: readonly JsonObject[]): readonly string[] {
  return [...new Set(records.filter((record) => componentOf(record) === 'worker').map(bootOf))];
}

export function causesOf(record: JsonObject): readonly string[] {
  const causes = record['causes'] ?? null;
  return isJsonArray(causes) ? causes.filter((cause) => typeof cause === 'string') : [];
}
