/** `hindcast compare`: two files, two runs of one file, exit codes, and what is told where there is nothing to compare with. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CompareSettings, runCompare } from './compare.ts';

const sample = join(import.meta.dirname, '../../public/samples/wrong-observation.hindcast.jsonl');
const settings: CompareSettings = { json: false, acceptFuture: false, allowHuge: false };
const otherRun = 'b'.repeat(32);
let folder = '';
let lines: readonly string[] = [];
let run = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hindcast-compare-'));
  lines = (await readFile(sample, 'utf8')).trimEnd().split('\n');
  run = /"run":"([^"]+)"/.exec(lines[0] ?? '')?.[1] ?? '';
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

async function write(name: string, text: readonly string[]): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, `${text.join('\n')}\n`);
  return path;
}

/** The last answer of a tool says something else: its number grows by one. */
function alterAnswer(line: string): string {
  return line.replace(/("result":\{.*?":)(\d+)/, (_, before: string, n: string) => `${before}${String(Number(n) + 1)}`);
}

describe('compare (R50)', () => {
  it('a file with itself is the same, and exits 0', async () => {
    const copy = await write('copy.jsonl', lines);
    const { code, out } = await runCompare([sample, copy], settings);
    expect(out).toContain('They are the same.\nBoth began with the same input.');
    expect(code).toBe(0);
  });

  it('an answer that differs is named with command, place and both values, and exits 1', async () => {
    const at = lines.findIndex((line) => alterAnswer(line) !== line);
    expect(at).toBeGreaterThan(0);
    const path = /"path":"([^"]+)"/.exec(lines[at] ?? '')?.[1] ?? '';
    const other = await write('other.jsonl', lines.with(at, alterAnswer(lines[at] ?? '')));
    const { code, out = '' } = await runCompare([sample, other], { ...settings, json: true });
    const report: unknown = JSON.parse(out);
    expect(report).toMatchObject({
      here: { file: sample, run, branch: 'main' },
      there: { file: other },
      isEqual: false,
      first: { path, what: 'value', pointer: expect.stringMatching(/^\//) },
      counts: { changed: 1 },
      rows: [{ path, status: 'changed' }],
      leftOut: { records: 0 },
    });
    expect(code).toBe(1);
    const told = await runCompare([sample, other], settings);
    expect(told.out).toMatch(/First difference: \S+, in its value at \/\S+: here \d+, there \d+\./);
    expect(told.out).toContain('1 changed');
  });

  it('two runs of one file are its sides, as --run names them', async () => {
    const renamed = lines.map((line) =>
      line.replaceAll(run, otherRun).replaceAll(/"(id|event)":"([^"]+)"/g, '"$1":"b-$2"'),
    );
    const both = await write('both.jsonl', [...lines, ...renamed]);
    const { code, out } = await runCompare([both], settings);
    expect(out).toContain(`here : ${both}, run ${run} (the first of 2 runs`);
    expect(out).toContain(`run ${otherRun} (one of 2 runs`);
    expect([code, out?.includes('They are the same.')]).toEqual([0, true]);
    const turned = await runCompare([both], { ...settings, json: true, run: `${otherRun},${run}` });
    expect(JSON.parse(turned.out ?? '')).toMatchObject({ here: { run: otherRun }, there: { run } });
  });

  it('one run and nothing beside it is refused with what can be named', async () => {
    const { code, problem } = await runCompare([sample], settings);
    expect(code).toBe(2);
    expect(problem).toContain('Name a second file, two runs (--run A,B), or a branch (--branch B).');
    const unknown = await runCompare([sample], { ...settings, branch: 'b-none' });
    expect([unknown.code, unknown.problem]).toEqual([2, expect.stringContaining('no branch b-none')]);
  });
});
