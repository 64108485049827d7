/** Redacted copies that keep their program: what is withheld is never delivered, and what was only passed by still matches. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadSandbox } from '../../platform/sandbox/node.ts';
import { type JsonValue, isJsonObject } from '../base/json.ts';
import { parseLossless } from '../base/lossless.ts';
import { type HindcastEvent, parseEvent } from '../model/index.ts';
import { type ValueClass, closedPolicy, openClasses, redact, valueClasses } from '../redaction/index.ts';
import { runReplay } from './index.ts';
import type { ReplayReport } from './report-types.ts';
import { record } from './testing/record.ts';
import { alter, author, paths, replay } from './testing/replay-case.ts';
import { containsHole, equalsBesidesHoles } from '../base/withheld.ts';

const sample = join(import.meta.dirname, '../../../public/samples/wrong-observation.hindcast.jsonl');

function linesToEvents(lines: readonly string[]): readonly HindcastEvent[] {
  return lines.map((line) => {
    const value = parseLossless(line);
    const event = value.ok ? parseEvent(value.value) : undefined;
    if (event?.ok !== true) throw new Error(`not an event: ${line.slice(0, 80)}`);
    return event.value;
  });
}

const original = linesToEvents(readFileSync(sample, 'utf8').trim().split('\n'));

async function replayWithout(...withheld: readonly ValueClass[]): Promise<ReplayReport> {
  const kept = valueClasses.map(({ id }) => id).filter((id) => !withheld.includes(id));
  const policy = { ...openClasses(closedPolicy, kept), detectors: false, times: 'keep' as const };
  const copy = redact({ events: original, policy, secret: 'a'.repeat(32) });
  const events = linesToEvents(copy.lines);
  const report = await runReplay({ events, sandbox: await loadSandbox(), author });
  if (!report.ok) throw new Error(report.error);
  return report.value;
}

/** What every command of the whole replay is, by path. */
async function wholeReplay(): Promise<ReplayReport> {
  const report = await runReplay({ events: original, sandbox: await loadSandbox(), author });
  if (!report.ok) throw new Error(report.error);
  return report.value;
}

describe('R71 a redacted copy', () => {
  it('W1 stops where a withheld value would be delivered, and nothing before it differs from the original', async () => {
    const report = await replayWithout('results');
    const whole = await wholeReplay();
    expect(whole.result).toBe('identical');
    expect(report.result).toBe('blocked');
    const stopped = report.pending.filter((item) => item.waitsFor === 'withheld');
    expect(stopped.length).toBeGreaterThan(0);
    expect(report.sentence).toContain('its value is withheld in this copy');
    expect(stopped[0]?.reasons).toMatchObject([{ as: 'withheld' }]);
    // Property 5: every command of the copy is one of the original, with the same kind and name; none is new or changed.
    const known = new Map(whole.commands.map((c) => [c.path, `${c.kind} ${c.name}`]));
    for (const command of report.commands) expect(known.get(command.path)).toBe(`${command.kind} ${command.name}`);
    expect([report.inserted, report.changed, report.ambiguous]).toEqual([[], [], []]);
    expect(report.commands.every((c) => c.outcome === undefined || !JSON.stringify(c.outcome).includes('$hole'))).toBe(
      true,
    );
  });

  it('W2 runs to its end where only arguments, decisions and states are withheld', async () => {
    const report = await replayWithout('arguments', 'decisions', 'states');
    expect(paths(report.pending)).toEqual([]);
    expect(report.result).toBe('identical-where-recorded');
    expect(report.commands.some((c) => c.rule === 'unchecked')).toBe(true);
  });

  it('W3 cannot start without its input, and says so', async () => {
    const report = await replayWithout('human-input');
    expect([report.result, report.sentence]).toEqual([
      'not-replayable',
      'The input of the run is withheld in this copy; without it the control program cannot start.',
    ]);
  });

  it('W3 a branch whose changed program is withheld is not replayed with the program before it', async () => {
    const program = `async function main(ctx) { return (await ctx.read('a', {})).v; }`;
    const events = await record(program, { handlers: { 'read:a': () => ({ ok: { v: 1 } }) } });
    const other = program.replace('.v;', '.v + 1;');
    const made = await replay(events, { program: other });
    expect(made.outcome.value).toBe(2);
    const copy = [...events, ...made.lines].map((event) => {
      const operation = event.type === 'replay.started' ? event.data.operation : undefined;
      if (!isJsonObject(operation) || !isJsonObject(operation['program_after'])) return event;
      const held = { ...operation['program_after'], source: { $hole: 'h1' } };
      return alter(event, { data: { operation: { ...operation, program_after: held } } });
    });
    const report = await replay(copy, { base: made.branch });
    expect([report.result, report.sentence]).toEqual([
      'not-replayable',
      'The control program is withheld in this copy; what an edit would invalidate can be previewed, not replayed.',
    ]);
    expect((await replay(copy, { base: made.branch, program: other })).result).toBe('identical');
  });

  it('D7 W1 a command that ended before its cancellation came is not cancelled because its value is withheld', async () => {
    const program = `async function main(ctx) {
      const m = ctx.model('slow', {});
      await ctx.read('quick', {});
      ctx.cancel(m);
      try { return (await m).v } catch (e) { return e.name }
    }`;
    const recorded = await record(program, { handlers: { 'model:slow': () => ({ after: 50 }) } });
    const answered = (value: JsonValue): readonly HindcastEvent[] =>
      recorded.map((event) =>
        event.type === 'model_call.cancelled'
          ? alter(event, { type: 'model_call.completed', data: { result: { v: value } } })
          : event,
      );
    expect((await replay(answered(1))).outcome.value).toBe(1);
    const copy = answered({ $hole: 'h1' });
    const report = await replay(copy);
    expect([report.result, report.pending.map(({ path, waitsFor }) => [path, waitsFor])]).toEqual([
      'blocked',
      [['/model:slow#0', 'withheld']],
    ]);
    const supplied = await replay(copy, { supply: [{ path: '/model:slow#0', value: { v: 2 } }] });
    expect(supplied.outcome.value).toBe(2);
  });

  it('compares what is left of a value with holes', () => {
    const hole = { $hole: 'h1' };
    expect(containsHole([{ a: [hole] }])).toBe(true);
    expect(containsHole({ $hole: 'h1', more: 1 })).toBe(false);
    expect(equalsBesidesHoles({ a: hole, b: [1] }, { a: { x: 1 }, b: [1] })).toBe(true);
    expect(equalsBesidesHoles({ a: hole, b: [1] }, { a: 1, b: [2] })).toBe(false);
    expect(equalsBesidesHoles({ a: hole }, { b: 1 })).toBe(false);
  });
});
