/** Traces, observations and scores that were exported apart from each other. */
import { describe, expect, it } from 'vitest';
import { openFiles, textToSource } from '../testing/opening.ts';
import { byType, expectSound, graphOf, openLines, openValue } from '../testing/platforms.ts';

const time = '2025-01-01T00:00:00.000Z';
const trace = {
  id: 't1',
  timestamp: time,
  name: 'agent',
  input: { q: 'x' },
  output: { a: 'y' },
  sessionId: 's',
  userId: null,
  tags: [],
  public: false,
  htmlPath: '/project/p/traces/t1',
  observations: ['o1'],
  scores: ['s1'],
};
const other = { ...trace, id: 't2', name: 'other', output: null, observations: [], scores: [] };
const observation = {
  id: 'o1',
  traceId: 't1',
  type: 'GENERATION',
  name: 'llm',
  startTime: '2025-01-01T00:00:00.100Z',
  endTime: '2025-01-01T00:00:00.900Z',
  parentObservationId: null,
  modelParameters: {},
  input: [{ role: 'user', content: 'x' }],
  output: { role: 'assistant', content: 'y' },
};
const score = {
  id: 's1',
  traceId: 't1',
  name: 'quality',
  value: 1,
  source: 'API',
  timestamp: time,
  dataType: 'NUMERIC',
};

describe('Langfuse traces without observations (R5)', () => {
  it('a trace alone is what came in and what came out, and says which observations it lacks', async () => {
    const opened = await openValue(trace);
    expectSound(opened);
    expect(opened.counts).toEqual({ input: 1, mapped: 1, merged: 0, problems: 0 });
    expect(opened.events.map(({ event: { type, data } }) => [type, data])).toMatchObject([
      ['run.started', { input: { q: 'x' } }],
      ['run.completed', { result: { a: 'y' } }],
    ]);
    expect(opened.problems).toMatchObject([{ code: 'observations-not-opened', severity: 'notice' }]);
    expect(opened.result?.missingForReplay).toContain('the observations of model calls');
  });

  it('a list, lines and a page of them are the same traces', async () => {
    const listed = await openValue([trace, other]);
    expect(byType(listed, 'run.started').map(({ data }) => data?.['program'])).toEqual([
      { name: 'agent' },
      { name: 'other' },
    ]);
    expect(byType(listed, 'run.completed')).toHaveLength(1);
    expect(graphOf(await openLines([trace, other]))).toEqual(graphOf(listed));
    const page = await openValue({ data: [trace, other], meta: { page: 1, totalItems: 2 } });
    expect(page.counts).toEqual({ input: 3, mapped: 3, merged: 0, problems: 0 });
    expect(byType(page, 'run.started')).toHaveLength(2);
    expect(byType(page, 'run.completed')).toHaveLength(1);
  });

  it('scores of a file of their own stand on their trace', async () => {
    const opened = await openValue([score]);
    expect(byType(opened, 'annotation.made')[0]?.data).toMatchObject({ label: 'quality', target: 't1' });
  });

  it('traces, observations and scores opened together are whole, in any order', async () => {
    const files = [[trace, other], [observation], [score]].map((value, n) =>
      textToSource(`${n}`, JSON.stringify(value)),
    );
    const opened = await openFiles(files);
    expect(opened.counts).toEqual({ input: 4, mapped: 4, merged: 0, problems: 0 });
    expect(opened.problems.filter(({ code }) => code === 'observations-not-opened')).toEqual([]);
    expect(byType(opened, 'model_call.completed')).toHaveLength(1);
    expect(byType(opened, 'run.completed')[0]?.causes).toMatchObject([{ rule: 'outcome-of-root' }]);
    expect(graphOf(await openFiles(files.toReversed()))).toEqual(graphOf(opened));
  });
});
