import fc from 'fast-check';
import { expect, it } from 'vitest';
import { indentJson } from './indent-json.ts';

it('lays out members and leaves every token as it was written', () => {
  expect(
    indentJson('{"a":1.50,"a":12345678901234567890,"b":[ ],"c":{},"d":["x, {y}:\\"\\u00e9",null],"e":[[1]]}'),
  ).toBe(
    [
      '{',
      '  "a": 1.50,',
      '  "a": 12345678901234567890,',
      '  "b": [],',
      '  "c": {},',
      '  "d": [',
      '    "x, {y}:\\"\\u00e9",',
      '    null',
      '  ],',
      '  "e": [',
      '    [',
      '      1',
      '    ]',
      '  ]',
      '}',
    ].join('\n'),
  );
  expect([indentJson('"cut \\'), indentJson(''), indentJson('}]')]).toEqual(['"cut \\', '', '\n}\n]']);
});

it('is as any printer lays it out, and deep nesting needs no stack', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(indentJson(text)).toBe(JSON.stringify(JSON.parse(text), undefined, 2));
    }),
    { numRuns: 200, seed: 7 },
  );
  expect(indentJson('['.repeat(5000)).length).toBeGreaterThan(5000);
});
