/** Model calls made again, where the model's side has no records: what is not known is never written as none. */
import { describe, expect, it } from 'vitest';
import { extraCallsOf, modelCallsOf, seenToText } from './index.ts';
import type { ReaderQuestion } from './report.ts';
import { campaignOf, trialOf, withoutModel } from './testing/altered-trials.ts';
import { readSample } from './testing/opened-trials.ts';

const naive = readSample('campaign/one-ticket-naive-kill-3');
const blind = withoutModel(naive);

function ask(records: typeof naive): ReaderQuestion | undefined {
  return campaignOf([records]).questions.find(({ id }) => id === 'model-calls');
}

describe('model calls made again that nobody recorded', () => {
  it('R136 are not known, which is not zero, and those that are seen are a lower bound', () => {
    const [whole, open] = [trialOf(naive).outcome, trialOf(blind).outcome];
    expect([extraCallsOf(whole), seenToText(extraCallsOf(whole))]).toEqual([{ count: 1, isAtLeast: false }, '1']);
    expect([extraCallsOf(open).count, seenToText(extraCallsOf(open))]).toEqual([undefined, 'not known']);
    const least = { models: { ...open.models, extraCalls: 2 } };
    expect([extraCallsOf(least), seenToText(extraCallsOf(least))]).toEqual([
      { count: 2, isAtLeast: true },
      'at least 2',
    ]);
    expect(seenToText(modelCallsOf(open))).toBe(`at least ${open.models.calls}`);
    // What they cost, and how many more than the control, is as little known.
    expect(open.models).toMatchObject({ extraCost: undefined, beyondControl: undefined });
    const control = readSample('campaign/one-ticket-naive-control');
    expect(trialOf(naive, control).outcome.models.beyondControl).toBe(1);
    expect(trialOf(blind, control)).toMatchObject({
      control: { status: 'compared' },
      outcome: { models: { beyondControl: undefined } },
    });
  });

  it('R89 R136 are told so in the statement, the cells and the answers to a reader', () => {
    const of = (records: typeof naive) => {
      const [strategy] = campaignOf([records]).strategies;
      const [cell] = (strategy?.grid ?? []).filter(({ fixed }) => fixed.length > 0);
      return [strategy?.statement, cell?.withExtraModelCalls, cell?.extraModelCallsNotKnown];
    };
    expect(of(naive)).toEqual([expect.stringContaining('a model was asked again in 1 of 1.'), 1, 0]);
    expect(of(blind)).toEqual([
      expect.stringContaining('a model was asked again in 0 of 1 (not known in 1).'),
      ...[0, 1],
    ]);
    expect(ask(naive)?.told).toBe(true);
    expect(ask(blind)).toMatchObject({ told: false, answers: [expect.stringContaining('(not known in 1)')] });
  });

  it('R100 contradict no number that a stream tells which is not less', () => {
    const claimed = (number: number): readonly string[] => {
      const records = blind.map((record) =>
        record['type'] === 'trial.finished' ? { ...record, data: { model_calls: number } } : record,
      );
      return trialOf(records).findings.map(({ text }) => text);
    };
    const { calls } = trialOf(blind).outcome.models;
    expect(claimed(calls + 1)).toEqual([]);
    expect(claimed(calls - 1)).toEqual([expect.stringContaining(`the records say at least ${calls}`)]);
  });
});
