/** What counts as new after a kill, in shipped real trials: nothing that a process before it had told. */
import { expect, it } from 'vitest';
import type { CampaignReport, Metric } from './report.ts';
import { openShippedCampaign } from './testing/opened-trials.ts';

function timeOf({ trials }: CampaignReport, name: string, metric: string): Metric {
  const found = trials.find((trial) => trial.name === name)?.metrics.find(({ id }) => id === metric);
  if (found === undefined) throw new Error(`no ${metric} in ${name}`);
  return found;
}

it('R98 a saved answer is no new outcome for a user: what it tells of was there before the kill', async () => {
  const campaign = await openShippedCampaign();
  expect(timeOf(campaign, 'one-ticket-journal-key-kill-3', 'user-facing').end?.type).toBe('run.completed');
  expect(timeOf(campaign, 'one-ticket-journal-kill-3', 'user-facing').end?.type).toBe('effect.committed');
  const ends = campaign.trials.flatMap(({ metrics }) => metrics.flatMap(({ end }) => end?.type ?? []));
  expect(ends.length).toBeGreaterThan(50);
  expect(ends).not.toContain('effect.deduplicated');
});

it('R98 an answer that a worker gets again, and a version that it makes again, are no new progress', async () => {
  const campaign = await openShippedCampaign();
  const struckAt3 = timeOf(campaign, 'one-ticket-naive-kill-3', 'streaming');
  expect(struckAt3.end?.type).toBe('tool_call.acknowledged');
  expect(struckAt3.ms).toBeGreaterThan(0);
  const struckAt5 = timeOf(campaign, 'one-ticket-naive-kill-5', 'streaming');
  expect([struckAt5.end, struckAt5.whyNot]).toEqual([undefined, expect.stringContaining('others had told before it')]);
  // The next answer is told by its own name, new or not.
  expect(timeOf(campaign, 'one-ticket-naive-kill-5', 'next-acknowledged').ms).toBeGreaterThan(0);
});
