/** Whether a run completed, and whether its records go to the end: a file that was cut is not a run that did not complete. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../base/json.ts';
import type { TrialReport } from './report.ts';
import { campaignOf, checkOf, objectIn, textIn, trialOf } from './testing/altered-trials.ts';
import { labCheck, labReport, labTrial } from './testing/lab-trial.ts';
import { openText, readSample, toWhole } from './testing/opened-trials.ts';
import { analyseCampaigns } from './index.ts';

const killed = readSample('campaign/one-ticket-journal-kill-3');
const naive = readSample('campaign/one-ticket-naive-kill-3');
const completedBy = killed[at('run.completed')] ?? {};
const unknown = ['not established', undefined, undefined, undefined];

function at(type: string, records = killed): number {
  return records.findIndex((record) => record['type'] === type);
}

function endsOf(records: readonly JsonObject[], ...types: readonly string[]): readonly JsonObject[] {
  return records.filter((record) => !types.includes(textIn(record, 'type')));
}

function told({ validity, outcome }: TrialReport): readonly unknown[] {
  return [validity, outcome.completed, outcome.duplicates, outcome.losses];
}

describe('a stream without its end', () => {
  it('R89 R111 a file that was cut anywhere before its end is not established, and nothing of its end is known', () => {
    const cuts = killed.slice(0, at('run.completed')).map((_, lines) => lines);
    const after = cuts.filter((lines) => lines > at('trial.started') + 1);
    expect(after.map((lines) => told(trialOf(killed.slice(0, lines))))).toEqual(after.map(() => unknown));
    expect(after.length).toBeGreaterThan(20);
    const cut = trialOf(killed.slice(0, at('tool_call.acknowledged')));
    expect(checkOf(cut, 'recorded-to-the-end')?.text).toContain('its records stop before an end of the trial');
    expect(cut.invariants.find(({ id }) => id === 'run-completed')?.verdict).toBe('not checked');
    expect(told(trialOf(killed))).toEqual(['valid', true, 1, 0]);
  });

  it('R67 a last line that was cut as it was written ends nothing', async () => {
    const text = killed.map((record) => JSON.stringify(record)).slice(0, at('tool_call.acknowledged') + 1);
    const trace = await openText('cut.jsonl', text.join('\n').slice(0, -20));
    expect(analyseCampaigns([trace]).flatMap(({ trials }) => trials.map(told))).toEqual([unknown]);
  });

  it('R115 a control that must fail and whose file was cut makes nothing suspect', () => {
    const campaign = campaignOf([naive.slice(0, at('effect.committed', naive) + 6)]);
    expect([campaign.trials.map(told), campaign.suspect]).toEqual([[unknown], false]);
    expect(campaignOf([naive]).negativeControl.status).toBe('fails as it must');
  });

  it('R111 one end is enough: of the trial, of its last process, or of the run', () => {
    const stopped = toWhole(endsOf(killed, 'run.completed'));
    expect(told(trialOf(stopped))).toEqual(['valid', false, 1, 0]);
    expect(told(trialOf(endsOf(stopped, 'trial.finished', 'invariant.checked')))).toEqual(['valid', false, 1, 0]);
    const last = stopped.findLastIndex(({ type }) => type === 'worker.exited');
    expect(told(trialOf(toWhole(stopped.filter((_, n) => n !== last))))).toEqual(['valid', false, 1, 0]);
    expect(told(trialOf(killed.slice(0, at('run.completed') + 1)))).toEqual(['valid', true, 1, 0]);
    const cut = toWhole(stopped.slice(0, last));
    expect(told(trialOf(cut))).toEqual(unknown);
  });

  it('R89 R111 in the shared vocabulary, which records no exit of the last process', async () => {
    const lab = labTrial();
    const open = lab.filter(({ type }) => type !== 'trial_finished' && type !== 'run_completed');
    const report = await labReport({ a: open });
    expect(told(report)).toEqual(unknown);
    expect(labCheck(report, 'recorded-to-the-end')?.status).toBe('not established');
    expect(told(await labReport({ a: lab.filter(({ type }) => type !== 'run_completed') }))).toEqual([
      'valid',
      false,
      0,
      0,
    ]);
    expect(told(await labReport({ a: lab.filter(({ type }) => type !== 'trial_finished') }))).toEqual([
      'valid',
      true,
      0,
      0,
    ]);
  });
});

describe('who says that a run completed', () => {
  const stopped = toWhole(endsOf(killed, 'run.completed'));
  const harness = objectIn(killed[at('trial.started')] ?? {}, 'source');
  const more = (id: string, source: JsonObject, type: string, data: JsonObject): JsonObject => ({
    ...completedBy,
    id,
    seq: 900,
    causes: [],
    type,
    source,
    data,
  });

  it('R100 not the harness: that is its claim, and is told', () => {
    const trial = trialOf([...stopped, more('x', harness, 'run.completed', {})]);
    expect(told(trial)).toEqual(['valid', false, 1, 0]);
    expect(trial.findings.map(({ text }) => text)).toContain(
      'harness says that the run completed; no process that ran its control code does.',
    );
  });

  it('R111 a run that completed and failed, or that a later process went on with, is neither', () => {
    const failed = more('x', objectIn(completedBy, 'source'), 'run.failed', { error: { name: 'E', message: 'boom' } });
    const both = trialOf([...killed, failed]);
    expect(told(both)).toEqual(['not established', undefined, 1, 0]);
    expect(checkOf(both, 'recorded-to-the-end')?.text).toContain('and "x" that it failed');
    const asked = killed[at('tool_call.dispatched')] ?? {};
    const early = { ...asked, id: 'x', seq: Number(asked['seq']) + 0.5, type: 'run.completed', data: {} };
    for (const records of [killed, stopped]) {
      const trial = trialOf(toWhole([...records, early]));
      expect(told(trial)).toEqual(['not established', undefined, 1, 0]);
      expect(checkOf(trial, 'recorded-to-the-end')?.text).toContain('a later process went on with it');
    }
  });
});

describe('a refusal', () => {
  it('R95 R96 is no recovery: the time to the next acknowledged attempt does not end at one, and says so', () => {
    const isAnswer = (record: JsonObject): boolean =>
      textIn(record, 'id').startsWith('worker-2') && record['type'] === 'tool_call.acknowledged';
    const kept = naive.slice(0, naive.findIndex(isAnswer) + 1);
    const timed = kept.map((record) => (record['type'] === 'stream.declared' ? { ...record, data: {} } : record));
    const refused = timed.map((record) =>
      isAnswer(record) ? { ...record, data: { ...objectIn(record, 'data'), http_status: 422 } } : record,
    );
    const metricOf = (records: readonly JsonObject[]): readonly unknown[] => {
      const found = trialOf(records).metrics.find(({ id }) => id === 'next-acknowledged');
      return [found?.end?.event, found?.whyNot];
    };
    expect(metricOf(timed)[0]).toMatch(/^worker-2:/);
    expect(metricOf(refused)).toEqual([undefined, 'the next process got no answer of a tool but a refusal (HTTP 422)']);
  });
});
