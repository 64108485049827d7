import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type JsonValue, maxJsonDepth, plainToRecorded, recordedToPlain } from './json.ts';
import { numberTokenToValue, parseLossless, writeLossless, parseNoting } from './lossless.ts';

const seed = 20_260_104;

function parse(text: string): JsonValue {
  const result = parseLossless(text);
  if (!result.ok) throw new Error(`${result.error.message} at ${String(result.error.at)} in ${text}`);
  return result.value;
}

/** JSON text as sloppy and exact writers make it: long numbers, repeated and reserved keys, lone surrogates, compact. */
const text: fc.Arbitrary<string> = fc.letrec<{ value: string }>((tie) => {
  const token = fc.constantFrom(
    '12345678901234567890',
    '0.1000000000000000055511151231257827',
    '-1e400',
    '1E5',
    '-0.0',
    'NaN',
    '-Infinity',
    '1.10',
  );
  const string = fc.oneof(
    fc.string().map((s) => JSON.stringify(s)),
    fc.constantFrom('"\\ud800"', '"\\u0000"', '"$num"'),
  );
  const key = fc.oneof(
    // The host keeps names that are array indices before all others, see below.
    fc
      .string({ maxLength: 2 })
      .filter((s) => !/^\d+$/.test(s))
      .map((s) => JSON.stringify(s)),
    fc.constantFrom('"$num"', '"$dup"', '"$esc"', '"__proto__"', '"constructor"'),
  );
  const member = fc.tuple(key, tie('value')).map(([name, value]) => `${name}:${value}`);
  return {
    value: fc.oneof(
      { depthSize: 'small' },
      token,
      string,
      fc.integer().map(String),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => JSON.stringify(n)),
      fc.constantFrom('true', 'false', 'null'),
      fc.array(tie('value'), { maxLength: 4 }).map((items) => `[${items.join(',')}]`),
      fc.array(member, { maxLength: 5 }).map((members) => `{${members.join(',')}}`),
    ),
  };
}).value;

/** What may differ between a text and its re-writing: spelling of equal numbers, escapes, and nothing else. */
function sameMeaning(a: string, b: string): boolean {
  return JSON.stringify(tokens(a)) === JSON.stringify(tokens(b));
}

function tokens(source: string): readonly (string | readonly [string, string])[] {
  return (source.match(/"(?:[^"\\]|\\.)*"|[[\]{}:,]|[^[\]{}:,"]+/g) ?? []).map((token) => {
    if (token.startsWith('"')) return ['string', JSON.stringify(JSON.parse(token))] as const;
    const value = numberTokenToValue(token);
    return /^-?\d/.test(token) ? (['number', typeof value === 'number' ? String(value) : token] as const) : token;
  });
}

describe('lossless JSON', () => {
  it('keeps every token of any text: writing what was parsed means the same', () => {
    fc.assert(
      fc.property(text, (source) => {
        expect(sameMeaning(writeLossless(parse(source)), source)).toBe(true);
      }),
      { seed, numRuns: 2000 },
    );
  });

  it('is stable: parsing what was written gives the same value', () => {
    fc.assert(
      fc.property(text, (source) => {
        const value = parse(source);
        expect(parse(writeLossless(value))).toEqual(value);
      }),
      { seed, numRuns: 2000 },
    );
  });

  it('agrees with the host on plain JSON, and never on a prototype', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const source = JSON.stringify(value);
        expect(recordedToPlain(parse(source))).toEqual(JSON.parse(source));
      }),
      { seed, numRuns: 500 },
    );
    const value = parse('{"__proto__":{"x":1},"constructor":2}');
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(writeLossless(value)).toBe('{"__proto__":{"x":1},"constructor":2}');
  });

  it('keeps repeated keys in order, reserved look-alikes apart, and long numbers as written', () => {
    expect(parse('{"a":1,"a":2}')).toEqual({
      $dup: [
        ['a', 1],
        ['a', 2],
      ],
    });
    expect(parse('{"$num":"1"}')).toEqual({ $esc: { $num: '1' } });
    expect(parse('12345678901234567890')).toEqual({ $num: '12345678901234567890' });
    expect(parse('[1e2,1.50,-0,9007199254740993]')).toEqual([100, 1.5, 0, { $num: '9007199254740993' }]);
    expect(recordedToPlain(parse('{"a":1,"a":2,"b":{"$esc":1}}'))).toEqual({ a: 2, b: { $esc: 1 } });
    expect(plainToRecorded({ $num: 'x' })).toEqual({ $esc: { $num: 'x' } });
  });

  it('copies a value only where it changes', () => {
    const plain: JsonValue = { a: [1, { b: 'x' }], c: null };
    expect(plainToRecorded(plain)).toBe(plain);
    expect(recordedToPlain(plain)).toBe(plain);
    const odd: JsonValue = { first: plain, list: [plain, { $num: 'x' }, -0, plain], last: plain };
    const recorded = plainToRecorded(odd);
    expect(recorded).toEqual({ first: plain, list: [plain, { $esc: { $num: 'x' } }, 0, plain], last: plain });
    expect(recordedToPlain(recorded)).toEqual({ ...odd, list: [plain, { $num: 'x' }, 0, plain] });
    expect(odd).toEqual({ first: plain, list: [plain, { $num: 'x' }, -0, plain], last: plain });
  });

  it('writes names that are array indices first, as the host keeps them: members have no order in JSON', () => {
    expect(writeLossless(parse('{"b":1,"1":2,"a":12345678901234567890}'))).toBe(
      '{"1":2,"b":1,"a":12345678901234567890}',
    );
  });

  it('keeps raw control characters inside strings', () => {
    expect(parse('"a\tb\nc"')).toBe('a\tb\nc');
  });

  it('names the place of an error, and never overflows', () => {
    const failing = (source: string) => {
      const result = parseLossless(source);
      return result.ok ? undefined : [result.error.message, result.error.at];
    };
    expect(failing('{"a":')).toEqual(['the text ends where a value should be', 5]);
    expect(failing('{"a" 1}')).toEqual(['expected a colon', 5]);
    expect(failing('[1,]')?.[1]).toBe(3);
    expect(failing('{"a":1} x')).toEqual(['there is more text after the value', 8]);
    expect(failing('"\\x"')?.[0]).toBe('a string has a broken escape');
    expect(failing('01')?.[0]).toBe('not a JSON value');
    const deep = '['.repeat(1_000_000);
    expect(failing(deep)?.[0]).toBe(`nested deeper than ${String(maxJsonDepth)} levels`);
  });

  it('reads a number of many zeros inside in time that grows with its length', { timeout: 2000 }, () => {
    const token = `1${'0'.repeat(100_000)}1e-100000`;
    expect(numberTokenToValue(token)).toEqual({ $num: token });
  });

  it('says where members are repeated, and of nothing else', () => {
    const repeated = (source: string) => {
      const result = parseNoting(source);
      if (!result.ok) return result.error.message;
      expect(result.value.value).toEqual(parse(source));
      return result.value.repeated;
    };
    expect(repeated('{"a":{"x":1,"x":2}}')).toEqual({ path: 'a.x', objects: 1 });
    expect(repeated('{"a":[1,{"b":[[],{"y":{},"x":1,"x":2}]}],"x":0}')).toEqual({ path: 'a[1].b[1].x', objects: 1 });
    expect(repeated('[{"x":1,"x":2},{"y":1,"y":2,"y":3}]')).toEqual({ path: '[0].x', objects: 2 });
    expect(repeated('{"x":{"y":1,"y":1},"x":2}')).toEqual({ path: 'x.y', objects: 2 });
    expect(repeated('{"$dup":[["a",1],["a",2]]}')).toBeUndefined();
    expect(repeated('{"a":12345678901234567890,"b":{"a":1}}')).toBeUndefined();
    expect(repeated('{"a":[1,')).toMatch(/text ends/);
  });

  it('says which numbers a double does not hold, and of no others', () => {
    const inexact = (source: string) => {
      const result = parseNoting(source);
      if (!result.ok) return result.error.message;
      expect(result.value.value).toEqual(parse(source));
      return result.value.inexact;
    };
    expect(inexact('{"a":[1,{"b":9007199254740993123,"c":1e999}]}')).toEqual({
      path: 'a[1].b',
      token: '9007199254740993123',
      numbers: 2,
    });
    expect(inexact('[NaN,[-Infinity]]')).toEqual({ path: '[0]', token: 'NaN', numbers: 2 });
    expect(inexact('0.12345678901234567890')).toEqual({ path: '', token: '0.12345678901234567890', numbers: 1 });
    expect(inexact('[9007199254740992,1.5e3,-0,0.1,1.00000000000000000000]')).toBeUndefined();
    expect(inexact('{"a":"9007199254740993123","x":1,"x":1,"b":{"$num":"1e999"}}')).toBeUndefined();
  });
});
