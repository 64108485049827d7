import { describe, expect, it } from 'vitest';
import { type CausalProblem, type RecordPlace, computeProblems, computeReferences } from './index.ts';
import { type DrawnIndex, drawIndex } from './testing/drawn.ts';

function told(drawn: DrawnIndex, code: string): { message: string; events: readonly string[] }[] {
  return drawn
    .problems()
    .filter((problem) => problem.code === code)
    .map(({ message, events }) => ({ message, events }));
}

describe('problems', () => {
  it('says nothing about a sound trace', () => {
    expect(
      drawIndex(`
        worker agent=a step=1:
          plan  decision.made
          ask   tool_call.dispatched <- plan:selected_by {"effect":"external"}
          done  tool_call.completed <- ask:result_of
      `).problems(),
    ).toEqual([]);
  });

  it('P1 R20 tells a copy from a second act', () => {
    const drawn = drawIndex(
      'a step.started seq=0 time=2026-01-01T00:00:00Z\na step.started seq=0 time=2026-01-01T00:00:00Z',
    );
    expect(drawn.codes()).toEqual(['same-record']);
    expect(drawn.problems()[0]?.severity).toBe('notice');
    expect(drawn.problems()[0]?.events).toEqual(['a~2', 'a']);
  });

  it('P2 R35 reports two different records with one id, and keeps both', () => {
    const drawn = drawIndex('a step.started noseq\na step.completed noseq');
    expect(told(drawn, 'conflicting-id')).toEqual([
      {
        message:
          'Two different records have the id "a". Both are kept, the later as "a~2"; causes that name the id mean the first one read.',
        events: ['a~2', 'a'],
      },
    ]);
  });

  it('P2 an id that runs of different files use is a notice, told once; in one file it is a conflict', () => {
    const drawing = `
      worker run=1:
        w0 step.started
        w1 step.completed <- w0
      worker run=2:
        w0 step.started seq=0
        w1 step.completed seq=1 <- w0`;
    const { index, source, order, branches } = drawIndex(drawing);
    const problemsIn = (files: readonly string[]): readonly CausalProblem[] => {
      const placeOf = (position: number): RecordPlace => ({
        file: files[position >> 1] ?? '',
        line: position,
        offset: 0,
      });
      return computeProblems({ index, source, order, branches, placeOf });
    };
    const apart = problemsIn(['one.jsonl', 'other.jsonl']).filter(({ code }) => /id/.test(code));
    expect(apart.map(({ code, severity, count }) => [code, severity, count])).toEqual([
      ['id-in-several-runs', 'notice', 2],
    ]);
    expect(apart[0]?.message).toBe(
      '2 ids are used by more than one run, for example that of "w0~2". The records stand in different files; a cause that names such an id means the record of its own run.',
    );
    const together = problemsIn(['one.jsonl', 'one.jsonl']).filter(({ code }) => code === 'conflicting-id');
    expect(together.map(({ message }) => message)).toEqual(
      ['w0', 'w1'].map(
        (id) =>
          `Two different records of two runs have the id "${id}". Both are kept, the later as "${id}~2"; causes that name the id mean the one of the same run.`,
      ),
    );
  });

  it('P3 R35 reports a missing cause once, with the events that name it', () => {
    const drawn = drawIndex('a step.started <- gone\nb step.started <- gone\nc step.started <- lost');
    expect(told(drawn, 'dangling-cause')).toEqual([
      {
        message:
          '"a" and 1 more name "gone" as a cause, which is not in this trace. Open the file that holds it together with this one.',
        events: ['a', 'b'],
      },
      {
        message:
          '"c" names "lost" as a cause, which is not in this trace. Open the file that holds it together with this one.',
        events: ['c'],
      },
    ]);
  });

  it('P3 tells the missing causes that only one event names together, however many', () => {
    const many = Array.from({ length: 5000 }, (_, n) => `gone${n}`).join(', ');
    const drawn = drawIndex(`a step.started <- ${many}\nb step.started <- gone7, lost`);
    expect(told(drawn, 'dangling-cause')).toEqual([
      {
        message:
          '"a" names 4999 causes that are not in this trace: "gone0", "gone1", "gone2" and 4996 more. Open the file that holds them together with this one.',
        events: ['a'],
      },
      {
        message:
          '"a" and 1 more name "gone7" as a cause, which is not in this trace. Open the file that holds it together with this one.',
        events: ['a', 'b'],
      },
      {
        message:
          '"b" names "lost" as a cause, which is not in this trace. Open the file that holds it together with this one.',
        events: ['b'],
      },
    ]);
  });

  it('P4 R35 reports each cycle of causes once', () => {
    const drawn = drawIndex(`
      a  step.started noseq <- b
      b  step.started noseq <- a
      c  step.started noseq <- c
      d  step.started noseq <- b, c
    `);
    expect(told(drawn, 'cause-cycle').map(({ events }) => events)).toEqual([['a', 'b'], ['c']]);
    expect(told(drawn, 'cause-cycle')[1]?.message).toBe('Event "c" names itself as a cause.');
    expect(drawn.codes().filter((code) => code !== 'clock-contradiction')).toEqual(['cause-cycle', 'cause-cycle']);
  });

  it('P5 R35 reports an effect before its cause in one log', () => {
    const drawn = drawIndex(
      'a step.started seq=1\nb step.started seq=2\nx step.started seq=0 time=2026-01-01T01:00:00Z <- b',
    );
    expect(drawn.codes()).toEqual(['effect-before-cause']);
    expect(drawn.problems()[0]?.message).toContain('"x" has number 0 in its log, before its cause "b" with number 2');
  });

  it('P5 G18 an edge by clock alone is no effect before its cause, beside one that is', () => {
    const drawn = drawIndex(`
      worker:
        a  step.started <- b, c?
        b  step.started
        c  step.started
    `);
    expect(told(drawn, 'effect-before-cause').map(({ events }) => events)).toEqual([['a', 'b']]);
  });

  it('P6 reports causes and numbers that contradict each other over several logs', () => {
    const drawn = drawIndex(`
      worker:
        a1  step.started seq=1 <- b2
        a2  step.started seq=2
      tickets:
        b1  step.started seq=1 <- a2
        b2  step.started seq=2
    `);
    expect(told(drawn, 'order-contradiction').map(({ events }) => events)).toEqual([['a1', 'a2', 'b1', 'b2']]);
  });

  it('P7 R35 reports holes only inside the range present, each with its ends', () => {
    const drawn = drawIndex('a step.started seq=5\nb step.started seq=6\nc step.started seq=9\nd step.started seq=11');
    expect(told(drawn, 'sequence-hole').map(({ message }) => message)).toEqual([
      'Records 7 to 8 are missing from the log of worker life 1, between "b" and "c".',
      'Record 10 is missing from the log of worker life 1, between "c" and "d".',
    ]);
  });

  it('P7 counts holes beyond the first twenty', () => {
    const drawing = Array.from({ length: 40 }, (_, i) => `e${i} step.started seq=${i * 2}`).join('\n');
    const holes = told(drawIndex(drawing), 'sequence-hole');
    expect(holes).toHaveLength(21);
    expect(holes[20]?.message).toBe('The log of worker life 1 has 19 more holes.');
  });

  it('R35 a problem tells how many it stands for, and holes are told apart from numbers used twice', () => {
    const holes = Array.from({ length: 30 }, (_, i) => `e${i} step.started seq=${i * 2}`);
    const twice = Array.from({ length: 30 }, (_, i) => `r${i} step.started seq=${i * 2}`);
    const missing = 'x step.started noseq <- p, q, r';
    const circle = 'c1 step.started noseq <- c2\nc2 step.started noseq <- c1';
    const problems = drawIndex([...holes, ...twice, missing, circle].join('\n')).problems();
    const countOf = (code: string): number =>
      problems.filter((problem) => problem.code === code).reduce((sum, { count = 1 }) => sum + count, 0);
    expect(['sequence-hole', 'repeated-number', 'dangling-cause', 'cause-cycle'].map(countOf)).toEqual([29, 30, 3, 2]);
  });

  it('R35 a kind of problem is told one by one a thousand times, then as a count', () => {
    const drawn = drawIndex(Array.from({ length: 1200 }, (_, i) => `e${i} step.started <- gone${i}`).join('\n'));
    const problems = drawn.problems().filter(({ code }) => code === 'dangling-cause');
    expect(problems).toHaveLength(1001);
    expect(problems.at(-1)?.message).toBe('200 more problems of this kind, the first at "e1000".');
    expect(problems.at(-1)?.count).toBe(200);
  });

  it('P8 reports a number used twice, but not for a repeated record', () => {
    const drawn = drawIndex(
      'a step.started seq=1\nb step.started seq=1\nb step.started seq=1 time=2026-01-01T00:00:01.000Z',
    );
    expect(told(drawn, 'repeated-number').map(({ events }) => events)).toEqual([['b', 'a']]);
  });

  it('P9 R32 R33 tells clocks that contradict causes, once for each pair', () => {
    const drawn = drawIndex(`
      worker:
        ask   step.started time=2026-01-01T01:00:00Z clock=host-a
        ask2  step.started time=2026-01-01T01:00:01Z clock=host-a
      tickets:
        made   step.started time=2026-01-01T00:00:00.500Z clock=host-b <- ask
        made2  step.started time=2026-01-01T00:00:02Z clock=host-b <- ask2
    `);
    expect(told(drawn, 'clock-contradiction').map(({ message }) => message)).toEqual([
      '2 causes have a later time than the effect, between the clocks host-a and host-b, by up to 3600 s: for example "made" and its cause "ask". Order comes from the causes; no time was changed.',
    ]);
    expect(drawn.problems().every(({ severity }) => severity === 'notice')).toBe(true);
  });

  it('P13 R15 R16 lists identity that was not recorded, as notices', () => {
    const drawn = drawIndex(`
      a  decision.made
      b  tool_call.dispatched <- a:selected_by & {"session":""}
      c  tool_call.dispatched agent=x time=noon
    `);
    expect(told(drawn, 'agent-not-recorded').map(({ events }) => events)).toEqual([['a', 'b']]);
    expect(told(drawn, 'step-not-recorded').map(({ events }) => events)).toEqual([['c']]);
    expect(told(drawn, 'time-not-readable').map(({ events }) => events)).toEqual([['c']]);
    expect(drawn.problems().every(({ severity }) => severity === 'notice')).toBe(true);
  });

  it('P13 tells of what was recorded: not of what a replay wrote or a person put in', () => {
    const drawn = drawIndex(`
      a  tool_call.dispatched
      b  tool_call.dispatched
      hindcast branch=b-1:
        b-1:0  branch.created {"parent":"main"}
        b-1:1  tool_call.dispatched origin=replayed
        b-1:2  decision.made origin=supplied & {"principal":{"id":"maya","kind":"human"}}
    `);
    const codes = ['agent-not-recorded', 'step-not-recorded'];
    expect(codes.flatMap((code) => told(drawn, code).map(({ message }) => message))).toEqual([
      '2 events that an agent originates do not name the agent.',
      '2 dispatched tool calls do not name the step that selected them.',
    ]);
  });

  it('P14 G18 a reference by clock alone is none', () => {
    const drawn = drawIndex('a tool_call.dispatched\nb tool_call.completed <- a:result_of?');
    const [results] = computeReferences(drawn.index);
    expect([results?.resolved, results?.silent]).toEqual([0, 1]);
  });

  it('P7 names the numbers that are missing on a branch, and counts those not told one by one', () => {
    const branch = drawIndex(`
      a  step.started
      hindcast branch=b-1:
        b-1:0  branch.created noseq {"parent":"main"}
        b-1:1  step.started noseq
        b-1:5  step.started noseq
    `);
    expect(told(branch, 'sequence-hole').map(({ message }) => message)).toEqual([
      'Records 2 to 4 are missing from the log of hindcast life 1, between "b-1:1" and "b-1:5".',
    ]);
    const many = drawIndex(
      Array.from({ length: 22 }, (_, i) => `h${String(i)} step.started seq=${String(i * 2)}`).join('\n'),
    );
    const last = told(many, 'sequence-hole').at(-1);
    expect(last?.message).toMatch(/has 1 more hole\.$/);
    expect(last?.events).toEqual(['h20', 'h21']);
  });

  it('P14 R17 a transition names what it consumed, and not merely what it came from', () => {
    const transitions = (as: string): unknown =>
      computeReferences(
        drawIndex(`w:\n  a step.started\n  t state.transitioned <- a:${as} {"name":"s","from":0,"to":1}`).index,
      ).find(({ name }) => name === 'transitions');
    expect(transitions('consumed')).toMatchObject({ total: 1, resolved: 1, silent: 0 });
    for (const as of ['caused_by', 'informed_by', 'selected_by'])
      expect(transitions(as)).toMatchObject({ total: 1, resolved: 0, silent: 1 });
  });

  it('P14 R17 counts references resolved, dangling and silent', () => {
    const drawn = drawIndex(`
      a  decision.made agent=x
      b  tool_call.dispatched agent=x step=1 <- a:selected_by
      c  tool_call.completed <- b:result_of
      d  tool_call.completed <- gone:result_of
      e  tool_call.failed
    `);
    expect(
      computeReferences(drawn.index).map(({ unresolved, ...counts }) => ({
        ...counts,
        unresolved: drawn.names(unresolved),
      })),
    ).toEqual([
      { name: 'results', total: 3, resolved: 1, dangling: 1, silent: 1, unresolved: ['d', 'e'] },
      { name: 'actions', total: 1, resolved: 1, dangling: 0, silent: 0, unresolved: [] },
      { name: 'transitions', total: 0, resolved: 0, dangling: 0, silent: 0, unresolved: [] },
    ]);
    expect(told(drawn, 'reference-integrity').map(({ message }) => message)).toEqual([
      '2 of 3 results do not lead to the call that they answer: 1 names a record that is not in this trace, 1 names none.',
    ]);
  });

  it('R17 misses no reference to a request where requests of that kind are never recorded', () => {
    const answersOnly = drawIndex(`
      m  model_call.completed agent=x
      b  tool_call.dispatched agent=x <- m:selected_by
      c  tool_call.completed <- b:result_of
    `);
    expect(told(answersOnly, 'reference-integrity')).toEqual([]);
    const one = drawIndex('r  model_call.requested agent=x\nm  model_call.completed agent=x');
    expect(told(one, 'reference-integrity').map(({ message }) => message)).toEqual([
      'The one result does not lead to the call that it answers: 1 names none.',
    ]);
  });

  it('names the line where it is known', () => {
    const drawn = drawIndex('a step.started <- gone');
    const placeOf = (): { file: string; line: number; offset: number } => ({ file: 'x.jsonl', line: 7, offset: 12 });
    const [problem] = computeProblems({ ...drawn, placeOf });
    expect(problem?.message).toContain('"a" (line 7) names "gone"');
    expect(problem?.place).toEqual({ file: 'x.jsonl', line: 7, offset: 12 });
  });
});
