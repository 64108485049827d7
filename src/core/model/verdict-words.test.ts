import { expect, it } from 'vitest';
import type { JsonObject } from '../base/json.ts';
import { eventToVerdict } from './verdict-words.ts';

it('a score, a reward, a mistake, an exit status in a few words; nothing of what judges nothing', () => {
  const told: readonly (readonly [string, JsonObject, string | undefined])[] = [
    ['annotation.made', { label: 'score', body: { value: 'C', answer: 'long' } }, 'score C'],
    ['annotation.made', { label: 'score', body: 0.5 }, 'score 0.5'],
    ['annotation.made', { label: 'score', body: { value: { a: 1, b: true, c: [1] } } }, 'score a 1, b true'],
    ['annotation.made', { label: 'score', body: { value: '\u202eC\nI' } }, 'score \\u202eC I'],
    ['annotation.made', { label: 'score', body: { $hole: 'h' } }, undefined],
    ['annotation.made', { label: 'score', body: { value: { $hole: 'h' } } }, undefined],
    ['annotation.made', { label: 'remark', body: 'C' }, undefined],
    [
      'annotation.made',
      { label: 'decisive mistake', body: { agent: 'A', step: 3 } },
      'decisive mistake of A at step 3',
    ],
    ['run.completed', { evaluation: { reward: 0 } }, 'reward 0'],
    ['run.completed', { exit_status: 'submitted' }, 'exit status submitted'],
    ['run.completed', { result: 1 }, undefined],
    ['tool_call.completed', { exit_status: 'x' }, undefined],
  ];
  for (const [type, data, words] of told) expect(eventToVerdict(type, data), JSON.stringify(data)).toBe(words);
});
