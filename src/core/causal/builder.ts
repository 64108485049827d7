/**
 * Builds the columns of an index from events in any order (SPEC G1 to G8).
 *
 * `add` reads an event once and keeps numbers and interned names, never the payload. `build` may be called at any time and again
 * after further events: the index is a function of the events given so far, not of how often it was built.
 */
import type { JsonObject } from '../base/json.ts';
import { timeToMillis } from '../base/time.ts';
import type { HindcastEvent } from '../model/index.ts';
import { type CausalIndex, createIndex } from './causal-index.ts';
import { bytes, createColumn, doubles, ints, shorts } from './column.ts';
import { type IndexColumns, columnsVersion, eventFlags, gradeToCode, kindToCode } from './columns.ts';
import { computeFlags } from './event-flags.ts';
import { memberOf, numberOf, payloadOf, textAt } from './payload.ts';
import { createContexts } from './contexts.ts';
import { createNames, createSymbols } from './symbols.ts';
import { payloadToTokens, sumTokens } from './usage.ts';

export interface IndexBuilder {
  readonly count: () => number;
  /** Gives the event the next position. Its causes may come later. */
  readonly add: (event: HindcastEvent) => void;
  readonly toColumns: () => IndexColumns;
  readonly build: () => CausalIndex;
}

/** Starts empty, or goes on from stored columns, as when a branch is appended to a trace. */
export function createIndexBuilder(from?: IndexColumns): IndexBuilder {
  const ids = createSymbols(from?.ids);
  /** The first run in which each id was read. */
  const seen = createColumn(ints);
  const names = {
    types: createNames(from?.types),
    steps: createNames(from?.steps),
    commands: createNames(from?.commands),
    rules: createNames(from?.rules),
    labels: createNames(from?.labels),
  };
  const contexts = createContexts(from);
  const columns = {
    symbol: createColumn(ints, from?.symbol),
    type: createColumn(ints, from?.type),
    context: createColumn(ints, from?.context),
    step: createColumn(ints, from?.step),
    command: createColumn(ints, from?.command),
    attempt: createColumn(shorts, from?.attempt),
    flags: createColumn(shorts, from?.flags),
    seq: createColumn(doubles, from?.seq),
    time: createColumn(doubles, from?.time),
  };
  const edges = {
    edgeFrom: createColumn(ints, from?.edgeFrom),
    edgeTo: createColumn(ints, from?.edgeTo),
    edgeKind: createColumn(bytes, from?.edgeKind),
    edgeGrade: createColumn(bytes, from?.edgeGrade),
    edgeRule: createColumn(ints, from?.edgeRule),
  };
  const lists = createLists(from);
  /** Runs of ids that stand in several: `symbol,run`. */
  const seenInOther = new Set<string>();
  for (let i = 0; i < (from?.count ?? 0); i++)
    markSeen(from?.symbol[i] ?? 0, from?.contexts.run[from.context[i] ?? 0] ?? 0);

  /** Whether a record of the run with this id was read before. */
  function markSeen(symbol: number, run: number): boolean {
    while (seen.length() <= symbol) seen.push(-1);
    const first = seen.get(symbol);
    if (first === run) return true;
    if (first === -1) {
      seen.set(symbol, run);
      return false;
    }
    const key = `${symbol},${run}`;
    const before = seenInOther.has(key);
    seenInOther.add(key);
    return before;
  }

  function addCauses(event: HindcastEvent, position: number): void {
    for (const cause of event.causes ?? []) {
      edges.edgeFrom.push(ids.intern(cause.event));
      edges.edgeTo.push(position);
      edges.edgeKind.push(kindToCode(cause.as));
      edges.edgeGrade.push(gradeToCode(cause.grade ?? 'recorded'));
      edges.edgeRule.push(names.rules.intern(cause.rule));
    }
  }

  /** Members of payloads that rules of inference and branch checks compare, and that filters ask for. */
  function addLists(event: HindcastEvent, position: number): void {
    if (event.supersedes !== undefined) push(lists.supersedes, position, ids.intern(event.supersedes));
    if (event.principal !== undefined) push(lists.principals, position, names.labels.intern(event.principal.id));
    const data = payloadOf(event);
    if (event.type.startsWith('tool_call.')) {
      const tool = textAt(data, 'tool');
      if (tool !== undefined) push(lists.tools, position, names.labels.intern(tool));
    } else if (event.type.startsWith('model_call.')) addUsage(data, position);
    if (event.type === 'observation.reused' || event.type === 'branch.created') {
      const target = textAt(data, event.type === 'branch.created' ? 'fork' : 'event');
      if (target !== undefined) push(lists.pointers, position, ids.intern(target));
    } else if (event.type === 'state.transitioned') {
      lists.states.at.push(position);
      lists.states.name.push(names.labels.intern(textAt(data, 'name')));
      lists.states.from.push(names.labels.intern(textAt(data, 'from')));
      lists.states.to.push(names.labels.intern(textAt(data, 'to')));
    } else if (event.type === 'tool_call.dispatched' || event.type.startsWith('effect.')) {
      const key = textAt(data, 'idempotency_key');
      if (key !== undefined) push(lists.keys, position, names.labels.intern(key));
    }
  }

  function addUsage(data: JsonObject, position: number): void {
    const tokens = sumTokens(payloadToTokens(data));
    if (tokens !== undefined) push(lists.tokens, position, tokens);
    const amount = numberOf(memberOf(memberOf(data, 'cost'), 'amount'));
    if (amount !== undefined) push(lists.costs, position, amount);
  }

  function toColumns(): IndexColumns {
    const [supersededAt, superseded] = lists.supersedes;
    const [pointerAt, pointer] = lists.pointers;
    const [keyAt, key] = lists.keys;
    const [toolAt, tool] = lists.tools;
    const [principalAt, principal] = lists.principals;
    const [tokensAt, tokens] = lists.tokens;
    const [costAt, cost] = lists.costs;
    return {
      version: columnsVersion,
      count: columns.symbol.length(),
      symbol: columns.symbol.toArray(),
      type: columns.type.toArray(),
      context: columns.context.toArray(),
      step: columns.step.toArray(),
      command: columns.command.toArray(),
      attempt: columns.attempt.toArray(),
      flags: columns.flags.toArray(),
      seq: columns.seq.toArray(),
      time: columns.time.toArray(),
      edgeFrom: edges.edgeFrom.toArray(),
      edgeTo: edges.edgeTo.toArray(),
      edgeKind: edges.edgeKind.toArray(),
      edgeGrade: edges.edgeGrade.toArray(),
      edgeRule: edges.edgeRule.toArray(),
      ids: ids.toArena(),
      types: names.types.toArray(),
      steps: names.steps.toArray(),
      commands: names.commands.toArray(),
      rules: names.rules.toArray(),
      labels: names.labels.toArray(),
      ...contexts.toTables(),
      supersedes: { at: supersededAt.toArray(), symbol: superseded.toArray() },
      pointers: { at: pointerAt.toArray(), symbol: pointer.toArray() },
      keys: { at: keyAt.toArray(), name: key.toArray() },
      tools: { at: toolAt.toArray(), name: tool.toArray() },
      principals: { at: principalAt.toArray(), name: principal.toArray() },
      tokens: { at: tokensAt.toArray(), value: tokens.toArray() },
      costs: { at: costAt.toArray(), value: cost.toArray() },
      states: {
        at: lists.states.at.toArray(),
        name: lists.states.name.toArray(),
        from: lists.states.from.toArray(),
        to: lists.states.to.toArray(),
      },
    };
  }

  return {
    count: () => columns.symbol.length(),
    add: (event) => {
      const position = columns.symbol.length();
      const symbol = ids.intern(event.id);
      const time = event.time === undefined ? undefined : timeToMillis(event.time);
      let flags = computeFlags(event);
      const context = contexts.intern(event);
      if (markSeen(symbol, contexts.run(context))) flags |= eventFlags.repeat;
      if (event.time !== undefined && time === undefined) flags |= eventFlags.badTime;
      columns.symbol.push(symbol);
      columns.type.push(names.types.intern(event.type));
      columns.context.push(context);
      columns.step.push(names.steps.intern(event.step));
      columns.command.push(names.commands.intern(event.command?.path));
      columns.attempt.push(Math.min(event.command?.attempt ?? 0, 0xffff));
      columns.flags.push(flags);
      columns.seq.push(event.seq ?? Number.NaN);
      columns.time.push(time ?? Number.NaN);
      addCauses(event, position);
      addLists(event, position);
    },
    toColumns,
    build: () => createIndex(toColumns()),
  };
}

interface Pushable {
  readonly push: (value: number) => void;
}

function push([at, value]: readonly [Pushable, Pushable], position: number, number: number): void {
  at.push(position);
  value.push(number);
}

function createLists(from: IndexColumns | undefined) {
  return {
    supersedes: [createColumn(ints, from?.supersedes.at), createColumn(ints, from?.supersedes.symbol)] as const,
    pointers: [createColumn(ints, from?.pointers.at), createColumn(ints, from?.pointers.symbol)] as const,
    keys: [createColumn(ints, from?.keys.at), createColumn(ints, from?.keys.name)] as const,
    tools: [createColumn(ints, from?.tools.at), createColumn(ints, from?.tools.name)] as const,
    principals: [createColumn(ints, from?.principals.at), createColumn(ints, from?.principals.name)] as const,
    tokens: [createColumn(ints, from?.tokens.at), createColumn(doubles, from?.tokens.value)] as const,
    costs: [createColumn(ints, from?.costs.at), createColumn(doubles, from?.costs.value)] as const,
    states: {
      at: createColumn(ints, from?.states.at),
      name: createColumn(ints, from?.states.name),
      from: createColumn(ints, from?.states.from),
      to: createColumn(ints, from?.states.to),
    },
  };
}
