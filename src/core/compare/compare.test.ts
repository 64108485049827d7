import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadSandbox } from '../../platform/sandbox/node.ts';
import { parseLossless } from '../base/lossless.ts';
import { type HindcastEvent, parseEvent } from '../model/index.ts';
import { closedPolicy, openClasses, redact } from '../redaction/index.ts';
import { type Sandbox, runReplay } from '../replay/index.ts';
import { dataOf } from '../replay/contents.ts';
import { type RecordOptions, record } from '../replay/testing/record.ts';
import { textToEditFile } from '../replay/edit-file.ts';
import { alter, replay } from '../replay/testing/replay-case.ts';
import { type ComparedSides, compareSides } from './compare.ts';

const program = `async function main(ctx, input) {
  const at = ctx.now();
  const plan = await ctx.model('plan', { q: input.q });
  const price = await ctx.read('price', { part: plan.part });
  const made = await ctx.write('order', { part: plan.part, amount: price.amount });
  await ctx.state('case', { order: made.id });
  return made.id;
}`;

const handlers = {
  'model:plan': () => ({ ok: { part: 'valve' } }),
  'read:price': () => ({ ok: { amount: 12, currency: 'EUR' } }),
  'write:order': () => ({ ok: { id: 7 } }),
};

let sandbox: Sandbox;
let first: readonly HindcastEvent[];

async function run(options: RecordOptions = {}): Promise<readonly HindcastEvent[]> {
  return record(program, { input: { q: 1 }, handlers, sandbox, ...options });
}

function compare(here: readonly HindcastEvent[], there: readonly HindcastEvent[], branch = 'main'): ComparedSides {
  const compared = compareSides({ events: here, branch }, { events: there, branch: 'main' });
  if (!compared.ok) throw new Error(compared.error);
  return compared.value;
}

function statusOf({ rows }: ComparedSides, path: string): string | undefined {
  return rows.find((row) => row.path === path)?.status;
}

beforeAll(async () => {
  sandbox = await loadSandbox();
  first = await run();
});

describe('a record that contradicts itself', () => {
  it('is not the same as the one it was made of, and is named with its side', () => {
    const forged = first.map((event) =>
      event.type === 'tool_call.dispatched' && event.command?.kind === 'write'
        ? alter(event, { data: { ...dataOf(event), args: { part: 'forged', amount: 12 } } })
        : event.type === 'run.completed'
          ? alter(event, { data: { ...dataOf(event), result: 8 } })
          : event,
    );
    const compared = compare(first, forged);
    expect(compared.counts.changed).toBe(1);
    expect(compared.first).toMatchObject({ what: 'arguments', pointer: '/part', here: 'valve', there: 'forged' });
    expect(compared.outcomes.isEqual).toBe(false);
    expect(compared.contradictions.here).toEqual([]);
    expect(compared.contradictions.there.map(({ event }) => event)).toEqual(
      ['run.completed', 'tool_call.dispatched'].map((type) => forged.findLast((event) => event.type === type)?.id),
    );
  });
});

describe('two runs (R50, issue of equal input)', () => {
  it('of equal answers are the same in everything', async () => {
    const compared = compare(first, await run());
    expect(compared.counts).toEqual({
      same: compared.rows.length,
      changed: 0,
      moved: 0,
      'only here': 0,
      'only there': 0,
      'not reached': 0,
    });
    expect(compared).toMatchObject({
      first: undefined,
      equalInput: true,
      equalProgram: true,
      outcomes: { isEqual: true },
    });
    expect(compared.states).toEqual([expect.objectContaining({ name: 'case', isEqual: true })]);
  });

  it('R10 of equal input name the first field that differs, in the order in which control code met it', async () => {
    const other = await run({
      handlers: { ...handlers, 'read:price': () => ({ ok: { amount: 15, currency: 'EUR' } }) },
    });
    const compared = compare(first, other);
    expect(compared.equalInput).toBe(true);
    expect(compared.first).toEqual({ path: '/read:price#0', what: 'value', pointer: '/amount', here: 12, there: 15 });
    expect(statusOf(compared, '/write:order#0')).toBe('changed');
    expect(statusOf(compared, '/model:plan#0')).toBe('same');
    const order = compared.rows.find(({ path }) => path === '/write:order#0');
    expect(order?.fields).toEqual([{ of: 'arguments', differences: [{ pointer: '/amount', recorded: 15, now: 12 }] }]);
  });

  it('with other input say so, with the places', async () => {
    const compared = compare(first, await run({ input: { q: 2 } }));
    expect(compared.equalInput).toBe(false);
    expect(compared.inputDifferences).toEqual([{ pointer: '/q', recorded: 2, now: 1 }]);
    expect(compared.first).toMatchObject({ path: '/model:plan#0', what: 'arguments', pointer: '/q' });
  });

  it('of what is not recorded say neither that it is equal nor that it differs', () => {
    const strip = (events: readonly HindcastEvent[]): readonly HindcastEvent[] =>
      events.map((event) => {
        if (event.type === 'run.started') return { ...event, data: { ...event.data, input: undefined } };
        if (event.type === 'run.completed') return { ...event, data: { ...event.data, result: { $hole: 'h1' } } };
        if (event.type !== 'state.transitioned') return event;
        const { digest: _, value: _value, ...data } = event.data;
        const { command } = event;
        return { ...event, data, ...(command === undefined ? {} : { command: { ...command, args: undefined } }) };
      });
    const stripped = strip(first);
    for (const [here, there] of [
      [stripped, stripped],
      [stripped, first],
    ] as const) {
      const { equalInput, states, outcomes } = compare(here, there);
      expect([equalInput, states[0]?.isEqual, outcomes.isEqual]).toEqual([undefined, undefined, undefined]);
    }
  });

  it('keep draws of time apart from what differs first', async () => {
    let clock = 1_000;
    const drawn = { draws: 'recorded', clock: () => (clock += 1_000), random: () => 0.5 } as const;
    const here = await run(drawn);
    const there = await run({ ...drawn, handlers: { ...handlers, 'write:order': () => ({ ok: { id: 8 } }) } });
    const compared = compare(here, there);
    expect(compared.drawsApart).toBe(1);
    expect(compared.first).toMatchObject({ path: '/write:order#0', what: 'value', pointer: '/id', here: 7, there: 8 });
    expect(compared.states).toEqual([
      expect.objectContaining({ isEqual: false, differences: [{ pointer: '/order', recorded: 8, now: 7 }] }),
    ]);
    expect(compared.outcomes.isEqual).toBe(false);
  });
});

describe('a branch and its parent (R50)', () => {
  it('has what each side alone has, in its place', async () => {
    const replayed = await runReplay({
      events: first,
      sandbox,
      author: { actor: { id: 'test' }, at: '2026-01-01T00:00:00Z' },
      program: {
        source: program
          .replace("ctx.read('price'", "ctx.read('quote'")
          .replace("await ctx.state('case'", "await ctx.write('mail', {}); await ctx.state('case'"),
      },
      edit: { edits: [], supply: [{ path: '/read:quote#0', value: { amount: 12 } }] },
    });
    if (!replayed.ok) throw new Error(replayed.error);
    const { branch, lines } = replayed.value;
    const events = [...first, ...lines];
    const compared = compare(events, events, branch);
    expect(statusOf(compared, '/read:quote#0')).toBe('only here');
    // The branch waits for its mail: whether it would still ask the price is not known.
    expect(statusOf(compared, '/read:price#0')).toBe('not reached');
    expect(statusOf(compared, '/write:mail#0')).toBe('only here');
    expect(statusOf(compared, '/write:order#0')).toBe('same');
    expect(compared.rows.map(({ path }) => path).indexOf('/read:price#0')).toBeGreaterThan(
      compared.rows.map(({ path }) => path).indexOf('/model:plan#0'),
    );
    expect(compared.first).toEqual({
      path: expect.stringMatching(/quote|price/),
      what: expect.stringMatching(/^(?:only here|not reached)$/),
    });
    expect(compared.equalProgram).toBe(false);
    expect(new Set(compared.rows.map(({ path }) => path)).size).toBe(compared.rows.length);
  });

  it('names what a child waits for inside, not the child that never ends', async () => {
    const parent = `async function main(ctx, input) {
      const got = await ctx.all({ a: (c) => c.child('desk', {}, async (d) => (await d.read('price', { q: 1 })).amount) });
      return got.a;
    }`;
    const answers = { 'read:price': () => ({ ok: { amount: 12 } }) };
    const whole = await record(parent, { handlers: answers, sandbox });
    const open = await record(parent, { handlers: { 'read:price': () => ({ open: true }) }, sandbox });
    const compared = compare(open, whole);
    expect(compared.rows.filter(({ status }) => status === 'changed').map(({ kind }) => kind)).toContain('child');
    expect(compared.first?.path).toMatch(/read:price#0$/);
  });

  it('refuses a branch that is not there', () => {
    const compared = compareSides({ events: first, branch: 'b-none' }, { events: first, branch: 'main' });
    expect(compared).toEqual({ ok: false, error: expect.stringContaining('no branch b-none') });
  });
});

describe('one change in one word (M2, M5)', () => {
  it('a command that got a key is moved, as in a replay, and no first difference of value', async () => {
    const keyed = program.replace('amount: price.amount }', "amount: price.amount }, { key: 'k' }");
    const there = await run();
    const here = await record(keyed, { input: { q: 1 }, handlers, sandbox });
    const compared = compare(here, there);
    const row = compared.rows.find(({ status }) => status === 'moved');
    expect(row).toMatchObject({ path: '/write:order=k', movedFrom: '/write:order#0' });
    expect(compared.counts).toMatchObject({ moved: 1, 'only here': 0, 'only there': 0, changed: 0 });
    expect(compared.first).toEqual({ path: '/write:order=k', what: 'moved', movedFrom: '/write:order#0' });
  });

  it('a key of the program against one the runtime sent of itself says whose the other is', () => {
    const keyed = (events: readonly HindcastEvent[], key: string): readonly HindcastEvent[] =>
      events.map((event) =>
        event.type === 'tool_call.dispatched' && event.command?.path === '/write:order#0'
          ? { ...event, data: { ...event.data, idempotency_key: key } }
          : event,
      );
    const own = keyed(first, 'run/write:order#0');
    const programs = keyed(first, 'case-1');
    const field = { path: '/write:order#0', what: 'idempotency key', pointer: '' };
    expect(compare(programs, own).first).toEqual({ ...field, here: 'case-1', runtimeKey: 'there' });
    expect(compare(own, programs).first).toEqual({ ...field, there: 'case-1', runtimeKey: 'here' });
    expect(compare(programs, first).first).toEqual({ ...field, here: 'case-1' });
    expect(compare(own, first).first).toBeUndefined();
  });

  it('a call before its equals in a loop shifts them, and what it took the place of is no change of it', async () => {
    const loop = (parts: string): string => `async function main(ctx) {
      for (const part of ${parts}) await ctx.read('price', { part });
    }`;
    const answers = { 'read:price': () => ({ ok: { amount: 12 } }) };
    const there = await record(loop("['b', 'c']"), { handlers: answers, sandbox });
    const longer = compare(await record(loop("['a', 'b', 'c']"), { handlers: answers, sandbox }), there);
    expect(longer.rows.map(({ path, status, movedFrom }) => [path, status, movedFrom])).toEqual([
      ['/read:price#0', 'only here', undefined],
      ['/read:price#1', 'moved', '/read:price#0'],
      ['/read:price#2', 'moved', '/read:price#1'],
    ]);
    const shorter = compare(await record(loop("['c']"), { handlers: answers, sandbox }), there);
    expect(shorter.rows.map(({ path, status }) => [path, status])).toEqual([
      ['/read:price#0', 'only there'],
      ['/read:price#0', 'moved'],
    ]);
  });

  it('what a side that waits has not come to is not reached, never gone', async () => {
    const open = await run({ handlers: { ...handlers, 'read:price': () => ({ open: true }) } });
    const compared = compare(open, await run());
    expect(statusOf(compared, '/write:order#0')).toBe('not reached');
    expect(compared.counts).toMatchObject({ 'only there': 0 });
    expect(compared.first?.path).toBe('/read:price#0');
  });

  it('names two programs of one name by their digests', async () => {
    const other = await record(program.replace('return made.id', 'return made.id + 0'), {
      input: { q: 1 },
      handlers,
      sandbox,
    });
    const { programs, equalProgram } = compare(other, await run());
    expect(equalProgram).toBe(false);
    expect(programs.here).toMatch(/ \(sha256:[0-9a-f]{12}…\)$/);
    expect(programs.here).not.toBe(programs.there);
  });
});

describe('what became of effects', () => {
  function sample(name: string): readonly HindcastEvent[] {
    const text = readFileSync(join(import.meta.dirname, `../../../public/samples/${name}.hindcast.jsonl`), 'utf8');
    return text
      .trimEnd()
      .split('\n')
      .flatMap((line) => {
        const read = parseLossless(line);
        const parsed = read.ok ? parseEvent(read.value) : undefined;
        return parsed?.ok === true ? [parsed.value] : [];
      });
  }

  it('R50 says of each side what its records tell, where one was interrupted and the other was not', () => {
    const [incident, control] = [sample('ticket-incident'), sample('clean-control')];
    const { effects } = compare(incident, control);
    expect(effects?.path).toBe('/write:tickets.create#0');
    expect(effects?.here).toBe(
      'Ticket creation executed twice: 8421 and 8422. Worker 1 was killed after the commitment of 8421 and before its acknowledgement; worker 2 dispatched the ticket creation again without a key.',
    );
    expect(effects?.there).toMatch(/^Ticket creation executed once: \d+\.$/);
    const turned = compare(control, incident).effects;
    expect([turned?.here, turned?.there]).toEqual([effects?.there, effects?.here]);
    expect(compare(incident, incident).effects).toBeUndefined();
    expect(compare(control, first).effects).toBeUndefined();
  });

  it('R28 R50 R74 says of a copy no more than it can tell', () => {
    const events = sample('ticket-incident');
    const last = events.findLast(
      ({ type, command }) => type === 'effect.committed' && command?.name === 'tickets.create',
    );
    const told = events.map((event) => {
      if (event === last) return alter(event, { type: 'note.made', data: {} });
      const result = { ticket: 8499 };
      return event.command?.name === 'tickets.create' && event.type === 'tool_call.completed'
        ? alter(event, { data: { ...dataOf(event), result } })
        : event.command?.name === 'tickets.create' && event.type === 'tool_call.acknowledged'
          ? alter(event, { data: { ...dataOf(event), response: result } })
          : event;
    });
    const policy = openClasses(closedPolicy, ['names', 'results']);
    const copy = redact({ events: told, policy, secret: 'c'.repeat(32) }).lines.flatMap((line) => {
      const read = parseLossless(line);
      const parsed = read.ok ? parseEvent(read.value) : undefined;
      return parsed?.ok === true ? [parsed.value] : [];
    });
    expect(compare(told, sample('clean-control')).effects?.here).toContain('is uncertain');
    expect(compare(copy, sample('clean-control')).effects?.here).toContain('is not decidable in this copy');
  });

  it('R50 says of what a replay only simulated what the headline of its branch says, of all of it', async () => {
    const events = sample('wrong-observation');
    const file = textToEditFile(
      readFileSync(join(import.meta.dirname, '../../../public/samples/wrong-observation.edit.json'), 'utf8'),
    );
    if (!file.ok) throw new Error(file.error);
    const { lines } = await replay(events, file.value);
    const { effects } = compare([...events, ...lines], events, lines[0]?.branch);
    expect(effects?.here).toBe('Ticket creation and mail sending: simulated, not sent; answers supplied by a person.');
    expect(effects?.there).toBe(
      'Ticket creation executed once: 9107. Mail sending executed once: mail-301. Worker recorded a failure, known not executed; worker dispatched the mail sending again with the same key.',
    );
  });

  it('R50 tells of a process that was killed where no effect was interrupted', () => {
    const control = sample('clean-control');
    const killed = control.map((event) =>
      event.type === 'worker.exited' ? { ...event, data: { ...event.data, code: null, signal: 'SIGKILL' } } : event,
    );
    expect(compare(control, killed).effects).toMatchObject({ there: expect.stringMatching(/was killed\.$/) });
  });
});
