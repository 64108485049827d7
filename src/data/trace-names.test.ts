import { expect, it } from 'vitest';
import type { TraceId, TraceRecord } from '../platform/storage/index.ts';
import { tellTracesApart } from './trace-names.ts';

function namesOf(...traces: readonly (readonly [name: string, file: string, origin?: TraceRecord['origin']])[]) {
  const records = traces.map(([name, file, origin = 'opened'], n) => ({
    // Cast: a brand for the test.
    id: `t-${String(n).padStart(20, '0')}` as TraceId,
    name,
    files: [file],
    origin,
  }));
  return tellTracesApart(records).map(({ name }) => name);
}

it('traces of files that differ in their ending alone keep it, and a name of its own stays', () => {
  expect(namesOf(['trunc', 'a/trunc.gz'], ['other', 'other.jsonl'], ['trunc', 'a/trunc.hindcast.jsonl'])).toEqual([
    'trunc.gz',
    'other',
    'trunc.hindcast.jsonl',
  ]);
  expect(namesOf(['log and 2 more', 'log.json'], ['log and 2 more', 'log.csv'])).toEqual([
    'log.json and 2 more',
    'log.csv and 2 more',
  ]);
});

it('what differs in nothing but where it lay, or in its content, is told apart by that', () => {
  expect(namesOf(['log', 'one/log.json'], ['log', 'two/log.json'])).toEqual([
    'log · one/log.json',
    'log · two/log.json',
  ]);
  const [first, second] = namesOf(['log', 'log.json'], ['log', 'log.json']);
  expect(first).toMatch(/^log · t-/);
  expect(first).not.toBe(second);
});

it('a sample and a copy of it say what they are beside one name', () => {
  expect(namesOf(['A ticket', 'samples/a.jsonl', 'sample'], ['A ticket', 'copy.jsonl', 'shared'])).toEqual([
    'A ticket',
    'A ticket',
  ]);
});
