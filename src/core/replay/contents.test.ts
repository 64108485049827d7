/** Values by digest: what one content names again, at any depth, and what would be too much. */
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../base/json.ts';
import { parseLossless } from '../base/lossless.ts';
import { type Digest, type HindcastEvent, digest, parseEvent } from '../model/index.ts';
import { type Contents, createContents } from './contents.ts';

function store(contents: readonly { readonly digest: Digest; readonly text: string }[]): Contents {
  const events = contents.map(({ digest: of, text }, n): HindcastEvent => {
    const line = {
      v: 1,
      id: `c${n}`,
      type: 'content.stored',
      run: 'a'.repeat(32),
      branch: 'main',
      source: { component: 'c' },
    };
    const parsed = parseLossless(
      JSON.stringify({ ...line, data: { digest: of, bytes: text.length, mediaType: 'application/json', text } }),
    );
    const event = parsed.ok ? parseEvent(parsed.value) : undefined;
    if (event?.ok !== true) throw new Error('the drawn content is no event');
    return event.value;
  });
  return createContents(events);
}

function refer(of: Digest): JsonValue {
  return { $ref: of, bytes: 4 };
}

const leaf = digest('a leaf');

describe('values by digest', () => {
  it('are resolved at any depth, and a content of null is null', () => {
    const nothing = digest(null);
    const contents = store([
      { digest: leaf, text: '{"said":"yes"}' },
      { digest: nothing, text: 'null' },
    ]);
    expect(contents.resolve({ a: [refer(leaf)], b: refer(nothing), c: 1 })).toEqual({
      a: [{ said: 'yes' }],
      b: null,
      c: 1,
    });
    expect(contents.resolve({ a: refer(digest('not there')) })).toBeUndefined();
  });

  it('are read once each: contents that name each other twice cost as many readings as there are contents', () => {
    const names = Array.from({ length: 40 }, (_, n) => digest(`level ${n}`));
    const levels = names.map((of, n) => ({
      digest: of,
      text: n === 0 ? '"the ground"' : JSON.stringify([refer(names[n - 1] ?? leaf), refer(names[n - 1] ?? leaf)]),
    }));
    const contents = store(levels);
    expect(contents.resolve(refer(names[2] ?? leaf))).toEqual([
      ['the ground', 'the ground'],
      ['the ground', 'the ground'],
    ]);
    // 2^39 copies of the ground are no value that could be shown, matched or digested.
    expect(contents.resolve(refer(names[39] ?? leaf))).toBeUndefined();
  });

  it('that name themselves are absent', () => {
    expect(store([{ digest: leaf, text: JSON.stringify([refer(leaf)]) }]).resolve(refer(leaf))).toBeUndefined();
  });
});
