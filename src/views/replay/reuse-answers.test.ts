import { expect, it } from 'vitest';
import type { AnswerAsk, FoundAnswer, TraceId } from '../../data/index.ts';
import { answersToStanding } from './reuse-answers.ts';

it('offers an answer of another run only to the very question it was searched for', () => {
  const asks = (path: string, args: string): AnswerAsk['commands'][number] => ({
    path,
    kind: 'read',
    name: 'get',
    args,
  });
  const answer: FoundAnswer = {
    // Cast: a brand for the test.
    trace: 't' as TraceId,
    traceName: 'T',
    run: 'r',
    event: 'w:1',
    outcome: { value: 1 },
    more: 0,
  };
  const byPath = { '/a#0': [answer], '/b#0': [answer] };
  const searched = { commands: [asks('/a#0', 'sha256:1'), asks('/b#0', 'sha256:2'), asks('/c#0', 'sha256:3')] };
  const standing = answersToStanding(searched, { byPath }, [asks('/a#0', 'sha256:1'), asks('/b#0', 'sha256:other')]);
  expect([...standing]).toEqual([['/a#0', [answer]]]);
  expect(answersToStanding(searched, { byPath }, [asks('/c#0', 'sha256:3')]).size).toBe(0);
});
