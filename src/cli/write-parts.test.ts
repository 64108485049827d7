import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { writeParts } from './write-parts.ts';

it('a piece that cannot be made is a defect and no failure to write, and leaves no file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hindcast-parts-'));
  const out = join(folder, 'out.txt');
  function* broken(): Generator<string> {
    yield 'x'.repeat(1 << 20);
    throw new Error('a defect');
  }
  await expect(writeParts('The export', out, broken())).rejects.toThrow('a defect');
  expect(await readdir(folder)).toEqual([]);
  expect(await writeParts('The export', out, ['a', 'b'])).toBeUndefined();
  expect(await readFile(out, 'utf8')).toBe('ab');
  expect(await writeParts('The export', out, ['c'])).toContain('exists already');
  expect(await readFile(out, 'utf8')).toBe('ab');
  await rm(folder, { recursive: true });
});
