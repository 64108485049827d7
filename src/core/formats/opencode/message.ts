/**
 * Sessions, messages and their parts, as OpenCode has them in events and in exports.
 */
import type { JsonObject } from '../../base/json.ts';
import { listAt, memberAt, numberAt, objectAt, restOf, textAt, withoutUndefined } from '../members.ts';
import { millisToTime } from '../times.ts';
import type { ModelPart, Part } from '../session/part.ts';

export function sessionToStart(info: JsonObject): Part {
  const version = textAt(info, 'version');
  return {
    kind: 'start',
    parentSession: textAt(info, 'parentID'),
    data: { program: withoutUndefined({ name: 'OpenCode', version }), envelope: info },
  };
}

/** When the record was made; a session's own update, a message's beginning or end. */
export function infoToTime(info: JsonObject, event = ''): string | undefined {
  const time = objectAt(info, 'time');
  const end = event.endsWith('.updated') ? (numberAt(time, 'completed') ?? numberAt(time, 'updated')) : undefined;
  return millisToTime(end ?? numberAt(time, 'created'));
}

/** Members of the model event; every telling has the whole count, so the last one stands. */
export function infoToData(info: JsonObject): JsonObject {
  const finish = textAt(info, 'finish');
  const cost = numberAt(info, 'cost');
  return withoutUndefined({
    provider: textAt(info, 'providerID'),
    response_model: textAt(info, 'modelID'),
    usage: tokensToUsage(objectAt(info, 'tokens')),
    cost: cost === undefined || cost === 0 ? undefined : { amount: cost, currency: 'USD' },
    finish_reasons: finish === undefined ? undefined : [finish],
  });
}

function tokensToUsage(tokens: JsonObject | undefined): JsonObject | undefined {
  // Zero everywhere is the state before the first step ended, not a count.
  if (tokens === undefined || (numberAt(tokens, 'input') === 0 && numberAt(tokens, 'output') === 0)) return undefined;
  return withoutUndefined({
    ...tokens,
    input_tokens: numberAt(tokens, 'input'),
    output_tokens: numberAt(tokens, 'output'),
    reasoning_tokens: numberAt(tokens, 'reasoning'),
    cache_read_input_tokens: numberAt(objectAt(tokens, 'cache'), 'read'),
    cache_creation_input_tokens: numberAt(objectAt(tokens, 'cache'), 'write'),
    // Its total is the sum of all of them: `input` is what was neither written to the cache nor read from it.
    input_excludes_cache: objectAt(tokens, 'cache') === undefined ? undefined : true,
  });
}

export function infoToError(info: JsonObject): JsonObject | undefined {
  const error = objectAt(info, 'error');
  if (error === undefined) return undefined;
  const message = textAt(objectAt(error, 'data'), 'message') ?? textAt(error, 'message') ?? '';
  return { name: textAt(error, 'name') ?? 'error', message, data: error };
}

/** What of a part has a place in the events. */
export const partMembers: ReadonlySet<string> = new Set([
  'id',
  'type',
  'text',
  'tool',
  'callID',
  'state',
  'messageID',
  'sessionID',
]);

/** `role` is that of the message where the record knows it. */
export function partToParts(part: JsonObject, role: 'user' | 'assistant' | 'unknown'): readonly Part[] {
  const key = textAt(part, 'messageID');
  const piece = textAt(part, 'id');
  const model = (blocks: readonly JsonObject[], more: Partial<ModelPart> = {}): ModelPart => ({
    kind: 'model',
    key,
    piece,
    blocks,
    parts: blocks,
    ...more,
  });
  const text = textAt(part, 'text') ?? '';
  switch (textAt(part, 'type')) {
    case 'text': {
      const said = model([{ type: 'text', content: text }]);
      // A part does not say whose message it is: it belongs to the message of its id, of a person or else of the model.
      return role === 'assistant' ? [said] : [{ kind: 'echo', of: 'input', key, otherwise: said }];
    }
    case 'file':
      return [{ kind: 'echo', of: 'input', key, otherwise: model([part]) }];
    case 'reasoning':
      return [model([{ type: 'reasoning', content: text }])];
    case 'tool':
      return toolParts(part, key, model);
    case 'step-start':
      return [model([])];
    case 'step-finish': {
      const reason = textAt(part, 'reason');
      const usage = tokensToUsage(objectAt(part, 'tokens'));
      return [
        model([], { data: withoutUndefined({ usage, finish_reasons: reason === undefined ? undefined : [reason] }) }),
      ];
    }
    default:
      return [];
  }
}

const stateMembers: ReadonlySet<string> = new Set(['status', 'input', 'output', 'error', 'raw']);

function toolParts(
  part: JsonObject,
  key: string | undefined,
  model: (blocks: readonly JsonObject[]) => ModelPart,
): readonly Part[] {
  const id = textAt(part, 'callID');
  const name = textAt(part, 'tool') ?? 'tool not named';
  const state = objectAt(part, 'state') ?? {};
  const status = textAt(state, 'status');
  const args = memberAt(state, 'input') ?? {};
  const shown = model([withoutUndefined({ type: 'tool_call', id, name, arguments: args })]);
  // Before a call runs its arguments are not complete.
  if (status === 'pending') return [shown];
  const time = objectAt(state, 'time');
  const child = textAt(objectAt(state, 'metadata'), 'sessionId') ?? textAt(objectAt(state, 'metadata'), 'sessionID');
  const call: Part = {
    kind: 'call',
    id,
    name,
    args,
    key,
    child,
    spawns: name === 'task',
    time: millisToTime(numberAt(time, 'start')),
  };
  if (status !== 'completed' && status !== 'error') return [shown, call];
  const failed = status === 'error';
  const message = textAt(state, 'error') ?? '';
  return [
    shown,
    call,
    {
      kind: 'result',
      call: id,
      name,
      value: memberAt(state, 'output') ?? null,
      error: failed ? { name: 'ToolError', message } : undefined,
      data: restOf(state, stateMembers),
      time: millisToTime(numberAt(time, 'end')),
    },
  ];
}

/** The text of a message in an export, as its parts are. */
export function messageContent(message: JsonObject): readonly JsonObject[] {
  return (listAt(message, 'parts') ?? []).filter(
    (part): part is JsonObject => typeof part === 'object' && part !== null && !Array.isArray(part),
  );
}
