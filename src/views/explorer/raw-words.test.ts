import { expect, it } from 'vitest';
import { rawToTitle } from './raw-words.ts';

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
