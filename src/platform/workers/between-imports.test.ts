import { describe, expect, it } from 'vitest';
import { createBetweenImports } from './between-imports.ts';

describe('work between imports', () => {
  it('begins when the last one is over, however it ended, and is told to stop when the next begins', async () => {
    const waiting: (() => void)[] = [];
    const signals: AbortSignal[] = [];
    const between = createBetweenImports(
      (signal) => Promise.reject(new Error(String(signals.push(signal)))),
      (run) => waiting.push(run),
    );
    let endFirst: () => void = () => undefined;
    const first = between.around(() => new Promise<void>((resolve) => (endFirst = resolve)));
    await between.around(() => Promise.resolve());
    expect(waiting).toEqual([]);
    endFirst();
    await first;
    waiting.shift()?.();
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
    await expect(between.around(() => Promise.reject(new Error('cut')))).rejects.toThrow('cut');
    expect(signals[0]?.aborted).toBe(true);
    const late = waiting.shift();
    await between.around(() => Promise.resolve());
    late?.();
    expect(signals).toHaveLength(1);
    waiting.shift()?.();
    expect(signals).toHaveLength(2);
  });
});
