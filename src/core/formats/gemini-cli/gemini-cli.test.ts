/** What Gemini CLI writes beside its chats. */
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

describe('Gemini CLI (R5)', () => {
  it('saved chats, checkpoints before a tool, logs of prompts and outputs without a screen are read', async () => {
    const history = [
      { role: 'user', parts: [{ text: 'go' }] },
      { role: 'model', parts: [{ functionCall: { name: 'write_file', args: { path: 'a' } } }] },
    ];
    for (const document of [
      { history, authType: 'key' },
      { history: [{ type: 'user', text: 'go' }], clientHistory: history, toolCall: { name: 'write_file', args: {} } },
    ]) {
      const opened = await openAs('gemini-cli', document);
      expect(byType(opened, 'input.received')).toHaveLength(1);
      expect(byType(opened, 'tool_call.dispatched')[0]?.data).toMatchObject({
        tool: 'write_file',
        args: { path: 'a' },
      });
    }
    const log = [{ sessionId: 's1', messageId: 0, type: 'user', message: 'hi', timestamp: '2025-01-01T00:00:00.000Z' }];
    expect(byType(await openAs('gemini-cli', log), 'input.received')[0]).toMatchObject({ session: 's1' });
    const output = { session_id: 's', response: 'done', stats: { models: {}, tools: {} } };
    expect(byType(await openAs('gemini-cli', output), 'run.completed')[0]?.data).toEqual({ result: 'done' });
  });

  it('an error of the API is a model call that failed', async () => {
    const messages = [
      { id: 'a', type: 'user', content: 'go', timestamp: '2025-01-01T00:00:00.000Z' },
      { id: 'b', type: 'error', content: '[API Error: quota]', timestamp: '2025-01-01T00:00:01.000Z' },
    ];
    const opened = await openAs('gemini-cli', { sessionId: 's', projectHash: 'p', messages });
    expect(byType(opened, 'model_call.failed')[0]?.data).toMatchObject({ error: { message: '[API Error: quota]' } });
  });
});
