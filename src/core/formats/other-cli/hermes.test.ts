/** Times of Hermes, as its versions write them. */
import { describe, expect, it } from 'vitest';
import type { HindcastEvent } from '../../model/index.ts';
import { openFiles, type Opened, textToSource } from '../testing/opening.ts';

async function openAs(format: string, value: unknown): Promise<Opened> {
  const opened = await openFiles([textToSource('a', JSON.stringify(value))]);
  expect(opened.result?.format).toBe(format);
  const { input, mapped, merged, problems } = opened.counts;
  expect([input, problems]).toEqual([mapped + merged, 0]);
  return opened;
}

function byType({ events }: Opened, type: string): readonly HindcastEvent[] {
  return events.map(({ event }) => event).filter((event) => event.type === type);
}

describe('Hermes (R6)', () => {
  it('Hermes: times in parts, counted or to the minute are read and said, and change no order; a day is no time', async () => {
    const document = {
      session_id: 's',
      platform: 'cli',
      session_start: '2026-01-01',
      messages: [
        { role: 'user', content: 'go', timestamp: '2026-01-01T10:00:05' },
        { role: 'assistant', content: 'one', timestamp: 1767261600.5 },
        { role: 'user', content: 'more', timestamp: '2026-01-01T10:00' },
        { role: 'assistant', content: 'two', timestamp: '2026-01-01T10:00:07' },
        { role: 'user', content: 'and', timestamp: 1767261601 },
        { role: 'assistant', content: 'three', timestamp: 'noon' },
      ],
    };
    const opened = await openAs('other-cli', document);
    const answers = byType(opened, 'model_call.completed');
    expect(answers.map(({ time }) => time)).toEqual(['2026-01-01T10:00:00.500Z', '2026-01-01T10:00:07Z', undefined]);
    expect(answers[2]?.imported?.extra).toEqual({ timestamp: 'noon' });
    expect(byType(opened, 'run.started')[0]?.time).toBeUndefined();
    expect(opened.problems.map(({ code }) => code)).toEqual(['time-without-zone', 'mixed-zones']);
    expect(opened.events.flatMap(({ event }) => event.causes ?? []).map(({ grade }) => grade)).not.toContain(
      'clock-only',
    );
  });
});
