/** The documented JSON of `check` and `replay`, member by member, and the exit codes that scripts rely on. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drawTrace } from '../core/model/testing/trace.ts';
import { runCheck } from './check.ts';
import type { CheckItem, CheckReport } from './check-report.ts';
import { runReplayCommand } from './replay.ts';

const samples = join(import.meta.dirname, '../../public/samples');
const settings = { json: true, acceptFuture: false, allowHuge: false };
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hindcast-json-'));
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

async function write(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

async function check(drawing: string): Promise<readonly [number, CheckReport]> {
  const { lines } = drawTrace(drawing);
  const { code, out = '' } = await runCheck([await write('drawn.jsonl', lines.join('\n'))], settings);
  // Cast: the report is the documented form that this test reads.
  return [code, JSON.parse(out) as CheckReport];
}

const dispatch = 'tool_call.dispatched path=/write:ticket#0 attempt=1 {"tool":"ticket","effect":"external"}';

describe('check --json', () => {
  const statuses = [
    'executedOnce',
    'executedTwice',
    'recordedTwice',
    'uncertain',
    'missing',
    'notExecuted',
    'notDecidable',
  ] as const;

  it('gives every member it promises, and items of five members', async () => {
    const { out = '' } = await runCheck([join(samples, 'ticket-incident.hindcast.jsonl')], settings);
    const report = JSON.parse(out) as CheckReport;
    expect(Object.keys(report.counts).sort()).toEqual(['events', 'input', 'mapped', 'merged', 'problems']);
    expect(Object.keys(report.edges).sort()).toEqual(['clockOnly', 'inferred', 'recorded']);
    expect(report.edges).toMatchObject({ inferred: 0, clockOnly: 0 });
    expect(report.edges.recorded).toBeGreaterThan(report.counts.events);
    const items: CheckItem[] = [...report.gaps];
    for (const status of statuses) items.push(...report.effects[status]);
    expect(items.length).toBeGreaterThan(3);
    for (const item of items) {
      expect(Object.keys(item)).toEqual(expect.arrayContaining(['command', 'interval', 'known', 'unknown', 'events']));
      expect([Array.isArray(item.known), Array.isArray(item.unknown), item.events.length > 0]).toEqual([
        true,
        true,
        true,
      ]);
    }
    expect(report.effects.executedTwice[0]?.interval).toMatch(/acknowledgement/);
  });

  it('R29 an effect without an end is uncertain, with what is known and what is not, and the exit code is 1', async () => {
    const [code, { effects, problems }] = await check(`worker:\n  a1 ${dispatch}`);
    expect([code, problems]).toEqual([1, []]);
    expect(effects.uncertain).toMatchObject([
      { command: '/write:ticket#0', interval: 'between the dispatch and its acknowledgement' },
    ]);
    expect(effects.uncertain[0]?.unknown.join(' ')).toContain('no records of the service are in this trace');
    expect(effects.uncertain[0]?.known).not.toEqual([]);
  });

  it('R24 an answered effect of which the records of its service hold nothing is missing, and the exit code is 1', async () => {
    const [code, { effects, problems }] = await check(`
      worker:
        d stream.declared {"tools":[{"name":"ticket","effect":"external","service":"tickets"}]}
        a1 ${dispatch}
        k1 tool_call.acknowledged path=/write:ticket#0 attempt=1 <- a1:result_of {"result":1}
      tickets:
        s1 stream.declared {"producers":[{"component":"tickets"}]}
    `);
    expect([code, problems]).toEqual([1, []]);
    expect(effects.missing.map(({ command }) => command)).toEqual(['/write:ticket#0']);
    expect(effects.uncertain).toEqual([]);
  });

  it('an edge that a named rule drew counts as inferred', async () => {
    const [, { edges }] = await check(`
      worker:
        a1 tool_call.dispatched path=/read:look#0 {"tool":"look"}
        k1 tool_call.completed path=/read:look#0 {"result":1}
    `);
    expect(edges).toEqual({ recorded: 0, inferred: 1, clockOnly: 0 });
  });
});

describe('replay --json', () => {
  const sample = join(samples, 'wrong-observation.hindcast.jsonl');
  const lists = [
    'reused',
    'superseded',
    'changed',
    'inserted',
    'removed',
    'suspect',
    'pending',
    'orphanEffects',
  ] as const;
  type Report = Record<(typeof lists)[number], readonly Record<string, unknown>[]> & { readonly result: string };

  async function replay(asked: Parameters<typeof runReplayCommand>[1]): Promise<readonly [number, Report]> {
    const { code, out = '' } = await runReplayCommand(sample, asked);
    return [code, JSON.parse(out) as Report];
  }

  it('lists commands by what became of them, each with path, kind, name and reasons', { timeout: 60_000 }, async () => {
    const { edits } = JSON.parse(await readFile(join(samples, 'wrong-observation.edit.json'), 'utf8')) as {
      edits: unknown;
    };
    const edit = await write('edit.json', JSON.stringify({ edits }));
    const [code, report] = await replay({ ...settings, edit });
    expect([code, report.result]).toEqual([1, 'blocked']);
    expect([report.superseded.length, report.pending.length > 0, report.orphanEffects.length > 0]).toEqual([
      1,
      true,
      true,
    ]);
    for (const list of lists)
      for (const item of report[list]) {
        expect(item).toMatchObject({
          path: expect.stringMatching(/^\//),
          kind: expect.any(String),
          name: expect.any(String),
        });
        for (const reason of item['reasons'] as readonly object[])
          expect(Object.keys(reason)).toEqual(expect.arrayContaining(['event', 'as']));
      }
    expect(report.changed.some(({ reasons }) => (reasons as readonly object[]).length > 0)).toBe(true);
  });

  it('C24 says limit with 1, error with 1, and not-replayable with 2', { timeout: 60_000 }, async () => {
    const endless = await write('endless.js', 'async function main() { for (;;) {} }');
    const [limited, limit] = await replay({ ...settings, program: endless });
    const none = await write('none.js', 'async function main( {');
    const [failed, error] = await replay({ ...settings, program: none });
    const { lines } = drawTrace(`worker:\n  a1 ${dispatch}`);
    const bare = await runReplayCommand(await write('bare.jsonl', lines.join('\n')), settings);
    expect([limited, limit.result, failed, error.result]).toEqual([1, 'limit', 1, 'error']);
    expect([bare.code, (JSON.parse(bare.out ?? '') as Report).result]).toEqual([2, 'not-replayable']);
  });
});
