/**
 * Conformance cases 22 and 26, branch on branch, the validator, and what an operation writes.
 */
import { describe, expect, it } from 'vitest';
import { loadSandbox } from '../../../platform/sandbox/node.ts';
import { type HindcastEvent, eventToLine, parseEvent } from '../../model/index.ts';
import { parseLossless } from '../../base/lossless.ts';
import { runReplay } from '../replay.ts';
import { checkMixed } from '../testing/mixed-branches.ts';
import { operationToRequest } from '../testing/operation-again.ts';
import { previewEdits } from '../testing/preview.ts';
import { record } from '../testing/record.ts';
import { alter, at, paths, replay } from '../testing/replay-case.ts';
import { computeVerdict } from '../verdict.ts';

const rolling = `async function main(ctx, input) {
  const n = input.n ?? 0;
  const m = await ctx.model('work', { n, from: input.from ?? 'start' });
  await ctx.state('progress', { n });
  if (n < 2) return await ctx.rollover({ n: n + 1, from: m.kind });
  return m.kind;
}`;
const rollingHandlers = { 'model:work': (args: unknown) => ({ ok: { kind: 'k', text: JSON.stringify(args) } }) };

describe('branches', () => {
  it('C22 S1 S2 R50 an edit that carries the same state keeps later segments whole; another one invalidates them', async () => {
    const events = await record(rolling, { handlers: rollingHandlers });
    expect((await replay(events)).result).toBe('identical');
    expect((await replay(events)).commands.map((c) => c.path)).toContain('/seg:2/model:work#0');
    const target = { path: '/seg:1/model:work#0' };
    const same = await replay(events, { edits: [{ target, value: { kind: 'k', text: 'other' } }] });
    expect(same.result).toBe('complete');
    expect(same.reused.filter((item) => item.rule === 'segment').map((item) => item.path)).toEqual([
      '/model:work#0',
      '/state:progress#0',
      '/seg:2/model:work#0',
      '/seg:2/state:progress#0',
    ]);
    const other = await replay(events, { edits: [{ target, value: { kind: 'z', text: 'other' } }] });
    expect(paths(other.pending)).toEqual(['/seg:2/model:work#0']);
    expect(paths(other.removed)).toEqual(['/seg:2/state:progress#0']);
    expect(other.result).toBe('blocked');
  });

  const chain = `async function main(ctx) {
    const a = await ctx.model('a', {});
    const b = await ctx.read('b', { of: a.text }, { uses: [a] });
    const c = await ctx.model('c', { hint: 1 });
    const d = await ctx.write('d', { b }, { uses: [b] });
    return d;
  }`;
  const chainHandlers = { 'model:a': () => ({ ok: { text: 'A' } }), 'read:b': () => ({ ok: { found: 3 } }) };

  it('C26 I6 R39 the preview follows declared edges; early cut-off and undeclared edges are told apart', async () => {
    const events = await record(chain, { handlers: chainHandlers });
    const target = { event: at(events, 'model_call.completed', '/model:a#0').id };
    const edits = [{ target, value: { text: 'B' } }];
    const preview = previewEdits(events, { edits, supply: [] });
    const byPath = Object.fromEntries((preview.ok ? preview.value.items : []).map((item) => [item.path, item.status]));
    expect(byPath).toEqual({
      '/model:a#0': 'edited',
      '/read:b#0': 'falls',
      '/model:c#0': 'unknown',
      '/write:d#0': 'falls',
    });
    expect(preview.ok ? preview.value.insufficient : false).toBe(true);
    const item = preview.ok ? preview.value.items.find((i) => i.path === '/write:d#0') : undefined;
    expect(item?.reasons.at(-1)).toMatchObject({ event: target.event });
    const marks = new Map(preview.ok ? preview.value.events.map((one) => [one.event, one] as const) : []);
    const status = (type: string, path: string) => marks.get(at(events, type, path).id)?.status ?? 'stands';
    // Event by event: the request whose answer is edited stands, what carries the answer on does not.
    expect(status('model_call.requested', '/model:a#0')).toBe('stands');
    expect(status('model_call.completed', '/model:a#0')).toBe('edited');
    expect(status('tool_call.dispatched', '/read:b#0')).toBe('falls');
    expect(status('tool_call.completed', '/read:b#0')).toBe('falls');
    expect(status('model_call.completed', '/model:c#0')).toBe('unknown');
    expect(marks.get(at(events, 'model_call.requested', '/model:c#0').id)?.because).toBeUndefined();
    const walked: string[] = [];
    for (let here = marks.get(at(events, 'tool_call.dispatched', '/write:d#0').id); here?.because !== undefined;) {
      walked.push(here.because.event);
      here = marks.get(here.because.event);
    }
    expect(walked.at(-1)).toBe(target.event);
    const report = await replay(events, { edits, supply: [{ path: '/read:b#0', value: { found: 3 } }] });
    expect(paths(report.savedByCutoff)).toEqual(['/write:d#0']);
    expect(paths(report.changed)).toEqual(['/read:b#0']);
  });

  it('C26 R45 without references the preview says unknown, never retained, and needs no program', async () => {
    const stripped = (await record(chain, { handlers: chainHandlers })).map((event): HindcastEvent => {
      const { causes, ...rest } = event;
      const kept = causes?.filter((cause) => cause.as === 'result_of');
      return (
        event.type === 'run.started'
          ? { ...rest, data: {} }
          : { ...rest, ...(kept === undefined ? {} : { causes: kept }) }
      ) as HindcastEvent;
    });
    const edits = [{ target: { path: '/model:a#0' }, value: { text: 'B' } }];
    const preview = previewEdits(stripped, { edits, supply: [] });
    expect(preview.ok ? preview.value.items.map((item) => item.status) : []).toEqual([
      'edited',
      'unknown',
      'unknown',
      'unknown',
    ]);
    const report = await replay(stripped, { edits });
    expect(report.result).toBe('not-replayable');
    expect(report.preview?.counts.unknown).toBe(3);
  });

  it('C26 an edge nobody declared is found by running', async () => {
    const program = `async function main(ctx) { const a = await ctx.model('a', {}); const q = await ctx.read('q', {}, { uses: ['/model:other#0'] }); const o = await ctx.model('o', { a: a.text }, { uses: [q] }); return o; }`;
    const events = await record(program, {
      handlers: { 'model:a': () => ({ ok: { text: 'A' } }), 'read:q': () => ({ ok: { z: 1 } }) },
    });
    const report = await replay(events, { edits: [{ target: { path: '/model:a#0' }, value: { text: 'B' } }] });
    expect(paths(report.undeclaredEdges)).toEqual(['/model:o#0']);
    expect(report.pending[0]?.reasons).toEqual([
      { event: at(events, 'model_call.completed', '/model:a#0').id, as: 'undeclared' },
    ]);
  });

  it('B2 R41 R42 exporting a branch, importing it and replaying its operation gives the same lines', async () => {
    const events = await record(chain, { handlers: chainHandlers });
    const made = await replay(events, {
      edits: [{ target: { path: '/model:a#0' }, value: { text: 'B' } }],
      supply: [{ path: '/read:b#0', value: { found: 4 } }],
    });
    const stream = [...events, ...made.lines].map((event) => reparse(event));
    const request = operationToRequest(stream, made.branch, await loadSandbox());
    expect(request.ok).toBe(true);
    if (!request.ok) return;
    const again = await runReplay({ ...request.value, events: events.map(reparse) });
    expect(again.ok ? again.value.lines : []).toEqual(made.lines);
    expect(again.ok ? again.value.digests : undefined).toEqual(made.digests);
    expect(checkMixed(stream)).toEqual([]);
  });

  it('3.7 a branch is replayed like a recorded run, and edited again', async () => {
    const events = await record(chain, { handlers: chainHandlers });
    const first = await replay(events, { edits: [{ target: { path: '/model:a#0' }, value: { text: 'B' } }] });
    expect(paths(first.pending)).toEqual(['/read:b#0']);
    const stream = [...events, ...first.lines];
    const unedited = await replay(stream, { base: first.branch });
    expect(unedited.divergences).toEqual([]);
    expect(unedited.pending).toMatchObject([{ path: '/read:b#0', waitsFor: 'open-in-record', args: { of: 'B' } }]);
    const second = await replay(stream, { base: first.branch, supply: [{ path: '/read:b#0', value: { found: 5 } }] });
    expect(second.baseBranch).toBe(first.branch);
    expect(paths(second.pending)).toEqual(['/model:c#0']);
    const third = await replay(events, {
      edits: [{ target: { path: '/model:a#0' }, value: { text: 'B' } }],
      supply: [
        { path: '/read:b#0', value: { found: 5 } },
        { path: '/write:d#0', value: 1 },
      ],
    });
    expect(third.result).toBe('complete');
    const all = [...events, ...third.lines];
    expect((await replay(all, { base: third.branch })).result).toBe('identical');
    const fourth = await replay(all, { base: third.branch, edits: [{ target: { path: '/write:d#0' }, value: 2 }] });
    expect(fourth).toMatchObject({ result: 'complete', outcome: { value: 2 } });
    expect(checkMixed([...all, ...fourth.lines])).toEqual([]);
  });

  it('R42 a child that runs inside and comes to another value cites its recorded start, which the branch inherits', async () => {
    const events = await record(
      `async function main(ctx) { return ctx.child('c', {}, async (c) => (await c.model('a', {})).v); }`,
      { handlers: { 'model:a': () => ({ ok: { v: 1 } }) } },
    );
    const report = await replay(events, { edits: [{ target: { path: '/child:c#0/model:a#0' }, value: { v: 2 } }] });
    expect(report).toMatchObject({ result: 'complete', outcome: { value: 2 } });
    expect(paths(report.changed)).toEqual(['/child:c#0']);
    expect(checkMixed([...events, ...report.lines])).toEqual([]);
  });

  it('B2 R42 a policy that is asked otherwise is a request and its answer, and the branch is replayed unedited', async () => {
    const program = `async function main(ctx) {
      const m = await ctx.model('m', {});
      return ctx.read('policy:limit', { of: m.v });
    }`;
    const handlers = { 'model:m': () => ({ ok: { v: 1 } }), 'read:policy:limit': () => ({ ok: { verdict: 'allow' } }) };
    const events = await record(program, { handlers });
    const path = at(events, 'policy.evaluated').command?.path ?? '';
    const made = await replay(events, {
      edits: [{ target: { path: '/model:m#0' }, value: { v: 2 } }],
      supply: [{ path, value: { verdict: 'deny' } }],
    });
    expect(made.result).toBe('complete');
    const lines = made.lines.filter((line) => line.command?.path === path);
    expect(lines.map(({ type }) => type)).toEqual(['tool_call.dispatched', 'tool_call.completed']);
    expect(lines[1]?.causes).toEqual([{ event: lines[0]?.id, as: 'result_of' }]);
    const again = await replay([...events, ...made.lines], { base: made.branch });
    expect([again.result, again.outcome.value]).toEqual(['identical', { verdict: 'deny' }]);
  });

  it('B5 R43 a transition or cause of a sibling is reported as mixed-branch with both events', async () => {
    const events = await record(
      `async function main(ctx) { const a = await ctx.model('a', {}); await ctx.state('s', { v: a.v }); return a.v; }`,
      { handlers: { 'model:a': () => ({ ok: { v: 1 } }) } },
    );
    const left = await replay(events, { edits: [{ target: { path: '/model:a#0' }, value: { v: 2 } }] });
    const right = await replay(events, { edits: [{ target: { path: '/model:a#0' }, value: { v: 3 } }] });
    const stream = [...events, ...left.lines, ...right.lines];
    expect(checkMixed(stream)).toEqual([]);
    const sibling = at(left.lines, 'state.transitioned');
    const target = at(right.lines, 'state.transitioned');
    const tampered = stream.map((event) =>
      event === target ? alter(event, { causes: [{ event: sibling.id, as: 'consumed' }] }) : event,
    );
    expect(checkMixed(tampered)).toEqual([[target.id, sibling.id]]);
    const consuming = stream.map((event) =>
      event === target
        ? alter(event, { data: { name: 's', from: 7, to: 8 } })
        : event === sibling
          ? alter(event, { data: { name: 's', from: 0, to: 7 } })
          : event,
    );
    expect(checkMixed(consuming)).toEqual([[target.id, sibling.id]]);
    const inherited = events[1]?.id;
    const overwrites = stream.map((event) => (event === target ? { ...event, supersedes: inherited } : event));
    expect(checkMixed(overwrites)).toEqual([[target.id, inherited]]);
  });

  it('R46 R48 the report lists what a replay cannot repeat, and a verdict of the patched program', async () => {
    const events = await record(chain, { handlers: chainHandlers });
    const report = await replay(events, { program: chain.replace('return d', `await ctx.model('new', {}); return d`) });
    expect(report.cannotRepeat.join(' ')).toMatch(/external effects? (?:is|are) not executed again/);
    expect(computeVerdict(report)).toMatchObject({ verdict: 'extends', reuse: 1, extraModelCalls: 1, newEffects: [] });
    const early = await replay(events, {
      program: chain.replace('const b =', `await ctx.write('first', {}); const b =`),
    });
    expect(computeVerdict(early)).toMatchObject({ verdict: 'needs-observation', newEffects: ['/write:first#0'] });
    expect(computeVerdict(await replay(events)).verdict).toBe('identical');
  });
});

function reparse(event: HindcastEvent): HindcastEvent {
  const record = parseLossless(eventToLine(event));
  const parsed = record.ok ? parseEvent(record.value) : undefined;
  if (parsed?.ok !== true) throw new Error('an exported event is not valid');
  return parsed.value;
}
