import { describe, expect, it } from 'vitest';
import { branchId, mainBranch } from '../model/index.ts';
import { branchLabel } from './branch-labels.ts';
import { nameApart } from './name-apart.ts';

const edited = '/par:account/child:account#0/read:customers.lookup#0';
const asked = '/par:account/child:account#0/model:state-coverage#0';

describe('what a branch is called (R50)', () => {
  it('says by the names of commands what was changed and how many answers were supplied, so that stops of one work differ', () => {
    const of = (supplies: readonly string[]): string =>
      branchLabel(branchId('b-1'), {
        kind: 'edit',
        targets: [{ path: edited }],
        supplies: supplies.map((path) => ({ path })),
      });
    expect(of([])).toBe('edit of customers.lookup');
    expect(of([asked])).toBe('edit of customers.lookup, answer to state-coverage');
    expect(of([asked, '/model:draft#1'])).toBe('edit of customers.lookup, 2 answers');
    expect(branchLabel(branchId('b-1'), { kind: 'edit', targets: [{ path: '/each=b/read:price#1' }] })).toBe(
      'edit of price #2',
    );
    expect(branchLabel(branchId('b-1'), { kind: 'edit', targets: [{ path: '/write:order=k' }] })).toBe(
      'edit of order k',
    );
  });

  it('turns nothing around by what a person or a program wrote', () => {
    const operation = {
      kind: 'edit',
      targets: [{ path: '/read:a\u202eb#0' }],
      actor: { id: 'p\u2066' },
      reason: 'x\u200f',
    };
    expect(branchLabel(branchId('b-1'), operation)).toBe('edit of a\\u202eb by p\\u2066: x\\u200f');
  });

  it('tells two changed programs apart by their digests', () => {
    const of = (digest: string): string =>
      branchLabel(branchId('b-1'), { kind: 'patch', program_after: { digest: `sha256:${digest}` } });
    expect(of('1003a8bb85')).toBe('program changed to 1003a8…');
    expect(of('1003a8bb85')).not.toBe(of('77aa00bb85'));
  });

  it('gives every branch of a list a text of its own: when it was made, and its id where that is not enough', () => {
    const at = ['2026-01-01T10:00:00Z', '2026-01-01T10:05:00Z', '2026-01-01T10:05:30Z'];
    const branches = [
      { id: mainBranch, label: 'original' },
      ...at.map((time, n) => ({ id: branchId(`b-${n}`), label: 'edit of x', at: time })),
      { id: branchId('b-9'), label: 'edit of x' },
    ];
    const named = nameApart(branches, (time) => time.slice(11, 16));
    expect([...named.values()].map(({ text }) => text)).toEqual([
      'original',
      'edit of x · 10:00',
      'edit of x · 10:05 · b-1',
      'edit of x · 10:05 · b-2',
      'edit of x · b-9',
    ]);
  });
});
