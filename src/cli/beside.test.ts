/** R31 A session of Claude Code that is named without its folder: the answer says what it does not hold. */
import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listTraces, tracesFolder, whereFound } from '../core/formats/testing/opening.ts';
import { findBeside } from './beside.ts';
import { runCheck } from './check.ts';

const session = 'b3a7bd3c-5a10-4e7b-8ff0-7fc0cd6d1093';
const real = listTraces('claude-code/vscode').filter((name) => name.includes(session));
const settings = { json: false, acceptFuture: false, allowHuge: false };
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hindcast-beside-'));
  for (const name of real) await cp(join(tracesFolder, name), join(folder, name.slice('claude-code/vscode/'.length)));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

async function checkOf(...paths: readonly string[]): Promise<string> {
  const { out = '' } = await runCheck(
    paths.map((path) => join(folder, path)),
    settings,
  );
  return out;
}

describe.skipIf(real.length === 0)(`check of a session${whereFound(real)}`, () => {
  it('says that its sub-agents are not in the trace, where they lie, and how to take them along', async () => {
    const out = await checkOf(`${session}.jsonl`);
    const [headline] = out.split('\n\n');
    expect(headline).toContain(
      `4 sub-agents were started; their records are not in this trace (folder “${session}/subagents”).`,
    );
    const file = join(folder, session);
    expect(headline).toContain(
      `Beside the session, in ${join(file, 'subagents')}, lie 4 files of sub-agents that were not opened. With them: hindcast check ${file}.jsonl ${file}/`,
    );
  });

  it.each([
    ['with the folder of the session', [`${session}.jsonl`, session]],
    ['with the folder of its sub-agents', [`${session}.jsonl`, join(session, 'subagents')]],
    ['by the folder that holds both', ['']],
  ])('says nothing of it %s', async (_name, paths) => {
    expect(await checkOf(...paths)).not.toMatch(/not in this trace \(folder|were not opened/);
  });

  it('says it of the folder alone where that is gone', async () => {
    const moved = join(folder, 'alone');
    await cp(join(folder, `${session}.jsonl`), join(moved, `${session}.jsonl`));
    const out = await checkOf(join('alone', `${session}.jsonl`));
    expect(out).toContain('4 sub-agents were started');
    expect(out).not.toContain('Beside the session');
    await rm(moved, { recursive: true });
  });
});

describe('the command that takes the sub-agents along', () => {
  it.each([
    ['plain-1.2_x', (path: string) => path],
    ["it's a $(touch x) & `id` *", (path: string) => `'${path.replace("'", `'\\''`)}'`],
    ['-option', (path: string) => path],
    ['über ~', (path: string) => `'${path}'`],
  ])('names the paths as a shell takes them: %s', async (name, written) => {
    const path = join(folder, name);
    await mkdir(join(path, 'subagents'), { recursive: true });
    await writeFile(join(path, 'subagents', 'a.jsonl'), '{}');
    const [sentence = ''] = await findBeside([`${path}.jsonl`]);
    const command = sentence.slice(sentence.indexOf('hindcast check '));
    expect(command).toBe(`hindcast check ${written(`${path}.jsonl`)} ${written(`${path}/`)}`);
    const heard = execFileSync('sh', ['-c', command.replace('hindcast check', String.raw`printf '%s\n'`)], {
      encoding: 'utf8',
    });
    expect(heard).toBe(`${path}.jsonl\n${path}/\n`);
  });

  it('names no path that would be read as an option', async () => {
    const before = process.cwd();
    await mkdir(join(folder, '--json', 'subagents'), { recursive: true });
    await writeFile(join(folder, '--json', 'subagents', 'a.jsonl'), '{}');
    process.chdir(folder);
    try {
      const [sentence = ''] = await findBeside(['--json.jsonl']);
      expect(sentence).toMatch(/hindcast check \.\/--json\.jsonl \.\/--json\/$/);
    } finally {
      process.chdir(before);
    }
  });
});
