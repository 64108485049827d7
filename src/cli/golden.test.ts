import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { goldenRunToText } from './golden-report.ts';
import { runGoldenPin, runGoldenRun } from './golden.ts';
import { runReplaySet } from './replay-set.ts';
import { runSchema } from './schema.ts';
import { runSimulate } from './simulate.ts';

const root = join(import.meta.dirname, '../..');
const sample = join(root, 'public/samples/wrong-observation.hindcast.jsonl');
const incident = join(root, 'public/samples/ticket-incident.hindcast.jsonl');
const smallest = join(root, 'fixtures/versions/v1/minimal.hindcast.jsonl');
const settings = { json: true, acceptFuture: false, allowHuge: false };
let folder = '';
let program = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hindcast-golden-'));
  program = await readFile(join(root, 'fixtures/lab/programs/warranty-desk.js'), 'utf8');
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

async function write(name: string, content: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

function pin(out: string, more: Partial<Parameters<typeof runGoldenPin>[1]> = {}, file = sample) {
  return runGoldenPin(file, { ...settings, properties: [], exempt: [], out: join(folder, out), ...more });
}

interface Cases {
  readonly cases: readonly {
    readonly passes: boolean;
    readonly branch: string;
    readonly counts: Readonly<Record<string, number>>;
    readonly properties: readonly { readonly id: string; readonly status: string }[];
  }[];
}

async function run(name: string, more: Partial<Parameters<typeof runGoldenRun>[1]> = {}) {
  const { code, out = '' } = await runGoldenRun([join(folder, name)], { ...settings, strict: false, ...more });
  // Cast: the report is the documented form that this test reads.
  return { code, output: JSON.parse(out) as Cases };
}

describe('golden', () => {
  it('R80 R82 pins a run into a folder and runs it: with its own program everything holds', async () => {
    expect(await pin('own')).toMatchObject({ code: 0 });
    expect((await readdir(join(folder, 'own'))).sort()).toEqual(['golden.json', 'trace.hindcast.jsonl']);
    const { code, output } = await run('own');
    expect(code).toBe(0);
    expect(output.cases[0]).toMatchObject({ passes: true, counts: { holds: 8, broken: 0 } });
  });

  it('a changed program in TypeScript breaks what it changes, and the branch that shows it opens by itself', async () => {
    await pin('changed');
    const typed = program
      .replace(`'free-repair' : ours ? 'paid-repair'`, `'free-repair' : ours ? ('advice-only' as string)`)
      .replace('async function main(ctx, input)', 'async function main(ctx: any, input: { case: string })');
    const changed = await write('changed.ts', typed);
    const { code, output } = await run('changed', { program: changed, out: join(folder, 'branches') });
    expect(code).toBe(1);
    const [result] = output.cases;
    expect(result?.properties.filter(({ status }) => status === 'broken').map(({ id }) => id)).toEqual([
      'decision:/decide:resolution#0',
    ]);
    const [file = ''] = await readdir(join(folder, 'branches'));
    expect(file).toBe(`changed.${result?.branch ?? ''}.hindcast.jsonl`);
    // The branch stops at the answer that the model has not given yet: pinned from there, nothing after it is kept.
    const again = await pin('branch', { branch: result?.branch ?? '' }, join(folder, 'branches', file));
    expect(again.code).toBe(0);
    const golden = await readFile(join(folder, 'branch/golden.json'), 'utf8');
    expect(golden).toContain('"advice-only"');
    expect(golden).not.toContain('/write:mail.send#0');
  });

  it('what is not decided fails only where that is asked for', async () => {
    await pin('early');
    const asks = program.replace('const draft = await', `await ctx.model('second-look', {});\n  const draft = await`);
    const changed = await write('early.js', asks);
    expect(await run('early', { program: changed })).toMatchObject({ code: 0 });
    expect(await run('early', { program: changed, strict: true })).toMatchObject({ code: 1 });
  });

  it('never overwrites, refuses what does not hold, and a stream that was altered', async () => {
    await pin('once');
    expect(await pin('once')).toMatchObject({ code: 2, out: expect.stringContaining('not-writable') as string });
    const twice = await pin('twice', { properties: ['invariant:executed-twice'] }, incident);
    expect(twice).toMatchObject({ code: 2, out: expect.stringContaining('does not hold in the record') as string });
    const kept = await pin('missing', { properties: ['invariant:missing-effect'] }, incident);
    expect(kept).toMatchObject({ code: 0 });
    expect(await pin('wish', { properties: ['wish:x'] })).toMatchObject({ code: 2 });
    const stream = join(folder, 'once/trace.hindcast.jsonl');
    await writeFile(stream, (await readFile(stream, 'utf8')).replaceAll('free-repair', 'free-repairs'));
    const { code, out = '' } = await runGoldenRun([join(folder, 'once')], { ...settings, strict: false });
    expect(code).toBe(2);
    expect(out).toContain('once/golden.json: The stream of');
    expect(out).toContain('not the one that was pinned');
    // One that cannot be run takes no verdict from the others.
    const both = [join(folder, 'once'), join(folder, 'missing')];
    const ran = await runGoldenRun(both, { ...settings, strict: false });
    expect([ran.code, JSON.parse(ran.out ?? '')]).toMatchObject([
      2,
      { cases: [{ name: 'missing' }], notRun: [{ file: join(folder, 'once/golden.json') }] },
    ]);
    expect(goldenRunToText([], [{ file: 'once/golden.json', message: 'Why.' }])).toBe(
      'NOT RUN  once/golden.json\n  Why.',
    );
    expect(await runGoldenRun([join(folder, 'no')], { ...settings, strict: false })).toMatchObject({ code: 2 });
  });

  it.skipIf(!existsSync('/proc/self'))(
    'a folder that the system lets nobody make is told, and not tried for ever',
    async () => {
      const { code, out } = await pin('', { out: '/proc/hindcast/case' });
      expect([code, out]).toEqual([2, expect.stringContaining('no folder can be made in /proc. Choose another.')]);
      expect(await pin('new/deep/case')).toMatchObject({ code: 0 });
    },
  );

  it('publishes its schema', () => {
    expect(runSchema('golden').out).toContain('Hindcast golden case, version 1');
  });
});

describe('replay --set', () => {
  it('R48 R49 a changed program over files: a row a run, progress for people, and the digest of the set', async () => {
    const own = await write('own.js', program);
    const seen: string[] = [];
    const onProgress = (line: string) => seen.push(line);
    const same = await runReplaySet([sample], { ...settings, program: own, onProgress });
    expect(same).toMatchObject({ code: 0 });
    expect(seen).toEqual(['1 of 1: wrong-observation.hindcast.jsonl: identical']);
    const both = await runReplaySet([smallest, sample], { ...settings, json: false, program: own });
    expect(both.code).toBe(1);
    expect(both.out).toContain('2 runs: 1 identical, 1 needs an answer');
  });

  it('a file that was named and holds no run is refused; one in a folder is only told', async () => {
    const own = await write('own.js', program);
    const edit = join(root, 'public/samples/wrong-observation.edit.json');
    expect(await runReplaySet([sample, edit], { ...settings, program: own })).toMatchObject({ code: 2 });
    const runs = join(folder, 'runs');
    await mkdir(runs);
    const index = join(root, 'public/samples/index.json');
    for (const path of [smallest, edit, index]) await copyFile(path, join(runs, basename(path)));
    const { out = '' } = await runReplaySet([runs], { ...settings, program: own });
    // Cast: the report is the documented form that this test reads.
    const report = JSON.parse(out) as {
      readonly rows: readonly object[];
      readonly notRead: readonly { readonly file: string }[];
    };
    expect(report.rows).toHaveLength(1);
    expect(report.notRead.map(({ file }) => file)).toEqual(['index.json', 'wrong-observation.edit.json']);
  });
});

describe('simulate', () => {
  it('R115 prints the matrix and fails for the designs that double, beyond the control that must', async () => {
    const chosen = { ...settings, json: false, modelVaries: true, strategy: 'naive-key' };
    const { code, out } = await runSimulate(smallest, chosen);
    expect(code).toBe(1);
    expect(out).toContain('naive restart           1        1 m1  1 m1  2 m1    2 m1    2 m1    2 m1');
    expect(out).toContain('naive restart with key  1        1 m1  1 m1  1 m1 X  1 m1 X  1 m1 X  1 m1 X');
    expect(out).not.toContain('SUSPECT');
    expect(out).toContain('0 of 2 designs keep every effect single and complete, where a model that is asked again');
    const same = await runSimulate(smallest, { ...chosen, modelVaries: false });
    expect(same.out).toContain('1 of 2 designs keeps every effect single and complete, only if a model that is asked');
    expect(same.out).toContain('- A model that is asked again answers word for word as recorded.');
  });

  it('one boundary is told as a story, a design that keeps its promise gives 0, and names are checked', async () => {
    const chosen = { ...settings, json: false, modelVaries: false, boundary: '3', strategy: 'journal-key' };
    const { code, out } = await runSimulate(smallest, chosen);
    expect(code).toBe(0);
    expect(out).toContain('The service knows the key and answers with what it did');
    expect(await runSimulate(smallest, { ...chosen, boundary: '6' })).toMatchObject({ code: 2 });
    expect(await runSimulate(smallest, { ...chosen, path: '/write:no#0' })).toMatchObject({ code: 2 });
  });
});
