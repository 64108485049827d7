/**
 * One line of a rollout to what it says. Pure: nothing of other lines is known here.
 */
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { contentToParts, callToPart } from '../chat/parts.ts';
import { valueToUsage } from '../chat/usage.ts';
import { firstText, listAt, memberAt, numberAt, objectAt, restOf, textAt, withoutUndefined } from '../members.ts';
import { contentToText, jsonOrText, timeAt } from '../session/fields.ts';
import type { InputPart, ModelPart, Part, Reading } from '../session/part.ts';
import { execToReading, isExec } from './exec.ts';
import { outputToResult } from './output.ts';

export function recordToReading(record: JsonObject): Reading {
  const type = textAt(record, 'type') ?? 'untyped';
  const payload = objectAt(record, 'payload');
  const time = timeAt(record, 'timestamp') ?? timeAt(record, 'created_at');
  if (payload === undefined && isExec(record))
    return execToReading(record, { usageOf, failureOf, eventOf: eventParts });
  if (payload === undefined && isBareMeta(record)) return metaReading(record, { time });
  if (payload === undefined) return { kind: type, time, parts: bareParts(record, type) };
  const shared = { time, extra: restOf(record, new Set(['timestamp', 'type', 'payload'])) };
  switch (type) {
    case 'session_meta':
      return metaReading(payload, shared);
    case 'response_item':
      return { ...shared, kind: `item.${itemKind(payload)}`, parts: itemParts(payload) };
    case 'event_msg':
      return { ...shared, kind: `event.${textAt(payload, 'type') ?? 'untyped'}`, parts: eventParts(payload) };
    case 'turn_context':
      return { ...shared, kind: type, parts: [settingPart(payload)] };
    case 'compacted':
      return { ...shared, kind: 'compacted', parts: [compaction(payload)] };
    default:
      return { ...shared, kind: type, parts: [] };
  }
}

/** The first line of rollouts from before there were envelopes. */
export function isBareMeta(record: JsonObject): boolean {
  return !('type' in record) && 'instructions' in record && textAt(record, 'id') !== undefined && 'timestamp' in record;
}

function usageOf(usage: JsonObject | undefined): readonly Part[] {
  return usagePart(usage, undefined);
}

type Shared = Pick<Reading, 'time' | 'extra'>;

function metaReading(payload: JsonObject, shared: Shared): Reading {
  const spawned = objectAt(objectAt(objectAt(payload, 'source'), 'subagent'), 'thread_spawn');
  const instructions = textAt(objectAt(payload, 'base_instructions'), 'text') ?? textAt(payload, 'instructions');
  const version = textAt(payload, 'cli_version');
  const agent = firstText(payload, 'agent_nickname', 'agent_role');
  return {
    ...shared,
    kind: 'session_meta',
    session: textAt(payload, 'id'),
    version,
    parts: [
      {
        kind: 'start',
        agent,
        parentSession: textAt(spawned, 'parent_thread_id') ?? textAt(payload, 'forked_from_id'),
        data: withoutUndefined({
          program: withoutUndefined({ name: 'Codex', version }),
          system_instructions: instructions,
          envelope: restOf(payload, new Set(['base_instructions', 'instructions'])),
        }),
      },
    ],
  };
}

function settingPart(payload: JsonObject): Part {
  const effort = textAt(payload, 'effort');
  const parameters = effort === undefined ? undefined : { reasoning_effort: effort };
  return { kind: 'setting', data: withoutUndefined({ request_model: textAt(payload, 'model'), parameters }) };
}

function itemKind(item: JsonObject): string {
  return textAt(item, 'type') ?? (textAt(item, 'role') === undefined ? 'untyped' : 'message');
}

function itemParts(item: JsonObject): readonly Part[] {
  const kind = itemKind(item);
  switch (kind) {
    case 'message':
      return [messagePart(item)];
    case 'agent_message':
      return [modelPart(item, contentToParts(memberAt(item, 'content')))];
    case 'reasoning':
      return [modelPart(item, reasoningParts(item))];
    case 'function_call':
    case 'custom_tool_call':
    case 'local_shell_call':
    case 'tool_search_call':
    case 'web_search_call':
      return callParts(item, kind);
    case 'function_call_output':
    case 'custom_tool_call_output':
    case 'tool_search_output':
      return [outputToResult(item)];
    case 'ghost_snapshot': {
      const commit = objectAt(item, 'ghost_commit');
      const data = withoutUndefined({ where: 'git', version: textAt(commit, 'id'), states: item });
      return [{ kind: 'event', type: 'checkpoint.written', data }];
    }
    default:
      return [];
  }
}

function messagePart(item: JsonObject): Part {
  const role = textAt(item, 'role') ?? 'user';
  const content = memberAt(item, 'content') ?? '';
  if (role === 'assistant') return modelPart(item, contentToParts(content));
  return inputPart(role, content);
}

/** What the program puts in as if a person said it: its context, its instructions, notes on interruptions. */
const program =
  /^\s*<(environment_context|user_instructions|turn_aborted|permissions|collaboration_mode|skill|user_shell_command|subagent_notification|INSTRUCTIONS)|^# AGENTS\.md instructions/;

function inputPart(role: string, content: JsonValue): InputPart {
  const isProgram = role !== 'user' || program.test(contentToText(content));
  return { kind: 'input', role, content, from: isProgram ? 'program' : 'person' };
}

function modelPart(item: JsonObject, parts: readonly JsonObject[]): ModelPart {
  return { kind: 'model', blocks: [item], parts };
}

function reasoningParts(item: JsonObject): readonly JsonObject[] {
  const texts = [...(listAt(item, 'summary') ?? []), ...(listAt(item, 'content') ?? [])]
    .map((one) => (typeof one === 'string' ? one : textAt(one, 'text')))
    .filter((text) => text !== undefined);
  if (texts.length === 0)
    return [{ type: 'reasoning', content: '', encrypted: memberAt(item, 'encrypted_content') !== undefined }];
  return texts.map((content) => ({ type: 'reasoning', content }));
}

function callParts(item: JsonObject, kind: string): readonly Part[] {
  const id = textAt(item, 'call_id') ?? textAt(item, 'id');
  const name = textAt(item, 'name') ?? kind.replace(/_call$/, '');
  const args = jsonOrText(memberAt(item, 'arguments')) ?? memberAt(item, 'input') ?? memberAt(item, 'action') ?? {};
  const call: Part = { kind: 'call', id, name, args, spawns: name === 'spawn_agent' };
  const shown = callToPart(withoutUndefined({ ...item, id, name, arguments: args }));
  const part: ModelPart = { kind: 'model', blocks: [item], parts: [shown] };
  // A search runs at the provider: the item is call and answer in one.
  const isDone = kind === 'web_search_call' && textAt(item, 'status') === 'completed';
  if (!isDone) return [part, call];
  return [
    part,
    call,
    {
      kind: 'event',
      type: 'tool_call.acknowledged',
      call: id,
      as: 'result_of',
      data: withoutUndefined({ tool: name, call_id: id, where: 'provider' }),
    },
  ];
}

function compaction(payload: JsonObject): Part {
  const summary = withoutUndefined({
    message: memberAt(payload, 'message'),
    replacement_history: memberAt(payload, 'replacement_history'),
  });
  const data = { summary, ...restOf(payload, new Set(['message', 'replacement_history'])) };
  return { kind: 'event', type: 'history.compacted', data };
}

function eventParts(event: JsonObject): readonly Part[] {
  const message = textAt(event, 'message');
  const text = textAt(event, 'text') ?? message ?? '';
  switch (textAt(event, 'type')) {
    case 'user_message':
      return [{ kind: 'echo', of: 'input', text, otherwise: inputPart('user', text) }];
    case 'agent_message':
      return [echoOfModel(event, text, { type: 'text', content: text })];
    case 'agent_reasoning':
    case 'agent_reasoning_raw_content':
      return [echoOfModel(event, text, { type: 'reasoning', content: text })];
    case 'token_count':
      return usageParts(event);
    case 'turn.completed':
      return usagePart(objectAt(event, 'usage'), undefined);
    case 'collab_agent_spawn_end':
      return [{ kind: 'echo', of: 'result', call: textAt(event, 'call_id'), child: textAt(event, 'new_thread_id') }];
    case 'exec_command_begin':
    case 'mcp_tool_call_begin':
    case 'patch_apply_begin':
    case 'collab_agent_spawn_begin':
      return [{ kind: 'echo', of: 'call', call: textAt(event, 'call_id') }];
    case 'exec_approval_request':
    case 'apply_patch_approval_request':
      return [
        {
          kind: 'event',
          type: 'approval.requested',
          call: textAt(event, 'call_id'),
          data: { name: textAt(event, 'type') ?? '', args: event },
        },
      ];
    case 'error':
    case 'stream_error':
      return [failureOf(event)];
    default:
      return [];
  }
}

function echoOfModel(event: JsonObject, text: string, part: JsonObject): Part {
  return { kind: 'echo', of: 'model', text, otherwise: { kind: 'model', blocks: [event], parts: [part] } };
}

/** The model could not be reached or refused; what it was asked is in no record. */
function failureOf(event: JsonObject): Part {
  const error = objectAt(event, 'error');
  const name =
    firstText(error, 'kind', 'type', 'code') ?? textAt(objectAt(event, 'codex_error_info'), 'type') ?? 'error';
  const message = textAt(error, 'message') ?? textAt(event, 'message') ?? '';
  return { kind: 'model', blocks: [], parts: [], error: { name, message, data: event } };
}

function usageParts(event: JsonObject): readonly Part[] {
  const info = objectAt(event, 'info');
  const total = objectAt(info, 'total_token_usage');
  return usagePart(objectAt(info, 'last_token_usage') ?? total, total);
}

function usagePart(usage: JsonObject | undefined, total: JsonObject | undefined): readonly Part[] {
  const counted = valueToUsage(usage);
  if (counted === undefined) return [];
  const sum = total ?? counted;
  const all =
    numberAt(sum, 'total_tokens') ?? (numberAt(sum, 'input_tokens') ?? 0) + (numberAt(sum, 'output_tokens') ?? 0);
  const key = `${String(all)}/${String(numberAt(sum, 'output_tokens') ?? 0)}`;
  return [{ kind: 'usage', usage: withoutUndefined({ ...counted, session_total: total }), total: key }];
}

const bareItems: ReadonlySet<string> = new Set([
  'message',
  'reasoning',
  'function_call',
  'function_call_output',
  'local_shell_call',
  'custom_tool_call',
  'custom_tool_call_output',
  'web_search_call',
]);

/** Lines from before there were envelopes. */
function bareParts(record: JsonObject, type: string): readonly Part[] {
  const role = textAt(record, 'role');
  if (!('created_at' in record) && bareItems.has(type)) return itemParts(record);
  if (type === 'error') return [failureOf(record)];
  if (type === 'function_call') {
    const name = textAt(objectAt(record, 'function'), 'name') ?? textAt(record, 'name') ?? 'tool';
    const id = textAt(record, 'call_id');
    return [{ kind: 'call', id, name, args: jsonOrText(memberAt(record, 'arguments')) ?? {} }];
  }
  if (type === 'function_result' || type === 'function_call_output') {
    const value = memberAt(record, 'result') ?? memberAt(record, 'output') ?? null;
    return [{ kind: 'result', call: textAt(record, 'call_id'), name: textAt(record, 'name'), value }];
  }
  if (type === 'message' || type === 'reasoning') return itemParts(record);
  if (role === undefined) return [];
  const content = memberAt(record, 'content') ?? memberAt(record, 'message') ?? '';
  if (role !== 'assistant') return [inputPart(role, content)];
  const data = withoutUndefined({ response_model: textAt(record, 'model') });
  return [{ kind: 'model', blocks: [record], parts: contentToParts(content), data }];
}
