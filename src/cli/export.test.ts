import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drawTrace } from '../core/model/testing/trace.ts';
import { runCheck } from './check.ts';
import type { CheckReport } from './check-report.ts';
import { runExport } from './export.ts';
import { runSurvey } from './survey.ts';

const settings = { json: true, acceptFuture: false, allowHuge: false };
const { lines } = drawTrace(
  'worker:\n  one  step.started  {"name":"first"}\n  two  step.completed <- one  {"name":"first"}',
);
const text = `${lines.join('\n')}\n`;
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hindcast-export-'));
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

async function write(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

function span(trace: string, name: string): object {
  const times = { startTimeUnixNano: '1700000000000000000', endTimeUnixNano: '1700000001000000000' };
  return { traceId: trace.repeat(16), spanId: '00000000000000a1', name, kind: 1, ...times, attributes: [] };
}

const twoTraces = JSON.stringify({
  resourceSpans: [{ scopeSpans: [{ spans: [span('a1', 'first'), span('b2', 'second')] }] }],
});

async function check(paths: readonly string[], more: object = {}) {
  const { code, out = '' } = await runCheck(paths, { ...settings, ...more });
  // Cast: the documented form.
  return { code, report: JSON.parse(out) as CheckReport & { error?: { code: string; message: string } } };
}

describe('several traces and formats on the command line', () => {
  it('checks all traces as one and says how many there are, or the one that is chosen', async () => {
    const path = await write('two.json', twoTraces);
    const all = (await check([path])).report;
    expect([all.format, all.traces, all.counts.input]).toEqual(['otlp', 2, 2]);
    const one = (await check([path], { trace: 'a1'.repeat(16) })).report;
    expect([one.traces, one.counts.mapped]).toEqual([1, 1]);
    const none = await check([path], { trace: 'nothing' });
    expect([none.code, none.report.error?.code]).toEqual([2, 'trace-not-there']);
    const { out } = await runCheck([path], { ...settings, json: false });
    expect(out).toContain('Traces    2, checked as one');
  });

  it('reads the one format that is chosen of several', async () => {
    const paths = [await write('two.json', twoTraces), await write('own.jsonl', text)];
    const mixed = await check(paths);
    expect([mixed.code, mixed.report.error?.code]).toEqual([2, 'mixed-formats']);
    expect(mixed.report.error?.message).toContain('--format ID');
    expect((await check(paths, { format: 'hindcast' })).report.counts.events).toBe(2);
  });

  it('opens a zip from the disk', async () => {
    const path = await write('run.zip', zipSync({ 'a/run.jsonl': new TextEncoder().encode(text) }));
    expect((await check([path])).report).toMatchObject({ format: 'hindcast', problems: [], counts: { events: 2 } });
  });
});

describe('export', () => {
  it('R11 writes the stream as it was, and OTLP that opens as the same trace', async () => {
    const source = await write('source.jsonl', text);
    const own = join(folder, 'own.out');
    const otlp = join(folder, 'otlp.out');
    const { code, out = '' } = await runExport([source], { ...settings, to: 'hindcast', out: own });
    expect([code, JSON.parse(out)]).toEqual([
      0,
      {
        to: 'hindcast',
        out: own,
        events: 2,
        runs: 1,
        format: 'hindcast',
        leftOut: { records: 0, places: [], damage: [] },
      },
    ]);
    expect(await readFile(own, 'utf8')).toBe(text);
    expect((await runExport([source], { ...settings, json: false, to: 'otlp', out: otlp })).out).toContain(
      'as OTLP JSON',
    );
    const before = (await check([source])).report;
    const after = (await check([otlp])).report;
    expect([after.format, after.counts.events, after.edges]).toEqual(['otlp', before.counts.events, before.edges]);
  });

  it('tells of events that contradict themselves, which it writes as they are', async () => {
    const forged = text.replace('"type":', `"command":{"path":"/read:a#0","args":"FORGED"},"type":`);
    const [source, out] = [await write('forged.jsonl', forged), join(folder, 'forged.out')];
    const { out: told = '' } = await runExport([source], { ...settings, json: false, to: 'hindcast', out });
    expect(told).toContain('2 events of one run. 1 of them contradicts itself, a value and the digest beside it;');
    expect(await readFile(out, 'utf8')).toBe(forged);
  });

  it('overwrites nothing, and says what is wrong in a sentence', async () => {
    const source = await write('source.jsonl', text);
    const again = await runExport([source], { ...settings, json: false, to: 'otlp', out: source });
    expect([again.code, again.problem]).toEqual([
      2,
      `${source} exists already. Choose another name, or remove it first.`,
    ]);
    const nowhere = await runExport([source], { ...settings, json: false, to: 'otlp', out: join(folder, 'no', 'x') });
    expect(nowhere.problem).toContain('cannot be written to');
    const unknown = await runExport([source], { ...settings, json: false, to: 'csv', out: join(folder, 'y') });
    expect(unknown.problem).toBe('export writes hindcast or otlp; say which with --to.');
  });
});

describe('survey', () => {
  it('gives every file of a folder a row, and those that are no trace a reason', async () => {
    const inside = await mkdtemp(join(folder, 'many-'));
    await writeFile(join(inside, 'a.jsonl'), `${text}garbage\n`);
    await writeFile(join(inside, 'b|.txt'), 'Dear diary');
    const { code, out = '' } = await runSurvey(inside, { ...settings, markdown: false });
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      rows: [
        { file: 'a.jsonl', format: 'hindcast', input: 3, mapped: 2, merged: 0, problems: 1, events: 2, recorded: 1 },
        { file: 'b|.txt', error: expect.stringContaining('is text that is not JSON') as string },
      ],
      doNotAddUp: [],
    });
    const table = (await runSurvey(inside, { ...settings, json: false, markdown: true })).out ?? '';
    expect(table.split('\n')[2]).toBe('| a.jsonl | hindcast | 3 | 2 | 0 | 1 | 2 | 1 | 0 | 0 | none |');
    expect(table).toContain('b\\|.txt is text that is not JSON. |');
    expect((await runSurvey(inside, { ...settings, json: false, markdown: false })).out).toMatch(/^file +format/);
  });
});

describe('one branch of a stream', () => {
  const forked = drawTrace(
    [
      'worker:',
      '  one  step.started  {"name":"first"}',
      'hindcast branch=b-a:',
      '  fa  branch.created  {"parent":"main"}',
      'hindcast branch=b-b:',
      '  fb  branch.created  {"parent":"main"}',
    ].join('\n'),
  );

  it('is written with its parents and without its siblings; one that is not there is refused', async () => {
    const path = await write('forked.jsonl', `${forked.lines.join('\n')}\n`);
    const out = join(folder, 'branch.jsonl');
    const written = await runExport([path], { ...settings, to: 'hindcast', out, branch: 'b-b' });
    expect(written).toMatchObject({ code: 0, out: expect.stringContaining('"events": 2') });
    const branches = (await readFile(out, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => /"branch":"([^"]*)"/.exec(line)?.[1]);
    expect(branches).toEqual(['main', 'b-b']);
    const none = await runExport([path], { ...settings, to: 'hindcast', out: join(folder, 'no.jsonl'), branch: 'b-c' });
    expect(none).toMatchObject({ code: 2 });
  });
});
