import { describe, expect, it } from 'vitest';
import { type FilterProblem, parseFilter } from './filter.ts';
import { emptyFilter } from './matching.ts';
import type { FilterSpec } from './trace-reader.ts';
import { matchesType } from './type-match.ts';

function parsed(text: string): FilterSpec {
  const result = parseFilter(text);
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

function problemOf(text: string): FilterProblem | undefined {
  const result = parseFilter(text);
  return result.ok ? undefined : result.error;
}

describe('parseFilter', () => {
  it('reads fields, quoted values and free text', () => {
    expect(parsed('type:tool_call agent:"the planner" step:17 branch:b-1 family:effect "free  text" more')).toEqual({
      types: ['tool_call'],
      families: ['effect'],
      agents: ['the planner'],
      steps: ['17'],
      branches: ['b-1'],
      text: 'free  text more',
      terms: ['free  text', 'more'],
    });
  });

  it('takes repeated fields as alternatives and beginnings of families', () => {
    expect(parsed('agent:a agent:b family:st')).toEqual({
      ...emptyFilter,
      agents: ['a', 'b'],
      families: ['step', 'state', 'stream'],
    });
  });

  it('finds ids as text, and quoted colons', () => {
    expect(parsed('w:12').text).toBe('w:12');
    expect(parsed('"type:x"')).toEqual({ ...emptyFilter, text: 'type:x' });
    expect(parsed(String.raw`agent:"a \"b\""`).agents).toEqual(['a "b"']);
  });

  it('restricts nothing while a field or a quote is still being typed', () => {
    expect(parsed('')).toEqual(emptyFilter);
    expect(parsed('  type: ')).toEqual(emptyFilter);
    expect(parsed('agent:"the pl').agents).toEqual(['the pl']);
  });

  it('says what to write instead', () => {
    expect(problemOf('x agnet:a')).toEqual({
      message: 'There is no field "agnet". Write "agent:", or put the word in quotes to search for it as text.',
      at: 2,
      length: 7,
    });
    expect(problemOf('family:nonsense')?.message).toContain('There is no family "nonsense". Families are run, step');
    for (const typo of ['typ:a', 'types:a', 'tupe:a', 'brnach:a']) expect(problemOf(typo)).toBeDefined();
    expect(problemOf('ty:a')).toBeUndefined();
  });
});

describe('parseFilter, further fields', () => {
  it('reads names, bounds and opposites', () => {
    expect(parsed('tool:a tool:b session:s status:failed -type:note').where).toEqual([
      { field: 'tool', values: ['a', 'b'] },
      { field: 'session', values: ['s'] },
      { field: 'status', values: ['failed'] },
      { field: 'type', values: ['note'], not: true },
    ]);
    expect(parsed('tokens:>=1000 cost:<0.5 duration:1.5s..2m').where).toEqual([
      { field: 'tokens', values: [], least: 1000 },
      { field: 'cost', values: [], most: 0.49999999999999994 },
      { field: 'duration', values: [], least: 1500, most: 120_000 },
    ]);
    expect(parsed('tokens:7').where).toEqual([{ field: 'tokens', values: [], least: 7, most: 7 }]);
  });

  it('reads comparisons without the colon as with it', () => {
    for (const field of ['tokens', 'cost', 'duration'])
      for (const operator of ['>', '>=', '<', '<=', '=']) {
        const amount = field === 'duration' ? '2s' : '12';
        const words = parsed(`${field}:${operator}${amount}`);
        expect(words.where, field).toHaveLength(1);
        expect(parsed(`${field}${operator}${amount}`)).toEqual(words);
      }
    expect(parsed('-Tokens>12 x').where).toEqual(parsed('-tokens:>12').where);
    expect(parsed('tokens>')).toEqual(emptyFilter);
    expect(problemOf('duration>2')?.message).toBe('A duration needs a unit: write 2ms, 2s, 2m or 2h.');
  });

  it('says which fields there are where something else is compared, and leaves text alone', () => {
    expect(problemOf('x size>3')).toMatchObject({ at: 2, length: 6 });
    expect(problemOf('size>3')?.message).toBe(
      'There is no field "size". What can be compared is tokens, cost, duration. The other fields are type, family, agent, step, branch, session, run, tool, principal, status. Put "size>3" in quotes to search for it as text.',
    );
    expect(problemOf('token>3')?.message).toContain('Write "tokens", or put "token>3" in quotes');
    expect(problemOf('agent<=a')?.message).toBe(
      '"agent" is no amount. What can be compared is tokens, cost, duration. Write "agent:", or put "agent<=a" in quotes to search for it as text.',
    );
    for (const text of ['"tokens>12"', '"size>3"', 'a=b', 'a->b', '<div>', 'x=>y', '>3']) {
      expect(parsed(text), text).toEqual({ ...emptyFilter, text: text.replaceAll('"', '') });
    }
  });

  it('restricts nothing while a bound is still being typed', () => {
    for (const text of ['tokens:', 'tokens:>', 'duration:>=', 'tokens:5..', '-type:', '-', 'status:']) {
      expect(parsed(text), text).toEqual(
        text === 'tokens:5..' ? { ...emptyFilter, where: [{ field: 'tokens', values: [], least: 5 }] } : emptyFilter,
      );
    }
  });

  it('says what an amount or a status looks like', () => {
    expect(problemOf('duration:>2')?.message).toBe('A duration needs a unit: write 2ms, 2s, 2m or 2h.');
    expect(problemOf('tokens:many')?.message).toContain('"many" is no amount');
    expect(problemOf('tokens:9..3')?.message).toBe('The range 9..3 is empty: the first bound is above the second.');
    expect(problemOf('status:bad')?.message).toBe(
      'There is no status "bad". Write one of failed, ok, open, effect, repeated.',
    );
    expect(problemOf('-family:nonsense')?.message).toContain('There is no family "nonsense"');
  });
});

describe('matchesType', () => {
  it('takes whole names and beginnings at a dot', () => {
    expect(matchesType('tool_call.dispatched', 'tool_call')).toBe(true);
    expect(matchesType('tool_call.dispatched', 'tool')).toBe(true);
    expect(matchesType('tool_call.dispatched', 'tool_call.dispatched')).toBe(true);
    expect(matchesType('tool_call.dispatched', 'tool_call.disp')).toBe(false);
    expect(matchesType('run.started', 'run_started')).toBe(true);
  });
});
