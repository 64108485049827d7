/**
 * tau-bench results: lists (or lines) of `{task_id, trial, reward, info, traj}`, one run each, few-shot files that hold the conversation as
 * text, and results of τ²-bench (`tau2.ts`). Those of the first version have no times; no request parameters.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { type ChatMessage, valueToMessages } from '../chat/messages.ts';
import { conversationToDrafts } from '../chat/conversation.ts';
import { type EventDraft, recordToEventId, traceToRun } from '../draft.ts';
import type { Format, Problem, Sniff } from '../format.ts';
import { type Grouped, type GroupedFormat, type GroupedTrace, listGrouped, readGrouped } from '../grouped.ts';
import { listAt, memberAt, numberAt, objectAt, restOf, textAt, withoutUndefined } from '../members.ts';
import type { Piece } from '../pieces.ts';
import { fingerprint } from '../seen.ts';
import { sniffObjects } from '../sniff.ts';
import { valueToTime } from '../times.ts';
import { isSimulation, toSimulation, withMessages } from './tau2.ts';

const grouped: GroupedFormat = {
  id: 'tau-bench',
  wanted: new Set(['*', 'simulations.*']),
  lineWanted: new Set(['', '*', 'simulations.*']),
  collect,
  summary: {
    replayGrade: 'tool loop only',
    missingForReplay: ['the control program', 'the tool schemas', 'the parameters of model calls', 'times'],
  },
};

export const tauBench: Format = {
  id: 'tau-bench',
  label: 'tau-bench and τ²-bench results',
  loop: 'task',
  detect,
  list: (files) => listGrouped(grouped, files),
  read: (files, options) => readGrouped(grouped, files, options),
};

function detect(sniff: Sniff): number {
  if (sniffObjects(sniff, 5).some(isResult)) return 0.9;
  const { text } = sniff;
  if (
    /^\s*\{/.test(text) &&
    /"simulations"\s*:\s*\[/.test(text) &&
    /"(task_id|termination_reason|tasks)"\s*:/.test(text)
  )
    return 0.9;
  return /^\s*[[{]/.test(text) && /"traj"\s*:\s*\[/.test(text) && /"(task_id|reward)"\s*:/.test(text) ? 0.9 : 0;
}

function isResult(value: JsonValue): value is JsonObject {
  return (
    isJsonObject(value) &&
    ((listAt(value, 'traj') !== undefined && ('task_id' in value || 'reward' in value)) ||
      textAt(value, 'messages_display') !== undefined)
  );
}

function collect(pieces: readonly Piece[]): Grouped {
  const traces = new Map<string, GroupedTrace>();
  const problems: Problem[] = [];
  const prints = new Set<string>();
  const frames: JsonObject[] = [];
  const zoneless = { count: 0 };
  for (const { record, path } of pieces) {
    const { value, place, text } = record;
    if (path === 'frame' && isJsonObject(value) && ('tasks' in value || 'info' in value)) {
      frames.push(value);
      continue;
    }
    if (!isResult(value) && !isSimulation(value)) {
      const message = `The record at line ${place.line ?? 1} (byte ${place.offset}) of ${place.file} has no conversation ("traj"). Its bytes are kept.`;
      problems.push({
        code: 'no-conversation',
        message,
        place,
        raw: new TextEncoder().encode(text),
        severity: 'problem',
      });
      continue;
    }
    const print = fingerprint(JSON.stringify(value));
    const base = nameOf(value, print);
    const known = traces.get(base);
    if (known !== undefined && prints.has(print)) traces.set(base, { ...known, merged: known.merged + 1 });
    else {
      // Two different results under one task and trial are two runs.
      const key = known === undefined ? base : `${base}, ${print.slice(0, 8)}`;
      traces.set(key, {
        key,
        title: key,
        mapped: [
          {
            place,
            drafts: isSimulation(value) ? simulationToDrafts(key, value, zoneless) : resultToDrafts(key, value),
          },
        ],
        derived: [],
        merged: 0,
      });
    }
    prints.add(print);
  }
  return { traces: withFrames([...traces.values()], frames), problems, notes: zonelessNotes(zoneless.count) };
}

/** What stands around the simulations goes with the beginning of the first. */
function withFrames(traces: readonly GroupedTrace[], frames: readonly JsonObject[]): readonly GroupedTrace[] {
  const [first, ...rest] = traces;
  const [record] = first?.mapped ?? [];
  const [begin, ...others] = record?.drafts ?? [];
  if (first === undefined || record === undefined || begin === undefined || frames.length === 0) return traces;
  const told: EventDraft = { ...begin, extra: { ...begin.extra, documents: frames } };
  return [
    { ...first, mapped: [{ ...record, drafts: [told, ...others] }], merged: first.merged + frames.length },
    ...rest,
  ];
}

function zonelessNotes(count: number): readonly Problem[] {
  if (count === 0) return [];
  const message = `${count} messages have times without a zone. They are shown as if they were UTC, on a clock of their own; their distance to other clocks is not known.`;
  return [{ code: 'time-without-zone', message, severity: 'notice' }];
}

function simulationToDrafts(key: string, value: JsonObject, zoneless: { count: number }): readonly EventDraft[] {
  const { result, messages, aside } = toSimulation(value);
  zoneless.count += messages.filter(
    (message) => valueToTime(memberAt(message, 'timestamp'))?.assumed === 'zone',
  ).length;
  const drafts = withMessages(resultToDrafts(key, result), messages, 'tau-bench/zone-not-recorded');
  const run = traceToRun(`tau-bench ${key}`);
  const own = aside.map((record, n): EventDraft => ({
    id: recordToEventId(run, `customer${n}`),
    type: 'tau_bench.customer_tool',
    run,
    causes: [{ event: recordToEventId(run, 'run'), as: 'caused_by', rule: 'message-order' }],
    data: { record },
  }));
  return [...drafts, ...own];
}

function nameOf(value: JsonObject, print: string): string {
  const task = memberAt(value, 'task_id');
  return task === undefined
    ? `conversation ${print.slice(0, 8)}`
    : `task ${JSON.stringify(task)}, trial ${JSON.stringify(memberAt(value, 'trial') ?? 0)}`;
}

function resultToDrafts(key: string, value: JsonObject): readonly EventDraft[] {
  const run = traceToRun(`tau-bench ${key}`);
  const shown = textAt(value, 'messages_display');
  const messages = shown === undefined ? valueToMessages(listAt(value, 'traj'), 'user') : textToMessages(shown);
  const spoken = conversationToDrafts(run, messages, { saysFailed, isReading });
  const last = spoken.at(-1);
  const reward = numberAt(value, 'reward');
  const info = objectAt(value, 'info');
  const error = textAt(info, 'error');
  const begin: EventDraft = {
    id: recordToEventId(run, 'run'),
    type: 'run.started',
    run,
    record: key,
    extra: restOf(value, new Set(['traj', 'task_id', 'trial', 'messages_display'])),
    data: {
      program: { name: 'tau-bench' },
      task: withoutUndefined({ set: 'tau-bench', id: JSON.stringify(memberAt(value, 'task_id') ?? key) }),
    },
  };
  const end: EventDraft = {
    id: recordToEventId(run, 'outcome'),
    type: error === undefined ? 'run.completed' : 'run.failed',
    run,
    causes: last === undefined ? [] : [{ event: last.id, as: 'consumed', rule: 'message-order' }],
    data: withoutUndefined({
      error: error === undefined ? undefined : errorOf(error, textAt(info, 'traceback')),
      // What the environment made of it is no outcome of the agent's loop.
      evaluation: reward === undefined ? undefined : withoutUndefined({ reward, info: memberAt(info, 'reward_info') }),
    }),
  };
  return [begin, ...spoken, ...(reward === undefined && error === undefined ? [] : [end])];
}

/** An exception in the harness ended the run: its text, and the class that the last line of the trace names. */
function errorOf(message: string, trace: string | undefined): JsonObject {
  const name = /^(?:[\w.]*\.)?(\w+)(?::.*)?$/.exec(trace?.trim().split('\n').at(-1) ?? '')?.[1] ?? 'Error';
  return withoutUndefined({ name, message, data: trace === undefined ? undefined : { traceback: trace } });
}

/** The tools of the benchmark answer with these words where they fail, and the environment where a tool does not exist. */
function saysFailed(response: string): boolean {
  return /^(?:Error: |Unknown action )/.test(response);
}

/** As the tools of its domains are named. The reference program knows them by the same names. */
function isReading(name: string): boolean {
  return /^(?:find|get|list|search|think|calculate)(?:_|$)/.test(name);
}

/**
 * Few-shot files write each message as `role: text`; a text may go over several lines. An answer without words is written as Python
 * writes nothing; its call is left out.
 */
function textToMessages(text: string): readonly ChatMessage[] {
  const messages: ChatMessage[] = [];
  for (const part of text.split(/\n(?=(?:user|assistant|tool|system): )/)) {
    const found = /^(user|assistant|tool|system): ([\s\S]*)$/.exec(part);
    const role = found?.[1] ?? 'user';
    const body = found?.[2] ?? part;
    if (role === 'tool') messages.push({ role, parts: [{ type: 'tool_call_response', response: body }] });
    else if (role === 'assistant' && body === 'None') messages.push({ role, parts: [], call_not_recorded: true });
    else messages.push({ role, parts: [{ type: 'text', content: body }] });
  }
  return messages;
}
