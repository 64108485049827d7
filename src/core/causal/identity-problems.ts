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
  for (const { name, total, resolved, dangling, silent, unresolved } of computeReferences(index)) {
    if (unresolved.length === 0) continue;
    const message = `${referenceNames[name]}: of ${total}, ${resolved} do; ${dangling} name a record that is not in this trace, ${silent} name none.`;
    report('notice', 'reference-integrity', message, unresolved);
  }
}

const referenceNames = {
  results: 'Results that name the call they answer',
  actions: 'Dispatched calls that name the step or decision that selected them',
  transitions: 'State transitions that name what they consumed',
} as const;

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

/** R17: each result to its action, each action to its step, each transition to its inputs. */
export function computeReferences(index: CausalIndex): readonly ReferenceCount[] {
  const danglingAt = new Map<number, Set<string>>();
  for (const { effect, as } of index.dangling) {
    const kinds = danglingAt.get(effect);
    if (kinds === undefined) danglingAt.set(effect, new Set([as]));
    else kinds.add(as);
  }
  const count = (name: ReferenceCount['name'], positions: Int32Array, kinds: readonly string[]): ReferenceCount => {
    // What a replay wrote refers to its operation; the report is about the record.
    const recorded = positions.filter((position) => index.branch(position) === mainBranch);
    const unresolved: number[] = [];
    let dangling = 0;
    for (const position of recorded) {
      if (index.causesOf(position).some(({ as, grade }) => kinds.includes(as) && grade !== 'clock-only')) continue;
      unresolved.push(position);
      if (kinds.some((kind) => danglingAt.get(position)?.has(kind) === true)) dangling++;
    }
    const total = recorded.length;
    const silent = unresolved.length - dangling;
    return { name, total, resolved: total - unresolved.length, dangling, silent, unresolved };
  };
  return [
    count('results', index.ofType(...resultTypes), ['result_of']),
    count('actions', index.ofType('tool_call.dispatched'), ['selected_by']),
    count('transitions', index.ofType('state.transitioned'), ['consumed']),
  ];
}
