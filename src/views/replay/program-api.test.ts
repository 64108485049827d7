import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { programCalls, programOptions } from './program-api.ts';

const api = readFileSync('src/core/replay/API.md', 'utf8');

function namesIn(text: string): readonly string[] {
  return [...new Set([...text.matchAll(/ctx\.(\w+)\(/g)].map((found) => found[1] ?? ''))].sort();
}

it('names the calls and options of the document, all of them', () => {
  const rows = api.split('\n').filter((line) => line.startsWith('| `'));
  expect(namesIn(programCalls.map(({ call }) => call).join('\n'))).toEqual(namesIn(rows.join('\n')));
  const options = /^`opts`: ([\s\S]*?)\n\n/m.exec(api)?.[1] ?? '';
  const documented = [...options.replace(/\([^)]*\)/g, '').matchAll(/`(\w+)`/g)].map((found) => found[1]);
  expect(programOptions.map(({ call }) => call)).toEqual(documented);
});
