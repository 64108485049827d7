/** Several streams: those of one run are one trace, and runs that nothing joins are others (R17). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SourceFile, TraceEntry } from '../format.ts';
import { listTraces } from '../import.ts';
import { openFiles, textToSource } from '../testing/opening.ts';

const folder = join(import.meta.dirname, '../../../../public/samples');

function sample(name: string): string {
  return readFileSync(join(folder, `${name}.hindcast.jsonl`), 'utf8');
}

function eventOf(run: string, id: string, more: object = {}): string {
  const event = {
    v: 1,
    id,
    type: 'step.started',
    run: run.repeat(32),
    branch: 'main',
    source: { component: 'worker' },
  };
  return `${JSON.stringify({ ...event, data: { name: id }, ...more })}\n`;
}

async function traces(files: readonly SourceFile[]): Promise<readonly TraceEntry[]> {
  const found = await listTraces(files);
  if (!found.ok) throw new Error(found.error.message);
  return found.value.flatMap((format) => format.traces);
}

describe('runs that were picked together', () => {
  const incident = textToSource('a.jsonl', sample('ticket-incident'));
  const wrong = textToSource('d.jsonl', sample('wrong-observation'));

  it('are traces of their own, though their producers number alike, and the chosen one is read alone', async () => {
    const found = await traces([incident, wrong]);
    expect(found.map(({ title, files }) => [title, files])).toEqual([
      ['ticket-incident', ['a.jsonl']],
      ['warranty-desk', ['d.jsonl']],
    ]);
    const { counts, problems } = await openFiles([incident, wrong], { trace: found[1]?.key });
    expect(counts).toEqual((await openFiles([wrong])).counts);
    expect(counts.input).toBe(found[1]?.records);
    expect(problems.filter(({ severity }) => severity === 'problem')).toEqual([]);
  });

  it('the streams of one run are one trace', async () => {
    const lines = sample('wrong-observation').trimEnd().split('\n');
    const parts = [0, 1].map((part) =>
      textToSource(`${String(part)}.jsonl`, `${lines.filter((_, n) => n % 2 === part).join('\n')}\n`),
    );
    expect(await traces(parts)).toEqual([]);
  });

  it.each([
    ['of one session', eventOf('a', 'e1', { session: 's' }), eventOf('b', 'e2', { session: 's' })],
    [
      'of which one is a cause in the other',
      eventOf('a', 'e1'),
      eventOf('b', 'e2', { causes: [{ event: 'e1', as: 'caused_by' }] }),
    ],
  ])('runs %s are one trace', async (_, one, other) => {
    expect(await traces([textToSource('1.jsonl', one), textToSource('2.jsonl', other)])).toEqual([]);
  });
});
