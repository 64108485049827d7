/** Files of OpenCode's storage, together, in any order, and each alone. */
import { describe, expect, it } from 'vitest';
import { openFiles, type Opened, textToSource } from '../testing/opening.ts';

const session = {
  id: 'ses_9',
  projectID: 'p',
  title: 'Mend',
  version: '1.1.0',
  time: { created: 1000, updated: 9000 },
};
const asked = { id: 'msg_a1', sessionID: 'ses_9', role: 'user', time: { created: 1001 } };
const words = { id: 'prt_a2', messageID: 'msg_a1', sessionID: 'ses_9', type: 'text', text: 'Mend it.' };
const answered = {
  id: 'msg_b1',
  sessionID: 'ses_9',
  role: 'assistant',
  modelID: 'm',
  providerID: 'v',
  time: { created: 1002, completed: 1009 },
  tokens: { input: 7, output: 3, reasoning: 0, cache: { read: 0, write: 0 } },
};
const call = {
  id: 'prt_b2',
  messageID: 'msg_b1',
  sessionID: 'ses_9',
  type: 'tool',
  tool: 'bash',
  callID: 'c1',
  state: { status: 'error', input: { command: 'ls' }, error: 'no such file', time: { start: 1003, end: 1004 } },
};
const finish = {
  id: 'prt_b3',
  messageID: 'msg_b1',
  sessionID: 'ses_9',
  type: 'step-finish',
  reason: 'tool-calls',
  tokens: answered.tokens,
};
const todo = [{ content: 'Mend', status: 'pending' }];
const documents: readonly (readonly [string, unknown])[] = [
  ['storage/message/ses_9/msg_a1.json', asked],
  ['storage/message/ses_9/msg_b1.json', answered],
  ['storage/part/msg_a1/prt_a2.json', words],
  ['storage/part/msg_b1/prt_b2.json', call],
  ['storage/part/msg_b1/prt_b3.json', finish],
  ['storage/session/p/ses_9.json', session],
  ['storage/todo/ses_9.json', todo],
];

async function open(list: readonly (readonly [string, unknown])[]): Promise<Opened> {
  const opened = await openFiles(list.map(([name, value]) => textToSource(name, JSON.stringify(value, null, 2))));
  expect(opened.error).toBeUndefined();
  const { input, mapped, merged, problems } = opened.counts;
  expect(input).toBe(mapped + merged + problems);
  expect(opened.result?.format).toBe('opencode');
  return opened;
}

function tell({ events }: Opened): readonly string[] {
  return events.map(({ event }) => `${event.id} ${event.type}`).sort();
}

describe("OpenCode's storage (R5, R6)", () => {
  it('is one session: words of a person, an answer with its call and error, counts told once, and what stands beside', async () => {
    const opened = await open(documents);
    expect(opened.counts).toEqual({ input: 7, mapped: 5, merged: 2, problems: 0 });
    const events = opened.events.map(({ event }) => event);
    const of = (type: string) => events.filter((event) => event.type === type);
    expect(new Set(events.map(({ run }) => run)).size).toBe(1);
    expect(of('input.received')[0]?.data).toMatchObject({ value: [{ text: 'Mend it.' }] });
    const [answer, another] = of('model_call.completed');
    expect(another).toBeUndefined();
    expect(answer?.data).toMatchObject({
      usage: { input_tokens: 7, output_tokens: 3 },
      finish_reasons: ['tool-calls'],
    });
    expect(answer?.causes).toMatchObject([{ event: of('input.received')[0]?.id, as: 'consumed' }]);
    expect(of('tool_call.failed')[0]?.data).toMatchObject({ error: { message: 'no such file' } });
    expect(of('opencode.document')[0]?.session).toBe('ses_9');
    expect(opened.problems).toEqual([]);
    expect(tell(await open([...documents].reverse()))).toEqual(tell(opened));
  });

  it.each([
    ['session', session, 'run.started', undefined],
    ['message of the model', answered, 'model_call.completed', 'parts-elsewhere'],
    ['part of a message', call, 'tool_call.failed', 'message-elsewhere'],
    ['words of nobody known', words, 'opencode.part', 'message-elsewhere'],
  ])('opens a %s alone, and says which files hold the rest', async (_name, value, type, note) => {
    const opened = await open([['a.txt', value]]);
    expect(opened.counts).toEqual({ input: 1, mapped: 1, merged: 0, problems: 0 });
    expect(opened.events.map(({ event }) => event.type)).toContain(type);
    expect(opened.problems.filter(({ code }) => code.endsWith('elsewhere')).map(({ code }) => code)).toEqual(
      note === undefined ? [] : [note],
    );
  });
});
