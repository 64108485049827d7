import { expect, it } from 'vitest';
import { analyseRecovery } from '../core/recovery/index.ts';
import { openTrace, samplesFolder } from '../core/recovery/testing/opened-trials.ts';
import { recoveryToText } from './recovery-text.ts';

it('R106 a cell without records of the service is no success', async () => {
  const report = analyseRecovery([await openTrace(samplesFolder, 'ticket-incident.hindcast.jsonl')]);
  expect(recoveryToText(report, [])).toMatch(/ 2x[^?\n]* n=1/);
  const campaigns = report.campaigns.map((campaign) => ({
    ...campaign,
    strategies: campaign.strategies.map((strategy) => ({
      ...strategy,
      grid: strategy.grid.map((cell) => (cell.withDuplicates > 0 ? { ...cell, withDuplicates: 0, notKnown: 1 } : cell)),
    })),
  }));
  const text = recoveryToText({ ...report, campaigns }, []);
  expect(text).toMatch(/ \? (?:m )?n=1/);
  expect(text).not.toMatch(/ ok[^\n]* n=1/);
});
