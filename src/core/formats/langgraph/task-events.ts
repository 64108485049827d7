/**
 * Tasks of a checkpoint to events: a node's step, the messages its result holds as model calls, decisions and tool calls, interrupts
 * as questions for approval.
 *
 * Invariant: a call and its result are joined by the provider's call id, which both messages carry (recorded).
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { canon, digest, type EventId } from '../../model/index.ts';
import { messagesToAnswers, messagesToCalls } from '../chat/calls.ts';
import { type ChatMessage, valueToMessages } from '../chat/messages.ts';
import { valueToUsage } from '../chat/usage.ts';
import { type CauseDraft, type EventDraft, recordToEventId } from '../draft.ts';
import { firstText, memberAt, objectAt, restOf, textAt, withoutUndefined } from '../members.ts';
import type { Task } from './snapshot.ts';

export interface TaskContext {
  readonly run: string;
  readonly thread: string;
  readonly branch: string;
  readonly scope: string;
  /** The checkpoint that planned the task. */
  readonly checkpoint: EventId;
  readonly clock: string;
  /** Dispatched calls by the provider's id, over the whole thread. */
  readonly calls: Map<string, { readonly event: EventId; readonly name: string; readonly path: string }>;
  /** Messages that an earlier task brought into the thread: nodes return whole lists again. */
  readonly told: Set<string>;
  /** Last results, which the next model message had in its state. */
  readonly consumed: readonly EventId[];
}

export function taskToDrafts(context: TaskContext, task: Task): readonly EventDraft[] {
  const { run, branch } = context;
  const start = recordToEventId(run, task.id, 'start');
  const shared = {
    run,
    branch,
    session: context.thread,
    clock: context.clock,
    agent: task.name,
    record: task.id,
    step: task.id,
  } as const;
  const begin: EventDraft = {
    ...shared,
    id: start,
    type: 'step.started',
    time: task.start,
    causes: [{ event: context.checkpoint, as: 'caused_by' }],
    extra: task.extra,
    data: withoutUndefined({ name: task.name, input: task.input }),
  };
  const spoken = freshMessages(context, task).flatMap((message, n) =>
    messageToDrafts(context, { ...shared }, message, `${task.id}:m${n}`, start),
  );
  const asked = task.interrupts.map((interrupt, n): EventDraft => ({
    ...shared,
    id: recordToEventId(run, task.id, `interrupt${n}`),
    type: 'approval.requested',
    causes: [{ event: start, as: 'caused_by' }],
    data: { name: task.name, value: interrupt },
  }));
  const answered = (task.resumes ?? []).map((value, n): EventDraft => ({
    ...shared,
    id: recordToEventId(run, task.id, `answer${n}`),
    ...answerOf(task.name, value),
    causes: [asked[n] === undefined ? { event: start, as: 'caused_by' } : { event: asked[n].id, as: 'result_of' }],
  }));
  const ended = task.result !== undefined || task.error !== undefined;
  if (!ended) return [begin, ...asked, ...answered, ...spoken];
  const within = [...answered, ...spoken].map(({ id }): CauseDraft => ({ event: id, as: 'consumed' }));
  const end: EventDraft = {
    ...shared,
    id: recordToEventId(run, task.id),
    type: 'step.completed',
    time: task.end,
    causes: [{ event: start, as: 'result_of' }, ...within],
    data: withoutUndefined({
      name: task.name,
      result: task.result,
      error: task.error === undefined ? undefined : errorOf(task.error),
    }),
  };
  return [begin, ...asked, ...answered, ...spoken, end];
}

/** A yes or a no to a question is an approval; anything else is what somebody said. */
function answerOf(node: string, value: JsonValue): Pick<EventDraft, 'type' | 'data'> {
  if (typeof value !== 'boolean') return { type: 'input.received', data: { name: `answer to ${node}`, value } };
  return { type: value ? 'approval.granted' : 'approval.denied', data: { name: node, granted: value, value } };
}

export function errorOf(error: JsonValue): JsonObject {
  if (typeof error === 'string')
    return { name: /^(\w*(?:Error|Exception))\b/.exec(error)?.[1] ?? 'Error', message: error };
  return withoutUndefined({
    name: textAt(error, 'name') ?? 'Error',
    message: textAt(error, 'message') ?? JSON.stringify(error),
    data: error,
  });
}

function messagesOf(result: JsonValue | undefined): readonly ChatMessage[] {
  const held = memberAt(result, 'messages');
  return held === undefined ? [] : valueToMessages(held, 'assistant');
}

function freshMessages(context: TaskContext, task: Task): readonly ChatMessage[] {
  return messagesOf(task.result).filter((message) => {
    const [answer] = message.role === 'tool' ? messagesToAnswers([message]) : [];
    const key = answer?.id ?? textAt(message, 'id') ?? canon(message);
    // An input gets its id only when the graph took it in: the same words in a later node are the same message.
    const words = message.role === 'user' ? `user ${canon(message.parts)}` : key;
    if (context.told.has(key) || (task.name !== '__start__' && context.told.has(words))) return false;
    context.told.add(key).add(words);
    return true;
  });
}

interface Shared {
  readonly run: string;
  readonly branch: string;
  readonly session: string;
  readonly clock: string;
  readonly agent: string;
  readonly record: string;
  readonly step: string;
}

function messageToDrafts(
  context: TaskContext,
  shared: Shared,
  message: ChatMessage,
  fallback: string,
  start: EventId,
): readonly EventDraft[] {
  const own = textAt(message, 'id');
  const id = recordToEventId(context.run, own === undefined ? fallback : `${shared.record}:${own}`);
  const extra = restOf(message, new Set(['role', 'parts', 'usage_metadata', 'response_metadata']));
  if (message.role === 'assistant') return answerToDrafts(context, { ...shared, extra }, message, id, start);
  if (message.role === 'tool') return [resultToDraft(context, { ...shared, extra }, message, id, start)];
  const content: JsonValue = message.parts;
  const causes: readonly CauseDraft[] = [{ event: start, as: 'caused_by' }];
  if (message.role === 'user')
    return [{ ...shared, extra, id, type: 'input.received', causes, data: { name: 'message', value: content } }];
  return [{ ...shared, extra, id, type: 'message.sent', causes, data: { role: message.role, content } }];
}

function answerToDrafts(
  context: TaskContext,
  shared: Shared & { readonly extra: JsonObject },
  message: ChatMessage,
  id: EventId,
  start: EventId,
): readonly EventDraft[] {
  const meta = objectAt(message, 'response_metadata');
  const reason = firstText(meta, 'finish_reason', 'stop_reason');
  const name = id.slice(9);
  const completed: EventDraft = {
    ...shared,
    id,
    type: 'model_call.completed',
    causes: [
      { event: start, as: 'caused_by' },
      ...context.consumed.map((event): CauseDraft => ({ event, as: 'consumed', rule: 'results-in-state' })),
    ],
    command: {
      path: `${context.scope}/model:message=${name}`,
      kind: 'model',
      name: 'model',
      identity: 'derived',
      attempt: 1,
    },
    data: withoutUndefined({
      operation: 'chat',
      response_model: firstText(meta, 'model_name', 'model'),
      response_id: textAt(message, 'id'),
      usage: valueToUsage(memberAt(message, 'usage_metadata')),
      finish_reasons: reason === undefined ? undefined : [reason],
      output_messages: [{ role: message.role, parts: message.parts }],
      result: message.parts,
      response_metadata: meta,
    }),
  };
  const calls = messagesToCalls([message]);
  if (calls.length === 0) return [completed];
  const decision = recordToEventId(context.run, name, 'decision');
  const chosen: JsonValue = calls.map((call) =>
    withoutUndefined({ tool: call.name, call_id: call.id, args: call.args }),
  );
  const decided: EventDraft = {
    ...shared,
    extra: {},
    id: decision,
    type: 'decision.made',
    causes: [{ event: id, as: 'consumed' }],
    command: {
      path: `${context.scope}/decide:tools=${name}`,
      kind: 'decide',
      name: 'tools',
      identity: 'derived',
      args: digest({ chosen }),
    },
    data: { args: { chosen }, chosen, result: chosen, rule: 'decision-from-tool-calls' },
  };
  const dispatched = calls.map((call, n): EventDraft => {
    const key = call.id ?? `${name}.${n}`;
    const event = recordToEventId(context.run, `${shared.record}:call:${key}`);
    const path = `${context.scope}/tool:${call.name}=${key}`;
    context.calls.set(key, { event, name: call.name, path });
    return {
      ...shared,
      extra: {},
      id: event,
      type: 'tool_call.dispatched',
      causes: [{ event: decision, as: 'selected_by' }],
      command: { path, name: call.name, identity: 'derived', attempt: 1, args: digest(call.args) },
      data: withoutUndefined({ tool: call.name, call_id: call.id, args: call.args }),
    };
  });
  return [completed, decided, ...dispatched];
}

function resultToDraft(
  context: TaskContext,
  shared: Shared & { readonly extra: JsonObject },
  message: ChatMessage,
  id: EventId,
  start: EventId,
): EventDraft {
  const [answer] = messagesToAnswers([message]);
  const call = answer?.id === undefined ? undefined : context.calls.get(answer.id);
  const failed = textAt(message, 'status') === 'error' || answer?.isError === true;
  const response = answer?.response ?? null;
  const causes: CauseDraft[] = [{ event: start, as: 'caused_by' }];
  if (call !== undefined) causes.push({ event: call.event, as: 'result_of' });
  return {
    ...shared,
    id,
    type: failed ? 'tool_call.failed' : 'tool_call.completed',
    causes,
    command: call === undefined ? undefined : { path: call.path, name: call.name, identity: 'derived', attempt: 1 },
    data: withoutUndefined({
      tool: textAt(message, 'name') ?? call?.name,
      call_id: answer?.id,
      result: failed ? undefined : response,
      error: failed
        ? {
            name: 'ToolError',
            message: typeof response === 'string' ? response : JSON.stringify(response),
            ...(isJsonObject(response) ? { data: response } : {}),
          }
        : undefined,
    }),
  };
}
