/** The summary of a lab: recognised, and every field of it held against the records of the file that it names. */
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../base/json.ts';
import { analyseRecovery, compareLabSummary, differenceToText, type LabSummary, textToLabSummary } from './index.ts';
import type { SummaryReport } from './lab-summary.ts';
import { modelKill, modelPath } from './testing/model-kill.ts';
import { alter, readSample, toTrace } from './testing/opened-trials.ts';

const effect = '/write:tickets.create#0';
const doubled = 'one-ticket-journal-kill-3.hindcast.jsonl';

const entry: JsonObject = {
  file: doubled,
  campaign: 'one-ticket',
  design: 'sweep',
  strategy: 'journal, without idempotency key',
  arm: 'faulted',
  kills: [{ point: '3', path: effect }],
  repeat: 1,
  committed: { [effect]: 2 },
  deduplicated: 0,
  refused: 0,
  model_calls: 1,
  killed: 1,
  completed: true,
};

function summaryOf(entries: readonly JsonObject[], file = 'summary.json'): LabSummary {
  const summary = textToLabSummary(file, JSON.stringify({ trials: entries, excluded: [] }));
  if (summary === undefined) throw new Error('no summary');
  return summary;
}

type Files = Readonly<Record<string, readonly JsonObject[]>>;

const opened: Files = { [doubled]: readSample('campaign/one-ticket-journal-kill-3') };

function compare(entries: readonly JsonObject[], files: Files = opened): SummaryReport {
  const report = analyseRecovery(Object.entries(files).map(([name, records]) => toTrace(name, records)));
  return compareLabSummary(summaryOf(entries), report);
}

function told({ differences }: SummaryReport): readonly string[] {
  return differences.map(differenceToText);
}

describe('the summary of a lab', () => {
  it('R100 that tells what the records tell differs in nothing, and what no record tells is named', () => {
    const { text, differences, notCompared, trials } = compare([entry]);
    expect([differences, trials.length]).toEqual([[], 1]);
    expect(text).toContain('It says the same as the records of 1 of 1 trials.');
    // One strategy alone, called otherwise, may be any.
    expect(notCompared).toEqual(['excluded: no record tells of it']);
  });

  it.each<readonly [field: string, claimed: JsonValue, told: string]>([
    ['campaign', 'other', 'campaign: other; the records say one-ticket'],
    ['design', 'random', 'design: random; the records say sweep'],
    ['arm', 'control', 'arm: control; the records say faulted'],
    ['kills', [], `kills: none; the records say 3 of ${effect}`],
    ['kills', [{ point: '4', path: effect }], `kills: 4 of ${effect}; the records say 3 of ${effect}`],
    ['kills', [{ point: '3', path: '/write:x#0' }], `kills: 3 of /write:x#0; the records say 3 of ${effect}`],
    ['repeat', 2, 'repeat: 2; the records say 1'],
    ['fault', 'call-hung', 'fault: call-hung; the records say none'],
    ['committed', { [effect]: 1 }, `committed ${effect}: 1; the records say 2`],
    ['committed', { '/write:x#0': 1, [effect]: 2 }, 'committed /write:x#0: 1; the records say 0'],
    ['committed', {}, `committed ${effect}: nothing; the records say 2`],
    ['deduplicated', 1, 'deduplicated: 1; the records say 0'],
    ['refused', 2, 'refused: 2; the records say 0'],
    ['model_calls', 9, 'model_calls: 9; the records say 1'],
    ['killed', 2, 'killed: 2; the records say 1'],
    ['completed', false, 'completed: false; the records say true'],
  ])('R100 that tells another %s (%j) is told with both values', (field, claimed, text) => {
    const report = compare([{ ...entry, [field]: claimed }]);
    expect(told(report)).toEqual([`${doubled}: the summary says ${text}.`]);
    expect(report.text).toContain('0 of 1 trials');
  });

  it('R100 R109 names a kill during a model call by the call', () => {
    const planned = [{ point: 'model', path: modelPath }];
    const kill: JsonObject = {
      ...{ ...entry, file: 'm', arm: '', kills: planned, committed: { [effect]: 1 }, model_calls: 2 },
      strategy: 'naive restart, without idempotency key',
    };
    expect(told(compare([kill], { m: modelKill() }))).toEqual([]);
  });

  it('R100 is not contradicted by what the records leave open, and that is named', () => {
    const blind = readSample('campaign/one-ticket-journal-kill-3').filter(
      ({ source }) => !JSON.stringify(source).includes('ticket-service'),
    );
    const report = compare([{ ...entry, deduplicated: 3, committed: { [effect]: 7 } }], { [doubled]: blind });
    expect(told(report)).toEqual([]);
    expect(report.notCompared).toEqual([
      'excluded: no record tells of it',
      'kills: where a kill struck is not established (1 trial)',
      `committed ${effect}: it is not known (1 trial)`,
      'deduplicated: it is not known (1 trial)',
      'refused: it is not known (1 trial)',
    ]);
  });

  it('R100 is contradicted by a lower bound above what it says', () => {
    const open = readSample('campaign/one-ticket-journal-kill-3').map((record) =>
      // Two records are missing: an execution may stand there.
      JSON.stringify(record['source']).includes('ticket-service') && Number(record['seq']) > 2
        ? { ...record, seq: Number(record['seq']) + 2 }
        : record,
    );
    const of = (count: number): readonly string[] =>
      told(compare([{ ...entry, committed: { [effect]: count } }], { [doubled]: open }));
    expect(of(3)).toEqual([]);
    expect(of(1)).toEqual([`${doubled}: the summary says committed ${effect}: 1; the records say at least 2.`]);
  });

  it('R100 names trials by their files: those that are not open, that several are called, and that it leaves out', () => {
    const records = opened[doubled] ?? [];
    const copy = JSON.parse(
      JSON.stringify(records).replaceAll(JSON.stringify(records[0]?.['run'] ?? ''), JSON.stringify('f'.repeat(32))),
    ) as JsonObject[];
    const both = { [`a/${doubled}`]: records, [`b/${doubled}`]: copy };
    const { text, trials } = compare([entry, { ...entry, file: 'gone.jsonl' }], both);
    expect(trials).toEqual([]);
    expect(text).toContain(
      'of 0 of 0 trials; 1 more names a file that was not opened; 1 more names a file of which several trials are open.',
    );
    const report = analyseRecovery(Object.entries(both).map(([name, list]) => toTrace(name, list)));
    const beside = compareLabSummary(summaryOf([entry], 'b/summary.json'), report);
    expect(beside.trials).toEqual(['f'.repeat(32)]);
    expect(beside.text).toContain('1 of 1 trials; it has no entry of 1 opened trial of the same campaign.');
    const named = compareLabSummary(summaryOf([entry], 'b/summary.json'), report, (trace) => [`b/x${trace}`]);
    expect(named.trials).toEqual([]);
  });

  it('R100 may call its strategies otherwise than the records, where the trials of each are the same', () => {
    const names = ['journal-kill-3', 'journal-kill-5', 'journal-key-kill-3', 'journal-key-kill-5'];
    const files: Files = Object.fromEntries(names.map((name) => [name, readSample(`campaign/one-ticket-${name}`)]));
    const of = (...strategies: readonly string[]): SummaryReport =>
      compare(
        names.map((file, at) => ({ file, committed: {}, completed: true, strategy: strategies[at] ?? '' })),
        files,
      );
    const differing = (report: SummaryReport): readonly string[] =>
      told(report).filter((text) => text.includes('strategy'));
    expect(differing(of('j', 'j', 'k', 'k'))).toEqual([]);
    expect(differing(of('j', 'j', 'j', 'k'))).toEqual([
      'journal-key-kill-3: the summary says strategy: j; the records say journal, with idempotency key.',
    ]);
    expect(differing(of('j', 'x', 'k', 'k'))).toEqual([
      'journal-kill-5: the summary says strategy: x; the records say journal, without idempotency key.',
    ]);
    expect(compare([{ ...entry, strategy: 'j' }]).notCompared).toContain(
      'strategy: the records call it "journal, without idempotency key" (1 trial)',
    );
  });

  it('R100 tells of no name that no record has', () => {
    const unnamed = alter(opened[doubled] ?? [], 'trial.started', (data) =>
      Object.fromEntries(
        Object.entries(data).map(([key, value]) => [
          key,
          ['design', 'arm', 'repeat', 'campaign'].includes(key) ? null : value,
        ]),
      ),
    ).map((record) => {
      if (record['type'] !== 'trial.started') return record;
      const { data = null } = record;
      const own = typeof data === 'object' && data !== null ? Object.entries(data) : [];
      return { ...record, data: Object.fromEntries(own.filter(([, value]) => value !== null)) };
    });
    const fields = compare([entry], { [doubled]: unnamed }).notCompared.map((text) => text.split(':')[0]);
    expect(fields).toEqual(['excluded', 'campaign', 'design', 'arm', 'repeat']);
  });

  it.each([
    '',
    '[]',
    '{}',
    '{"trials":[]}',
    '{"trials":[{"file":"a"}]}',
    '{"trials":[{"file":"a","committed":{},"completed":true},5]}',
  ])('%s is none', (text) => {
    expect(textToLabSummary('summary.json', text)).toBeUndefined();
  });
});
