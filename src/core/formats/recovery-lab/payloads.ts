/**
 * What the payload of each record type of the recovery vocabulary becomes (mapping J).
 *
 * Invariant: nothing is filled in that the record does not say, but the class of a kill, which its type says. Members without a place
 * of their own stay in the payload under their own name.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { countAt, idAt, type LabRecord, objectAt, present } from './record.ts';
import type { Survey } from './survey.ts';
import { typeByRecord } from './types.ts';

export function recordToPayload(record: LabRecord, survey: Survey): JsonObject {
  const { type, data } = record;
  const kept = withoutNull(data);
  switch (typeByRecord.get(type)) {
    case 'trial.started':
      return present({ ...withoutNull(survey.envelopeOf(record.run)?.data ?? {}), ...kept });
    case 'fault.armed':
    case 'fault.injected':
      return { class: 'process-kill', ...kept };
    case 'fault.witnessed':
      return witnessed(record, kept, survey);
    case 'worker.exited':
      // Null is recorded here: a process that ended by a signal has no code, and the other way round.
      return present({ ...data, worker: joined(objectAt(data, 'worker'), workerOf(record, survey)) ?? data['worker'] });
    case 'worker.spawned':
      return spawned(data, kept);
    case 'run.completed':
      return present({ ...kept, digest: toDigest(data['output_digest']) });
    case 'model_call.served':
    case 'model_call.completed':
      return present({ ...kept, usage: toUsage(data['usage']), cost: toCost(data['cost_usd']) });
    case 'decision.made':
      return present({ ...kept, chosen: data['action'] });
    case 'effect.deduplicated':
      return present({ ...kept, effect: data['effect'] ?? { id: data['effect_id'] ?? null } });
    case 'state.transitioned':
      return present({ ...kept, name: record.step, digest: toDigest(data['state_digest']) });
    case 'invariant.checked':
      return present({ ...kept, verdict: toVerdict(data['passed']), by: data['checked_by'] });
    default:
      return kept;
  }
}

/** Members recorded as null, by name, so that the conversion loses nothing. */
export function nullsOf(data: JsonObject): readonly string[] {
  return Object.keys(data).filter((key) => data[key] === null);
}

function withoutNull(data: JsonObject): JsonObject {
  return present({ ...data });
}

/** The point the worker stands at, and the command it was told to stand at. */
function witnessed(record: LabRecord, kept: JsonObject, survey: Survey): JsonObject {
  const path = record.cmd === undefined ? undefined : toPath(record.run, record.cmd, survey);
  return present({
    class: 'process-kill',
    ...kept,
    ...(record.type === 'kill_point_escaped' ? { escaped: true } : {}),
    target: path === undefined ? undefined : { path },
  });
}

/** `decide#0` to `/model:decide#0`; a command of unknown kind keeps its name. */
export function toPath(run: string, cmd: string, survey: Survey): string {
  const kind = survey.kindOf(run, cmd);
  return kind === undefined ? cmd : `/${kind}:${cmd}`;
}

function workerOf(record: LabRecord, survey: Survey): JsonObject | undefined {
  const life = survey.lifeOfPid(record, countAt(record.data, 'pid'));
  if (life === undefined) return namedWorker(record.data);
  return present({ component: life.component, instance: life.instance, incarnation: life.boot });
}

function joined(recorded: JsonObject | undefined, found: JsonObject | undefined): JsonObject | undefined {
  return recorded === undefined || found === undefined ? (found ?? recorded) : { ...recorded, ...found };
}

/** A record without a process id may name the life all the same. */
function namedWorker(data: JsonObject): JsonObject | undefined {
  const boot = idAt(data, 'worker_boot');
  return boot === undefined ? undefined : { incarnation: boot };
}

function spawned(data: JsonObject, kept: JsonObject): JsonObject {
  const boot = idAt(data, 'worker_boot');
  const version = idAt(data, 'code_version');
  return present({
    ...kept,
    worker:
      boot === undefined
        ? objectAt(data, 'worker')
        : { component: 'worker', ...objectAt(data, 'worker'), incarnation: boot },
    versions: version === undefined ? data['versions'] : { ...objectAt(data, 'versions'), program: version },
  });
}

/** Bare SHA-256 hex as a digest of the model; anything else stays where it was recorded. */
function toDigest(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value) ? `sha256:${value}` : undefined;
}

function toUsage(value: JsonValue | undefined): JsonObject | undefined {
  if (!isJsonObject(value)) return undefined;
  const { in: input, out: output, ...rest } = value;
  return present({ ...rest, input_tokens: input, output_tokens: output });
}

function toCost(value: JsonValue | undefined): JsonObject | undefined {
  return typeof value === 'number' ? { amount: value, currency: 'USD' } : undefined;
}

function toVerdict(passed: JsonValue | undefined): string | undefined {
  if (typeof passed !== 'boolean') return undefined;
  return passed ? 'holds' : 'violated';
}
