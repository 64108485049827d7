import { describe, expect, it } from 'vitest';
import { textToLabSummary } from '../../core/recovery/index.ts';
import { traceId } from '../../platform/storage/index.ts';
import { compareSummaries, summariesOf } from './lab-summaries.ts';
import { judgeSamples, onlyCampaign } from './testing/judged.ts';

const incident = 'ticket-incident.hindcast.jsonl';

function summaryOf(...files: readonly string[]) {
  const trials = files.map((file) => ({ file, committed: {}, completed: false }));
  const read = textToLabSummary('lab/summary.json', JSON.stringify({ trials }));
  if (read === undefined) throw new Error('no summary');
  return read;
}

describe('a summary beside traces of the library', () => {
  it('R100 is joined to trials by the files that their traces were opened from, whatever the traces are called', async () => {
    const report = await judgeSamples();
    const library = report.campaigns
      .flatMap(({ trials }) => trials)
      .map(({ traces: [name = ''] }) => ({ id: traceId(name), files: [`lab/renamed-${name}`] }));
    const [compared] = compareSummaries([summaryOf(`renamed-${incident}`, incident)], { report }, library);
    expect(compared?.trials).toHaveLength(1);
    expect(compared?.differences.map(({ field }) => field)).toContain('completed');
    expect(compareSummaries([summaryOf(incident)], { report }, [])[0]?.trials).toEqual([]);
  });

  it('R100 stands with the campaign of its trials, and with each where it tells of no opened trial', async () => {
    const report = await judgeSamples();
    const library = [{ id: traceId(incident), files: [incident] }];
    const [told, strange] = compareSummaries([summaryOf(incident), summaryOf('gone')], { report }, library);
    if (told === undefined || strange === undefined) throw new Error('no reports');
    const campaign = onlyCampaign(report);
    expect(summariesOf(campaign, [told, strange]).map(({ differences }) => differences.length)).toEqual([
      told.differences.length,
      0,
    ]);
    expect(told.differences.length).toBeGreaterThan(0);
    expect(summariesOf({ trials: [] }, [told, strange])).toEqual([strange]);
  });
});
