/** Values of EDIT.json that look like nothing control code is used to receive: told, and replayed all the same. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { HindcastEvent } from '../model/index.ts';
import { record } from './testing/record.ts';
import { replay } from './testing/replay-case.ts';

const program = `async function main(ctx, input) {
  const d = await ctx.read('desk.find', { q: 1 });
  const act = ctx.decide('act', 'open', { alternatives: ['open', 'close'], uses: [d] });
  const m = await ctx.model('note', { act });
  return [d, act, m];
}`;
const schema = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } };

let events: readonly HindcastEvent[];
beforeAll(async () => {
  events = await record(program, {
    input: { case: 1 },
    tools: [{ name: 'desk.find', effect: 'none', result: schema }],
    handlers: { 'read:desk.find': () => ({ ok: { id: 7 } }), 'model:note': () => ({ ok: { text: 'hi' } }) },
  });
});

async function warningsOf(path: string, value: string | number | object): Promise<readonly string[]> {
  // Cast: plain JSON, written here.
  return (await replay(events, { edits: [{ target: { path }, value: value as never }] })).warnings;
}

describe('numbers that a program cannot hold', () => {
  it('are told with what it gets instead, however they are written', async () => {
    const value = { id: { $num: '9007199254740993' }, same: [{ $num: '1e21' }, { $num: '-0' }, { $num: '12.50' }] };
    expect(await warningsOf('/read:desk.find#0', value)).toContain(
      'The value for /read:desk.find#0 has the number 9007199254740993, which a program cannot hold exactly; it gets 9007199254740992.',
    );
    expect((await warningsOf('/read:desk.find#0', value)).filter((text) => text.includes('cannot hold'))).toHaveLength(
      1,
    );
    const many = Array.from({ length: 9 }, (_, n) => ({ $num: `1e-${String(400 + n)}` }));
    const told = await warningsOf('/model:note#0', many);
    expect(told.slice(1, 5).map((text) => text.slice(-40))).toEqual([
      ...Array<string>(3).fill('a program cannot hold exactly; it gets 0.'.slice(-40)),
      '6 more numbers are rounded in the same way.'.slice(-40),
    ]);
  });

  it('are refused where they are no finite number at all', async () => {
    for (const token of ['1e400', '-1e400'])
      await expect(warningsOf('/read:desk.find#0', { id: [{ $num: token }] })).rejects.toThrow(
        `edits[0] has ${token}, which is no finite number for a program.`,
      );
  });
});

describe('the shape of edited and supplied values', () => {
  it('names what a recorded schema forbids, and what was recorded where no schema was', async () => {
    expect(await warningsOf('/read:desk.find#0', { id: 'x' })).toEqual([
      'The edit of /read:desk.find#0: /id is text; the schema wants a whole number. Checked against the schema recorded for desk.find.',
    ]);
    expect(await warningsOf('/read:desk.find#0', { id: 8 })).toEqual([]);
    expect(await warningsOf('/model:note#0', { txt: 'hi' })).toEqual([
      'The edit of /model:note#0: The value has no “text”, which every recorded value has. The value has “txt”, which no recorded value has. Checked against the one value seen of note; no schema was recorded.',
    ]);
  });

  it('names the alternatives a decision had', async () => {
    expect(await warningsOf('/decide:act#0', 'shout')).toEqual([
      'The edit of /decide:act#0: The decision had other alternatives: "open", "close". Checked against the alternatives recorded with this decision.',
    ]);
    expect(await warningsOf('/decide:act#0', 'close')).toEqual([]);
  });

  it('checks the input, and values supplied to commands that the record has not', async () => {
    const input = await replay(events, { edits: [{ target: { input: true }, value: { cased: 1 } }] });
    expect(input.warnings[0]).toContain('The edited input: The value has no “case”');
    const longer = program.replace('return', "const e = await ctx.read('desk.find', { q: 2 });\n  return");
    const { warnings } = await replay(events, {
      program: longer,
      supply: [{ path: '/read:desk.find#1', value: 'nobody' }],
    });
    expect(warnings).toEqual([
      'The supplied value for /read:desk.find#1: The value is text; the schema wants an object. Checked against the schema recorded for desk.find.',
    ]);
  });
});
