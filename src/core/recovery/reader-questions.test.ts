/** What a reader can tell from a report, against plain counts over shipped real trials, and what one trial leaves open. */
import { describe, expect, it } from 'vitest';
import { computeReaderQuestions } from './reader-questions.ts';
import type { CampaignReport, ReaderQuestion, TrialReport } from './report.ts';
import { textToClaim } from './claim-text.ts';
import { campaignOf, control, incident, keyed } from './testing/altered-trials.ts';
import { openShippedCampaign, readSample, toWhole } from './testing/opened-trials.ts';

function ask({ questions }: CampaignReport, id: ReaderQuestion['id']): ReaderQuestion {
  const found = questions.find((one) => one.id === id);
  if (found === undefined) throw new Error(`no question ${id}`);
  return found;
}

describe('the questions of a reader', () => {
  it('R139 tell intervals struck, faults left out, change by number of kill, and sections, each once', async () => {
    const campaign = await openShippedCampaign();
    const { strategies, menu } = campaign;
    for (const { name, grid } of strategies) {
      const points = grid.filter(({ fixed, repeated }) => fixed.length + repeated.length > 0).map(({ point }) => point);
      const told = ask(campaign, 'struck').answers.find(
        (answer) => answer.startsWith(name) || answer.includes(`/ ${name}`),
      );
      expect(points.length).toBeGreaterThan(0);
      for (const point of points) expect(told).toContain(`${point} (`);
    }
    const omitted = menu.filter(({ included }) => !included);
    expect(omitted.length).toBeGreaterThan(5);
    expect(ask(campaign, 'omitted').answers[0]).toBe(`${omitted.map(({ title }) => title).join('; ')}.`);
    expect(ask(campaign, 'ordinals')).toMatchObject({ told: true });
    expect(ask(campaign, 'ordinals').answers.join(' ')).toMatch(/after kill 1 and \d+ ms after kill 5 of one run/);
    expect(new Set(campaign.questions.map(({ id }) => id)).size).toBe(9);
  });

  it('R135 R95 every measurement stands in exactly one section, measured or not', async () => {
    const campaign = await openShippedCampaign();
    const { answers } = ask(campaign, 'sections');
    expect(answers.map((answer) => answer.split(':')[0])).toEqual([
      ...['Correctness', 'Reliability', 'Performance', 'Cost', 'Usability'],
    ]);
    const times = new Set(
      campaign.trials.flatMap(({ metrics }) => metrics.filter(({ ms }) => ms !== undefined)).map(({ id }) => id),
    );
    const missing = campaign.notMeasured.map(({ what }) => what);
    expect(times.size).toBeGreaterThan(4);
    for (const what of [...times, ...missing]) {
      const holding = answers.filter((answer) => new RegExp(`[:,] ${what}(?:[,;.]|$)`).test(answer));
      expect([what, holding.length]).toEqual([what, 1]);
    }
  });

  it('R138 R136 say whether replay ended, whether an effect committed twice, and which model calls were made again', async () => {
    const campaign = await openShippedCampaign();
    const faulted = campaign.trials.filter(({ arm, validity }) => arm !== 'control' && validity === 'valid');
    const idsOf = (test: (trial: (typeof faulted)[number]) => boolean): readonly string[] =>
      faulted
        .filter(test)
        .map(({ id }) => id)
        .sort();
    expect(ask(campaign, 'twice').trials.toSorted()).toEqual(idsOf(({ outcome }) => (outcome.duplicates ?? 0) > 0));
    expect(ask(campaign, 'model-calls').trials.toSorted()).toEqual(
      idsOf(({ outcome }) => outcome.models.extraCalls > 0),
    );
    expect(idsOf(({ outcome }) => outcome.models.extraCalls > 0).length).toBeGreaterThan(0);
    expect(ask(campaign, 'replay').answers.join(' ')).toContain('every replay ended in 2 of the 2 that record one');
    expect(ask(campaign, 'twice').told).toBe(true);
  });

  it('R89 R139 name the effect that was doubled with its own points, another one that was struck, and a model call', async () => {
    const campaign = await openShippedCampaign();
    const doubled = ask(campaign, 'twice').answers.filter((answer) => answer.includes('in 1 of'));
    expect(doubled.length).toBeGreaterThan(0);
    for (const answer of doubled) expect(answer).toMatch(/: \/write:tickets\.create#0 struck at [2345]/);
    const altered = (over: Partial<TrialReport['placements'][number]>): CampaignReport => {
      const trials = campaign.trials.map((trial) => ({
        ...trial,
        placements: trial.placements.map((one) => ({ ...one, ...over })),
      }));
      return { ...campaign, questions: computeReaderQuestions({ ...campaign, trials }) };
    };
    const elsewhere = ask(altered({ effect: '/write:mail.send#0' }), 'twice').answers.join(' ');
    expect(elsewhere).toContain('where /write:mail.send#0 was struck, another effect was doubled');
    expect(elsewhere).not.toContain('tickets.create');
    expect(ask(campaign, 'struck').answers.join(' ')).not.toContain('a model call');
    const inModel = altered({ point: undefined, duringModelCall: true, verdict: 'verified' });
    expect(ask(inModel, 'struck').answers.join(' ')).toContain('a model call');
  });

  it('R105 R124 boundaries that were struck once each are no repetition', async () => {
    const campaign = await openShippedCampaign();
    const { answers, told } = ask(campaign, 'repetition');
    expect(told).toBe(false);
    expect(answers.join(' ')).toContain('each boundary struck once');
  });

  it('R138 what the ledger leaves open is open, and never "in none"', () => {
    const after = readSample('campaign/one-ticket-journal-kill-5');
    const blind = toWhole(after.filter(({ source }) => !JSON.stringify(source).includes('ticket-service')));
    const { answers, told } = ask(campaignOf([blind, control]), 'twice');
    expect(told).toBe(false);
    expect(answers.join(' ')).toContain('not known in 1');
  });

  it('R116 that the control that must fail passes elsewhere is expected, and proves nothing of subtler faults', async () => {
    const { answers, told } = ask(await openShippedCampaign(), 'control');
    expect(told).toBe(true);
    expect(answers.join(' ')).toContain('is no proof of sensitivity to subtler faults');
    expect(ask(campaignOf([incident, control]), 'control')).toMatchObject({ told: false });
  });

  it('there are none where no valid trial has a fault', () => {
    expect(campaignOf([control]).questions).toEqual([]);
  });
});

describe('one trial and several', () => {
  it('R124 that effects are not doubled, and that versions agree, is no finding of one trial', () => {
    const [alone] = campaignOf([keyed, control]).strategies.filter(({ name }) => /with idem/.test(name));
    expect(alone?.statement).toContain(
      'Seen in one trial, which does not establish it: no effect was executed twice for one command',
    );
    expect(alone?.statement).not.toMatch(/held in every one: [^.]*executed twice/);
    expect(ask(campaignOf([keyed, control]), 'repetition').told).toBe(false);
  });

  it('R124 is one of two', async () => {
    const { strategies } = await openShippedCampaign();
    const held = strategies.filter(({ statement }) =>
      /held in every one: no effect was executed twice/.test(statement),
    );
    expect(held.map(({ name }) => name)).toEqual(['journal, with idempotency key']);
    expect(strategies.some(({ statement }) => statement.includes('Seen in one trial'))).toBe(false);
  });

  it('R124 R88 a clause about duplicates that rests on one trial says so', () => {
    const claim = textToClaim(
      JSON.stringify({
        fault: 'process-kill',
        protects: 'tickets',
        continuation: 'the run goes on',
        clauses: [
          { id: 'once', text: 'No ticket twice.', metric: 'duplicates', predicate: '= 0' },
          { id: 'ends', text: 'It ends.', metric: 'completed', predicate: '= true' },
        ],
      }),
    );
    if (!claim.ok) throw new Error(claim.error);
    const [verdict] = campaignOf([keyed, control], { claim: claim.value }).claims;
    expect(verdict?.clauses.map(({ reason }) => reason)).toEqual([
      'holds in 1 of 1; one trial establishes it for no other: repeat it',
      'holds in 1 of 1',
    ]);
  });
});
