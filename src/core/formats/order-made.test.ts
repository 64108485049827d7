/**
 * Small files made here whose records say their order themselves: reversed and shuffled they are the same trace (R18).
 */
import { describe, expect, it } from 'vitest';
import { drawTrace } from '../model/testing/trace.ts';
import { log, logRequest, request, span } from './genai/testing/otlp.ts';
import { listTraces as listFound } from './import.ts';
import { openFiles, textToSource } from './testing/opening.ts';
import { differencesOf, orders, toTold } from './testing/order.ts';
import { byType } from './testing/platforms.ts';

interface Made {
  readonly name: string;
  readonly format: string;
  /** One record, or request of one record, a line. */
  readonly lines: readonly string[];
}

const system = { content: 'You plan trips.' };
const user = { content: 'Plan mine.' };
const asks = [1, 2].map((round) => ({
  content: `Round ${String(round)}.`,
  tool_calls: ['a', 'b', 'c'].map((call) => ({
    id: `${String(round)}${call}`,
    type: 'function',
    function: { name: 'look', arguments: `{"at":"${call}"}` },
  })),
}));
const results = [1, 2].map((round) =>
  ['a', 'b', 'c'].map((call) => ({ id: `${String(round)}${call}`, content: `seen ${call} in round ${String(round)}` })),
);
const [askFirst = {}, askSecond = {}] = asks;
const [firstResults = [], secondResults = []] = results;
const wish = { content: 'And by train?' };
const answers: readonly object[] = [askFirst, askSecond, { content: 'By ship.' }, { content: 'By train.' }];

type Said = readonly [kind: string, body: object];
function toolsOf(bodies: readonly object[]): readonly Said[] {
  return bodies.map((body) => ['gen_ai.tool.message', body]);
}

/** What each request of one conversation holds, all told at one moment, as clocks of milliseconds have it. */
const requests: readonly (readonly Said[])[] = [
  [
    ['gen_ai.system.message', system],
    ['gen_ai.user.message', user],
  ],
  [['gen_ai.assistant.message', askFirst], ...toolsOf(firstResults)],
  [['gen_ai.assistant.message', askSecond], ...toolsOf(secondResults)],
  [
    ['gen_ai.assistant.message', { content: 'By ship.' }],
    ['gen_ai.user.message', wish],
  ],
];

const conversation: readonly object[] = requests.flatMap((_, n) => {
  const id = String(n + 1);
  const held = requests.slice(0, n + 1).flat();
  const choice = { index: 0, finish_reason: 'stop', message: { role: 'assistant', ...answers[n] } };
  return [...held.map(([kind, body]) => log(id, n * 100, kind, body)), log(id, n * 100 + 50, 'gen_ai.choice', choice)];
});

const words = [
  'You plan trips.',
  'Plan mine.',
  'Round 1.',
  'seen a in round 1',
  'seen b in round 1',
  'seen c in round 1',
]
  .concat(['Round 2.', 'seen a in round 2', 'seen b in round 2', 'seen c in round 2'])
  .concat(['By ship.', 'And by train?']);

const chat = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'm' };
const asked = { ...chat, 'gen_ai.input.messages': '[{"role":"user","parts":[{"type":"text","content":"go"}]}]' };
const look = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'look' };
const lookArgs = { at: 'a' };
// Two calls that nothing tells apart but when they began.
const calls = ['one', 'two'].map(() => ({ type: 'tool_call', name: 'look', arguments: lookArgs }));
const called = { 'gen_ai.output.messages': JSON.stringify([{ role: 'assistant', parts: calls }]) };
const other = 'ffffffffffffffffffffffffffffffff';
const third = 'eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee';
const failed = { status: { code: 2, message: 'busy' } };

/** Two answers under one call id, of calls that only log records tell of, and the tool that ran once. */
const reused: readonly string[] = [
  ...['a', 'b'].map((id, n) => {
    const call = { id: 'c1', type: 'function', function: { name: 'look', arguments: '{}' } };
    const message = { role: 'assistant', tool_calls: [call] };
    return logRequest(log(id, 10 - n, 'gen_ai.choice', { index: 0, finish_reason: 'tool_calls', message }));
  }),
  request(span({ id: 'c', at: 40, attributes: { ...look, 'gen_ai.tool.call.id': 'c1' } })),
];

const toFirst = { links: [{ traceId: '0123456789abcdef0123456789abcdef', spanId: '0000000000000001' }] };

const spans: readonly string[] = [
  request(span({ id: '1', name: 'plan', to: 90, attributes: { 'session.id': 'first' } })),
  request(span({ id: '2', parent: '1', at: 5, attributes: asked, more: failed })),
  request(span({ id: '3', parent: '1', at: 20, attributes: { ...asked, ...called, 'session.id': 'second' } })),
  ...['seen first', 'seen second'].map((result, n) => {
    const attributes = {
      ...look,
      'gen_ai.tool.call.arguments': JSON.stringify(lookArgs),
      'gen_ai.tool.call.result': result,
    };
    return request(span({ id: `4${String(n)}`, parent: '1', at: 40 + n, attributes }));
  }),
  // Begun under no parent that was known then, ended under one.
  request(span({ id: '5', at: 60, more: { endTimeUnixNano: undefined } })),
  request(span({ id: '5', parent: '1', at: 60 })),
  request(span({ id: '6', at: 0, trace: other, more: toFirst })),
  request(span({ id: '8', at: -5, trace: third, name: 'the first of all', more: toFirst })),
  request(span({ id: '7', at: 0, trace: other, name: 'another root', attributes: { 'session.id': 'third' } })),
  // The same record, forwarded by a collector that names another service.
  request(span({ id: '7', at: 0, trace: other, name: 'another root', attributes: { 'session.id': 'third' } })).replace(
    'shop',
    'depot',
  ),
  logRequest(log('3', 25, 'note', { text: 'seen' })),
  logRequest(log('3', 25, 'note', { text: 'seen' })).replace('shop', 'depot'),
];

function zipkin(trace: string, id: string, more: object = {}): object {
  return {
    traceId: trace,
    id,
    name: `get ${id}`,
    timestamp: 1_700_000_000_000_000,
    duration: 1000,
    localEndpoint: { serviceName: 's' },
    ...more,
  };
}

const short = ['5af7183fb1d4cf5f', '6b221d5bc9e6496c'].flatMap((trace, n) => [
  zipkin(trace, trace),
  zipkin(trace, `352bff9a74ca9ad${String(n)}`, { parentId: trace }),
]);

function temporal(number: number, type: string, attributes: object): object {
  return {
    eventId: String(number),
    eventTime: `2026-01-01T00:00:0${String(number)}Z`,
    eventType: type,
    [`${type.slice(0, 1).toLowerCase()}${type.slice(1)}EventAttributes`]: attributes,
  };
}

const started = { workflowType: { name: 'trip' }, originalExecutionRunId: '16c5fbe5-f82d-43c1-acbc-18c65c449ace' };
const told = { payloads: [{ metadata: { encoding: 'anNvbi9wbGFpbg==' }, data: 'MQ==' }] };
const history: readonly object[] = [
  temporal(1, 'WorkflowExecutionStarted', { ...started, input: told }),
  temporal(2, 'WorkflowTaskScheduled', {}),
  temporal(3, 'WorkflowTaskStarted', { scheduledEventId: '2' }),
  // As a page shows it, told beside it.
  {
    ...temporal(3, 'WorkflowTaskStarted', {}),
    workflowTaskStartedEventAttributes: undefined,
    attributes: { scheduledEventId: '2', type: 'workflowTaskStartedEventAttributes' },
  },
  temporal(4, 'WorkflowTaskCompleted', { scheduledEventId: '2', startedEventId: '3' }),
  temporal(4, 'WorkflowTaskFailed', { scheduledEventId: '2', startedEventId: '3' }),
  temporal(5, 'WorkflowExecutionCompleted', { workflowTaskCompletedEventId: '4' }),
];

function state(id: string, parent: string | undefined, second: number, next: readonly string[]): object {
  const at = (checkpoint: string): object => ({
    configurable: { thread_id: 't', checkpoint_ns: '', checkpoint_id: checkpoint },
  });
  return {
    values: { n: id },
    next,
    tasks: next.map((name) => ({ id: `${id}-${name}`, name, result: { n: name } })),
    metadata: { source: 'loop', step: second },
    config: at(id),
    createdAt: `2026-01-01T00:00:0${String(second)}Z`,
    ...(parent === undefined ? {} : { parentConfig: at(parent) }),
  };
}

function tuple(id: string, second: number, writes: readonly unknown[]): object {
  return {
    config: { configurable: { thread_id: 't', checkpoint_ns: '', checkpoint_id: id } },
    checkpoint: { id, ts: `2026-01-01T00:00:0${String(second)}Z`, channel_values: { n: id, __start__: 1 } },
    metadata: { source: 'loop', step: second },
    pendingWrites: writes,
  };
}

const thread: readonly unknown[] = [
  state('c1', undefined, 1, ['agent']),
  state('c2', 'c1', 2, []),
  tuple('c1', 1, [
    ['c1-agent', 'n', 'agent'],
    ['c1-agent', 'more', 2],
  ]),
  tuple('c2', 2, []),
  [[], 'updates', { agent: { n: 1 } }],
  [[], 'updates', { agent: { n: 2 } }],
  [[], 'updates', { agent: { n: 2 } }],
];

function claude(
  uuid: string,
  parent: string | null,
  second: number,
  content: readonly object[],
  message = 'm1',
): object {
  return {
    type: 'assistant',
    uuid,
    parentUuid: parent,
    sessionId: 's',
    timestamp: `2026-01-01T00:00:0${String(second)}.000Z`,
    message: { id: message, role: 'assistant', model: 'm', content, usage: { output_tokens: second } },
  };
}

const session: readonly object[] = [
  {
    type: 'user',
    uuid: 'u',
    parentUuid: null,
    sessionId: 's',
    timestamp: '2026-01-01T00:00:00.000Z',
    message: { role: 'user', content: 'go' },
  },
  claude('a', 'u', 1, [{ type: 'thinking', thinking: 'so' }]),
  claude('b', 'a', 2, [{ type: 'tool_use', id: 't1', name: 'Read', input: {} }]),
  claude('c', 'b', 3, [{ type: 'text', text: 'two' }]),
  claude('d', 'c', 4, [{ type: 'tool_use', id: 't2', name: 'Read', input: {} }]),
  claude('e', 'd', 5, [{ type: 'tool_use', id: 't3', name: 'Read', input: {} }], 'm2'),
  claude('f', 'e', 6, [{ type: 'text', text: 'three' }], 'm2'),
];

const copy = drawTrace(`
  worker:
    d share.declared {"digest":"sha256:${'0'.repeat(64)}","holes":[]}
    s state.transitioned {"name":"case","from":0,"to":1,"value":{"n":2},"digest":"sha256:${'1'.repeat(64)}"}`).lines;

function toLines(values: readonly unknown[]): readonly string[] {
  return values.map((value) => JSON.stringify(value));
}

const made: readonly Made[] = [
  { name: 'log records of one moment', format: 'otlp', lines: conversation.map((record) => logRequest(record)) },
  { name: 'spans of three traces, some of them twice', format: 'otlp', lines: spans },
  { name: 'answers that only log records tell of', format: 'otlp', lines: reused },
  { name: 'traces of 64 bits', format: 'zipkin', lines: toLines(short) },
  { name: 'events of a history, some told twice', format: 'temporal', lines: toLines(history) },
  { name: 'checkpoints told twice, and what a stream says besides', format: 'langgraph', lines: toLines(thread) },
  { name: 'messages on several lines', format: 'claude-code', lines: toLines(session) },
  { name: 'a copy that declares itself anywhere', format: 'hindcast', lines: copy },
];

function open(lines: readonly string[]) {
  return openFiles([textToSource('a', `${lines.join('\n')}\n`)]);
}

async function list(lines: readonly string[]): Promise<readonly unknown[]> {
  const found = await listFound([textToSource('a', `${lines.join('\n')}\n`)]);
  return found.ok ? found.value.flatMap(({ traces }) => traces).sort((a, b) => (a.key < b.key ? -1 : 1)) : [];
}

describe('order of records in files made here', () => {
  it.each(made)('R18 $name ($format)', async ({ format, lines }) => {
    const opened = await open(lines);
    expect(opened.result?.format).toBe(format);
    const straight = toTold(opened, format === 'claude-code');
    for (const order of orders) {
      const other = order.apply(lines);
      const again = toTold(await open(other), format === 'claude-code');
      expect([order.name, ...differencesOf(straight, again)]).toEqual([order.name]);
      expect([order.name, await list(other)]).toEqual([order.name, await list(lines)]);
    }
  });

  it('R18 events of traces of 64 bits have ids of their own, so that none is named by which was read first', async () => {
    const { events } = await open(toLines(short));
    const ids = events.map(({ event }) => event.id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('R18 what a stream of checkpoints says besides is of the thread in its file, whichever file is read first', async () => {
    const ofThread = (name: string): readonly unknown[] =>
      thread.slice(0, 2).map((one) => JSON.parse(JSON.stringify(one).replaceAll('"t"', `"${name}"`)) as unknown);
    const files = [
      textToSource('early.jsonl', toLines(ofThread('early')).join('\n')),
      textToSource('late.jsonl', toLines([...ofThread('late'), ...thread.slice(-3)]).join('\n')),
    ];
    const straight = toTold(await openFiles(files), false);
    expect(differencesOf(straight, toTold(await openFiles([...files].reverse()), false))).toEqual([]);
    const opened = await openFiles(files);
    const beside = byType(opened, 'langgraph.updates').map(({ run }) => run);
    const late = opened.events.find(({ event }) => event.session === 'late')?.event.run;
    expect(beside).toEqual([late, late, late]);
  });

  it('R18 messages of one moment stand as the conversation went, in whatever order their records do', async () => {
    const lines = conversation.map((record) => logRequest(record));
    for (const order of [{ name: 'as they are', apply: <T>(items: readonly T[]) => items }, ...orders]) {
      const { events, counts, result } = await open(order.apply(lines));
      const last = events
        .map(({ event }) => event)
        .find(({ id, type }) => type === 'model_call.requested' && /0{15}4$/.test(id));
      const text = JSON.stringify(last?.data);
      const places = words.map((word) => text.indexOf(`"${word}"`));
      expect([order.name, places.includes(-1), [...places].sort((a, b) => a - b)]).toEqual([order.name, false, places]);
      expect(counts).toEqual({ input: 34, mapped: 4, merged: 30, problems: 0 });
      expect(result?.missingForReplay).not.toContain('positions of issues and deliveries');
    }
  });
});
