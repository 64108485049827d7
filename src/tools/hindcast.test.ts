/** The `hindcast` command as a process: what it prints where, its exit codes, and which folder its paths belong to. */
import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';

const root = join(import.meta.dirname, '../..');
const samples = join(root, 'public/samples');
const command = join(import.meta.dirname, 'hindcast.mjs');
const onWindows = process.platform === 'win32';

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Starts a process as a shell does where no npm runs; `env` is added to that. */
function start(
  program: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv = {},
  shell = false,
): Promise<Ended> {
  const outside = Object.entries(process.env).filter(([name]) => !/^(?:npm_.*|INIT_CWD)$/i.test(name));
  const child = spawn(program, args, {
    cwd,
    env: { ...Object.fromEntries(outside), ...env },
    shell,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const out: Buffer[] = [];
  const said: Buffer[] = [];
  child.stdout.on('data', (bytes: Buffer) => out.push(bytes));
  child.stderr.on('data', (bytes: Buffer) => said.push(bytes));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      resolve({ code, out: Buffer.concat(out).toString('utf8'), err: Buffer.concat(said).toString('utf8') });
    });
  });
}

const report = z.object({ format: z.string(), counts: z.object({ input: z.number(), events: z.number() }) });

it('the package’s `bin` starts, prints its result alone and ends with its code, from any folder and by npm', async () => {
  const clean = 'clean-control.hindcast.jsonl';
  // The first alone: it builds the command where that is to be done.
  const text = await start(process.execPath, [command, 'check', 'public/samples/ticket-incident.hindcast.jsonl'], root);
  const [missing, json, byNpm] = await Promise.all([
    start(process.execPath, [command, 'check', 'no-such.jsonl'], root),
    // A script of another package that has the same name: npm came from elsewhere, and the paths are those of the package.
    start(process.execPath, [command, 'check', '--json', clean], samples, {
      npm_lifecycle_event: 'hindcast',
      INIT_CWD: tmpdir(),
    }),
    start('npm', ['run', '-s', 'hindcast', '--', 'check', '--json', clean], samples, {}, onWindows),
  ]);
  expect(text).toMatchObject({ code: 1, err: '' });
  expect(text.out).toMatch(/executed twice/i);
  expect(missing).toMatchObject({ code: 2, out: '' });
  expect(missing.err).toContain('no-such.jsonl');
  expect(json).toMatchObject({ code: 0, err: '' });
  const { format, counts } = report.parse(JSON.parse(json.out));
  expect(format).toBe('hindcast');
  expect(counts.events).toBeGreaterThan(100);
  expect(byNpm).toEqual(json);
});
