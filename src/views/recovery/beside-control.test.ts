import { describe, expect, it } from 'vitest';
import type { TrialReport } from '../../core/recovery/index.ts';
import { besideControl } from './beside-control.ts';
import { judgeSamples, onlyCampaign, trialNamed } from './testing/judged.ts';
import { killsToText, outcomeToText } from './words.ts';

describe('a trial beside its control', () => {
  it('R99 sets each number beside its own, with the difference and the records', async () => {
    const campaign = onlyCampaign(await judgeSamples());
    const [control, incident] = [trialNamed(campaign, 'clean-control'), trialNamed(campaign, 'ticket-incident')];
    const rows = besideControl(control, incident);
    const tickets = rows.find(({ what }) => what === 'executions of /write:tickets.create#0');
    expect(tickets).toMatchObject({ control: '1', faulted: '2', difference: '+1', differs: true });
    expect(tickets?.faultedEvents).toHaveLength(2);
    expect(rows.find(({ what }) => what === 'run completed')).toMatchObject({ difference: 'none', differs: false });
    expect(killsToText(incident)).toBe('killed at 3 (committed, not acknowledged)');
    expect(killsToText(control)).toBe('no fault');
    // What could not be read is not what did not happen.
    expect(killsToText({ ...incident, placements: [], faults: [] })).toBe('no fault on record');
    expect(outcomeToText(incident)).toBe('completed, 1 duplicate');
  });

  it('has no difference where one side is not known', async () => {
    const campaign = onlyCampaign(await judgeSamples());
    const control = trialNamed(campaign, 'clean-control');
    const blind = {
      ...control,
      outcome: {
        ...control.outcome,
        duplicates: undefined,
        effects: control.outcome.effects.map((effect) => ({ ...effect, duplicates: undefined })),
      },
    };
    const row = besideControl(control, blind).find(({ what }) => what.startsWith('executions'));
    expect(row).toMatchObject({ faulted: 'not known', difference: 'not comparable', differs: false });
    expect(outcomeToText(blind)).toContain('duplicates not known');
  });

  it('R136 has none where it is not known whether a model was asked again, and says of how many it is at least', async () => {
    const campaign = onlyCampaign(await judgeSamples());
    const control = trialNamed(campaign, 'clean-control');
    const seen = (extraCalls: number): TrialReport => ({
      ...control,
      outcome: {
        ...control.outcome,
        models: { ...control.outcome.models, extraCalls, unseen: { why: 'x', events: ['x'] } },
      },
    });
    const rowOf = (extraCalls: number) =>
      besideControl(control, seen(extraCalls)).find(({ what }) => what === 'model calls made again');
    expect(rowOf(0)).toMatchObject({ control: '0', faulted: 'not known', difference: 'not comparable' });
    expect(rowOf(2)).toMatchObject({ control: '0', faulted: 'at least 2', difference: 'not comparable' });
    expect(outcomeToText(seen(0))).toContain('model calls again not known');
    expect(outcomeToText(seen(2))).toContain('model asked again at least 2×');
  });
});
