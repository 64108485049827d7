import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { computeSignature, isFresh, markFresh } from './freshness.mjs';

const root = join(import.meta.dirname, '../..');
let folder = '';

beforeEach(() => {
  mkdirSync(join(root, 'build'), { recursive: true });
  folder = mkdtempSync(join(root, 'build/freshness-'));
  write('a.ts', 'one');
  write('b.ts', 'two');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, text: string): void {
  writeFileSync(join(folder, name), text);
  utimesSync(join(folder, name), 1_700_000_000, 1_700_000_000);
}

function signature(): string {
  return computeSignature([relative(root, folder)]);
}

it('a signature stays while nothing changes, and is kept beside the result', () => {
  const stamp = `${relative(root, folder)}/made/stamp`;
  expect(isFresh(stamp, 'x')).toBe(false);
  markFresh(stamp, 'x');
  expect(isFresh(stamp, 'x')).toBe(true);
  expect(isFresh(stamp, 'y')).toBe(false);
});

it('a source that is changed, added, removed or touched makes the result stale', () => {
  const before = signature();
  expect(signature()).toBe(before);
  write('a.ts', 'longer');
  const changed = signature();
  write('c.ts', 'three');
  const added = signature();
  rmSync(join(folder, 'b.ts'));
  const removed = signature();
  utimesSync(join(folder, 'a.ts'), 1_700_000_001, 1_700_000_001);
  expect(new Set([before, changed, added, removed, signature()]).size).toBe(5);
});

it('tests and documents do not make it stale', () => {
  const before = signature();
  write('a.test.ts', 'test');
  write('README.md', 'text');
  expect(signature()).toBe(before);
});
