import { expect, it } from 'vitest';
import { eventId } from '../../core/model/index.ts';
import type { ReplayReport } from '../../data/index.ts';
import { pairStates } from './state-pairs.ts';

it('a version that is not written is removed where the branch came to its end, and not reached before that', () => {
  const version = (to: string, more = {}) => ({ event: eventId(`w:${to}`), to, changes: [], ...more });
  const recorded = [
    {
      name: 'case',
      versions: [
        version('1', { digest: 'sha256:a', value: 1 }),
        version('2', { digest: 'sha256:b' }),
        version('3'),
        version('4', { value: 4 }),
      ],
    },
  ];
  const step = (to: number, digest: string): ReplayReport['states'][number] => ({
    path: `/state:case#${to}`,
    name: 'case',
    from: to - 1,
    to,
    count: to,
    value: to,
    // Cast: a brand for the test.
    digest: digest as ReplayReport['states'][number]['digest'],
  });
  const states = [step(1, 'sha256:a'), step(2, 'sha256:other'), step(3, 'sha256:c'), step(5, 'sha256:e')];
  const wordsOf = (status: 'completed' | 'open') =>
    pairStates(recorded, { states, outcome: { status, equalsRecorded: false } }).map((one) => [one.version, one.word]);
  expect(wordsOf('completed')).toEqual([
    ['1', 'the same'],
    ['2', 'differs'],
    ['3', 'before not recorded'],
    ['4', 'removed'],
    ['5', 'only on this branch'],
  ]);
  expect(wordsOf('open')[3]).toEqual(['4', 'not reached']);
});
