import { unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { bytesToSource, openFiles, readTrace, textToSource, listTraces, whereFound } from '../testing/opening.ts';
import { byType, edges, expectSound } from '../testing/platforms.ts';

function event(kind: string, second: number, span: string, more: object): object {
  return {
    event: kind,
    uuid: `${kind}${second}`,
    span_id: span,
    timestamp: `2026-01-01T00:00:0${second}+00:00`,
    ...more,
  };
}

const call = { id: 'c1', function: 'bash', arguments: { cmd: 'ls' }, type: 'function' };
const answer = {
  model: 'm-1',
  choices: [{ message: { role: 'assistant', content: 'look', tool_calls: [call] }, stop_reason: 'tool_calls' }],
  usage: { input_tokens: 3, output_tokens: 1 },
};
const sample = {
  id: 1,
  epoch: 2,
  input: 'go',
  target: 'x',
  messages: [],
  odd: 'kept',
  attachments: { abc: 'the long text' },
  message_pool: [
    { role: 'user', content: 'attachment://abc' },
    { role: 'tool', tool_call_id: 'c1', content: 'a b' },
  ],
  events: [
    event('span_begin', 0, 's', { id: 's', type: 'agent', name: 'solver' }),
    event('model', 1, 's', {
      model: 'p/m',
      input: [],
      input_refs: [[0, 1]],
      tools: [{ name: 'bash' }],
      config: { temperature: 0 },
      output: answer,
      completed: '2026-01-01T00:00:02+00:00',
    }),
    event('tool', 3, 's', {
      id: 'c1',
      function: 'bash',
      arguments: { cmd: 'ls' },
      result: 'a b',
      completed: '2026-01-01T00:00:04+00:00',
      events: [],
    }),
    event('model', 5, 's', {
      model: 'p/m',
      input: [],
      input_refs: [[0, 2]],
      tools: [],
      config: {},
      output: { choices: [], error: 'overloaded' },
    }),
    event('state', 6, 's', { changes: [{ op: 'add', path: '/x', value: 1 }] }),
    event('brand_new', 6, 's', { what: 1 }),
    event('span_end', 7, 's', { id: 's' }),
  ],
};

describe('Inspect', () => {
  it('tells agents, model calls with messages from the pool, tools by call id, state, failures', async () => {
    const header = { version: 2, status: 'success', eval: { run_id: 'r', task: 'guess' }, plan: {} };
    const opened = await openFiles([
      textToSource('x/samples/1_epoch_2.json', JSON.stringify(sample)),
      textToSource('x/header.json', JSON.stringify(header)),
    ]);
    expectSound(opened);
    expect(opened.counts).toEqual({ input: 9, mapped: 8, merged: 1, problems: 0 });
    expect(edges(opened)).toContain('model1:decision -selected_by-> tool3:start');
    expect(edges(opened)).toContain('tool3 -consumed-> model5:start');
    expect(edges(opened)).toContain('model1 -consumed~conversation-continues-> model5:start');
    expect(byType(opened, 'model_call.requested')[0]).toMatchObject({
      agent: 'solver',
      data: { input_messages: [{ parts: [{ content: 'the long text' }] }], tool_definitions: [{ name: 'bash' }] },
    });
    expect(byType(opened, 'model_call.failed')[0]?.data).toMatchObject({ error: { message: 'overloaded' } });
    expect(byType(opened, 'state.transitioned')[0]?.data).toMatchObject({ patch: [{ path: '/x' }] });
    expect(byType(opened, 'inspect.brand_new')).toHaveLength(1);
    expect(byType(opened, 'run.started')[0]?.imported?.extra).toMatchObject({ odd: 'kept' });
    expect(opened.result?.replayGrade).toBe('needs its program');
  });

  it('nests events of older logs in the step that is open (rule open-step)', async () => {
    const events = [
      event('step', 0, '', { action: 'begin', name: 'generate' }),
      event('info', 1, '', {}),
      event('step', 2, '', { action: 'end' }),
    ].map((one) => ({ ...one, span_id: undefined, uuid: undefined }));
    const opened = await openFiles([textToSource('s', JSON.stringify({ id: 1, epoch: 1, messages: [], events }))]);
    expect(edges(opened)).toContain('event 0:start -caused_by~open-step-> event 1:start');
  });
});

const files = listTraces('inspect').filter(
  (name) => name.endsWith('_deduplication.eval') || name.endsWith('streaming.eval'),
);

describe.skipIf(files.length === 0)(`real Inspect logs${whereFound(files)}`, () => {
  it.each(files)('%s opens from its unpacked files', async (name) => {
    const parts = Object.entries(unzipSync(readTrace(name))).map(([path, bytes]) =>
      bytesToSource(`log/${path}`, bytes),
    );
    const opened = await openFiles(parts);
    expectSound(opened);
    expect(opened.result?.format).toBe('inspect');
    expect(opened.counts.problems).toBe(0);
    expect(byType(opened, 'model_call.completed').length).toBeGreaterThan(0);
  });
});
