/**
 * Gives the commands of chat loops to runs whose model calls record what was asked and answered: traces of spans, and logs of evaluations.
 *
 * The requests are recorded, so nothing is taken from clocks: what one holds behind the answer before it came from calls or from outside
 * (rules `request-goes-on`, `result-of-request`, `told-of-result`). A run is changed only where all of its commands can be computed in
 * this way; else it stays as it came, because half a loop would show differences that are none of the run.
 *
 * Invariants: no event is lost or told twice; of those that came only commands change, and of an answer what control code gets of it.
 */
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import type { HindcastEvent } from '../../model/index.ts';
import type { ImportedEvent } from '../format.ts';
import { listAt } from '../members.ts';
import { computeConversations, type Conversation, type ModelCall } from './conversations.ts';
import { messagesToItems, partsToItems } from './items.ts';
import { createScope, type Print } from './scope.ts';
import type { LoopStage } from './stage.ts';
import { answerParts, convertTalk, type Loop, rewritten, tellRead } from './talk-events.ts';
import { dataOf, planTalk, type Recorded } from './talk-plan.ts';

/** More text than this is not held back: the run then stays as it came. */
const mostHeld = 64 * 1024 * 1024;

export function createRequestStage(): LoopStage {
  const runs = new Map<string, RunRecord>();
  let size = 0;
  let isFull = false;
  const lacks: string[] = [];
  return {
    take: (batch) => {
      if (isFull) return batch;
      const events: ImportedEvent[] = [];
      for (const told of batch.events) {
        const run = recordOf(runs, told);
        run.hasOwn ||= hasOwnCommand(told.event);
        // Nothing is worked out for such a run: its events keep the order in which they came.
        if (run.hasOwn) for (const held of run.held.splice(0)) events.push(held);
        if (run.hasOwn || !isHeld(told.event)) {
          run.outside ||= told.event.command !== undefined;
          if (/^run\.(completed|failed)$/.test(told.event.type)) run.end = told.event;
          events.push(told);
          continue;
        }
        run.held.push(told);
        size += told.line.length;
      }
      if (size <= mostHeld) return { ...batch, events };
      isFull = true;
      return { ...batch, events: [...events, ...giveBack(runs)] };
    },
    finish: () => (isFull ? [] : [...runs.values()].flatMap((run) => finishRun(run, lacks))),
    missing: (known) => {
      if (isFull)
        return [...known, `a loop (more than ${String(mostHeld / 2 ** 20)} MiB of calls are not gone through)`];
      return [...(lacks.length === 0 ? known.filter((one) => one !== positions) : known), ...new Set(lacks)];
    },
  };
}

/** What formats say of orders that no record tells; the order of a conversation follows from its requests. */
const positions = 'positions of issues and deliveries';

function finishRun(run: RunRecord, lacks: string[]): readonly ImportedEvent[] {
  if (run.held.length === 0) return [];
  const converted = convertRun(run);
  if (typeof converted !== 'string') return converted;
  lacks.push(converted);
  return run.held;
}

interface RunRecord {
  readonly first: ImportedEvent;
  readonly held: ImportedEvent[];
  end: HindcastEvent | undefined;
  /** Something else is a command of the run too. */
  outside: boolean;
  /** The record has commands of its own: it was written by what ran it, or exported from a run that has them. */
  hasOwn: boolean;
}

function recordOf(runs: Map<string, RunRecord>, told: ImportedEvent): RunRecord {
  const known = runs.get(told.event.run);
  if (known !== undefined) return known;
  const made: RunRecord = { first: told, held: [], end: undefined, outside: false, hasOwn: false };
  runs.set(told.event.run, made);
  return made;
}

function hasOwnCommand({ command }: HindcastEvent): boolean {
  return command !== undefined && (command.identity !== 'derived' || command.issued !== undefined);
}

function giveBack(runs: ReadonlyMap<string, RunRecord>): readonly ImportedEvent[] {
  return [...runs.values()].flatMap(({ held }) => held);
}

function isHeld({ type, command }: HindcastEvent): boolean {
  return command !== undefined && /^(model_call|tool_call|decision|agent)\./.test(type);
}

/** The events of a run with the commands of its loop, or what lacks so that they can be computed. */
function convertRun(run: RunRecord): readonly ImportedEvent[] | string {
  if (run.outside) return 'what asked for the commands that are neither model calls nor tools';
  const models = gather(run.held, 'model_call.');
  const calls = [...models].map(([path, one]) => toModelCall(path, one));
  if (calls.length === 0) return 'the model calls that asked for tools and agents';
  if (!calls.every((call) => call !== undefined)) return 'the messages of some model calls';
  const decisions = new Map<string, ImportedEvent>();
  for (const told of run.held) {
    const [cause] = told.event.causes ?? [];
    if (told.event.type === 'decision.made' && cause !== undefined) decisions.set(cause.event, told);
  }
  const loop: Loop = {
    first: run.first,
    models,
    tools: gather(run.held, 'tool_call.'),
    decisions,
    out: new Map(),
    made: [],
    position: 0,
  };
  return convertAll(loop, computeConversations(calls), run.end) ?? emit(run, loop);
}

/** Of several attempts of one command the last, in whatever order they were read. */
function gather(held: readonly ImportedEvent[], type: string): Map<string, Recorded> {
  const found = new Map<string, Recorded>();
  for (const told of held) {
    const { event } = told;
    if (!event.type.startsWith(type) || event.command === undefined) continue;
    const { path } = event.command;
    const isBegin = event.type === 'model_call.requested' || event.type === 'tool_call.dispatched';
    const known = found.get(path) ?? { begin: undefined, end: undefined };
    const before = isBegin ? known.begin : known.end;
    if (before !== undefined && attemptOf(before) > attemptOf(told)) continue;
    found.set(path, isBegin ? { ...known, begin: told } : { ...known, end: told });
  }
  return found;
}

function attemptOf({ event }: ImportedEvent): number {
  return event.command?.attempt ?? 1;
}

function toModelCall(path: string, { begin, end }: Recorded): ModelCall | undefined {
  if (end === undefined) return undefined;
  const asked = listAt(dataOf(begin ?? end), 'input_messages') ?? [];
  const failed = end.event.type !== 'model_call.completed';
  const { items, calls } = partsToItems('assistant', answerParts(end));
  if (asked.length === 0 || (!failed && items.length === 0)) return undefined;
  const time = (begin ?? end).event.time ?? '';
  return {
    key: path,
    time,
    asked: messagesToItems(asked).items,
    said: failed ? [] : items,
    calls: failed ? [] : calls,
    failed,
  };
}

function convertAll(
  loop: Loop,
  conversations: readonly Conversation[],
  end: HindcastEvent | undefined,
): string | undefined {
  const talks = conversations.map(({ key, turns, after }) => ({ key: nameOf(loop, key), turns, after }));
  const free = new Set(loop.tools.values());
  const made = talks.map(({ turns }) => planTalk(turns, free));
  if (!made.every((one) => one !== undefined)) return 'where some words in the requests come from';
  if (free.size > 0) return 'which answers asked for some of the tool calls';
  const root = createScope('', () => String(++loop.position));
  const ends = endOf(end);
  const names = new Map(conversations.map(({ key }, n) => [key, talks[n]?.key ?? key]));
  const marks = new Map<string, readonly Print[]>();
  const list = talks.map(({ key, after, turns }, n): JsonObject => {
    const { told, unrun, last } = made[n] ?? { told: [], unrun: [], last: false };
    const prompts = turns.filter(({ since }, at) => at > 0 && !('answers' in (since[0] ?? {}))).length;
    const from = after.map((source) => ({ key: names.get(source.key) ?? source.key, answer: source.answer }));
    return { key, after: from, told, unrun, prompts, ...(last ? { last: turns.length - 1 } : {}) };
  });
  tellRead(loop, root, 'conversations', {}, { talks: list, ends: ends !== undefined }, 'request-goes-on');
  talks.forEach((talk, n) => {
    const plan = made[n];
    if (plan === undefined) return;
    const sources = talk.after.map(({ key, answer }): Print => marks.get(key)?.[answer] ?? [0, 0]);
    marks.set(conversations[n]?.key ?? '', convertTalk(loop, talk.key, talk.turns, sources, plan));
  });
  const said = conversations.map(({ key }) => marks.get(key)?.at(-1) ?? [0, 0]);
  if (ends !== undefined) tellRead(loop, root, 'outcome', { said }, ends, 'outcome-of-run');
  return undefined;
}

function emit(run: RunRecord, loop: Loop): readonly ImportedEvent[] {
  const out = run.held.map((told) => loop.out.get(told) ?? withoutCommand(told));
  return [...out, ...loop.made];
}

/** Where agents began and ended is no act of the loop. */
function withoutCommand(told: ImportedEvent): ImportedEvent {
  const { command, ...event } = told.event;
  return command === undefined ? told : rewritten(told, event);
}

function endOf(event: HindcastEvent | undefined): JsonObject | undefined {
  if (event === undefined) return undefined;
  const data = isJsonObject(event.data) ? event.data : {};
  const { result, error } = data;
  if (error !== undefined) return { failed: error };
  return result === undefined ? undefined : { result };
}

function nameOf(loop: Loop, key: string): string {
  const { begin, end } = loop.models.get(key) ?? {};
  const { event } = begin ?? end ?? loop.first;
  return event.imported?.record ?? event.id;
}
