/** Trials of which records are on file and cannot be read: that is told, and is never "not recorded" (shipped trials, damaged). */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../base/json.ts';
import { analyseRecovery } from './index.ts';
import type { RecoveryReport, TrialReport } from './report.ts';
import { alter, openText, readSample } from './testing/opened-trials.ts';
import { hasShared, readShared } from './testing/shared-records.ts';

const incident = readSample('campaign/one-ticket-journal-kill-3');
const control = readSample('campaign/one-ticket-journal-control');

function toText(records: readonly JsonObject[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}

async function judge(text: string): Promise<RecoveryReport> {
  return analyseRecovery([await openText('trial.jsonl', text)]);
}

async function trialOf(text: string): Promise<TrialReport> {
  const [trial] = (await judge(text)).campaigns.flatMap(({ trials }) => trials);
  if (trial === undefined) throw new Error('no trial');
  return trial;
}

function openChecks({ checks }: TrialReport): readonly (readonly [string, string])[] {
  return checks.filter(({ status }) => status !== 'holds').map(({ id, text }) => [id, text]);
}

function lineOf(records: readonly JsonObject[], type: string): number {
  return records.findIndex((record) => record['type'] === type) + 1;
}

function badPoint(): { readonly kill_point: readonly number[] } {
  return { kill_point: [3] };
}

describe('records of a trial that could not be read', () => {
  it('R111 damaged records of a fault are not "no fault is recorded": how many, which, where, and what to do', async () => {
    const types = ['fault.armed', 'fault.witnessed', 'fault.injected'];
    const damaged = types.reduce((records, type) => alter(records, type, badPoint), incident);
    const trial = await trialOf(toText(damaged));
    expect(trial.validity).toBe('not established');
    const told = types
      .toSorted((a, b) => lineOf(incident, a) - lineOf(incident, b))
      .map((type) => `${type} (trial.jsonl, line ${lineOf(incident, type)})`)
      .join(', ');
    expect(openChecks(trial)).toEqual([
      [
        'faults-happened',
        `The trial is one with a fault, and none stands in what could be read. 3 records of this trial could not be read: ${told}. \`hindcast check\`, and the problems of the trace on the page, say what is wrong with each: mend them and open the file again.`,
      ],
    ]);
  });

  it('R111 an armed fault whose sending cannot be read is not one that did not happen', async () => {
    const trial = await trialOf(toText(alter(incident, 'fault.injected', badPoint)));
    expect(trial.validity).toBe('not established');
    expect(openChecks(trial)[0]).toEqual([
      'faults-happened',
      expect.stringContaining(
        'whether it happened cannot be told. One record of this trial could not be read: fault.injected',
      ),
    ]);
    // That it is not there at all still counts against the trial.
    const without = incident.filter(({ type }) => type !== 'fault.injected');
    expect((await trialOf(toText(without))).validity).toBe('invalid');
  });

  it('another damaged record leaves the outcome open, also where its run cannot be recognised', async () => {
    const lines = toText(incident).trimEnd().split('\n');
    const at = lines.findIndex((line) => line.includes('"effect.committed"'));
    const broken = lines.with(at, lines[at]?.replace(/,"data":.*/, ',"data":{') ?? '');
    expect(openChecks(await trialOf(`${broken.join('\n')}\n`))).toEqual([
      [
        'placement-1',
        expect.stringMatching(/never committed it\. What speaks for the label may be in a record that could/),
      ],
      [
        'records-read',
        expect.stringMatching(
          new RegExp(
            `^What was recorded is not known in full. One record of this trial .* effect.committed \\(trial.jsonl, line ${at + 1}\\)`,
          ),
        ),
      ],
    ]);
    expect((await trialOf(`${broken.join('\n')}\n`)).validity).toBe('not established');
    const bare = await trialOf(`${lines.with(at, '{').join('\n')}\n`);
    expect(openChecks(bare).at(-1)?.[1]).toContain(
      'One record of the files of this trial could not be read: one of unknown type',
    );
  });

  it.each([
    ['as they are', (n: number) => String(n)],
    ['with zeros before them', (n: number) => String(n).padStart(4, '0')],
  ])('R111 a line of two records in one is of the trial too whose next record it names, ids %s', async (_, toId) => {
    const ids = new Map(control.map(({ id }, at) => [JSON.stringify(id), `"c-${toId(at + 8)}"`]));
    const text = toText(control).replaceAll(/"[^"]+"/g, (found) => ids.get(found) ?? found);
    const next = `c-${toId(control.length + 8)}`;
    const run = JSON.stringify(incident[0]?.['run'] ?? '');
    const line = `{"v":1,"run":${run},"ty{"v":1,"id":"${next}","type":"state.transition"}}\n`;
    expect(text).toContain(`"c-${toId(control.length + 7)}"`);
    const { campaigns } = await judge(`${toText(incident)}${text}${line}`);
    const found = campaigns
      .flatMap(({ trials }) => trials)
      .map((trial) => [trial.arm, openChecks(trial).map(([id]) => id)]);
    expect(found).toEqual([
      ['faulted', ['records-read']],
      ['control', ['records-read']],
    ]);
  });

  it('a control is not said to be without a fault where a record of one could not be read', async () => {
    const fault = incident.find(({ type }) => type === 'fault.injected') ?? {};
    const stranger = alter([{ ...fault, run: control[0]?.['run'] ?? '', id: 'x:1' }], 'fault.injected', badPoint);
    expect((await trialOf(toText(control))).validity).toBe('valid');
    const trial = await trialOf(toText([...control, ...stranger]));
    expect(openChecks(trial)).toEqual([
      [
        'no-fault-in-control',
        expect.stringMatching(/^No fault of this control stands in what could be read\. One record/),
      ],
    ]);
  });

  it('R30 a last line that was cut off as it was written limits the trial and does not refuse it', async () => {
    const text = toText(incident);
    const trial = await trialOf(`${text}{"v":1,"id":"worker-1:99","type":"state.trans`);
    expect(trial.validity).toBe('valid');
    expect(trial.limits.join(' ')).toContain('cut off as it was written, and is not read: trial.jsonl, line');
  });

  it('a run whose start of a trial could not be read says so', async () => {
    const damaged = alter(incident, 'trial.started', () => ({ envelope: [] }));
    const { campaigns, unmatched } = await judge(toText(damaged));
    expect([campaigns.length, unmatched.length]).toEqual([0, 1]);
    expect(unmatched[0]?.text).toContain(
      `the record of its start could not be read (trial.jsonl, line ${lineOf(incident, 'trial.started')})`,
    );
  });
});

describe.runIf(hasShared)(
  `two records in one damaged line${hasShared ? '' : ' (skipped: no shared traces beside the project)'}`,
  () => {
    const files = ['journal-jsonl-idem-kp3', 'restate-kp3', 'dbos-kp3'];
    const cuts: readonly (readonly [string, (one: string, other: string) => string])[] = [
      ['the head of one and all of another', (one, other) => one.slice(0, 60) + other],
      ['most of both', (one, other) => one.slice(0, -30) + other.slice(40)],
      ['the heads of both', (one, other) => one.slice(0, 60) + other.slice(0, 70)],
    ];

    it.each(cuts)(
      'R24 %s: what was recorded of these two trials is not known in full, and of no third',
      async (_, fuse) => {
        const [first = [], second = [], third = []] = files.map((name) =>
          readShared(name).map((one) => JSON.stringify(one)),
        );
        const [at, other] = [first.length - 6, second.findIndex((line) => line.includes('"worker_started"'))];
        const damaged = fuse(first[at] ?? '', second[other] ?? '');
        const text = [...first.slice(0, at), damaged, ...first.slice(at + 1), ...second.toSpliced(other, 1), ...third];
        const trials = analyseRecovery([await openText('one', text.join('\n'))]).campaigns.flatMap((one) => one.trials);
        const told = trials.map(({ strategy, validity, checks }) => [
          strategy,
          validity,
          checks.some(({ text: why }) => why.includes('could not be read')),
        ]);
        expect(told).toEqual([
          ['journal-jsonl-idem', 'not established', true],
          ['restate', 'not established', true],
          ['dbos', 'valid', false],
        ]);
      },
    );
  },
);
