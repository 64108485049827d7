/**
 * AutoGen AgentChat (0.4 and later): the messages and events of a run as they are dumped, a list, lines, or a `TaskResult`
 * `{messages, stop_reason}`; and chats of AutoGen 0.2 (`chat-history.ts`).
 *
 * Each names who spoke (`source`); one with counts (`models_usage`) is an answer of a model. Calls and results are joined by call id; all else
 * follows the order of the list (rule `message-order`).
 */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { parseLossless } from '../../base/lossless.ts';
import { digest, type EventId } from '../../model/index.ts';
import { callToPart, contentToParts } from '../chat/parts.ts';
import { valueToUsage } from '../chat/usage.ts';
import { type CauseDraft, type EventDraft, recordToEventId, traceToRun } from '../draft.ts';
import type { Format, InputPlace, Problem, Sniff } from '../format.ts';
import {
  type Grouped,
  type GroupedFormat,
  type GroupedTrace,
  listGrouped,
  type MappedRecord,
  readGrouped,
} from '../grouped.ts';
import { listAt, memberAt, parseText, restOf, textAt, withoutUndefined } from '../members.ts';
import type { Piece } from '../pieces.ts';
import { fingerprint } from '../seen.ts';
import { toolError } from '../session/messages.ts';
import { sniffObjects } from '../sniff.ts';
import { valueToTime } from '../times.ts';
import { chatToAgentChat, detectChat } from './chat-history.ts';

const grouped: GroupedFormat = {
  id: 'autogen-agentchat',
  wanted: new Set(['*', 'messages.*', 'chat_history.*']),
  lineWanted: new Set(['', '*', 'messages.*', 'chat_history.*']),
  collect,
  summary: {
    replayGrade: 'tool loop only',
    missingForReplay: [
      'the control program',
      'the requests to the models',
      'the tool schemas',
      'positions of issues and deliveries',
    ],
  },
};

export const agentChat: Format = {
  id: 'autogen-agentchat',
  label: 'AutoGen messages (AgentChat, chat history of 0.2)',
  detect,
  list: (files) => listGrouped(grouped, files),
  read: (files, options) => readGrouped(grouped, files, options),
};

function detect(sniff: Sniff): number {
  const known = sniffObjects(sniff, 5).some(
    (value) => isMessage(value) || (listAt(value, 'messages') ?? []).some(isMessage),
  );
  if (known) return 0.9;
  const { text } = sniff;
  const chat = detectChat(messagesOf(sniff));
  if (chat > 0) return chat;
  const begins = /^\s*(\[\s*\{|\{\s*"messages"\s*:\s*\[)/.test(text) && /"models_usage"\s*:/.test(text);
  return begins && /"source"\s*:/.test(text) && /"type"\s*:\s*"\w+(Message|Event)"/.test(text) ? 0.9 : 0;
}

/** The first records: of a list that is one line, or written over many, its elements. */
function messagesOf(sniff: Sniff): readonly JsonObject[] {
  const whole = sniff.whole && sniff.text.length < 256 * 1024 ? parseLossless(sniff.text.trim()) : undefined;
  if (whole?.ok === true)
    return (isJsonArray(whole.value) ? whole.value : [whole.value]).filter(isJsonObject).slice(0, 40);
  return /^\s*\{/.test(sniff.text) ? sniffObjects(sniff, 40) : [];
}

function isMessage(value: JsonValue): value is JsonObject {
  const isNamed = textAt(value, 'source') !== undefined && /(Message|Event)$/.test(textAt(value, 'type') ?? '');
  return isJsonObject(value) && isNamed && 'models_usage' in value;
}

/** One that AutoGen 0.2 wrote: what AgentChat writes has its counts, or null. */
function isChat(message: JsonObject): boolean {
  return !('models_usage' in message);
}

interface Building {
  readonly messages: { readonly value: JsonObject; readonly place: InputPlace }[];
  frame: { readonly value: JsonObject; readonly place: InputPlace } | undefined;
}

function collect(pieces: readonly Piece[]): Grouped {
  const documents = new Map<string, Building>();
  const problems: Problem[] = [];
  for (const { record, path, document } of pieces) {
    const { value, place, text } = record;
    // Lines are one list.
    const key = path === '' ? place.file : `${place.file}#${document}`;
    const building = documents.get(key) ?? { messages: [], frame: undefined };
    const chat = path === 'frame' ? undefined : chatToAgentChat(value);
    if (chat !== undefined) building.messages.push({ value: chat, place });
    else if (isMessage(value)) building.messages.push({ value, place });
    else if (path === 'frame' && isJsonObject(value)) building.frame = { value, place };
    else {
      const message = `The record at line ${place.line ?? 1} (byte ${place.offset}) of ${place.file} is no message of AgentChat: it has no source and kind. Its bytes are kept.`;
      problems.push({
        code: 'not-a-message',
        message,
        place,
        raw: new TextEncoder().encode(text),
        severity: 'problem',
      });
      continue;
    }
    documents.set(key, building);
  }
  const traces = new Map<string, GroupedTrace>();
  for (const building of documents.values()) {
    const trace = toTrace(building);
    const known = traces.get(trace.key);
    // The same messages once more add nothing.
    if (known === undefined) traces.set(trace.key, trace);
    else traces.set(trace.key, { ...known, merged: known.merged + trace.mapped.length });
  }
  return { traces: [...traces.values()], problems, notes: [] };
}

interface Talk {
  readonly run: string;
  last: EventId;
  readonly calls: Map<string, { readonly event: EventId; readonly name: string }>;
}

function toTrace({ messages, frame }: Building): GroupedTrace {
  const print = fingerprint(JSON.stringify(messages.map(({ value }) => value)));
  const key = textAt(messages[0]?.value, 'id') ?? `messages ${print.slice(0, 8)}`;
  const run = traceToRun(`autogen-agentchat ${key} ${print}`);
  const talk: Talk = { run, last: recordToEventId(run, 'run'), calls: new Map() };
  const place = messages[0]?.place ?? frame?.place ?? { file: '', offset: 0 };
  const isOfChat = messages.some(({ value }) => isChat(value));
  const begin: EventDraft = {
    id: talk.last,
    type: 'run.started',
    run,
    extra: { rule: 'list-of-messages' },
    data: { program: { name: isOfChat ? 'AutoGen' : 'AutoGen AgentChat' } },
  };
  const told = messages.map(({ value, place: at }, n): MappedRecord => ({
    place: at,
    drafts: toDrafts(talk, value, n),
  }));
  const asked = textAt(messages[0]?.value, 'content');
  return {
    key,
    title: asked ?? key,
    startedAt: valueToTime(memberAt(messages[0]?.value, 'created_at'))?.time,
    mapped: frame === undefined ? told : [...told, { place: frame.place, drafts: [ending(talk, frame.value)] }],
    derived: [{ place, drafts: [begin] }],
    merged: 0,
  };
}

function ending(talk: Talk, frame: JsonObject): EventDraft {
  const data = withoutUndefined({ stop_reason: memberAt(frame, 'stop_reason'), result: memberAt(frame, 'summary') });
  const causes: readonly CauseDraft[] = [{ event: talk.last, as: 'caused_by', rule: 'message-order' }];
  return {
    id: recordToEventId(talk.run, 'end'),
    type: 'run.completed',
    run: talk.run,
    causes,
    extra: restOf(frame, placedFrame),
    data,
  };
}

const placedFrame: ReadonlySet<string> = new Set(['messages', 'stop_reason', 'chat_history', 'summary']);
const placed: ReadonlySet<string> = new Set(['id', 'source', 'type', 'content', 'models_usage', 'created_at']);

function toDrafts(talk: Talk, message: JsonObject, n: number): readonly EventDraft[] {
  const { run } = talk;
  const record = textAt(message, 'id') ?? `m${n}`;
  const source = textAt(message, 'source') ?? 'agent';
  const time = valueToTime(memberAt(message, 'created_at'))?.time;
  const id = recordToEventId(run, record);
  const shared = { run, agent: source, record, step: record, time, clock: `autogen/${run.slice(0, 8)}` };
  const causes: readonly CauseDraft[] = [{ event: talk.last, as: 'caused_by', rule: 'message-order' }];
  const extra = restOf(message, placed);
  const content = memberAt(message, 'content') ?? '';
  const usage = valueToUsage(memberAt(message, 'models_usage'));
  const kind = textAt(message, 'type') ?? '';
  if (kind === 'ToolCallExecutionEvent' && isJsonArray(content))
    return results(talk, content, { ...shared, id, extra, causes });
  talk.last = id;
  const calls = kind === 'ToolCallRequestEvent' && isJsonArray(content) ? content.filter(isJsonObject) : [];
  if (usage !== undefined || calls.length > 0) {
    const parts = calls.length > 0 ? calls.map(callToPart) : contentToParts(content);
    const answer: EventDraft = {
      ...shared,
      id,
      type: 'model_call.completed',
      causes: causes.map((cause) => ({ ...cause, as: 'consumed' })),
      command: { path: `/model:message=${record}`, kind: 'model', name: 'model', identity: 'derived', attempt: 1 },
      extra,
      data: withoutUndefined({
        operation: 'chat',
        usage,
        output_messages: [{ role: 'assistant', parts }],
        result: content,
      }),
    };
    return calls.length === 0 ? [answer] : [answer, ...asks(talk, calls, shared, id)];
  }
  if (source === 'user')
    return [
      {
        ...shared,
        id,
        type: 'input.received',
        causes,
        extra,
        principal: { id: 'user', kind: 'human' },
        data: { name: 'message', value: content },
      },
    ];
  const data = withoutUndefined({
    from: source,
    to: textAt(message, 'target'),
    role: isChat(message) ? undefined : kind,
    content,
  });
  return [
    { ...shared, id, type: kind === 'HandoffMessage' ? 'agent.handed_off' : 'message.sent', causes, extra, data },
  ];
}

type Shared = Pick<EventDraft, 'run' | 'agent' | 'record' | 'step' | 'time' | 'clock'>;

function asks(talk: Talk, calls: readonly JsonObject[], shared: Shared, answer: EventId): readonly EventDraft[] {
  const decision = recordToEventId(talk.run, shared.record ?? '', 'decision');
  const chosen = calls.map((call) => withoutUndefined({ tool: textAt(call, 'name'), call_id: textAt(call, 'id') }));
  const decided: EventDraft = {
    ...shared,
    id: decision,
    type: 'decision.made',
    causes: [{ event: answer, as: 'consumed' }],
    command: {
      path: `/decide:tools=${shared.record ?? ''}`,
      kind: 'decide',
      name: 'tools',
      identity: 'derived',
      args: digest({ chosen }),
    },
    data: { args: { chosen }, chosen, result: chosen, rule: 'decision-from-tool-calls' },
  };
  const dispatched = calls.map((call, at): EventDraft => {
    const name = textAt(call, 'name') ?? 'tool not named';
    const callId = textAt(call, 'id') ?? `${shared.record ?? ''}.${at}`;
    const event = recordToEventId(talk.run, shared.record ?? '', `call${at}`);
    const args = parseText(memberAt(call, 'arguments')) ?? {};
    talk.calls.set(callId, { event, name });
    return {
      ...shared,
      id: event,
      type: 'tool_call.dispatched',
      causes: [{ event: decision, as: 'selected_by' }],
      command: { path: `/tool:${name}=${callId}`, name, identity: 'derived', attempt: 1, args: digest(args) },
      data: { tool: name, call_id: callId, args },
    };
  });
  return [decided, ...dispatched];
}

function results(
  talk: Talk,
  answers: readonly JsonValue[],
  { id, extra, causes, ...shared }: Shared & Pick<EventDraft, 'extra' | 'causes'> & { readonly id: EventId },
): readonly EventDraft[] {
  const drafts = answers.map((answer, at): EventDraft => {
    const callId = textAt(answer, 'call_id');
    const call = callId === undefined ? undefined : talk.calls.get(callId);
    const value = memberAt(answer, 'content') ?? null;
    const failed = isJsonObject(answer) && answer['is_error'] === true;
    const name = call?.name ?? textAt(answer, 'name');
    return {
      ...shared,
      id: at === 0 ? id : recordToEventId(talk.run, shared.record ?? '', `result${at}`),
      type: failed ? 'tool_call.failed' : 'tool_call.completed',
      causes: call === undefined ? causes : [{ event: call.event, as: 'result_of' }],
      extra: at === 0 ? extra : {},
      command:
        call === undefined
          ? undefined
          : { path: `/tool:${call.name}=${callId ?? ''}`, name: call.name, identity: 'derived', attempt: 1 },
      data: withoutUndefined({
        tool: name,
        call_id: callId,
        result: failed ? undefined : value,
        error: failed ? toolError(value) : undefined,
      }),
    };
  });
  const last = drafts.at(-1);
  if (last !== undefined) talk.last = last.id;
  return drafts;
}
