import { describe, expect, it } from 'vitest';
import { branchId } from '../model/index.ts';
import { computeProblems, createBranches, hasBit } from './index.ts';
import { type DrawnIndex, drawIndex } from './testing/drawn.ts';

const forked = `
  worker agent=a step=1:
    a  decision.made
    b  model_call.completed <- a:result_of
    c  state.transitioned <- b:consumed {"name":"case","from":0,"to":1}
    d  state.transitioned <- c:consumed {"name":"case","from":1,"to":2}
  hindcast branch=b-1 notime noseq:
    b-1:0  branch.created {"parent":"main","fork":"b","frontier":{"minus":["b","c","d"]}}
    b-1:1  model_call.completed supersedes=b origin=supplied <- a:result_of & {"principal":{"id":"maya","kind":"human"}}
    b-1:2  state.transitioned origin=replayed <- b-1:1:consumed {"name":"case","from":0,"to":1}
`;

function shown(drawn: DrawnIndex, branch: string): string[] {
  return drawn.names(drawn.branches.visible(branchId(branch)));
}

describe('branches', () => {
  it('G30 R42 show their frontier and their own events; the original never shows theirs', () => {
    const drawn = drawIndex(forked);
    expect(shown(drawn, 'main')).toEqual(['a', 'b', 'c', 'd']);
    expect(shown(drawn, 'b-1')).toEqual(['a', 'b-1:0', 'b-1:1', 'b-1:2']);
    expect(drawn.names(drawn.branches.frontier(branchId('b-1')))).toEqual(['a']);
    expect(shown(drawn, 'unknown')).toEqual([]);
    expect(drawn.branches.list.map(({ id, parent, fork }) => [id, parent, fork])).toEqual([
      ['main', undefined, undefined],
      ['b-1', 'main', 'b'],
    ]);
    expect(drawn.codes()).toEqual([]);
  });

  it('G30 R42 a branch of a branch inherits what that shows, and siblings share nothing', () => {
    const drawn = drawIndex(`${forked}
      hindcast branch=b-2 notime noseq:
        b-2:0  branch.created {"parent":"b-1","frontier":{"minus":["b-1:2"]}}
        b-2:1  step.started <- b-1:1
      hindcast branch=b-3 notime noseq:
        b-3:0  branch.created {"parent":"main","frontier":{"minus":[]}}
    `);
    expect(shown(drawn, 'b-2')).toEqual(['a', 'b-1:0', 'b-1:1', 'b-2:0', 'b-2:1']);
    expect(shown(drawn, 'b-3')).toEqual(['a', 'b', 'b-3:0', 'c', 'd']);
    expect(drawn.codes()).toEqual([]);
  });

  it('G31 G33 P10 a branch that does not say where it comes from', () => {
    const drawn = drawIndex(`
      a  step.started
      hindcast noseq notime:
        x1  step.started branch=b-1
        y1  branch.created branch=b-2 {"parent":"b-9"}
        z1  branch.created branch=b-3 {"parent":"main","frontier":{"minus":["nobody"]}}
        z2  branch.created branch=b-3 {"parent":"b-1"}
    `);
    expect(shown(drawn, 'b-1')).toEqual(['x1']);
    expect(shown(drawn, 'b-2')).toEqual(['y1']);
    expect(shown(drawn, 'b-3')).toEqual(['a', 'z1', 'z2']);
    expect(drawn.codes()).toEqual([
      'branch-without-record',
      'branch-parent-missing',
      'branch-frontier',
      'branch-created-twice',
    ]);
  });

  it('G6 G30 a branch leaves out records of its own run, not those that another run has under the same ids', () => {
    const drawn = drawIndex(`
      w run=2:
        a  step.started seq=0
      w run=1:
        a  step.started seq=0
        b  step.started seq=1
      hindcast branch=b-1 noseq notime:
        b-1:0  branch.created {"parent":"main","frontier":{"minus":["a"]}}`);
    expect(shown(drawn, 'b-1')).toEqual(['a', 'b', 'b-1:0']);
    const [other, own] = [0, 1];
    expect([other, own].map((position) => drawn.branches.shows(branchId('b-1'), position))).toEqual([true, false]);
  });

  it('P10 a beginning that was read again, word for word, is no second one', () => {
    const created = 'x branch.created branch=b-1 seq=0 time=2026-01-01T00:00:00Z {"parent":"main"}';
    expect(drawIndex(`a step.started\nhindcast:\n  ${created}\n  ${created}`).codes()).toEqual(['same-record']);
    const other = created.replace('x ', 'y ').replace('seq=0', 'seq=1');
    expect(drawIndex(`a step.started\nhindcast:\n  ${created}\n  ${other}`).codes()).toEqual(['branch-created-twice']);
  });

  it('G32 P10 a circular line of parents inherits nothing', () => {
    const drawn = drawIndex(`
      a  step.started
      hindcast noseq notime:
        x  branch.created branch=b-1 {"parent":"b-2"}
        y  branch.created branch=b-2 {"parent":"b-1"}
    `);
    expect(shown(drawn, 'b-1')).toEqual(['x']);
    expect(shown(drawn, 'b-2')).toEqual(['y']);
    expect(drawn.codes()).toEqual(['branch-circle', 'branch-circle']);
  });
});

describe('P11 R42 R43 mixtures', () => {
  function mixtures(more: string): (readonly string[])[] {
    return drawIndex(`${forked}\n${more}`)
      .problems()
      .filter(({ code }) => code === 'mixed-branch')
      .map(({ events }) => events);
  }

  it('a cause on the branch of a sibling, or left out of the frontier', () => {
    const sibling = `
      hindcast branch=b-2 notime noseq:
        b-2:0  branch.created {"parent":"main","frontier":{"minus":[]}}
        b-2:1  step.started <- b-1:1
    `;
    expect(mixtures(sibling)).toEqual([['b-2:1', 'b-1:1']]);
    expect(mixtures('hindcast noseq notime:\n  b-1:3 step.started branch=b-1 <- b')).toEqual([['b-1:3', 'b']]);
  });

  it('what a replay wrote on the recorded line', () => {
    const drawn = drawIndex(`
      w:
        a step.started
        b model_call.completed replay=op origin=supplied & {"principal":{"id":"maya","kind":"human"}}
        c observation.reused {"event":"a"}
        d model_call.completed origin=live & {"principal":{"id":"maya","kind":"human"}}`);
    const told = drawn.problems().filter(({ code }) => code === 'mixed-branch');
    expect(told).toMatchObject([{ events: ['b', 'c'], count: 2 }]);
    expect(told[0]?.message).toBe(
      '2 events, such as "b", were written by a replay and stand on the recorded line, where nothing of a replay belongs.',
    );
  });

  it('a recorded event that rests on a branch', () => {
    expect(mixtures('w:\n  e step.started <- b-1:2')).toEqual([['e', 'b-1:2']]);
  });

  it('what supersedes a record that is inherited as well, or that is not the parent’s', () => {
    expect(mixtures('hindcast noseq notime:\n  b-1:3 step.started branch=b-1 supersedes=a')).toEqual([['b-1:3', 'a']]);
    expect(mixtures('hindcast noseq notime:\n  b-1:3 step.started branch=b-1 supersedes=b-1:1')).toEqual([
      ['b-1:3', 'b-1:1'],
    ]);
  });

  it('a reuse of what the branch left out', () => {
    const reuse = (id: string): string =>
      `hindcast noseq notime:\n  b-1:3 observation.reused branch=b-1 {"event":"${id}"}`;
    expect(mixtures(reuse('a'))).toEqual([]);
    expect(mixtures(reuse('b'))).toEqual([['b-1:3', 'b']]);
  });

  it('a replacement or a reuse of what is not in the trace, once for the branch', () => {
    const drawn = drawIndex(`${forked}
      hindcast noseq notime branch=b-1:
        b-1:3  observation.reused {"event":"nothing-here"}
        b-1:4  model_call.completed supersedes=also-gone origin=supplied & {"principal":{"id":"maya","kind":"human"}}
    `);
    const told = drawn.problems().filter(({ code }) => code === 'branch-reference');
    expect(told.map(({ message, events }) => [message, events])).toEqual([
      [
        '2 events of the branch "b-1", such as "b-1:4", supersede or reuse records that are not in this trace.',
        ['b-1:4', 'b-1:3'],
      ],
    ]);
  });

  it('R146 is answered without making a frontier for each line', () => {
    const count = 300;
    const lines = Array.from({ length: count }, (_, i) => `m${String(i)} step.started\n  x${String(i)} step.started`);
    const minus = JSON.stringify(Array.from({ length: count }, (_, i) => `x${String(i)}`));
    const reused = Array.from(
      { length: count },
      (_, i) => `b-1:${String(i + 1)} observation.reused {"event":"m${String(i)}"}`,
    );
    const { index, source, order, branches } = drawIndex(`w:
  ${lines.join('\n  ')}
hindcast noseq notime branch=b-1:
  b-1:0 branch.created {"parent":"main","fork":"m0","frontier":{"base":"main","minus":${minus}}}
  ${reused.join('\n  ')}`);
    let lookedUp = 0;
    const counting = {
      ...index,
      occurrences: (id: string) => {
        lookedUp++;
        return index.occurrences(id);
      },
    };
    const problems = computeProblems({ index: counting, source, order, branches: createBranches(counting, source) });
    expect(problems.filter(({ severity }) => severity === 'problem')).toEqual([]);
    expect(branches.frontier(branchId('b-1'))).toBeDefined();
    // Once for what the branch shows and once for what it inherits; not once for each line it reuses.
    expect(lookedUp).toBeLessThanOrEqual(2 * count);
  });

  it('R146 of any number of branches no set of events is made', () => {
    const lines = Array.from(
      { length: 300 },
      (_, i) =>
        `b-${i}:0 branch.created branch=b-${i} {"parent":"${i === 0 || i > 60 ? 'main' : `b-${i - 1}`}"}\n  b-${i}:1 step.started branch=b-${i} <- a`,
    );
    const drawn = drawIndex(`w:\n  a step.started\nhindcast noseq notime:\n  ${lines.join('\n  ')}`);
    const refuse = (): never => {
      throw new Error('A set was made.');
    };
    const problems = computeProblems({
      ...drawn,
      branches: { ...drawn.branches, visible: refuse, frontier: refuse },
    });
    expect(problems.filter(({ severity }) => severity === 'problem')).toEqual([]);
    // The two ways to ask give one answer, also of sets that were given up in between.
    for (const { id } of drawn.branches.list) {
      const visible = drawn.branches.visible(id);
      const frontier = drawn.branches.frontier(id);
      for (let i = 0; i < drawn.index.count; i++) {
        if (
          drawn.branches.shows(id, i) !== hasBit(visible, i) ||
          drawn.branches.inherits(id, i) !== hasBit(frontier, i)
        )
          throw new Error(`${id} ${drawn.index.id(i)}`);
      }
    }
  });

  it('a transition that consumes a state of another line, with or without naming the event', () => {
    const transition = (cause: string): string =>
      `hindcast noseq notime:\n  b-1:3 state.transitioned branch=b-1 ${cause} {"name":"case","from":2,"to":3}`;
    expect(mixtures(transition(''))).toEqual([['b-1:3', 'd']]);
    expect(mixtures(transition('<- d:consumed'))).toEqual([['b-1:3', 'd']]);
  });
});

describe('P12 supplied values', () => {
  it('stand under a person, never under an agent', () => {
    const drawn = drawIndex(`${forked}
      hindcast noseq notime branch=b-1:
        b-1:3  model_call.completed origin=supplied
        b-1:4  model_call.completed origin=supplied agent=planner & {"principal":{"id":"maya","kind":"human"}}
    `);
    const messages = drawn
      .problems()
      .filter(({ code }) => code === 'supplied-identity')
      .map(({ message }) => message);
    expect(messages).toEqual([
      'Event "b-1:3" is a value supplied by a person, but no person is recorded for it.',
      'Event "b-1:4" is a value supplied by a person, but it is recorded under the agent "planner".',
    ]);
  });

  it('R59 on the original as on a branch, and never under the authority of an agent', () => {
    const drawn = drawIndex(`
      worker:
        a  message.sent origin=supplied agent=planner & {"principal":{"id":"maya","kind":"human"}}
        b  state.transitioned origin=supplied & {"principal":{"id":"planner","kind":"agent"}}
        c  state.transitioned origin=supplied & {"principal":{"id":"maya","kind":"human"}}
    `);
    const told = drawn.problems().filter(({ code }) => code === 'supplied-identity');
    expect(told.map(({ message, events }) => [events, message])).toEqual([
      [['a'], 'Event "a" is a value supplied by a person, but it is recorded under the agent "planner".'],
      [
        ['b'],
        'Event "b" is a value supplied by a person, but it is recorded under the authority of the agent "planner".',
      ],
    ]);
  });
});
