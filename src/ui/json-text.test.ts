import { describe, expect, it } from 'vitest';
import { jsonToLine, jsonToText, textToJson } from './json-text.ts';

describe('text to JSON', () => {
  it('names line and column of a mistake', () => {
    const parsed = textToJson('{\n  "a": 1,\n  "b": tru\n}');
    expect(parsed.ok).toBe(false);
    expect(parsed.ok ? '' : parsed.error.sentence).toMatch(/^Line 3, column \d+: [A-Z].*\.$/);
  });

  it('asks for a value where there is none', () => {
    expect(textToJson(' \n').ok).toBe(false);
  });

  it('keeps what a double cannot hold', () => {
    const parsed = textToJson('{"n": 9007199254740993}');
    expect(parsed.ok && jsonToText(parsed.value)).toBe('{"n":9007199254740993}');
  });
});

it('lays a value out in lines, and cuts it on one', () => {
  expect(jsonToText({ a: [1] })).toBe('{\n  "a": [\n    1\n  ]\n}');
  expect(jsonToLine({ text: 'x'.repeat(200) }, 20)).toHaveLength(20);
  expect(jsonToLine('two\nlines')).toBe('two lines');
});
