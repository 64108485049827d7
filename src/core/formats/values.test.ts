import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createValueScanner, splitValues } from './values.ts';

const seed = 20_260_102;

describe('splitValues', () => {
  it('gives back values written without anything between them', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.jsonValue())), {
          minLength: 1,
          maxLength: 6,
        }),
        (values) => {
          const text = values.map((value) => JSON.stringify(value)).join('');
          expect(splitValues(text).map(({ start, end }) => text.slice(start, end))).toEqual(
            values.map((value) => JSON.stringify(value)),
          );
        },
      ),
      { seed, numRuns: 200 },
    );
  });

  it('keeps what is no value as a part of its own', () => {
    const text = 'log: {"a":1} tail';
    expect(splitValues(text).map(({ start, end }) => text.slice(start, end))).toEqual(['log:', '{"a":1}', 'tail']);
    const marked = '{"a":1}\ufeff{"a":2}';
    expect(splitValues(marked).map(({ start, end }) => marked.slice(start, end))).toEqual(['{"a":1}', '{"a":2}']);
  });
});

function scan(text: string, depth: number, chunk: number) {
  const scanner = createValueScanner(depth);
  const bytes = new TextEncoder().encode(text);
  const found = [];
  for (let at = 0; at < bytes.length; at += chunk) found.push(...scanner.push(bytes.subarray(at, at + chunk)));
  found.push(...scanner.end());
  const decode = (part: Uint8Array): string => new TextDecoder().decode(part);
  return {
    values: found.map(({ bytes: part, offset, line, ended }) => ({ text: decode(part), offset, line, ended })),
    envelope: decode(scanner.envelope()),
  };
}

describe('createValueScanner', () => {
  it('reads pretty-printed documents one after another, in any chunks', () => {
    const text = '{\n  "a": "}"\n}\n{\n  "a": [1]\n}\n';
    for (const chunk of [1, 3, 100]) {
      expect(scan(text, 0, chunk).values).toEqual([
        { text: '{\n  "a": "}"\n}', offset: 0, line: 1, ended: true },
        { text: '{\n  "a": [1]\n}', offset: 15, line: 4, ended: true },
      ]);
    }
  });

  it('descends into the list of an envelope and leaves the envelope whole', () => {
    const text = '{"head":{"x":{"y":1}},"loglines":[{"a":1},{"b":"\\"]"}, {"c":3}],"tail":[]}';
    for (const chunk of [1, 5, 1000]) {
      const { values, envelope } = scan(text, 2, chunk);
      expect(values.map((value) => value.text)).toEqual(['{"a":1}', '{"b":"\\"]"}', '{"c":3}']);
      expect(JSON.parse(envelope)).toEqual({ head: { x: { y: 1 } }, loglines: [], tail: [] });
    }
  });

  it('tells a value that the file ends in', () => {
    expect(scan('[{"a":1},{"b":', 1, 4).values.at(-1)).toEqual({ text: '{"b":', offset: 9, line: 1, ended: false });
  });
});
