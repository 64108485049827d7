/**
 * Second pass: one record to one event of the model, with the edges it names and those the named rules infer.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { type Result, err, ok } from '../../base/result.ts';
import { eventToLine, isSpanId, mainBranch, parseEvent } from '../../model/index.ts';
import type { ImportedEvent } from '../format.ts';
import { nullsOf, recordToPayload, toPath } from './payloads.ts';
import { countAt, idAt, type LabRecord, present, rewrittenMembers, textAt } from './record.ts';
import type { Survey } from './survey.ts';
import { typeByRecord } from './types.ts';

export const formatId = 'recovery-lab';

interface CauseDraft {
  readonly event: string;
  readonly as: string;
  readonly rule?: string | undefined;
  readonly inferred?: boolean | undefined;
}

/** Fields that have a place in the event; all others go to `imported.extra`. */
const placed: ReadonlySet<string> = new Set([
  'v',
  'eid',
  'seq',
  'type',
  'producer',
  'run',
  'span',
  'step',
  'cmd',
  'attempt',
  'agent',
  'session',
  'replayed',
  'causes',
  'wall',
  'mono_ns',
  'clock',
  'durability',
  'data',
]);

export function recordToEvent(record: LabRecord, survey: Survey): Result<ImportedEvent, string> {
  const { raw, source } = record;
  const causes = causesOf(record, survey);
  const span = textAt(raw, 'span');
  const durable = toDurable(textAt(raw, 'durability'));
  const event = present({
    v: 1,
    id: record.id,
    type: typeByRecord.get(record.type) ?? `recovery_lab.${record.type}`,
    run: record.run,
    span: span !== undefined && isSpanId(span) ? span : undefined,
    session: idAt(raw, 'session'),
    step: record.step,
    branch: textAt(raw, 'branch') ?? mainBranch,
    seq: seqOf(record, survey),
    time: textAt(raw, 'wall'),
    clock: textAt(raw, 'clock'),
    mono: idAt(raw, 'mono_ns'),
    source: present({
      component: record.component,
      instance: record.instance,
      incarnation: record.boot,
      pid: record.pid,
    }),
    agent: textAt(raw, 'agent'),
    causes: causes.length === 0 ? undefined : causes.map(causeToJson),
    durable,
    replayed: typeof raw['replayed'] === 'boolean' ? raw['replayed'] : undefined,
    command: commandOf(record, survey),
    imported: present({
      format: formatId,
      file: source.place.file,
      line: source.place.line,
      record: textAt(raw, 'type') ?? record.type,
      extra: extraOf(record, durable === undefined),
    }),
    data: recordToPayload(record, survey),
  });
  const parsed = parseEvent(event);
  if (!parsed.ok) return err(parsed.error.message);
  return ok({ event: parsed.value, line: eventToLine(parsed.value), place: source.place });
}

/** The start of a trial is two records: the event is whole at the second, and takes its place in the log. */
function seqOf(record: LabRecord, survey: Survey): number | undefined {
  if (record.type !== 'trial_started') return record.seq;
  const envelope = survey.envelopeOf(record.run);
  return envelope?.seq !== undefined && envelope.seq === (record.seq ?? -1) + 1 ? envelope.seq : record.seq;
}

function extraOf(record: LabRecord, keepsDurability: boolean): JsonObject | undefined {
  const extra: Record<string, JsonValue> = {};
  for (const [key, value] of Object.entries(record.raw)) {
    const isPlaced = placed.has(key) && !(key === 'durability' && keepsDurability);
    if (value !== null && !isPlaced && key !== 'branch' && key !== '__proto__') extra[key] = value;
  }
  const nulls = nullsOf(record.data);
  if (nulls.length > 0) extra['recorded_null'] = nulls;
  const rewritten = rewrittenMembers(record);
  if (rewritten !== undefined) extra['recorded_as'] = rewritten;
  const producer = record.raw['producer'];
  const { component, instance, boot, pid } = record;
  const read: JsonObject = present({ component, instance, boot, pid });
  if (isJsonObject(producer)) {
    for (const [key, value] of Object.entries(producer)) {
      if (value !== read[key] && value !== null) extra[`producer.${key}`] = value;
    }
  }
  return Object.keys(extra).length === 0 ? undefined : extra;
}

function toDurable(durability: string | undefined): JsonObject | undefined {
  switch (durability) {
    case 'fsync':
    case 'durable':
      return { status: 'durable' };
    case 'flush':
    case 'flushed':
      return { status: 'flushed' };
    case 'buffered':
    case 'memory':
      return { status: 'memory' };
    default:
      return undefined;
  }
}

/** Records of control code and of those that answered it; a witness and a claim stand beside the command and name it in `data`. */
function commandOf(record: LabRecord, survey: Survey): JsonObject | undefined {
  const { run, cmd, type } = record;
  if (cmd === undefined || type.startsWith('kill_')) return undefined;
  const isDecision = type === 'action_selected';
  const kind = isDecision ? 'decide' : survey.kindOf(run, cmd);
  const [name = cmd] = cmd.split('#');
  return present({
    path: isDecision ? `/decide:${cmd}` : toPath(run, cmd, survey),
    kind,
    name,
    attempt: record.attempt,
    identity: 'derived',
    alias: cmd,
  });
}

function causesOf(record: LabRecord, survey: Survey): readonly CauseDraft[] {
  const causes: CauseDraft[] = record.causes.map((event) =>
    isAnswer(record.type, survey.typeOf(event))
      ? { event, as: 'result_of', rule: 'lab-result' }
      : { event, as: 'caused_by' },
  );
  for (const cause of inferredCauses(record, survey)) {
    const isOwn = cause.event === record.id || causes.some(({ event }) => event === cause.event);
    if (!isOwn) causes.push(cause);
  }
  return causes;
}

function inferredCauses(record: LabRecord, survey: Survey): readonly CauseDraft[] {
  const { type, data } = record;
  const pid = countAt(data, 'pid');
  const inferred = (event: string | undefined, as: string, rule: string): readonly CauseDraft[] =>
    event === undefined ? [] : [{ event, as, rule, inferred: true }];
  switch (type) {
    case 'tool_call_dispatched': {
      const step = idAt(data, 'selected_by');
      return inferred(
        step === undefined ? undefined : survey.selectionOf(record, step),
        'selected_by',
        'lab-step-name',
      );
    }
    case 'tool_result_persisted':
      return inferred(survey.answerOf(record), 'caused_by', 'lab-same-command');
    case 'worker_started':
      return inferred(survey.spawnOf(record), 'caused_by', 'lab-boot');
    case 'kill_sent':
      return [
        ...inferred(survey.armedOf(record, countAt(data, 'ordinal')), 'caused_by', 'lab-ordinal'),
        ...inferred(survey.reachedBy(record, pid), 'caused_by', 'lab-pid'),
      ];
    case 'process_exited':
      return inferred(survey.sentTo(record, pid), 'caused_by', 'lab-pid');
    default:
      return [];
  }
}

/** Where types allow, a cause says more than that something came before: it is what was asked. */
function isAnswer(type: string, cause: string | undefined): boolean {
  if (cause === 'model_call_dispatched') return type.startsWith('model_');
  return cause === 'tool_call_dispatched' && (type.startsWith('effect_') || type.startsWith('tool_'));
}

/** Recorded edges of a kind that a rule inferred carry the rule; edges that a rule made carry the grade as well. */
function causeToJson({ event, as, rule, inferred }: CauseDraft): JsonObject {
  return present({ event, as, grade: inferred === true ? 'inferred' : undefined, rule });
}
