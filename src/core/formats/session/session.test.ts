import { describe, expect, it } from 'vitest';
import type { HindcastEvent } from '../../model/index.ts';
import {
  bytesToSource,
  listTraces,
  openFiles,
  type Opened,
  readTrace,
  textToSource,
  traceToSource,
  whereFound,
} from '../testing/opening.ts';
import { loopRules } from '../loop/rules.ts';
import { sessionRules } from './rules.ts';

function item(second: number, payload: object, type = 'response_item'): string {
  return JSON.stringify({ timestamp: `2026-01-01T00:00:${String(second).padStart(2, '0')}.000Z`, type, payload });
}

function meta(id: string, more: object = {}): string {
  return item(0, { id, cli_version: '0.60.0', ...more }, 'session_meta');
}

function says(second: number, text: string): string {
  return item(second, { type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] });
}

function asks(second: number, text: string): string {
  return item(second, { type: 'message', role: 'user', content: [{ type: 'input_text', text }] });
}

function calls(second: number, id: string, name: string, args: object): string {
  return item(second, { type: 'function_call', call_id: id, name, arguments: JSON.stringify(args) });
}

function answers(second: number, id: string, output: unknown): string {
  return item(second, { type: 'function_call_output', call_id: id, output });
}

function counted(second: number, total: number, last: number): string {
  const info = {
    total_token_usage: { total_tokens: total, output_tokens: total },
    last_token_usage: { input_tokens: last, output_tokens: 1 },
  };
  return item(second, { type: 'token_count', info }, 'event_msg');
}

async function open(...lines: readonly string[]): Promise<Opened> {
  return openFiles([textToSource('a', `${lines.join('\n')}\n`)]);
}

function byType({ events }: Opened, type: string): readonly HindcastEvent[] {
  return events.map(({ event }) => event).filter((event) => event.type === type);
}

function name(id: string): string {
  return id.slice(id.indexOf('/') + 1);
}

function edges({ events }: Opened): readonly string[] {
  return events
    .flatMap(({ event }) =>
      (event.causes ?? []).map(({ event: from, as, rule, grade }) => {
        const how = rule === undefined ? '' : ` ~${rule}${grade === 'clock-only' ? ' by clock' : ''}`;
        return `${name(from)} -${as}${how}-> ${name(event.id)}`;
      }),
    )
    .sort();
}

function sum({ events }: Opened): number {
  return events.reduce(
    (total, { event }) => total + (event.type === 'model_call.completed' ? (event.data.usage?.input_tokens ?? 0) : 0),
    0,
  );
}

describe('answers of the model', () => {
  const turn = [
    meta('s'),
    asks(1, 'go'),
    calls(2, 'c1', 'shell', { command: ['ls'] }),
    calls(2, 'c2', 'weather', {}),
    answers(3, 'c1', 'a.txt'),
    answers(4, 'c2', 'sun'),
    says(5, 'done'),
  ];

  it('items that follow one another are one answer; its parallel calls come of one decision', async () => {
    const opened = await open(...turn);
    expect(byType(opened, 'model_call.completed')).toHaveLength(2);
    expect(byType(opened, 'decision.made')[0]?.data).toMatchObject({ chosen: [{ call_id: 'c1' }, { call_id: 'c2' }] });
    expect(edges(opened)).toEqual(
      expect.arrayContaining([
        'model:c1 -consumed-> decision:c1',
        'decision:c1 -selected_by-> call:c1',
        'decision:c1 -selected_by ~items-of-answer-> call:c2',
        'call:c1 -result_of-> result:c1',
        'call:c2 -result_of-> result:c2',
      ]),
    );
  });

  it('the next answer had both results in its context, and the prompt before is that of the first', async () => {
    const opened = await open(...turn);
    const [first, second] = byType(opened, 'model_call.completed');
    const consumed = (event: HindcastEvent | undefined) =>
      (event?.causes ?? []).filter(({ as }) => as === 'consumed').map((cause) => name(cause.event));
    expect(consumed(second)).toEqual(['result:c1', 'result:c2']);
    expect(consumed(first)).toHaveLength(1);
    expect(consumed(first)).not.toContain('result:c1');
  });

  it('R17 the order of lines in other places changes no recorded edge and no id of calls and results', async () => {
    const recorded = (opened: Opened) => edges(opened).filter((edge) => !edge.includes('~'));
    const mixed = await open(...[...turn].reverse());
    const known = recorded(await open(...turn));
    expect(recorded(mixed).filter((edge) => edge.includes('result_of'))).toEqual(
      known.filter((edge) => edge.includes('result_of')),
    );
  });

  it('a log that its times contradict is used in the order of times, and its edges say so', async () => {
    const mixed = await open(...[...turn].reverse());
    expect(mixed.problems.map(({ code }) => code)).toContain('order-by-time');
    const ordered = edges(mixed).filter((edge) => edge.includes('context-since-call'));
    expect(ordered.length).toBeGreaterThan(0);
    expect(ordered.every((edge) => edge.includes('by clock'))).toBe(true);
  });

  it('a result without an open call of its id stays, and no edge is made up', async () => {
    const opened = await open(meta('s'), asks(1, 'go'), answers(2, 'lost', 'x'));
    expect(byType(opened, 'tool_call.completed')).toHaveLength(1);
    expect(edges(opened).filter((edge) => edge.includes('result_of'))).toEqual([]);
  });

  it('an id used for two different calls: both are kept, and results are joined by rule', async () => {
    const opened = await open(
      meta('s'),
      calls(1, 'x', 'shell', { command: 'one' }),
      answers(2, 'x', '1'),
      calls(3, 'x', 'shell', { command: 'two' }),
      answers(4, 'x', '2'),
    );
    expect(new Set(byType(opened, 'tool_call.dispatched').map(({ id }) => id)).size).toBe(2);
    expect(
      edges(opened)
        .filter((edge) => edge.includes('result_of'))
        .every((edge) => edge.includes('reused-call-id')),
    ).toBe(true);
  });
});

describe('token counts', () => {
  it('one told again is not summed, before the answer or after it', async () => {
    const before = await open(meta('s'), asks(1, 'go'), counted(2, 10, 10), says(3, 'hi'), counted(4, 10, 10));
    expect(sum(before)).toBe(10);
    expect(before.counts.mapped + before.counts.merged).toBe(before.counts.input);
    const after = await open(
      meta('s'),
      asks(1, 'go'),
      says(2, 'hi'),
      counted(3, 10, 10),
      asks(4, 'more'),
      says(5, 'yes'),
      counted(6, 30, 20),
    );
    expect(
      byType(after, 'model_call.completed').map(
        ({ data }) => (data as { usage?: { input_tokens?: number } }).usage?.input_tokens,
      ),
    ).toEqual([10, 20]);
  });

  it('one that belongs to no call is an event of its own', async () => {
    const opened = await open(meta('s'), counted(2, 10, 10));
    expect(byType(opened, 'codex.event.token_count')).toHaveLength(1);
  });
});

describe('words for the screen', () => {
  const shown = (second: number, message: string) => item(second, { type: 'agent_message', message }, 'event_msg');

  it('are folded into the record that says the same, each into one', async () => {
    const opened = await open(
      meta('s'),
      asks(1, 'go'),
      shown(2, 'hi'),
      says(2, 'hi'),
      asks(3, 'again'),
      says(4, 'hi'),
      shown(5, 'hi'),
    );
    expect(byType(opened, 'model_call.completed')).toHaveLength(2);
    expect(opened.counts).toMatchObject({ merged: 2, problems: 0 });
  });

  it('are the answer where nothing else says it', async () => {
    const opened = await open(meta('s'), asks(1, 'go'), shown(2, 'only here'));
    expect(byType(opened, 'model_call.completed')[0]?.data).toMatchObject({
      output_messages: [{ parts: [{ content: 'only here' }] }],
    });
  });
});

describe('sub-agents in files of their own', () => {
  const child = [
    meta('child', { agent_nickname: 'Ada', source: { subagent: { thread_spawn: { parent_thread_id: 'parent' } } } }),
    asks(3, 'look'),
    says(4, 'found'),
  ].join('\n');
  const parent = [
    meta('parent'),
    asks(1, 'go'),
    calls(2, 'sp', 'spawn_agent', { message: 'look' }),
    answers(2, 'sp', JSON.stringify({ agent_id: 'child' })),
    calls(5, 'w', 'wait_agent', { targets: ['child'] }),
    answers(6, 'w', JSON.stringify({ status: { child: { completed: { message: 'found' } } } })),
  ].join('\n');

  it.each([[[parent, child]], [[child, parent]]])(
    'are joined to the call that started them, in any order of files',
    async (texts) => {
      const opened = await openFiles(texts.map((text, n) => textToSource(`f${String(n)}`, text)));
      expect(opened.error).toBeUndefined();
      const starts = byType(opened, 'run.started');
      expect(starts).toHaveLength(2);
      const started = starts.find(({ agent }) => agent === 'Ada');
      expect(started?.causes?.map((cause) => [name(cause.event), cause.grade ?? 'recorded'])).toEqual([
        ['call:sp', 'recorded'],
      ]);
      const joined = byType(opened, 'agent.joined');
      expect(joined[0]?.causes?.map(({ as, rule }) => rule ?? as)).toEqual([
        'result_of',
        'caused_by',
        'last-message-of-agent',
      ]);
      expect(byType(opened, 'message.sent')).toHaveLength(1);
    },
  );

  it('alone, says which session is not there', async () => {
    const opened = await openFiles([textToSource('x', child)]);
    expect(opened.problems.map(({ code }) => code)).toContain('parent-session-absent');
  });
});

describe('records', () => {
  it('R13, R65 of unknown kinds are kept whole', async () => {
    const odd = item(2, { type: 'quantum', deep: { x: [1] } });
    const opened = await open(meta('s'), asks(1, 'go'), odd, item(3, { a: 1 }, 'novel_record'));
    expect(byType(opened, 'codex.item.quantum')[0]?.data).toEqual({ record: JSON.parse(odd) });
    expect(byType(opened, 'codex.novel_record')).toHaveLength(1);
  });

  it('R68 the same file twice adds nothing', async () => {
    const text = [meta('s'), asks(1, 'go'), says(2, 'hi')].join('\n');
    const once = await openFiles([textToSource('a', text)]);
    const twice = await openFiles([textToSource('a', text), textToSource('b', text)]);
    expect(twice.events.map(({ event }) => event.id)).toEqual(once.events.map(({ event }) => event.id));
    expect(twice.counts).toEqual({ input: 6, mapped: 3, merged: 3, problems: 0 });
  });

  it('R67 damaged lines are problems with their place, the others are used', async () => {
    const opened = await open(meta('s'), '{"timestamp":', asks(1, 'go'), '[1,2]', says(2, 'hi'));
    expect(opened.counts).toEqual({ input: 5, mapped: 3, merged: 0, problems: 2 });
    expect(opened.problems.filter(({ severity }) => severity === 'problem').map(({ place }) => place?.line)).toEqual([
      2, 4,
    ]);
  });

  it('holds many calls in a row', async () => {
    const lines = [meta('s'), asks(1, 'go')];
    for (let n = 0; n < 1_000; n++)
      lines.push(calls(2, `c${String(n)}`, 'shell', { n }), answers(2, `c${String(n)}`, n));
    const opened = await open(...lines);
    expect(byType(opened, 'model_call.completed')).toHaveLength(1_000);
  }, 30_000);
});

const folders = [
  'codex',
  'gemini-cli',
  'opencode',
  'mini-swe-agent',
  'swe-agent',
  'openhands',
  'other-cli',
  'shepherd',
];
const real = folders.flatMap(listTraces).filter((file) => readTrace(file).length < 300_000);
const opaque = /kimi_state|schema\.v3|BADJSONL/;

describe(`real files of coding agents${whereFound(real)}`, () => {
  it.skipIf(real.length === 0).each(real)(
    '%s: the account adds up, no id is used twice, every rule has a description',
    async (file) => {
      const opened = await openFiles([traceToSource(file)]);
      expect(opened.error === undefined).toBe(!opaque.test(file));
      const { counts, events } = opened;
      expect(counts.mapped + counts.merged + counts.problems).toBe(counts.input);
      expect(counts.problems).toBe(0);
      expect(new Set(events.map(({ event }) => event.id)).size).toBe(events.length);
      const known = new Set<string>(Object.keys({ ...sessionRules, ...loopRules }));
      for (const { event } of events) {
        for (const { rule } of event.causes ?? []) expect(rule === undefined || known.has(rule)).toBe(true);
      }
    },
  );

  it.skipIf(real.length === 0)('a file in pieces of any size gives the same trace', async () => {
    const file = 'gemini-cli/agentsessions_large.json';
    const ids = ({ events }: Opened) => events.map(({ event }) => event.id);
    expect(ids(await openFiles([bytesToSource(file, readTrace(file), 7)]))).toEqual(
      ids(await openFiles([traceToSource(file)])),
    );
  });
});
