/**
 * One event, effect, kernel record or result of Shepherd to what it says.
 */
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { listAt, memberAt, numberAt, objectAt, restOf, textAt, withoutUndefined } from '../members.ts';
import { millisToTime } from '../times.ts';
import type { Part, Reading } from '../session/part.ts';
import type { SessionRecord } from '../session/source.ts';

export function recordToReading(record: JsonObject, at: SessionRecord): Reading {
  if (at.where === 'document') return documentReading(record);
  if (at.where === 'kernel') return kernelReading(record, at.group);
  if (at.where === 'cases' || at.where === 'artifacts') return caseReading(record, at.group);
  if (at.where === 'events') return eventReading(record, at.beside ?? {});
  if (textAt(record, 'effect_type') !== undefined) return effectReading(record);
  const name = textAt(record, 'scope_name') ?? textAt(record, 'instruction') ?? at.where;
  return { kind: 'result', parts: [{ kind: 'event', type: 'step.completed', data: { name, result: record } }] };
}

function documentReading(record: JsonObject): Reading {
  const envelope = restOf(record, new Set(['events', 'causal_edges', 'owner_paths']));
  const start: Part = {
    kind: 'start',
    data: withoutUndefined({ program: { name: 'Shepherd' }, input: memberAt(record, 'goal'), envelope }),
  };
  return { kind: 'trace', session: textAt(record, 'run_ref'), parts: [start] };
}

/** A durable event: what kind it is and what it names. Its content is a digest. */
function eventReading(event: JsonObject, beside: JsonObject): Reading {
  const kind = textAt(event, 'kind') ?? 'untyped';
  const owner = textAt(beside, 'owner');
  return {
    kind,
    id: textAt(event, 'id'),
    agent: owner,
    causes: (listAt(beside, 'causes') ?? []).filter((one) => typeof one === 'string'),
    parts: eventParts(event, kind),
    extra: restOf(event, new Set(['id', 'kind', 'body'])),
  };
}

function eventParts(event: JsonObject, kind: string): readonly Part[] {
  const body = objectAt(event, 'body');
  const name = textAt(body, 'name') ?? textAt(body, 'task_id') ?? kind;
  if (kind === 'substrate.transition') {
    const data = withoutUndefined({
      name: textAt(event, 'binding') ?? 'state',
      from: textAt(event, 'head_from'),
      to: textAt(event, 'head_to'),
      value: body,
    });
    return [{ kind: 'event', type: 'state.transitioned', data }];
  }
  if (kind === 'run.lifecycle') {
    const status = textAt(event, 'terminal_status') ?? textAt(event, 'transition') ?? '';
    const failed = /fail|error|abort|cancel/.test(status);
    const error = { name: status, message: `The run ended as "${status}".` };
    return [
      { kind: 'event', type: failed ? 'run.failed' : 'run.completed', data: failed ? { error } : { result: status } },
    ];
  }
  if (kind === 'candidate_selected') return [{ kind: 'event', type: 'decision.made', data: { chosen: body ?? name } }];
  if (/(_started|\.invocation)$/.test(kind))
    return [{ kind: 'event', type: 'step.started', data: { name, body: body ?? {} } }];
  if (/_completed$/.test(kind)) return [{ kind: 'event', type: 'step.completed', data: { name, result: body ?? {} } }];
  return [];
}

/** One effect of a stream, numbered by `_sequence`. */
function effectReading(effect: JsonObject): Reading {
  const kind = textAt(effect, 'effect_type') ?? 'untyped';
  const seconds = numberAt(effect, 'timestamp');
  const sequence = numberAt(effect, '_sequence');
  const scope = textAt(effect, '_scope_id');
  return {
    kind,
    id: sequence === undefined ? undefined : String(sequence),
    agent: scope,
    time: millisToTime(seconds === undefined ? undefined : seconds * 1000),
    parts: effectParts(effect, kind),
    extra: restOf(effect, new Set(['_sequence', 'effect_type', 'timestamp', '_scope_id', '_scope_depth'])),
  };
}

function effectParts(effect: JsonObject, kind: string): readonly Part[] {
  const call = textAt(effect, 'tool_call_id');
  const name = textAt(effect, 'tool_name') ?? 'tool not named';
  switch (kind) {
    case 'task_started': {
      const task = textAt(effect, 'task_name');
      const data = withoutUndefined({
        program: { name: 'Shepherd' },
        input: memberAt(effect, 'inputs'),
        task: task === undefined ? undefined : { id: task },
      });
      return [{ kind: 'start', data }];
    }
    case 'agent_thinking': {
      const content = textAt(effect, 'content') ?? '';
      return [{ kind: 'model', blocks: [content], parts: [{ type: 'reasoning', content }] }];
    }
    case 'tool_call_started':
      return [{ kind: 'call', id: call, name, args: memberAt(effect, 'params') ?? {} }];
    case 'tool_call_completed':
      return [outcomeOf(effect, call, name)];
    case 'file_read':
      return [fileEvent(effect, 'artifact.used')];
    case 'file_patch':
    case 'file_create':
    case 'file_write':
      return [fileEvent(effect, 'artifact.produced')];
    case 'task_completed':
      return [
        {
          kind: 'event',
          type: 'run.completed',
          ends: true,
          data: withoutUndefined({ result: memberAt(effect, 'outputs') }),
        },
      ];
    case 'task_failed': {
      const error = { name: textAt(effect, 'error_type') ?? 'error', message: textAt(effect, 'error') ?? '' };
      return [{ kind: 'event', type: 'run.failed', ends: true, data: { error } }];
    }
    default:
      return [];
  }
}

/** Of an output only a preview is recorded. */
function outcomeOf(effect: JsonObject, call: string | undefined, name: string): Part {
  const value: JsonValue = memberAt(effect, 'output') ?? memberAt(effect, 'output_preview') ?? null;
  const failed = effect['success'] === false;
  const error = failed ? { name: 'ToolError', message: typeof value === 'string' ? value : '' } : undefined;
  return { kind: 'result', call, name, value, error, data: { preview: memberAt(effect, 'output') === undefined } };
}

function fileEvent(effect: JsonObject, type: string): Part {
  const data = withoutUndefined({
    name: textAt(effect, 'path'),
    value: restOf(effect, new Set(['_sequence', 'effect_type', 'timestamp'])),
  });
  return { kind: 'event', type, call: textAt(effect, 'caused_by'), data };
}

function caseReading(record: JsonObject, group: string | undefined): Reading {
  const start: Part = { kind: 'start', data: { program: { name: 'Shepherd kernel' }, envelope: record } };
  return { kind: 'case', session: group, parts: [start] };
}

/** Kernel records keep their own words; the references between them are their edges. */
function kernelReading(record: JsonObject, group: string | undefined): Reading {
  const causes: string[] = [];
  for (const [key, value] of Object.entries(record)) {
    if (key.endsWith('_ref') && typeof value === 'string') causes.push(value);
  }
  return {
    kind: textAt(record, 'record_type') ?? 'record',
    session: group,
    id: textAt(record, 'ref'),
    causes,
    parts: [],
  };
}
