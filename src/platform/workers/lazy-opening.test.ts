/**
 * The library worker loads the code that opens traces when the first is opened, once, and again where that failed.
 */
import { describe, expect, it } from 'vitest';
import { err } from '../../core/base/result.ts';
import { traceId } from '../storage/index.ts';
import { createTestLibrary } from '../storage/testing/library.ts';
import { createLazyOpening, type OpeningCode } from './lazy-opening.ts';

const failure = err({ code: 'not-found', message: 'Gone.' } as const);

describe('createLazyOpening', () => {
  it('loads with the first question and never before, once for all, and again after a failure', async () => {
    const library = createTestLibrary();
    let loads = 0;
    let made = 0;
    const code: OpeningCode = {
      createOpener: () => {
        made++;
        return { open: () => Promise.resolve(failure), stream: () => Promise.resolve(failure) };
      },
      openedToReader: () => {
        throw new Error('not asked');
      },
    };
    const load = (): Promise<OpeningCode> =>
      ++loads === 1 ? Promise.reject(new Error('offline')) : Promise.resolve(code);
    const { opener } = createLazyOpening(load, { library, readSlice: library.readSlice });
    expect(loads).toBe(0);
    const id = traceId('t-1');
    await expect(opener.open(id)).rejects.toThrow('offline');
    expect(await Promise.all([opener.open(id), opener.stream(id)])).toEqual([failure, failure]);
    expect(await opener.open(id)).toEqual(failure);
    expect([loads <= 3, made]).toEqual([true, 1]);
  });
});

describe('the entry of the library worker', () => {
  it('names the code of formats, rules and shares only where it is loaded when asked for', async () => {
    const modules = import.meta.glob<string>('./*.ts', { query: '?raw', import: 'default' });
    const seen = new Set<string>();
    const open = ['./index.worker.ts'];
    for (let file = open.pop(); file !== undefined; file = open.pop()) {
      if (seen.has(file)) continue;
      seen.add(file);
      const text = (await modules[file]?.()) ?? '';
      // What is imported for its types alone is not in the build.
      for (const [, names = '', from = ''] of text.matchAll(/^(?:import|export) (?!type)([^;]*?)from '([^']+)';/gms)) {
        if (/core\/(?:audit|projections|formats|share|recovery|causal)\//.test(from))
          seen.add(`${from} by ${file}: ${names}`);
        if (from.startsWith('./')) open.push(from);
      }
    }
    expect([...seen].filter((name) => name.includes('core/'))).toEqual([]);
  });
});
