import { describe, expect, it } from 'vitest';
import { eventId } from '../model/index.ts';
import { entryToKey } from './protection.ts';
import { record } from './testing/record.ts';
import { alter, replay } from './testing/replay-case.ts';

const path = '/write:open#0';

function sent(idempotencyKey: string): Parameters<typeof entryToKey>[0] {
  return { path, attempts: [{ event: eventId('e'), incarnation: 'w1', attempt: 1, idempotencyKey }] };
}

it('R80 a key made by the runtime from run and path is none the program gave; what a branch says of its program wins', () => {
  expect(entryToKey(sent(`bd1c7cdeada7${path}`))).toBeUndefined();
  expect(entryToKey(sent('case-1'))).toBe('case-1');
  expect(entryToKey({ ...sent('case-1'), programKey: null })).toBeUndefined();
  expect(entryToKey({ ...sent(`x${path}`), programKey: 'case-2' })).toBe('case-2');
});

describe('B2 a command whose value was supplied or edited', () => {
  const keyed = `async function main(ctx) {
    const a = await ctx.read('find', {});
    const t = await ctx.write('open', { a: a.n }, { idempotencyKey: 'k1' });
    return t.id;
  }`;
  const programs = {
    without: keyed.replace(", { idempotencyKey: 'k1' }", ''),
    with: keyed,
    other: keyed.replace("'k1'", "'k2'"),
  };
  const handlers = { 'read:find': () => ({ ok: { n: 1 } }), 'write:open': () => ({ ok: { id: 1 } }) };
  const edit = (id: number) => [{ target: { path }, value: { id } }];

  it.each([
    ['without', 'with', 'with-key'],
    ['with', 'without', 'without-key'],
    ['with', 'other', 'other-key'],
  ] as const)(
    'keeps on its branch the key its program gave: recorded %s, patched %s',
    async (before, after, change) => {
      const events = await record(programs[before], { handlers });
      const first = await replay(events, { program: programs[after], edits: edit(2) });
      expect(first.protections.map((protection) => protection.change)).toEqual([change]);
      const all = [...events, ...first.lines];
      const again = await replay(all, { base: first.branch, edits: edit(3) });
      expect([again.outcome.value, again.protections]).toEqual([3, []]);
      const back = await replay(all, { base: first.branch, program: programs[before], edits: edit(3) });
      expect(back.protections).toHaveLength(1);
      // A branch of that branch still has it.
      const third = await replay([...all, ...again.lines], { base: again.branch, edits: edit(4) });
      expect(third.protections).toEqual([]);
    },
  );
});

it('R80 a key the runtime made and sent of itself is told beside the key of the program that came', async () => {
  const without = "async function main(ctx) { const t = await ctx.write('open', { a: 1 }); return t.id; }";
  const keyed = without.replace('{ a: 1 }', "{ a: 1 }, { idempotencyKey: 'k1' }");
  const handlers = { 'write:open': () => ({ ok: { id: 1 } }) };
  const plain = await record(without, { handlers });
  const sentOwn = plain.map((event): typeof event =>
    event.type === 'tool_call.dispatched'
      ? alter(event, { data: { args: { a: 1 }, idempotency_key: `run${path}` } })
      : event,
  );
  expect((await replay(plain, { program: keyed })).sentence).toContain('(recorded without)');
  const result = await replay(sentOwn, { program: keyed });
  expect(result.protections.map(({ change }) => change)).toEqual(['program-key']);
  expect(result.sentence).toContain("now with a key from the program (recorded with the runtime's own key)");
  expect((await replay(sentOwn, { program: without })).protections).toEqual([]);
});
