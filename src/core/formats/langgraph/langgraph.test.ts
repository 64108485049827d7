import { describe, expect, it } from 'vitest';
import { listTraces, openFiles, traceToSource, whereFound } from '../testing/opening.ts';
import { byType, edges, expectSound, graphOf, openValue, rulesOf } from '../testing/platforms.ts';
import { rules } from './collect.ts';

function config(id: string): object {
  return { configurable: { thread_id: 't', checkpoint_ns: '', checkpoint_id: id } };
}

function snapshot(
  id: string,
  parent: string | null,
  second: number,
  values: object,
  tasks: readonly object[],
  source = 'loop',
): object {
  return {
    values,
    next: tasks.map(() => 'n'),
    tasks,
    metadata: { source, step: second, odd: 1 },
    config: config(id),
    createdAt: `2026-01-01T00:00:0${second}.000Z`,
    ...(parent === null ? {} : { parentConfig: config(parent) }),
  };
}

const ai = {
  lc: 1,
  type: 'constructor',
  id: ['m', 'AIMessage'],
  kwargs: {
    id: 'ai1',
    content: '',
    tool_calls: [{ id: 'c1', name: 'pay', args: { usd: 1 } }],
    usage_metadata: { input_tokens: 2 },
  },
};
const tool = {
  lc: 1,
  type: 'constructor',
  id: ['m', 'ToolMessage'],
  kwargs: { tool_call_id: 'c1', name: 'pay', status: 'error', content: 'declined' },
};
const history = [
  snapshot('4', '2', 4, { messages: [ai] }, [], 'update'),
  snapshot('3', '2', 3, { messages: [ai, tool] }, [{ id: 'ask', name: 'approve', interrupts: [{ value: 'ok?' }] }]),
  snapshot('2', '1', 2, { messages: [ai] }, [{ id: 'tt', name: 'tool', interrupts: [], result: { messages: [tool] } }]),
  snapshot(
    '1',
    null,
    1,
    { messages: [] },
    [{ id: 'ta', name: 'agent', interrupts: [], result: { messages: [ai] } }],
    'input',
  ),
];

describe('LangGraph', () => {
  it('tells states by change, nodes, calls, failures, questions; a second child of a checkpoint is a branch', async () => {
    const opened = await openValue(history);
    expectSound(opened);
    expect(opened.counts).toEqual({ input: 4, mapped: 4, merged: 0, problems: 0 });
    for (const rule of rulesOf(opened)) expect(rules).toHaveProperty(rule);
    const told = edges(opened);
    expect(told).toContain('ta:call:c1 -result_of-> tt:m0');
    expect(told).toContain('ta -consumed~writes-of-parent-> 2');
    expect(told).toContain('1 -consumed-> 2');
    expect(told).not.toContain('tt -consumed~writes-of-parent-> 4');
    expect(byType(opened, 'tool_call.failed')[0]?.data).toMatchObject({ tool: 'pay', error: { message: 'declined' } });
    expect(byType(opened, 'approval.requested')).toHaveLength(1);
    expect(byType(opened, 'state.transitioned').find(({ id }) => id.endsWith('/3'))?.data).toMatchObject({
      from: '2',
      to: '3',
      patch: [{ op: 'add', path: '/messages/1' }],
    });
    const [branch] = byType(opened, 'branch.created');
    expect(branch).toMatchObject({ branch: 'fork-4', data: { parent: 'main' } });
    const minus = JSON.stringify(branch?.data);
    expect(minus).toContain('/3');
    expect(minus).toContain('/tt');
    expect(minus).not.toContain('/ta');
    expect(byType(opened, 'state.transitioned').filter((event) => event.branch !== 'main')).toHaveLength(1);
  });

  it('gives the same graph in any order, and reads Python’s positional lists', async () => {
    const graph = graphOf(await openValue(history));
    expect(graphOf(await openValue([...history].reverse()))).toEqual(graph);
    const python = [
      { messages: [] },
      ['agent'],
      config('1'),
      { source: 'input', step: -1 },
      '2026-01-01T00:00:01+00:00',
      null,
      [['ta', 'agent', [], null, [], null, { messages: [ai] }]],
      [],
    ];
    const opened = await openValue([python]);
    expect(byType(opened, 'model_call.completed')[0]?.data).toMatchObject({ usage: { input_tokens: 2 } });
    expect(opened.counts).toEqual({ input: 1, mapped: 1, merged: 0, problems: 0 });
  });

  it('a task that threw says what it threw, as text or as an object', async () => {
    const task = (id: string, error: unknown): object => ({ id, name: 'pay', interrupts: [], error });
    const errors = ['PaymentError("declined")', { name: 'Declined', message: 'no money', stack: 'at x' }];
    const opened = await openValue([
      snapshot(
        '1',
        null,
        1,
        {},
        errors.map((error, n) => task(`t${n}`, error)),
      ),
    ]);
    expect(byType(opened, 'step.completed').map(({ data }) => data)).toEqual([
      { name: 'pay', error: { name: 'PaymentError', message: errors[0] } },
      { name: 'pay', error: { name: 'Declined', message: 'no money', data: errors[1] } },
    ]);
  });

  it('checkpoints that name only tasks: the node is the one that saw newer channels; answers to questions are told', async () => {
    const seen = { __input__: {}, __start__: { __start__: 1 } };
    const tuple = (id: string, parent: string | undefined, second: number, more: object): object => {
      const { values = {}, versions = seen, writes = [], source = 'loop' } = more as Readonly<Record<string, unknown>>;
      const ts = `2026-01-01T00:00:0${second}.000Z`;
      return {
        config: config(id),
        checkpoint: { id, ts, channel_values: values, versions_seen: versions },
        metadata: { source, step: second, parents: {} },
        ...(parent === undefined ? {} : { parentConfig: config(parent) }),
        pendingWrites: writes,
      };
    };
    const asked = ['t2', '__interrupt__', [{ id: 'i', value: 'ok?' }]];
    const opened = await openValue([
      tuple('1', undefined, 1, { writes: [['t1', 'log', ['a']]] }),
      tuple('2', '1', 2, {
        versions: { ...seen, agent: { x: 1 } },
        writes: [
          ['00000000-0000', '__resume__', 'yes'],
          ['t2', '__resume__', ['yes', false]],
          asked,
          ['t2', 'done', 1],
        ],
      }),
      // Two nodes ran: nothing says which task is which.
      tuple('3', '2', 3, {
        versions: { ...seen, agent: { x: 2 }, other: { y: 1 }, __interrupt__: { z: 1 } },
        values: { 'branch:to:approve': null },
        writes: [['t3', '__interrupt__', [{ value: 'sure?' }]]],
      }),
    ]);
    expectSound(opened);
    expect(byType(opened, 'step.started').map(({ agent, data }) => [agent, data?.['name']])).toEqual([
      ['agent', 'agent'],
      ['task', 'task'],
      ['approve', 'approve'],
    ]);
    expect(byType(opened, 'step.started')[0]?.imported?.extra).toMatchObject({ rule: 'node-of-versions' });
    expect(byType(opened, 'input.received').map(({ data }) => data)).toEqual([
      { name: 'answer to task', value: 'yes' },
    ]);
    expect(byType(opened, 'approval.denied').map(({ data }) => data)).toEqual([
      { name: 'task', granted: false, value: false },
    ]);
    expect(edges(opened)).toEqual(
      expect.arrayContaining(['t2:interrupt0 -result_of-> t2:answer0', 't2:answer0 -consumed-> t2']),
    );
  });
});

const files = listTraces('generated').filter((name) => name.includes('langgraph'));

describe.skipIf(files.length === 0)(`real LangGraph threads${whereFound(files)}`, () => {
  it.each(files)('%s opens whole', async (name) => {
    const opened = await openFiles([traceToSource(name)]);
    expectSound(opened);
    expect(opened.result?.format).toBe('langgraph');
    expect(opened.counts.problems).toBe(0);
  });
});

describe('other versions and envelopes (R5)', () => {
  const told = { messages: [ai] };
  /** Before tasks had results: what nodes wrote stands with the checkpoint after. */
  const older = [
    {
      ...snapshot('3', '2', 3, { messages: [ai, tool] }, []),
      next: [],
      writes: { tool: [{ messages: [tool] }, null] },
    },
    {
      ...snapshot('2', '1', 2, told, [
        { id: 't1', name: 'tool' },
        { id: 't2', name: 'tool' },
      ]),
      writes: { agent: told },
    },
    { ...snapshot('1', null, 1, { messages: [] }, [{ id: 'ta', name: 'agent' }], 'input'), writes: null },
  ].map(({ writes, ...rest }) => ({ ...rest, metadata: { source: 'loop', step: 1, writes } }));

  it('results that stand with the checkpoint after are those of the tasks before it', async () => {
    const opened = await openValue(older);
    expectSound(opened);
    const steps = byType(opened, 'step.completed').map(({ data }) => data?.['name']);
    expect(steps).toEqual(['agent', 'tool', 'tool']);
    expect(byType(opened, 'model_call.completed')).toHaveLength(1);
    const [failed] = byType(opened, 'tool_call.failed');
    expect(failed?.step).toBe('t1');
  });

  it('a state after which nothing is planned and nothing follows ends the run; a failed task fails it', async () => {
    const [completed] = byType(await openValue(older), 'run.completed');
    expect(completed?.causes).toMatchObject([{ grade: 'inferred', rule: 'end-of-graph' }]);
    expect(byType(await openValue(history), 'run.completed')).toHaveLength(0);
    const broken = [snapshot('1', null, 1, {}, [{ id: 'x', name: 'agent', error: 'TypeError: no' }])];
    const opened = await openValue(broken);
    expect(byType(opened, 'run.failed')[0]?.data).toMatchObject({ error: { name: 'TypeError' } });
    expect(byType(opened, 'run.completed')).toHaveLength(0);
  });

  it("the platform's thread states are checkpoints, one alone or a list", async () => {
    const at = (id: string): object => ({
      thread_id: 't',
      checkpoint_ns: '',
      checkpoint_id: id,
      checkpoint_map: null,
    });
    const states = [
      {
        values: { messages: [] },
        next: ['agent'],
        tasks: [{ id: 'ta', name: 'agent', result: told, state: null }],
        id: '1',
      },
      { values: told, next: [], tasks: [], id: '2', parent: '1' },
    ].map(({ id, parent, ...state }) => ({
      ...state,
      metadata: { source: 'loop', step: 1 },
      created_at: `2026-01-01T00:00:0${id}Z`,
      checkpoint: at(id),
      parent_checkpoint: parent === undefined ? null : at(parent),
      checkpoint_id: id,
      parent_checkpoint_id: parent ?? null,
    }));
    const opened = await openValue(states);
    expectSound(opened);
    expect(opened.result?.format).toBe('langgraph');
    expect(byType(opened, 'model_call.completed')).toHaveLength(1);
    expect(byType(opened, 'state.transitioned').map(({ session }) => session)).toEqual(['t', 't']);
    expect(byType(opened, 'run.completed')).toHaveLength(1);
    const alone = await openValue(states[1]);
    expect(alone.counts).toMatchObject({ input: 1, mapped: 1 });
  });
});
