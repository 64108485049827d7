/**
 * Gives the events of a session the commands of its loop: who asked what, at which position, with which conversation.
 *
 * Sessions of coding agents record answers, calls and results, and no requests. The loop of such an agent is known, so each answer was
 * the answer to all that was said before it (rule `request-of-conversation`), and the log is the order of things (rule `order-of-log`).
 * With that a reference program can be held against the record. Formats opt in with `loop`; `import.ts` runs their batches through here.
 *
 * Invariants: no event is lost or told twice, and none changes but in its command; events that wait for one another are handed on later.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import {
  commandPath,
  digest,
  type EventEnvelope,
  type EventId,
  eventId,
  eventToLine,
  type HindcastEvent,
} from '../../model/index.ts';
import { runToPrefix } from '../draft.ts';
import type { ImportBatch, ImportedEvent } from '../format.ts';
import { textAt } from '../members.ts';
import type { LoopKind, LoopRule } from './rules.ts';
import { createScope, type LoopCall, type LoopScope } from './scope.ts';

const nextPrompt: LoopRule = 'next-prompt';
const reportOfAgent: LoopRule = 'report-of-agent';
/** Of the formats: the last answer of an agent before the call that started it returned. */
const lastMessage = 'last-message-of-agent';

type Command = NonNullable<EventEnvelope['command']>;

export interface LoopStage {
  readonly take: (batch: ImportBatch) => ImportBatch;
  readonly finish: () => readonly ImportedEvent[];
  /** What a replay lacks, of what the format said, and what was found besides; asked when all was told. */
  readonly missing?: (known: readonly string[]) => readonly string[];
}

interface RunLoop {
  readonly run: string;
  position: number;
  prompts: number;
  readonly scopes: Map<string, LoopScope>;
  /** The calls that started sub-agents, by the scopes of these. */
  readonly spawns: Map<string, Spawn>;
  /** Where the calls of each answer were chosen, by step, and how many positions its calls and their sub-agents took behind it. */
  readonly steps: Map<string, { position: string; calls: number; taken: number }>;
  /** What is told before the choice or the call that it belongs to, or before the call that started its agent. */
  readonly waiting: Map<string, ImportedEvent[]>;
  /** The last thing a person said, until the model is asked. */
  prompt: ImportedEvent | undefined;
  /** A failed request, until it is known whether it was tried again. */
  failed: { readonly told: ImportedEvent; readonly scope: LoopScope; readonly asked: Asked } | undefined;
  last: ImportedEvent | undefined;
  /** Whether the loop waits for a person, as far as it was told, and the answer after which it does. */
  isBetweenTurns: boolean;
  answer: EventId | undefined;
  /** The log tells that the run ended: nobody says anything any more. */
  ended: boolean;
}

interface Spawn {
  readonly event: EventId;
  readonly step: string;
  readonly issued: string;
  readonly args: JsonValue;
  /** What was reported of it, and where; handed on last, when it is known what the report was made of. */
  joined: { readonly told: ImportedEvent; readonly position: string } | undefined;
}

interface Asked {
  readonly from: string;
  readonly path: string;
  readonly args: string;
  readonly issued: string;
}

export function createLoopStage(kind: Exclude<LoopKind, 'requests'>): LoopStage {
  const runs = new Map<string, RunLoop>();
  return {
    take: (batch) => {
      const events: ImportedEvent[] = [];
      for (const event of batch.events) takeEvent(runLoopOf(runs, event.event.run), event, events);
      return { ...batch, events };
    },
    finish: () => {
      const events: ImportedEvent[] = [];
      for (const loop of runs.values()) finishRun(loop, kind, events);
      return events;
    },
  };
}

function runLoopOf(runs: Map<string, RunLoop>, run: string): RunLoop {
  const known = runs.get(run);
  if (known !== undefined) return known;
  const made: RunLoop = {
    run,
    position: 0,
    prompts: 0,
    scopes: new Map(),
    spawns: new Map(),
    steps: new Map(),
    waiting: new Map(),
    prompt: undefined,
    failed: undefined,
    last: undefined,
    isBetweenTurns: true,
    answer: undefined,
    ended: false,
  };
  runs.set(run, made);
  return made;
}

function takeEvent(loop: RunLoop, told: ImportedEvent, out: ImportedEvent[]): void {
  const { event } = told;
  const { type, command, step } = event;
  loop.last = told;
  if (type === 'run.completed' || type === 'run.failed') {
    settleFailure(loop, out);
    loop.ended = true;
  }
  if (type === 'input.received' && command === undefined) {
    if (loop.prompt !== undefined) out.push(loop.prompt);
    loop.prompt = told;
    return;
  }
  if (command?.path === undefined) {
    out.push(told);
    return;
  }
  const scope = scopeOf(command.path, type);
  // What a person ran stands behind the words by which it was asked.
  if (type === 'tool_call.dispatched' && event.principal?.kind === 'human' && loop.prompt !== undefined) {
    out.push(prompted(loop, loopScopeOf(loop, ''), loop.prompt));
    loop.prompt = undefined;
  }
  if (
    scope !== '' &&
    !loop.spawns.has(scope) &&
    !loop.scopes.has(scope) &&
    !/\/child:(agent|sidechain)=[^/]*$/.test(scope)
  ) {
    hold(loop, `spawn ${scope}`, told);
    return;
  }
  const key = `${scope} ${step ?? ''}`;
  const isDecided = type.startsWith('model_call.') || type === 'decision.made' || loop.steps.has(key);
  if (step !== undefined && !isDecided) {
    hold(loop, key, told);
    return;
  }
  if (isEnding(type) && loopScopeOf(loop, scope).calls.get(command.path) === undefined) {
    hold(loop, `call ${command.path}`, told);
    return;
  }
  convert(loop, told, out);
  if (type === 'decision.made') release(loop, key, out);
}

function isEnding(type: string): boolean {
  return type === 'agent.joined' || (type.startsWith('tool_call.') && type !== 'tool_call.dispatched');
}

function hold(loop: RunLoop, key: string, told: ImportedEvent): void {
  const waiting = loop.waiting.get(key);
  if (waiting === undefined) loop.waiting.set(key, [told]);
  else waiting.push(told);
}

function release(loop: RunLoop, key: string, out: ImportedEvent[]): void {
  const waiting = loop.waiting.get(key) ?? [];
  loop.waiting.delete(key);
  for (const told of waiting) takeEvent(loop, told, out);
}

/** The calls of sub-agents around a command; the call that starts one lies outside it. */
function scopeOf(path: string, type: string): string {
  const scope = /^(?:\/child:[^/]*)*/.exec(path)?.[0] ?? '';
  const isSpawn = scope === path && (type.startsWith('agent.') || type === 'tool_call.acknowledged');
  return isSpawn ? scope.slice(0, scope.lastIndexOf('/child:')) : scope;
}

/** Behind this many calls of one answer stand the acts of the sub-agents that they started. */
const mostCalls = 1_000_000;

function loopScopeOf(loop: RunLoop, path: string): LoopScope {
  const known = loop.scopes.get(path);
  if (known !== undefined) return known;
  const spawn = loop.spawns.get(path);
  const step = spawn === undefined ? undefined : loop.steps.get(spawn.step);
  // What sub-agents did stands behind the answer that started them: nothing says how they alternated.
  // The first thing a sub-agent asks is asked when it is started.
  let first = spawn === undefined ? undefined : `${spawn.issued}.1`;
  const next = (): string => {
    const position =
      first ?? (step === undefined ? String(++loop.position) : `${step.position}.${mostCalls}.${++step.taken}`);
    first = undefined;
    return position;
  };
  const made = createScope(path, next, spawn === undefined ? [] : [{ role: 'user', content: spawn.args }]);
  loop.scopes.set(path, made);
  return made;
}

function convert(loop: RunLoop, told: ImportedEvent, out: ImportedEvent[]): void {
  const { event } = told;
  const { command, type } = event;
  if (command === undefined) return;
  const scope = loopScopeOf(loop, scopeOf(command.path, type));
  switch (type) {
    case 'model_call.completed':
      out.push(answered(loop, scope, told, command, out));
      return;
    case 'model_call.failed':
      loop.failed = {
        told,
        scope,
        asked: settleFailure(loop, out, command.path) ?? ask(loop, scope, command, out),
      };
      return;
    case 'decision.made': {
      const position = scope.next();
      const path = scope.countedPath('decide', command.name ?? 'tools');
      loop.steps.set(stepOf(scope, event), { position, calls: 0, taken: 0 });
      if (scope.path === '') loop.isBetweenTurns = false;
      out.push(withCommand(told, { ...command, path: commandPath(path), issued: position, delivered: position }));
      return;
    }
    case 'tool_call.dispatched':
    case 'agent.spawned':
      out.push(dispatched(loop, scope, told, command));
      release(loop, `call ${command.path}`, out);
      release(loop, `spawn ${command.path}`, out);
      return;
    default: {
      const call = scope.calls.get(command.path);
      const spawn = type === 'agent.joined' && call !== undefined ? loop.spawns.get(call.path) : undefined;
      const end = call === undefined ? told : ended(scope, told, command, call);
      const position = end.event.command?.delivered;
      if (spawn !== undefined && spawn.joined === undefined && position !== undefined)
        spawn.joined = { told: end, position: String(position) };
      else out.push(end);
    }
  }
}

function stepOf(scope: LoopScope, { step }: HindcastEvent): string {
  return `${scope.path} ${step ?? ''}`;
}

/** Issues a request, with what a person said before it. */
function ask(loop: RunLoop, scope: LoopScope, command: Command, out: ImportedEvent[]): Asked {
  if (scope.path === '' && loop.prompt !== undefined) {
    out.push(prompted(loop, scope, loop.prompt));
    loop.prompt = undefined;
  }
  const args = scope.request();
  return { from: command.path, path: scope.countedPath('model', 'model'), args, issued: scope.next() };
}

function prompted(loop: RunLoop, scope: LoopScope, told: ImportedEvent): ImportedEvent {
  const path = commandPath(scope.countedPath('signal', 'prompt'));
  loop.prompts++;
  loop.isBetweenTurns = false;
  // The results of calls stand before what is said after them.
  scope.settle();
  scope.say({ role: 'user', content: dataOf(told)['value'] ?? null });
  const command = { path, kind: 'signal', name: 'prompt', identity: 'derived', args: digest({}) } as const;
  return withCommand(told, { ...command, issued: scope.next(), delivered: scope.next() });
}

function answered(
  loop: RunLoop,
  scope: LoopScope,
  told: ImportedEvent,
  command: Command,
  out: ImportedEvent[],
): ImportedEvent {
  const asked = settleFailure(loop, out, command.path) ?? ask(loop, scope, command, out);
  const said = dataOf(told)['result'] ?? null;
  scope.say({ role: 'assistant', content: said });
  scope.said = said;
  endTurn(loop, scope, told);
  return withCommand(told, modelCommand(command, asked, scope.next()));
}

/** Until a decision tells that the answer called something: then its turn goes on. */
function endTurn(loop: RunLoop, scope: LoopScope, { event }: ImportedEvent): void {
  if (scope.path !== '') return;
  loop.isBetweenTurns = true;
  loop.answer = event.id;
}

/** A failure that no other attempt of the same request followed is what the loop was given; of an attempt, what was asked is given back. */
function settleFailure(loop: RunLoop, out: ImportedEvent[], path?: string): Asked | undefined {
  const { failed } = loop;
  if (failed === undefined) return undefined;
  loop.failed = undefined;
  const { told, scope, asked } = failed;
  const isAttempt = asked.from === path;
  if (!isAttempt) endTurn(loop, scope, told);
  out.push(withCommand(told, modelCommand(told.event.command, asked, isAttempt ? undefined : scope.next())));
  return isAttempt ? asked : undefined;
}

function modelCommand(command: Command | undefined, asked: Asked, delivered: string | undefined): Command {
  const { path, args, issued } = asked;
  return {
    ...command,
    path: commandPath(path),
    kind: 'model',
    name: 'model',
    args,
    ...(delivered === undefined ? {} : { issued, delivered }),
  };
}

function dispatched(loop: RunLoop, scope: LoopScope, told: ImportedEvent, command: Command): ImportedEvent {
  const { event } = told;
  // Rule `call-may-act`: a tool of unknown effect may act outside.
  const kind = command.kind ?? 'write';
  const data = dataOf(told);
  const id = textAt(data, 'call_id');
  const path = scope.callPath(kind, command.name ?? 'tool', id);
  if (path === undefined || scope.calls.has(command.path)) return told;
  const step = stepOf(scope, event);
  const answer = loop.steps.get(step);
  // All calls of an answer are issued at once, also where the log tells the result of one before the next.
  const issued = answer === undefined ? scope.next() : `${answer.position}.${++answer.calls}`;
  const call: LoopCall = { path, kind, id: id ?? null, told: undefined };
  scope.calls.set(command.path, call);
  scope.await(call);
  if (event.type === 'agent.spawned')
    loop.spawns.set(path, { event: event.id, step, issued, args: data['args'] ?? null, joined: undefined });
  return withCommand(told, { ...command, path: commandPath(path), kind, issued });
}

function ended(scope: LoopScope, told: ImportedEvent, command: Command, call: LoopCall): ImportedEvent {
  const data = dataOf(told);
  const shared = { ...command, path: commandPath(call.path), kind: call.kind };
  const isFinal = told.event.type !== 'tool_call.acknowledged' && call.told === undefined;
  if (!isFinal) return withCommand(told, shared);
  const error = data['error'];
  call.told = error === undefined ? (data['result'] ?? null) : { error: textAt(error, 'message') ?? '' };
  return withCommand(told, { ...shared, delivered: scope.next() });
}

function finishRun(loop: RunLoop, kind: LoopKind, out: ImportedEvent[]): void {
  // What still waits belongs to nothing that was told; results last, their calls may be among the rest.
  for (const isResult of [false, true]) {
    for (const key of [...loop.waiting.keys()]) {
      const waited = key.startsWith('call ') === isResult ? (loop.waiting.get(key) ?? []) : [];
      if (waited.length > 0) loop.waiting.delete(key);
      for (const told of waited) convert(loop, told, out);
    }
  }
  settleFailure(loop, out);
  for (const [path, spawn] of loop.spawns) out.push(...reported(loop, path, spawn));
  const scope = loopScopeOf(loop, '');
  // What was said in the midst of a turn that the record does not end, the loop did not come to wait for.
  if (loop.prompt !== undefined) out.push(loop.isBetweenTurns ? prompted(loop, scope, loop.prompt) : loop.prompt);
  // Of a run that ended, the last call may have been what ended it.
  if (kind === 'session' && loop.prompts > 0 && (loop.isBetweenTurns || loop.ended)) out.push(...awaited(loop, scope));
}

/** Rule `report-of-agent`: what was reported of a sub-agent is read when it has spoken; its words are only a part of that. */
function reported(loop: RunLoop, path: string, { joined, event: spawn }: Spawn): readonly ImportedEvent[] {
  if (joined === undefined) return [];
  const scope = loop.scopes.get(path);
  const said = scope?.said;
  const { told } = joined;
  const data = dataOf(told);
  if (scope === undefined || said === undefined || data['result'] === undefined) return [told];
  const args = { said };
  const position = beforePosition(joined.position);
  const { v, run, session, branch, source, id, imported } = told.event;
  const made: HindcastEvent = {
    v,
    id: eventId(`${id}:report`),
    type: 'env.read',
    run,
    ...(session === undefined ? {} : { session }),
    branch,
    source,
    command: {
      path: commandPath(scope.countedPath('read', 'report')),
      kind: 'read',
      name: 'report',
      identity: 'derived',
      args: digest(args),
      issued: position,
      delivered: position,
    },
    causes: [lastWords(told) ?? { event: spawn, as: 'caused_by', grade: 'inferred', rule: reportOfAgent }],
    imported: { format: imported?.format ?? '', extra: { rule: reportOfAgent, made: true } },
    data: { name: 'report', value: data['result'] },
  };
  const using: Cause = { event: made.id, as: 'consumed', grade: 'inferred', rule: reportOfAgent };
  return [{ event: made, line: eventToLine(made), place: told.place }, withCause(told, using)];
}

type Cause = NonNullable<EventEnvelope['causes']>[number];

/** The answer that the format found to be the last before the report. */
function lastWords({ event }: ImportedEvent): Cause | undefined {
  const found = event.causes?.find(({ as, rule }) => as === 'consumed' && rule === lastMessage);
  return found === undefined ? undefined : { ...found, rule: reportOfAgent };
}

function withCause(told: ImportedEvent, cause: Cause): ImportedEvent {
  const event: HindcastEvent = { ...told.event, causes: [...(told.event.causes ?? []), cause] };
  return { ...told, event, line: eventToLine(event) };
}

/** Behind all that sub-agents did since the position before, which stands below `mostCalls`. */
function beforePosition(position: string): string {
  const parts = position.split('.');
  const last = Number(parts.at(-1) ?? 1);
  return [...parts.slice(0, -1), last - 1, 2 * mostCalls].join('.');
}

/** Rule `next-prompt`: only behind the end of a turn, which is its cause. Where the log tells that the run ended, the wait was given up. */
function awaited(loop: RunLoop, scope: LoopScope): readonly ImportedEvent[] {
  const { last, answer } = loop;
  if (last === undefined || answer === undefined) return [];
  const { event, place } = last;
  const path = commandPath(scope.countedPath('signal', 'prompt'));
  const shared = { path, kind: 'signal', name: 'prompt', identity: 'derived' } as const;
  const made: HindcastEvent = {
    v: event.v,
    id: eventId(`${runToPrefix(loop.run)}/next-prompt`),
    type: 'signal.awaited',
    run: event.run,
    ...(event.session === undefined ? {} : { session: event.session }),
    branch: event.branch,
    source: event.source,
    command: { ...shared, args: digest({}), issued: scope.next() },
    causes: [{ event: answer, as: 'caused_by', grade: 'inferred', rule: nextPrompt }],
    imported: { format: event.imported?.format ?? '', extra: { rule: nextPrompt, made: true } },
    data: { name: 'prompt' },
  };
  const wait = { event: made, line: eventToLine(made), place };
  if (!loop.ended) return [wait];
  const ended: HindcastEvent = {
    ...made,
    id: eventId(`${made.id}:ended`),
    type: 'signal.cancelled',
    command: { ...shared, delivered: scope.next() },
    causes: [{ event: made.id, as: 'result_of', grade: 'inferred', rule: nextPrompt }],
  };
  return [wait, { event: ended, line: eventToLine(ended), place }];
}

function withCommand(told: ImportedEvent, command: Command): ImportedEvent {
  const event: HindcastEvent = { ...told.event, command };
  return { ...told, event, line: eventToLine(event) };
}

function dataOf({ event }: ImportedEvent): JsonObject {
  const data: unknown = event.data;
  return isJsonObject(data) ? data : {};
}
