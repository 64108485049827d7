import { describe, expect, it } from 'vitest';
import type { TraceSummary } from '../core/projections/trace-reader.ts';
import { completeFilter, draftToText, isHalfTyped } from './filter-completion.ts';

const summary: TraceSummary = {
  format: 'hindcast',
  replayGrade: 'none',
  missingForReplay: [],
  counts: { input: 0, mapped: 0, merged: 0, problems: 0, events: 0 },
  edges: { recorded: 0, inferred: 0, clockOnly: 0 },
  problems: 0,
  notices: 0,
  unread: { files: [], records: 0 },
  runs: [],
  branches: [],
  producers: [],
  agents: [{ name: 'the planner', count: 2 }],
  steps: [{ name: 'open-ticket', count: 4 }],
  types: [],
  tools: [
    { name: 'create_ticket', count: 3 },
    { name: 'read_ledger', count: 1 },
  ],
  principals: [],
  sessions: [],
  clocks: [],
};

function inserts(text: string, saved: readonly string[] = []): string[] {
  return completeFilter(text, text.length, summary, saved).options.map(({ insert }) => insert);
}

describe('completeFilter', () => {
  it('offers fields by their beginning, then the values of this trace', () => {
    expect(inserts('to')).toEqual(['tool:', 'tokens:>']);
    expect(inserts('tool:')).toEqual(['tool:create_ticket ', 'tool:read_ledger ']);
    expect(inserts('agent:pla')).toEqual(['agent:"the planner" ']);
    expect(inserts('step:op')).toEqual(['step:open-ticket ']);
    expect(inserts('status:f')).toEqual(['status:failed ', 'status:effect ']);
  });

  it('replaces only the word after a minus', () => {
    expect(completeFilter('x -tool:led', 11, summary)).toMatchObject({ from: 3, to: 11 });
    expect(inserts('x -tool:led')).toEqual(['tool:read_ledger ']);
  });

  it('knows a word that is still on its way to a field or a value of this trace', () => {
    const half = (text: string): boolean => isHalfTyped(text, text.length, summary);
    for (const text of ['a', 'age', 'agent:', 'agent:the', 'x -agent:pl', 'tokens:>', 'tool:', 'status:fa'])
      expect([text, half(text)]).toEqual([text, true]);
    for (const text of [
      '',
      'agent:"the planner"',
      'agent:nobody',
      'tool:tick',
      'tokens:>5',
      'refund',
      '"age',
      'agent:x ',
    ])
      expect([text, half(text)]).toEqual([text, false]);
  });

  it('offers kept filters before anything is typed', () => {
    expect(inserts('', ['status:failed'])[0]).toBe('status:failed');
    expect(inserts('t', ['status:failed'])).not.toContain('status:failed');
  });
});

describe('draftToText', () => {
  it('keeps a blank at the end of what is typed after the filter came of it, so that the next word can follow', () => {
    const draft = { text: 'agent:support ', over: '' };
    expect(draftToText(draft, '')).toBe('agent:support ');
    expect(draftToText(draft, 'agent:support')).toBe('agent:support ');
  });

  it('gives way to a filter that came otherwise', () => {
    expect(draftToText({ text: 'agent:support ', over: '' }, 'type:run.started')).toBe('type:run.started');
    expect(draftToText(undefined, 'type:run.started')).toBe('type:run.started');
  });
});
