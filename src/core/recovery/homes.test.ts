/** In which campaign a trial stands, above all a control whose harness injects nothing and records nothing of injecting. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../base/json.ts';
import { analyseCampaigns } from './index.ts';
import { objectIn } from './testing/altered-trials.ts';
import { readSample, toTrace } from './testing/opened-trials.ts';

const control = readSample('campaign/one-ticket-journal-control');
const killed = readSample('campaign/one-ticket-journal-kill-3');
const keyed = readSample('campaign/one-ticket-journal-key-kill-3');

type Change = (data: JsonObject) => JsonObject;

/** The record of the start altered; members that are undefined in JSON are left out. */
function started(records: readonly JsonObject[], ...changes: readonly Change[]): readonly JsonObject[] {
  return records.map((record) => {
    if (record['type'] !== 'trial.started') return record;
    return { ...record, data: changes.reduce((data, change) => change(data), objectIn(record, 'data')) };
  });
}

function without(object: JsonObject, ...names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}

function noCampaign(data: JsonObject): JsonObject {
  return without(data, 'campaign');
}

function noNamed(data: JsonObject): JsonObject {
  return without(data, 'control');
}

function envelopeOf(change: Change): Change {
  return (data) => ({ ...data, envelope: change(objectIn(data, 'envelope')) });
}

function noInjector(data: JsonObject): JsonObject {
  return envelopeOf((envelope) => without(envelope, 'injector', 'kill_points'))(data);
}

type Home = readonly [campaign: string, strategies: number, trials: readonly string[]];

function homes(...files: readonly (readonly JsonObject[])[]): readonly Home[] {
  const campaigns = analyseCampaigns(files.map((records, at) => toTrace(String(at), records)));
  return campaigns.map(({ id, strategies, trials }): Home => [
    id,
    strategies.length,
    trials.map(({ traces, control: { status } }) => `${traces.join()} ${status}`),
  ]);
}

function whyAlone(...files: readonly (readonly JsonObject[])[]): string | undefined {
  const trials = analyseCampaigns(files.map((records, at) => toTrace(String(at), records))).flatMap(
    (one) => one.trials,
  );
  const found = trials.find(({ traces }) => traces.includes('0'));
  return found?.limits.find((text) => text.startsWith('This control stands'));
}

describe('a control that records neither a campaign nor an injector', () => {
  const bare = started(control, noCampaign, noInjector);

  it('R91 R129 stands beside the trials that name it', () => {
    expect(homes(bare, killed)).toEqual([['one-ticket', 1, ['0 is the control', '1 compared']]]);
    expect(whyAlone(bare, killed)).toBeUndefined();
  });

  it('R91 stands beside those of its design whose envelope is its own but for the fault, where none names it', () => {
    expect(homes(bare, started(killed, noNamed))).toEqual([['one-ticket', 1, ['0 is the control', '1 compared']]]);
    // By envelope alone, as where no record names a campaign.
    const plain = started(killed, noNamed, noCampaign);
    expect(homes(bare, plain)).toEqual([['by-envelope-1', 1, ['0 is the control', '1 compared']]]);
  });

  it('R91 stays alone between two campaigns, and says why', () => {
    const other = started(readSample('campaign/one-ticket-journal-kill-5'), noNamed, (data) => ({
      ...data,
      campaign: 'other',
    }));
    const trials = [bare, started(killed, noNamed), other];
    expect(homes(...trials).map(([campaign]) => campaign)).toEqual(['by-envelope-1', 'one-ticket', 'other']);
    expect(whyAlone(...trials)).toContain('no trial names it, and trials of several campaigns have its envelope');
    const both = [bare, killed, started(other, (data) => ({ ...data, control: bare[0]?.['run'] ?? '' }))];
    expect(whyAlone(...both)).toContain('trials of several campaigns name it');
  });

  it('R91 R92 stays alone beside trials of another design or another envelope, and says which', () => {
    expect(whyAlone(bare)).toContain('no trial with a fault is among the traces');
    expect(whyAlone(bare, started(keyed, noNamed))).toContain('none with a fault is of its design');
    const slow = envelopeOf((envelope) => ({ ...envelope, retry_policy: 'none at all' }));
    expect(whyAlone(bare, started(killed, noNamed, slow))).toContain(
      'the envelopes of its design are others (retry_policy)',
    );
    const elsewhere = started(control, noInjector, (data) => ({ ...data, campaign: 'elsewhere' }));
    expect(whyAlone(elsewhere, killed)).toContain('no trial with a fault records the campaign that it records');
  });
});
