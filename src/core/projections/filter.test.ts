import { describe, expect, it } from 'vitest';
import { type FilterProblem, parseFilter } from './filter.ts';
import { emptyFilter, matchesType } from './matching.ts';
import type { FilterSpec } from './trace-reader.ts';

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

describe('matchesType', () => {
  it('takes whole names and beginnings at a dot', () => {
    expect(matchesType('tool_call.dispatched', 'tool_call')).toBe(true);
    expect(matchesType('tool_call.dispatched', 'tool')).toBe(true);
    expect(matchesType('tool_call.dispatched', 'tool_call.dispatched')).toBe(true);
    expect(matchesType('tool_call.dispatched', 'tool_call.disp')).toBe(false);
    expect(matchesType('run.started', 'run_started')).toBe(true);
  });
});
