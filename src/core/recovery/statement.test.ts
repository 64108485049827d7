/** The sentence that may be quoted, on the campaign that ships with the site, against a plain count over its trials. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../base/json.ts';
import { analyseCampaigns, type CampaignReport } from './index.ts';
import { alter, openTrace, readSample, samplesFolder, toTrace } from './testing/opened-trials.ts';

const folder = join(samplesFolder, 'campaign');

async function openCampaign(): Promise<CampaignReport> {
  const traces = await Promise.all(
    readdirSync(folder)
      .sort()
      .map((name) => openTrace(folder, name)),
  );
  const [campaign, ...others] = analyseCampaigns(traces);
  if (campaign === undefined || others.length > 0) throw new Error('the shipped trials are one campaign');
  return campaign;
}

/** The invariants a statement names between two of its words, with what stands behind each in brackets. */
function listed(statement: string, after: string): string[] {
  const list = statement.split(`${after}: `)[1]?.split(/[;.]/)[0];
  return list === undefined || list === 'none' ? [] : list.split(', ');
}

describe('the sentence that may be quoted', () => {
  it('R89 says "in every one" only of what was checked in every valid trial, and counts the rest', async () => {
    const { strategies, trials } = await openCampaign();
    let partly = 0;
    for (const { trials: ids, statement } of strategies) {
      const own = trials.filter(
        ({ id, arm, validity }) => ids.includes(id) && arm !== 'control' && validity === 'valid',
      );
      const verdicts = (id: string): string[] =>
        own.flatMap(({ invariants }) => invariants.filter((one) => one.id === id).map(({ verdict }) => verdict));
      const every = listed(statement, 'held in every one');
      expect(every.length).toBeGreaterThan(0);
      for (const id of every) expect(verdicts(id), id).toEqual(own.map(() => 'holds'));
      for (const item of listed(statement, 'held where they were checked')) {
        const [id = '', counted] = item.split(' (');
        const checked = verdicts(id).filter((verdict) => verdict !== 'not checked');
        expect(new Set(checked), id).toEqual(new Set(['holds']));
        expect(counted).toBe(`${checked.length} of ${own.length})`);
        partly += 1;
      }
      for (const item of listed(statement, 'violated')) {
        const [id = '', counted] = item.split(' (');
        const checked = verdicts(id).filter((verdict) => verdict !== 'not checked');
        expect(counted).toBe(`${checked.filter((one) => one === 'violated').length} of ${checked.length})`);
      }
    }
    expect(partly).toBeGreaterThan(0);
  });

  it('R89 R120 names a redeployment among the faults, and none where every life ran one version', () => {
    const sample = readSample('ticket-incident');
    const patched = alter(sample, 'worker.spawned', (_, at) => (at === 0 ? {} : { versions: { program: '1.1' } }));
    const told = (records: readonly JsonObject[]): string | undefined =>
      analyseCampaigns([toTrace('one', records)])[0]?.strategies[0]?.statement;
    expect(told(patched)).toContain('and other code after the restart in 1 of 1:');
    expect(told(sample)).not.toContain('other code');
  });

  it('R89 does not count a replay as finished in a trial that records none', async () => {
    const { strategies } = await openCampaign();
    const told = strategies.map(({ statement }) => statement).filter((one) => one.includes('replay-completed'));
    expect(told.map((one) => /replay-completed \((.*?)\)/.exec(one)?.[1])).toEqual(['1 of 2', '2 of 3']);
  });
});
