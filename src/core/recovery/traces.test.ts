/** Real trials of real engines, where they are beside the project: verdicts against the ledger's truth and the measured table. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { createTable } from '../base/table.ts';
import type { HindcastEvent } from '../model/index.ts';
import { analyseRecovery } from './index.ts';
import type { RecoveryReport, RecoveryTrace, TrialReport } from './report.ts';
import {
  openText,
  openTrace,
  sharedFolder,
  sharedTrials,
  toWholeTrace,
  withoutDigests,
} from './testing/opened-trials.ts';

const files = sharedTrials();
const skipped = files.length > 0 ? '' : ' (skipped: no shared traces beside the project)';

/** Point, tickets beyond the first, completed, model asked again: the table of the measured trials. */
const table = createTable<readonly [string | undefined, number, boolean, number]>({
  'naive-control': [undefined, 0, true, 0],
  'naive-kp3': ['3', 1, true, 1],
  'naive-kp4': ['4', 1, true, 1],
  'naive-kp4_4_4_4_4': ['4,4,4,4,4', 5, true, 5],
  'naive-idem-kp3': ['3', 0, false, 1],
  'journal-jsonl-nokey-kp2late': ['2late', 1, true, 0],
  'journal-jsonl-nokey-kp3': ['3', 1, true, 0],
  'journal-jsonl-idem-control': [undefined, 0, true, 0],
  'journal-jsonl-idem-kp3': ['3', 0, true, 0],
  'journal-jsonl-idem-kp4_4_4_4_4': ['4,4,4,4,4', 0, true, 0],
  'langgraph-exit-kp4': ['4', 1, true, 1],
  'langgraph-sync-kp3': ['3', 1, true, 0],
  'dbos-kp3': ['3', 1, true, 0],
  'dbos-idem-kp4': ['4', 0, true, 0],
  'restate-kp3': ['3', 1, true, 0],
  'restate-kp4': ['4', 1, true, 0],
  'restate-idem-kp3': ['3', 0, true, 0],
  'restate-idem-kp4_4_4_4_4': ['4,4,4,4,4', 0, true, 0],
});

let traces: readonly RecoveryTrace[] = [];
let report: RecoveryReport = { campaigns: [], unmatched: [], engines: { runs: [], ledger: undefined } };

beforeAll(async () => {
  traces = await Promise.all(files.map((name) => openTrace(sharedFolder, name)));
  report = analyseRecovery(traces);
});

function trialOf(file: string, from = report): TrialReport {
  const found = from.campaigns.flatMap(({ trials }) => trials).find((trial) => trial.traces.includes(file));
  if (found === undefined) throw new Error(`no trial of ${file}`);
  return found;
}

/** What the ledger says, counted in the file itself: tickets, and model calls served. */
function countInFile(name: string, type: string): number {
  const text = readFileSync(join(sharedFolder, name), 'utf8');
  return text.split('\n').filter((line) => line.includes(`"type":"${type}"`)).length;
}

function pointsOf({ placements }: TrialReport): string | undefined {
  return placements.length === 0 ? undefined : placements.map(({ point }) => point).join(',');
}

describe(`real trials${skipped}`, () => {
  it.each(files)('R100 R109 R110 R136 %s: verdicts are those of the ledger and of the measured table', (name) => {
    const trial = trialOf(name);
    const { outcome } = trial;
    expect(trial.checks.filter(({ status }) => status !== 'holds')).toEqual([]);
    expect(trial.validity).toBe('valid');
    expect(trial.placements.map(({ verdict }) => verdict)).toEqual(trial.placements.map(() => 'verified'));
    expect(outcome.duplicates).toBe(countInFile(name, 'effect_committed') - 1);
    expect(outcome.models.calls).toBe(countInFile(name, 'model_served'));
    expect(outcome.completed).toBe(countInFile(name, 'run_completed') === 1);
    expect(outcome.losses).toBe(0);
    expect(trial.findings).toEqual([]);
    const expected = table[name.replace('.jsonl', '')];
    if (expected !== undefined) {
      const found = [pointsOf(trial), outcome.duplicates, outcome.completed, outcome.models.extraCalls];
      expect(found).toEqual(expected);
    }
  });

  it.runIf(files.length > 0)('puts all of them into one campaign, each design under its own envelope (R131)', () => {
    const [campaign, ...others] = report.campaigns;
    expect(others).toEqual([]);
    expect(campaign?.basis).toBe('campaign-by-envelope');
    expect(campaign?.strategies).toHaveLength(10);
    expect(campaign?.negativeControl).toMatchObject({ status: 'fails as it must', basis: 'naive-by-name' });
    expect(campaign?.suspect).toBe(false);
    expect(campaign?.comparison.allowed).toBe(true);
    expect(JSON.parse(JSON.stringify(report))).toEqual(report);
  });

  it.runIf(files.length > 0)('R103 R104 tells how recovery changes with the fifth kill, by single observations', () => {
    const trial = trialOf('restate-idem-kp4_4_4_4_4.jsonl');
    const times = (id: string): readonly (number | undefined)[] =>
      trial.metrics
        .filter((metric) => metric.id === id)
        .map(({ ms }) => (ms === undefined ? undefined : Math.round(ms)));
    expect(times('next-acknowledged').slice(0, 4)).toEqual([563, 1254, 2592, 4959]);
    expect(times('completion')).toEqual([undefined, undefined, undefined, undefined, 8441]);
    const strategy = report.campaigns[0]?.strategies.find(({ name }) => name === 'restate-idem');
    const rows = strategy?.ordinals.filter(({ metric }) => metric === 'next-acknowledged') ?? [];
    expect(rows.map(({ grouping, ordinal, observations }) => [grouping, ordinal, observations.length])).toEqual([
      ['independent runs', 1, 1],
      ['several kills in one run', 1, 1],
      ['several kills in one run', 2, 1],
      ['several kills in one run', 3, 1],
      ['several kills in one run', 4, 1],
      ['several kills in one run', 5, 1],
    ]);
  });

  it.runIf(files.length > 0)(
    'R96 R97 R101 every time has two records, one clock, and orchestration is named so',
    () => {
      for (const { metrics } of report.campaigns.flatMap(({ trials }) => trials)) {
        for (const { ms, end, clock, whyNot, id, kind } of metrics) {
          if (ms === undefined) expect(whyNot).toMatch(/\w/);
          else expect([end?.event, clock]).toEqual([expect.any(String), 'host-monotonic']);
          expect(kind === 'orchestration').toBe(id === 'orchestration');
        }
      }
    },
  );

  it.runIf(files.length > 0)('R92 R93 compares with the control of the same design alone', () => {
    const keyed = trialOf('journal-jsonl-idem-kp3.jsonl');
    expect(keyed.control.status).toBe('compared');
    expect(keyed.outcome.comparisons.map(({ what, verdict }) => [what, verdict])).toEqual([
      ['output of the run', 'equal'],
      ['final state "finish"', 'equal'],
      ['effects executed', 'equal'],
      ['request of /write:create-ticket#0', 'not comparable'],
      ['answers of models', 'not comparable'],
    ]);
    expect(trialOf('dbos-kp3.jsonl').control.status).toBe('absent');
    expect(trialOf('naive-kp3.jsonl').outcome.models.beyondControl).toBe(1);
  });

  it.runIf(files.length > 0)(
    'R100 a request that a whole ledger has nothing of was not executed when the trial ended',
    () => {
      const [effect] = trialOf('naive-idem-kp3.jsonl').outcome.effects;
      expect([effect?.verdict, effect?.duplicates]).toEqual(['executed once', 0]);
    },
  );

  it.runIf(files.length > 0)('gives the same verdicts without a single verdict of the producers', () => {
    const told = new Set(['invariant.checked', 'duplicate.detected']);
    // That there is a last record of the trial says that its records go to the end; what it says counts for nothing.
    const silent = traces.map(({ name, events }) => {
      const kept = events.filter(({ type }) => !told.has(type));
      const mute = kept.map((event) => (event.type === 'trial.finished' ? { ...event, data: {} } : event));
      return toWholeTrace({ name, events: mute });
    });
    const without = (from: RecoveryReport): unknown =>
      from.campaigns.map((campaign) =>
        withoutDigests({ ...campaign, trials: campaign.trials.map((trial) => ({ ...trial, findings: [] })) }),
      );
    expect(silent.some(({ events }, i) => events.length < (traces[i]?.events.length ?? 0))).toBe(true);
    expect(without(analyseRecovery(silent))).toEqual(without(report));
  });

  it.runIf(files.length > 0)(
    'R24 puts a trial together from its three streams in three files, and lists what is of no trial',
    () => {
      const [whole] = traces.filter(({ name }) => name === 'restate-kp3.jsonl');
      const parts = ['harness', 'worker', 'ticket-service'].map((component) => ({
        name: component,
        events: (whole?.events ?? []).filter(({ source }) => source.component === component).reverse(),
      }));
      const [other] = traces.filter(({ name }) => name === 'dbos-kp3.jsonl');
      const service = {
        name: 'shared',
        events: (other?.events ?? []).filter(({ source }) => source.component === 'ticket-service'),
      };
      const split = analyseRecovery([...parts, service]);
      const trial = trialOf('worker', split);
      expect({ ...trial, traces: [] }).toEqual({
        ...trialOf('restate-kp3.jsonl', analyseRecovery(whole === undefined ? [] : [whole])),
        traces: [],
      });
      expect(split.unmatched.map(({ trace, records }) => [trace, records])).toEqual([['shared', 6]]);
    },
  );

  it.runIf(files.length > 0)('R103 kills that all carry one number keep their own, and the label is a finding', () => {
    const five = traces.find(({ name }) => name === 'restate-idem-kp4_4_4_4_4.jsonl');
    const events = (five?.events ?? []).map((event) =>
      event.type === 'fault.injected' ? { ...event, data: { ...event.data, ordinal: 1 } } : event,
    );
    const trial = trialOf('pooled', analyseRecovery([{ name: 'pooled', events }]));
    expect(trial.placements.map(({ ordinal }) => ordinal)).toEqual([1, 2, 3, 4, 5]);
    expect(trial.findings.map(({ code }) => code)).toEqual(Array.from({ length: 4 }, () => 'ordinal-contradicted'));
  });

  function alterEvents(file: string, change: (event: HindcastEvent) => HindcastEvent | undefined): RecoveryReport {
    const events = traces.find(({ name }) => name === file)?.events.flatMap((event) => change(event) ?? []) ?? [];
    return analyseRecovery([toWholeTrace({ name: file, events })]);
  }

  it.runIf(files.length > 0)(
    'R115 each kill of a run is judged: one after which the control executed nothing passes',
    () => {
      let n = 0;
      const made = traces.find(({ name }) => name === 'naive-kp4_4_4_4_4.jsonl')?.events ?? [];
      const [id, , gone] = made.flatMap((event) => (event.type === 'effect.committed' ? [event.data.effect?.id] : []));
      const third = alterEvents('naive-kp4_4_4_4_4.jsonl', (event) => {
        if (event.type === 'duplicate.detected') return undefined;
        if (event.type === 'effect.committed' && ++n === 3) return undefined;
        const isTold = event.type === 'tool_call.acknowledged' && event.data['effect_id'] === gone;
        return isTold ? { ...event, data: { ...event.data, effect_id: id ?? null } } : event;
      });
      expect(trialOf('naive-kp4_4_4_4_4.jsonl', third)).toMatchObject({
        validity: 'valid',
        outcome: { duplicates: 4 },
      });
      expect(third.campaigns[0]).toMatchObject({
        suspect: true,
        negativeControl: { status: 'passes', passing: [{ points: ['4'] }] },
      });
      expect(third.campaigns[0]?.negativeControl.text).toContain('at 1 of 5 kills');
      const whole = alterEvents('naive-kp4_4_4_4_4.jsonl', (event) => event);
      expect(whole.campaigns[0]?.negativeControl.status).toBe('fails as it must');
    },
  );

  it.runIf(files.length > 0)('R109 commitments that name no request leave the placement open', () => {
    const blind = alterEvents('dbos-kp3.jsonl', (event) =>
      event.type.startsWith('effect.') ? { ...event, causes: [] } : event,
    );
    const trial = trialOf('dbos-kp3.jsonl', blind);
    expect([trial.validity, trial.outcome.duplicates]).toEqual(['not established', 1]);
    expect(trial.placements[0]).toMatchObject({ verdict: 'not established', candidates: ['2', '2late', '3'] });
  });

  it.runIf(files.length > 0)(
    'R100 commitments that name neither request nor command are joined by the id that an answer names, else nothing is known',
    () => {
      const bare = alterEvents('naive-kp3.jsonl', (event) =>
        event.type === 'effect.committed' ? { ...event, causes: [], command: undefined } : event,
      );
      const { validity, outcome, placements, limits } = trialOf('naive-kp3.jsonl', bare);
      expect([validity, placements[0]?.verdict]).toEqual(['not established', 'not established']);
      expect([outcome.duplicates, outcome.losses]).toEqual([undefined, 0]);
      expect(outcome.effects.map(({ executions }) => executions.map(({ basis }) => basis))).toEqual([
        ['effect id'],
        ['no recorded request'],
      ]);
      expect(limits.join(' ')).toContain('name neither a request nor a command');
    },
  );

  it.runIf(files.length > 0)(
    'R109 R110 processes of one id, each in a container of its own, are told apart by their starts',
    async () => {
      for (const file of ['dbos-kp3.jsonl', 'naive-kp4_4_4_4_4.jsonl']) {
        const text = readFileSync(join(sharedFolder, file), 'utf8');
        const pids = [...text.matchAll(/"worker_spawned".*"data":\{"pid":(\d+)/g)].map(([, pid = '']) => pid);
        expect(pids.length).toBeGreaterThan(1);
        const same = pids.reduce((altered, pid) => altered.replaceAll(`"pid":${pid}`, '"pid":7'), text);
        const trial = trialOf(file, analyseRecovery([await openText(file, same)]));
        expect([trial.validity, pointsOf(trial), trial.outcome]).toEqual([
          'valid',
          pointsOf(trialOf(file)),
          trialOf(
            file,
            alterEvents(file, (event) => event),
          ).outcome,
        ]);
      }
    },
  );
});
