import { expect, it } from 'vitest';
import { findLane, summaryToLanes } from './lanes.ts';

it('every row stands in the lane of its agent, else of its process, whichever life wrote it', () => {
  const lanes = summaryToLanes({
    agents: [{ name: 'support', count: 3 }],
    producers: [
      { component: 'worker', incarnation: '1', events: 1 },
      { component: 'worker', incarnation: '2', events: 1 },
      { component: 'ticket-service', events: 1 },
    ],
  });
  expect(lanes).toEqual(['support', 'worker', 'ticket service']);
  const at = (agent: string | undefined, source: string): number => findLane(lanes, { agent, source });
  expect([at('support', 'worker 1'), at(undefined, 'worker 2'), at(undefined, 'worker')]).toEqual([0, 1, 1]);
  expect([at(undefined, 'ticket service'), at(undefined, 'harness')]).toEqual([2, -1]);
});
