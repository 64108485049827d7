/** What a service told under a key, where more than one command was sent under it. */
import { describe, expect, it } from 'vitest';
import { eventId, parseEvent } from '../model/index.ts';
import { record, testRun } from './testing/record.ts';
import { replay, tryReplay } from './testing/replay-case.ts';

const program = `async function main(ctx) {
  return await ctx.all({
    a: (c) => c.write('t', { n: 1 }, { idempotencyKey: 'K' }),
    b: (c) => c.write('t', { n: 1 }, { idempotencyKey: 'K' }),
  });
}`;
const [a, b] = ['/par:a/write:t#0', '/par:b/write:t#0'];

async function recorded() {
  const events = await record(program, { handlers: { 'write:t': () => ({ open: true }) } });
  const told = parseEvent({
    v: 1,
    id: 'told',
    type: 'effect.committed',
    run: testRun,
    branch: 'main',
    source: { component: 'tickets' },
    data: { effect: { kind: 'ticket', id: '8421' }, idempotency_key: 'K', settled: 'executed' },
  });
  if (!told.ok) throw new Error(told.error.message);
  return [...events, told.value];
}

describe('D R47 evidence by key', () => {
  it('settles whichever of the commands under the key it is adopted for, and only one of them', async () => {
    const events = await recorded();
    const adopt = (path = '') => ({ path, value: { id: 8421 }, evidence: eventId('told') });
    for (const [one, other] of [
      [a, b],
      [b, a],
    ]) {
      const made = await replay(events, { supply: [adopt(one)] });
      expect([made.pending, made.uncertain].map((items) => items.map(({ path }) => path))).toEqual([[], [other]]);
    }
    const both = await tryReplay(events, { supply: [adopt(a), adopt(b)] });
    expect(both).toMatchObject({
      ok: false,
      error: `told was already adopted for ${a}; one effect settles one command.`,
    });
  });
});
