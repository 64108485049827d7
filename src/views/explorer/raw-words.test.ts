import { expect, it } from 'vitest';
import { rawToNote, rawToRecord, rawToTitle } from './raw-words.ts';

it('R13 the raw text is called the line of the file only where it is one; what was converted names the file and line it is from', () => {
  const imported = { format: 'otlp', file: 'spans.json', line: 1204 };
  expect(rawToTitle({ id: 'a' })).toBe('The line as it was written');
  expect(rawToTitle({ id: 'a', imported })).toBe('As Hindcast keeps it, mapped from spans.json line 1,204');
  expect(rawToTitle({ id: 'a', imported: { format: 'otlp', file: 'spans.json' } })).toBe(
    'As Hindcast keeps it, mapped from spans.json',
  );
  expect(rawToTitle({ id: 'a', imported: { format: 'otlp' } })).toBe(
    'As Hindcast keeps it, mapped from a record of otlp',
  );
});

it('R13 says where the source stands and what of it is kept, and gives the record whole where it is kept whole', () => {
  const imported = { format: 'codex', file: 'a\u202e.jsonl', line: 5, record: 'r1', extra: { cwd: '/w' } };
  const record = { type: 'turn_context', payload: { n: { $num: '1.0' } } };
  expect(rawToNote({ id: 'a' })).toBeUndefined();
  expect(rawToNote({ id: 'a', imported })).toBe(
    'The bytes of the file are not kept: the source is at a\\u202e.jsonl line 5 (record r1) in your own copy of it. All values that were read from it are kept as they were written. Its fields that have no place of their own here stand under “imported.extra”.',
  );
  expect(rawToNote({ id: 'a', imported: { format: 'codex' } })).not.toContain('imported.extra');
  expect(rawToRecord({ id: 'a', imported, data: { record } })).toEqual(record);
  expect(rawToRecord({ id: 'a', data: { record } })).toBeUndefined();
  expect(rawToRecord({ id: 'a', imported, data: { record: 'r' } })).toBeUndefined();
});
