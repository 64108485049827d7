/**
 * What `codex exec --json` prints: threads, turns and items (`thread.started`, `item.completed`), and before version 0.44 the events of the
 * program as they were (`{id, msg}`). No rollout stands beside it, so these records are what happened and repeat nothing.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { firstText, listAt, memberAt, numberAt, objectAt, restOf, textAt, withoutUndefined } from '../members.ts';
import { toolError } from '../session/messages.ts';
import type { CallPart, ModelPart, Part, Reading, ResultPart } from '../session/part.ts';

const streamed = /^(thread\.started|turn\.(started|completed|failed)|item\.(started|updated|completed))$/;

/** 0 for a record of something else. */
export function execConfidence(record: JsonObject): number {
  const type = textAt(record, 'type') ?? '';
  if (type.startsWith('item.'))
    return streamed.test(type) && textAt(objectAt(record, 'item'), 'type') !== undefined ? 0.9 : 0;
  if (type === 'thread.started') return textAt(record, 'thread_id') === undefined ? 0 : 0.9;
  if (type !== '') return 0;
  const told = textAt(objectAt(record, 'msg'), 'type');
  return typeof record['id'] === 'string' && told !== undefined && oldKinds.test(told) ? 0.85 : 0;
}

const oldKinds =
  /^(session_configured|task_(started|complete)|agent_(message|reasoning)\w*|exec_command_\w+|mcp_tool_call_\w+|patch_apply_\w+|token_count|turn_\w+)$/;

export function isExec(record: JsonObject): boolean {
  return streamed.test(textAt(record, 'type') ?? '') || objectAt(record, 'msg') !== undefined || 'prompt' in record;
}

/** `usageOf` and `failureOf` are how rollouts tell the same. */
interface RolloutWords {
  readonly usageOf: (usage: JsonObject | undefined) => readonly Part[];
  readonly failureOf: (event: JsonObject) => Part;
  readonly eventOf: (event: JsonObject) => readonly Part[];
}

export function execToReading(record: JsonObject, rollout: RolloutWords): Reading {
  const msg = objectAt(record, 'msg');
  if (msg !== undefined) return oldReading(msg, rollout);
  const prompt = memberAt(record, 'prompt');
  const type = textAt(record, 'type') ?? 'prompt';
  if (prompt !== undefined && type === 'prompt')
    return { kind: type, parts: [{ kind: 'input', role: 'user', content: prompt, from: 'person' }] };
  switch (type) {
    case 'thread.started':
      return {
        kind: type,
        session: textAt(record, 'thread_id'),
        parts: [{ kind: 'start', data: { program: { name: 'Codex' }, envelope: record } }],
      };
    case 'turn.completed':
      return { kind: type, parts: rollout.usageOf(objectAt(record, 'usage')) };
    case 'turn.failed': {
      const error = objectAt(record, 'error');
      const data = {
        error: withoutUndefined({ name: 'TurnFailed', message: textAt(error, 'message') ?? '', data: error }),
      };
      return { kind: type, parts: [{ kind: 'event', type: 'run.failed', ends: true, data }] };
    }
    case 'turn.started':
      return { kind: type, parts: [] };
    default: {
      const item = objectAt(record, 'item') ?? {};
      return { kind: `${type}.${textAt(item, 'type') ?? 'untyped'}`, parts: itemParts(item, type) };
    }
  }
}

function itemParts(item: JsonObject, told: string): readonly Part[] {
  const kind = textAt(item, 'type') ?? textAt(item, 'item_type') ?? '';
  const id = textAt(item, 'id');
  const said = textAt(item, 'text') ?? '';
  switch (kind) {
    case 'agent_message':
    case 'assistant_message':
      return [{ ...spoken(item, id, { type: 'text', content: said }), whole: told === 'item.completed' }];
    case 'reasoning':
      return [spoken(item, id, { type: 'reasoning', content: said })];
    case 'error':
      return [
        { kind: 'event', type: 'marker.recorded', data: { id: 'error', value: memberAt(item, 'message') ?? null } },
      ];
    default: {
      const call = itemToCall(item, kind);
      if (call === undefined) return [];
      return told === 'item.completed' ? [call, itemToResult(item, kind, call)] : [call];
    }
  }
}

/** An item that is told while it grows is one piece of the answer. */
function spoken(item: JsonObject, piece: string | undefined, part: JsonObject): ModelPart {
  return { kind: 'model', piece, blocks: [item], parts: [part] };
}

function itemToCall(item: JsonObject, kind: string): CallPart | undefined {
  const id = textAt(item, 'id');
  switch (kind) {
    case 'command_execution':
      return { kind: 'call', id, name: 'shell', args: { command: memberAt(item, 'command') ?? '' } };
    case 'file_change':
      return { kind: 'call', id, name: 'apply_patch', args: { changes: memberAt(item, 'changes') ?? [] } };
    case 'web_search':
      // What was searched for is known only when it was done.
      return {
        kind: 'call',
        id,
        name: 'web_search',
        args: {},
        data: withoutUndefined({ query: memberAt(item, 'query') }),
      };
    case 'mcp_tool_call': {
      const name = `${textAt(item, 'server') ?? 'mcp'}.${textAt(item, 'tool') ?? 'tool'}`;
      return { kind: 'call', id, name, args: memberAt(item, 'arguments') ?? {} };
    }
    case 'collab_tool_call': {
      const name = textAt(item, 'tool') ?? 'collab';
      const [child] = listAt(item, 'receiver_thread_ids') ?? [];
      const args = withoutUndefined({ prompt: memberAt(item, 'prompt') });
      const spawns = name === 'spawn_agent';
      return { kind: 'call', id, name, args, spawns, child: spawns && typeof child === 'string' ? child : undefined };
    }
    default:
      return undefined;
  }
}

const callMembers: ReadonlySet<string> = new Set([
  'id',
  'type',
  'command',
  'aggregated_output',
  'exit_code',
  'changes',
  'server',
  'tool',
  'arguments',
  'result',
  'error',
]);

/** A command that ran has answered, whatever its code; one that was declined, and anything else that failed, has not. */
function itemToResult(item: JsonObject, kind: string, { id, name }: CallPart): ResultPart {
  const status = textAt(item, 'status');
  const output =
    memberAt(item, 'aggregated_output') ?? memberAt(item, 'result') ?? memberAt(item, 'agents_states') ?? null;
  const hasRun = kind === 'command_execution' && numberAt(item, 'exit_code') !== undefined;
  const failed = memberAt(item, 'error') !== undefined || status === 'declined' || (status === 'failed' && !hasRun);
  const message = textAt(objectAt(item, 'error'), 'message') ?? textAt(item, 'error');
  const reason = status === 'declined' ? 'Declined' : 'ToolError';
  return {
    kind: 'result',
    call: id,
    name,
    value: output,
    error: failed ? toolError(message ?? output ?? status ?? '', reason) : undefined,
    data: withoutUndefined({ exit_code: numberAt(item, 'exit_code'), ...restOf(item, callMembers) }),
  };
}

/** The events of the program, as version 0.43 and older print them. */
function oldReading(msg: JsonObject, rollout: RolloutWords): Reading {
  const type = textAt(msg, 'type') ?? 'untyped';
  const kind = `event.${type}`;
  const call = textAt(msg, 'call_id');
  const invocation = objectAt(msg, 'invocation');
  switch (type) {
    case 'session_configured':
      return {
        kind,
        session: textAt(msg, 'session_id'),
        parts: [
          { kind: 'start', data: { program: { name: 'Codex' }, envelope: msg } },
          { kind: 'setting', data: withoutUndefined({ request_model: textAt(msg, 'model') }) },
        ],
      };
    case 'exec_command_begin': {
      const args = withoutUndefined({ command: memberAt(msg, 'command'), cwd: memberAt(msg, 'cwd') });
      return { kind, parts: [{ kind: 'call', id: call, name: 'shell', args }] };
    }
    case 'patch_apply_begin':
      return { kind, parts: [{ kind: 'call', id: call, name: 'apply_patch', args: memberAt(msg, 'changes') ?? {} }] };
    case 'mcp_tool_call_begin': {
      const name = `${textAt(invocation, 'server') ?? 'mcp'}.${textAt(invocation, 'tool') ?? 'tool'}`;
      return { kind, parts: [{ kind: 'call', id: call, name, args: memberAt(invocation, 'arguments') ?? {} }] };
    }
    case 'exec_command_end':
    case 'patch_apply_end':
    case 'mcp_tool_call_end':
      return { kind, parts: [oldResult(msg, call)] };
    default:
      return { kind, parts: rollout.eventOf(msg) };
  }
}

function oldResult(msg: JsonObject, call: string | undefined): ResultPart {
  const result = memberAt(msg, 'result');
  const refused = isJsonObject(result) ? memberAt(result, 'Err') : undefined;
  const text = firstText(msg, 'aggregated_output', 'formatted_output', 'stdout', 'stderr');
  const value: JsonValue = (isJsonObject(result) ? memberAt(result, 'Ok') : undefined) ?? result ?? text ?? '';
  const failed = refused !== undefined || msg['success'] === false;
  return {
    kind: 'result',
    call,
    value,
    error: failed ? toolError(refused ?? value) : undefined,
    data: withoutUndefined({ exit_code: numberAt(msg, 'exit_code'), duration: memberAt(msg, 'duration') }),
  };
}
