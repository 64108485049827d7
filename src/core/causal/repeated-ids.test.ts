/** G6, G8: one id in very many records. What is counted is how much is read for it, which a slow machine does not change. */
import { describe, expect, it } from 'vitest';
import { type HindcastEvent, branchId, parseEvent } from '../model/index.ts';
import { drawnRun } from '../model/testing/trace.ts';
import {
  computeProblems,
  createBranches,
  createIndex,
  createIndexBuilder,
  createOrder,
  eventsToSource,
} from './index.ts';
import { eventsToIndex } from './testing/drawn.ts';

const runs = 2000;

function event(n: number, fields: Readonly<Record<string, unknown>>): HindcastEvent {
  const source = { component: 'worker', instance: String(n) };
  const parsed = parseEvent({ v: 1, type: 'note.made', run: drawnRun(n), branch: 'main', source, data: {}, ...fields });
  if (!parsed.ok) throw new Error(parsed.error.message);
  return parsed.value;
}

/** Each run has a record of the same id, and one that names it as its cause. */
const alike: readonly HindcastEvent[] = Array.from({ length: runs }, (_, n) => [
  event(n + 1, { id: 'a' }),
  event(n + 1, { id: `b${n}`, causes: [{ event: 'a', as: 'caused_by' }] }),
]).flat();

describe('one id in many runs', () => {
  it('G6 G8 a cause means the record of its own run, and is one look-up', () => {
    const builder = createIndexBuilder();
    for (const one of alike) builder.add(one);
    const columns = builder.toColumns();
    let read = 0;
    const run = new Proxy(columns.contexts.run, {
      get: (target, key): unknown => {
        read++;
        return Reflect.get(target, key);
      },
    });
    const index = createIndex({ ...columns, contexts: { ...columns.contexts, run } });
    for (let n = 0; n < runs; n++) expect(index.causesOf(2 * n + 1).map(({ from }) => from)).toEqual([2 * n]);
    expect(read).toBeLessThan(20 * runs);
  });

  it('G8 P2 is told once, and no list of its records is read for each of them', () => {
    const index = eventsToIndex(alike);
    const source = eventsToSource(alike);
    let read = 0;
    const occurrences = (id: string): readonly number[] => {
      const all = index.occurrences(id);
      read += all.length;
      return all;
    };
    const told = computeProblems({
      index: { ...index, occurrences },
      source,
      order: createOrder(index),
      branches: createBranches(index, source),
      placeOf: (at) => ({ file: `f${at}`, line: 1, offset: 0 }),
    });
    expect(told.map(({ code, severity, count }) => [code, severity, count])).toEqual([
      ['id-in-several-runs', 'notice', runs - 1],
    ]);
    expect(read).toBeLessThan(20 * runs);
  });

  it('G6 G8 G30 a branch of each run leaves out the record of its own, and no list of all of them is read for it', () => {
    const created = (n: number): HindcastEvent =>
      event(n, {
        id: `b-${n}:0`,
        type: 'branch.created',
        branch: `b-${n}`,
        data: { parent: 'main', fork: 'a', frontier: { base: 'main', minus: ['a'] } },
      });
    const events = [...alike, ...Array.from({ length: runs }, (_, n) => created(n + 1))];
    const index = eventsToIndex(events);
    let read = 0;
    const run = (position: number): string => {
      read++;
      return index.run(position);
    };
    const branches = createBranches({ ...index, run }, eventsToSource(events));
    for (let n = 0; n < runs; n++) {
      expect(branches.leftOut(branchId(`b-${n + 1}`))).toEqual([2 * n]);
      expect(branches.forkOf(branchId(`b-${n + 1}`))).toBe(2 * n);
      expect(branches.shows(branchId(`b-${n + 1}`), 2 * n)).toBe(false);
    }
    expect(read).toBeLessThan(20 * runs);
  });
});
