import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { firstLoadBudget, listFirstScripts, reportFirstLoad } from './first-load.mjs';

let folder = '';
let printed: string[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hindcast-first-load-'));
  printed = [];
  const print = (line: string): void => void printed.push(line);
  vi.spyOn(console, 'log').mockImplementation(print);
  vi.spyOn(console, 'error').mockImplementation(print);
});

afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

const manifest = {
  'index.html': { file: 'entry.js', imports: ['_a.js', '_b.js'], dynamicImports: ['later.tsx'] },
  '_a.js': { file: 'a.js', imports: ['_b.js'] },
  '_b.js': { file: 'b.js', imports: ['_a.js'] },
  'later.tsx': { file: 'later.js' },
};

/** Random bytes, which no compression makes smaller. */
function build(sizes: Readonly<Record<string, number>>): void {
  writeFileSync(join(folder, 'build.json'), JSON.stringify(manifest));
  for (const [file, size] of Object.entries(sizes)) writeFileSync(join(folder, file), randomBytes(size));
}

it('what is imported statically counts once, in cycles too; what is loaded later does not', () => {
  expect(listFirstScripts(manifest, 'index.html')).toEqual(['entry.js', 'a.js', 'b.js']);
});

it('a manifest without the entry is an error, not a small load', () => {
  expect(() => listFirstScripts(manifest, 'other.html')).toThrow('no “other.html”');
});

it('a build within the budget passes, and the figure is printed', () => {
  build({ 'entry.js': 100_000, 'a.js': 60_000, 'b.js': 39_000, 'later.js': 500_000 });
  expect(reportFirstLoad(folder)).toBe(true);
  expect(printed.at(-1)).toMatch(/^ +199\.\d kB {2}of 200\.0 kB compressed script/);
});

it('a build over the budget fails and says by how much', () => {
  build({ 'entry.js': firstLoadBudget, 'a.js': 1_000, 'b.js': 1_000, 'later.js': 0 });
  expect(reportFirstLoad(folder)).toBe(false);
  expect(printed.at(-1)).toMatch(/^The first load is 2\.\d kB over its budget/);
});
