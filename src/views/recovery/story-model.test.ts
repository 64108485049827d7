import { existsSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import type { TrialReport } from '../../core/recovery/index.ts';
import { sharedFolder } from '../../core/recovery/testing/opened-trials.ts';
import { trialToStory } from './story-model.ts';
import { judgeSamples, judgeShared, onlyCampaign, trialNamed } from './testing/judged.ts';

let incident: TrialReport;
let control: TrialReport;

beforeAll(async () => {
  const campaign = onlyCampaign(await judgeSamples());
  incident = trialNamed(campaign, 'ticket-incident');
  control = trialNamed(campaign, 'clean-control');
});

describe('the story of a trial', () => {
  it('has the harness first, then the lives in their order, then who they asked', () => {
    const { lanes } = trialToStory(incident);
    expect(lanes[0]).toBe('harness');
    expect(lanes.indexOf('worker 1')).toBeLessThan(lanes.indexOf('worker 2'));
    expect(lanes.indexOf('worker 2')).toBeLessThan(lanes.indexOf('ticket-service'));
  });

  it('draws the kill, the interval it struck on the lane of that life, and what fills the gap', () => {
    const story = trialToStory(incident);
    const [kill] = story.kills;
    const [placement] = incident.placements;
    if (kill === undefined || placement === undefined) throw new Error('a kill');
    expect(kill).toMatchObject({ label: 'kill 1 at 3', isVerified: true, lane: story.lanes.indexOf('worker 1') });
    expect(story.marks[kill.from]).toMatchObject({ event: placement.gap.lastRecord, isLast: true });
    expect(kill.from).toBeLessThan(kill.at);
    expect(kill.words).toContain('absent: tool_call.acknowledged.');
    const filling = story.marks.filter(({ fills }) => fills.includes(1));
    expect(filling.map(({ event }) => event).toSorted()).toEqual([...placement.gap.filledBy].toSorted());
    expect(filling.some(({ type }) => type === 'effect.committed')).toBe(true);
    expect(filling[0]?.words).toContain('tells about the gap of kill 1');
  });

  it('writes no time where the stream declares its times as laid out', () => {
    expect(trialToStory(incident).marks.some(({ words }) => /first kill was sent/.test(words))).toBe(false);
  });

  it('has no kill in a control', () => {
    expect(trialToStory(control).kills).toEqual([]);
  });

  it.skipIf(!existsSync(sharedFolder))(
    'R103 keeps five kills of one run apart, with times of one clock (skipped without the shared traces)',
    async () => {
      const campaign = onlyCampaign(await judgeShared(['restate-idem-kp4_4_4_4_4']));
      const [trial] = campaign.trials;
      if (trial === undefined) throw new Error('a trial');
      const { kills, marks } = trialToStory(trial);
      expect(kills.map(({ label }) => label)).toEqual([1, 2, 3, 4, 5].map((n) => `kill ${n} at 4`));
      expect(kills.every(({ at }, i) => at > (kills[i - 1]?.at ?? -1))).toBe(true);
      expect(marks.some(({ words }) => / after the first kill was sent, by one clock/.test(words))).toBe(true);
    },
  );
});
