/** Values that no person wrote: of another run, and of a model that was asked (replay 3.8, O4). */
import { beforeAll, describe, expect, it } from 'vitest';
import type { HindcastEvent } from '../model/index.ts';
import { jsonToEditFile } from './edit-file.ts';
import { operationToEditFile } from './replay-again.ts';
import { dataOf } from './contents.ts';
import { operationToJson } from './operation.ts';
import { record } from './testing/record.ts';
import { replay, tryReplay } from './testing/replay-case.ts';

const program = `async function main(ctx, input) {
  const d = await ctx.model('decide', { q: 1 });
  return d.action;
}`;
const longer = program.replace(
  'return d.action;',
  `const n = await ctx.model('note', { d: d.action });
  await ctx.write('mail', { n });
  return n.text;`,
);
const call = {
  provider: 'chat',
  request_model: 'm-1',
  response_model: 'm-1-2026',
  parameters: { max_tokens: 100 },
  usage: { input_tokens: 12, output_tokens: 3 },
  cost: { amount: 0.0002, currency: 'USD' },
};
const live = { origin: 'live', call } as const;
const other = { origin: 'other-run', run: 'r-2', event: 'w:9' } as const;

let events: readonly HindcastEvent[];
beforeAll(async () => {
  events = await record(program, { handlers: { 'model:decide': () => ({ ok: { action: 'open' } }) } });
});

function supplyNote(from: typeof live | typeof other) {
  const supply = [{ path: '/model:note#0', value: { text: 'hi' }, from }];
  return replay(events, { program: longer, supply });
}

describe('a supplied value that no person wrote', () => {
  it('O4 of a live call is recorded with parameters, usage and price, and its origin is live', async () => {
    const { lines, operation } = await supplyNote(live);
    const ending = lines.find(({ type }) => type === 'model_call.completed');
    expect(ending).toMatchObject({ origin: 'live', data: { result: { text: 'hi' }, ...call } });
    expect(operation?.supplies[0]).toMatchObject({ replacement: { origin: 'live' }, from: live });
    expect(operation?.kind).toBe('patch');
  });

  it('O4 without another program makes an operation of kind live', async () => {
    const open = await record(longer, {
      handlers: { 'model:decide': () => ({ ok: { action: 'open' } }), 'model:note': () => ({ open: true }) },
    });
    const supply = [{ path: '/model:note#0', value: { text: 'hi' }, from: live }];
    expect((await replay(open, { supply })).operation?.kind).toBe('live');
  });

  it('O4 of another run names run and event', async () => {
    const { lines, operation } = await supplyNote(other);
    const ending = lines.find(({ type }) => type === 'model_call.completed');
    expect(ending).toMatchObject({ origin: 'other-run' });
    expect(ending === undefined ? undefined : dataOf(ending)).toEqual({
      result: { text: 'hi' },
      from: { run: 'r-2', event: 'w:9' },
    });
    const again = operation === undefined ? undefined : operationToEditFile(operationToJson(operation), undefined);
    expect(again?.supply).toEqual([{ path: '/model:note#0', value: { text: 'hi' }, from: other }]);
  });

  it.each([
    ['/write:mail#0', other, 'neither a model call nor a read'],
    ['/write:mail#0', live, 'only a model can be asked'],
    ['/read:price#0', live, 'only a model can be asked'],
    ['/timer:wait#0', other, 'neither a model call nor a read'],
  ])('O4 %s is refused what must not come from there', async (path, from, sentence) => {
    const refused = await tryReplay(events, { program: longer, supply: [{ path, value: 1, from }] });
    expect(refused).toMatchObject({ ok: false, error: expect.stringContaining(sentence) });
  });

  it('is read from an edit file, and a strange or double origin is refused', () => {
    const file = (more: object) => jsonToEditFile({ supply: [{ path: '/model:a#0', value: 1, ...more }] });
    expect(file({ from: other })).toMatchObject({ ok: true, value: { supply: [{ from: other }] } });
    expect(file({ from: live })).toMatchObject({ ok: true, value: { supply: [{ from: live }] } });
    for (const from of ['x', { origin: 'guess' }, { origin: 'other-run', run: 'r' }, { origin: 'live' }])
      expect(file({ from })).toMatchObject({ ok: false, error: expect.stringContaining('supply[0].from must be') });
    expect(file({ from: other, evidence: 'e' })).toMatchObject({ ok: false });
  });
});
