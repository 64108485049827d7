import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sha256Hex, utf8Length } from '../base/hash.ts';
import type { JsonValue } from '../base/json.ts';
import { parseLossless } from '../base/lossless.ts';
import { canon, canonHoisted, digest, digestBytes, inlineLimit, isContentReference } from './canon.ts';

const seed = 20_260_105;

function parse(text: string): JsonValue {
  const result = parseLossless(text);
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

/** Stores every part that may be stored apart, as a writer of references would. */
function byReference(value: JsonValue): JsonValue {
  const text = canonHoisted(value);
  const ref = /^\{"\$ref":"(sha256:[0-9a-f]{64})"\}$/.exec(text)?.[1];
  return ref === undefined || isContentReference(value) ? value : { $ref: ref, bytes: utf8Length(canon(value)) };
}

describe('canonical form', () => {
  it('is RFC 8785: the examples of its text', () => {
    const example =
      '{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/","literals":[null,true,false]}';
    expect(canon(parse(example.replace('333333333.33333329', '333333333.3333333')))).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
    const keys =
      '{"\\u20ac":"Euro Sign","\\r":"Carriage Return","\\ufb33":"Hebrew Letter Dalet With Dagesh","1":"One","\\ud83d\\ude00":"Emoji: Grinning Face","\\u0080":"Control","\\u00f6":"Latin Small Letter O With Diaeresis"}';
    expect(Object.values(JSON.parse(canon(parse(keys))) as object).join('|')).toBe(
      'One|Carriage Return|Control|Latin Small Letter O With Diaeresis|Euro Sign|Emoji: Grinning Face|Hebrew Letter Dalet With Dagesh',
    );
    expect(canon(parse('[56,{"d":true,"10":null,"1":[]}]'))).toBe('[56,{"1":[],"10":null,"d":true}]');
  });

  it('writes what RFC 8785 cannot: long numbers, lone surrogates, repeated keys, look-alikes', () => {
    expect(canon(parse('12345678901234567890'))).toBe('{"$num":"12345678901234567890"}');
    expect(canon(parse('"\\uD800"'))).toBe('"\\ud800"');
    expect(canon(parse('{"b":1,"a":2,"b":3}'))).toBe('{"$dup":[["b",1],["a",2],["b",3]]}');
    expect(canon(parse('{"$dup":[]}'))).toBe('{"$esc":{"$dup":[]}}');
    expect(canon(parse('-0'))).toBe('0');
  });

  it('does not depend on the order of members', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (object) => {
        const turned = Object.fromEntries(Object.entries(object).reverse());
        expect(canon(parse(JSON.stringify(turned)))).toBe(canon(parse(JSON.stringify(object))));
      }),
      { seed, numRuns: 300 },
    );
  });
});

describe('digests', () => {
  it('are the same inline and by reference, at every level', () => {
    const big = fc.string({ minLength: 400, maxLength: 2500 });
    const value = fc.letrec<{ v: JsonValue }>((tie) => ({
      v: fc.oneof(
        { maxDepth: 3 },
        big,
        fc.integer(),
        fc.array(tie('v'), { maxLength: 4 }),
        fc.dictionary(fc.string({ maxLength: 3 }), tie('v'), { maxKeys: 4 }),
      ),
    })).v;
    fc.assert(
      fc.property(fc.array(value, { maxLength: 5 }), (raw) => {
        const inline = parse(JSON.stringify(raw));
        if (!Array.isArray(inline)) throw new Error('a list stays a list');
        const list: readonly JsonValue[] = inline;
        const hoisted = list.map(byReference);
        expect(digest(hoisted)).toBe(digest(list));
        expect(digest(byReference(list))).toBe(digest(list));
      }),
      { seed, numRuns: 300 },
    );
  });

  it('hoist by bytes of UTF-8, just above the limit and not at it', () => {
    const at = 'é'.repeat((inlineLimit - 2) / 2);
    expect(canonHoisted(at)).toBe(JSON.stringify(at));
    expect(canonHoisted(`${at}e`)).toBe(`{"$ref":"sha256:${sha256Hex(JSON.stringify(`${at}e`))}"}`);
  });

  it('differ for what differs, and are those of the bytes for what is no JSON', () => {
    expect(digest(parse('12345678901234567890'))).not.toBe(digest(parse('12345678901234567891')));
    expect(digest('a')).toBe(`sha256:${sha256Hex('"a"')}`);
    expect(digestBytes(new TextEncoder().encode('abc'))).toBe(
      'sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    );
  });
});

describe('utf8Length', () => {
  it('is the length of the encoded text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        expect(utf8Length(value)).toBe(new TextEncoder().encode(value).length);
      }),
      { seed, numRuns: 500 },
    );
    expect(utf8Length('\ud800x\udc00')).toBe(7);
  });
});
