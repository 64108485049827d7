import { describe, expect, it } from 'vitest';
import { contentToValue } from './content.ts';

describe('a value stored apart', () => {
  it.each([
    ['{"a":1}', undefined, undefined, { a: 1 }],
    ['{"a":1}', 'application/json', 'text/plain', { a: 1 }],
    ['{"a":1}', 'text/plain', 'application/json', '{"a":1}'],
    ['{"a":1}', undefined, 'text/plain', '{"a":1}'],
    ['{"a":1', undefined, undefined, '{"a":1'],
    ['1e400', 'application/vnd.x+json', undefined, { $num: '1e400' }],
  ])('%s, recorded as %s, referred to as %s', (text, recorded, referred, value) => {
    expect(contentToValue(text, recorded, referred)).toEqual(value);
  });
});
