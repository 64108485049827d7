import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { analyseRecovery, type RecoveryReport } from '../core/recovery/index.ts';
import { alter, openTrace, readSample, samplesFolder, toTrace } from '../core/recovery/testing/opened-trials.ts';
import { campaignOf, objectIn, withoutModel } from '../core/recovery/testing/altered-trials.ts';
import { modelKill, modelPath } from '../core/recovery/testing/model-kill.ts';
import { toRecoveryOutput } from './recovery-report.ts';
import { recoveryToText } from './recovery-text.ts';

it('R106 a cell without records of the service is no success', async () => {
  const report = analyseRecovery([await openTrace(samplesFolder, 'ticket-incident.hindcast.jsonl')]);
  expect(recoveryToText(report)).toMatch(/ 2x[^?\n]* n=1/);
  const campaigns = report.campaigns.map((campaign) => ({
    ...campaign,
    strategies: campaign.strategies.map((strategy) => ({
      ...strategy,
      grid: strategy.grid.map((cell) => (cell.withDuplicates > 0 ? { ...cell, withDuplicates: 0, notKnown: 1 } : cell)),
    })),
  }));
  const text = recoveryToText({ ...report, campaigns });
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
  expect(recoveryToText(change({ executions: [6] }))).toMatch(/ 6x n=1/);
  const beside = { withDuplicates: 0, executions: [1], otherDuplicates: [{ effect: '/write:mail.send#0', trials: 1 }] };
  const text = recoveryToText(change(beside));
  expect(text).toMatch(/ \+2x mail\.send n=1/);
  expect(text).not.toMatch(/ ok n=1/);
  // A loop has many effects of one name.
  const many = [0, 1, 2].map((n) => ({ effect: `/write:mail.send#${String(n)}`, trials: 1 }));
  expect(recoveryToText(change({ ...beside, otherDuplicates: many }))).toMatch(/ \+2x mail\.send \(3 effects\) n=1/);
});

it('R103 shows how going on changes with the number of the kill, each time by itself; effects that no kill met are named once', async () => {
  const folder = join(samplesFolder, 'campaign');
  const names = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  const traces = await Promise.all(names.map((name) => openTrace(folder, name)));
  const text = recoveryToText(analyseRecovery(traces));
  expect(text).toMatch(
    /design +kill 1 +kill 2 +kill 3 +kill 4 +kill 5\n {2}journal, with idempotency key +\d+ +\d+ +\d+ +\d+ +\d+\n/,
  );
  expect(text).toMatch(
    /journal, with idempotency key: \d+ ms after kill 1 and \d+ ms after kill 5 of one run: \d+ ms (?:longer|shorter) .*\[\S+ to \S+; \S+ to \S+\]\n/,
  );
  const single = recoveryToText(analyseRecovery([await openTrace(samplesFolder, 'ticket-incident.hindcast.jsonl')]));
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
    const [item] = toRecoveryOutput(report).trials;
    return { text: recoveryToText(report), item };
  };
  expect(of({}, naive).item).toMatchObject({ extraModelCalls: 1 });
  expect(of({}, naive).item).not.toHaveProperty('extraModelCallsAtLeast');
  expect(of().item).toMatchObject({ extraModelCalls: null, extraModelCost: null });
  expect(of().text).toMatch(/model calls again not known/);
  expect(of().text).toMatch(/ m\? n=1/);
  expect(of({ extraCalls: 2 }).item).toMatchObject({ extraModelCalls: 2, extraModelCallsAtLeast: true });
  expect(of({ extraCalls: 2 }).text).toMatch(/model calls again at least 2/);
});

it('R109 a kill that is labelled otherwise than the records show is told by both, and the trial stays invalid', () => {
  const labelled = (point: string): RecoveryReport => {
    const types = ['fault.injected', 'fault.armed', 'fault.witnessed'];
    const records = types.reduce(
      (list, type) => alter(list, type, () => ({ kill_point: point })),
      alter(readSample('ticket-incident'), 'trial.started', (data) => ({
        cell: { ...objectIn(data, 'cell'), points: [point] },
      })),
    );
    return analyseRecovery([toTrace('a', records)]);
  };
  const told = (report: RecoveryReport): unknown =>
    toRecoveryOutput(report).trials.map(({ killPoint, killLabel, valid, validity }) => [
      killPoint,
      killLabel,
      valid,
      validity,
    ]);
  expect(told(labelled('3'))).toEqual([['3', '3', true, 'valid']]);
  expect(told(labelled('4'))).toEqual([['3', '4', false, 'invalid']]);
  expect(recoveryToText(labelled('4'))).toContain('invalid, killed at 3, labelled 4, completed');
  expect(recoveryToText(labelled('3'))).toContain('valid, killed at 3, completed');
  expect(told(labelled('before the mail'))).toEqual([['3', 'before the mail', true, 'valid']]);
  expect(recoveryToText(labelled('before the mail'))).toContain(
    'valid, killed at 3, labelled "before the mail", which names no point, completed',
  );
});

it('R109 R122 a kill during a model call is told as one, with the call that it struck', () => {
  const report = analyseRecovery([toTrace('a', modelKill())]);
  const [trial] = toRecoveryOutput(report).trials;
  expect([trial?.killPoint, trial?.killLabel, trial?.kills[0]?.effect]).toEqual(['model', 'model', modelPath]);
  expect(recoveryToText(report)).toContain('valid, killed during a model call, completed');
  expect(recoveryToText(report)).toContain(`during a model call of ${modelPath}, kill 1`);
});

it('R109 where what is missing may speak for the label, no point is told', () => {
  const mute = readSample('ticket-incident').filter(({ type }) => type !== 'effect.committed');
  const records = alter(mute, 'fault.injected', () => ({ kill_point: '4' }));
  const [trial] = toRecoveryOutput(analyseRecovery([toTrace('a', records)])).trials;
  expect([trial?.killPoint, trial?.killLabel, trial?.validity]).toEqual([null, '4', 'not established']);
});

it('R89 what the numbers rest on stands in the text once, with the trials of which it is so', () => {
  const byCode = alter(readSample('ticket-incident'), 'worker.exited', ({ signal, code }) =>
    signal === 'SIGKILL' ? { signal: null, code: 137 } : { signal: signal ?? null, code: code ?? null },
  ).map((record) => {
    const { signal, ...data } = objectIn(record, 'data');
    return record['type'] === 'worker.exited' && signal === null ? { ...record, data } : record;
  });
  const text = recoveryToText(analyseRecovery([toTrace('a', byCode), toTrace('b', readSample('clean-control'))]));
  const [, list = ''] = /\nLimits \(2\)\n((?:- .*\n)+)/.exec(text) ?? [];
  expect(list.split('\n').map((line) => line.slice(0, 40) + line.slice(line.lastIndexOf('(')))).toEqual([
    '- That kill 1 ended the process rests on(ticket-incident)',
    '- The stream declares that its times are(every trial)',
    '',
  ]);
});

it('R139 what a reader asks is answered ahead of the lists of trials and times, and the statement comes last', async () => {
  const folder = join(samplesFolder, 'campaign');
  const names = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  const text = recoveryToText(analyseRecovery(await Promise.all(names.map((name) => openTrace(folder, name)))));
  const heads = [
    'Boundaries struck',
    'By the number of the kill',
    'In short',
    'Trials (10)',
    'Times after',
    'What may be quoted',
  ];
  const places = heads.map((head) => text.indexOf(`\n${head}`));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(places[0]).toBeGreaterThan(0);
});
