/**
 * Time travel over the shipped samples and programs that were recorded here: what is shown at a position is what a run from the start has there.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { loadSandbox } from '../../../platform/sandbox/node.ts';
import type { JsonValue } from '../../base/json.ts';
import { type HindcastEvent, parseEvent } from '../../model/index.ts';
import { dataOf } from '../contents.ts';
import { textToEditFile } from '../edit-file.ts';
import type { ReplayRequest } from '../replay-plan.ts';
import { runReplay } from '../replay.ts';
import { programDigest } from '../run-info.ts';
import { record } from '../testing/record.ts';
import { alter, author } from '../testing/replay-case.ts';
import { type Condition, parseCondition } from './condition.ts';
import { type Debugger, createDebugger, defaultCopySettings } from './debugger.ts';

const samples = join(import.meta.dirname, '../../../../public/samples');

function readSample(name: string): readonly HindcastEvent[] {
  const lines = readFileSync(join(samples, `${name}.hindcast.jsonl`), 'utf8')
    .trimEnd()
    .split('\n');
  return lines.map((line) => {
    // Cast: a line of the stream is recorded JSON, or does not parse.
    const parsed = parseEvent(JSON.parse(line) as JsonValue);
    if (!parsed.ok) throw new Error(parsed.error.message);
    return parsed.value;
  });
}

async function debug(
  events: readonly HindcastEvent[],
  rest: Partial<ReplayRequest> = {},
  copies = defaultCopySettings,
): Promise<Debugger> {
  const made = await createDebugger({ events, sandbox: await loadSandbox(), author, ...rest }, copies);
  if (!made.ok) throw new Error(made.error);
  return made.value;
}

/** Positions of a fixed sequence, both ways. */
function somePositions(length: number, count: number): readonly number[] {
  let seed = 20240101;
  return Array.from({ length: count }, () => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed % length;
  });
}

function conditions(...texts: readonly string[]): readonly Condition[] {
  return texts.map((text) => {
    const parsed = parseCondition(text);
    if (!parsed.ok) throw new Error(parsed.error.message);
    return parsed.value;
  });
}

describe('a run that rolled over', () => {
  const program = `async function main(ctx, input) {
    if (input.n !== 1) { for (const q of [1, 2, 3]) await ctx.model('a', { q }); await ctx.rollover({ n: 1 }); }
    await ctx.model('x', {}); await ctx.model('y', {}); return 1;
  }`;

  it('R38 T5 a difference is marked in its own segment, not where another one has a later position', async () => {
    const events = await record(program, { handlers: { model: () => ({ ok: 1 }) } });
    const marked = async (without: string, path: string, isVerified: boolean): Promise<string> => {
      const source = program.replace(without, '');
      const declared = { name: 'p', source, digest: programDigest(source) };
      const asked = events.map((event) =>
        event.type === 'run.started' ? alter(event, { data: { ...dataOf(event), program: declared } }) : event,
      );
      const made = isVerified ? await debug(asked) : await debug(events, { program: { source } });
      const mark = made.marks.find((one) => one.path === path);
      expect(mark).toMatchObject({ kind: 'divergence' });
      return made.stepAt(mark?.position ?? 0).segment;
    };
    for (const isVerified of [false, true]) {
      expect(await marked(`await ctx.model('x', {});`, '/seg:1/model:x#0', isVerified)).toBe('/seg:1');
      expect(await marked(`await ctx.model('y', {});`, '/seg:1/model:y#0', isVerified)).toBe('/seg:1');
      // The last of the first segment, behind which that one delivers nothing.
      expect(await marked(', 3', '/model:a#2', isVerified)).toBe('');
    }
  });

  it('R38 what gets no value is named as everywhere', async () => {
    const events = await record(program, { handlers: { model: () => ({ ok: 1 }) } });
    const made = await debug(events, { program: { source: program.replace(`ctx.model('x'`, `ctx.write('x'`) } });
    expect(made.marks.find(({ kind }) => kind === 'pending')?.message).toBe(
      'The external effect "x" gets no value (pending).',
    );
  });
});

const loop = `async function main(ctx, input) {
  let sum = 0;
  const kept = [];
  for (let n = 0; n < 60; n++) {
    const got = await ctx.read('x', { n, sum });
    sum += got;
    kept.push('x'.repeat(n * 20));
    if (n % 10 === 0) { await ctx.state('sum', sum); console.log('sum', sum); }
    if (ctx.decide('more', sum < 1e9, { alternatives: [true, false] }) === false) break;
  }
  const both = await ctx.all({ a: (c) => c.child('inner', {}, async (d) => d.model('m', {})), b: (c) => c.sleep(5) });
  console.warn('done', both);
  return sum;
}`;

async function recordLoop(): Promise<readonly HindcastEvent[]> {
  return record(loop, {
    start: 5_000,
    handlers: {
      read: (args) => ({ ok: (JSON.stringify(args).length * 7) % 13, after: 3 }),
      model: () => ({ ok: 'm' }),
    },
  });
}

describe('state at a position', () => {
  // The interpreter seeds a generator that nothing uses from the host's clock: all that two runs from the start differ in.
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: 0 });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('T2 R36 from a copy equals that of a run from the start, in either direction, memory byte for byte', async () => {
    const made = await debug(await recordLoop(), {}, { every: 4, most: 6, mostBytes: 1e9 });
    expect(made.length).toBeGreaterThan(60);
    for (const position of somePositions(made.length - 1, 12)) {
      const copied = await made.proveStateAt(position, false);
      const { state, memory } = await made.proveStateAt(position, true);
      expect(memory).toMatch(/^sha256:/);
      expect({ ...copied, state: { ...copied.state, rerun: 0 } }).toEqual({ memory, state: { ...state, rerun: 0 } });
      expect(state.rerun).toBe(position + 1);
      // Six copies over 65 moves: every 16 moves at the latest.
      expect(copied.state.rerun).toBeLessThan(16);
    }
  });

  it.each(['ticket-incident', 'ticket-with-key', 'clean-control', 'wrong-observation'])(
    'T2 T4 R36 of the sample %s',
    async (name) => {
      const events = readSample(name);
      const made = await debug(events, {}, { every: 3, most: 4, mostBytes: 1e9 });
      for (const position of somePositions(made.length, 5)) {
        const copied = await made.proveStateAt(position, false);
        const fresh = await made.proveStateAt(position, true);
        expect({ ...copied, state: { ...copied.state, rerun: 0 } }).toEqual({
          ...fresh,
          state: { ...fresh.state, rerun: 0 },
        });
      }
      const plain = await runReplay({ events, sandbox: await loadSandbox(), author });
      expect(plain).toMatchObject({ ok: true, value: { digests: made.report.digests, result: made.report.result } });
    },
  );

  it('says open commands, states with version, virtual time and console', async () => {
    const made = await debug(await recordLoop());
    expect(await made.stateAt(0)).toMatchObject({
      vt: 5_000,
      open: [{ path: '/read:x#0', args: { n: 0, sum: 0 }, status: 'reused' }],
      states: [],
      printed: [],
      issued: 1,
      delivered: 0,
    });
    expect(made.stepAt(11).states).toMatchObject([{ name: 'sum', to: 2, before: made.stepAt(1).states[0]?.value }]);
    expect(made.stepAt(1).states[0]).not.toHaveProperty('before');
    const later = await made.stateAt(12);
    expect(later.states).toMatchObject([{ name: 'sum', n: 2 }]);
    expect(later.printed.map((line) => line.text)).toHaveLength(2);
    expect(later.printed[0]?.site?.line).toBe(8);
    const last = await made.stateAt(made.length - 1);
    expect(last.open).toEqual([]);
    expect(last.vt).toBe(made.stepAt(made.length - 1).vt);
    expect(made.stepAt(made.length - 1).ended?.settled).toMatchObject({ kind: 'ok' });
  });

  it('a run that ends in a limit can be walked as far as it came', async () => {
    const events = await record(
      `async function main(ctx) { await ctx.read('x', {}); await ctx.read('x', {}); return 1; }`,
    );
    const program = `async function main(ctx) { await ctx.read('x', {}); for (;;); }`;
    const made = await debug(events, { program: { source: program }, limits: { ticksPerDelivery: 5, passes: 1 } });
    expect(made.length).toBe(2);
    expect(made.stepAt(1).ended?.limit?.name).toBe('cpu');
    expect((await made.stateAt(1)).open).toEqual([]);
    expect((await made.stateAt(0)).open).toHaveLength(1);
  });
});

describe('steps', () => {
  it('T1 say what was delivered, issued, decided, printed, and where the program goes on', async () => {
    const made = await debug(await recordLoop());
    expect(made.stepAt(1)).toMatchObject({
      position: 1,
      delivered: { path: '/read:x#0', kind: 'read', observation: { kind: 'ok' } },
      states: [{ name: 'sum', to: 1 }],
      decided: [{ path: '/decide:more#0', computed: true }],
      issued: [{ path: '/read:x#1' }],
      site: { function: 'main', line: 5 },
      printed: [{ level: 'log' }],
    });
    expect(made.stepAt(0)).not.toHaveProperty('delivered');
    const joined = Array.from({ length: made.length }, (_, n) => made.stepAt(n)).filter((s) => s.joined.length > 0);
    expect(joined.map((s) => s.joined[0]?.name)).toEqual(['inner']);
  });

  it('T5 an edit is walked as it was replayed: the command it stops at is marked, and the next one found', async () => {
    const text = readFileSync(join(samples, 'wrong-observation.edit.json'), 'utf8');
    const edit = textToEditFile(text);
    if (!edit.ok) throw new Error(edit.error);
    const made = await debug(readSample('wrong-observation'), { edit: { ...edit.value, supply: [] } });
    const pending = made.marks.filter((mark) => mark.kind === 'pending');
    expect(pending.map((mark) => mark.path)).toEqual(
      made.report.pending.filter((item) => item.waitsFor !== 'waits-inside').map((item) => item.path),
    );
    const at = made.find({ kind: 'pending' }, 0, 1);
    expect(at).toBe(pending[0]?.position);
    expect(made.stepAt(at ?? 0).issued.map((command) => command.path)).toContain(pending[0]?.path);
    expect((await made.stateAt(made.length - 1)).open.map((command) => command.path)).toContain(pending[0]?.path);
  });
});

describe('finding', () => {
  it('T5 T6 steps, divergences, selections and breakpoints, both ways', async () => {
    const events = await recordLoop();
    const changed = loop.replace(`'x', { n, sum }`, `'x', n === 20 ? { n, sum, more: 1 } : { n, sum }`);
    const made = await debug(events, { program: { source: changed } });
    expect(made.find({ kind: 'step' }, 0, 1)).toBe(1);
    expect(made.find({ kind: 'step' }, 0, -1)).toBeUndefined();
    expect(made.find({ kind: 'step' }, made.length - 1, 1)).toBeUndefined();
    const divergence = made.find({ kind: 'divergence' }, 0, 1);
    expect(divergence).toBe(20);
    expect(made.find({ kind: 'divergence' }, made.length, -1)).toBeGreaterThanOrEqual(20);
    expect(made.find({ kind: 'pending' }, 0, 1)).toBe(20);
    expect(made.find({ kind: 'selection', path: '/read:x#5' }, 0, 1)).toBe(6);
    const event = events.find((one) => one.type === 'tool_call.completed' && one.command?.path === '/read:x#5');
    const issue = events.find((one) => one.type === 'tool_call.dispatched' && one.command?.path === '/read:x#5');
    expect(made.find({ kind: 'selection', event: issue?.id ?? '' }, 0, 1)).toBe(6);
    expect(made.find({ kind: 'selection', event: event?.id ?? '' }, 0, 1)).toBe(6);
    expect(made.find({ kind: 'selection', path: '/nowhere' }, 0, 1)).toBeUndefined();
    const stop = (...texts: string[]): readonly number[] => {
      const found: number[] = [];
      const target = { kind: 'breakpoint', conditions: conditions(...texts) } as const;
      for (let at = made.find(target, -1, 1); at !== undefined; at = made.find(target, at, 1)) found.push(at);
      const back: number[] = [];
      for (let at = made.find(target, made.length, -1); at !== undefined; at = made.find(target, at, -1)) back.push(at);
      expect(back.toReversed()).toEqual(found);
      return found;
    };
    expect(stop('type = state.transitioned')).toEqual([1, 11]);
    expect(stop('act = issued and args.n = 7', 'path = /read:x#3 and act = delivered')).toEqual([4, 7]);
    expect(stop('tool = x and act = issued and args.more exists')).toEqual([20]);
    expect(stop('act = printed and value starts sum')).toEqual([1, 11]);
    expect(stop('tool = y')).toEqual([]);
  });
});
