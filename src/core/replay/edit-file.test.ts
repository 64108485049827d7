/** `EDIT.json`: what is read, and the sentence for what is not. */
import { describe, expect, it } from 'vitest';
import { textToEditFile } from './edit-file.ts';
import { record } from './testing/record.ts';
import { at, replay, tryReplay } from './testing/replay-case.ts';

describe('edit file', () => {
  it('reads edits by event, path and input, supplied values and a reason', () => {
    const text = `{"edits":[{"target":{"event":"w:1"},"value":null},{"target":{"path":"/a#0"},"error":{"name":"E","message":"m"}},{"target":{"input":true},"value":{"q":1}}],"supply":[{"path":"/b#0","value":3}],"reason":"why"}`;
    expect(textToEditFile(text)).toEqual({
      ok: true,
      value: {
        edits: [
          { target: { event: 'w:1' }, value: null },
          { target: { path: '/a#0' }, error: { name: 'E', message: 'm' } },
          { target: { input: true }, value: { q: 1 } },
        ],
        supply: [{ path: '/b#0', value: 3 }],
        reason: 'why',
      },
    });
  });

  it.each([
    ['', 'not JSON'],
    ['[]', 'must be an object'],
    ['{"edit":[]}', 'unknown member "edit"'],
    ['{"edits":{}}', '"edits" must be a list'],
    ['{"edits":[{"value":1}]}', 'edits[0] needs a "target"'],
    ['{"edits":[{"target":{"event":"a"}}]}', 'exactly one of "value" and "error"'],
    ['{"edits":[{"target":{"event":"a","path":"b"},"value":1}]}', 'exactly one of {"event"'],
    ['{"edits":[{"target":{"input":true},"error":{"name":"E","message":"m"}}]}', 'can only have a "value"'],
    ['{"edits":[{"target":{"path":"a"},"error":{"name":"E"}}]}', 'must have a "name" and a "message"'],
    ['{"supply":[{"value":1}]}', 'supply[0] needs a "path"'],
    ['{"supply":[{"path":"a","value":1},{"path":"a","value":2}]}', 'supply[1] gives a second value for a'],
    ['{"edits":[{"target":{"path":"a"},"value":1},{"target":{"path":"a"},"value":1}]}', 'edits[1] gives a second'],
    [
      '{"edits":[{"target":{"input":true},"value":1},{"target":{"input":true},"value":2}]}',
      'the input, which edits[0]',
    ],
    ['{"edits":[{"target":{"path":"a"},"value":1,"note":"x"}]}', 'edits[0] has an unknown member "note"'],
    ['{"edits":[{"target":{"path":"a"},"value":1,"value":2}]}', 'edits[0] has the member "value" twice'],
    ['{"edits":[{"target":{"path":"a"},"value":[{"x":1,"x":2}]}]}', 'edits[0] gives the member "x" twice; keep one.'],
    ['{"supply":[{"path":"a","value":{"n":1e400}}]}', 'supply[0] has 1e400, which is no finite number for a program.'],
    ['{"edits":[],"edits":[]}', 'The edit file cannot be used: it has the member "edits" twice; keep one.'],
    ['{"edits":[{"target":{"event":"a","event":"b"},"value":1}]}', 'edits[0].target has the member "event" twice'],
    ['{"supply":[{"path":"a","value":1,"Evidence":"e"}]}', 'supply[0] has an unknown member "Evidence"'],
    ['{"supply":[{"path":"a","error":{"name":"E","message":"m","code":1}}]}', 'supply[0].error has an unknown member'],
    ['{"edits":[],"reason":1}', '"reason" must be text'],
    ['{}', 'it changes nothing: it has neither "edits" nor "supply". An edit file is {"edits": '],
  ])('%s: %s', (text, sentence) => {
    const result = textToEditFile(text);
    expect(result.ok ? '' : result.error).toContain(sentence);
  });

  it('cuts a member of a million letters in its sentence', () => {
    const result = textToEditFile(`{"${'k'.repeat(1_000_000)}":1}`);
    expect(result.ok ? '' : result.error).toContain(`it has an unknown member "${'k'.repeat(199)}…".`);
  });

  it('refuses targets that are not observations, and says what to edit', async () => {
    const events = await record(
      `async function main(ctx) { const a = await ctx.write('w', {}); await ctx.state('s', a); return a; }`,
      { handlers: { 'write:w': () => ({ ok: 1, effects: [{ id: 'e' }] }) } },
    );
    const attempt = async (target: { event: string } | { path: string }): Promise<string> => {
      const result = await tryReplay(events, { edits: [{ target, value: 2 }] });
      return result.ok ? 'accepted' : result.error;
    };
    expect(await attempt({ event: 'nowhere' })).toContain('There is no event nowhere');
    expect(await attempt({ path: '/none#0' })).toContain('use "supply"');
    expect(await attempt({ event: at(events, 'effect.committed').id })).toContain(
      'is not an observation or a decision',
    );
    expect(await attempt({ event: at(events, 'state.transitioned').id })).toContain(
      'a state is computed by the program',
    );
    expect(await attempt({ event: at(events, 'tool_call.dispatched').id })).toBe('accepted');
  });

  it('O2 refuses a second edit of one command, by whatever name', async () => {
    const events = await record(`async function main(ctx) { return await ctx.model('a', {}); }`);
    const event = at(events, 'model_call.completed').id;
    const result = await tryReplay(events, {
      edits: [
        { target: { event }, value: 1 },
        { target: { path: '/model:a#0' }, value: 2 },
      ],
    });
    expect(result.ok ? '' : result.error).toBe(
      'edits[1] gives a second value for /model:a#0, which edits[0] has already; keep one.',
    );
  });

  it('says when a supplied value was not needed', async () => {
    const events = await record(`async function main(ctx) { return await ctx.model('a', {}); }`);
    const report = await replay(events, {
      supply: [
        { path: '/model:a#0', value: 1 },
        { path: '/model:z#0', value: 1 },
      ],
    });
    expect(report.warnings).toHaveLength(2);
    expect(report.reused).toHaveLength(1);
  });

  it('tells many supplied values that were not needed as one, with their number and the first of them', async () => {
    const events = await record(`async function main(ctx) { return await ctx.model('a', {}); }`);
    const unused = (count: number) => Array.from({ length: count }, (_, n) => ({ path: `/model:z#${n}`, value: n }));
    const few = await replay(events, { supply: [...unused(3), { path: '/model:a#0', value: 1 }] });
    expect(few.warnings).toEqual([
      ...unused(3).map(
        ({ path }) => `The supplied value for ${path} was not used: the branch never issued that command.`,
      ),
      'The supplied value for /model:a#0 was not used: the recorded observation still holds.',
    ]);
    const many = await replay(events, { supply: unused(200) });
    expect(many.warnings).toEqual([
      '200 supplied values were not used, for the branch never issued their commands: /model:z#0, /model:z#1, /model:z#2 and 197 more.',
    ]);
  });
});
