/** Shipped trials as records that a test alters on purpose, and what the analysis says of them; for tests only. */
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { groupTraces } from '../group.ts';
import { analyseCampaigns, type RecoveryOptions } from '../index.ts';
import type { CampaignReport, Check, TrialReport } from '../report.ts';
import { createTrialRecords, type TrialRecords } from '../trial-records.ts';
import { readSample, toTrace, toWhole } from './opened-trials.ts';

export const incident = readSample('ticket-incident');
export const control = readSample('clean-control');
export const keyed = readSample('ticket-with-key');

export function campaignOf(files: readonly (readonly JsonObject[])[], options: RecoveryOptions = {}): CampaignReport {
  const [campaign] = analyseCampaigns(
    files.map((records, i) => toTrace(`file-${i}`, records)),
    options,
  );
  if (campaign === undefined) throw new Error('no campaign');
  return campaign;
}

export function trialOf(records: readonly JsonObject[], ...others: readonly (readonly JsonObject[])[]): TrialReport {
  const found = campaignOf([records, ...others]).trials.find(({ traces }) => traces.includes('file-0'));
  if (found === undefined) throw new Error('no trial');
  return found;
}

/** A member that is an object; empty where it is none. */
export function objectIn(object: JsonObject, key: string): JsonObject {
  const value = object[key];
  return isJsonObject(value) ? value : {};
}

export function textIn(object: JsonObject, key: string): string {
  const value = object[key];
  return typeof value === 'string' ? value : '';
}

export function checkOf({ checks }: TrialReport, id: string): Check | undefined {
  return checks.find((check) => check.id === id);
}

export function recordsOf(records: readonly JsonObject[]): TrialRecords {
  const [input] = groupTraces([toTrace('file-0', records)]).trials;
  if (input === undefined) throw new Error('no trial');
  return createTrialRecords(input);
}

/** Without the records of the model, and the later life marks its requests as replayed: that none was sent is its word alone. */
export function withoutModel(records: readonly JsonObject[], isEveryMarked = true): readonly JsonObject[] {
  const lifeOf = (record: JsonObject): string => JSON.stringify(objectIn(record, 'source'));
  const asked = records.filter(({ type }) => type === 'model_call.requested');
  const [first] = asked;
  const marked = asked.filter((record) => lifeOf(record) !== lifeOf(first ?? {})).slice(isEveryMarked ? 0 : 1);
  if (marked.length === 0) throw new Error('no later life asked');
  const kept = records.filter(({ type }) => type !== 'model_call.served');
  return toWhole(kept.map((record) => (marked.includes(record) ? { ...record, replayed: true } : record)));
}
