import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../base/json.ts';
import { drawView } from '../testing/drawn-view.ts';
import { applyPatch, computeChanges } from './changes.ts';
import { computeStateLines } from './states.ts';

const digest = `sha256:${'a'.repeat(64)}`;

describe('state lines', () => {
  it('R6 joins each version to the one it consumed and states what changed', () => {
    const [line] = computeStateLines(
      drawView(`
        worker:
          s1 state.transitioned path=/state:case#0 {"name":"case","from":0,"to":1,"value":{"stage":"open","tags":["a"]}}
          s2 state.transitioned path=/state:case#1 <- s1:consumed {"name":"case","from":1,"to":2,"patch":[{"op":"replace","path":"/stage","value":"done"},{"op":"add","path":"/tags/-","value":"b"}]}
          s3 state.transitioned path=/state:case#2 <- s2:consumed {"name":"case","from":2,"to":3,"patch":{"tags":null}}
      `),
    );
    expect(line?.name).toBe('case');
    expect(line?.versions.map(({ changes }) => changes)).toEqual([
      [{ path: '', after: { stage: 'open', tags: ['a'] } }],
      [
        { path: '/stage', before: 'open', after: 'done' },
        { path: '/tags/1', after: 'b' },
      ],
      [{ path: '/tags', before: ['a', 'b'] }],
    ]);
  });

  it('follows a reference, and leaves out a value whose bytes are not here', () => {
    const lines = computeStateLines(
      drawView(`
        worker:
          c content.stored {"digest":"${digest}","mediaType":"application/json","text":"{\\"n\\":1}"}
          s1 state.transitioned {"name":"a","from":null,"to":1,"value":{"$ref":"${digest}","bytes":7}}
          s2 state.transitioned {"name":"b","from":null,"to":1,"value":{"$ref":"sha256:${'b'.repeat(64)}","bytes":9}}
      `),
    );
    expect(lines.map(({ versions }) => versions[0]?.value)).toEqual([{ n: 1 }, undefined]);
    expect(lines.map(({ versions }) => versions[0]?.from)).toEqual(['none', 'none']);
  });

  it('states no change where the consumed version is not recorded', () => {
    const [line] = computeStateLines(
      drawView(`
        worker:
          s1 state.transitioned {"name":"a","from":0,"to":1,"value":1}
          s2 state.transitioned {"name":"a","to":2,"value":2}
          s3 state.transitioned replayed {"name":"a","from":1,"to":2,"value":2}
      `),
    );
    expect(line?.versions.map(({ changes }) => changes.length)).toEqual([1, 0]);
  });
});

describe('changes', () => {
  const json = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)) as JsonValue);

  it('are empty exactly for equal values, and setting them on the old value gives the new one', () => {
    fc.assert(
      fc.property(json, json, (a, b) => {
        const changes = computeChanges(a, b);
        expect(computeChanges(a, a)).toEqual([]);
        const removals = changes.filter(({ after }) => after === undefined).reverse();
        const sets = changes.filter(({ after }) => after !== undefined);
        let at: JsonValue | undefined = a;
        for (const { path } of removals) at = applyPatch(at, [{ op: 'remove', path }]);
        for (const { path, before, after } of sets) {
          at = applyPatch(at, [{ op: before === undefined ? 'add' : 'replace', path, value: after ?? null }]);
        }
        expect(at).toEqual(b);
      }),
      { seed: 20260101, numRuns: 300 },
    );
  });

  it('R146 read each part of a value once, however deep it stands', () => {
    let read = 0;
    const deep = (leaf: number): JsonValue => {
      const bottom = {
        get leaf() {
          read++;
          return leaf;
        },
      };
      return Array.from({ length: 300 }).reduce<JsonValue>((inner) => ({ inner }), bottom);
    };
    expect(computeChanges(deep(1), deep(2))).toMatchObject([{ before: 1, after: 2 }]);
    expect(read).toBeLessThan(10);
  });

  it('a long number and an object that repeats a key are one value each', () => {
    const [long, other] = [{ $num: '12345678901234567890' }, { $num: '12345678901234567891' }];
    expect(computeChanges({ a: long }, { a: { ...long } })).toEqual([]);
    expect(computeChanges({ a: long }, { a: other })).toEqual([{ path: '/a', before: long, after: other }]);
    const twice = (n: number): JsonValue => ({
      $dup: [
        ['k', n],
        ['k', 2],
      ],
    });
    expect(computeChanges(twice(1), twice(3))).toEqual([{ path: '', before: twice(1), after: twice(3) }]);
  });

  it('escape keys, and treat prototype keys as any other', () => {
    expect(computeChanges({ 'a/b~': 1 }, { 'a/b~': 2 })).toEqual([{ path: '/a~1b~0', before: 1, after: 2 }]);
    const patched = applyPatch(JSON.parse('{"__proto__":1}') as JsonValue, [
      { op: 'replace', path: '/__proto__', value: 2 },
    ]);
    expect(JSON.stringify(patched)).toBe('{"__proto__":2}');
  });

  it('a patch that does not fit gives no value', () => {
    expect(applyPatch({ a: 1 }, [{ op: 'replace', path: '/b', value: 1 }])).toBeUndefined();
    expect(applyPatch([1], [{ op: 'add', path: '/5', value: 1 }])).toBeUndefined();
    expect(applyPatch({ a: 1 }, [{ op: 'test', path: '/a', value: 2 }])).toBeUndefined();
    expect(applyPatch({ a: { b: 1 } }, [{ op: 'move', from: '/a/b', path: '/c' }])).toEqual({ a: {}, c: 1 });
  });
});
