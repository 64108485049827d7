/** Problems of order and identity, one finding a kind (R35). */
import type { CausalProblem } from '../../causal/index.ts';
import { countToText } from '../../projections/effects/words.ts';
import { type Rule, createFinding } from '../rule.ts';

/** Records that others name or count on and that are not there, and where: gaps in the record, no contradiction in it. */
const missing: ReadonlyMap<string, string> = new Map([
  ['dangling-cause', 'before the records that name what is missing as their cause'],
  ['sequence-hole', 'between the records on both sides of each missing number'],
]);

/** Most places that a finding tells one by one. */
const told = 5;

const titles: ReadonlyMap<string, string> = new Map([
  ['cause-cycle', 'Events recorded as causes of each other'],
  ['order-contradiction', 'Causes and log numbers that contradict each other'],
  ['effect-before-cause', 'Effects numbered before their causes'],
  ['dangling-cause', 'Causes that are not in this trace'],
  ['conflicting-id', 'Different records under one id'],
  ['repeated-number', 'Numbers used twice in one log'],
  ['sequence-hole', 'Holes in the numbering of a log'],
  ['mixed-branch', 'Branches mixed with each other'],
  ['branch-without-record', 'Branches without a record of how they began'],
  ['branch-circle', 'Branches made from each other'],
  ['branch-parent-missing', 'Branches of a branch that is not in this trace'],
  ['branch-frontier', 'Events left out by a branch that are not in this trace'],
  ['branch-created-twice', 'Branches that began more than once'],
  ['branch-reference', 'Records that name what their branch does not have'],
  ['branch-base-differs', 'Branches of records that are other ones now'],
  ['branch-operation-differs', 'Branches whose operation was changed'],
  ['state-version-unmade', 'Versions of a state that nobody made'],
  ['supplied-identity', 'Values put in by a person without naming one'],
]);
/** A kind that is not known here is told in words too. */
const otherTitle = 'Records that do not fit together';

/** Of what the title names: one problem may tell of several. */
function countAll(problems: readonly CausalProblem[]): number {
  return problems.reduce((sum, { count = 1 }) => sum + count, 0);
}

export const orderProblems: Rule = {
  id: 'order-problems',
  title: 'Order and identity of the records: cycles, dangling causes, repeated ids, holes',
  severity: 'violation',
  establishes: 'The records contradict each other about what came from what, or records between others are missing.',
  leavesOpen: 'Whether records were lost, removed, or never written.',
  requirements: ['R35', 'R17', 'R43'],
  // A record that rests on what was left out may rest on what its branch does not inherit.
  isOpenIn: (audit) => audit.events('share.omitted').some(({ id }) => audit.effectsOf(id).length > 0),
  run: ({ problems }) => {
    const byCode = new Map<string, CausalProblem[]>();
    for (const problem of problems) {
      if (problem.severity !== 'problem') continue;
      const list = byCode.get(problem.code);
      if (list === undefined) byCode.set(problem.code, [problem]);
      else list.push(problem);
    }
    return [...byCode].map(([code, list]) => {
      const total = countAll(list);
      const untold = total - countAll(list.slice(0, told));
      const title = titles.get(code) ?? otherTitle;
      return createFinding(orderProblems, {
        subject: code,
        title: `${title}: ${total.toLocaleString('en')}`,
        severity: missing.has(code) ? 'gap' : 'violation',
        text: `${countToText(total, 'place')} where ${missing.has(code) ? 'the record has a gap' : 'the records do not fit together'}. ${list[0]?.message ?? ''}`.trim(),
        evidence: list.slice(0, 50).flatMap(({ events }) => events.slice(0, 50)),
        // What to do about it is said once, above.
        known: [
          ...list.slice(0, told).map(({ message }) => /^[^]*?\.(?= [A-Z]|$)/.exec(message)?.[0] ?? message),
          ...(untold > 0 ? [`And ${countToText(untold, 'more place')}, listed under problems.`] : []),
        ],
        unknown: ['Whether records were lost, removed, or never written.'],
        interval: missing.get(code),
      });
    });
  },
};
