import { describe, expect, it } from 'vitest';
import { firstToParts, startsToSentence } from './compare-words.ts';

function say(first: Parameters<typeof firstToParts>[0]): string {
  return firstToParts(first)
    .map(({ text }) => text)
    .join('');
}

describe('a first difference in words', () => {
  it.each([
    [{ path: '/a#0', what: 'only here' } as const, '/a#0 is only in B.'],
    [
      { path: '/a#0', what: 'value', pointer: '/x', here: 1, there: 'two' } as const,
      '/a#0 receives another value at /x: A two, B 1.',
    ],
    [
      { path: '/a#0', what: 'arguments', pointer: '', here: { a: 1 } } as const,
      '/a#0 is asked with other arguments: A nothing, B {"a":1}.',
    ],
    [{ path: '/a#0', what: 'value' } as const, '/a#0 receives another value.'],
    [
      { path: '/a=k', what: 'moved', movedFrom: '/a#0' } as const,
      '/a=k moved: the same arguments and the same answer stand in A at /a#0.',
    ],
    [
      { path: '/a#0', what: 'not reached', missing: 'here' } as const,
      '/a#0 is not reached in B: that side has not come to its end.',
    ],
  ])('%j', (first, sentence) => {
    expect(say(first)).toBe(sentence);
  });

  it('shows of two long texts where they begin to differ', () => {
    const letter = 'Dear Ines, '.repeat(20);
    const first = {
      path: '/a#0',
      what: 'value',
      here: `${letter}free of charge`,
      there: `${letter}at 120 EUR`,
    } as const;
    expect(say(first)).toMatch(/: A ….*at 120 EUR, B ….*free of charge\.$/);
  });

  it('says whose key it is that the other side has', () => {
    const first = { path: '/a#0', what: 'idempotency key', here: 'k', runtimeKey: 'there' } as const;
    expect(say(first)).toContain("with the runtime's own key in A, and with a key from the program in B");
  });

  it('is told with what both began with', () => {
    const programs = { here: 'p 2', there: 'p 1' };
    const rest = {
      rows: [],
      counts: { changed: 0, moved: 0, same: 0, 'only here': 0, 'only there': 0, 'not reached': 0 },
      drawsApart: 0,
      first: undefined,
      effects: undefined,
      contradictions: { here: [], there: [] },
      states: [],
      inputDifferences: [],
      outcomes: { here: '', there: '', isEqual: true },
    };
    const of = (equalInput: boolean | undefined, equalProgram: boolean | undefined) =>
      startsToSentence({ ...rest, equalInput, equalProgram, programs });
    expect(of(true, true)).toBe('Both began with the same input and ran the same program, p 2.');
    expect(of(false, false)).toBe('They began with different inputs and ran different programs: A p 1, B p 2.');
    expect(of(undefined, undefined)).toBe(
      'Whether both began with the same input is not recorded; whether they ran the same program is not recorded.',
    );
  });
});
