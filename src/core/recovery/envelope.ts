/**
 * The envelope of a trial: thirteen things without which a number means nothing (R129), what two envelopes differ in, and when a
 * result is stale (R131, R132).
 *
 * Harnesses name these things differently; `names` lists what counts for each. A missing one limits the claim and is named; it never
 * makes a trial invalid.
 */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import { canon } from '../model/index.ts';
import type { Difference, EnvelopeField, EnvelopeReport } from './report.ts';

interface FieldRule {
  readonly id: string;
  readonly title: string;
  readonly names: readonly string[];
}

export const envelopeFields: readonly FieldRule[] = [
  { id: 'versions', title: 'runtime and engine versions', names: ['engine_version', 'versions', 'runtime'] },
  { id: 'topology', title: 'topology', names: ['topology'] },
  { id: 'persistence', title: 'persistence settings', names: ['persistence', 'durability'] },
  { id: 'checkpoint-interval', title: 'checkpoint interval', names: ['checkpoint_interval', 'checkpoints'] },
  { id: 'retry-policy', title: 'retry policy', names: ['retry_policy', 'retries'] },
  { id: 'timeouts', title: 'heartbeat and timeouts', names: ['heartbeat_timeouts', 'heartbeat', 'timeouts'] },
  { id: 'resources', title: 'resource limits', names: ['resource_limits', 'resources'] },
  { id: 'workload', title: 'workload shape and concurrency', names: ['workload'] },
  { id: 'input-rate', title: 'input rate', names: ['input_rate', 'rate'] },
  {
    id: 'external-services',
    title: 'behaviour of external services',
    names: ['external_services', 'external_service', 'external_calls'],
  },
  { id: 'injector', title: 'version of the injector', names: ['injector', 'injector_version'] },
  {
    id: 'kill-points',
    title: 'definition of the kill points',
    names: ['kill_points', 'kill_point_defs', 'kill_point_definitions'],
  },
  { id: 'metrics', title: 'definition of the metrics', names: ['metrics', 'metric_definitions'] },
];

/** Members that say what the fault was, and so may differ between a control and its faulted run. */
const faultMembers: ReadonlySet<string> = new Set(['fault', 'faults', 'kill']);

/**
 * What is told of kills belongs to the fault: a control has none, whatever its envelope says or leaves out. Between two faulted trials
 * another definition of the points is another envelope.
 */
const killMember = /^kill_(?:points?|point_def(?:inition)?s|signal|ordinal|at|setting|target|effect|seed)$/;

/** Whoever injects nothing needs no injector: one that is told must be the same. */
const injectorMember = /^injector(?:_version)?$/;

/** What runs after the restart is a part of the fault where the fault is a redeployment. */
const redeployedMembers: ReadonlySet<string> = new Set([...faultMembers, 'restart_code']);

/** Members that say which design was tried: campaigns without an id are envelopes that are equal apart from these. */
const strategyMembers: ReadonlySet<string> = new Set([
  ...redeployedMembers,
  'engine',
  'engine_version',
  'persistence',
  'durability',
  'idempotency_key',
  'checkpoint_interval',
]);

/** Members whose change asks for a repetition. */
const stalenessMembers =
  /persist|durab|concurren|workload|retr|version|runtime|engine|external|resource|limit|checkpoint|code/i;

export function describeEnvelope(envelope: JsonObject): EnvelopeReport {
  const fields = envelopeFields.map(({ id, title, names }): EnvelopeField => {
    const value = names.map((name) => envelope[name]).find(isRecorded);
    return { id, title, value };
  });
  const missing = fields.filter(({ value }) => value === undefined).map(({ title }) => title);
  return { fields, missing, complete: missing.length === 0 };
}

/** What people write where they have nothing to say. "None" is a setting: no persistence, no retries. */
const notTold =
  /^(?:|[-–—?.…*]+|unknown|not (?:known|recorded|specified|set|available|applicable|measured)|unspecified|undefined|null|nan|n\s*[/.]?\s*a\.?|tb[adc]|to be (?:defined|determined|announced|done)|to ?do|fix ?me|x{2,}|placeholder)$/i;

function isRecorded(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null) return false;
  if (typeof value === 'string') return !notTold.test(value.trim());
  if (isJsonArray(value)) return value.some(isRecorded);
  return !isJsonObject(value) || Object.values(value).some(isRecorded);
}

/** Members that differ, by name; those of the fault do not count. */
export function compareEnvelopes(control: JsonObject, trial: JsonObject, isRedeployed: boolean): readonly Difference[] {
  const may = isRedeployed ? redeployedMembers : faultMembers;
  const isFree = (name: string): boolean =>
    may.has(name) || killMember.test(name) || (injectorMember.test(name) && !isRecorded(control[name]));
  return differences(control, trial, (name) => !isFree(name));
}

/** A control stands with the design whose envelope is its own but for what is told of the fault. */
export function isControlOf(control: JsonObject, trial: JsonObject): boolean {
  return compareEnvelopes(without(control, redeployedMembers), without(trial, redeployedMembers), false).length === 0;
}

/** What has changed since: members of `present` that the result was not obtained under. A member it does not name is unchanged. */
export function computeStaleness(envelope: JsonObject, present: JsonObject): readonly Difference[] {
  return differences(envelope, present, (name) => stalenessMembers.test(name) && Object.hasOwn(present, name));
}

export function differences(
  one: JsonObject,
  other: JsonObject,
  counts: (name: string) => boolean,
): readonly Difference[] {
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])].filter(counts).sort();
  return names.flatMap((field) => {
    const [a, b] = [one[field], other[field]];
    return textOf(a) === textOf(b) ? [] : [{ field, one: a, other: b }];
  });
}

function textOf(value: JsonValue | undefined): string {
  return value === undefined ? '' : canon(value);
}

/** Equal for trials of one design: results under different keys are never put together. */
export function envelopeToStrategyKey(envelope: JsonObject): string {
  return canon(without(envelope, redeployedMembers));
}

/** Equal for trials that are one campaign by rule `campaign-by-envelope`. */
export function envelopeToCampaignKey(envelope: JsonObject): string {
  return canon(without(envelope, strategyMembers));
}

function without(envelope: JsonObject, members: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(Object.entries(envelope).filter(([name]) => !members.has(name)));
}

export function differencesToText(list: readonly Difference[]): string {
  return list.map(({ field }) => field).join(', ');
}
