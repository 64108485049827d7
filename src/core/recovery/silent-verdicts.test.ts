/** Verdicts of producers decide nothing: every real trial and every shipped one, without them, is judged as with them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../base/json.ts';
import { eventId, type HindcastEvent } from '../model/index.ts';
import { analyseRecovery, type Claim } from './index.ts';
import type { RecoveryReport, TrialReport } from './report.ts';
import { type LabRecord, labCheck, labReport, labTrial } from './testing/lab-trial.ts';
import { openText, samplesFolder, sharedFolder, sharedTrials, toWholeTrace } from './testing/opened-trials.ts';

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

async function reportOf(
  { folder, names }: Folder,
  keeps: (line: string) => boolean,
  claim?: Claim,
): Promise<RecoveryReport> {
  const texts = names.map((name) => readFileSync(join(folder, name), 'utf8').split('\n').filter(keeps).join('\n'));
  const traces = await Promise.all(texts.map((text, n) => openText(names[n] ?? '', text)));
  return analyseRecovery(traces, claim === undefined ? {} : { claim });
}

/** Every number that a trial may be held to, also from above: there a lower bound decides nothing. */
const predicates = ['= 0', '= 1', '<= 1', '>= 1', '= 5', '<= 5', '!= 2'];
const metrics = ['duplicates', 'losses', 'completed', 'extraModelCalls', 'one-execution-per-key', 'key-stable'];
const counting: Claim = {
  ...{ fault: 'SIGKILL of the worker', protects: 'tickets', continuation: 'completes' },
  clauses: metrics.flatMap((metric) =>
    predicates.map((predicate) => ({ id: `${metric} ${predicate}`, text: metric, metric, predicate })),
  ),
};

function clausesOf({ campaigns }: RecoveryReport): readonly string[] {
  const claims = campaigns.flatMap((campaign) => campaign.claims);
  return claims.flatMap(({ clauses }) => clauses.map(({ id, verdict, reason }) => `${id}: ${verdict}, ${reason}`));
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

  it.each(['every one', ...of.names])(
    'R88 R100 %s: no clause of a claim is judged otherwise without them',
    async (name) => {
      const chosen = { ...of, names: name === 'every one' ? of.names : [name] };
      const [before, after] = [
        await reportOf(chosen, () => true, counting),
        await reportOf(chosen, (line) => !isTold.test(line), counting),
      ].map(clausesOf);
      expect(after).toEqual(before);
    },
  );

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

describe('a verdict that its producer numbers in the log of the ledger', () => {
  const incident = { folder: samplesFolder, names: ['ticket-incident.hindcast.jsonl'] };
  const isDuplicate = /"type":"duplicate\.detected"/;

  it('R88 R100 leaves no lower bound behind when it is taken away: each request that the service tells of has its end', async () => {
    for (const keeps of [() => true, (line: string) => !isDuplicate.test(line)]) {
      const report = await reportOf(incident, keeps, counting);
      expect(clausesOf(report).filter((one) => /^duplicates <?= 1:/.test(one))).toEqual([
        expect.stringContaining('duplicates = 1: holds'),
        expect.stringContaining('duplicates <= 1: holds'),
      ]);
      const [trial] = report.campaigns.flatMap((campaign) => campaign.trials);
      const isGone = !keeps('"type":"duplicate.detected"');
      expect(trial?.limits.some((text) => text.includes('no execution stands in it'))).toBe(isGone);
    }
  });

  it('R95 R100 leaves one, there or taken away, where a request has no end: that one may stand in its place', async () => {
    const isOpen = (line: string): boolean =>
      line.includes('"/write:mail.send#0"') && line.includes('"effect.committed"');
    const reports = [(line: string) => !isOpen(line), (line: string) => !isOpen(line) && !isDuplicate.test(line)];
    for (const keeps of reports) {
      const report = await reportOf(incident, keeps);
      const [trial] = report.campaigns.flatMap((campaign) => campaign.trials);
      expect([trial?.outcome.duplicates, trial?.outcome.duplicatesAtLeast]).toEqual([1, true]);
    }
  });

  it('R95 R100 leaves one where a request came twice under one call and ended once', async () => {
    const trace = await openText('a', readFileSync(join(samplesFolder, incident.names.join()), 'utf8'));
    const again = trace.events.flatMap((event): readonly HindcastEvent[] =>
      event.type === 'effect.requested' && event.command?.path === '/write:mail.send#0'
        ? [event, { ...event, id: eventId('again'), seq: (event.seq ?? 0) + 0.5 }]
        : [event],
    );
    const whole = toWholeTrace({ ...trace, events: again });
    for (const isKept of [() => true, ({ type }: HindcastEvent) => type !== 'duplicate.detected']) {
      const [trial] = analyseRecovery([{ ...whole, events: whole.events.filter(isKept) }]).campaigns.flatMap(
        (campaign) => campaign.trials,
      );
      expect([trial?.outcome.duplicates, trial?.outcome.duplicatesAtLeast]).toEqual([1, true]);
    }
  });

  it('R95 R100 leaves one where the service tells of no request before what it made of it', async () => {
    const lines = readFileSync(join(samplesFolder, incident.names.join()), 'utf8').split('\n');
    const text = lines.filter((line) => !line.includes('"type":"effect.requested"')).join('\n');
    const trace = toWholeTrace(await openText('a', text));
    for (const isKept of [() => true, ({ type }: HindcastEvent) => type !== 'duplicate.detected']) {
      const [trial] = analyseRecovery([{ ...trace, events: trace.events.filter(isKept) }]).campaigns.flatMap(
        (campaign) => campaign.trials,
      );
      expect([trial?.outcome.duplicates, trial?.outcome.duplicatesAtLeast]).toEqual([1, true]);
    }
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
