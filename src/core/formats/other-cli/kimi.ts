/**
 * Kimi Code: the wire log of an agent. A step of a turn is one model call; its attempts, pieces, calls and end name turn and step.
 */
import { writeLossless } from '../../base/lossless.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { contentToParts } from '../chat/parts.ts';
import { memberAt, numberAt, objectAt, restOf, textAt, withoutUndefined } from '../members.ts';
import { contentToText } from '../session/fields.ts';
import { millisToTime } from '../times.ts';
import { toolError } from '../session/messages.ts';
import type { InputPart, Part, Reading } from '../session/part.ts';
import { isSpawnTool } from '../session/tools.ts';
import type { Dialect } from './dialect.ts';

const types =
  /^(metadata|config\.update|tools\.|turn\.|context\.|llm\.|usage\.record|permission\.|plan_mode\.|full_compaction\.|profile\.|runtime\.)/;

export const kimi: Dialect = {
  id: 'kimi',
  confidence: (record) => {
    const type = textAt(record, 'type') ?? '';
    if (type === 'metadata')
      return numberAt(record, 'created_at') !== undefined && 'protocol_version' in record ? 0.9 : 0;
    return types.test(type) && numberAt(record, 'time') !== undefined ? 0.9 : 0;
  },
  read: (record) => {
    const type = textAt(record, 'type') ?? 'untyped';
    const event = objectAt(record, 'event');
    return {
      kind: type === 'context.append_loop_event' ? (textAt(event, 'type') ?? type) : type,
      time: millisToTime(numberAt(record, 'time') ?? numberAt(record, 'created_at')),
      ...recordToParts(record, type, event),
    };
  },
};

function recordToParts(
  record: JsonObject,
  type: string,
  event: JsonObject | undefined,
): Pick<Reading, 'parts' | 'extra'> {
  const rest = restOf(record, new Set(['type', 'time', 'input', 'message', 'event']));
  switch (type) {
    case 'metadata':
      return { parts: [{ kind: 'start', data: { program: { name: 'Kimi Code' }, envelope: rest } }] };
    case 'config.update': {
      const data = withoutUndefined({ request_model: textAt(record, 'modelAlias') });
      return { parts: Object.keys(data).length === 0 ? [] : [{ kind: 'setting', data }] };
    }
    case 'turn.prompt':
      return { parts: [promptPart(record)], extra: rest };
    case 'context.append_message':
      return { parts: appendedParts(objectAt(record, 'message') ?? {}), extra: rest };
    case 'context.append_loop_event':
      return { parts: loopParts(event ?? {}), extra: restOf(event ?? {}, eventMembers) };
    case 'llm.request':
      return { parts: requestParts(record), extra: rest };
    case 'usage.record':
      return { parts: [{ kind: 'echo', of: 'model', key: usageName(objectAt(record, 'usage')) }], extra: rest };
    case 'permission.record_approval_result':
      return { parts: [approvalPart(record)], extra: rest };
    case 'context.apply_compaction':
      return { parts: [{ kind: 'event', type: 'history.compacted', data: { summary: rest } }] };
    default:
      return { parts: [] };
  }
}

const eventMembers: ReadonlySet<string> = new Set([
  'type',
  'part',
  'args',
  'result',
  'usage',
  'toolCallId',
  'name',
  'finishReason',
]);

function promptPart(record: JsonObject): InputPart {
  const origin = textAt(objectAt(record, 'origin'), 'kind');
  return {
    kind: 'input',
    role: 'user',
    content: memberAt(record, 'input') ?? '',
    from: origin === 'user' ? 'person' : 'program',
  };
}

/** The context repeats the prompt of the turn; other messages are put in by the program. */
function appendedParts(message: JsonObject): readonly Part[] {
  const content = memberAt(message, 'content') ?? '';
  const role = textAt(message, 'role') ?? 'user';
  const otherwise: InputPart = { kind: 'input', role, content, from: 'program' };
  return [{ kind: 'echo', of: 'input', text: contentToText(content), otherwise }];
}

function stepName(turn: JsonValue, step: JsonValue): string {
  return `turn ${toName(turn)} step ${toName(step)}`;
}

/** What is neither text nor number names a turn by what it holds, so that two turns never become one. */
function toName(value: JsonValue): string {
  return typeof value === 'string' ? value : writeLossless(value);
}

function loopParts(event: JsonObject): readonly Part[] {
  const key = stepName(memberAt(event, 'turnId') ?? '', memberAt(event, 'step') ?? '');
  const call = textAt(event, 'toolCallId');
  switch (textAt(event, 'type')) {
    case 'step.begin':
      return [{ kind: 'model', key, blocks: [], parts: [], pending: true }];
    case 'content.part': {
      const part = objectAt(event, 'part') ?? {};
      const think = textAt(part, 'think');
      const parts = think === undefined ? contentToParts(part) : [{ type: 'reasoning', content: think }];
      return [{ kind: 'model', key, piece: textAt(event, 'uuid'), blocks: [part], parts }];
    }
    case 'tool.call': {
      const name = textAt(event, 'name') ?? 'tool not named';
      const args = memberAt(event, 'args') ?? {};
      const shown = withoutUndefined({ type: 'tool_call', id: call, name, arguments: args });
      return [
        { kind: 'model', key, piece: call, blocks: [shown], parts: [shown] },
        { kind: 'call', id: call, key, name, args, spawns: isSpawnTool(name) },
      ];
    }
    case 'tool.result': {
      const result = objectAt(event, 'result') ?? {};
      const value = memberAt(result, 'output') ?? result;
      const error = result['isError'] === true ? toolError(value) : undefined;
      return [{ kind: 'result', call, value, error, data: restOf(result, new Set(['output', 'isError'])) }];
    }
    case 'step.end': {
      const usage = objectAt(event, 'usage');
      const finish = textAt(event, 'finishReason');
      const data = withoutUndefined({
        usage: kimiUsage(usage),
        response_id: textAt(event, 'messageId'),
        finish_reasons: finish === undefined ? undefined : [finish],
      });
      return [{ kind: 'model', key, blocks: [], parts: [], data, alias: usageName(usage) }];
    }
    default:
      return [];
  }
}

/** Input without what came from the cache. */
function kimiUsage(usage: JsonObject | undefined): JsonObject | undefined {
  if (usage === undefined) return undefined;
  return withoutUndefined({
    ...usage,
    input_tokens: numberAt(usage, 'inputOther'),
    output_tokens: numberAt(usage, 'output'),
    cache_read_input_tokens: numberAt(usage, 'inputCacheRead'),
    cache_creation_input_tokens: numberAt(usage, 'inputCacheCreation'),
    input_excludes_cache: memberAt(usage, 'inputOther') === undefined ? undefined : true,
  });
}

function usageName(usage: JsonObject | undefined): string {
  return `usage ${writeLossless(usage ?? {})}`;
}

/** A request; from the second attempt on it also tells that the one before failed. */
function requestParts(record: JsonObject): readonly Part[] {
  const [turn = '', step = ''] = (textAt(record, 'turnStep') ?? '').split('.');
  const key = stepName(turn, step);
  const attempt = Number((textAt(record, 'attempt') ?? '1').split('/')[0]);
  const data = withoutUndefined({
    provider: textAt(record, 'provider'),
    request_model: textAt(record, 'model'),
    parameters: withoutUndefined({
      max_tokens: memberAt(record, 'maxTokens'),
      thinking: memberAt(record, 'thinkingEffort'),
    }),
    attempts: attempt,
  });
  const request: Part = { kind: 'model', key, blocks: [], parts: [], data, pending: true };
  if (attempt <= 1 || Number.isNaN(attempt)) return [request];
  const error = {
    name: 'not recorded',
    message: `Attempt ${String(attempt - 1)} was followed by attempt ${String(attempt)}.`,
  };
  return [
    request,
    {
      kind: 'event',
      type: 'model_call.failed',
      data: { operation: 'chat', error, rule: 'next-attempt', attempt: attempt - 1 },
    },
  ];
}

function approvalPart(record: JsonObject): Part {
  const decision = textAt(objectAt(record, 'result'), 'decision') ?? '';
  const granted = /approve|allow/.test(decision);
  const data = withoutUndefined({
    name: textAt(record, 'toolName'),
    granted,
    reason: textAt(record, 'action'),
    value: memberAt(record, 'result'),
  });
  return {
    kind: 'event',
    type: granted ? 'approval.granted' : 'approval.denied',
    call: textAt(record, 'toolCallId'),
    data,
  };
}
