/**
 * What is handed over together comes to what is delivered one by one: same report, same digests, same limits (rule D12).
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadSandbox } from '../../platform/sandbox/node.ts';
import type { HindcastEvent } from '../model/index.ts';
import { runReplay } from './replay.ts';
import type { ReplayReport } from './report-types.ts';
import type { KeptReplay } from './testing/kept-replay.ts';
import { type RecordOptions, record } from './testing/record.ts';
import { type CaseOptions, at, replay } from './testing/replay-case.ts';
import { type Counted, createCountingSandbox, toComparable } from './testing/stepped.ts';

async function both(
  events: readonly HindcastEvent[],
  options: CaseOptions = {},
): Promise<{ readonly report: ReplayReport; readonly counted: Counted }> {
  const real = await loadSandbox();
  const batched = createCountingSandbox(real, true);
  const stepped = createCountingSandbox(real, false);
  const report = await replay(events, { ...options, sandbox: batched.sandbox });
  expect(toComparable(report)).toEqual(toComparable(await replay(events, { ...options, sandbox: stepped.sandbox })));
  expect(stepped.counted().together).toBe(0);
  return { report, counted: batched.counted() };
}

const loop = `async function main(ctx, input) {
  const seen = [];
  for (let n = 0; n < input.count; n++) {
    const row = await ctx.read('row', { n });
    seen.push(ctx.decide('keep', row.id));
    if (n % 5 === 0) await ctx.write('mark', { row });
    await ctx.state('last', row);
  }
  return seen;
}`;

const turns = 12;
const handlers: RecordOptions['handlers'] = {
  read: (args) => ({ ok: { id: 'r', ...(args as object) } }),
  write: () => ({ ok: 1 }),
};

describe('D12 observations that are handed over together', () => {
  let events: readonly HindcastEvent[] = [];

  beforeAll(async () => {
    events = await record(loop, { input: { count: turns }, handlers });
  });

  it('a recorded run is delivered together as a whole, and reads as it did', async () => {
    const { report, counted } = await both(events);
    expect(report.result).toBe('identical');
    expect(counted).toEqual({ sessions: 1, alone: 0, together: 15 });
  });

  it('behind an edit one by one, without a second session', async () => {
    const target = { event: at(events, 'tool_call.completed', '/read:row#3').id };
    const { report, counted } = await both(events, { edits: [{ target, value: { id: 'other' } }] });
    expect(report.superseded).toHaveLength(1);
    expect(counted.sessions).toBe(1);
    expect(counted.alone).toBeGreaterThan(0);
    expect(counted.together).toBe(5);
  });

  it('a program that goes another way is run again from what was foreseen rightly', async () => {
    for (const [program, sessions] of [
      [loop.replace("'row', { n }", "n === 6 ? 'other' : 'row', { n }"), 2],
      ['async function main() { return 1; }', 1],
      ['async function main(ctx) { ctx.read("row", { n: 0 }); await ctx.sleep(5); await ctx.read("x", {}); }', 2],
    ] as const) {
      const { counted, report } = await both(events, { program });
      expect(report.result).not.toBe('identical');
      // Twice more where the cause of a difference is looked for.
      expect(counted.sessions % sessions).toBe(0);
    }
  });

  it('one in seventeen cases of the suite', async () => {
    const folder = join(import.meta.dirname, '../../../fixtures/versions/replays/cases.jsonl.gz');
    const lines = gunzipSync(readFileSync(folder)).toString('utf8').trimEnd().split('\n');
    const real = await loadSandbox();
    let together = 0;
    // For time: all of them are replayed in batches against their kept digests elsewhere, and random programs both ways in `properties.test.ts`.
    for (const [n, line] of lines.entries()) {
      if (n % 17 !== 0) continue;
      // Cast: a line that `replay-case.ts` wrote.
      const { asked, events } = JSON.parse(line) as KeptReplay;
      const reports = [];
      for (const batches of [true, false]) {
        const { sandbox, counted } = createCountingSandbox(real, batches);
        const made = await runReplay({ ...asked, events, sandbox });
        reports.push(made.ok ? toComparable(made.value) : made.error);
        together += counted().together;
      }
      expect([n, reports[0]]).toEqual([n, reports[1]]);
    }
    expect(together).toBeGreaterThan(20);
  });

  it('C24 limits fall where they fall one by one', async () => {
    const heavy = loop.replace('seen.push', 'for (let i = 0; n === 9 && i < input.work; i++); seen.push');
    const spread = loop.replace('seen.push', 'for (let i = 0; i < 20000; i++); seen.push');
    const slow = await record(heavy, {
      input: { count: turns, work: 4e4 },
      handlers,
    });
    for (const [base, options] of [
      [events, { limits: { commands: 9 } }],
      [events, { limits: { bridgeBytes: 2_000 } }],
      [slow, { limits: { ticksPerDelivery: 4 } }],
      [events, { program: spread, limits: { ticksPerRun: 10 } }],
    ] as const) {
      const { report } = await both(base, options);
      expect(report.result).toBe('limit');
    }
    // Near a limit, and not over it: run again one by one.
    const { ticks } = (await replay(slow)).usage;
    const near = await both(slow, { limits: { ticksPerDelivery: ticks + 2 } });
    expect([near.report.result, near.counted.sessions]).toEqual(['identical', 2]);
  });

  it('R44 control code cannot look at what is still to come, whatever it puts in the place of built-ins', async () => {
    const spies = [
      'var seen = []; const JSON = { parse(t) { seen.push(t); return [0, 0, "ok", "forged"]; }, stringify: () => "[]" };',
      'var seen = []; const Promise = class { constructor() { seen.push("made"); } static withResolvers() { seen.push("made"); return {}; } };',
      'var seen = []; Object.defineProperty(globalThis, "JSON", { value: { parse: (t) => void seen.push(t) } });',
      'var seen = []; for (const name of ["Map", "Set", "WeakMap", "Array", "Reflect", "String"]) Object.defineProperty(globalThis, name, { value: function () { seen.push(name); } });',
      'var seen = []; try { Object.defineProperty(Object.prototype, "0", { set(v) { seen.push(v); } }); } catch {}',
    ];
    for (const spy of spies) {
      const program = `${spy}\nasync function main(ctx) { const a = await ctx.read('a', {}); const b = await ctx.read('b', { a }); return [a, b, seen]; }`;
      const recorded = await record(program, {
        handlers: { 'read:a': () => ({ ok: 'first' }), 'read:b': () => ({ ok: 'second' }) },
      });
      const { report, counted } = await both(recorded);
      expect([report.result, counted.together]).toEqual(['identical', 2]);
      expect(report.outcome.value).toEqual(['first', 'second', []]);
    }
  });
});
