import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { analyseRecovery, type RecoveryReport } from '../core/recovery/index.ts';
import { openTrace, readSample, samplesFolder } from '../core/recovery/testing/opened-trials.ts';
import { campaignOf, withoutModel } from '../core/recovery/testing/altered-trials.ts';
import { toRecoveryOutput } from './recovery-report.ts';
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

it('R106 R107 a cell tells how often an effect was executed, and what other effect the kill doubled', async () => {
  const report = analyseRecovery([await openTrace(samplesFolder, 'ticket-incident.hindcast.jsonl')]);
  const change = (cell: object): RecoveryReport => ({
    ...report,
    campaigns: report.campaigns.map((campaign) => ({
      ...campaign,
      strategies: campaign.strategies.map((strategy) => ({
        ...strategy,
        grid: strategy.grid.map((one) => (one.withDuplicates > 0 ? { ...one, ...cell } : one)),
      })),
    })),
  });
  expect(recoveryToText(change({ executions: [6] }), [])).toMatch(/ 6x n=1/);
  const beside = { withDuplicates: 0, executions: [1], otherDuplicates: [{ effect: '/write:mail.send#0', trials: 1 }] };
  const text = recoveryToText(change(beside), []);
  expect(text).toMatch(/ \+2x mail\.send n=1/);
  expect(text).not.toMatch(/ ok n=1/);
  // A loop has many effects of one name.
  const many = [0, 1, 2].map((n) => ({ effect: `/write:mail.send#${String(n)}`, trials: 1 }));
  expect(recoveryToText(change({ ...beside, otherDuplicates: many }), [])).toMatch(
    / \+2x mail\.send \(3 effects\) n=1/,
  );
});

it('R103 shows how going on changes with the number of the kill, each time by itself; effects that no kill met are named once', async () => {
  const folder = join(samplesFolder, 'campaign');
  const names = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  const traces = await Promise.all(names.map((name) => openTrace(folder, name)));
  const text = recoveryToText(analyseRecovery(traces), []);
  expect(text).toMatch(
    /design +kill 1 +kill 2 +kill 3 +kill 4 +kill 5\n {2}journal, with idempotency key +\d+ +\d+ +\d+ +\d+ +\d+\n/,
  );
  expect(text).toMatch(
    /journal, with idempotency key: \d+ ms after kill 1 and \d+ ms after kill 5 of one run: \d+ ms (?:longer|shorter) .*\[\S+ to \S+; \S+ to \S+\]\n/,
  );
  const single = recoveryToText(
    analyseRecovery([await openTrace(samplesFolder, 'ticket-incident.hindcast.jsonl')]),
    [],
  );
  expect(single).not.toContain('kill 1 ');
  expect(single).toContain('Not struck at any boundary: /write:mail.send#0.');
});

it('R136 model calls made again that are not known are null, and a cell and a line of a trial say so', () => {
  const naive = readSample('campaign/one-ticket-naive-kill-3');
  const of = (change: object = {}, records = withoutModel(naive)) => {
    const campaign = campaignOf([records]);
    const trials = campaign.trials.map((trial) => ({
      ...trial,
      outcome: { ...trial.outcome, models: { ...trial.outcome.models, ...change } },
    }));
    const report: RecoveryReport = {
      campaigns: [{ ...campaign, trials }],
      unmatched: [],
      engines: { runs: [], ledger: undefined },
      claimNote: undefined,
    };
    const [item] = toRecoveryOutput(report, []).trials;
    return { text: recoveryToText(report, []), item };
  };
  expect(of({}, naive).item).toMatchObject({ extraModelCalls: 1 });
  expect(of({}, naive).item).not.toHaveProperty('extraModelCallsAtLeast');
  expect(of().item).toMatchObject({ extraModelCalls: null, extraModelCost: null });
  expect(of().text).toMatch(/model calls again not known/);
  expect(of().text).toMatch(/ m\? n=1/);
  expect(of({ extraCalls: 2 }).item).toMatchObject({ extraModelCalls: 2, extraModelCallsAtLeast: true });
  expect(of({ extraCalls: 2 }).text).toMatch(/model calls again at least 2/);
});
