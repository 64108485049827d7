/** Trials of the shipped samples and of the shared real streams, opened as the page opens them, for tests only. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { parseLossless } from '../../base/lossless.ts';
import type { Problem } from '../../formats/format.ts';
import { importFiles } from '../../formats/import.ts';
import { type HindcastEvent, parseEvent } from '../../model/index.ts';
import { analyseCampaigns } from '../index.ts';
import type { CampaignReport, RecoveryTrace } from '../report.ts';

const project = join(import.meta.dirname, '../../../..');
export const samplesFolder = join(project, 'public/samples');
export const sharedFolder = join(project, '../shared/traces/lab');

export function sharedTrials(): readonly string[] {
  if (!existsSync(sharedFolder)) return [];
  return readdirSync(sharedFolder)
    .filter((name) => name.endsWith('.jsonl'))
    .sort();
}

export async function openTrace(folder: string, name: string): Promise<RecoveryTrace> {
  const bytes = new Uint8Array(readFileSync(join(folder, name)));
  return bytesToTrace(name, bytes);
}

/** The campaign that ships with the site. */
export async function openShippedCampaign(): Promise<CampaignReport> {
  const folder = join(samplesFolder, 'campaign');
  const names = readdirSync(folder).sort();
  const [campaign, ...others] = analyseCampaigns(await Promise.all(names.map((name) => openTrace(folder, name))));
  if (campaign === undefined || others.length > 0) throw new Error('the shipped trials are one campaign');
  return campaign;
}

/** Text of a stream that a test altered on purpose. */
export async function openText(name: string, text: string): Promise<RecoveryTrace> {
  return bytesToTrace(name, new TextEncoder().encode(text));
}

async function bytesToTrace(name: string, bytes: Uint8Array): Promise<RecoveryTrace> {
  const reading = importFiles([{ name, size: bytes.length, open: () => once(bytes) }]);
  const events: HindcastEvent[] = [];
  const problems: Problem[] = [];
  for (;;) {
    const step = await reading.next();
    if (step.done === true) {
      if (!step.value.ok) throw new Error(step.value.error.message);
      return { name, events, problems };
    }
    problems.push(...step.value.problems);
    for (const { event } of step.value.events) events.push(event);
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes);
}

/** A report without the digests of its records, for comparing what is said of records that are numbered otherwise. */
export function withoutDigests(campaign: CampaignReport): CampaignReport {
  const mute = <T extends { readonly recordsDigest: string }>(one: T): T => ({ ...one, recordsDigest: '' });
  return { ...campaign, trials: campaign.trials.map(mute), strategies: campaign.strategies.map(mute) };
}

/** A sample as records that a test may alter on purpose. */
export function readSample(name: string): readonly JsonObject[] {
  return readRecords(join(samplesFolder, `${name}.hindcast.jsonl`));
}

/** One record a line. */
export function readRecords(path: string): readonly JsonObject[] {
  return readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => {
      const parsed = parseLossless(line);
      if (!parsed.ok || !isJsonObject(parsed.value)) throw new Error(`not a record: ${line}`);
      return parsed.value;
    });
}

export function toTrace(name: string, records: readonly JsonObject[]): RecoveryTrace {
  const events = records.map((record) => {
    const parsed = parseEvent(record);
    if (!parsed.ok) throw new Error(parsed.error.message);
    return parsed.value;
  });
  return { name, events };
}

/** Changes the payload of the records of one type. */
export function alter(
  records: readonly JsonObject[],
  type: string,
  change: (data: JsonObject, at: number) => Readonly<Record<string, JsonValue>>,
): readonly JsonObject[] {
  let at = 0;
  return records.map((record) => {
    const { data } = record;
    if (record['type'] !== type || !isJsonObject(data ?? null)) return record;
    return {
      ...record,
      data: { ...(isJsonObject(data) ? data : {}), ...change(isJsonObject(data) ? data : {}, at++) },
    };
  });
}

/** Records of which a test left some out, as logs that never had them: numbered without a hole, and no cause names one of them. */
export function toWhole(records: readonly JsonObject[]): readonly JsonObject[] {
  const known = new Set(records.map(({ id }) => id));
  const counts = new Map<string, number>();
  const numbers = new Map<JsonObject, number>();
  for (const record of [...records].sort((a, b) => Number(a['seq']) - Number(b['seq']))) {
    const log = JSON.stringify(record['source']);
    const next = (counts.get(log) ?? Number(record['seq']) - 1) + 1;
    counts.set(log, next);
    numbers.set(record, next);
  }
  return records.map((record) => {
    const { causes } = record;
    const kept = isJsonArray(causes) ? causes.filter((one) => isJsonObject(one) && known.has(one['event'])) : [];
    return { ...record, seq: numbers.get(record) ?? 0, ...(causes === undefined ? {} : { causes: kept }) };
  });
}

/** The same of opened events. */
export function toWholeTrace({ name, events, problems }: RecoveryTrace): RecoveryTrace {
  const records = events.map((event): JsonObject => {
    const record: unknown = event;
    if (!isJsonObject(record)) throw new Error('an event is JSON');
    return record;
  });
  return { ...toTrace(name, toWhole(records)), problems };
}
