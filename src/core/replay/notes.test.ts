/** What a branch shows beside its commands: the notes of its own program, and nothing that rests on what it left out. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadSandbox } from '../../platform/sandbox/node.ts';
import { type JsonObject, isJsonObject } from '../base/json.ts';
import { parseLossless } from '../base/lossless.ts';
import { type HindcastEvent, parseEvent } from '../model/index.ts';
import { computeBranchEvents } from './branch-journal.ts';
import { textToEditFile } from './edit-file.ts';
import { runReplay } from './index.ts';
import type { ReplayReport } from './report-types.ts';
import { checkMixed } from './testing/mixed-branches.ts';
import { record } from './testing/record.ts';
import { alter, author, replay } from './testing/replay-case.ts';

const samples = join(import.meta.dirname, '../../../public/samples');

function readSample(name: string): readonly HindcastEvent[] {
  return readFileSync(join(samples, `${name}.hindcast.jsonl`), 'utf8')
    .trim()
    .split('\n')
    .map((line) => {
      const value = parseLossless(line);
      const event = value.ok ? parseEvent(value.value) : undefined;
      if (event?.ok !== true) throw new Error(`not an event: ${line.slice(0, 80)}`);
      return event.value;
    });
}

const desk = readSample('wrong-observation');
const story = textToEditFile(readFileSync(join(samples, 'wrong-observation.edit.json'), 'utf8'));
if (!story.ok) throw new Error(story.error);

function shown(base: readonly HindcastEvent[], report: ReplayReport): readonly HindcastEvent[] {
  return computeBranchEvents([...base, ...report.lines], report.run, ['main', report.branch]);
}

function dataOf(event: HindcastEvent): JsonObject {
  const data: unknown = event.data;
  return isJsonObject(data) ? data : {};
}

function artifacts(events: readonly HindcastEvent[]): readonly HindcastEvent[] {
  return events.filter(({ type }) => type === 'artifact.produced');
}

function stepsOf(events: readonly HindcastEvent[], type: 'step.started' | 'step.completed'): readonly string[] {
  return events.filter((event) => event.type === type).map(({ step }) => step ?? '');
}

async function replayDesk(supplied: number): Promise<ReplayReport> {
  if (!story.ok) throw new Error(story.error);
  const { edits, supply } = story.value;
  return replay(desk, { edits, supply: supply.slice(0, supplied) });
}

describe('what a program noted, on a branch', () => {
  it('B6 an artifact made of what changed is the one the branch made, never the recorded one', async () => {
    const report = await replayDesk(9);
    expect(report.result).toBe('complete');
    const before = artifacts(desk);
    const after = artifacts(shown(desk, report));
    const named = (events: readonly HindcastEvent[], name: string) =>
      events.filter((event) => dataOf(event)['name'] === name).map((event) => [event.branch, dataOf(event)]);
    expect(after).toHaveLength(before.length);
    const [[branch, findings] = []] = named(after, 'account-findings');
    expect(branch).toBe(report.branch);
    expect(JSON.stringify(findings)).not.toEqual(JSON.stringify(named(before, 'account-findings')[0]?.[1]));
    // The independent sub-agent's is the recorded one.
    const device = before.find(({ agent }) => agent === 'device');
    expect(after.map(({ id }) => id)).toContain(device?.id);
    expect(report.notes).toMatchObject({ added: 2, missing: 2 });
  });

  it('B6 every step the program went through is there once, inherited or its own', async () => {
    const after = shown(desk, await replayDesk(9));
    for (const type of ['step.started', 'step.completed'] as const)
      expect([...stepsOf(after, type)].sort()).toEqual([...stepsOf(desk, type)].sort());
  });

  it('B6 a branch that waits shows no step that its program did not come to, and no end of the one it waits in', async () => {
    const report = await replayDesk(0);
    expect(report.result).toBe('blocked');
    const after = shown(desk, report);
    const waits = '/par:account/child:account#0/step:state-coverage#0';
    expect(stepsOf(after, 'step.started')).toContain(waits);
    expect(stepsOf(after, 'step.completed')).not.toContain(waits);
    expect(stepsOf(after, 'step.started')).not.toContain('/step:open-ticket#0');
    expect(artifacts(after).map(({ agent }) => agent)).toEqual(['device']);
  });

  it('B6 a program that throws at once leaves nothing of its own in the branch', async () => {
    const report = await replay(desk, { program: 'async function main() { throw new Error("boom"); }' });
    const after = shown(desk, report);
    expect(after.filter(({ type }) => /^(?:step|artifact|policy|agent|decision|model_call)\./.test(type))).toEqual([]);
    expect(report.orphanEffects).toHaveLength(2);
    expect(after.filter(({ type }) => type === 'worker.spawned')).toHaveLength(1);
  });

  it('B7 what another component made of records that fell goes with them, to the end', async () => {
    const report = await replay(readSample('clean-control'), {
      program: 'async function main() { throw new Error("boom"); }',
    });
    const after = shown(readSample('clean-control'), report);
    expect(after.filter(({ type }) => /^(?:policy|approval|checkpoint)\./.test(type))).toEqual([]);
  });

  it('B5 B6 no branch of a sample is mixed', async () => {
    for (const report of [await replayDesk(0), await replayDesk(9)])
      expect(checkMixed([...desk, ...report.lines])).toEqual([]);
  });

  it('B6 an unedited replay leaves out and writes nothing', async () => {
    const made = await runReplay({ events: desk, sandbox: await loadSandbox(), author });
    if (!made.ok) throw new Error(made.error);
    expect(made.value.result).toBe('identical');
    expect(shown(desk, made.value).filter(({ branch }) => branch === 'main')).toEqual(desk);
  });

  it('B6 what is noted again on other grounds is a line of the branch that supersedes the record', async () => {
    const program = `async function main(ctx) {
      const answer = await ctx.model('decide', {}, {});
      ctx.record('artifact.produced', { name: 'memo', digest: 'none' }, { uses: [answer] });
      return 1;
    }`;
    const events = await record(program, { handlers: { model: () => ({ ok: { v: 'a' } }) } });
    const ending = events.find(({ type }) => type === 'model_call.completed');
    const memo = events.find(({ type }) => type === 'artifact.produced');
    if (ending === undefined || memo === undefined) throw new Error('not recorded');
    const cited = events.map((event) =>
      event === memo ? alter(memo, { causes: [{ event: ending.id, as: 'consumed' }] }) : event,
    );
    const report = await replay(cited, { edits: [{ target: { event: ending.id }, value: { v: 'b' } }] });
    const own = report.lines.find(({ type }) => type === 'artifact.produced');
    expect(own?.supersedes).toBe(memo.id);
    const delivered = report.lines.find(({ type }) => type === 'model_call.completed');
    expect(own?.causes).toMatchObject([{ event: delivered?.id, as: 'consumed' }]);
    expect(shown(cited, report).map(({ id }) => id)).not.toContain(memo.id);
  });

  it('B6 what a program notes in the name of another component is no line of its branch', async () => {
    const program = (extra: string) => `async function main(ctx) { ${extra} return 1; }`;
    const events = await record(program(''));
    const forged = `ctx.record('effect.committed', { effect: 'x', target: 'y' }); ctx.record('fault.injected', {});`;
    const report = await replay(events, { program: program(forged) });
    expect(report.lines.map(({ type }) => type)).not.toContain('effect.committed');
    expect(report.lines.map(({ type }) => type)).not.toContain('fault.injected');
  });
});

describe('notes under names of their own', () => {
  const custom = `async function main(ctx) {
    const answer = await ctx.model('decide', {}, {});
    ctx.record('custom.metric', { n: answer.n });
    ctx.record('effect.committed', { effect: { kind: 'x', id: '1' } });
    await ctx.model('report', { n: answer.n }, {});
    return 1;
  }`;
  const handlers = { 'model:decide': () => ({ ok: { n: 1 } }) };
  /** As a recording runtime writes them: none in the name of another component. */
  const recorded = async (): Promise<readonly HindcastEvent[]> =>
    (await record(custom, { handlers })).filter(({ type }) => type !== 'effect.committed');
  const metrics = (events: readonly HindcastEvent[]) =>
    events
      .filter(({ type }: { readonly type: string }) => type === 'custom.metric')
      .map((event) => [event.branch, dataOf(event)]);

  it('B6 are the same ones in a replay that is the record, and what no program may note is none', async () => {
    const report = await replay(await recorded());
    expect(report.result).toBe('identical');
    expect(report.notes).toEqual({ same: 1, added: 0, missing: 0 });
  });

  it('B6 stand once on a branch: the recorded one, or what its program noted instead', async () => {
    const events = await recorded();
    const edit = (target: { readonly path: string }, value: JsonObject) =>
      replay(events, { edits: [{ target, value }] });
    const later = await edit({ path: '/model:report#0' }, { ok: false });
    expect(later.notes).toEqual({ same: 1, added: 0, missing: 0 });
    expect(metrics(shown(events, later))).toEqual([['main', { n: 1 }]]);
    const other = await edit({ path: '/model:decide#0' }, { n: 2 });
    expect(other.notes).toEqual({ same: 0, added: 1, missing: 1 });
    expect(metrics(shown(events, other))).toEqual([[other.branch, { n: 2 }]]);
  });

  it('B6 of another component are none of the program', async () => {
    const events = await recorded();
    const [first] = events;
    if (first === undefined) throw new Error('not recorded');
    const told = alter(first, { id: 'p:0', type: 'custom.metric', source: { component: 'probe' }, data: { n: 7 } });
    const report = await replay([...events, told], { program: 'async function main() { return 2; }' });
    expect(report.notes).toEqual({ same: 0, added: 0, missing: 1 });
    expect(metrics(shown([...events, told], report))).toEqual([['main', { n: 7 }]]);
  });
});

describe('segments and branches of branches', () => {
  const rolling = `async function main(ctx, input) {
    const m = await ctx.step('s', (c) => c.model('m', { n: input.n }));
    ctx.record('artifact.produced', { name: 'memo' + input.n, digest: 'd' + input.n }, { uses: [m] });
    if (input.n < 2) await ctx.rollover({ n: input.n + 1, k: m.k });
    return m.k;
  }`;

  it('B6 S2 what segments that stand whole noted stands with them', async () => {
    const events = await record(rolling, { handlers: { model: () => ({ ok: { k: 'a', t: 1 } }) }, input: { n: 0 } });
    for (const path of ['/model:m#0', '/seg:2/model:m#0']) {
      const report = await replay(events, { edits: [{ target: { path }, value: { k: 'a', t: 2 } }] });
      const after = shown(events, report);
      expect(report.notes).toEqual({ same: 3, added: 0, missing: 0 });
      expect([...stepsOf(after, 'step.completed')].sort()).toEqual([...stepsOf(events, 'step.completed')].sort());
      expect(artifacts(after).map((event) => dataOf(event)['name'])).toEqual(
        expect.arrayContaining(['memo0', 'memo1', 'memo2']),
      );
      expect(artifacts(after)).toHaveLength(3);
    }
  });

  it('B6 S2 which notes stand does not depend on the order of the lines', async () => {
    const events = await record(rolling, { handlers: { model: () => ({ ok: { k: 'a', t: 1 } }) }, input: { n: 0 } });
    for (const path of ['/model:m#0', '/seg:1/model:m#0', '/seg:2/model:m#0']) {
      const edits = [{ target: { path }, value: { k: 'b', t: 2 } }];
      const forward = await replay(events, { edits });
      const backward = await replay(events.toReversed(), { edits });
      expect(backward.notes).toEqual(forward.notes);
      const idsOf = (report: ReplayReport) => shown(events, report).map(({ id }) => id);
      expect(idsOf(backward)).toEqual(idsOf(forward));
    }
  });

  it('B6 of equal notes the earlier ones stand, whatever the order of the lines', async () => {
    const program = (times: number) => `async function main(ctx) {
      for (let n = 0; n < ${times}; n++) ctx.record('custom.tick', {});
      return ${times};
    }`;
    const events = await record(program(3));
    const ticks = (from: readonly HindcastEvent[]) =>
      from.filter(({ type }: { readonly type: string }) => type === 'custom.tick').map(({ id }) => id);
    for (const base of [events, events.toReversed()]) {
      const report = await replay(base, { program: program(2) });
      expect(report.notes).toEqual({ same: 2, added: 0, missing: 1 });
      expect(ticks(shown(events, report))).toEqual(ticks(events).slice(0, 2));
    }
  });

  it('B6 segments that are not reached note nothing', async () => {
    const events = await record(rolling, { handlers: { model: () => ({ ok: { k: 'a', t: 1 } }) }, input: { n: 0 } });
    const report = await replay(events, { program: 'async function main() { throw new Error("boom"); }' });
    expect(stepsOf(shown(events, report), 'step.started')).toEqual([]);
  });

  it('B6 a branch of a branch shows each step once, where the first has no request of the recorded process', async () => {
    const started = desk.find(({ type }) => type === 'run.started');
    if (started === undefined) throw new Error('not recorded');
    const first = await replay(desk, { edits: [{ target: { input: true }, value: { case: 'CASE-1' } }] });
    expect(first.result).toBe('blocked');
    const events = [...desk, ...first.lines];
    const second = await replay(events, {
      base: first.branch,
      supply: [
        { path: '/read:cases.get#0', value: { case: 'CASE-1', product: 'p', email: 'e', name: 'n', serial: 's' } },
      ],
    });
    const after = computeBranchEvents([...events, ...second.lines], second.run, ['main', first.branch, second.branch]);
    const steps = stepsOf(after, 'step.started');
    expect(steps).toEqual([...new Set(steps)]);
    expect(steps).toContain('/step:read-case#0');
  });

  it('B7 what a harness found of the recorded run is not found of a branch that ends otherwise', async () => {
    const incident = readSample('ticket-incident');
    const report = await replay(incident, { program: 'async function main() { throw new Error("boom"); }' });
    const after = shown(incident, report).map(({ type }) => type);
    expect(after.filter((type) => /^(?:invariant|duplicate)\./.test(type) || type === 'trial.finished')).toEqual([]);
    expect(after).toContain('fault.injected');
  });

  it('B7 of an edited answer, what was made durable of the recorded one is left out', async () => {
    const after = shown(desk, await replayDesk(0));
    const path = '/par:account/child:account#0/read:customers.lookup#0';
    const types = after.filter(({ command }) => command?.path === path).map(({ type }) => type);
    expect(types).toContain('tool_call.acknowledged');
    expect(types).not.toContain('tool_call.result_persisted');
  });

  it('B6 a step that begins is inherited although what came before it is another record now', async () => {
    const report = await replayDesk(0);
    const begun = shown(desk, report).filter(({ type }) => type === 'step.started');
    expect(begun.every(({ branch }) => branch === 'main')).toBe(true);
  });
});
