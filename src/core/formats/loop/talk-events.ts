/**
 * The events of one conversation with the commands of its loop: requests, answers, calls, results, and the reads and prompts between them
 * that no record is. Called by `requests.ts`.
 *
 * Invariant: what is made here says by its rule that no record says so; of recorded events the id, the time and the causes stay.
 */
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { canon, commandPath, digest, eventId, eventToLine, type HindcastEvent } from '../../model/index.ts';
import { runToPrefix } from '../draft.ts';
import { comparable } from '../chat/calls.ts';
import type { ImportedEvent } from '../format.ts';
import { listAt, textAt } from '../members.ts';
import type { Turn } from './conversations.ts';
import type { RequestRule } from './rules.ts';
import { createScope, escapeKey, follow, type LoopScope, type Print } from './scope.ts';
import { type Called, dataOf, type Recorded, resultOf, type TalkPlan } from './talk-plan.ts';

export interface Loop {
  /** An event of the run, for those that are made. */
  readonly first: ImportedEvent;
  readonly models: ReadonlyMap<string, Recorded>;
  readonly tools: ReadonlyMap<string, Recorded>;
  readonly decisions: ReadonlyMap<string, ImportedEvent>;
  readonly out: Map<ImportedEvent, ImportedEvent>;
  readonly made: ImportedEvent[];
  position: number;
}

export function convertTalk(
  loop: Loop,
  key: string,
  turns: readonly Turn[],
  sources: readonly Print[],
  plan: TalkPlan,
): readonly Print[] {
  const scope = createScope(`/scope:${escapeKey(key)}`, () => String(++loop.position));
  const opening = turns[0]?.call.asked ?? [];
  tellRead(
    loop,
    scope,
    'opening',
    { after: sources.map((print) => [...print]) },
    [...opening],
    'opening-of-first-request',
  );
  const marks: Print[] = [];
  let print: Print = [0, 0];
  const say = (items: readonly JsonObject[]): void => {
    for (const item of items) {
      scope.say(item);
      print = follow(print, item);
    }
  };
  say(opening);
  for (const [n, turn] of turns.entries()) {
    if (n > 0 && (plan.called[n - 1] ?? []).length === 0) tellPrompt(loop, scope, turn);
    if (n > 0) say(turn.since);
    convertModel(loop, scope, turn);
    say(turn.call.said);
    marks.push(print);
    convertCalls(loop, scope, turn, plan.called[n] ?? []);
  }
  return marks;
}

function convertModel(loop: Loop, scope: LoopScope, { call, attempts }: Turn): void {
  const args = scope.request();
  const shared = {
    path: commandPath(scope.countedPath('model', 'model')),
    kind: 'model',
    name: 'model',
    identity: 'derived',
  } as const;
  const issued = scope.next();
  for (const [n, one] of [...attempts, call].entries()) {
    const { begin, end } = loop.models.get(one.key) ?? {};
    const positions = one === call ? { issued } : {};
    const own = { ...shared, attempt: n + 1 };
    if (begin !== undefined) loop.out.set(begin, withCommand(begin, { ...own, args, ...positions }));
    if (end === undefined) continue;
    const atOnce = begin === undefined ? { args, ...positions } : {};
    const delivered = one === call ? { delivered: scope.next() } : {};
    loop.out.set(end, answered(withCommand(end, { ...own, ...atOnce, ...delivered })));
  }
}

/** Control code gets the parts of an answer; what the provider sent stands beside them. */
function answered(told: ImportedEvent): ImportedEvent {
  const { event } = told;
  if (event.type !== 'model_call.completed') return told;
  const { result, ...rest } = dataOf(told);
  const isMessages = result !== undefined && canon(result) === canon(rest['output_messages'] ?? null);
  const response = rest['response'] ?? (isMessages ? undefined : result);
  const data = { ...rest, ...(response === undefined ? {} : { response }), result: [...answerParts(told)] };
  return rewritten(told, { ...event, data });
}

function convertCalls(loop: Loop, scope: LoopScope, turn: Turn, called: readonly Called[]): void {
  const run = called.filter(({ tool, shown }) => tool !== undefined || shown !== undefined);
  const answer = loop.models.get(turn.call.key)?.end;
  if (called.length === 0 || answer === undefined) return;
  const decision = loop.decisions.get(answer.event.id);
  const position = scope.next();
  if (decision !== undefined) {
    const path = commandPath(scope.countedPath('decide', 'tools'));
    const args = digest({ chosen: dataOf(decision)['chosen'] ?? null });
    const command = { path, kind: 'decide', name: 'tools', identity: 'derived', args } as const;
    loop.out.set(decision, withCommand(decision, { ...command, issued: position, delivered: position }));
  }
  const issued = run.map((one, n) => ({ one, ...issue(loop, scope, answer, decision, one, `${position}.${n + 1}`) }));
  for (const { one, path, begin } of issued) {
    deliver(loop, scope, answer, one, path, begin);
    if (!one.isTold) continue;
    const result = resultOf(one.tool) ?? { error: textAt(dataOf(one.tool?.end)['error'], 'message') ?? '' };
    tellRead(loop, scope, 'told', { result }, one.shown ?? '', 'told-of-result', one.id);
  }
}

function issue(
  loop: Loop,
  scope: LoopScope,
  answer: ImportedEvent,
  decision: ImportedEvent | undefined,
  { id, call, tool }: Called,
  issued: string,
): { readonly path: string; readonly begin: ImportedEvent } {
  const path = scope.callPath('write', call.name, id) ?? scope.countedPath('write', call.name);
  const shared = {
    path: commandPath(path),
    kind: 'write',
    name: call.name,
    identity: 'derived',
    attempt: 1,
    issued,
  } as const;
  const begin = tool?.begin;
  if (begin !== undefined) {
    const isSame = comparable(dataOf(begin)['args']) === comparable(call.args);
    const args = isSame ? digest(call.args) : begin.event.command?.args;
    loop.out.set(begin, withCommand(begin, { ...shared, ...(args === undefined ? {} : { args }) }));
    return { path, begin };
  }
  const made = derived(loop, `${answer.event.id}:call:${id}`, 'result-of-request', {
    type: 'tool_call.dispatched',
    command: { ...shared, args: digest(call.args) },
    causes:
      decision === undefined
        ? []
        : [{ event: decision.event.id, as: 'selected_by', grade: 'inferred', rule: 'result-of-request' }],
    data: { tool: call.name, ...(call.id === undefined ? {} : { call_id: call.id }), args: call.args },
  });
  return { path, begin: made };
}

function deliver(
  loop: Loop,
  scope: LoopScope,
  answer: ImportedEvent,
  { id, call, tool, shown }: Called,
  path: string,
  begin: ImportedEvent,
): void {
  const shared = { path: commandPath(path), kind: 'write', name: call.name, identity: 'derived', attempt: 1 } as const;
  if (tool?.end !== undefined) loop.out.set(tool.end, withCommand(tool.end, { ...shared, delivered: scope.next() }));
  else if (shown !== undefined) {
    derived(loop, `${answer.event.id}:result:${id}`, 'result-of-request', {
      type: 'tool_call.completed',
      command: { ...shared, delivered: scope.next() },
      causes: [{ event: begin.event.id, as: 'result_of', grade: 'inferred', rule: 'result-of-request' }],
      data: { tool: call.name, ...(call.id === undefined ? {} : { call_id: call.id }), result: shown },
    });
  }
}

function tellPrompt(loop: Loop, scope: LoopScope, { call, since }: Turn): void {
  const path = commandPath(scope.countedPath('signal', 'prompt'));
  const request = loop.models.get(call.key);
  derived(loop, `${(request?.begin ?? request?.end)?.event.id ?? call.key}:prompt`, 'request-goes-on', {
    type: 'input.received',
    command: {
      path,
      kind: 'signal',
      name: 'prompt',
      identity: 'derived',
      args: digest({}),
      issued: scope.next(),
      delivered: scope.next(),
    },
    causes: [],
    data: { name: 'prompt', value: [...since] },
  });
}

export function tellRead(
  loop: Loop,
  scope: LoopScope,
  name: string,
  args: JsonObject,
  value: JsonObject[string],
  rule: RequestRule,
  key?: string,
): void {
  const path = commandPath(
    key === undefined
      ? scope.countedPath('read', name)
      : (scope.callPath('read', name, key) ?? scope.countedPath('read', name)),
  );
  const position = scope.next();
  derived(loop, `${loop.first.event.run.slice(0, 8)}${path}`, rule, {
    type: 'env.read',
    command: {
      path,
      kind: 'read',
      name,
      identity: 'derived',
      args: digest(args),
      issued: position,
      delivered: position,
    },
    causes: [],
    data: { name, value },
  });
}

interface Draft {
  readonly type: 'env.read' | 'input.received' | 'tool_call.dispatched' | 'tool_call.completed';
  readonly command: NonNullable<HindcastEvent['command']>;
  /** Empty: it came with the run. */
  readonly causes: NonNullable<HindcastEvent['causes']>;
  readonly data: JsonObject;
}

/** An event that no record is: it says so by its rule. */
function derived(loop: Loop, id: string, rule: RequestRule, draft: Draft): ImportedEvent {
  const { event, place } = loop.first;
  const { v, run, session, branch, source, imported } = event;
  const origin = { event: eventId(`${runToPrefix(run)}/run`), as: 'caused_by', grade: 'inferred', rule } as const;
  const made: HindcastEvent = {
    v,
    id: eventId(id),
    type: draft.type,
    run,
    ...(session === undefined ? {} : { session }),
    branch,
    source,
    command: draft.command,
    causes: draft.causes.length === 0 ? [origin] : draft.causes,
    imported: { format: imported?.format ?? '', extra: { rule, made: true } },
    data: draft.data,
  };
  const told = { event: made, line: eventToLine(made), place };
  loop.made.push(told);
  return told;
}

function withCommand(told: ImportedEvent, command: NonNullable<HindcastEvent['command']>): ImportedEvent {
  return rewritten(told, { ...told.event, command });
}

export function rewritten(told: ImportedEvent, event: HindcastEvent): ImportedEvent {
  return { ...told, event, line: eventToLine(event) };
}

export function answerParts(end: ImportedEvent): readonly JsonObject[] {
  return (listAt(dataOf(end), 'output_messages') ?? []).flatMap((message) =>
    (listAt(message, 'parts') ?? []).filter(isJsonObject),
  );
}
