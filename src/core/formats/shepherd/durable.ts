/**
 * One event of a durable trace to what it says. Kinds are open words: what became of a thing is the last of them, after a point or an
 * underscore. A kind that says neither stays as it is.
 */
import type { JsonObject } from '../../base/json.ts';
import { listAt, memberAt, numberAt, objectAt, restOf, textAt, withoutUndefined } from '../members.ts';
import { millisToTime } from '../times.ts';
import type { Part, Reading } from '../session/part.ts';

export function eventReading(event: JsonObject, beside: JsonObject): Reading {
  const kind = textAt(event, 'kind') ?? 'untyped';
  const seconds = numberAt(event, 'timestamp');
  return {
    kind,
    id: textAt(event, 'id'),
    agent: textAt(beside, 'owner'),
    causes: (listAt(beside, 'causes') ?? []).filter((one) => typeof one === 'string'),
    time: millisToTime(seconds === undefined ? undefined : seconds * 1000),
    parts: eventParts(event, kind),
    extra: restOf(event, new Set(['id', 'kind', 'body', 'timestamp'])),
  };
}

function eventParts(event: JsonObject, kind: string): readonly Part[] {
  const body = objectAt(event, 'body');
  const name =
    textAt(body, 'name') ?? textAt(event, 'name') ?? textAt(event, 'check') ?? textAt(body, 'task_id') ?? kind;
  switch (kind) {
    case 'substrate.transition':
      return [transitionPart(event, body)];
    case 'run.lifecycle':
      return [lifecyclePart(event)];
    case 'candidate_selected':
      return [{ kind: 'event', type: 'decision.made', data: { chosen: body ?? name } }];
    case 'supervisor.decision':
      return [supervisorPart(event)];
    case 'model.call':
      return [modelPart(event)];
    case 'judge.score':
      return [
        { kind: 'event', type: 'step.completed', data: { name, result: restOf(event, new Set(['id', 'kind'])) } },
      ];
  }
  const file = /^File(Read|Create|Patch|Write)$/.exec(kind)?.[1];
  if (file !== undefined) {
    const type = file === 'Read' ? 'artifact.used' : 'artifact.produced';
    const data = withoutUndefined({ name: textAt(event, 'path'), value: restOf(event, new Set(['id', 'kind'])) });
    return [{ kind: 'event', type, data }];
  }
  if (kind.endsWith('checkpoint')) return [{ kind: 'event', type: 'checkpoint.written', data: { name } }];
  return becameParts(kind, name, body);
}

function becameParts(kind: string, name: string, body: JsonObject | undefined): readonly Part[] {
  const became = /[._](started|invocation|completed|passed|failed|violation)$/.exec(kind)?.[1];
  if (became === undefined) return [];
  if (became === 'started' || became === 'invocation')
    return [{ kind: 'event', type: 'step.started', data: { name, body: body ?? {} } }];
  const failed = became === 'failed' || became === 'violation';
  const data = failed ? { name, error: { name: kind, message: name } } : { name, result: body ?? {} };
  return [{ kind: 'event', type: 'step.completed', data }];
}

function transitionPart(event: JsonObject, body: JsonObject | undefined): Part {
  const data = withoutUndefined({
    name: textAt(event, 'binding') ?? 'state',
    from: textAt(event, 'head_from'),
    to: textAt(event, 'head_to'),
    value: body,
  });
  return { kind: 'event', type: 'state.transitioned', data };
}

/** A run that failed says so in its transition; whether its work was kept is another matter. */
function lifecyclePart(event: JsonObject): Part {
  const transition = textAt(event, 'transition') ?? '';
  const kept = textAt(event, 'terminal_status') ?? transition;
  if (!/fail|error|abort|cancel/.test(`${transition} ${kept}`))
    return { kind: 'event', type: 'run.completed', data: { result: kept } };
  const error = { name: transition === '' ? kept : transition, message: `The run ended as "${kept}".` };
  return { kind: 'event', type: 'run.failed', data: { error } };
}

/** Whether a supervisor let an operation pass. */
function supervisorPart(event: JsonObject): Part {
  const decision = textAt(event, 'decision') ?? '';
  const granted = /^(?:approve|allow|grant|accept)/.test(decision);
  const data = withoutUndefined({
    name: textAt(event, 'op'),
    granted,
    by: 'supervisor',
    value: restOf(event, new Set(['id', 'kind'])),
  });
  return { kind: 'event', type: granted ? 'approval.granted' : 'approval.denied', data };
}

/** Which model answered and how much; what it was asked and said is not recorded. */
function modelPart(event: JsonObject): Part {
  const usage = withoutUndefined({
    input_tokens: numberAt(event, 'tokens_in'),
    output_tokens: numberAt(event, 'tokens_out'),
  });
  const cost = numberAt(event, 'cost_usd');
  const error = memberAt(event, 'error');
  const data = withoutUndefined({
    operation: 'chat',
    response_model: textAt(event, 'model'),
    usage: Object.keys(usage).length === 0 ? undefined : usage,
    cost: cost === undefined ? undefined : { amount: cost, currency: 'USD' },
    error: error === undefined ? undefined : { name: 'ModelError', message: typeof error === 'string' ? error : '' },
  });
  return { kind: 'event', type: error === undefined ? 'model_call.completed' : 'model_call.failed', data };
}
