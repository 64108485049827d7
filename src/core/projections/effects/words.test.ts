import { describe, expect, it } from 'vitest';
import { countToText, listToText, timesToText, toolToAct, verdictToText } from './words.ts';

describe('words', () => {
  it.each([
    ['create_ticket', 'ticket creation'],
    ['tickets.create', 'ticket creation'],
    ['createTicket', 'ticket creation'],
    ['mail.send', 'mail sending'],
    ['address.update', 'address update'],
    ['update_status', 'status update'],
    ['news.post', 'news posting'],
    ['series.delete', 'series deletion'],
    ['create_alias', 'alias creation'],
    ['send_analysis', 'analysis sending'],
    ['Bash', 'call of "Bash"'],
    ['tool-cnwc', 'call of "tool-cnwc"'],
    ['create', 'call of "create"'],
    ['create_a_very_long_thing', 'call of "create_a_very_long_thing"'],
  ])('%s is called %s', (tool, act) => {
    expect(toolToAct(tool)).toBe(act);
  });

  it('R100 R28 says who tells of an execution', () => {
    const row = { verdict: 'executed once', noServiceRecords: true } as const;
    expect(verdictToText(row)).toBe('answered; executed as its caller tells');
    expect(verdictToText({ ...row, noServiceRecords: false })).toBe('executed once');
    expect(verdictToText({ ...row, stopped: 'did not run' })).toBe('did not run');
    expect(verdictToText({ ...row, verdict: 'uncertain' })).toBe('uncertain');
    const atLeast = 'executed at least once; how often is uncertain';
    expect(verdictToText({ verdict: 'uncertain', times: 1, noServiceRecords: false })).toBe(atLeast);
  });

  it('lists and counts', () => {
    expect([[], ['a'], ['a', 'b'], ['a', 'b', 'c']].map((list) => listToText(list))).toEqual([
      '',
      'a',
      'a and b',
      'a, b and c',
    ]);
    expect(listToText(['a', 'b', 'c'], 2)).toBe('a, b and 1 more');
    expect([countToText(1, 'gap'), countToText(2, 'gap')]).toEqual(['1 gap', '2 gaps']);
    expect([1, 2, 3].map(timesToText)).toEqual(['once', 'twice', '3 times']);
  });
});
