/**
 * Versions of states that a transition consumed (SPEC P11, P15; R6, R43): made on the line of the transition's own branch.
 *
 * Silent where records are known to be missing (a hole in the numbers of the run, a cause that is not here, a redacted copy), because the
 * transition that made the version may be among them; and about the first transition of a state, which may start from any version.
 */
import { mainBranch } from '../model/index.ts';
import { payloadOf, textAt } from './payload.ts';
import { type ProblemInput, type Report, nameEvent, tellMixture } from './problem.ts';

interface Transition {
  readonly at: number;
  /** Numbers of labels; 0 for a version that is not recorded. */
  readonly from: number;
  readonly to: number;
}

/** All transitions of one state in one run, on every branch. */
type StateTransitions = readonly Transition[];

export function checkVersions(input: ProblemInput, report: Report): void {
  const { index, branches } = input;
  if (index.columns.states.at.length === 0) return;
  const lacking = createLacking(input);
  // "Nothing was there" is also written as version 0.
  const written = index.columns.labels.indexOf('0', 1);
  for (const transitions of groupByState(input)) {
    const makers = groupByMade(transitions);
    const unmade: Transition[] = [];
    for (const transition of transitions) {
      const { at, from } = transition;
      if (from === 0) continue;
      const made = makers.get(from) ?? [];
      if (made.some((maker) => branches.shows(index.branch(at), maker))) continue;
      if (made[0] === undefined || index.branch(at) === mainBranch) unmade.push(transition);
      else tellMixed(input, at, made[0], report);
    }
    // A transition that does not say what it made may have made any of them.
    const [first] = unmade;
    if (first === undefined || makers.has(0) || lacking.ofRun(first.at)) continue;
    const starts = new Set(unmade.filter((one) => !isPreceded(input, one, transitions)).map(({ from }) => from));
    const zero = transitions.some(({ from }) => from === 0) ? written : -1;
    for (const { at, from } of unmade)
      if (!starts.has(from) && from !== zero && !lacking.causes(at)) tellUnmade(input, { at, from }, report);
  }
}

function groupByMade(transitions: StateTransitions): ReadonlyMap<number, readonly number[]> {
  const makers = new Map<number, number[]>();
  for (const { at, to } of transitions) {
    const list = makers.get(to);
    if (list === undefined) makers.set(to, [at]);
    else list.push(at);
  }
  return makers;
}

interface Lacking {
  /** Records are known to be missing of the run of this one. */
  readonly ofRun: (position: number) => boolean;
  /** A cause of this one is not here: that is told of it already. */
  readonly causes: (position: number) => boolean;
}

function createLacking({ index, order: { logs } }: ProblemInput): Lacking {
  const isCopy = index.ofType('share.declared').length > 0;
  let runs: Set<string> | undefined;
  let effects: ReadonlySet<number> | undefined;
  const runsWithHoles = (): Set<string> => {
    const found = new Set<string>();
    for (let l = 0; l + 1 < logs.offsets.length; l++) {
      for (let at = (logs.offsets[l] ?? 0) + 1; at < (logs.offsets[l + 1] ?? 0); at++) {
        if ((logs.numbers[at] ?? 0) - (logs.numbers[at - 1] ?? 0) <= 1) continue;
        found.add(index.run(logs.positions[at - 1] ?? 0)).add(index.run(logs.positions[at] ?? 0));
      }
    }
    return found;
  };
  return {
    ofRun: (position) => isCopy || (runs ??= runsWithHoles()).has(index.run(position)),
    causes: (position) => (effects ??= new Set(index.dangling.map(({ effect }) => effect))).has(position),
  };
}

function groupByState({ index }: ProblemInput): Iterable<StateTransitions> {
  const { states } = index.columns;
  const groups = new Map<string, Transition[]>();
  for (let s = 0; s < states.at.length; s++) {
    const at = states.at[s] ?? 0;
    // A record read again is no second act.
    if (index.has(at, 'repeat')) continue;
    const key = `${states.name[s] ?? 0},${index.run(at)}`;
    const transition = { at, from: states.from[s] ?? 0, to: states.to[s] ?? 0 };
    const list = groups.get(key);
    if (list === undefined) groups.set(key, [transition]);
    else list.push(transition);
  }
  return groups.values();
}

/** Most transitions of a state that are asked whether they stand before one. */
const asked = 32;

/** Whether the line of a transition has another one of the state before it: then it does not begin the state. */
function isPreceded({ index, order, branches }: ProblemInput, { at }: Transition, all: StateTransitions): boolean {
  const branch = index.branch(at);
  let left = asked;
  for (const other of all) {
    if (other.at === at) continue;
    // A branch goes on from what it inherits.
    if (index.branch(other.at) !== branch) {
      if (branches.inherits(branch, other.at)) return true;
      continue;
    }
    if (left-- <= 0) return false;
    if (order.precedes(other.at, at)) return true;
  }
  return false;
}

/** P11: unless the record names the other as its cause, which is told as such. */
function tellMixed(input: ProblemInput, at: number, other: number, report: Report): void {
  const { index } = input;
  if (index.causesOf(at).some(({ from }) => from === other)) return;
  tellMixture(input, at, other, 'consumes the state made by', report);
}

/** P15 */
function tellUnmade(input: ProblemInput, { at, from }: Pick<Transition, 'at' | 'from'>, report: Report): void {
  const { index, source } = input;
  const branch = index.branch(at);
  const state = textAt(payloadOf(source.at(at)), 'name');
  const of = state === undefined ? 'of a state' : `of the state "${state}"`;
  const line = branch === mainBranch ? 'no record of the run' : `no record that the branch "${branch}" shows`;
  const message = `Event ${nameEvent(input, at)} consumed version "${index.columns.labels[from] ?? ''}" ${of}, and ${line} made that version.`;
  report('problem', 'state-version-unmade', message, [at]);
}
