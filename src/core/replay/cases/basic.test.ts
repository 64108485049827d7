/**
 * Conformance cases 1 to 5, 10, 11, 18: a run of four commands, unedited, patched and edited.
 */
import { describe, expect, it } from 'vitest';
import { record } from '../testing/record.ts';
import { at, divergences, paths, replay } from '../testing/replay-case.ts';

const program = `async function main(ctx, input) {
  const d = await ctx.model('decide', { q: 1 });
  const act = ctx.decide('act', d.action, { alternatives: ['open', 'close'], uses: [d] });
  const t = await ctx.write('ticket', { title: act }, { by: 'act', writes: ['tickets'] });
  const n = await ctx.model('note', { about: act });
  await ctx.state('case', { id: t.id }, { uses: [t] });
  return n.text;
}`;

const handlers = {
  'model:decide': () => ({ ok: { action: 'open', text: 'please open it' }, after: 12 }),
  'write:ticket': () => ({ ok: { id: 8421 }, after: 19, effects: [{ id: '8421' }] }),
  'model:note': () => ({ ok: { text: 'noted' } }),
};

function base() {
  return record(program, { handlers });
}

describe('basic cases', () => {
  it('C1 R36 unedited is identical, three observations reused, no divergence', async () => {
    const report = await replay(await base());
    expect(report.result).toBe('identical');
    expect(report.divergences).toEqual([]);
    expect(paths(report.reused)).toEqual([
      '/model:decide#0',
      '/decide:act#0',
      '/write:ticket#0',
      '/model:note#0',
      '/state:case#0',
    ]);
    expect(report.commands.filter((c) => ['model', 'write'].includes(c.kind) && c.rule === 'M1')).toHaveLength(3);
    expect(report.records.every((r) => r.status === 'retained')).toBe(true);
    expect(report.outcome).toMatchObject({ status: 'completed', value: 'noted', equalsRecorded: true });
  });

  const inserted = program.replace(`const n =`, `const e = await ctx.model('extra', {});\n  const n =`);

  it('C2 M4 R36 an inserted model call is extra and the only place that blocks; supplied, the rest is reused', async () => {
    const events = await base();
    const blocked = await replay(events, { program: inserted });
    expect(blocked.result).toBe('blocked');
    expect(blocked.divergences[0]).toMatchObject({ kind: 'extra', path: '/model:extra#0' });
    expect(blocked.divergences.filter((d) => d.kind === 'extra')).toHaveLength(1);
    expect(paths(blocked.pending)).toEqual(['/model:extra#0']);
    expect(blocked.pending[0]).toMatchObject({ waitsFor: 'inserted', args: {} });
    expect(paths(blocked.reused)).toEqual(['/model:decide#0', '/decide:act#0', '/write:ticket#0']);
    const supplied = await replay(events, { program: inserted, supply: [{ path: '/model:extra#0', value: 'x' }] });
    expect(supplied.result).toBe('complete');
    expect(paths(supplied.inserted)).toEqual(['/model:extra#0']);
    expect(supplied.counts['reused']).toBe(5);
    expect(supplied.outcome.equalsRecorded).toBe(true);
  });

  it('C3 R36 a renamed effect is extra, the old one and what follows is missing, never identical', async () => {
    const report = await replay(await base(), { program: program.replace(`'ticket'`, `'ticket2'`) });
    expect(divergences(report)).toEqual(['extra /write:ticket2#0', 'missing /write:ticket#0', 'missing /model:note#0']);
    expect(report.result).toBe('blocked');
  });

  it('C4 R36 R44 the same effect with other arguments blocks there, and nothing is sent', async () => {
    const report = await replay(await base(), { program: program.replace('title: act', 'title: act + "!"') });
    expect(report.divergences[0]).toMatchObject({
      kind: 'args',
      path: '/write:ticket#0',
      differences: [{ pointer: '/title', recorded: 'open', now: 'open!' }],
    });
    expect(paths(report.pending)).toEqual(['/write:ticket#0']);
    expect(report.pending[0]?.waitsFor).toBe('changed');
    expect(report.lines.filter((line) => line.type.startsWith('effect.'))).toEqual([]);
    expect(report.lines.some((line) => line.type === 'tool_call.completed')).toBe(false);
  });

  it('C5 R36 R47 a removed effect is missing, its ticket an orphan, later unrelated commands are reused', async () => {
    const without = program.replace(/const t = .*\n/, `const t = { id: 8421 };\n`);
    const report = await replay(await base(), { program: without });
    expect(divergences(report)).toEqual(['missing /write:ticket#0']);
    expect(report.orphanEffects).toMatchObject([{ path: '/write:ticket#0', effects: [{ id: '8421' }] }]);
    expect(paths(report.reused)).toEqual(['/model:decide#0', '/decide:act#0', '/model:note#0', '/state:case#0']);
    expect(report.result).toBe('complete');
  });

  it('C10 R39 another text with the same action is cut off early: one superseded, the rest reused', async () => {
    const events = await base();
    const target = at(events, 'model_call.completed', '/model:decide#0');
    const report = await replay(events, {
      edits: [{ target: { event: target.id }, value: { action: 'open', text: 'other words' } }],
    });
    expect(report.result).toBe('complete');
    expect(paths(report.superseded)).toEqual(['/model:decide#0']);
    expect(report.counts).toMatchObject({ reused: 4, changed: 0, removed: 0, inserted: 0, pending: 0 });
    expect(report.outcome.equalsRecorded).toBe(true);
    expect(report.divergences).toEqual([]);
    expect(paths(report.savedByCutoff)).toContain('/write:ticket#0');
  });

  it('C11 I1 B1 an edit to an equal value is a no-op, identical, and the same branch when repeated', async () => {
    const events = await base();
    const target = { event: at(events, 'model_call.completed', '/model:decide#0').id };
    const one = await replay(events, { edits: [{ target, value: { text: 'please open it', action: 'open' } }] });
    const two = await replay(events, {
      edits: [{ target, value: { action: 'open', text: 'please open it' } }],
      author: { actor: { id: 'bob' }, at: '2025-05-05T00:00:00Z' },
    });
    expect(one).toMatchObject({ result: 'identical', noop: true, divergences: [] });
    expect(two.branch).toBe(one.branch);
    const other = await replay(events, { edits: [{ target, value: { action: 'close', text: '' } }] });
    expect(other.branch).not.toBe(one.branch);
  });

  it('C18 R38 R40 R41 a supplied decision names what it supersedes and the operation; the base is untouched', async () => {
    const events = await base();
    const before = JSON.stringify(events);
    const decision = at(events, 'decision.made');
    const report = await replay(events, { edits: [{ target: { event: decision.id }, value: 'close' }] });
    const line = report.lines.find((event) => event.type === 'decision.made');
    expect(line).toMatchObject({
      supersedes: decision.id,
      replay: report.operation?.op_id,
      branch: report.branch,
      origin: 'supplied',
      principal: { id: 'ada' },
      data: { result: 'close' },
    });
    expect(line?.agent).toBeUndefined();
    expect(line?.time).toBeUndefined();
    expect(JSON.stringify(events)).toBe(before);
    expect(paths(report.superseded)).toEqual(['/decide:act#0']);
    expect(report.reused[0]).toMatchObject({ path: '/model:decide#0', rule: 'M1' });
    expect(paths(report.pending)).toEqual(['/write:ticket#0']);
    expect(report.pending[0]?.reasons[0]).toEqual({ event: decision.id, as: 'selected_by' });
  });
});
