import { describe, expect, it } from 'vitest';
import { listTraces, openFiles, textToSource, traceToSource, whereFound } from './testing/opening.ts';

async function said(value: unknown): Promise<string> {
  const { error } = await openFiles([textToSource('x', JSON.stringify(value))]);
  return error?.message ?? '';
}

describe('files that hold no run (R5)', () => {
  it('says what they are and what to open instead', async () => {
    expect(await said({ $schema: 'https://json-schema.org/draft/2020-12/schema' })).toContain('is a JSON Schema');
    expect(await said({ context: { type: 'dev.cdevents.build.finished.0.3.0' }, subject: {} })).toContain('CDEvents');
    expect(await said({ specversion: '1.0', id: '1', source: '/a', type: 'b', data: {} })).toContain('CloudEvents');
    expect(await said({ prefix: { ex: 'http://example.org/' }, wasDerivedFrom: {} })).toContain('PROV-JSON');
    expect(await said({ agentType: 'Explore', spawnDepth: 1 })).toContain('open the folder of the session');
  });

  it('says of predictions of SWE-agent that the trajectories tell the run, as lines, by task, and alone', async () => {
    const prediction = { instance_id: 'a-1', model_name_or_path: 'm', model_patch: null };
    expect(await said(prediction)).toContain('open the trajectories');
    expect(await said({ 'a-1': prediction })).toContain('open the trajectories');
    const lines = [prediction, { ...prediction, instance_id: 'a-2' }].map((one) => JSON.stringify(one)).join('\n');
    expect((await openFiles([textToSource('x', lines)])).error?.message).toContain('open the trajectories');
  });

  it('says of anything else only what its members are', async () => {
    for (const value of [{ prefix: {} }, { prefix: {}, else: {} }, { context: { type: 'x' } }, { specversion: '1.0' }])
      expect(await said(value)).toContain('of no known kind');
  });
});

const files = [...listTraces('cloudevents'), ...listTraces('prov-json')];

describe(`real ones${whereFound(files)}`, () => {
  it.skipIf(files.length === 0).each(files)('R5 %s is named', async (name) => {
    const { error } = await openFiles([traceToSource(name)]);
    expect(error?.message).toMatch(/CDEvents|PROV-JSON/);
  });
});
