/** Chat loops of recorded requests: which calls are turns of one conversation, and when a run stays as it came. */
import { describe, expect, it } from 'vitest';
import type { Opened } from '../testing/opening.ts';
import { openLines } from '../testing/platforms.ts';
import { requestRules } from './rules.ts';

interface Call {
  readonly id: string;
  readonly input?: readonly object[];
  readonly output?: object;
  readonly failed?: boolean;
}

const question = { role: 'user', content: 'Is it there?' };
const callsStock = {
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'c1', type: 'function', function: { name: 'stock', arguments: '{"of":"lamp"}' } }],
};
const left = { role: 'tool', tool_call_id: 'c1', content: '3 left' };
const last = { role: 'assistant', content: 'Yes.' };
const first: Call = { id: 'a', input: [question], output: callsStock };
const second: Call = { id: 'b', input: [question, callsStock, left], output: last };

function open(calls: readonly Call[], ...others: readonly object[]): Promise<Opened> {
  const spans = calls.map(({ id, input, output, failed = false }) => ({
    object: 'trace.span',
    id,
    trace_id: 'trace_1',
    parent_id: null,
    started_at: '2026-01-01T00:00:00Z',
    ended_at: '2026-01-01T00:00:01Z',
    span_data: { type: 'generation', model: 'm', input, output: output === undefined ? undefined : [output] },
    error: failed ? { message: 'busy', data: null } : null,
  }));
  return openLines([{ object: 'trace', id: 'trace_1', workflow_name: 'Shop' }, ...spans, ...others]);
}

/** The commands that have positions, in the order of these. */
function commandsOf({ events }: Opened): readonly string[] {
  return events
    .flatMap(({ event: { command } }) =>
      command?.delivered === undefined ? [] : [{ at: Number(command.delivered), path: command.path }],
    )
    .sort((one, other) => one.at - other.at)
    .map(({ path }) => path);
}

const whole = [
  '/read:conversations#0',
  '/scope:a/read:opening#0',
  '/scope:a/model:model#0',
  '/scope:a/decide:tools#0',
  '/scope:a/write:stock=c1',
  '/scope:a/model:model#1',
];

describe('the loop of recorded requests', () => {
  it('request-goes-on, result-of-request: turns are found by their words, a call without a record of its own by what came of it', async () => {
    for (const calls of [
      [first, second],
      [second, first],
    ]) {
      const opened = await open(calls);
      expect(commandsOf(opened)).toEqual(whole);
      expect(opened.result?.missingForReplay).not.toContain('positions of issues and deliveries');
      const made = opened.events.filter(({ event }) => event.id.includes(':result:'));
      expect(made.map(({ event }) => event.data)).toEqual([{ tool: 'stock', call_id: 'c1', result: '3 left' }]);
      const rules = opened.events.flatMap(({ event }) => (event.causes ?? []).flatMap(({ rule }) => rule ?? []));
      expect(rules.filter((rule) => rule in requestRules)).toEqual(
        expect.arrayContaining(['request-goes-on', 'opening-of-first-request', 'result-of-request']),
      );
    }
  });

  it('a failed request that was sent again is an attempt of the same command', async () => {
    const opened = await open([{ id: 'x', input: [question], failed: true }, first, second]);
    const models = opened.events.filter(({ event }) => event.command?.path === '/scope:a/model:model#0');
    expect(models.map(({ event: { type, command } }) => [type, command?.attempt]).sort()).toEqual([
      ['model_call.completed', 2],
      ['model_call.failed', 1],
      ['model_call.requested', 1],
      ['model_call.requested', 2],
    ]);
  });

  it('the same words twice are two conversations; an answer goes on in one of them', async () => {
    const opened = await open([first, { ...first, id: 'c' }, second]);
    expect(commandsOf(opened).filter((path) => path.includes('/model:'))).toEqual([
      '/scope:a/model:model#0',
      '/scope:a/model:model#1',
      '/scope:c/model:model#0',
    ]);
  });

  it('a run stays as it came where words come from nowhere, messages are not recorded, or nobody asked for a tool', async () => {
    const reminder = { role: 'user', content: 'Be brief.' };
    const tool = { type: 'function', name: 'audit', input: '{}', output: 'ok' };
    const lone = { object: 'trace.span', id: 't', trace_id: 'trace_1', parent_id: null, span_data: tool, error: null };
    for (const [opened, lack] of [
      [
        await open([first, { ...second, input: [question, callsStock, left, reminder] }]),
        'where some words in the requests come from',
      ],
      [await open([first, { id: 'b', output: last }]), 'the messages of some model calls'],
      [await open([first, second], lone), 'which answers asked for some of the tool calls'],
    ] as const) {
      expect(commandsOf(opened)).toEqual([]);
      expect(opened.result?.missingForReplay).toEqual(
        expect.arrayContaining([lack, 'positions of issues and deliveries']),
      );
    }
  });
});
