/** Verdicts of producers decide nothing: every real trial and every shipped one, without them, is judged as with them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../base/json.ts';
import { analyseRecovery } from './index.ts';
import type { RecoveryReport, TrialReport } from './report.ts';
import { type LabRecord, labCheck, labReport, labTrial } from './testing/lab-trial.ts';
import { openText, samplesFolder, sharedFolder, sharedTrials } from './testing/opened-trials.ts';

/** The three types, in the vocabulary of events and in that of typed trial records. */
const isTold =
  /"type":\s*"(?:trial[._]finished|invariant[._]checked|(?:effect_)?duplicate_detected|duplicate\.detected)"/;

interface Folder {
  readonly folder: string;
  readonly names: readonly string[];
}

function trialsIn(folder: string): Folder {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .filter((name) => /"type":\s*"trial[._]started"/.test(readFileSync(join(folder, name), 'utf8')))
    .sort();
  return { folder, names };
}

const folders: readonly Folder[] = [
  { folder: sharedFolder, names: sharedTrials() },
  trialsIn(join(samplesFolder, 'campaign')),
  trialsIn(samplesFolder),
];

async function reportOf({ folder, names }: Folder, keeps: (line: string) => boolean): Promise<RecoveryReport> {
  const texts = names.map((name) => readFileSync(join(folder, name), 'utf8').split('\n').filter(keeps).join('\n'));
  return analyseRecovery(await Promise.all(texts.map((text, n) => openText(names[n] ?? '', text))));
}

function verdictsOf(trial: TrialReport): JsonObject {
  const { validity, placements, outcome, control, metrics, invariants } = trial;
  const { completed, duplicates, losses, pending, models, effects } = outcome;
  return {
    validity,
    points: placements.map(({ point, verdict }) => `${point ?? ''} ${verdict}`),
    outcome: [completed ?? null, duplicates ?? null, losses ?? null, [...pending], models.extraCalls, models.calls],
    effects: effects.map((one) => [one.effect, one.verdict, one.executions.length, one.lost ?? null]),
    control: control.status,
    times: metrics.map(({ id, ms }) => `${id} ${String(ms)}`),
    invariants: invariants.map(({ id, verdict }) => `${id} ${verdict}`),
  };
}

function byFile(report: RecoveryReport | undefined): ReadonlyMap<string, JsonObject> {
  const trials = report?.campaigns.flatMap((campaign) => campaign.trials) ?? [];
  return new Map(trials.map((trial) => [trial.traces.join(), verdictsOf(trial)]));
}

describe.each(folders.filter(({ names }) => names.length > 0))('trials in $folder', (of) => {
  let spoken: RecoveryReport | undefined;
  let silent: RecoveryReport | undefined;
  beforeAll(async () => {
    spoken = await reportOf(of, () => true);
    silent = await reportOf(of, (line) => !isTold.test(line));
  });

  it('R100 R115 every verdict, and the control that must fail, is the same without the records of producers’ verdicts', () => {
    const [before, after] = [spoken, silent].map(byFile);
    expect([...(before?.keys() ?? [])]).toEqual(of.names);
    expect(after).toEqual(before);
    const controls = [spoken, silent].map((report) => report?.campaigns.map((one) => one.negativeControl));
    expect(controls[1]).toEqual(controls[0]);
  });

  it.each(of.names)('R100 %s alone is judged the same without them', async (name) => {
    const alone = { folder: of.folder, names: [name] };
    const has = readFileSync(join(of.folder, name), 'utf8')
      .split('\n')
      .some((line) => isTold.test(line));
    expect(has).toBe(true);
    const [before, after] = [
      await reportOf(alone, () => true),
      await reportOf(alone, (line) => !isTold.test(line)),
    ].map(byFile);
    expect(after).toEqual(before);
  });
});

describe('a run that stands at a request which no service answers', () => {
  const body = (digest: string): LabRecord['data'] => ({ input_digest: digest.repeat(64) });
  /** The second life asks under the same key with another body, and the service tells that it came and nothing else. */
  function stuck(second = 'b', key = 'k'): readonly LabRecord[] {
    const until = labTrial().filter(
      ({ type }) => !['run_completed', 'tool_result_acknowledged', 'trial_finished'].includes(type),
    );
    let asked = 0;
    return until.map((record) => {
      if (record.type === 'tool_call_dispatched')
        return { ...record, data: { ...record.data, ...body(asked++ === 0 ? 'a' : second) } };
      if (record.type === 'effect_committed') return { ...record, data: { ...record.data, idempotency_key: key } };
      if (record.type !== 'effect_deduplicated') return record;
      return { ...record, type: 'effect_requested', data: { idempotency_key: 'k' } };
    });
  }
  const told = ({ validity, outcome }: TrialReport): readonly unknown[] => [
    validity,
    outcome.completed,
    outcome.duplicates,
    outcome.losses,
  ];

  it('R111 R128 did not complete, by the records of the worker and of the service, and a limit tells what that rests on', async () => {
    const report = await labReport({ a: stuck() });
    expect(told(report)).toEqual(['valid', false, 0, 0]);
    expect(report.limits.join(' ')).toContain('The end of the trial is not recorded.');
    const finished = { ...labTrial().at(-1), type: 'trial_finished', data: { valid: false, completed: true } };
    const ended = await labReport({ a: [...stuck(), finished] });
    expect(told(ended)).toEqual(told(report));
    expect(ended.limits.join(' ')).not.toContain('The end of the trial is not recorded.');
  });

  it('R89 R111 a file that was cut anywhere before it tells nothing of its end', async () => {
    const records = stuck();
    const first = records.findIndex(({ type }) => type === 'trial_envelope') + 1;
    for (let lines = first; lines < records.length; lines++) {
      const report = await labReport({ a: records.slice(0, lines) });
      expect([lines, ...told(report)]).toEqual([lines, 'not established', undefined, undefined, undefined]);
    }
  });

  it.each<readonly [string, () => readonly LabRecord[]]>([
    ['the same body', () => stuck('a')],
    ['a key of which the service did not tell', () => stuck('b', 'other')],
    [
      'another start that is on record',
      () => [
        ...stuck(),
        {
          ...(labTrial()[11] ?? { type: '', data: {} }),
          eid: 'harness.i.h:9',
          seq: 9,
          data: { pid: 73, worker_boot: 'c' },
        },
      ],
    ],
  ])('R89 with %s what comes of it is not known', async (_what, make) => {
    const report = await labReport({ a: make() });
    expect([report.validity, report.outcome.completed]).toEqual(['not established', undefined]);
    expect(labCheck(report, 'recorded-to-the-end')?.status).toBe('not established');
  });
});
