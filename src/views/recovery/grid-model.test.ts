import { beforeAll, describe, expect, it } from 'vitest';
import type { CampaignReport, NegativeControlReport, TrialReport } from '../../core/recovery/index.ts';
import { campaignToGrid } from './grid-model.ts';
import { judgeSamples, onlyCampaign } from './testing/judged.ts';
import { outcomeToText } from './words.ts';

let campaign: CampaignReport;

beforeAll(async () => {
  campaign = onlyCampaign(await judgeSamples());
});

function cellAt(of: CampaignReport, strategy: string, point: string) {
  const row = campaignToGrid(of).find((one) => one.strategy === strategy && one.effect === '/write:tickets.create#0');
  const cell = row?.cells.find((one) => one.point === point);
  if (cell === undefined) throw new Error(`no cell ${strategy} ${point}`);
  return cell;
}

describe('the grid', () => {
  it('R106 has a cell for every boundary of every effect, and says which were not run', () => {
    const rows = campaignToGrid(campaign);
    expect(rows).toHaveLength(4);
    expect(rows.every(({ cells }) => cells.length === 6)).toBe(true);
    const run = rows.flatMap(({ cells }) => cells).filter(({ groups }) => groups.length > 0);
    expect(run).toHaveLength(2);
    expect(cellAt(campaign, 'journal, without idempotency key', '4')).toMatchObject({
      groups: [],
      words: expect.stringMatching(/killed at point 4 \(acknowledged, not durable\): not run\.$/),
    });
  });

  it('R107 marks that the kill doubled another effect than the one it struck', () => {
    const doubled = campaign.trials.map((trial) => {
      const [first] = trial.outcome.effects;
      const other = first === undefined ? [] : [{ ...first, effect: '/write:other#0', duplicates: 1 }];
      return { ...trial, outcome: { ...trial.outcome, effects: [...trial.outcome.effects, ...other] } };
    });
    const cell = cellAt({ ...campaign, trials: doubled }, 'journal, with idempotency key', '3');
    expect(cell.groups).toMatchObject([{ text: '1× +2× d', tone: 'twice' }]);
    expect(cell.words).toContain('another effect executed more than once in 1 of 1');
  });

  it('counts commitments by the service, and tells an answer from the key', () => {
    expect(cellAt(campaign, 'journal, without idempotency key', '3').groups).toMatchObject([
      { placed: 'on purpose', text: '2×', tone: 'twice' },
    ]);
    const keyed = cellAt(campaign, 'journal, with idempotency key', '3');
    expect(keyed.groups).toMatchObject([{ placed: 'on purpose', text: '1× d', tone: 'good' }]);
    expect(keyed.words).toContain('1 commitment each, answered from the key in 1 of 1, completed in 1 of 1');
  });

  it('R72 counts how often a model was asked again, as the list of trials does', () => {
    const alter = (trial: TrialReport): TrialReport => ({
      ...trial,
      outcome: { ...trial.outcome, models: { ...trial.outcome.models, extraCalls: 1 } },
    });
    const trials = campaign.trials.map(alter);
    const cell = cellAt({ ...campaign, trials }, 'journal, without idempotency key', '3');
    expect(cell.groups[0]?.text).toBe('2× m+1');
    expect(cell.words).toContain('model asked again 1× in 1 of 1');
    expect(trials.map(outcomeToText).every((text) => text.includes('model asked again 1×'))).toBe(true);
  });

  it('R136 says of how many it is at least, and where nobody knows', () => {
    const wordsOf = (extraCalls: number): readonly (string | undefined)[] => {
      const trials = campaign.trials.map(({ outcome, ...trial }) => ({
        ...trial,
        outcome: { ...outcome, models: { ...outcome.models, extraCalls, unseen: { why: 'x', events: ['x'] } } },
      }));
      const cell = cellAt({ ...campaign, trials }, 'journal, without idempotency key', '3');
      return [cell.groups[0]?.text, cell.words];
    };
    expect(wordsOf(1)).toEqual(['2× m+≥1', expect.stringContaining('model asked again at least 1× in 1 of 1')]);
    expect(wordsOf(0)).toEqual(['2× m?', expect.stringContaining('asked again is not known in 1 of 1')]);
  });

  it('R108 keeps trials at random and several kills in one run apart from those on purpose', () => {
    const grid = campaign.strategies.map((strategy) => ({
      ...strategy,
      grid: strategy.grid.map((cell) => ({ ...cell, random: cell.fixed, repeated: cell.fixed })),
    }));
    const cell = cellAt({ ...campaign, strategies: grid }, 'journal, without idempotency key', '3');
    expect(cell.groups.map(({ placed }) => placed)).toEqual(['on purpose', 'several in one run', 'at random']);
  });

  it('writes what is not known as not known, and what never completed as X', () => {
    const alter = (trial: TrialReport): TrialReport => ({
      ...trial,
      outcome: {
        ...trial.outcome,
        completed: false,
        effects: trial.outcome.effects.map((effect) => ({ ...effect, duplicates: undefined })),
      },
    });
    const cell = cellAt({ ...campaign, trials: campaign.trials.map(alter) }, 'journal, without idempotency key', '3');
    expect(cell.groups[0]?.text).toBe('? X');
    expect(cell.words).toContain('commitments not known in 1 of 1');
    expect(cell.words).toContain('never completed in 1 of 1');
  });

  it('R115, R116 a control that must fail has no success: a pass where it had to fail is suspect, one elsewhere is plain', () => {
    const keyed = 'journal, with idempotency key';
    const [trial = ''] = campaign.strategies.find(({ name }) => name === keyed)?.trials ?? [];
    const trials = campaign.trials.map((one): TrialReport => ({ ...one, arm: 'negative-control' }));
    const negativeControl: NegativeControlReport = { ...campaign.negativeControl, passing: [{ trial, points: ['3'] }] };
    const told = cellAt({ ...campaign, trials, negativeControl }, keyed, '3');
    expect(told.groups.map(({ tone }) => tone)).toEqual(['suspect']);
    expect(told.words).toContain('It passed where it must fail');
    const plain = cellAt({ ...campaign, trials }, keyed, '3');
    expect(plain.groups.map(({ tone }) => tone)).toEqual(['plain']);
    expect(plain.words).not.toContain('must fail');
  });

  it('R110 a trial that is struck and not valid is told with what speaks against it, and is not “not run”', () => {
    const keyed = 'journal, with idempotency key';
    const strategies = campaign.strategies.map((strategy) => ({
      ...strategy,
      grid: strategy.grid.map((cell) => ({ ...cell, fixed: [], refused: cell.fixed })),
    }));
    const trials = campaign.trials.map((trial): TrialReport => ({
      ...trial,
      validity: 'invalid',
      checks: [{ id: 'x', status: 'violated', text: 'The process did not die.', events: [] }],
    }));
    const cell = cellAt({ ...campaign, strategies, trials }, keyed, '3');
    expect(cell).toMatchObject({ groups: [], refused: [{ validity: 'invalid', why: 'The process did not die.' }] });
    expect(cell.words).toMatch(
      /: no valid trial\. A trial struck here is invalid and not counted: The process did not die\.$/,
    );
    expect(cellAt({ ...campaign, strategies, trials }, keyed, '1').words).toMatch(/: not run\.$/);
  });
});
