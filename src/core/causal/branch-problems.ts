/**
 * Branches that cite what is not theirs (SPEC P10 to P12; R42, R43).
 *
 * The frontier of a branch and its own events are all it may rest on; what it replaces is a record of its parent's line that the
 * frontier leaves out. Siblings never cite each other.
 */
import { type BranchId, mainBranch } from '../model/index.ts';
import type { BranchInfo } from './branches.ts';
import { type ProblemInput, type Report, nameEvent, tellMixture } from './problem.ts';

export function checkBranches(input: ProblemInput, report: Report): void {
  const { index, branches } = input;
  checkLines(input, report);
  checkEdges(input, report);
  for (let i = 0; i < index.count; i++) if (index.has(i, 'supplied')) checkOrigin(input, i, report);
  checkMain(input, report);
  if (branches.list.length === 1) return;
  for (let i = 0; i < index.count; i++) if (index.branch(i) !== mainBranch) checkReferences(input, i, report);
  checkMissing(input, report);
}

/** P10: a branch says where it comes from, once, and its line of parents ends at the original. */
function checkLines(input: ProblemInput, report: Report): void {
  const { index, branches } = input;
  const circular = new Set(branches.circular);
  const firsts = new Map<BranchId, number>();
  for (let i = 0; i < index.count; i++) if (!firsts.has(index.branch(i))) firsts.set(index.branch(i), i);
  const created = new Map<BranchId, number[]>();
  for (const position of index.ofType('branch.created')) {
    const list = created.get(index.branch(position));
    if (list === undefined) created.set(index.branch(position), [position]);
    else list.push(position);
  }
  for (const info of branches.list) {
    if (info.id === mainBranch) continue;
    const first = firsts.get(info.id);
    checkLine(input, info, { own: first === undefined ? [] : [first], isCircular: circular.has(info.id) }, report);
    for (const position of created.get(info.id) ?? []) {
      if (position === info.created || index.has(position, 'repeat')) continue;
      const message = `The branch "${info.id}" has two records of its creation; the first one read counts.`;
      report('problem', 'branch-created-twice', message, [position, info.created]);
    }
  }
}

interface Line {
  readonly own: readonly number[];
  readonly isCircular: boolean;
}

function checkLine(
  { index, branches }: ProblemInput,
  info: BranchInfo,
  { own, isCircular }: Line,
  report: Report,
): void {
  if (info.created < 0) {
    report(
      'problem',
      'branch-without-record',
      `The branch "${info.id}" has events but no record of its creation, so what it inherits is unknown.`,
      own,
    );
  } else if (isCircular) {
    report(
      'problem',
      'branch-circle',
      `The parents of the branch "${info.id}" lead back to it or are more than 64 deep. Only its own events are shown.`,
      [info.created],
    );
  } else if (info.parent === undefined || branches.find(info.parent) === undefined) {
    report(
      'problem',
      'branch-parent-missing',
      `The parent "${info.parent ?? ''}" of the branch "${info.id}" is not in this trace. Only the branch's own events are shown.`,
      [info.created],
    );
  } else {
    for (const id of info.minus) {
      if (index.named(info.created, id) < 0) {
        report(
          'problem',
          'branch-frontier',
          `The branch "${info.id}" leaves out the event "${id}", which is not in this trace.`,
          [info.created],
        );
      }
    }
  }
}

/** What only an operation of the debugger writes. */
const operationTypes = [
  'branch.created',
  'replay.started',
  'replay.completed',
  'replay.diverged',
  'observation.reused',
];

/** P11: what a replay wrote stands on a branch, never on the recorded line. */
function checkMain(input: ProblemInput, report: Report): void {
  const { index, source } = input;
  const written = new Set(index.ofType(...operationTypes));
  const found: number[] = [];
  for (let i = 0; i < index.count; i++) {
    if (index.branch(i) !== mainBranch) continue;
    if (written.has(i) || (index.has(i, 'given') && source.at(i).replay !== undefined)) found.push(i);
  }
  const [first] = found;
  if (first === undefined) return;
  const what =
    found.length === 1
      ? `Event ${nameEvent(input, first)} was written by a replay and stands`
      : `${found.length} events, such as ${nameEvent(input, first)}, were written by a replay and stand`;
  report(
    'problem',
    'mixed-branch',
    `${what} on the recorded line, where nothing of a replay belongs.`,
    found,
    found.length,
  );
}

/** P11: every cause is in the frontier or on the same branch. */
function checkEdges(input: ProblemInput, report: Report): void {
  const { index, branches } = input;
  const { offsets, nodes } = index.causes;
  if (branches.list.length === 1) return;
  for (let to = 0; to < index.count; to++) {
    const end = offsets[to + 1] ?? 0;
    if (end === offsets[to]) continue;
    const branch = index.branch(to);
    for (let at = offsets[to] ?? 0; at < end; at++) {
      const from = nodes[at] ?? 0;
      if (!branches.shows(branch, from)) tellMixture(input, to, from, 'rests on', report);
    }
  }
}

/** P11: what an event supersedes is on the parent's line and not inherited; what it reuses is inherited. */
function checkReferences(input: ProblemInput, position: number, report: Report): void {
  const { index, branches } = input;
  const branch = index.branch(position);
  const superseded = index.supersedes(position);
  const parent = branches.find(branch)?.parent;
  if (superseded >= 0) {
    if (parent === undefined || !branches.shows(parent, superseded))
      tellMixture(input, position, superseded, 'supersedes', report);
    else if (branches.inherits(branch, superseded)) {
      const message = `Event ${nameEvent(input, position)} supersedes ${nameEvent(input, superseded)}, and the branch "${branch}" inherits that as well: it would show both.`;
      report('problem', 'mixed-branch', message, [position, superseded]);
    }
  }
  const reused = index.type(position) === 'observation.reused' ? index.pointsAt(position) : -1;
  if (reused >= 0 && !branches.inherits(branch, reused)) tellMixture(input, position, reused, 'reuses', report);
}

/** P11: what an event supersedes or reuses is in the trace; told once for each branch. */
function checkMissing({ index }: ProblemInput, report: Report): void {
  const { supersedes, pointers } = index.columns;
  const missing = new Map<BranchId, number[]>();
  const collect = (positions: Int32Array, isThere: (position: number) => boolean): void => {
    for (const position of positions) {
      if (index.branch(position) === mainBranch || isThere(position)) continue;
      const list = missing.get(index.branch(position));
      if (list === undefined) missing.set(index.branch(position), [position]);
      else list.push(position);
    }
  };
  collect(supersedes.at, (position) => index.supersedes(position) >= 0);
  collect(pointers.at, (position) => index.type(position) !== 'observation.reused' || index.pointsAt(position) >= 0);
  for (const [branch, positions] of missing) {
    const [first = 0] = positions;
    const what =
      positions.length === 1
        ? `Event "${index.id(first)}" of the branch "${branch}" supersedes or reuses a record that is`
        : `${positions.length} events of the branch "${branch}", such as "${index.id(first)}", supersede or reuse records that are`;
    report('problem', 'branch-reference', `${what} not in this trace.`, positions, positions.length);
  }
}

/** P12: a supplied value is the act of a person, never of an agent; on the original as on a branch. */
function checkOrigin(input: ProblemInput, position: number, report: Report): void {
  const { agent, principal } = input.source.at(position);
  if (principal !== undefined && principal.kind !== 'agent' && agent === undefined) return;
  const what =
    agent !== undefined
      ? `it is recorded under the agent "${agent}"`
      : principal === undefined
        ? 'no person is recorded for it'
        : `it is recorded under the authority of the agent "${principal.id}"`;
  report(
    'problem',
    'supplied-identity',
    `Event ${nameEvent(input, position)} is a value supplied by a person, but ${what}.`,
    [position],
  );
}
