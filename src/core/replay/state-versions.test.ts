import { beforeAll, describe, expect, it } from 'vitest';
import type { JsonValue } from '../base/json.ts';
import { type HindcastEvent, parseEvent } from '../model/index.ts';
import { dataOf } from './contents.ts';
import { computeStateVersions, toStateVersion } from './state-versions.ts';
import { drawEntry, drawJournal } from './testing/drawn-pass.ts';
import { record } from './testing/record.ts';
import { alter, replay } from './testing/replay-case.ts';

const program = `async function main(ctx) {
  await ctx.state('case', 'open');
  const order = await ctx.read('order', {});
  await ctx.state('case', order);
  await ctx.state('case', 'closed');
  return 'done';
}`;
let events: readonly HindcastEvent[];

beforeAll(async () => {
  events = await record(program, { handlers: { read: () => ({ ok: 'paid' }) } });
});

/** The same record with its versions 0, 1, 2, 3 called by other names. */
function named(names: readonly JsonValue[]): readonly HindcastEvent[] {
  return events.map((event) => {
    if (event.type !== 'state.transitioned') return event;
    const { from, to, ...data } = dataOf(event);
    const value = { ...data, from: names[Number(from)] ?? null, to: names[Number(to)] ?? 0 };
    return alter(event, { data: value });
  });
}

describe('versions of states as the record names them', () => {
  it.each([
    ['texts', ['ZZ', 'a', 'b', 'c']],
    ['nothing and texts', [null, 'a', 'b', 'c']],
    ['digits', ['0', '1', '2', '3']],
    ['numbers that do not count', [-1.5, 1e300, 1e301, 1.7e308]],
  ] as const)('I5 %s replay identically', async (_, names) => {
    expect((await replay(named(names))).sentence).toMatch(/^Identical/);
  });

  it('M6 a version consumed that is not the one made before is told', async () => {
    const forked = named(['r', 'a', 'a2', 'b']).map((event) =>
      event.type === 'state.transitioned' && event.data.to === 'b'
        ? alter(event, { data: { ...dataOf(event), from: 'a' } })
        : event,
    );
    expect((await replay(forked)).result).toBe('diverged');
  });

  it('I5 a branch names the versions it inherits as the record does', async () => {
    const all = named(['r', 'a', 'b', 'c']);
    const target = all.find(
      (event) => event.command?.path === '/read:order#0' && event.command.delivered !== undefined,
    );
    const report = await replay(all, { edits: [{ target: { event: target?.id ?? '' }, value: 'unpaid' }] });
    const made = report.lines.filter(({ type }) => type === 'state.transitioned').map((line) => dataOf(line));
    expect(made.map(({ from, to }) => [from, to])).toContainEqual(['a', 'b']);
    for (const line of report.lines) expect(parseEvent(JSON.parse(JSON.stringify(line)) as JsonValue).ok).toBe(true);
  });

  it('M6 S1 names are counted from where the segment starts, in the order of the record, and back', () => {
    const entry = (n: number, from: string, to: string) =>
      drawEntry(`/seg:1/state:case#${String(n)}`, to, { transition: { name: 'case', from, to, digest: undefined } });
    const journal = drawJournal(entry(0, 'b', 'c'), entry(1, 'c', 'd'));
    const { countOf, nameOf } = computeStateVersions(journal, new Map([['case', 2]]));
    expect(['b', 'c', 'd', 'a'].map((name) => countOf('case', name))).toEqual([2, 3, 4, undefined]);
    expect([2, 3, 4, 5].map((count) => nameOf('case', count))).toEqual(['b', 'c', 'd', 5]);
    const fromNothing = computeStateVersions(journal, new Map());
    expect(['b', 'c', 'd'].map((name) => fromNothing.countOf('case', name))).toEqual([0, 1, 2]);
  });

  it('digits in their one form are the number', () => {
    expect(['7', '07', '1e3', 'x', null, undefined, 2].map((version) => toStateVersion(version))).toEqual([
      7,
      '07',
      '1e3',
      'x',
      0,
      0,
      2,
    ]);
  });
});
