/** Rule `content`: what counts as an occurrence of a delivered value, and what is too little. */
import { describe, expect, it } from 'vitest';
import { digest } from '../model/index.ts';
import { createContentIndex } from './content-rule.ts';

const long = 'a sentence of more than thirty-two characters';
const structure = { id: 8421, title: 'printer on fire', tags: ['a', 'b'] };
const index = createContentIndex([
  { path: '/text', value: { note: long } },
  { path: '/structure', value: structure },
  { path: '/short', value: { ok: true } },
  { path: '/word', value: 'open' },
]);

describe('rule content', () => {
  it.each([
    ['a long text inside another', { prompt: `Summarise: ${long}.` }, ['/text']],
    [
      'the same structure, keys in another order',
      { ticket: { tags: ['a', 'b'], title: 'printer on fire', id: 8421 } },
      ['/structure'],
    ],
    ['the digest as text', { ref: digest(structure) }, ['/structure']],
    ['what is short joins nothing', { state: { ok: true }, word: 'open' }, []],
    ['another structure', { ticket: { ...structure, id: 1 } }, []],
    ['a text cut short', { prompt: long.slice(0, 40) }, []],
  ])('%s', (_, args, expected) => {
    expect(index.usesOf(args)).toEqual(expected);
  });

  it.each([
    [31, []],
    [32, ['/value']],
    [33, ['/value']],
  ])('I6 a text, or what a structure says, of %i characters', (length, expected) => {
    const text = 'abcdefghijklmnopqrstuvwxyz0123456789'.slice(0, length);
    expect(createContentIndex([{ path: '/value', value: text }]).usesOf({ note: `It says ${text}.` })).toEqual(
      expected,
    );
    const small = { n: text.slice(0, length - '{"n":""}'.length) };
    expect(JSON.stringify(small)).toHaveLength(length);
    expect(createContentIndex([{ path: '/value', value: small }]).usesOf({ part: small })).toEqual(expected);
  });
});
