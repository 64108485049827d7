/** What is served where, and what is said where nothing can be. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type Server, createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { serve } from './serve.mjs';
import { argumentsToStart, serveSite } from './serving.mjs';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

function makeSite(build: string | undefined): string {
  const folder = mkdtempSync(join(tmpdir(), 'hindcast-site-'));
  closing.push(() => rmSync(folder, { recursive: true }));
  if (build === undefined) return folder;
  writeFileSync(join(folder, 'index.html'), '<!doctype html>');
  writeFileSync(join(folder, 'build.json'), build);
  return folder;
}

function portOf(server: Server): number {
  closing.push(() => server.close());
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
}

async function startServing(folder: string): Promise<number> {
  return portOf((await serve({ folder, port: 0 })).server);
}

describe('npm start', () => {
  it('leaves the same build where it is', async () => {
    const usual = await startServing(makeSite('{"a":1}'));
    const { served, address, said } = await serveSite({ folder: makeSite('{"a":1}'), usual });
    expect(served).toBeUndefined();
    expect(address).toBe(`http://127.0.0.1:${usual}/`);
    expect(said).toBe(`Hindcast is already being served at http://127.0.0.1:${usual}/, this same build.`);
  });

  it('serves beside another build, and says so', async () => {
    const usual = await startServing(makeSite('{"a":1}'));
    const { served, address = '', said } = await serveSite({ folder: makeSite('{"a":2}'), usual });
    if (served !== undefined) portOf(served.server);
    expect(said).toContain(`Another build of Hindcast is being served at http://127.0.0.1:${usual}/.`);
    expect(await (await fetch(new URL('build.json', address))).text()).toBe('{"a":2}');
  });

  it('takes no server for Hindcast that has no page', async () => {
    const usual = await startServing(makeSite(undefined));
    const { served, said } = await serveSite({ folder: makeSite('{}'), usual });
    if (served !== undefined) portOf(served.server);
    expect(served).toBeDefined();
    expect(said).toContain(`Port ${usual} is taken by another program.`);
  });

  it('serves at the port that is asked for, and nowhere else where that one is taken', async () => {
    const other = createServer((_request, response) => response.end('something'));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const port = portOf(other);
    const folder = makeSite('{}');
    expect((await serveSite({ folder, port })).error).toBe(
      `Port ${port} is taken by another program. Stop that one, or choose another port: npm start -- --port PORT`,
    );
    await new Promise((resolve) => other.close(resolve));
    const { served, address } = await serveSite({ folder, port });
    if (served !== undefined) portOf(served.server);
    expect(address).toBe(`http://127.0.0.1:${port}/`);
  });

  it('reads its arguments, and refuses what it does not know', () => {
    expect(argumentsToStart([])).toEqual({ port: undefined, opens: true });
    expect(argumentsToStart(['--port', '5000', '--no-open'])).toEqual({ port: 5000, opens: false });
    expect(argumentsToStart(['--port=5000'])).toEqual({ port: 5000, opens: true });
    expect(argumentsToStart(['--help']).help).toContain('--port PORT');
    for (const wrong of [['--prot', '5000'], ['--port'], ['--port', '0'], ['--port', '70000'], ['5000']])
      expect(argumentsToStart(wrong).error, wrong.join(' ')).toContain('Usage: npm start');
  });
});

describe('npm run preview', () => {
  const run = (...args: readonly string[]): Promise<{ readonly code: number | null; readonly err: string }> => {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'serve.mjs'), ...args]);
    closing.push(() => child.kill());
    let err = '';
    child.stderr.on('data', (bytes: Buffer) => (err += bytes.toString('utf8')));
    return new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code) => resolve({ code, err }));
      // It serves where it should have refused.
      child.stdout.once('data', () => resolve({ code: null, err }));
    });
  };

  it('refuses a folder without a site and what it does not know, with a sentence', async () => {
    const empty = makeSite(undefined);
    const site = makeSite('{}');
    const said = await Promise.all([
      run(empty, '0'),
      run('--prot', '5000'),
      run(site, 'five'),
      run(site, '0', 'tools'),
      run(site, '0', '/', 'none'),
      run(site, '0', '/', 'headers', 'more'),
    ]);
    expect(said.map(({ code }) => code)).toEqual([2, 2, 2, 2, 2, 2]);
    expect(said[0].err).toBe(
      `There is no built site in ${empty}: it has no index.html. Build it with: npm run build\n`,
    );
    expect(said[1].err).toContain('"--prot" is not known here.\nUsage: npm run preview');
  });

  it('says that a port is taken', async () => {
    const site = makeSite('{}');
    const port = await startServing(site);
    const { code, err } = await run(site, String(port));
    expect(code).toBe(1);
    expect(err).toContain(`Port ${port} is taken by another program.`);
  });
});
