import { copyFile, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runRecovery } from './recovery.ts';
import type { RecoveryOutput } from './recovery-report.ts';
import { runSchema } from './schema.ts';

const samples = join(import.meta.dirname, '../../public/samples');
const settings = { json: true, acceptFuture: false, allowHuge: false };
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hindcast-recovery-'));
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

async function write(name: string, content: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

async function judge(
  paths: readonly string[],
  more: { readonly claim?: string; readonly envelope?: string } = {},
): Promise<{ readonly code: number; readonly output: RecoveryOutput }> {
  const { code, out = '' } = await runRecovery(paths, { ...settings, ...more });
  // Cast: the report is the documented form that this test reads.
  return { code, output: JSON.parse(out) as RecoveryOutput };
}

function claim(strategy: string): string {
  return JSON.stringify({
    fault: { class: 'process-kill', points: ['3'] },
    protects: 'one ticket per case',
    continuation: 'the run completes',
    strategy,
    clauses: [{ id: 'no-second-ticket', text: 'no ticket is made twice', metric: 'duplicates', predicate: '= 0' }],
  });
}

describe('recovery', () => {
  it('judges the trials of a folder, each file by itself, and says which runs are no trials', async () => {
    const shipped = await mkdtemp(join(folder, 'samples-'));
    for (const { name, parentPath } of await readdir(samples, { withFileTypes: true }))
      if (name.includes('.')) await copyFile(join(parentPath, name), join(shipped, name));
    const { code, output } = await judge([shipped]);
    expect(code).toBe(0);
    expect(
      output.trials.map(({ name, valid, killPoint, completed, duplicates, losses, extraModelCalls }) => [
        name,
        valid,
        killPoint,
        completed,
        duplicates,
        losses,
        extraModelCalls,
      ]),
    ).toEqual([
      ['clean-control', true, null, true, 0, 0, 0],
      ['ticket-incident', true, '3', true, 1, 0, 0],
      ['ticket-with-key', true, '3', true, 0, 0, 0],
    ]);
    expect(output.trials.every(({ why }) => why.length > 0)).toBe(true);
    expect(output.campaigns).toMatchObject([{ suspect: false, negativeControl: { status: 'absent' }, verdicts: [] }]);
    expect(output.unmatched).toMatchObject([{ trace: expect.stringContaining('wrong-observation') }]);
    expect(output.notRead.map(({ file }) => file)).toEqual(
      expect.arrayContaining([expect.stringContaining('index.json')]),
    );
  });

  it('exits 1 for a claim that fails, 0 for one that holds, 1 for one about nothing that was tried', async () => {
    const failing = await judge([samples], { claim: await write('a.json', claim('journal, without idempotency key')) });
    expect([failing.code, failing.output.campaigns[0]?.verdicts[0]?.verdict]).toEqual([1, 'failed']);
    const holding = await judge([samples], { claim: await write('b.json', claim('journal, with idempotency key')) });
    expect([holding.code, holding.output.campaigns[0]?.verdicts[0]?.verdict]).toEqual([
      0,
      'holds in the tested trials',
    ]);
    const about = await write('c.json', claim('another design'));
    const one = [join(samples, 'ticket-incident.hindcast.jsonl')];
    const nothing = await judge(one, { claim: about });
    expect([nothing.code, nothing.output.claimNote]).toEqual([1, expect.stringContaining('"another design"')]);
    const { out } = await runRecovery(one, { ...settings, json: false, claim: about });
    expect(out).toContain(
      'Claim: The claim concerns nothing that was tried here: no strategy is called "another design"',
    );
  });

  it('R111 says which records of a trial could not be read', async () => {
    const text = await readFile(join(samples, 'campaign/one-ticket-journal-kill-3.hindcast.jsonl'), 'utf8');
    const damaged = await write('damaged.jsonl', text.replaceAll(/("type":"fault\..*?"kill_point":)"\w+"/g, '$1[3]'));
    const { output } = await judge([damaged]);
    expect(output.trials[0]?.why).toMatch(/3 records of this trial could not be read: fault\.armed \(.*, line \d+\)/);
  });

  it('exits 1 for a campaign whose control that must fail passed', async () => {
    const text = await readFile(join(samples, 'ticket-with-key.hindcast.jsonl'), 'utf8');
    const passing = await write('passing.jsonl', text.replace('"arm":"faulted"', '"arm":"negative-control"'));
    const { code, output } = await judge([passing]);
    expect([code, output.campaigns[0]?.suspect]).toEqual([1, true]);
  });

  it('calls results of another envelope stale', async () => {
    const now = await write('now.json', '{"retry_policy": "5 attempts"}');
    const { output } = await judge([join(samples, 'ticket-incident.hindcast.jsonl')], { envelope: now });
    expect(output.campaigns[0]?.strategies[0]?.stale).toMatchObject([{ field: 'retry_policy', other: '5 attempts' }]);
  });

  it('gives people the grid, the trials and the sentence that may be quoted', async () => {
    const { code, out = '' } = await runRecovery([samples], { ...settings, json: false });
    expect(code).toBe(0);
    expect(out).toContain('Campaign  support-case-samples');
    expect(out).toMatch(/journal, without idempotency key, \/write:tickets\.create#0\s+-\s+-\s+-\s+2x n=1/);
    expect(out).toContain(
      '- ticket-incident (journal, without idempotency key): valid, killed at 3, completed, duplicates 1',
    );
    expect(out).toContain('This says nothing about other workloads');
  });

  it('refuses what is no trial, no claim and no envelope, with a sentence and code 2', async () => {
    const none = await runRecovery([join(samples, 'wrong-observation.hindcast.jsonl')], settings);
    expect(none).toMatchObject({ code: 2, out: expect.stringContaining('no-trial') });
    const bad = await runRecovery([samples], { ...settings, claim: await write('d.json', '{"fault":"kill"}') });
    expect(bad).toMatchObject({ code: 2, out: expect.stringContaining('cannot be evaluated') });
    const clauses = [{ id: 'a', text: 'a', metric: 'duplicates', predicate: 'about zero' }];
    const vague = JSON.stringify({ fault: 'kill', protects: 'a', continuation: 'b', clauses });
    expect(await runRecovery([samples], { ...settings, claim: await write('f.json', vague) })).toMatchObject({
      code: 2,
      out: expect.stringMatching(/clauses\[0\]\.predicate.* must be one of .*= 0.*holds.* and is .*about zero/),
    });
    const list = await runRecovery([samples], { ...settings, envelope: await write('e.json', '[]') });
    expect(list).toMatchObject({ code: 2, out: expect.stringContaining('no JSON object') });
  });

  it('R87 the example of a claim that is shipped fails where a ticket came twice and holds with a key', async () => {
    const example = join(samples, '../claims/one-ticket.claim.json');
    const { code, output } = await judge([join(samples, 'campaign')], { claim: example });
    expect(code).toBe(1);
    expect(output.campaigns[0]?.verdicts.map(({ strategy, verdict }) => [strategy, verdict])).toEqual([
      ['journal, without idempotency key', 'failed'],
      ['journal, with idempotency key', 'holds in the tested trials'],
    ]);
  });

  it('R95 R96 tells rate and latency of a trial under load, with both anchors, in text and JSON', async () => {
    const text = await readFile(join(samples, 'ticket-incident.hindcast.jsonl'), 'utf8');
    const run = /"run":"(\w+)"/.exec(text)?.[1] ?? '';
    // Without the word of the sample that its times are laid out: those of the driver are measured.
    const measured = text.replaceAll(/"conventions":\{[^{}]*\}/g, '"conventions":{}');
    const driven = Array.from({ length: 40 }, (_, n) => {
      const type = n === 0 ? 'load.arrived' : 'load.completed';
      const mono = String(1_000_000_000 + n * 100_000_000);
      const record = { v: 1, id: `driver:${String(n)}`, run, type, branch: 'main', seq: n, clock: 'driver', mono };
      return JSON.stringify({ ...record, source: { component: 'driver' }, data: { latency_ms: 5 + n } });
    });
    const path = await write('loaded.jsonl', `${measured.trimEnd()}\n${driven.join('\n')}\n`);
    const { output } = await judge([path]);
    expect(output.trials[0]?.load.map(({ series }) => series.kind)).toEqual(['rate', 'latency']);
    const { out = '' } = await runRecovery([path], { ...settings, json: false });
    expect(out).toContain('Under load: ticket-incident');
    expect(out).toMatch(/Series {4}.*\(a latency, unit ms; less is better\)/);
  });

  it('R95 R98 analyses the series among the files under the declared definition', async () => {
    const rows = [
      'seconds,rate,latency_ms,fault',
      '0,10,5,',
      '1,10,5,',
      '2,10,5,',
      '3,0,90,pod',
      '4,6,5,',
      '5,10,5,',
      '6,10,5,',
    ];
    const csv = await write('pods.csv', rows.join('\n'));
    const strict = await runRecovery([csv], { ...settings, tolerance: '0.1', hold: '2' });
    // Cast: the report is the documented form that this test reads.
    const { series, trials } = JSON.parse(strict.out ?? '') as RecoveryOutput;
    expect([strict.code, trials]).toEqual([0, []]);
    expect(series.map(({ series: one, windows }) => [one.column, windows[0]?.stableMs])).toEqual([
      ['rate', 2000],
      ['latency_ms', 1000],
    ]);
    const loose = await runRecovery([csv], { ...settings, json: false, tolerance: '0.5', hold: '2' });
    expect(loose.out).toContain('at least 50 %');
    expect(loose.out).toContain('pods.csv, rate (a rate, unit not told; more is better)');
    expect(loose.out).toContain('pods.csv, latency_ms (a latency, unit ms; less is better)');
    expect(loose.out).toContain('fault 1 (pod): stable again after 1000 ms [row 4 to row 5]');
    expect(await runRecovery([csv], { ...settings, hold: '0' })).toMatchObject({ code: 2 });
    const broken = await write('broken.csv', 'when,rate\nnow,1\n');
    expect(await runRecovery([broken], settings)).toMatchObject({
      code: 2,
      out: expect.stringContaining('no column of times'),
    });
  });

  it("R100 holds an engine's tables against a ledger, without any trial", async () => {
    const workflow = '0123456789abcdef0123456789abcdef';
    const row = {
      workflow_uuid: workflow,
      function_id: 0,
      function_name: 'charge',
      output: '{"id":"ch_2"}',
      error: null,
    };
    const table = await write('operation_outputs.json', JSON.stringify([row]));
    const ledger = await write(
      'ledger.csv',
      `workflow_id,operation,id\n${workflow},charge,ch_1\n${workflow},charge,ch_2\n`,
    );
    const { code, out = '' } = await runRecovery([table], { ...settings, json: false, ledger });
    expect([code, out]).toEqual([
      0,
      expect.stringContaining('more often: The ledger has charge executed 2 times (ch_1, ch_2)'),
    ]);
    const bare = await judge([table]);
    expect(bare.output.engines.runs).toMatchObject([{ engine: 'dbos' }]);
    expect(bare.output.engines.runs[0]).not.toHaveProperty('duplicates');
    const wrong = await write('no-run.csv', 'amount\n3\n');
    expect(await runRecovery([table], { ...settings, ledger: wrong })).toMatchObject({
      code: 2,
      out: expect.stringContaining('names no run'),
    });
  });

  it('publishes the schema of a claim', () => {
    expect(JSON.parse(runSchema('claim').out ?? '')).toMatchObject({
      required: ['fault', 'protects', 'continuation', 'clauses'],
    });
  });
});
