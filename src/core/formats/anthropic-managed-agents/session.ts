/**
 * Events of one managed session, in the order in which the service processed them, to drafts.
 *
 * Invariant: results, confirmations and ends of model requests are joined by the ids they carry (recorded). What stands between the
 * start and the end of a request is its content (rule `within-request`); what came since the request before is its context (rule
 * `since-last-request`). Both per thread of the session.
 */
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { digest, type EventId } from '../../model/index.ts';
import { valueToUsage } from '../chat/usage.ts';
import { contentToParts } from '../chat/parts.ts';
import { type CauseDraft, type EventDraft, recordToEventId } from '../draft.ts';
import type { InputPlace } from '../format.ts';
import type { MappedRecord } from '../grouped.ts';
import { firstText, listAt, memberAt, objectAt, restOf, textAt, withoutUndefined } from '../members.ts';
import { valueToTime } from '../times.ts';

export const rules = {
  'session-of-stream':
    'Streamed events do not name their session: they belong to the session named last before them, in a file of one session to that one.',
  'within-request': 'What the service streamed between the start and the end of a model request is the answer to it.',
  'since-last-request':
    'A model request had all messages and results streamed in its thread since the request before, and its answer.',
} as const;

export interface SessionEvent {
  readonly value: JsonObject;
  readonly place: InputPlace;
}

interface Thread {
  fresh: EventId[];
  /** The open request, and what it answered so far. */
  request: { readonly id: string; readonly parts: JsonObject[]; readonly events: EventId[] } | undefined;
}

interface Session {
  readonly run: string;
  readonly session: string;
  readonly system: JsonValue | undefined;
  readonly tools: JsonValue | undefined;
  readonly model: string | undefined;
  readonly agent: string | undefined;
  readonly threads: Map<string, Thread>;
  readonly known: ReadonlyMap<string, JsonObject>;
  readonly confirmed: Map<string, { readonly event: EventId; readonly granted: boolean }>;
  readonly asked: Set<string>;
}

export function sessionToRecords(
  run: string,
  key: string,
  created: JsonObject | undefined,
  events: readonly SessionEvent[],
): readonly MappedRecord[] {
  const agent = objectAt(created, 'agent');
  const session: Session = {
    run,
    session: key,
    system: memberAt(agent, 'system'),
    tools: memberAt(agent, 'tools'),
    model: textAt(objectAt(agent, 'model'), 'id') ?? textAt(agent, 'model'),
    agent: textAt(agent, 'name'),
    threads: new Map(),
    known: new Map(
      events.flatMap(({ value }) =>
        textAt(value, 'id') === undefined ? [] : [[textAt(value, 'id') ?? '', value] as const],
      ),
    ),
    confirmed: new Map(),
    asked: new Set(),
  };
  return events.map(({ value, place }) => ({ place, drafts: eventToDrafts(session, value) }));
}

const placed: ReadonlySet<string> = new Set([
  'id',
  'type',
  'processed_at',
  'content',
  'input',
  'name',
  'tool_use_id',
  'mcp_tool_use_id',
  'custom_tool_use_id',
  'is_error',
  'model_usage',
  'model_request_start_id',
]);

function eventToDrafts(session: Session, value: JsonObject): readonly EventDraft[] {
  const type = textAt(value, 'type') ?? 'untyped';
  const record = textAt(value, 'id') ?? `sent ${digest(value).slice(7, 23)}`;
  const time = valueToTime(memberAt(value, 'processed_at'))?.time;
  const name = textAt(value, 'session_thread_id') ?? '';
  const thread = session.threads.get(name) ?? { fresh: [recordToEventId(session.run, 'run')], request: undefined };
  session.threads.set(name, thread);
  const shared: Shared = {
    id: recordToEventId(session.run, record),
    run: session.run,
    session: session.session,
    time,
    clock: `anthropic/${session.run.slice(0, 8)}`,
    record,
    agent: textAt(value, 'agent_name') ?? session.agent,
    extra: restOf(value, placed),
  };
  if (type === 'span.model_request_start') return [requestStarted(session, thread, shared)];
  if (type === 'span.model_request_end') return [requestEnded(session, thread, value, shared)];
  if (/tool_use$/.test(type)) return toolUse(session, thread, value, shared);
  if (/tool_result$/.test(type)) return [toolResult(session, thread, value, shared)];
  if (type === 'user.tool_confirmation') return [confirmation(session, value, shared)];
  return [message(thread, value, type, shared)];
}

interface Shared {
  readonly id: EventId;
  readonly run: string;
  readonly session: string;
  readonly time: string | undefined;
  readonly clock: string;
  readonly record: string;
  readonly agent: string | undefined;
  readonly extra: JsonObject;
}

function requestStarted(session: Session, thread: Thread, shared: Shared): EventDraft {
  const causes = thread.fresh.map((event): CauseDraft => ({ event, as: 'consumed', rule: 'since-last-request' }));
  thread.request = { id: shared.record, parts: [], events: [] };
  thread.fresh = [];
  return {
    ...shared,
    type: 'model_call.requested',
    step: shared.record,
    causes,
    command: modelCommand(session, shared.record),
    data: withoutUndefined({
      operation: 'chat',
      provider: 'anthropic',
      request_model: session.model,
      system_instructions: session.system,
      tool_definitions: session.tools,
    }),
  };
}

function modelCommand(session: Session, id: string): JsonObject {
  const name = session.model ?? 'model';
  return { path: `/model:${name}=${id}`, kind: 'model', name, identity: 'derived', attempt: 1 };
}

function requestEnded(session: Session, thread: Thread, value: JsonObject, shared: Shared): EventDraft {
  const start = textAt(value, 'model_request_start_id');
  const open =
    thread.request !== undefined && (start === undefined || thread.request.id === start) ? thread.request : undefined;
  const failed = value['is_error'] === true;
  if (open !== undefined) thread.request = undefined;
  thread.fresh = [...thread.fresh, shared.id];
  const parts = open?.parts ?? [];
  const from = start ?? open?.id;
  return {
    ...shared,
    type: failed ? 'model_call.failed' : 'model_call.completed',
    step: from,
    causes:
      from === undefined
        ? []
        : [
            {
              event: recordToEventId(session.run, from),
              as: 'result_of',
              rule: start === undefined ? 'within-request' : undefined,
            },
          ],
    command: from === undefined ? undefined : modelCommand(session, from),
    data: withoutUndefined({
      operation: 'chat',
      provider: 'anthropic',
      request_model: session.model,
      usage: valueToUsage(memberAt(value, 'model_usage')),
      output_messages: parts.length === 0 ? undefined : [{ role: 'assistant', parts }],
      content_rule: parts.length === 0 ? undefined : 'within-request',
      error: failed
        ? {
            name: 'ModelError',
            message: textAt(objectAt(value, 'error'), 'message') ?? 'The request ended with an error.',
          }
        : undefined,
    }),
  };
}

function within(session: Session, thread: Thread): readonly CauseDraft[] {
  const open = thread.request;
  return open === undefined
    ? thread.fresh.slice(-1).map((event) => ({ event, as: 'caused_by', rule: 'since-last-request' }))
    : [{ event: recordToEventId(session.run, open.id), as: 'caused_by', rule: 'within-request' }];
}

function toolUse(session: Session, thread: Thread, value: JsonObject, shared: Shared): readonly EventDraft[] {
  const tool = textAt(value, 'name') ?? 'tool';
  const args = memberAt(value, 'input') ?? {};
  thread.request?.parts.push({ type: 'tool_call', id: shared.record, name: tool, arguments: args });
  const causes = within(session, thread);
  const asks = textAt(value, 'evaluated_permission') === 'ask';
  const request: EventDraft = {
    ...shared,
    id: recordToEventId(session.run, shared.record, 'approval'),
    extra: {},
    type: 'approval.requested',
    causes,
    data: { name: tool, args },
  };
  const call: EventDraft = {
    ...shared,
    type: 'tool_call.dispatched',
    step: thread.request?.id,
    causes,
    command: { ...toolCommand(tool, shared.record), args: digest(args) },
    data: withoutUndefined({ tool, call_id: shared.record, args, service: textAt(value, 'mcp_server_name') }),
  };
  if (asks) session.asked.add(shared.record);
  return asks ? [call, { ...request, causes: [{ event: call.id, as: 'caused_by' }] }] : [call];
}

function toolCommand(tool: string, id: string): JsonObject {
  return { path: `/tool:${tool}=${id}`, name: tool, identity: 'derived', attempt: 1 };
}

function toolResult(session: Session, thread: Thread, value: JsonObject, shared: Shared): EventDraft {
  const call = firstText(value, 'tool_use_id', 'mcp_tool_use_id', 'custom_tool_use_id');
  const use = call === undefined ? undefined : session.known.get(call);
  const tool = textAt(use, 'name');
  const confirmed = call === undefined ? undefined : session.confirmed.get(call);
  const denied = confirmed?.granted === false;
  const content = memberAt(value, 'content') ?? null;
  const failed = value['is_error'] === true;
  thread.fresh = [...thread.fresh, shared.id];
  const causes: CauseDraft[] =
    call === undefined
      ? [...within(session, thread)]
      : [{ event: recordToEventId(session.run, call), as: 'result_of' }];
  if (confirmed !== undefined) causes.push({ event: confirmed.event, as: 'authorized_by' });
  return {
    ...shared,
    type: failed ? 'tool_call.failed' : 'tool_call.completed',
    causes,
    command: call === undefined || tool === undefined ? undefined : toolCommand(tool, call),
    data: withoutUndefined({
      tool,
      call_id: call,
      result: failed ? undefined : content,
      error: failed ? { name: 'ToolError', message: partsToText(content), data: content } : undefined,
      executed: denied ? false : undefined,
    }),
  };
}

function partsToText(content: JsonValue): string {
  return contentToParts(content)
    .map((part) => memberAt(part, 'content'))
    .filter((text) => typeof text === 'string')
    .join('\n');
}

function confirmation(session: Session, value: JsonObject, shared: Shared): EventDraft {
  const call = firstText(value, 'tool_use_id', 'mcp_tool_use_id', 'custom_tool_use_id');
  const granted = textAt(value, 'result') === 'allow';
  if (call !== undefined) session.confirmed.set(call, { event: shared.id, granted });
  const asked = call !== undefined && session.asked.has(call);
  const cause = call === undefined ? undefined : recordToEventId(session.run, call, asked ? 'approval' : '');
  return {
    ...shared,
    agent: undefined,
    type: granted ? 'approval.granted' : 'approval.denied',
    principal: { id: 'user', kind: 'human' },
    causes: cause === undefined ? [] : [{ event: cause, as: 'result_of' }],
    data: withoutUndefined({
      name: textAt(call === undefined ? undefined : session.known.get(call), 'name'),
      granted,
      reason: textAt(value, 'deny_message'),
      by: 'user',
    }),
  };
}

/** Messages of people and of the agent; every other event is kept whole under its own type. */
function message(thread: Thread, value: JsonObject, type: string, shared: Shared): EventDraft {
  const content = memberAt(value, 'content');
  if (type === 'user.message') {
    const causes = thread.fresh
      .slice(-1)
      .map((event): CauseDraft => ({ event, as: 'caused_by', rule: 'since-last-request' }));
    thread.fresh = [...thread.fresh, shared.id];
    return {
      ...shared,
      agent: undefined,
      type: 'input.received',
      causes,
      principal: { id: 'user', kind: 'human' },
      data: withoutUndefined({ name: 'message', value: content }),
    };
  }
  const open = thread.request;
  const causes: readonly CauseDraft[] =
    open === undefined
      ? []
      : [{ event: recordToEventId(shared.run, open.id), as: 'caused_by', rule: 'within-request' }];
  if (type === 'agent.message' || type === 'agent.thinking') {
    const parts = contentToParts(content);
    for (const part of parts) open?.parts.push(type === 'agent.thinking' ? { ...part, type: 'reasoning' } : part);
    const role = type === 'agent.thinking' ? 'thinking' : 'assistant';
    return {
      ...shared,
      type: 'message.sent',
      causes,
      data: withoutUndefined({
        from: shared.agent,
        to: role === 'assistant' ? 'user' : undefined,
        role,
        content: content ?? listAt(value, 'thinking'),
      }),
    };
  }
  const start: readonly CauseDraft[] = [{ event: recordToEventId(shared.run, 'run'), as: 'caused_by' }];
  return { ...shared, type: `anthropic_managed_agents.${type}`, causes: start, extra: {}, data: value };
}
