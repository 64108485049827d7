/**
 * Conformance cases 14, 15 and 25: what a changed, vanished or uncertain effect does to the rest.
 */
import { describe, expect, it } from 'vitest';
import { record } from '../testing/record.ts';
import { at, paths, replay, tryReplay } from '../testing/replay-case.ts';

const tools = [
  { name: 'create', effect: 'external', writes: ['tickets'] },
  { name: 'list', effect: 'none', reads: ['tickets'] },
  { name: 'weather', effect: 'none', reads: ['sky'] },
];

const program = `async function main(ctx) {
  const d = await ctx.model('decide', {});
  const made = ctx.decide('make', d.make, { alternatives: [true, false], uses: [d] });
  const w = made ? await ctx.write('create', { title: d.title }, { by: 'make' }) : undefined;
  const l = await ctx.read('list', {});
  const s = await ctx.read('weather', {});
  return [l, s];
}`;

function base(extra: Parameters<typeof record>[1] = {}) {
  return record(program, {
    tools,
    handlers: {
      'model:decide': () => ({ ok: { make: true, title: 't' } }),
      'write:create': () => ({ ok: { id: 1 }, effects: [{ id: '1' }] }),
    },
    ...extra,
  });
}

describe('the world', () => {
  it('C14 R39 a changed effect makes the later read of the same resource suspect, not the other; lenient delivers it flagged', async () => {
    const events = await base();
    const parallel = program
      .replace('const l = await', 'const lp =')
      .replace('const s = await', 'const sp =')
      .replace('return [l, s]', 'return [await lp, await sp]');
    const both = await record(parallel, {
      tools,
      handlers: { 'model:decide': () => ({ ok: { make: true, title: 't' } }) },
    });
    const decide = { target: { event: at(events, 'model_call.completed').id }, value: { make: true, title: 'other' } };
    const supply = [{ path: '/write:create#0', value: { id: 2 } }];
    const strict = await replay(both, {
      edits: [{ target: { event: at(both, 'model_call.completed').id }, value: decide.value }],
      supply,
    });
    expect(paths(strict.suspect)).toEqual(['/read:list#0']);
    expect(strict.pending).toMatchObject([{ path: '/read:list#0', waitsFor: 'suspect' }]);
    expect(strict.suspect[0]?.reasons[0]?.as).toBe('world:tickets');
    expect(paths(strict.reused)).toContain('/read:weather#0');
    const lenient = await replay(events, { edits: [decide], supply, policies: { world: 'lenient' } });
    expect(lenient.reused).toContainEqual(expect.objectContaining({ path: '/read:list#0', rule: 'suspect' }));
    expect(lenient.reused).toContainEqual(expect.objectContaining({ path: '/read:weather#0', rule: 'M1' }));
    expect(lenient.result).toBe('complete');
  });

  it('C15 R47 a vanished effect is an orphan, and the read it touched is found suspect by the fixpoint', async () => {
    const events = await base();
    const report = await replay(events, {
      edits: [{ target: { event: at(events, 'decision.made').id }, value: false }],
    });
    expect(paths(report.removed)).toContain('/write:create#0');
    expect(report.orphanEffects).toMatchObject([{ path: '/write:create#0', effects: [{ id: '1' }] }]);
    expect(paths(report.suspect)).toEqual(['/read:list#0']);
    expect(report.result).toBe('blocked');
    expect(report.removed.find((item) => item.path === '/write:create#0')?.reasons[0]).toEqual({
      event: at(events, 'decision.made').id,
      as: 'selected_by',
    });
  });

  it('I3 a read recorded before the changed effect stands', async () => {
    const before = `async function main(ctx) {
      const d = await ctx.model('decide', {});
      const seen = await ctx.read('list', {});
      await ctx.write('create', { title: d.title });
      return await ctx.read('list', { again: true });
    }`;
    const events = await record(before, { tools, handlers: { 'model:decide': () => ({ ok: { title: 't' } }) } });
    const report = await replay(events, {
      edits: [{ target: { path: '/model:decide#0' }, value: { title: 'other' } }],
      supply: [{ path: '/write:create#0', value: 1 }],
    });
    expect(paths(report.reused)).toEqual(['/read:list#0']);
    expect(paths(report.suspect)).toEqual(['/read:list#1']);
  });

  it('I4 a read that declares that it reads nothing of the world is never suspect', async () => {
    const pure = [
      { name: 'create', effect: 'external', service: 'desk' },
      { name: 'list', effect: 'none', service: 'desk', reads: [] },
      { name: 'weather', effect: 'none', service: 'desk' },
    ];
    const events = await base({ tools: pure });
    const report = await replay(events, {
      edits: [{ target: { event: at(events, 'decision.made').id }, value: false }],
    });
    expect(paths(report.suspect)).toEqual(['/read:weather#0']);
  });

  it('I4 a read that declares nothing is suspect for what its service writes, and says so', async () => {
    const undeclared = [
      { name: 'create', effect: 'external', service: 'desk', writes: ['tickets'] },
      { name: 'list', effect: 'none', service: 'desk' },
      { name: 'weather', effect: 'none', service: 'sky' },
    ];
    const events = await base({ tools: undeclared });
    const parallel = { edits: [{ target: { event: at(events, 'decision.made').id }, value: false }] };
    const report = await replay(events, parallel);
    expect(report.suspect).toMatchObject([{ path: '/read:list#0' }]);
    expect(report.suspect[0]?.reasons[0]?.as).toBe('world:world-unknown (desk)');
  });

  const uncertainProgram = `async function main(ctx) {
    const t = await ctx.write('ticket', { title: 'x' }, { idempotencyKey: 'k1' });
    const n = await ctx.model('note', { id: t.id });
    return n;
  }`;

  it('C25 R44 a dispatch without result is uncertain: not re-sent, not treated as done', async () => {
    const events = await record(uncertainProgram, {
      crashAt: '/write:ticket#0',
      handlers: { 'write:ticket': () => ({ ok: { id: 8421 }, effects: [{ id: '8421' }] }) },
    });
    const report = await replay(events);
    expect(paths(report.uncertain)).toEqual(['/write:ticket#0']);
    expect(report.reused).toEqual([]);
    expect(report.result).toBe('blocked');
    expect(report.divergences).toEqual([]);
  });

  it('C25 adopting the committed effect goes on to the next command and keeps the evidence', async () => {
    const events = await record(uncertainProgram, {
      crashAt: '/write:ticket#0',
      handlers: { 'write:ticket': () => ({ ok: { id: 8421 }, effects: [{ id: '8421' }] }) },
    });
    const evidence = at(events, 'effect.committed').id;
    const report = await replay(events, { supply: [{ path: '/write:ticket#0', value: { id: 8421 }, evidence }] });
    expect(report.pending).toMatchObject([{ path: '/model:note#0', waitsFor: 'inserted', args: { id: 8421 } }]);
    const line = report.lines.find((event) => event.type === 'tool_call.completed');
    expect(line).toMatchObject({ origin: 'reconciled', principal: { id: 'ada' } });
    expect(line?.causes).toContainEqual({ event: evidence, as: 'informed_by' });
  });

  it('an attempt known not to have been executed is open, not uncertain', async () => {
    const events = await record(uncertainProgram, {
      crashAt: '/write:ticket#0',
      handlers: { 'write:ticket': () => ({ ok: 1, notExecuted: true }) },
    });
    const report = await replay(events);
    expect(report.uncertain).toEqual([]);
    expect(report.pending).toMatchObject([{ waitsFor: 'open-in-record' }]);
  });

  it('two adopters of one uncertain effect: the second is refused', async () => {
    const twin = `async function main(ctx) { await Promise.all([ctx.write('ticket', { n: 1 }), ctx.write('ticket', { n: 2 })]); }`;
    const events = await record(twin, {
      crashAt: '/write:ticket#0',
      handlers: { 'write:ticket': () => ({ effects: [{ id: '1' }] }) },
    });
    const evidence = at(events, 'effect.committed').id;
    const result = await tryReplay(events, {
      supply: [
        { path: '/write:ticket#0', value: 1, evidence },
        { path: '/write:ticket#1', value: 1, evidence },
      ],
    });
    expect(result.ok ? '' : result.error).toMatch(/says nothing about \/write:ticket#1|already adopted/);
  });
});
