/** The digest that a quoted result names leads to the records that it was computed from, and to no others (R130). */
import { describe, expect, it } from 'vitest';
import { computeRecordsDigest, joinRecordsDigests } from './records-digest.ts';
import { campaignOf, control, incident, recordsOf, trialOf } from './testing/altered-trials.ts';
import { alter, openShippedCampaign } from './testing/opened-trials.ts';

describe('the digest of the records', () => {
  it('R130 resolves: it is that of the records of the trial, in whatever order and files they are', () => {
    const { recordsDigest } = trialOf(incident, control);
    expect(recordsDigest).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(recordsDigest).toBe(computeRecordsDigest(recordsOf(incident).events.toReversed()));
    expect(trialOf(incident.toReversed(), control).recordsDigest).toBe(recordsDigest);
    const half = incident.length >> 1;
    expect(trialOf(incident.slice(0, half), incident.slice(half)).recordsDigest).toBe(recordsDigest);
  });

  it('R130 is another one when anything in one record is another', () => {
    const { recordsDigest } = trialOf(incident, control);
    const altered = alter(incident, 'run.completed', () => ({ note: 'one more member' }));
    expect(trialOf(altered, control).recordsDigest).not.toBe(recordsDigest);
    const fewer = incident.filter(({ type }) => type !== 'run.completed');
    expect(trialOf(fewer, control).recordsDigest).not.toBe(recordsDigest);
  });

  it('R130 of a design is made from those of the trials that its statement counts', async () => {
    const { strategies, trials } = await openShippedCampaign();
    for (const { recordsDigest, trials: ids } of strategies) {
      const counted = trials.filter(({ id, arm }) => ids.includes(id) && arm !== 'control');
      expect(recordsDigest).toBe(joinRecordsDigests(counted.map((trial) => trial.recordsDigest)));
    }
    expect(new Set(strategies.map(({ recordsDigest }) => recordsDigest)).size).toBe(strategies.length);
  });

  it('R114 the verdicts of producers are not in it', () => {
    const told = new Set<unknown>(['trial.finished', 'invariant.checked', 'duplicate.detected']);
    const silent = incident.filter(({ type }) => !told.has(type));
    expect(silent.length).toBeLessThan(incident.length);
    expect(trialOf(silent, control).recordsDigest).toBe(trialOf(incident, control).recordsDigest);
    expect(campaignOf([incident]).trials).toHaveLength(1);
  });
});
