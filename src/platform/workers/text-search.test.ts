/**
 * A search with pauses: others have their turn, nobody waits twice for one text, and one that nobody waits for ends.
 */
import { describe, expect, it } from 'vitest';
import { bitsToPositions } from '../../core/causal/index.ts';
import type { Body } from '../storage/index.ts';
import { createTextSearch, type TextProgress } from './text-search.ts';

function bodyOf(lines: readonly string[]): { readonly body: Body; readonly log: string[] } {
  const log: string[] = [];
  const body: Body = {
    count: lines.length,
    line: (position) => lines[position] ?? '',
    *search(needle, found) {
      for (const [i, line] of lines.entries()) {
        log.push(`${needle} ${i}`);
        if (line.toLowerCase().includes(needle)) found(i);
        yield { bytes: i + 1, bytesTotal: lines.length };
      }
    },
  };
  return { body, log };
}

function signal(): AbortSignal {
  return new AbortController().signal;
}

describe('createTextSearch', () => {
  it('answers others between two stretches, and then at once', async () => {
    const { body, log } = bodyOf(['One', 'two', 'one more']);
    const search = createTextSearch(body, ['branch ONE']);
    const told: number[] = [];
    await search.prepare('one', {
      signal: signal(),
      pause: () => Promise.resolve(void log.push('other')),
      onProgress: ({ found }) => told.push(found),
    });
    expect(log).toEqual(['other', 'one 0', 'other', 'one 1', 'other', 'one 2', 'other']);
    expect(told).toEqual([1, 1, 2]);
    expect([...bitsToPositions(search.find('one'))]).toEqual([0, 2, 3]);
    expect(log).toHaveLength(7);
  });

  it('runs once for all who wait, and goes on for the one who stays', async () => {
    const { body, log } = bodyOf(['a', 'b']);
    const search = createTextSearch(body, []);
    const leaving = new AbortController();
    const pause = (): Promise<void> => Promise.resolve();
    const first = search.prepare('a', { signal: leaving.signal, pause });
    const second = search.prepare('a', { signal: signal(), pause });
    leaving.abort();
    await Promise.all([first, second]);
    expect(log).toEqual(['a 0', 'a 1']);
    expect([...bitsToPositions(search.find('a'))]).toEqual([0]);
  });

  it('tells every one who waits how far it is and what it found first, also who joined later and stays alone', async () => {
    const { body } = bodyOf(['a1', 'b', 'a2', 'a3']);
    const search = createTextSearch(body, []);
    const heard: string[] = [];
    const leaving = new AbortController();
    const hear = (name: string) => ({
      onProgress: ({ bytes, bytesTotal, found }: TextProgress) =>
        heard.push(`${name} ${bytes}/${bytesTotal}: ${found}`),
      onFound: (position: number) => heard.push(`${name} has ${position}`),
    });
    let second: Promise<void> = Promise.resolve();
    let turns = 0;
    const pause = (): Promise<void> => {
      if (turns++ === 2) {
        second = search.prepare('a', { ...hear('second'), signal: signal(), pause });
        leaving.abort();
      }
      return Promise.resolve();
    };
    await search.prepare('a', { ...hear('first'), signal: leaving.signal, pause });
    await second;
    expect(heard).toEqual([
      ...['first has 0', 'first 1/4: 1', 'first 2/4: 1', 'second has 0'],
      ...['second has 2', 'second 3/4: 2', 'second has 3', 'second 4/4: 3'],
    ]);
  });

  it('ends when nobody waits any more', async () => {
    const { body, log } = bodyOf(['a', 'b', 'c']);
    const search = createTextSearch(body, []);
    const only = new AbortController();
    await search.prepare('a', {
      signal: only.signal,
      pause: () => {
        if (log.length === 1) only.abort();
        return Promise.resolve();
      },
    });
    expect(log).toEqual(['a 0']);
  });
});
