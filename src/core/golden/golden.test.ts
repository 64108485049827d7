import { beforeAll, describe, expect, it } from 'vitest';
import { loadSandbox } from '../../platform/sandbox/node.ts';
import { compareSides } from '../compare/index.ts';
import { type HindcastEvent, digest } from '../model/index.ts';
import { type Sandbox, runReplay } from '../replay/index.ts';
import { record } from '../replay/testing/record.ts';
import { computeDescendants } from './exempt.ts';
import { type PinRequest, type Pinned, goldenToJson, pinGolden } from './pin.ts';
import { type GoldenResult, runGolden } from './run.ts';
import { type Golden, parseGolden } from './schema.ts';
import { textToSelector } from './select.ts';

const program = `async function main(ctx, input) {
  const found = await ctx.all({
    a: async (c) => {
      const plan = await c.model('plan', { for: input.case });
      c.decide('act', plan.action, { alternatives: ['open', 'close'], uses: [plan] });
      return plan;
    },
    b: async (c) => {
      const price = await c.read('price', { case: input.case });
      c.decide('offer', price.amount > 10 ? 'dear' : 'cheap', { alternatives: ['dear', 'cheap'], uses: [price] });
      return price;
    },
  });
  const made = await ctx.write('open', { title: found.a.title }, { uses: [found.a] });
  await ctx.state('case', { id: made.id }, { uses: [made] });
  const told = await ctx.write('mail', { price: found.b.amount }, { uses: [found.b] });
  await ctx.state('told', { price: found.b.amount }, { uses: [told] });
  return made.id;
}`;

const author = { actor: { id: 'test' }, at: '2026-01-01T00:00:00Z' };
const noRules = { rules: new Set(['executed-twice']), findingsOf: () => [] };
let sandbox: Sandbox;
let events: readonly HindcastEvent[];

beforeAll(async () => {
  sandbox = await loadSandbox();
  events = await record(program, {
    input: { case: 'C-1' },
    handlers: {
      'model:plan': () => ({ ok: { action: 'open', title: 'Heater', text: 'x' } }),
      'read:price': () => ({ ok: { amount: 12 }, after: 2 }),
      write: () => ({ ok: { id: 7 } }),
    },
  });
});

async function pin(more: Partial<PinRequest> = {}): Promise<Pinned> {
  const made = await pinGolden({ events, name: 'case', stream: 's.jsonl', sandbox, author, audit: noRules, ...more });
  if (!made.ok) throw new Error(made.error);
  return made.value;
}

function select(...texts: readonly string[]): PinRequest['properties'] {
  return texts.map((text) => {
    const selector = textToSelector(text);
    if (!selector.ok) throw new Error(selector.error);
    return selector.value;
  });
}

async function run(golden: Golden, source?: string): Promise<GoldenResult> {
  const request = { golden, events, sandbox, author, audit: noRules };
  const made = await runGolden(source === undefined ? request : { ...request, program: { source } });
  if (!made.ok) throw new Error(made.error);
  return made.value;
}

function statuses({ properties }: GoldenResult): Readonly<Record<string, string>> {
  return Object.fromEntries(properties.map(({ property, status }) => [property.id, status]));
}

const [act, offer] = ['/par:a/decide:act#0', '/par:b/decide:offer#0'];

describe('idempotency keys', () => {
  it('R80 R82 the fix is pinned by default; taking it out again breaks the case, on main and on a branch', async () => {
    const keyed = program.replace('{ uses: [found.a] }', '{ uses: [found.a], idempotencyKey: input.case }');
    expect(keyed).not.toBe(program);
    const made = await runReplay({ events, sandbox, author, program: { source: keyed } });
    if (!made.ok) throw new Error(made.error);
    const { branch, lines, result, protections, sentence } = made.value;
    expect([result, protections]).toEqual([
      'identical',
      [{ path: '/write:open#0', kind: 'write', name: 'open', change: 'with-key', now: 'C-1' }],
    ]);
    expect(sentence).toContain('/write:open#0 is now with an idempotency key (recorded without).');
    const all = [...events, ...lines];
    const { golden } = await pin({ events: all, branch });
    expect(golden.properties.filter(({ kind }) => kind === 'key')).toEqual([
      { id: 'key:/write:open#0', kind: 'key', target: '/write:open#0', expected: 'present' },
    ]);
    const again = async (source: string): Promise<GoldenResult> => {
      const ran = await runGolden({ golden, events: all, sandbox, author, audit: noRules, program: { source } });
      if (!ran.ok) throw new Error(ran.error);
      return ran.value;
    };
    expect(await again(keyed)).toMatchObject({ passes: true, counts: { broken: 0 } });
    const broken = await again(program);
    expect(broken.passes).toBe(false);
    expect(broken.properties.filter(({ status }) => status === 'broken').map(({ sentence: why }) => why)).toEqual([
      '/write:open#0 is asked for without an idempotency key.',
    ]);
    expect(broken.sentence).toContain('now without an idempotency key (recorded with one)');
    expect(compareSides({ events: all, branch }, { events: all, branch: 'main' })).toMatchObject({
      value: { counts: { changed: 1 }, first: { path: '/write:open#0', what: 'idempotency key', here: 'C-1' } },
    });
  });
});

describe('pinning', () => {
  it('R80 keeps decisions, effects, last states and the order of effects, typed, as a file that is read again', async () => {
    const { golden } = await pin();
    expect(golden.properties.map(({ id }) => id)).toEqual([
      `decision:${act}`,
      `decision:${offer}`,
      'effect:/write:open#0',
      'effect:/write:mail#0',
      'state:case',
      'state:told',
      'order:/write:open#0 < /write:mail#0',
    ]);
    expect(golden.properties[0]).toMatchObject({ kind: 'decision', target: act, expected: 'open' });
    expect(golden.properties[2]).toMatchObject({ expected: { kind: 'open', count: 1 } });
    expect(parseGolden(goldenToJson(golden))).toEqual({ ok: true, value: golden });
  });

  it('refuses what does not hold in the record itself, and what is not there', async () => {
    const base = { events, name: 'case', stream: 's.jsonl', sandbox, author, audit: noRules };
    const refused = async (text: string, more: Partial<PinRequest> = {}): Promise<string> => {
      const made = await pinGolden({ ...base, ...more, properties: select(text) ?? [] });
      return made.ok ? 'pinned' : made.error;
    };
    expect(await refused('absence:mail')).toContain('does not hold in the record itself');
    expect(await refused('order:/write:mail#0 < /write:open#0')).toContain('is asked for before');
    expect(await refused('decision:/decide:no#0')).toBe('The record has no decision "/decide:no#0" to pin.');
    expect(await refused('invariant:no-such-rule')).toContain('There is no rule "no-such-rule"');
    const finding = { rule: 'executed-twice', text: 'Twice.' };
    const audit = { ...noRules, findingsOf: () => [finding] };
    expect(await refused('invariant:executed-twice', { audit })).toContain('Twice.');
    expect(await refused('invariant:executed-twice')).toBe('pinned');
    expect(textToSelector('wish:x')).toMatchObject({ ok: false });
    expect(textToSelector('decision:')).toMatchObject({ ok: false });
  });

  it('refuses a record that its program does not repeat', async () => {
    const altered = events.map((event) =>
      event.type === 'run.completed' ? { ...event, data: { result: 'other' } } : event,
    );
    const made = await pinGolden({
      events: altered,
      name: 'case',
      stream: 's.jsonl',
      sandbox,
      author,
      audit: noRules,
    });
    expect(made).toMatchObject({ ok: false });
  });

  it('a branch is pinned with its line: the slice has both, and the properties are those of the branch', async () => {
    const edited = await runReplay({
      events,
      sandbox,
      author,
      edit: {
        edits: [{ target: { path: '/par:b/read:price#0' }, value: { amount: 9 } }],
        supply: [{ path: '/write:mail#0', value: { id: 8 } }],
      },
    });
    if (!edited.ok) throw new Error(edited.error);
    const { branch, lines } = edited.value;
    const all = [...events, ...lines];
    const { golden, slice } = await pin({ events: all, branch });
    expect(golden.branch).toBe(branch);
    expect(slice).toHaveLength(all.length);
    expect(golden.properties.find(({ id }) => id === `decision:${offer}`)).toMatchObject({ expected: 'cheap' });
    const result = await runGolden({ golden, events: all, sandbox, author, audit: noRules });
    expect(result).toMatchObject({ ok: true, value: { passes: true, counts: { broken: 0, 'not-decided': 0 } } });
    expect(await runGolden({ golden, events, sandbox, author, audit: noRules })).toMatchObject({ ok: false });
  });

  it('the slice leaves other runs out and keeps what is referred to', async () => {
    const other = events.map((event) => ({ ...event, run: 'ffffffffffffffffffffffffffffffff' }) as HindcastEvent);
    const { slice } = await pin({ events: [...other, ...events], run: String(events[0]?.run) });
    expect(slice).toEqual(events.map((_, n) => n + other.length));
  });
});

describe('running', () => {
  it('R82 the program that made the record keeps everything, and the branch that showed it is named', async () => {
    const { golden } = await pin();
    const result = await run(golden);
    expect(result.counts).toEqual({ holds: 7, broken: 0, 'not-decided': 0, exempt: 0 });
    expect(result).toMatchObject({ passes: true, result: 'identical' });
    expect(result.lines.every(({ branch }) => branch === result.branch)).toBe(true);
    expect(result.operation).toContain('sha256:');
  });

  it('R81 an intended change exempts what descends from it; an independent change beside it is broken', async () => {
    const { golden } = await pin({ exempt: ['/par:b/read:price#0'] });
    const dearer = program.replace('price.amount > 10', 'price.amount > 20');
    expect(statuses(await run(golden, dearer))).toMatchObject({
      [`decision:${offer}`]: 'exempt',
      [`decision:${act}`]: 'holds',
    });
    const both = dearer.replace('plan.action,', `'close',`);
    const result = await run(golden, both);
    expect(statuses(result)).toMatchObject({ [`decision:${offer}`]: 'exempt', [`decision:${act}`]: 'broken' });
    expect(result.passes).toBe(false);
    const strict = await pin();
    expect(statuses(await run(strict.golden, dearer))).toMatchObject({ [`decision:${offer}`]: 'broken' });
  });

  it('R81 what merely came later does not descend from a change', () => {
    const price = events.find(({ type, command }) => type === 'tool_call.completed' && command?.name === 'price');
    if (price === undefined) throw new Error('the price was read');
    const later = events.map((event) =>
      event.command?.path === '/write:open#0'
        ? { ...event, causes: [...(event.causes ?? []), { event: price.id, as: 'caused_by' as const }] }
        : event,
    );
    const descendants = computeDescendants(later, ['/par:b/read:price#0']);
    expect(descendants.has('/write:mail#0')).toBe(true);
    expect(descendants.has('/write:open#0')).toBe(false);
  });

  it('what comes after a missing value is not decided, and a run that decides nothing does not pass', async () => {
    const { golden } = await pin();
    const asks = program.replace('const made =', `await ctx.model('extra', {});\n  const made =`);
    expect(statuses(await run(golden, asks))).toEqual({
      [`decision:${act}`]: 'holds',
      [`decision:${offer}`]: 'holds',
      'effect:/write:open#0': 'not-decided',
      'effect:/write:mail#0': 'not-decided',
      'state:case': 'not-decided',
      'state:told': 'not-decided',
      'order:/write:open#0 < /write:mail#0': 'not-decided',
    });
    const effects = await pin({ properties: select('effect:*') ?? [] });
    expect(await run(effects.golden, asks)).toMatchObject({ passes: false, counts: { broken: 0, 'not-decided': 2 } });
  });

  it('other arguments, another tool and a twin of an effect are broken', async () => {
    const { golden } = await pin({ properties: select('effect:/write:open#0') ?? [] });
    const only = async (from: string, to: string): Promise<string> => {
      const [result] = (await run(golden, program.replace(from, to))).properties;
      return `${result?.status ?? ''}: ${result?.sentence ?? ''}`;
    };
    expect(await only('found.a.title }', `'Other' }`)).toContain(
      'broken: /write:open#0 is asked for with other arguments',
    );
    expect(await only(`ctx.write('open'`, `ctx.write('shut'`)).toContain('not-decided: The effect /write:open#0');
    const twin = `const again = ctx.write('open', { title: found.a.title }); const made =`;
    expect(await only('const made =', twin)).toContain('broken: /write:open#0: 2 effects');
  });

  it('an effect that must not be, and an order that is given up', async () => {
    const { golden } = await pin({ properties: select('absence:refund', 'order:*') ?? [] });
    const refunds = program.replace('const told =', `ctx.write('refund', {}); const told =`);
    expect(statuses(await run(golden, refunds))).toMatchObject({ 'absence:refund': 'broken' });
    const parallel = program
      .replace('const made = await', 'const opening =')
      .replace(
        `await ctx.state('case'`,
        `const mailing = ctx.write('mail', { price: found.b.amount });\n  const made = await opening;\n  await ctx.state('case'`,
      )
      .replace(`await ctx.write('mail', { price: found.b.amount }, { uses: [found.b] })`, 'await mailing');
    const result = await run(golden, parallel);
    expect(statuses(result)).toEqual({
      'absence:refund': 'holds',
      'order:/write:open#0 < /write:mail#0': 'broken',
    });
    // Both are reused: positions alone would still say that one came before the other.
    expect(result.counts.broken).toBe(1);
  });

  it('a run that ends without a decision has broken it; a state of another value too', async () => {
    const { golden } = await pin({ properties: select(`decision:${offer}`, 'state:case') ?? [] });
    const without = program
      .replace(/c\.decide\('offer'.*$/m, '')
      .replace(`{ id: made.id }`, `{ id: made.id, more: true }`);
    expect(statuses(await run(golden, without))).toEqual({ [`decision:${offer}`]: 'broken', 'state:case': 'broken' });
  });

  it('another stream than the pinned one is refused, by its digest', async () => {
    const { golden } = await pin();
    const altered = events.map((event) =>
      event.type === 'model_call.completed'
        ? { ...event, data: { ...event.data, result: { action: 'close' } } }
        : event,
    );
    const made = await runGolden({ golden, events: altered, sandbox, author, audit: noRules });
    expect(made).toMatchObject({
      ok: false,
      error: expect.stringContaining('is not the one that was pinned') as string,
    });
  });

  it('R82 a case that names another program than its stream is refused', async () => {
    const { golden } = await pin();
    const other: Golden = { ...golden, program: digest('another') };
    expect(await runGolden({ golden: other, events, sandbox, author, audit: noRules })).toMatchObject({
      ok: false,
      error: expect.stringContaining(
        `names the program ${other.program}; its stream was made by ${golden.program}`,
      ) as string,
    });
  });
});

describe('the name', () => {
  it('is refused where it is empty or longer than a name, before anything is replayed', async () => {
    const { golden } = await pin();
    for (const [name, sentence] of [
      [' ', 'A golden case needs a name.'],
      ['x'.repeat(201), 'A name has at most 200 characters; this one has 201.'],
    ] as const) {
      const pinned = await pinGolden({ events, name, stream: golden.stream, sandbox, author, audit: noRules });
      expect(pinned).toEqual({ ok: false, error: sentence });
    }
  });
});

describe('the file', () => {
  it('says which part is wrong, and refuses two properties of one id', async () => {
    const { golden } = await pin();
    const json = JSON.parse(JSON.stringify(golden)) as Record<string, never>;
    expect(parseGolden({ ...json, stream: '../x' })).toMatchObject({
      ok: false,
      error: expect.stringContaining('"stream"') as string,
    });
    expect(parseGolden({ ...json, wish: 1 })).toMatchObject({
      ok: false,
      error: expect.stringMatching(
        /^The golden case cannot be used: it has the member "wish", which is not known\. Pin/,
      ),
    });
    const turned = parseGolden({ ...json, name: ' case\u202e\n7 ' });
    expect(turned.ok && turned.value.name).toBe('case\\u202e 7');
    expect((await pin({ name: 'a\u202e' })).golden.name).toBe('a\\u202e');
    const [first] = golden.properties;
    const twice = { ...golden, properties: first === undefined ? [] : [first, first] };
    expect(parseGolden(goldenToJson(twice))).toMatchObject({
      ok: false,
      error: expect.stringContaining('two properties') as string,
    });
  });
});

describe('one vocabulary with the replay (M2, M5)', () => {
  it('L9 a command that only got a key is the recorded one, moved: its properties hold, and the verdict is that of a run set', async () => {
    const { golden } = await pin();
    const keyed = program.replace('{ uses: [found.a] }', "{ key: 'once', uses: [found.a] }");
    const result = await run(golden, keyed);
    expect(result.verdict).toBe('compatible');
    expect(result.counts.broken).toBe(0);
    const effect = result.properties.find(({ property }) => property.id.includes('/write:open#0'));
    expect(effect).toMatchObject({ status: 'holds', sentence: expect.stringContaining('moved to /write:open=once') });
  });

  it('L4 L9 what is gone is removed at the end of the run, and not reached before it', async () => {
    const { golden } = await pin({ properties: select('effect:/write:mail#0') ?? [] });
    const gone = await run(golden, program.replace(/const told = .*\n.*\n/, ''));
    expect(gone.properties[0]).toMatchObject({ status: 'broken', sentence: expect.stringContaining('is removed') });
    const waits = await run(golden, program.replace("ctx.write('open', {", "ctx.write('open', { more: 1,"));
    expect(waits.properties[0]).toMatchObject({
      status: 'not-decided',
      sentence: expect.stringContaining('is not reached'),
    });
  });
});
