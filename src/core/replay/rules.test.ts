/** Every numbered rule of SPEC.md is cited by the title of a test; a rule without one could be broken unseen. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const here = import.meta.dirname;
const folders = [here, join(here, '../../platform/sandbox')];
const title = /\b(?:it|describe)(?:\.each\([\s\S]*?\))?\(\s*(['"`])((?:(?!\1)[^\\]|\\.)*)\1/g;

function listTests(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => join(folder, name));
}

it('every rule of SPEC.md has one number and a test that cites it', () => {
  const rules = [...readFileSync(join(here, 'SPEC.md'), 'utf8').matchAll(/\*\*([A-Z]\d+b?)\*\*/g)].map(
    (m) => m[1] ?? '',
  );
  expect(rules.length).toBeGreaterThan(60);
  expect(rules.filter((rule, n) => rules.indexOf(rule) !== n)).toEqual([]);
  const cited = new Set<string>();
  for (const file of folders.flatMap(listTests)) {
    for (const match of readFileSync(file, 'utf8').matchAll(title)) {
      for (const word of (match[2] ?? '').match(/[A-Z]\d+b?/g) ?? []) cited.add(word);
    }
  }
  expect(rules.filter((rule) => !cited.has(rule))).toEqual([]);
});
