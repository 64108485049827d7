import { describe, expect, it } from 'vitest';
import { listTraces, openFiles, textToSource, traceToSource, whereFound, readTrace } from '../testing/opening.ts';
import { byType, edges, expectNoNewEdges, expectSound, graphOf, openLines, openValue } from '../testing/platforms.ts';
import { langsmith } from './langsmith.ts';

const root = '1efb27a4-5264-6908-9ab5-23fc3c60ae2d';
const child = '1efb27a4-5264-6908-9ab5-23fc3c60ae2e';
function dotted(...ids: readonly string[]): string {
  return ids.map((id, n) => `20260101T00000${n}000000Z${id}`).join('.');
}
function post(id: string, type: string, second: number, order: string, more: object): object {
  return {
    id,
    name: type,
    run_type: type,
    start_time: `2026-01-01T00:00:0${second}.000000`,
    trace_id: root,
    dotted_order: order,
    ...more,
  };
}
const tokens = [{ name: 'start' }, { name: 'new_token' }, { name: 'new_token' }];
const lines = [
  post(root, 'chain', 0, dotted(root), { inputs: { q: 'hi' } }),
  post(child, 'llm', 1, dotted(root, child), {
    inputs: { messages: [[{ lc: 1, type: 'constructor', id: ['HumanMessage'], kwargs: { content: 'hi' } }]] },
    events: tokens,
  }),
  {
    id: child,
    end_time: '2026-01-01T00:00:02.000000',
    outputs: {
      generations: [
        [
          {
            text: 'yo',
            message: {
              lc: 1,
              type: 'constructor',
              id: ['AIMessage'],
              kwargs: { content: 'yo', usage_metadata: { input_tokens: 3, output_tokens: 1 } },
            },
          },
        ],
      ],
    },
  },
  { id: root, end_time: '2026-01-01T00:00:03.000000', error: 'ValueError: no\nTraceback' },
];

describe('LangSmith', () => {
  it('joins POST and PATCH, finds the parent in the dotted order, and tells the failure', async () => {
    const opened = await openLines(lines);
    expectSound(opened);
    expect(opened.counts).toEqual({ input: 4, mapped: 2, merged: 2, problems: 0 });
    expect(edges(opened)).toContain(`${root}:start -caused_by-> ${child}:start`);
    expect(byType(opened, 'run.failed')[0]?.data).toMatchObject({ error: { name: 'ValueError' } });
    expect(byType(opened, 'model_call.completed')[0]?.data).toMatchObject({
      usage: { input_tokens: 3 },
      output_messages: [{ role: 'assistant', parts: [{ content: 'yo' }] }],
    });
    expect(byType(opened, 'model_call.requested')[0]?.data).toMatchObject({ input_messages: [{ role: 'user' }] });
    expect(byType(opened, 'model_call.completed')[0]?.imported?.extra).toMatchObject({
      new_token_events: 2,
      events: [{ name: 'start' }],
    });
  });

  it('says that times have no zone, and keeps them in a clock domain of their own', async () => {
    const opened = await openLines(lines);
    expect(opened.problems.map(({ code, severity }) => [code, severity])).toEqual([['time-without-zone', 'notice']]);
    expect(byType(opened, 'model_call.completed')[0]).toMatchObject({ clock: 'langsmith/zone-not-recorded' });
  });

  it('gives the same graph for any order of bodies', async () => {
    expect(graphOf(await openLines([...lines].reverse()))).toEqual(graphOf(await openLines(lines)));
  });

  it('reads batches whose PATCH has no id, and a run that never ended', async () => {
    const batch = await openValue({
      post: [post(root, 'llm', 0, dotted(root), { inputs: { model: 'm', messages: [] } })],
      patch: [
        {
          dotted_order: dotted(root),
          outputs: { choices: [{ message: { role: 'assistant', content: 'a' }, finish_reason: 'stop' }] },
          end_time: 1767225601000,
        },
      ],
    });
    expect(batch.counts).toMatchObject({ input: 2, mapped: 1, merged: 1 });
    expect(byType(batch, 'model_call.completed')[0]?.data).toMatchObject({ finish_reasons: ['stop'] });
    const open = await openLines(lines.slice(0, 2));
    expect(byType(open, 'model_call.completed')).toEqual([]);
    expect(open.events.map(({ event }) => event.type)).toContain('model_call.requested');
  });

  it('reads runs inside runs, and the counts that the service lists with a run', async () => {
    const kid = { id: '00000000-0000-4000-8000-0000000000b1', name: 'm', run_type: 'llm', inputs: { messages: [] } };
    const tree = {
      ...post(root, 'chain', 0, dotted(root), { inputs: {} }),
      child_runs: [
        {
          ...kid,
          parent_run_id: null,
          prompt_tokens: 3,
          completion_tokens: 2,
          total_tokens: 5,
          end_time: 1767225601000,
        },
      ],
    };
    const opened = await openValue(tree);
    expect(opened.counts).toEqual({ input: 2, mapped: 2, merged: 0, problems: 0 });
    expect(byType(opened, 'model_call.completed')[0]?.data).toMatchObject({
      usage: { input_tokens: 3, output_tokens: 2 },
    });
    expect(JSON.stringify(opened.events.map(({ event }) => event))).not.toContain('child_runs');
  });

  it('lists roots as traces', async () => {
    const other = post('aaaaaaaa-0000-4000-8000-000000000001', 'chain', 1, '', { trace_id: undefined, inputs: {} });
    const listed = await langsmith.list?.(
      [textToSource('x', [...lines, other].map((line) => JSON.stringify(line)).join('\n'))],
      {},
    );
    expect(listed).toMatchObject([
      { key: root, records: 4 },
      { key: 'aaaaaaaa-0000-4000-8000-000000000001', records: 1 },
    ]);
  });
});

const files = listTraces('langsmith').filter((name) => !name.includes('bench_inputs'));

describe.skipIf(files.length === 0)(`real LangSmith runs${whereFound(files)}`, () => {
  it.each(files)('%s opens whole; cut and doubled, it invents nothing', async (name) => {
    const whole = await openFiles([traceToSource(name)]);
    expectSound(whole);
    expect(whole.result?.format).toBe('langsmith');
    const bytes = readTrace(name);
    const cut = await openFiles([
      textToSource('cut', new TextDecoder().decode(bytes.subarray(0, Math.floor(bytes.length * 0.7)))),
    ]);
    expectSound(cut);
    const doubled = await openFiles([traceToSource(name), traceToSource(name)]);
    expectSound(doubled);
    expectNoNewEdges(doubled, whole);
    expect(doubled.events).toHaveLength(whole.events.length);
  });
});
