import { describe, expect, it } from 'vitest';
import { missingSamples, openInTurn } from './sample-trials.ts';

describe('samples opened one after another', () => {
  it('end at the first that does not open', async () => {
    const opened: string[] = [];
    const openOne = (name: string): Promise<boolean> => {
      opened.push(name);
      return Promise.resolve(name !== 'b');
    };
    const { signal } = new AbortController();
    expect(await openInTurn(['a', 'b', 'c'], signal, openOne)).toBe('not opened');
    expect(opened).toEqual(['a', 'b']);
    expect(await openInTurn(['a', 'c'], signal, openOne)).toBe('opened');
  });

  it('end where a person cancels, while one is fetched or between two', async () => {
    for (const result of [Promise.resolve(true), Promise.resolve(false)]) {
      const controller = new AbortController();
      const seen: string[] = [];
      const end = await openInTurn(['a', 'b'], controller.signal, (name) => {
        seen.push(name);
        controller.abort();
        return result;
      });
      expect([end, seen]).toEqual(['cancelled', ['a']]);
    }
    const controller = new AbortController();
    const fail = (): Promise<boolean> => {
      controller.abort();
      return Promise.reject(new Error('aborted'));
    };
    expect(await openInTurn(['a'], controller.signal, fail)).toBe('cancelled');
    await expect(openInTurn(['a'], new AbortController().signal, fail)).rejects.toThrow('aborted');
  });
});

it('a trace of the campaign is there under whatever name it is given', () => {
  const samples = ['campaign/a.jsonl', 'campaign/b.jsonl'].map((file) => ({ file, title: file, lesson: '' }));
  expect(missingSamples(samples, [{ files: ['campaign/a.jsonl'] }]).map(({ file }) => file)).toEqual([
    'campaign/b.jsonl',
  ]);
  expect(missingSamples(samples, [{ files: ['a.jsonl'] }, { files: ['b.jsonl'] }])).toEqual([]);
});
