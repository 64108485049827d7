import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadSandbox } from '../../platform/sandbox/node.ts';
import type { JsonObject } from '../base/json.ts';
import type { HindcastEvent } from '../model/index.ts';
import { record } from '../replay/testing/record.ts';
import { alter } from '../replay/testing/replay-case.ts';
import type { Sandbox } from '../replay/index.ts';
import { simulateKill } from './simulate.ts';
import { simulateSweep } from './sweep.ts';
import { readEvents, smallestRun, toCell, toRow } from './testing/streams.ts';
import type { SimulatedSweep, SimulatedTrial } from './types.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await loadSandbox();
});

const ticket = '/write:tickets.create#0';

async function sweep(
  events: readonly HindcastEvent[],
  more: Omit<Parameters<typeof simulateSweep>[0], 'events' | 'sandbox'> = {},
): Promise<SimulatedSweep> {
  const made = await simulateSweep({ events, sandbox, ...more });
  if (!made.ok) throw new Error(made.error);
  return made.value;
}

async function kill(
  events: readonly HindcastEvent[],
  strategy: SimulatedTrial['strategy'],
  boundary: NonNullable<SimulatedTrial['kill']>['boundary'],
  path = ticket,
): Promise<SimulatedTrial> {
  const made = await simulateKill({ events, sandbox, path, boundary, strategy });
  if (!made.ok) throw new Error(made.error);
  return made.value;
}

describe('what real kills measured is what the simulation says', () => {
  it('R106 R113 R115 the measured table: control, 1, 2, 2late, 3, 4, 5 of naive and journal, with key and without', async () => {
    const swept = await sweep(readEvents(smallestRun), { modelVaries: true });
    expect(swept.effects).toEqual([ticket]);
    expect(toRow(swept, 'naive')).toEqual(['1', '1 m2', '1 m2', '2 m2', '2 m2', '2 m2', '2 m2']);
    // A model that is asked again says something else: the key comes back with another body, and the run never completes.
    expect(toRow(swept, 'naive-key')).toEqual(['1', '1 m2', '1 m2', '1 m2 X', '1 m2 X', '1 m2 X', '1 m2 X']);
    expect(toRow(swept, 'journal')).toEqual(['1', '1', '1', '2', '2', '2', '1']);
    expect(toRow(swept, 'journal-key')).toEqual(['1', '1', '1', '1d', '1d', '1d', '1']);
    expect(toRow(swept, 'reconcile')).toEqual(['1', '1', '1', '1', '1', '1', '1']);
    expect(swept).toMatchObject({ suspect: false, causes: [] });
  });

  it('a model that says the same again: the key answers from the ledger in a naive restart too', async () => {
    const swept = await sweep(readEvents(smallestRun), { strategies: ['naive-key'] });
    expect(toRow(swept, 'naive-key')).toEqual(['1', '1 m2', '1 m2', '1d m2', '1d m2', '1d m2', '1d m2']);
    expect(swept.strategies).toEqual(['naive', 'naive-key']);
  });

  it('the shipped incident and its twin with a key: the kill that really happened, simulated from the clean run', async () => {
    const clean = readEvents('public/samples/clean-control.hindcast.jsonl');
    for (const [file, strategy] of [
      ['ticket-incident', 'journal'],
      ['ticket-with-key', 'journal-key'],
    ] as const) {
      const real = readEvents(`public/samples/${file}.hindcast.jsonl`);
      const trial = await kill(clean, strategy, '3');
      const count = (type: string): number => real.filter((event) => event.type === type).length;
      expect(trial.commitments, file).toEqual(commitmentsOf(real));
      expect(trial, file).toMatchObject({
        reached: true,
        completed: true,
        losses: [],
        modelCalls: count('model_call.served'),
        deduplicated: count('effect.deduplicated'),
        equalsRecorded: true,
      });
    }
  });

  it('the incident itself can be struck: its record with two lives is one run', async () => {
    const real = readEvents('public/samples/ticket-incident.hindcast.jsonl');
    expect(toCell(await kill(real, 'naive', '4'))).toBe('2 m2');
    expect(toCell(await kill(real, 'journal-key', '4'))).toBe('1d');
  });
});

function commitmentsOf(events: readonly HindcastEvent[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { type, command } of events)
    if (type === 'effect.committed' && command !== undefined) counts[command.path] = (counts[command.path] ?? 0) + 1;
  return counts;
}

const desk = `async function main(ctx, input) {
  const answer = await ctx.model('decide', { case: input.case });
  ctx.decide('act', answer.action, { alternatives: ['open', 'close'] });
  const made = await ctx.write('tickets.create', { title: answer.title });
  await ctx.state('case', { ticket: made.ticket });
  const sent = await ctx.write('mail.send', { text: 'Ticket ' + made.ticket + ' is open.' });
  await ctx.state('case', { ticket: made.ticket, message: sent.message });
  return { ticket: made.ticket, message: sent.message };
}`;

function recordDesk(program = desk): Promise<readonly HindcastEvent[]> {
  return record(program, {
    input: { case: 'CASE-1' },
    handlers: {
      model: () => ({ ok: { action: 'open', title: 'Replace the machine' } }),
      'write:tickets.create': () => ({ ok: { ticket: 8421 }, effects: [{ id: '8421' }] }),
      'write:mail.send': () => ({ ok: { message: 'mail-301' }, effects: [{ id: 'mail-301' }] }),
    },
  });
}

describe('two effects', () => {
  it('R107 each effect has its own row, and a kill at the second doubles the first of a naive restart', async () => {
    const swept = await sweep(await recordDesk());
    const mail = '/write:mail.send#0';
    expect(swept.effects).toEqual([ticket, mail]);
    expect(toRow(swept, 'naive', mail)).toEqual(['1', '1 m2', '1 m2', '2 m2', '2 m2', '2 m2', '2 m2']);
    expect(toRow(swept, 'journal', mail)).toEqual(['1', '1', '1', '2', '2', '2', '1']);
    const first = swept.trials.find((one) => one.strategy === 'naive' && one.kill?.path === mail);
    expect(first?.commitments).toEqual({ [ticket]: 2, [mail]: 1 });
    expect(first?.duplicates).toBe(1);
    expect(swept.suspect).toBe(false);
  });

  it('a second ticket has the next number, and what speaks of it speaks of that one', async () => {
    const events = await recordDesk();
    const trial = await kill(events, 'naive', '3');
    const asked = ['A model that is asked again answers word for word as recorded.'];
    expect(trial).toMatchObject({ completed: true, equalsRecorded: true, assumptions: asked });
    expect(trial.story.map(({ text }) => text).join('\n')).toContain('(8422)');
  });

  it('the story tells what happened, life by life', async () => {
    const { story } = await kill(await recordDesk(), 'journal', '3');
    expect(
      story.map(({ life, type, path }) => [life, type, path].filter((part) => part !== undefined).join(' ')),
    ).toEqual([
      '1 worker.started',
      '1 model_call.requested /model:decide#0',
      '1 decision.made /decide:act#0',
      `1 tool_call.dispatched ${ticket}`,
      `1 effect.committed ${ticket}`,
      `1 fault.injected ${ticket}`,
      '2 worker.started',
      '2 recovery.replay_completed',
      `2 tool_call.dispatched ${ticket}`,
      `2 effect.committed ${ticket}`,
      `2 tool_call.acknowledged ${ticket}`,
      `2 tool_call.result_persisted ${ticket}`,
      '2 state.transitioned /state:case#0',
      '2 tool_call.dispatched /write:mail.send#0',
      '2 effect.committed /write:mail.send#0',
      '2 tool_call.acknowledged /write:mail.send#0',
      '2 tool_call.result_persisted /write:mail.send#0',
      '2 state.transitioned /state:case#1',
      '2 run.completed',
    ]);
  });

  it('what the stream does not say about keys is an assumption that is told', async () => {
    const { assumptions } = await kill(await recordDesk(), 'journal-key', '3');
    expect(assumptions).toEqual(keysUnknown());
  });

  it('a service that ignores keys is believed: the key protects nothing', async () => {
    const tools = ['tickets.create', 'mail.send'].map((name) => ({ name, idempotency: { honoured: false } }));
    const events = await record(desk, {
      tools,
      handlers: {
        model: () => ({ ok: { action: 'open', title: 'Replace it' } }),
        write: () => ({ ok: { ticket: 1, message: 2 } }),
      },
    });
    expect(toCell(await kill(events, 'journal-key', '3'))).toBe('2');
  });
});

function keysUnknown(): readonly string[] {
  return ['tickets.create', 'mail.send'].map(
    (name) => `Nothing says whether ${name} honours idempotency keys; it is taken to do so.`,
  );
}

describe('the control that must fail (R115)', () => {
  it('a program with a key of its own protects the naive restart: the sweep is suspect and says so', async () => {
    const keyed = desk.replace(`{ title: answer.title })`, `{ title: answer.title }, { idempotencyKey: 'case-1' })`);
    const swept = await sweep(await recordDesk(keyed), { strategies: [], boundaries: ['2', '3'], paths: [ticket] });
    expect(swept.suspect).toBe(true);
    expect(swept.causes).toEqual([
      `The naive restart did not duplicate ${ticket} at 3: the program gives the write an idempotency key of its own, which protects it.`,
    ]);
  });

  it.each([
    ['failed', `throw new TypeError('no good');`],
    ['rolled over', `if (input.n !== 1) await ctx.rollover({ n: 1 }); return 'done';`],
  ])('a run that %s in the record is repeated by its control', async (_, end) => {
    const program = `async function main(ctx, input) { if (input.n !== 1) await ctx.write('mail.send', {}); ${end} }`;
    const swept = await sweep(await recordDesk(program), { strategies: [], boundaries: ['3'] });
    expect(swept).toMatchObject({ suspect: false, causes: [] });
    const mixed = (await recordDesk(program)).map((event) => {
      if (event.type === 'run.failed') return alter(event, { data: { error: { name: 'TypeError', message: 'bad' } } });
      return event.type === 'run.completed' ? alter(event, { data: { result: 'over' } }) : event;
    });
    expect((await sweep(mixed, { strategies: [], boundaries: ['3'] })).suspect).toBe(true);
  });

  it('a record that its program does not repeat is suspect already in the control', async () => {
    const events = await recordDesk();
    const changed = events.map((event) =>
      event.type === 'run.completed' ? { ...event, data: { result: 'another' } } : event,
    );
    const swept = await sweep(changed, { strategies: [], boundaries: ['3'] });
    expect(swept.causes[0]).toContain('The control of naive is not the recorded run');
  });
});

describe('what cannot be struck', () => {
  it('is refused with a sentence: reads, writes that were refused, runs without a program', async () => {
    const events = await record(
      `async function main(ctx) {
      await ctx.read('look', {});
      try { await ctx.write('pay', {}); } catch { return 'refused'; }
    }`,
      { handlers: { read: () => ({ ok: 1 }), write: () => ({ err: { name: 'HTTP 403', message: 'no' } }) } },
    );
    const at = (path: string) => simulateKill({ events, sandbox, path, boundary: '3', strategy: 'naive' });
    expect(await at('/read:look#0')).toMatchObject({
      ok: false,
      error: expect.stringContaining('only a write') as string,
    });
    expect(await at('/write:pay#0')).toMatchObject({
      ok: false,
      error: expect.stringContaining('refused in the record') as string,
    });
    expect(await at('/write:other#0')).toMatchObject({
      ok: false,
      error: 'The record has no command at /write:other#0.',
    });
    expect(await simulateSweep({ events, sandbox })).toMatchObject({ ok: false });
    const bare = events.map((event) => (event.type === 'run.started' ? { ...event, data: {} } : event));
    expect(await simulateSweep({ events: bare, sandbox })).toMatchObject({
      ok: false,
      error: expect.stringContaining('no control program') as string,
    });
  });

  it('W1 W3 of a copy that withholds the program or what the run drew, nothing is simulated', async () => {
    const program = `async function main(ctx) { return ctx.write('pay', { at: ctx.now() }); }`;
    const events = await record(program, { draws: 'recorded', clock: () => 777 });
    const hole = { $hole: 'h1' };
    const without = (type: string, data: JsonObject): Promise<unknown> =>
      simulateSweep({ events: events.map((event) => (event.type === type ? alter(event, { data }) : event)), sandbox });
    expect(await without('clock.read', { value: hole })).toEqual({
      ok: false,
      error: 'The time or random number at /clock#0 is withheld or not recorded, so no worker can be simulated.',
    });
    expect(await without('run.started', { program: { name: 'p', source: hole } })).toEqual({
      ok: false,
      error: 'The control program is withheld in this copy, so no worker can be simulated.',
    });
  });
});

describe('answers in parallel', () => {
  it('what was answered and not delivered is lost with the worker; what was delivered is not', async () => {
    const program = `async function main(ctx) {
      const [a] = await ctx.all({ a: (c) => c.model('think', {}), b: (c) => c.write('pay', {}) }).then((r) => [r.a]);
      return a;
    }`;
    const events = await record(program, {
      handlers: {
        model: () => ({ ok: 'x', after: 5 }),
        write: () => ({ ok: { id: 7 }, after: 1, effects: [{ id: '7' }] }),
      },
    });
    // Both are asked before either is delivered, so a journal has neither when the worker dies at 4.
    expect(toCell(await kill(events, 'journal', '4', '/par:b/write:pay#0'))).toBe('2 m2');
    // No transition follows: boundary 5 lies before the end, and everything is durable.
    expect(toCell(await kill(events, 'journal', '5', '/par:b/write:pay#0'))).toBe('1');
    expect(toCell(await kill(events, 'naive', '5', '/par:b/write:pay#0'))).toBe('2 m2');
  });
});

const traces = join(import.meta.dirname, '../../../../shared/traces/lab');

/** Files of another harness, whose worker was really killed, and the cell each is. */
const realTrials = [
  ['naive-control', 'naive', undefined],
  ['naive-kp3', 'naive', '3'],
  ['naive-kp4', 'naive', '4'],
  ['naive-idem-kp3', 'naive-key', '3'],
  ['journal-jsonl-idem-control', 'journal-key', undefined],
  ['journal-jsonl-idem-kp3', 'journal-key', '3'],
  ['journal-jsonl-nokey-kp2late', 'journal', '2late'],
  ['journal-jsonl-nokey-kp3', 'journal', '3'],
] as const;

describe.skipIf(!existsSync(traces))('trials of another harness (skipped where its files are absent)', () => {
  it('say the same as the simulation of a run of the same shape', async () => {
    const swept = await sweep(readEvents(smallestRun), { modelVaries: true });
    const all = [...swept.controls, ...swept.trials];
    for (const [name, strategy, boundary] of realTrials) {
      const types = readFileSync(join(traces, `${name}.jsonl`), 'utf8').match(/"type": ?"\w+"/g) ?? [];
      const count = (type: string): number => types.filter((text) => text.endsWith(`"${type}"`)).length;
      const trial = all.find((one) => one.strategy === strategy && one.kill?.boundary === boundary);
      expect(trial, name).toMatchObject({
        committed: count('effect_committed'),
        deduplicated: count('effect_deduplicated'),
        modelCalls: count('model_served'),
        completed: count('run_completed') === 1,
      });
    }
  });
});
