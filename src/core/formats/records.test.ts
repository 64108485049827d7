import { describe, expect, it } from 'vitest';
import type { Problem } from './format.ts';
import { createLineSplitter } from './lines.ts';
import { readPieces } from './pieces.ts';
import { lineToRecords } from './records.ts';
import { readDocumentEntries, textToEntries } from './session/source.ts';
import { bytesToSource } from './testing/opening.ts';

const twice = '{"type":"x","data":{"a":{"n":1,"n":2}}}';
const long = '{"a":9007199254740993123}';

function lineOf(text: string) {
  const splitter = createLineSplitter();
  const [line] = [...splitter.push(new TextEncoder().encode(`\n${text}\n`)), ...splitter.end()];
  return line === undefined ? [] : lineToRecords('f.jsonl', line);
}

function told(problems: readonly (Problem | undefined)[]) {
  return problems.map((problem) => [problem?.code, problem?.severity, problem?.place?.offset]);
}

describe('records', () => {
  it('with a member that stands twice deep inside are kept, with a notice that says where', async () => {
    const [entry] = lineOf(twice);
    expect(entry?.record?.value).toEqual({
      type: 'x',
      data: {
        a: {
          $dup: [
            ['n', 1],
            ['n', 2],
          ],
        },
      },
    });
    expect(entry?.problem?.message).toBe(
      'Line 2 of f.jsonl (byte 1): the member "data.a.n" stands more than once in its object. All values are kept as written; programs differ in which of them they take.',
    );
    // Several on a line, elements of a document, what stands around them: the same.
    expect(told(lineOf(`{"a":1} ${twice}`).map(({ problem }) => problem))).toEqual([
      [undefined, undefined, undefined],
      ['repeated-member', 'notice', 9],
    ]);
    const document = `{"list":[{"a":1},${twice}],"b":{"c":1,"c":1}}`;
    const entries = textToEntries('f.json', document, { line: 1, offset: 0 }, new Set(['list']));
    expect(told(entries.map(({ problem }) => problem))).toEqual([
      ['repeated-member', 'notice', 0],
      [undefined, undefined, undefined],
      ['repeated-member', 'notice', 17],
    ]);
    const source = bytesToSource('f.json', new TextEncoder().encode(document));
    const { pieces } = await readPieces(source, new Set(['list.*']));
    expect(told(pieces.map(({ note }) => note))).toEqual([
      [undefined, undefined, undefined],
      ['repeated-member', 'notice', 17],
      ['repeated-member', 'notice', 0],
    ]);
  });

  it('is cut off only where the file ends in it', () => {
    const last = (text: string): readonly (string | undefined)[] => {
      const [line] = createLineSplitter().push(new TextEncoder().encode(`${text}\n`));
      return line === undefined
        ? []
        : lineToRecords('f', { ...line, ended: false }).map(({ problem }) => problem?.code);
    };
    expect(last('{"a":1} {"b":')).toEqual([undefined, 'truncated-last-line']);
    expect(last('{"b":1,} {"a":1}')).toEqual(['damaged-line', undefined]);
    expect(last('{"b": {"a":1} {"c":2}')).not.toContain('truncated-last-line');
  });

  it('with a number that a double does not hold are kept, with a notice that says which', async () => {
    const [entry] = lineOf(long);
    expect(entry?.record?.value).toEqual({ a: { $num: '9007199254740993123' } });
    expect(entry?.problem).toMatchObject({
      code: 'inexact-number',
      severity: 'notice',
      message:
        'Line 2 of f.jsonl (byte 1): the number "a" is written 9007199254740993123, which programs read as another number or not at all. It is kept as written.',
    });
    const other = 'Also, the number "b" is written 1e999, which programs read as another number or not at all.';
    expect(lineOf('{"a":1,"a":2,"b":1e999,"c":NaN}').map(({ problem }) => [problem?.code, problem?.message])).toEqual([
      [
        'repeated-member',
        expect.stringMatching(/"a" stands more.* Also, .* 2 numbers of it are such, and are kept as/),
      ],
    ]);
    expect(lineOf('{"a":1,"a":2,"b":1e999}')[0]?.problem?.message).toContain(`take. ${other}`);
    expect(told(lineOf(`{"a":1} ${long}`).map(({ problem }) => problem))).toEqual([
      [undefined, undefined, undefined],
      ['inexact-number', 'notice', 9],
    ]);
    const document = `{"list":[${long}],"b":1e999}`;
    const entries = textToEntries('f.json', document, { line: 1, offset: 0 }, new Set(['list']));
    const { pieces } = await readPieces(
      bytesToSource('f.json', new TextEncoder().encode(document)),
      new Set(['list.*']),
    );
    for (const problems of [entries.map(({ problem }) => problem), pieces.map(({ note }) => note)])
      expect(problems.map((problem) => problem?.code)).toEqual(['inexact-number', 'inexact-number']);
  });

  it('that are no UTF-8 besides are told both', async () => {
    const source = bytesToSource(
      'f.json',
      new Uint8Array([...new TextEncoder().encode('[{"a":1e999,"b":"'), 255, 34, 125, 93]),
    );
    const list = await readDocumentEntries(source, () => undefined, new Set(['']));
    const { pieces } = await readPieces(source, new Set(['*']));
    const problems = [...list.map(({ problem }) => problem), ...pieces.map(({ note }) => note)];
    expect(problems).toHaveLength(2);
    for (const problem of problems) {
      expect(problem?.code).toBe('invalid-utf8');
      expect(problem?.message).toMatch(/not UTF-8.* the number "a" is written 1e999/);
    }
  });

  it('that cannot be read are one record as long as nothing readable stands between them', () => {
    const damaged = (text: string) => lineOf(text).map(({ record, problem }) => record?.text ?? problem?.place?.length);
    expect(damaged('garbage{{')).toEqual([9]);
    expect(damaged('{"a":1,}{"b":2,} x')).toEqual([18]);
    expect(damaged('log: [ {"a":1} ] {"b":2} x {"c" {"d":4}')).toEqual([4, '[ {"a":1} ]', '{"b":2}', 14]);
    expect(told(lineOf('{"b":2} x {').map(({ problem }) => problem))).toEqual([
      [undefined, undefined, undefined],
      ['damaged-line', 'problem', 9],
    ]);
  });
});
