import { describe, expect, it } from 'vitest';
import { computeProblems } from './index.ts';
import { drawIndex } from './testing/drawn.ts';

function transition(name: string, versions: object, more = ''): string {
  return `${name} state.transitioned ${more} ${JSON.stringify({ name: 'case', ...versions })}`;
}

function unmade(drawing: string): readonly string[] {
  return drawIndex(drawing)
    .problems()
    .filter(({ code }) => code === 'state-version-unmade')
    .map(({ message }) => message);
}

const first = transition('a', { from: 1, to: 2 });
const second = transition('b', { from: 2, to: 3 });

describe('P15 R6 R43 versions of a state', () => {
  it('begin anywhere, and every later one was made', () => {
    expect(unmade(`w:\n  ${first}\n  ${second}`)).toEqual([]);
    expect(unmade(`w:\n  ${transition('a', { to: 1 })}\n  ${transition('b', { from: 0, to: 2 })}`)).toEqual([]);
  });

  it('consumed and made by nobody are a problem, wherever the number is wrong', () => {
    const wrong = 'Event "b" consumed version "99" of the state "case", and no record of the run made that version.';
    expect(unmade(`w:\n  ${first}\n  ${transition('b', { from: 99, to: 3 })}`)).toEqual([wrong]);
    expect(unmade(`w:\n  ${transition('a', { to: 2 })}\n  ${transition('b', { from: 99, to: 3 })}`)).toEqual([wrong]);
    // What a transition made is another version than the next consumed.
    expect(unmade(`w:\n  ${transition('a', { from: 1, to: 9 })}\n  ${second}`)).toEqual([
      'Event "b" consumed version "2" of the state "case", and no record of the run made that version.',
    ]);
    // Another state and another run have the version; that is none of this one.
    const others = `${transition('x', { name: 'other', from: 98, to: 99 })}\n  ${transition('y', { from: 98, to: 99 }, 'run=2')}`;
    expect(unmade(`w:\n  ${others}\n  ${first}\n  ${transition('b', { from: 99, to: 3 })}`)).toEqual([wrong]);
  });

  it('are told where they stand before and after each other by causes alone', () => {
    const apart = (cause: string): readonly string[] =>
      unmade(`w:\n  ${first}\nv:\n  b state.transitioned ${cause} {"name":"case","from":99,"to":3}`);
    expect(apart('<- a:caused_by')).toHaveLength(1);
    // Neither is before the other: each may begin the state.
    expect(apart('')).toEqual([]);
  });

  it('say nothing where the transition that made them may be missing', () => {
    const later = { from: 99, to: 100 };
    expect(unmade(`w:\n  ${first}\n  ${transition('b', later, 'seq=7')}`)).toEqual([]);
    expect(
      unmade(`w:\n  ${first}\n  b state.transitioned <- gone:consumed {"name":"case","from":99,"to":100}`),
    ).toEqual([]);
    expect(unmade(`w:\n  ${transition('a', { from: 1 })}\n  ${transition('b', later)}`)).toEqual([]);
    const copy = `s:\n  d share.declared {"digest":"sha256:${'0'.repeat(64)}","holes":[]}`;
    expect(unmade(`w:\n  ${first}\n  ${transition('b', later)}\n${copy}`)).toEqual([]);
  });

  it('of a branch were made on its own line', () => {
    const branch = (own: string): string => `
      w:
        ${first}
        ${second}
      hindcast branch=b-1 notime noseq:
        b-1:0 branch.created {"parent":"main","frontier":{"minus":["b"]}}
        ${own}`;
    expect(unmade(branch(transition('b-1:1', { from: 2, to: 7 })))).toEqual([]);
    expect(unmade(branch(transition('b-1:1', { from: 1, to: 7 })))).toEqual([]);
    expect(unmade(branch(transition('b-1:1', { from: 99, to: 7 })))).toEqual([
      'Event "b-1:1" consumed version "99" of the state "case", and no record that the branch "b-1" shows made that version.',
    ]);
    const mixed = drawIndex(branch(transition('b-1:1', { from: 3, to: 7 }))).problems();
    expect(mixed.filter(({ code }) => code === 'mixed-branch').map(({ events }) => events)).toEqual([['b-1:1', 'b']]);
  });

  it('of the recorded line are none that only a branch made', () => {
    expect(
      unmade(`
        w:
          ${first}
          ${transition('b', { from: 50, to: 51 })}
        hindcast branch=b-1 notime noseq:
          b-1:0 branch.created {"parent":"main","frontier":{"minus":["b"]}}
          ${transition('b-1:1', { from: 2, to: 50 })}`),
    ).toHaveLength(1);
  });

  it('G8 the version 0 is looked up once, however many states there are', () => {
    const line = (n: number): string =>
      `w:\n  a${n} state.transitioned {"name":"s${n}","to":"x"}\n  b${n} state.transitioned {"name":"s${n}","from":"y","to":"z"}`;
    const { index, source, order, branches } = drawIndex(Array.from({ length: 9 }, (_, n) => line(n)).join('\n'));
    let asked = 0;
    const labels = Object.assign([...index.columns.labels], {
      indexOf: (label: string, from?: number): number => {
        asked++;
        return index.columns.labels.indexOf(label, from);
      },
    });
    const counted = { ...index, columns: { ...index.columns, labels } };
    const problems = computeProblems({ index: counted, source, order, branches });
    expect(problems.filter(({ code }) => code === 'state-version-unmade')).toHaveLength(9);
    expect(asked).toBe(1);
  });
});
