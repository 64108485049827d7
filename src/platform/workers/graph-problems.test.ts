import { expect, it } from 'vitest';
import { createIndexBuilder, eventsToSource } from '../../core/causal/index.ts';
import { drawTrace } from '../../core/model/testing/trace.ts';
import { type DigestLimits, computeGraphProblems } from './graph-problems.ts';

const digest = `sha256:${'0'.repeat(64)}`;

/** Each branch was made from the one before, and none from what is here: what is held against its base is told as different. */
const chain = drawTrace(`
  worker:
    e0 step.started
    e1 step.started
  ${Array.from(
    { length: 6 },
    (_, n) => `hindcast branch=b-${n + 1} notime noseq:
    n${n} branch.created {"parent":"${n === 0 ? 'main' : `b-${n}`}","fork":"e0","frontier":{"minus":[]}}
    o${n} replay.started {"operation":{"op_id":"${digest}","base_digest":"${digest}"}}`,
  ).join('\n  ')}`).events;

function told(limits?: DigestLimits): readonly string[] {
  const builder = createIndexBuilder();
  for (const event of chain) builder.add(event);
  const { problems } = computeGraphProblems(builder.build(), eventsToSource(chain), () => undefined, limits);
  return problems.flatMap(({ code }) => (code.startsWith('branch-base') ? [code.slice('branch-base-'.length)] : []));
}

it('P16 branches of branches are held against their bases, until all of these together are too long', () => {
  const differ = Array.from({ length: 6 }, () => 'differs');
  expect(told()).toEqual(differ);
  const shown = (count: number): readonly string[] => told({ ofOne: 100, inAll: count });
  const isLong = (word: string): boolean => word === 'not-held';
  expect(shown(1).filter(isLong)).toHaveLength(6);
  const some = shown(20).filter(isLong);
  expect(some.length).toBeGreaterThan(0);
  expect(some.length).toBeLessThan(6);
  expect(shown(1000)).toEqual(differ);
  expect(told({ ofOne: 1, inAll: 1000 }).filter(isLong)).toHaveLength(6);
});
