/** Measured cells beside simulated ones: shipped trials, and the same with what is not known of them. */
import { describe, expect, it } from 'vitest';
import type { SimulatedSweep, SimulatedTrial } from '../simulate/index.ts';
import {
  besideSimulated,
  chooseSimulated,
  countStruckCells,
  nameToSimulated,
  outcomeToWords,
} from './beside-simulated.ts';
import type { CampaignReport, ModelCost } from './report.ts';
import { campaignOf, control, incident, keyed } from './testing/altered-trials.ts';

const path = '/write:tickets.create#0';

function simulated(strategy: SimulatedTrial['strategy'], committed: number): SimulatedTrial {
  return {
    strategy,
    kill: { path, boundary: '3' },
    reached: true,
    commitments: { [path]: committed },
    committed,
    duplicates: committed - 1,
    losses: [],
    deduplicated: 0,
    refused: 0,
    modelCalls: 1,
    extraModelCalls: 0,
    ending: 'completed',
    completed: true,
    equalsRecorded: true,
    sentence: '',
    story: [],
    assumptions: [],
  };
}

function sweepOf(trials: readonly SimulatedTrial[]): SimulatedSweep {
  return {
    run: 'r',
    program: 'p',
    boundaries: ['3'],
    strategies: ['naive', 'journal', 'journal-key'],
    effects: [path],
    notSwept: [],
    controls: [],
    trials,
    suspect: false,
    causes: [],
    modelVaries: false,
  };
}

describe('measured beside simulated', () => {
  it('R106 each measured cell meets the simulated one of its design, and a difference is a disagreement', () => {
    const campaign = campaignOf([incident, keyed, control]);
    const rows = besideSimulated(campaign, sweepOf([simulated('journal', 2), simulated('journal-key', 2)]));
    expect(rows.map(({ strategy, simulatedAs, point, verdict }) => [strategy, simulatedAs, point, verdict])).toEqual([
      ['journal, without idempotency key', 'journal', '3', 'agree'],
      ['journal, with idempotency key', 'journal-key', '3', 'disagree'],
    ]);
    // A cell struck only at random has no row, and is counted with the cells of the grid.
    const strategies = campaign.strategies.map((one, at) => ({
      ...one,
      grid: one.grid.map((cell) => (at === 0 ? { ...cell, random: cell.fixed, fixed: [] } : cell)),
    }));
    expect(countStruckCells(campaign)).toBe(rows.length);
    expect(countStruckCells({ strategies })).toBe(besideSimulated({ ...campaign, strategies }, sweepOf([])).length + 1);
    const [row] = besideSimulated(campaign, sweepOf([]));
    expect(row).toMatchObject({ verdict: 'measured only', simulated: undefined });
  });

  it('compares nothing where no record of the service tells how often the effect was made', () => {
    const campaign = campaignOf([incident, keyed, control]);
    const trials = campaign.trials.map((trial) => {
      const effects = trial.outcome.effects.map((one) => ({ ...one, duplicates: undefined, executions: [] }));
      return { ...trial, outcome: { ...trial.outcome, effects } };
    });
    const rows = besideSimulated({ ...campaign, trials }, sweepOf([simulated('journal', 0)]));
    expect(rows.map(({ verdict }) => verdict)).toEqual(['not comparable', 'measured only']);
    expect(rows[0]?.measured.map(outcomeToWords)).toEqual([expect.stringContaining('how often is not known')]);
  });

  it('R136 where it is not known whether the model was asked again, nothing agrees', () => {
    const seenAs = (models: Partial<ModelCost>): CampaignReport => {
      const campaign = campaignOf([incident, control]);
      const trials = campaign.trials.map((trial) => ({
        ...trial,
        outcome: { ...trial.outcome, models: { ...trial.outcome.models, ...models } },
      }));
      return { ...campaign, trials };
    };
    const rowOf = (models: Partial<ModelCost>, committed: number, extraModelCalls: number) => {
      const sweep = sweepOf([{ ...simulated('journal', committed), extraModelCalls }]);
      const [row] = besideSimulated(seenAs(models), sweep);
      return [row?.verdict, ...(row?.measured.map(outcomeToWords) ?? [])];
    };
    const [none, least] = [
      { extraCalls: 0, unseen: { why: 'x', events: ['x'] } },
      { extraCalls: 2, unseen: { why: 'x', events: ['x'] } },
    ];
    expect(rowOf({ extraCalls: 0 }, 2, 0)).toEqual(['agree', 'twice']);
    expect(rowOf(none, 2, 0)).toEqual(['not comparable', 'twice, whether the model was asked again is not known']);
    expect(rowOf(none, 1, 0)[0]).toBe('disagree');
    expect(rowOf(least, 2, 2)).toEqual(['not comparable', 'twice, model asked again at least twice']);
    expect(rowOf(least, 2, 3)[0]).toBe('not comparable');
    expect(rowOf(least, 2, 1)[0]).toBe('disagree');
  });

  it.each([
    ['naive restart, without idempotency key', 'naive'],
    ['naive restart, with idempotency key', 'naive-key'],
    ['journal (SQLite), no key', 'journal'],
    ['LangGraph, durability sync, with key', 'journal-key'],
    ['LangGraph, durability exit, no key', 'naive'],
    ['restate-idem', 'journal-key'],
  ])('reads the design of "%s" as %s', (name, expected) => {
    expect(nameToSimulated({ name, isNegativeControl: false })).toBe(expected);
  });

  it('says what came of a cell in words', () => {
    expect(outcomeToWords({ executions: 2, completed: false, extraModelCalls: 1 })).toBe(
      'twice, model asked again once, not completed',
    );
  });

  it('is offered where a control holds its program, and says why where none does', () => {
    const campaign = campaignOf([incident, keyed, control]);
    expect(chooseSimulated(campaign)).toMatchObject({ arm: 'control', outcome: { completed: true } });
    const bare = { ...campaign, trials: campaign.trials.map((trial) => ({ ...trial, hasProgram: false })) };
    expect(chooseSimulated(bare)).toContain('does not hold its control program');
    const faulted = { ...campaign, trials: campaign.trials.filter(({ arm }) => arm === 'faulted') };
    expect(chooseSimulated(faulted)).toContain('No control of a design with a journal');
  });
});
