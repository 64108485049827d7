/**
 * Edges the index adds itself, each by a named rule (SPEC G12 to G15). Order in a log and clocks never make an edge.
 *
 * A rule speaks only where the record is silent and exactly one event fits: with two candidates there is no edge, because the
 * index does not choose. Removing a rule removes its edges and nothing else.
 */
import { type IndexColumns, eventFlags, kindToCode } from './columns.ts';

/** Structured-cloneable, so that it is kept beside the columns it was computed from. */
export interface InferredEdges {
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly kind: Uint8Array;
  /** Places in `inferenceRules`. */
  readonly rule: Uint8Array;
}

export const inferenceRules = ['same-command', 'same-key', 'state-version'] as const;
type InferenceRule = (typeof inferenceRules)[number];

/** Event types that answer an issuing event of the same command. */
const issuingByAnswer: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ['tool_call.acknowledged', ['tool_call.dispatched']],
  ['tool_call.completed', ['tool_call.dispatched']],
  ['tool_call.failed', ['tool_call.dispatched']],
  ['tool_call.timed_out', ['tool_call.dispatched']],
  ['tool_call.cancelled', ['tool_call.dispatched']],
  ['tool_call.result_persisted', ['tool_call.dispatched']],
  ['model_call.completed', ['model_call.requested']],
  ['model_call.failed', ['model_call.requested']],
  ['model_call.cancelled', ['model_call.requested']],
  ['model_call.served', ['model_call.requested']],
  ['timer.fired', ['timer.started']],
  ['timer.cancelled', ['timer.started']],
  ['signal.received', ['signal.awaited']],
  ['signal.cancelled', ['signal.awaited']],
  ['input.received', ['signal.awaited', 'approval.requested']],
  ['approval.granted', ['approval.requested']],
  ['approval.denied', ['approval.requested']],
  ['agent.joined', ['agent.spawned']],
  ['agent.cancelled', ['agent.spawned']],
]);

interface Draft {
  readonly from: number[];
  readonly to: number[];
  readonly kind: number[];
  readonly rule: number[];
}

/** `edgeFrom` holds positions, negative where the cause is not in the trace. */
export function computeInferredEdges(columns: IndexColumns, edgeFrom: Int32Array): InferredEdges {
  const draft: Draft = { from: [], to: [], kind: [], rule: [] };
  inferAnswers(columns, edgeFrom, draft);
  inferKeys(columns, edgeFrom, draft);
  inferVersions(columns, edgeFrom, draft);
  return {
    from: Int32Array.from(draft.from),
    to: Int32Array.from(draft.to),
    kind: Uint8Array.from(draft.kind),
    rule: Uint8Array.from(draft.rule),
  };
}

function push(draft: Draft, from: number, to: number, kind: 'result_of' | 'consumed', rule: InferenceRule): void {
  draft.from.push(from);
  draft.to.push(to);
  draft.kind.push(kindToCode(kind));
  draft.rule.push(inferenceRules.indexOf(rule));
}

/** 1 for each event with a cause that `counts`, in the trace or not (`from` is negative): such a record is not silent (G12). */
function markEffects(
  columns: IndexColumns,
  edgeFrom: Int32Array,
  counts: (from: number, kind: number) => boolean,
): Uint8Array {
  const marks = new Uint8Array(columns.count);
  for (let e = 0; e < edgeFrom.length; e++) {
    const from = edgeFrom[e] ?? -1;
    if (counts(from, columns.edgeKind[e] ?? 0)) marks[columns.edgeTo[e] ?? 0] = 1;
  }
  return marks;
}

function typeNumbers(columns: IndexColumns, types: readonly string[]): ReadonlySet<number> {
  return new Set(types.map((type) => columns.types.indexOf(type, 1)).filter((number) => number > 0));
}

/** The life, run and branch an event belongs to, with its command and attempt. */
function attemptKey(columns: IndexColumns, position: number): string {
  const context = columns.context[position] ?? 0;
  const log = columns.contexts.log[context] ?? 0;
  const run = columns.contexts.run[context] ?? 0;
  return `${log},${run},${columns.command[position] ?? 0},${columns.attempt[position] ?? 0}`;
}

function runAndBranch(columns: IndexColumns, position: number): string {
  const context = columns.context[position] ?? 0;
  return `${columns.contexts.run[context] ?? 0},${columns.logs[columns.contexts.log[context] ?? 0]?.branch ?? ''}`;
}

/** Adds a candidate; -2 marks a key with more than one. A second record of an id is no second event (G6). */
function addCandidate(columns: IndexColumns, candidates: Map<string, number>, key: string, position: number): void {
  if (((columns.flags[position] ?? 0) & eventFlags.repeat) !== 0) return;
  candidates.set(key, candidates.has(key) ? -2 : position);
}

/** G13: an answer without any recorded cause of kind result_of is joined to the one attempt of its command in its life. */
function inferAnswers(columns: IndexColumns, edgeFrom: Int32Array, draft: Draft): void {
  const resultOf = kindToCode('result_of');
  const answers = new Map<number, ReadonlySet<number>>();
  for (const [type, issuing] of issuingByAnswer) {
    const [number] = typeNumbers(columns, [type]);
    if (number !== undefined) answers.set(number, typeNumbers(columns, issuing));
  }
  const joined = markEffects(columns, edgeFrom, (_, kind) => kind === resultOf);
  const silent: number[] = [];
  const commands = new Set<number>();
  for (let i = 0; i < columns.count; i++) {
    const command = columns.command[i] ?? 0;
    if (command === 0 || joined[i] === 1 || !answers.has(columns.type[i] ?? 0)) continue;
    silent.push(i);
    commands.add(command);
  }
  if (silent.length === 0) return;
  const issuing = new Set([...answers.values()].flatMap((types) => [...types]));
  const candidates = new Map<string, number>();
  for (let i = 0; i < columns.count; i++) {
    const type = columns.type[i] ?? 0;
    if (issuing.has(type) && commands.has(columns.command[i] ?? 0)) {
      addCandidate(columns, candidates, `${attemptKey(columns, i)},${type}`, i);
    }
  }
  for (const i of silent) {
    const key = attemptKey(columns, i);
    const fits = [...(answers.get(columns.type[i] ?? 0) ?? [])].map((type) => candidates.get(`${key},${type}`) ?? -1);
    const found = fits.filter((at) => at !== -1);
    if (found.length === 1 && found[0] !== undefined && found[0] >= 0)
      push(draft, found[0], i, 'result_of', 'same-command');
  }
}

/** G14: what a service told under a key is joined to the one dispatch of its run that was sent under that key. */
function inferKeys(columns: IndexColumns, edgeFrom: Int32Array, draft: Draft): void {
  const { keys } = columns;
  if (keys.at.length === 0) return;
  const dispatched = typeNumbers(columns, ['tool_call.dispatched']);
  const joined = markEffects(columns, edgeFrom, () => true);
  const candidates = new Map<string, number>();
  for (let k = 0; k < keys.at.length; k++) {
    const at = keys.at[k] ?? 0;
    if (dispatched.has(columns.type[at] ?? 0)) {
      addCandidate(columns, candidates, `${keys.name[k] ?? 0},${runAndBranch(columns, at)}`, at);
    }
  }
  for (let k = 0; k < keys.at.length; k++) {
    const at = keys.at[k] ?? 0;
    if (dispatched.has(columns.type[at] ?? 0) || joined[at] === 1) continue;
    const from = candidates.get(`${keys.name[k] ?? 0},${runAndBranch(columns, at)}`) ?? -1;
    if (from >= 0) push(draft, from, at, 'result_of', 'same-key');
  }
}

/** G15: a transition that names the version it consumed is joined to the one transition of its run and branch that made it. */
function inferVersions(columns: IndexColumns, edgeFrom: Int32Array, draft: Draft): void {
  const { states } = columns;
  if (states.at.length === 0) return;
  const transitions = typeNumbers(columns, ['state.transitioned']);
  const consumed = kindToCode('consumed');
  const joined = markEffects(columns, edgeFrom, (from, kind) =>
    from < 0 ? kind === consumed : transitions.has(columns.type[from] ?? 0),
  );
  const candidates = new Map<string, number>();
  for (let s = 0; s < states.at.length; s++) {
    const at = states.at[s] ?? 0;
    if (states.to[s] !== 0)
      addCandidate(columns, candidates, `${states.name[s] ?? 0},${states.to[s] ?? 0},${runAndBranch(columns, at)}`, at);
  }
  for (let s = 0; s < states.at.length; s++) {
    const at = states.at[s] ?? 0;
    if (states.from[s] === 0 || joined[at] === 1) continue;
    const from = candidates.get(`${states.name[s] ?? 0},${states.from[s] ?? 0},${runAndBranch(columns, at)}`) ?? -1;
    if (from >= 0 && from !== at) push(draft, from, at, 'consumed', 'state-version');
  }
}
