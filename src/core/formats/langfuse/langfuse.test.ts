import { describe, expect, it } from 'vitest';
import { listTraces, openFiles, textToSource, traceToSource, whereFound, readTrace } from '../testing/opening.ts';
import {
  byType,
  edges,
  expectNoNewEdges,
  expectSound,
  graphOf,
  openLines,
  openValue,
  rulesOf,
} from '../testing/platforms.ts';
import { rules } from '../spans/rules.ts';
import { langfuse } from './langfuse.ts';

const trace = '097f1d8982fa909b8cffb14a166ec272';

function observation(id: string, type: string, parent: string | null, second: number, more: object): object {
  const at = (s: number): string => `2026-01-01T00:00:${String(s).padStart(2, '0')}.000Z`;
  return {
    id,
    traceId: trace,
    type,
    name: id,
    parentObservationId: parent,
    startTime: at(second),
    endTime: at(second + 1),
    level: 'DEFAULT',
    ...more,
  };
}

const question = { role: 'user', content: 'weather?' };
const asked = {
  role: 'assistant',
  content: '',
  tool_calls: [{ id: 'c1', type: 'function', function: { name: 'get_weather', arguments: '{"city":"x"}' } }],
};
const answered = { role: 'tool', tool_call_id: 'c1', content: 'sunny' };
const observations = [
  observation('agent', 'AGENT', null, 0, { endTime: '2026-01-01T00:00:30.000Z', usageDetails: { input: 99 } }),
  observation('m1', 'GENERATION', 'agent', 1, {
    model: 'gpt',
    input: JSON.stringify([question]),
    output: JSON.stringify(asked),
    usageDetails: { input: 5, output: 2 },
    costDetails: { total: 0.5 },
  }),
  observation('get_weather', 'TOOL', 'agent', 3, { input: '{"city":"x"}', output: 'sunny' }),
  observation('m2', 'GENERATION', 'agent', 5, {
    model: 'gpt',
    input: [question, asked, answered],
    output: { role: 'assistant', content: 'fine' },
  }),
  observation('bad', 'TOOL', 'agent', 8, { level: 'ERROR', statusMessage: 'it broke', custom: { kept: true } }),
];
const exported = {
  trace: {
    id: trace,
    name: 'weather',
    sessionId: 's',
    input: '"hi"',
    observations: observations.map((one) => ({ ...one, input: null, output: null })),
  },
  observations,
};

it('Langfuse: lists of traces, however they are wrapped, hold their observations', async () => {
  const one = { ...exported.trace, observations };
  for (const value of [[one], [exported], { traces: [one] }]) {
    const opened = await openValue(value);
    expectSound(opened);
    expect(opened.problems.filter(({ severity }) => severity === 'problem')).toEqual([]);
    expect(byType(opened, 'model_call.completed')).toHaveLength(2);
    expect(byType(opened, 'tool_call.failed')[0]?.data).toMatchObject({ error: { message: 'it broke' } });
  }
});

describe('Langfuse', () => {
  it('tells who called what, what came back and what failed', async () => {
    const opened = await openValue(exported);
    expectSound(opened);
    expect(opened.counts).toEqual({ input: 11, mapped: 6, merged: 5, problems: 0 });
    for (const rule of rulesOf(opened)) expect(rules).toHaveProperty(rule);
    expect(edges(opened)).toEqual([
      'agent -consumed~outcome-of-root-> outcome',
      'agent:start -caused_by-> bad:start',
      'agent:start -caused_by-> get_weather:start',
      'agent:start -caused_by-> m1:start',
      'agent:start -caused_by-> m2:start',
      'agent:start -result_of-> agent',
      'bad -consumed~nested-outcome-> agent',
      'bad:start -result_of-> bad',
      'get_weather -consumed~nested-outcome-> agent',
      'get_weather -consumed~result-in-context-> m2:start',
      'get_weather:start -result_of-> get_weather',
      'm1 -consumed-> m1:decision',
      'm1 -consumed-> m2:start',
      'm1 -consumed~nested-outcome-> agent',
      'm1:decision -selected_by~call-by-arguments-> get_weather:start',
      'm1:start -result_of-> m1',
      'm2 -consumed~nested-outcome-> agent',
      'm2:start -result_of-> m2',
      'run -caused_by~run-of-trace-> agent:start',
    ]);
    expect(byType(opened, 'tool_call.failed')[0]).toMatchObject({
      data: { error: { message: 'it broke' } },
      imported: { extra: { custom: { kept: true } } },
    });
    expect(byType(opened, 'model_call.completed')[0]).toMatchObject({
      agent: 'agent',
      data: { usage: { input_tokens: 5, output_tokens: 2 }, cost: { amount: 0.5, currency: 'USD' } },
    });
    expect(byType(opened, 'model_call.requested')[1]).toMatchObject({
      data: { input_messages: [{ role: 'user' }, { role: 'assistant' }, { role: 'tool' }] },
    });
    expect(byType(opened, 'run.started')[0]).toMatchObject({ run: trace, session: 's', data: { input: 'hi' } });
  });

  it('counts of an agent are not those of a call', async () => {
    const joined = byType(await openValue(exported), 'agent.joined')[0];
    expect(joined?.data).not.toHaveProperty('usage');
    expect(joined?.imported?.extra).toMatchObject({ usage_of_inner_calls: { input: 99 } });
  });

  it('gives the same graph for any order, as a list, and as lines', async () => {
    const straight = await openValue({ observations });
    const graph = graphOf(straight);
    expect(graphOf(await openValue({ observations: [...observations].reverse() }))).toEqual(graph);
    expect(graphOf(await openValue(observations))).toEqual(graph);
    expect(graphOf(await openLines(observations))).toEqual(graph);
  });

  it('a parent in no file stays a dangling cause; a call without a parent follows the run', async () => {
    const opened = await openValue([observation('x', 'SPAN', 'gone', 1, {})]);
    expect(edges(opened)).toContain('gone:start -caused_by-> x:start');
  });

  it('inner-call: a generation inside a generation counts once', async () => {
    const opened = await openValue([
      observation('outer', 'GENERATION', null, 0, { endTime: '2026-01-01T00:00:09.000Z', usageDetails: { input: 9 } }),
      observation('inner', 'GENERATION', 'outer', 1, { usageDetails: { input: 7 } }),
    ]);
    expect(byType(opened, 'model_call.completed').map(({ id }) => id.slice(9))).toEqual(['inner']);
    expect(byType(opened, 'step.completed')[0]?.data).toMatchObject({ usage_of_inner_calls: { input: 9 } });
  });

  it('lists the traces of a file with several, and reads one of them', async () => {
    const other = observation('o', 'SPAN', null, 1, { traceId: 'ffffffff-0000-4000-8000-000000000001' });
    const file = textToSource('x', JSON.stringify([...observations, other]));
    expect(await langfuse.list?.([file], {})).toMatchObject([{ key: trace, records: 5 }, { records: 1 }]);
    const opened = await openFiles([file], { trace: 'ffffffff-0000-4000-8000-000000000001' });
    expect(opened.counts.input).toBe(1);
  });

  it('reads ingestion batches, and tells a record without identity as a problem', async () => {
    const body = { id: 'g', traceId: trace, name: 'g', startTime: '2026-01-01T00:00:01Z' };
    const opened = await openValue({
      batch: [
        { id: 'e1', type: 'generation-create', timestamp: '', body },
        {
          id: 'e2',
          type: 'generation-update',
          timestamp: '',
          body: { id: 'g', traceId: trace, endTime: '2026-01-01T00:00:02Z', output: 'a' },
        },
        { id: 'e3', type: 'generation-create', timestamp: '', body: {} },
      ],
    });
    expect(opened.counts).toMatchObject({ input: 3, mapped: 1, merged: 1, problems: 1 });
    expect(byType(opened, 'model_call.completed')).toHaveLength(1);
  });
});

describe('Langfuse records of one id', () => {
  it('are one operation: the fullest with what only the others have; where they differ both are kept', async () => {
    const one = observation('x', 'SPAN', null, 1, { version: '1', only: 'first', input: 'in', environment: 'a' });
    const other = observation('x', 'SPAN', null, 1, { version: '1', input: 'in', output: 'out', environment: 'b' });
    const begun = async (records: readonly object[]) => byType(await openValue(records), 'step.started')[0];
    const ended = async (records: readonly object[]) => byType(await openValue(records), 'step.completed')[0];
    for (const records of [
      [one, other],
      [other, one],
    ]) {
      const event = await ended(records);
      expect(event?.data).toMatchObject({ result: 'out' });
      expect(event?.imported?.extra).toMatchObject({
        environment: 'b',
        only: 'first',
        also_recorded: [{ environment: 'a' }],
      });
    }
    expect((await begun([one, other]))?.data).toMatchObject({ input: 'in' });
  });

  it('an update keeps the type of what it updates', async () => {
    const body = {
      id: 't',
      traceId: trace,
      name: 't',
      startTime: '2026-01-01T00:00:01Z',
      endTime: '2026-01-01T00:00:02Z',
    };
    const opened = await openValue({
      batch: [
        { id: 'e1', type: 'observation-create', timestamp: '', body: { ...body, type: 'TOOL' } },
        {
          id: 'e2',
          type: 'observation-update',
          timestamp: '',
          body: { id: 't', traceId: trace, type: 'TOOL', output: 'a' },
        },
      ],
    });
    expect(byType(opened, 'tool_call.completed')[0]?.data).toMatchObject({ result: 'a' });
  });

  it('scores stand at what they judge, by a person or a program', async () => {
    const score = (id: string, more: object) => ({
      id,
      traceId: trace,
      name: 'good',
      value: 1,
      source: 'API',
      ...more,
    });
    const opened = await openValue({
      trace: { id: trace, scores: [score('s1', { observationId: 'bad', authorUserId: 'eve' }), score('s2', {})] },
      observations,
    });
    const [one, other] = byType(opened, 'annotation.made');
    expect(one).toMatchObject({ data: { annotator: { id: 'eve', kind: 'human' }, target: 'bad', label: 'good' } });
    expect(one?.causes?.[0]?.event).toMatch(/\/bad$/);
    expect(other).toMatchObject({ data: { annotator: { id: 'API', kind: 'service' }, target: trace } });
    expect(other?.causes?.[0]?.event).toMatch(/\/run$/);
  });

  it('what stands beside a trace is kept with it', async () => {
    const opened = await openValue({ trace: { id: trace }, observations, note: 'exported' });
    expect(byType(opened, 'run.started')[0]?.imported?.extra).toMatchObject({ beside: { note: 'exported' } });
  });

  it('reads requests with a body, wrapped arguments, the older usage; an agent by its name alone is a step', async () => {
    const opened = await openValue([
      observation('m', 'GENERATION', null, 1, {
        input: { model: 'asked-for', messages: [question] },
        output: 'fine',
        usage: { input: 3, output: 4 },
      }),
      observation('t', 'TOOL', null, 3, { input: { input: { city: 'x' } }, output: 'a' }),
      observation('helper', 'SPAN', null, 5, { metadata: { attributes: { 'gen_ai.agent.name': 'other' } } }),
      observation('agent helper', 'SPAN', null, 7, { metadata: { attributes: { 'gen_ai.agent.name': 'helper' } } }),
    ]);
    expect(byType(opened, 'model_call.requested')[0]?.data).toMatchObject({ request_model: 'asked-for' });
    expect(byType(opened, 'model_call.completed')[0]?.data).toMatchObject({
      usage: { input_tokens: 3, output_tokens: 4 },
    });
    expect(byType(opened, 'tool_call.dispatched')[0]?.data).toMatchObject({ args: { city: 'x' } });
    expect(byType(opened, 'agent.spawned').map(({ data }) => data?.['name'])).toEqual(['helper']);
  });
});

const files = listTraces('langfuse');

describe.skipIf(files.length === 0)(`real Langfuse exports${whereFound(files)}`, () => {
  it.each(files)('%s opens whole; cut, it keeps what was before and invents nothing', async (name) => {
    const whole = await openFiles([traceToSource(name)]);
    expectSound(whole);
    expect(whole.result?.format).toBe('langfuse');
    expect(whole.problems).toEqual([]);
    const bytes = readTrace(name);
    const text = new TextDecoder().decode(bytes.subarray(0, Math.floor(bytes.length * 0.8)));
    const cut = await openFiles([textToSource('cut', text)]);
    expectSound(cut);
    expect(cut.counts.mapped).toBeGreaterThan(0);
    const doubled = await openFiles([traceToSource(name), traceToSource(name)]);
    expect(graphOf(doubled)).toEqual(graphOf(whole));
    expectNoNewEdges(doubled, whole);
  });
});
