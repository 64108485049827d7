/**
 * One record of Shepherd to what it says: kernel records and results of experiments here, durable events and effects beside it.
 */
import type { JsonObject } from '../../base/json.ts';
import { memberAt, objectAt, restOf, textAt, withoutUndefined } from '../members.ts';
import type { Part, Reading } from '../session/part.ts';
import type { SessionRecord } from '../session/source.ts';
import { eventReading } from './durable.ts';
import { effectReading } from './effect.ts';

export function recordToReading(record: JsonObject, at: SessionRecord): Reading {
  if (at.where === 'document') return documentReading(record);
  if (at.where === 'kernel') return kernelReading(record, at.group, at.beside);
  if (at.where === 'cases' || at.where === 'artifacts') return caseReading(record, at.group, at.beside);
  if (at.where === 'events') return eventReading(record, at.beside ?? {});
  if (textAt(record, 'effect_type') !== undefined) return effectReading(record);
  const name = textAt(record, 'scope_name') ?? textAt(record, 'instruction') ?? at.where;
  const failure = textAt(record, 'error');
  const error = failure === undefined ? undefined : { name: textAt(record, 'error_type') ?? 'Error', message: failure };
  const data = withoutUndefined({ name, result: record, error });
  return { kind: 'result', parts: [{ kind: 'event', type: 'step.completed', data }] };
}

function documentReading(record: JsonObject): Reading {
  const envelope = restOf(record, new Set(['events', 'causal_edges', 'owner_paths']));
  const start: Part = {
    kind: 'start',
    data: withoutUndefined({ program: { name: 'Shepherd' }, input: memberAt(record, 'goal'), envelope }),
  };
  return { kind: 'trace', session: textAt(record, 'run_ref'), parts: [start] };
}

function caseReading(record: JsonObject, group: string | undefined, beside: JsonObject | undefined): Reading {
  const start: Part = { kind: 'start', data: { program: { name: 'Shepherd kernel' }, envelope: record } };
  return { kind: 'case', session: group, parts: [start, ...outcomeParts(beside)] };
}

/** How a program of the kernel ended. One that waits for an effect that nobody handles has not ended. */
function outcomeParts(beside: JsonObject | undefined): readonly Part[] {
  const outcome = objectAt(beside, 'outcome');
  const type = textAt(outcome, 'type') ?? '';
  if (type === 'Completed')
    return [{ kind: 'event', type: 'run.completed', data: { result: memberAt(outcome, 'value') ?? null } }];
  if (!/fail|error|abort|reject/i.test(type)) return [];
  const message = textAt(outcome, 'message') ?? textAt(outcome, 'error') ?? '';
  const error = withoutUndefined({ name: type, message, data: outcome });
  return [{ kind: 'event', type: 'run.failed', data: { error } }];
}

/** Kernel records keep their own words; the references between them are their edges. */
function kernelReading(record: JsonObject, group: string | undefined, beside: JsonObject | undefined): Reading {
  const causes: string[] = [];
  for (const [key, value] of Object.entries(record)) {
    if (key.endsWith('_ref') && typeof value === 'string') causes.push(value);
  }
  const kind = textAt(record, 'record_type') ?? 'record';
  const told = outcomeParts(beside);
  const own: Part = { kind: 'event', type: `shepherd.${kind}`, data: { record } };
  return { kind, session: group, id: textAt(record, 'ref'), causes, parts: told.length === 0 ? [] : [own, ...told] };
}
