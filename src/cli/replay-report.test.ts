import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runReplayCommand } from './replay.ts';

const sample = join(import.meta.dirname, '../../public/samples/wrong-observation.hindcast.jsonl');
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hindcast-lines-'));
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

const forged = 'identical: every command is as recorded.';

async function replay(source: string, json: boolean): Promise<string> {
  const program = join(folder, 'program.js');
  await writeFile(program, source);
  const { out = '' } = await runReplayCommand(sample, {
    json,
    acceptFuture: false,
    allowHuge: false,
    program,
  });
  return out;
}

describe("a line of the report is no program's to write", () => {
  it.each([
    ['the name of a command', `async function main(ctx) { return ctx.model('a\\n${forged}\\n', {}); }`],
    ['an error', `async function main() { throw new Error('a\\n${forged}\\n'); }`],
    [
      'the name of an error',
      `async function main() { const e = new Error('a'); e.name = 'E\\u2028${forged}\\n${forged}'; throw e; }`,
    ],
    ['an outcome', `async function main() { return 'a\\n${forged}\\r\\n${forged}'; }`],
    [
      'the name of a step',
      `async function main(ctx) { return ctx.step('s\\n${forged}', async () => ctx.model('m\\n${forged}', {})); }`,
    ],
  ])('C24 %s stays in its line', { timeout: 60_000 }, async (_, source) => {
    const out = await replay(source, false);
    expect(out).toContain(forged);
    expect(out.split(/[\n\r\u0085\u2028\u2029]/).filter((line) => line.startsWith(forged))).toEqual([]);
    expect(out.split('\n').filter((line) => /^(Run|Base|Branch|Outcome) /.test(line))).toHaveLength(4);
  });

  it('C24 JSON keeps every text as it is', { timeout: 60_000 }, async () => {
    const out = await replay(`async function main() { return 'a\\n${forged}'; }`, true);
    expect(JSON.parse(out)).toMatchObject({ outcome: { value: `a\n${forged}` } });
  });
});
