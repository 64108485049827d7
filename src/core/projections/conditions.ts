/**
 * Conditions of a filter on fields beyond the first five: names, a status, and amounts with bounds, each with its opposite.
 *
 * Invariant: decided over columns; a body is decoded only to ask whether a call left, as the mark of its row is. An event that does not have the field meets no condition on it, and
 * meets every opposite. Called by `matching.ts`; the words for people are in `filter.ts`.
 */
import type { CausalIndex } from '../causal/index.ts';
import { isOutsideEffect } from './effects/stopped.ts';
import { findSteps } from './step-match.ts';
import type { FilterCondition } from './trace-reader.ts';
import type { TraceView } from './trace-view.ts';
import { matchesType } from './type-match.ts';

type Meets = (position: number) => boolean;

/** Events of these types ask for something that an answer ends. */
const issuing: ReadonlySet<string> = new Set([
  'tool_call.dispatched',
  'model_call.requested',
  'timer.started',
  'signal.awaited',
  'approval.requested',
  'agent.spawned',
]);

/** Answers that leave a call open: it was taken, and what came of it is not said. */
const goingOn: ReadonlySet<string> = new Set(['tool_call.acknowledged', 'model_call.served']);

export function conditionToPredicate(view: TraceView, condition: FilterCondition): Meets {
  const meets = fieldToPredicate(view, condition);
  return condition.not === true ? (position) => !meets(position) : meets;
}

function fieldToPredicate(view: TraceView, condition: FilterCondition): Meets {
  const { index } = view;
  const { columns } = index;
  switch (condition.field) {
    case 'type': {
      const wanted = columns.types.map((type) => condition.values.some((value) => matchesType(type, value)));
      return (position) => wanted[columns.type[position] ?? 0] === true;
    }
    case 'family':
      return oneOf(condition.values, index.family);
    case 'agent':
      return oneOf(condition.values, index.agent);
    case 'step':
      return oneOf(findSteps(columns.steps, condition.values), index.step);
    case 'branch':
      return oneOf(condition.values, index.branch);
    case 'session':
      return oneOf(condition.values, index.session);
    case 'run':
      return oneOf(condition.values, index.run);
    case 'tool':
      return namedIn(index, columns.tools, toolLabels(index, condition.values));
    case 'principal':
      return namedIn(
        index,
        columns.principals,
        new Set(condition.values.map((value) => columns.labels.indexOf(value, 1))),
      );
    case 'status':
      return statusOf(view, condition.values);
    case 'tokens':
      return within(numbersOf(index.count, columns.tokens), condition);
    case 'cost':
      return within(numbersOf(index.count, columns.costs), condition);
    case 'duration':
      return within(computeDurations(index), condition);
  }
}

function oneOf(values: Iterable<string>, read: (position: number) => string | undefined): Meets {
  const wanted = new Set<string | undefined>(values);
  return (position) => wanted.has(read(position));
}

/**
 * The tools a word means: the one of this very name, else every one with the word in its name, in either case. That is what the
 * box offers while a person types, so a name half typed shows what it may become, and one chosen from the list shows itself alone.
 */
function toolLabels({ columns }: CausalIndex, values: readonly string[]): ReadonlySet<number> {
  const { labels, tools } = columns;
  const used = new Set<number>();
  for (let i = 0; i < tools.name.length; i++) used.add(tools.name[i] ?? 0);
  const wanted = new Set<number>();
  for (const value of values) {
    const exact = labels.indexOf(value, 1);
    if (used.has(exact)) wanted.add(exact);
    else
      for (const label of used)
        if (labels[label]?.toLowerCase().includes(value.toLowerCase()) === true) wanted.add(label);
  }
  return wanted;
}

/** Names, by their label, that stand in a short list beside the columns. */
function namedIn({ count }: CausalIndex, list: CausalIndex['columns']['tools'], wanted: ReadonlySet<number>): Meets {
  const marks = new Uint8Array(count);
  for (let i = 0; i < list.at.length; i++) if (wanted.has(list.name[i] ?? 0)) marks[list.at[i] ?? 0] = 1;
  return (position) => marks[position] === 1;
}

function statusOf(view: TraceView, values: readonly string[]): Meets {
  const { index } = view;
  const wanted = new Set(values);
  const isOpen = wanted.has('open') ? createOpen(index) : () => false;
  return (position) => {
    const failed = index.has(position, 'failed');
    if (failed ? wanted.has('failed') : wanted.has('ok')) return true;
    if (wanted.has('effect') && isOutsideEffect(view, position)) return true;
    if (wanted.has('repeated') && (index.has(position, 'repeat') || index.has(position, 'replayed'))) return true;
    return isOpen(position);
  };
}

/** What a service told of a request ends no call: whether its answer reached the caller is the caller's to tell. */
function isServices(type: string): boolean {
  return type.startsWith('effect.') && type !== 'effect.reconciled';
}

/** A call without a record that ends it. */
function createOpen(index: CausalIndex): Meets {
  const { columns, effects } = index;
  const asks = columns.types.map((type) => issuing.has(type));
  const leavesOpen = columns.types.map((type) => goingOn.has(type) || isServices(type));
  return (position) => {
    if (asks[columns.type[position] ?? 0] !== true) return false;
    const end = effects.offsets[position + 1] ?? 0;
    for (let at = effects.offsets[position] ?? 0; at < end; at++) {
      const edge = index.edge(effects.edges[at] ?? 0);
      if (edge.as === 'result_of' && leavesOpen[columns.type[edge.to] ?? 0] !== true) return false;
    }
    return !answeredCalls(index).has(position);
  };
}

const answered = new WeakMap<CausalIndex, ReadonlySet<number>>();

/** Calls with a record that was delivered to control code, which every ending is; for recorders that name no cause. */
function answeredCalls(index: CausalIndex): ReadonlySet<number> {
  const known = answered.get(index);
  if (known !== undefined) return known;
  const found = new Set<number>();
  const callOf = createCallFinder(index);
  for (let i = 0; i < index.count; i++) if (index.has(i, 'final')) found.add(callOf(i));
  answered.set(index, found);
  return found;
}

/** Stands for several calls of one key: none of them is chosen. */
const several = -2;

/**
 * The call that a record answers by its command: of the same run, branch, life and attempt; a record of another process answers the
 * only call of its run, branch and command, unless the two have different attempts. -1 where there is none, or more than one.
 */
function createCallFinder(index: CausalIndex): (position: number) => number {
  const { columns } = index;
  const asks = columns.types.map((type) => issuing.has(type));
  const calls = new Map<string, number>();
  const keysOf = (position: number): readonly string[] => {
    const call = `${index.run(position)},${index.branch(position)},${columns.command[position] ?? 0}`;
    return [`${call},${index.logNumber(position)},${columns.attempt[position] ?? 0}`, call];
  };
  for (let i = 0; i < index.count; i++) {
    if (columns.command[i] === 0 || asks[columns.type[i] ?? 0] !== true || index.has(i, 'repeat')) continue;
    for (const key of keysOf(i)) calls.set(key, calls.has(key) ? several : i);
  }
  return (position) => {
    if (columns.command[position] === 0 || asks[columns.type[position] ?? 0] === true) return -1;
    const [own = '', any = ''] = keysOf(position);
    const exact = calls.get(own);
    if (exact !== undefined) return Math.max(exact, -1);
    const only = calls.get(any) ?? -1;
    const a = columns.attempt[only] ?? 0;
    const b = columns.attempt[position] ?? 0;
    return only >= 0 && (a === 0 || b === 0 || a === b) ? only : -1;
  };
}

function numbersOf(count: number, list: CausalIndex['columns']['tokens']): Float64Array {
  const values = new Float64Array(count).fill(Number.NaN);
  for (let i = 0; i < list.at.length; i++) values[list.at[i] ?? 0] = list.value[i] ?? Number.NaN;
  return values;
}

function within(values: Float64Array, { least, most }: FilterCondition): Meets {
  const low = least ?? Number.NEGATIVE_INFINITY;
  const high = most ?? Number.POSITIVE_INFINITY;
  return (position) => {
    const value = values[position] ?? Number.NaN;
    return value >= low && value <= high;
  };
}

const durations = new WeakMap<CausalIndex, Float64Array>();

/**
 * Milliseconds from a call to its answer, by the times recorded, on the call and on the answer alike. The two may be of different
 * clocks; where the answer seems earlier than the call there is no duration.
 */
function computeDurations(index: CausalIndex): Float64Array {
  const known = durations.get(index);
  if (known !== undefined) return known;
  const values = new Float64Array(index.count).fill(Number.NaN);
  const callOf = createCallFinder(index);
  const { columns, causes } = index;
  const asks = columns.types.map((type) => issuing.has(type));
  const put = (call: number, answer: number): void => {
    const took = (columns.time[answer] ?? Number.NaN) - (columns.time[call] ?? Number.NaN);
    if (!(took >= 0)) return;
    values[answer] = took;
    // The latest answer counts for the call: an acknowledgement comes before the result.
    const before = values[call] ?? Number.NaN;
    values[call] = before > took ? before : took;
  };
  for (let i = 0; i < index.count; i++) {
    if (asks[columns.type[i] ?? 0] === true) continue;
    const end = causes.offsets[i + 1] ?? 0;
    let call = -1;
    for (let at = causes.offsets[i] ?? 0; at < end && call < 0; at++) {
      const edge = index.edge(causes.edges[at] ?? 0);
      if (edge.as === 'result_of' && asks[columns.type[edge.from] ?? 0] === true) call = edge.from;
    }
    if (call < 0) call = callOf(i);
    if (call >= 0) put(call, i);
  }
  durations.set(index, values);
  return values;
}
