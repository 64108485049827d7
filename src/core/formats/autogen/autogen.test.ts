import { expect, it } from 'vitest';
import { eventToTitle } from '../../projections/index.ts';
import { conversationRules } from '../chat/conversation.ts';
import { byType, edges, expectSound, openValue, rulesOf } from '../testing/platforms.ts';

const log = {
  question: 'where?',
  ground_truth: 'here',
  mistake_agent: 'Surfer',
  mistake_step: '2',
  mistake_reason: 'clicked',
  question_ID: 'q',
  history: [
    { role: 'human', content: 'where?' },
    { role: 'Orchestrator (-> Surfer)', content: 'go' },
    { role: 'Surfer', content: 'clicked' },
    { role: 'user', name: 'Expert', content: 'no' },
    { role: 'Orchestrator (thought)', content: 'hm' },
  ],
};

it('Who&When: speakers, order, and the ground truth as annotations on the message it names', async () => {
  const opened = await openValue(log);
  expectSound(opened);
  for (const rule of rulesOf(opened)) expect(conversationRules).toHaveProperty(rule);
  expect(opened.counts).toEqual({ input: 6, mapped: 6, merged: 0, problems: 0 });
  expect(byType(opened, 'message.sent').map(({ agent }) => agent)).toEqual([
    'Orchestrator',
    'Surfer',
    'Expert',
    'Orchestrator',
  ]);
  expect(byType(opened, 'message.sent').map((event) => eventToTitle(event))).toEqual([
    'Orchestrator (-> Surfer) said: go',
    'Surfer said: clicked',
    'Expert said: no',
    'Orchestrator (thought) said: hm',
  ]);
  expect(byType(opened, 'message.sent')[0]?.data).toMatchObject({ from: 'Orchestrator', to: 'Surfer' });
  expect(edges(opened)).toContain('m2 -caused_by-> mistake');
  expect(edges(opened)).toContain('m1 -caused_by~message-order-> m2');
  expect(byType(opened, 'annotation.made').map(({ data }) => data)).toMatchObject([
    { label: 'decisive mistake', body: { agent: 'Surfer', reason: 'clicked' } },
    { label: 'expected answer', body: 'here' },
  ]);
});

it('Who&When: a list of logs is a log each', async () => {
  const opened = await openValue([log, { ...log, question_ID: 'r', question: 'when?' }]);
  expectSound(opened);
  expect(opened.counts).toEqual({ input: 12, mapped: 12, merged: 0, problems: 0 });
  expect(byType(opened, 'run.started')).toHaveLength(2);
});
