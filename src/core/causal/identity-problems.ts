/**
 * Identity that was not recorded, and references that lead nowhere (SPEC P13, P14; R15, R16, R17).
 *
 * Fields never recorded are notices: they limit what can be answered and say nothing about what happened.
 */
import { mainBranch } from '../model/index.ts';
import type { CausalEdge, CausalIndex } from './causal-index.ts';
import type { ProblemInput, Report } from './problem.ts';

/** What an agent originates: its outputs and actions. */
const agentTypes = [
  'decision.made',
  'model_call.requested',
  'tool_call.dispatched',
  'message.sent',
  'artifact.produced',
];
const resultTypes = [
  'tool_call.acknowledged',
  'tool_call.completed',
  'tool_call.failed',
  'tool_call.timed_out',
  'tool_call.result_persisted',
  'model_call.completed',
  'model_call.failed',
];

export interface ReferenceCount {
  /** "result to its action" and so on. */
  readonly name: 'results' | 'actions' | 'transitions';
  readonly total: number;
  /** The record it needs is named and here. */
  readonly resolved: number;
  /** It names a record that is not here. */
  readonly dangling: number;
  /** It names none. */
  readonly silent: number;
  readonly unresolved: readonly number[];
}

export function checkIdentity({ index }: ProblemInput, report: Report): void {
  const tell = (code: string, positions: readonly number[], one: string, many: string): void => {
    const message = positions.length === 1 ? one : `${positions.length} ${many}`;
    if (positions.length > 0) report('notice', code, message, positions);
  };
  // What a person put in has no agent on purpose, and what a replay wrote tells of its operation.
  const recorded = (positions: Int32Array): number[] => [...positions].filter((i) => !index.has(i, 'given'));
  tell(
    'agent-not-recorded',
    recorded(index.ofType(...agentTypes)).filter((i) => index.agent(i) === undefined),
    'One event that an agent originates does not name the agent.',
    'events that an agent originates do not name the agent.',
  );
  const calls = recorded(index.ofType('tool_call.dispatched'));
  tell(
    'session-not-recorded',
    calls.filter((i) => index.session(i) === undefined),
    'One dispatched tool call does not name its session.',
    'dispatched tool calls do not name their session.',
  );
  tell(
    'step-not-recorded',
    calls.filter((i) => !hasSelector(index, i)),
    'One dispatched tool call does not name the step that selected it.',
    'dispatched tool calls do not name the step that selected them.',
  );
  const rest = 'in RFC 3339 form; it is shown as recorded and not used.';
  tell(
    'time-not-readable',
    badTimes(index),
    `One event has a time that is not ${rest}`,
    `events have a time that is not ${rest}`,
  );
  for (const count of computeReferences(index)) {
    const { unresolved } = count;
    if (unresolved.length === 0) continue;
    report('notice', 'reference-integrity', referencesToSentence(count), unresolved);
  }
}

/** One and many of what refers, and what it should lead to. */
const referenceWords = {
  results: { one: 'result', many: 'results', to: 'the call that they answer', toOne: 'the call that it answers' },
  actions: {
    one: 'tool call',
    many: 'tool calls',
    to: 'the step or decision that chose them',
    toOne: 'the step or decision that chose it',
  },
  transitions: {
    one: 'change of state',
    many: 'changes of state',
    to: 'what they were made from',
    toOne: 'what it was made from',
  },
} as const;

/** "3 of 14 results do not lead to the call that they answer: 1 names a record that is not in this trace, 2 name none." */
function referencesToSentence({ name, total, dangling, silent, unresolved }: ReferenceCount): string {
  const { one, many, to, toOne } = referenceWords[name];
  const isOne = unresolved.length === 1;
  const of = total === 1 ? `The one ${one}` : `${unresolved.length} of ${total} ${many}`;
  const why = [
    dangling === 0 ? undefined : `${dangling} ${dangling === 1 ? 'names' : 'name'} a record that is not in this trace`,
    silent === 0 ? undefined : `${silent} ${silent === 1 ? 'names' : 'name'} none`,
  ].filter((part) => part !== undefined);
  return `${of} ${isOne ? 'does' : 'do'} not lead to ${isOne ? toOne : to}: ${why.join(', ')}.`;
}

function badTimes(index: CausalIndex): readonly number[] {
  const out: number[] = [];
  for (let i = 0; i < index.count; i++) if (index.has(i, 'badTime')) out.push(i);
  return out;
}

function hasSelector(index: CausalIndex, position: number): boolean {
  return index.step(position) !== undefined || index.causesOf(position).some(isSelector);
}

function isSelector({ as, grade }: CausalEdge): boolean {
  return as === 'selected_by' && grade !== 'clock-only';
}

/** The word before the dot: "model_call". */
function familyOf(type: string): string {
  return type.slice(0, type.indexOf('.'));
}

/** R17: each result to its action, each action to its step, each transition to its inputs. */
export function computeReferences(index: CausalIndex): readonly ReferenceCount[] {
  const danglingAt = new Map<number, Set<string>>();
  for (const { effect, as } of index.dangling) {
    const kinds = danglingAt.get(effect);
    if (kinds === undefined) danglingAt.set(effect, new Set([as]));
    else kinds.add(as);
  }
  const requested = new Set(
    ['tool_call.dispatched', 'model_call.requested'].flatMap((type) =>
      index.ofType(type).length === 0 ? [] : [familyOf(type)],
    ),
  );
  /** Nothing is missing where requests of the kind are never recorded: what could the result name? */
  const isOwed = (position: number): boolean => requested.has(familyOf(index.type(position)));
  const count = (name: ReferenceCount['name'], positions: Int32Array, kinds: readonly string[]): ReferenceCount => {
    const unresolved: number[] = [];
    let total = 0;
    let dangling = 0;
    for (const position of positions) {
      // What a replay wrote refers to its operation; the report is about the record.
      if (index.branch(position) !== mainBranch) continue;
      const isResolved = index.causesOf(position).some(({ as, grade }) => kinds.includes(as) && grade !== 'clock-only');
      const isDangling = !isResolved && kinds.some((kind) => danglingAt.get(position)?.has(kind) === true);
      if (!isResolved && !isDangling && name === 'results' && !isOwed(position)) continue;
      total++;
      if (isResolved) continue;
      unresolved.push(position);
      if (isDangling) dangling++;
    }
    const silent = unresolved.length - dangling;
    return { name, total, resolved: total - unresolved.length, dangling, silent, unresolved };
  };
  return [
    count('results', index.ofType(...resultTypes), ['result_of']),
    count('actions', index.ofType('tool_call.dispatched'), ['selected_by']),
    count('transitions', index.ofType('state.transitioned'), ['consumed']),
  ];
}
