/**
 * Operations to events: a beginning and an end each, decisions between answers and the calls they asked for, sub-agents as scopes.
 *
 * Invariants: ids come from the ids of records, so that any order of the file gives the same graph; the parent that a record names is
 * a recorded cause, also where that parent is in no file; every other edge carries its rule.
 */
import type { JsonObject } from '../../base/json.ts';
import { timeToMillis } from '../../base/time.ts';
import { type EventId, digest, isSpanId } from '../../model/index.ts';
import { messagesToCalls } from '../chat/calls.ts';
import { type CauseDraft, type EventDraft, recordToEventId } from '../draft.ts';
import { withoutUndefined } from '../members.ts';
import { argsDigest, computeLinks, type Link, type Links, toolName } from './links.ts';
import type { Operation, Trace } from './operation.ts';

/** What converting one operation needs to know of the whole trace. */
export interface TraceMap {
  readonly format: string;
  readonly trace: Trace;
  readonly byId: ReadonlyMap<string, Operation>;
  readonly children: ReadonlyMap<string, readonly Operation[]>;
  readonly links: Links;
  readonly isWrapper: (id: string) => boolean;
}

export function createTraceMap(format: string, trace: Trace): TraceMap {
  const byId = new Map(trace.operations.map((operation) => [operation.id, operation]));
  const children = new Map<string, Operation[]>();
  for (const operation of trace.operations) {
    if (operation.parent === undefined) continue;
    const siblings = children.get(operation.parent);
    if (siblings === undefined) children.set(operation.parent, [operation]);
    else siblings.push(operation);
  }
  for (const siblings of children.values()) siblings.sort((a, b) => (a.id < b.id ? -1 : 1));
  const wrappers = findWrappers(trace.operations, byId);
  const isWrapper = (id: string): boolean => wrappers.has(id);
  return { format, trace, byId, children, isWrapper, links: computeLinks(trace.operations, isWrapper) };
}

/** Ancestors of a model operation that are model operations themselves (rule `inner-call`). */
function findWrappers(operations: readonly Operation[], byId: ReadonlyMap<string, Operation>): ReadonlySet<string> {
  const wrappers = new Set<string>();
  for (const operation of operations) {
    if (operation.kind !== 'model') continue;
    const parent = operation.parent === undefined ? undefined : byId.get(operation.parent);
    // A tool or an agent between two model operations is real nesting: only the direct parent describes the same call.
    if (parent?.kind === 'model') wrappers.add(parent.id);
  }
  return wrappers;
}

export function runEvent(map: TraceMap): EventId {
  return recordToEventId(map.trace.run, 'run');
}

function startId(map: TraceMap, id: string): EventId {
  return recordToEventId(map.trace.run, id, 'start');
}

function endId(map: TraceMap, id: string): EventId {
  const known = map.byId.get(id);
  const single = known !== undefined && (known.kind === 'point' || known.kind === 'policy');
  if (single || known?.ended === false) return startId(map, id);
  return recordToEventId(map.trace.run, id);
}

function decisionId(map: TraceMap, id: string): EventId {
  return recordToEventId(map.trace.run, id, 'decision');
}

export function operationToDrafts(map: TraceMap, operation: Operation): readonly EventDraft[] {
  const begin = beginning(map, operation);
  const isSingle = operation.kind === 'point' || operation.kind === 'policy';
  if (!operation.ended || isSingle) return [begin];
  const decision = operation.kind === 'model' && !map.isWrapper(operation.id) ? decisionOf(map, operation) : undefined;
  const end = ending(map, operation);
  return decision === undefined ? [begin, end] : [begin, end, decision];
}

function shared(map: TraceMap, operation: Operation) {
  return {
    run: map.trace.run,
    span: isSpanId(operation.id) ? operation.id : undefined,
    session: operation.session ?? map.trace.session,
    step: stepOf(map, operation),
    clock: clockOf(map, operation),
    version: operation.version ?? map.trace.version,
    agent: agentOf(map, operation),
    record: operation.id,
  };
}

/** A time without a zone is in a clock domain of its own: it must not be compared with others unnoticed. */
function clockOf(map: TraceMap, operation: Operation): string {
  return `${map.format}/${operation.zoneAssumed === true ? 'zone-not-recorded' : map.trace.run.slice(0, 8)}`;
}

const startTypes: Readonly<Record<Operation['kind'], string>> = {
  model: 'model_call.requested',
  tool: 'tool_call.dispatched',
  agent: 'agent.spawned',
  handoff: 'agent.handed_off',
  policy: 'policy.evaluated',
  step: 'step.started',
  point: 'point',
};

function beginning(map: TraceMap, operation: Operation): EventDraft {
  const wrapper = map.isWrapper(operation.id);
  const type = wrapper
    ? 'step.started'
    : operation.kind === 'point'
      ? (operation.as?.type ?? `${map.format.replaceAll('-', '_')}.${operation.name}`)
      : startTypes[operation.kind];
  const kept =
    operation.ended && operation.kind !== 'point' && operation.kind !== 'policy'
      ? operation.startExtra
      : { ...operation.startExtra, ...operation.extra };
  return {
    ...shared(map, operation),
    id: startId(map, operation.id),
    type,
    time: operation.start,
    causes: startCauses(map, operation),
    command: commandOf(map, operation, true),
    data: wrapper ? stepData(operation, 'inner-call') : startData(map, operation),
    extra: kept,
  };
}

function startCauses(map: TraceMap, operation: Operation): readonly (CauseDraft | undefined)[] {
  const { links, trace } = map;
  const selected = links.selectedBy.get(operation.id);
  const consumed = (links.consumed.get(operation.id) ?? []).map((link) => linkToCause(map, link));
  const parent: CauseDraft =
    operation.parent === undefined
      ? { event: runEvent(map), as: 'caused_by', rule: 'run-of-trace' }
      : { event: startId(map, operation.parent), as: 'caused_by', rule: operation.parentRule };
  const chosen: CauseDraft | undefined =
    selected === undefined
      ? undefined
      : { event: decisionId(map, selected.from), as: 'selected_by', rule: selected.rule };
  return trace.run === '' ? [] : [parent, chosen, ...consumed];
}

function linkToCause(map: TraceMap, { from, rule }: Link): CauseDraft {
  return { event: endId(map, from), as: 'consumed', rule };
}

function startData(map: TraceMap, operation: Operation): JsonObject {
  switch (operation.kind) {
    case 'model':
      return requestData(operation);
    case 'tool':
      return withoutUndefined({
        tool: toolName(operation.name),
        call_id: map.links.callIds.get(operation.id),
        args: operation.input,
        effect: operation.effect,
      });
    case 'agent':
      return withoutUndefined({
        args: operation.input,
        name: operation.name,
        from: enclosingAgent(map, operation),
        to: operation.name,
        child: { scope: scopeOf(map, operation) },
      });
    case 'handoff':
      return withoutUndefined({ from: operation.from, to: operation.to, passed: operation.input });
    case 'policy':
      return withoutUndefined({
        policy: operation.name,
        args: operation.input,
        result: operation.output,
        error: operation.error === undefined ? undefined : failureToJson(operation),
      });
    case 'step':
      return stepData(operation, undefined);
    case 'point':
      if (operation.as !== undefined) return operation.as.data;
      return withoutUndefined({
        name: operation.name,
        input: operation.input,
        output: operation.output,
        error: failureToJson(operation),
      });
  }
}

function stepData(operation: Operation, rule: string | undefined): JsonObject {
  return withoutUndefined({ name: operation.name, input: operation.input, rule });
}

function requestData({ model, input }: Operation): JsonObject {
  const asked = model?.asked ?? [];
  return withoutUndefined({
    operation: 'chat',
    provider: model?.provider,
    request_model: model?.requestModel,
    parameters:
      model?.parameters === undefined || Object.keys(model.parameters).length === 0 ? undefined : model.parameters,
    system_instructions: model?.system,
    input_messages: asked.length > 0 ? asked : undefined,
    tool_definitions: model?.tools,
    args: asked.length > 0 ? undefined : input,
  });
}

function ending(map: TraceMap, operation: Operation): EventDraft {
  const { id, kind, error } = operation;
  const wrapper = map.isWrapper(id);
  const failed = error !== undefined;
  const types: Readonly<Record<string, string>> = {
    model: failed ? 'model_call.failed' : 'model_call.completed',
    tool: failed ? 'tool_call.failed' : 'tool_call.completed',
    agent: 'agent.joined',
    handoff: 'step.completed',
    step: 'step.completed',
  };
  return {
    ...shared(map, operation),
    id: endId(map, id),
    type: wrapper ? 'step.completed' : (types[kind] ?? 'step.completed'),
    time: operation.end,
    causes: [{ event: startId(map, id), as: 'result_of' }, ...nestedOutcomes(map, operation)],
    command: commandOf(map, operation, false),
    data:
      kind === 'model'
        ? wrapper
          ? { ...outcome(operation), ...wrapperUsage(operation) }
          : answerData(operation)
        : endData(map, operation),
    extra: operation.extra,
  };
}

/** Counts of a wrapper are told under another name, so that nobody adds them to those of the calls inside. */
function wrapperUsage({ model }: Operation): JsonObject {
  return withoutUndefined({ usage_of_inner_calls: model?.usage });
}

function endData(map: TraceMap, operation: Operation): JsonObject {
  if (operation.kind === 'tool') {
    return withoutUndefined({
      tool: toolName(operation.name),
      call_id: map.links.callIds.get(operation.id),
      ...outcome(operation),
    });
  }
  if (operation.kind === 'agent') {
    return withoutUndefined({ from: operation.name, to: enclosingAgent(map, operation), ...outcome(operation) });
  }
  return withoutUndefined({ name: operation.name, ...outcome(operation) });
}

function outcome(operation: Operation): JsonObject {
  return withoutUndefined({ result: operation.output, error: failureToJson(operation) });
}

function failureToJson({ error }: Operation): JsonObject | undefined {
  return error === undefined
    ? undefined
    : withoutUndefined({ name: error.name, message: error.message, data: error.data });
}

function answerData(operation: Operation): JsonObject {
  const { model } = operation;
  return withoutUndefined({
    operation: 'chat',
    provider: model?.provider,
    request_model: model?.requestModel,
    response_model: model?.responseModel,
    response_id: model?.responseId,
    output_messages: (model?.answered.length ?? 0) > 0 ? model?.answered : undefined,
    usage: model?.usage,
    cost: model?.cost,
    finish_reasons: model?.finishReasons,
    ...outcome(operation),
  });
}

/** The outcomes of what is nested in it (rule `nested-outcome`); a child that ended later cannot have been had. */
function nestedOutcomes(map: TraceMap, operation: Operation): readonly CauseDraft[] {
  const end = operation.end === undefined ? undefined : timeToMillis(operation.end);
  const causes: CauseDraft[] = [];
  for (const child of map.children.get(operation.id) ?? []) {
    const childEnd = child.end === undefined ? undefined : timeToMillis(child.end);
    if (end === undefined || childEnd === undefined || childEnd > end) continue;
    causes.push({ event: endId(map, child.id), as: 'consumed', rule: 'nested-outcome' });
  }
  return causes;
}

function decisionOf(map: TraceMap, operation: Operation): EventDraft | undefined {
  const calls = messagesToCalls(operation.model?.answered ?? []);
  if (calls.length === 0) return undefined;
  const chosen = calls.map((call) => withoutUndefined({ tool: call.name, call_id: call.id }));
  const args = { chosen };
  return {
    ...shared(map, operation),
    id: decisionId(map, operation.id),
    type: 'decision.made',
    time: operation.end,
    causes: [{ event: endId(map, operation.id), as: 'consumed' }],
    command: {
      path: `${scopePath(map, operation)}/decide:tools=${operation.id}`,
      kind: 'decide',
      name: 'tools',
      identity: 'derived',
      args: digest(args),
    },
    data: { args, chosen, result: chosen, rule: 'decision-from-tool-calls' },
  };
}

function commandOf(map: TraceMap, operation: Operation, issues: boolean): JsonObject | undefined {
  if (map.isWrapper(operation.id)) return undefined;
  const { kind } = operation;
  if (kind === 'agent') {
    if (operation.parent === undefined) return undefined;
    return withoutUndefined({
      path: scopeOf(map, operation),
      kind: 'child',
      name: operation.name,
      identity: 'derived',
      attempt: 1,
      args: issues ? argsDigest(operation) : undefined,
    });
  }
  if (kind !== 'model' && kind !== 'tool') return undefined;
  const name =
    kind === 'model'
      ? (operation.model?.requestModel ?? operation.model?.responseModel ?? operation.name)
      : toolName(operation.name);
  const commandKind =
    kind === 'model'
      ? 'model'
      : operation.effect === 'none'
        ? 'read'
        : operation.effect === 'external'
          ? 'write'
          : undefined;
  return withoutUndefined({
    path: `${scopePath(map, operation)}/${commandKind ?? 'tool'}:${name}=${operation.id}`,
    kind: commandKind,
    name,
    identity: 'derived',
    attempt: 1,
    args: issues && kind === 'tool' ? argsDigest(operation) : undefined,
  });
}

const mostLevels = 512;

/** The nearest agent around an operation, itself left out. */
function agentAround(map: TraceMap, operation: Operation): Operation | undefined {
  let at = operation.parent === undefined ? undefined : map.byId.get(operation.parent);
  for (let level = 0; at !== undefined && level < mostLevels; level++) {
    if (at.kind === 'agent') return at;
    at = at.parent === undefined ? undefined : map.byId.get(at.parent);
  }
  return undefined;
}

function enclosingAgent(map: TraceMap, operation: Operation): string | undefined {
  return agentAround(map, operation)?.name;
}

function agentOf(map: TraceMap, operation: Operation): string | undefined {
  return enclosingAgent(map, operation) ?? (operation.kind === 'agent' ? operation.name : undefined);
}

/** Scope of what an agent does: a root agent is the run itself. */
function scopeOf(map: TraceMap, agent: Operation): string {
  const parts: string[] = [];
  let at: Operation | undefined = agent;
  for (let level = 0; at !== undefined && level < mostLevels; level++) {
    const outer = agentAround(map, at);
    if (outer === undefined && at.parent === undefined) break;
    parts.push(`/child:${at.name}=${at.id}`);
    at = outer;
  }
  return parts.reverse().join('');
}

function scopePath(map: TraceMap, operation: Operation): string {
  const agent = agentAround(map, operation);
  return agent === undefined ? '' : scopeOf(map, agent);
}

/** The nearest step around it, by name. */
function stepOf(map: TraceMap, operation: Operation): string | undefined {
  const parent = operation.parent === undefined ? undefined : map.byId.get(operation.parent);
  return parent?.kind === 'step' ? parent.id : undefined;
}
