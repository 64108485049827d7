import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runReplayCommand } from './replay.ts';

/** Small records of loops in which something is refused or odd, held against the reference program of that loop. */
const settings = { json: true, acceptFuture: false, allowHuge: false };
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hindcast-reference-'));
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

async function resultOf(program: string, record: unknown): Promise<unknown> {
  const path = join(folder, 'record.json');
  await writeFile(path, JSON.stringify(record));
  const { out = '' } = await runReplayCommand(path, { ...settings, program });
  return (JSON.parse(out) as { readonly result?: unknown }).result;
}

const task = [
  { role: 'system', content: 'You run commands.' },
  { role: 'user', content: 'fix it' },
];

function bash(id: string, text: string, name = 'bash'): object {
  return { id, type: 'function', function: { name, arguments: text } };
}

function asV2(...messages: readonly object[]): object {
  return { info: { mini_version: '2.2.0' }, trajectory_format: 'mini-swe-agent-1.1', messages: [...task, ...messages] };
}

const submit = 'echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT';
const submitted = [
  { role: 'assistant', content: null, tool_calls: [bash('z', JSON.stringify({ command: submit }))] },
  { role: 'exit', content: 'patch', extra: { exit_status: 'Submitted', submission: 'patch' } },
];

describe('mini-swe-agent', () => {
  it(
    'asks again after an answer with a call that is none, runs nothing of it, and goes on',
    { timeout: 60_000 },
    async () => {
      const again = (call: object): readonly object[] => [
        { role: 'assistant', content: 'x', tool_calls: [bash('a', '{"command":"ls"}'), call] },
        { role: 'user', content: 'That is no call.' },
      ];
      const calls = [
        bash('c', '{"command":'),
        bash('c', '{"cmd":1}'),
        bash('c', '{"command":"ls"}', 'python'),
        { id: 'c' },
      ];
      expect(await resultOf('mini-swe-agent', asV2(...calls.flatMap(again), ...submitted))).toBe('identical');
    },
  );

  it(
    'an answer that stands in the words about it; the Responses API; blocks of code',
    { timeout: 60_000 },
    async () => {
      const message = { role: 'assistant', content: 'hm', tool_calls: [bash('c', '{')] };
      const extra = { interrupt_type: 'FormatError', response: { id: 'r', choices: [{ message }] } };
      const refused = { role: 'user', content: 'No JSON.', extra };
      expect(await resultOf('mini-swe-agent', asV2(refused, ...submitted))).toBe('identical');
      const call = (id: string, command: string): object => ({
        object: 'response',
        id: `r${id}`,
        output: [{ type: 'function_call', call_id: id, name: 'bash', arguments: JSON.stringify({ command }) }],
      });
      const output = { type: 'function_call_output', call_id: 'c', output: 'a.txt', extra: { raw_output: 'a.txt' } };
      const responses = asV2(call('c', 'ls'), output, call('z', submit), ...submitted.slice(1));
      expect(await resultOf('mini-swe-agent', responses)).toBe('identical');
      const written = [
        ...task,
        { role: 'assistant', content: '```bash\nls\n```\n```bash\nrm x\n```' },
        { role: 'user', content: 'Found 2 actions.' },
        { role: 'assistant', content: '```bash\nls\n```' },
        { role: 'user', content: '<returncode>0</returncode>\n<output>a.txt</output>' },
        { role: 'assistant', content: `\`\`\`bash\n${submit}\n\`\`\`` },
        { role: 'user', content: 'patch' },
      ];
      expect(await resultOf('mini-swe-agent', written)).toBe('identical');
    },
  );
});

describe('tau-bench', () => {
  it('tells the model what failed, and goes on', { timeout: 60_000 }, async () => {
    const call = (id: string, name: string): object => ({
      role: 'assistant',
      content: null,
      tool_calls: [{ id, function: { name, arguments: '{"id":"x"}' } }],
    });
    const traj = [
      { role: 'user', content: 'cancel' },
      call('a', 'get_user_details'),
      { role: 'tool', tool_call_id: 'a', name: 'get_user_details', content: 'Error: user not found' },
      call('b', 'cancel_order'),
      { role: 'tool', tool_call_id: 'b', name: 'cancel_order', content: 'cancelled' },
      { role: 'assistant', content: 'done' },
      { role: 'user', content: '###STOP###' },
    ];
    expect(await resultOf('tau-bench', [{ task_id: 1, trial: 0, reward: 1, info: {}, traj }])).toBe('identical');
  });
});

describe('a record that stops', () => {
  it('of a session is repeated to its end wherever it was cut', { timeout: 60_000 }, async () => {
    const line = (type: string, payload: object): string =>
      JSON.stringify({ timestamp: '2026-01-01T00:00:00Z', type, payload });
    const item = (payload: object): string => line('response_item', payload);
    const said = (role: string, text: string): string =>
      item({ type: 'message', role, content: [{ type: role === 'user' ? 'input_text' : 'output_text', text }] });
    const call = (id: string): string =>
      item({ type: 'function_call', name: 'shell', call_id: id, arguments: '{"command":["ls"]}' });
    const told = (id: string): string => item({ type: 'function_call_output', call_id: id, output: 'a.txt' });
    const lines = [
      line('session_meta', { id: 's1', cwd: '/x', originator: 'codex', cli_version: '0.58.0' }),
      said('user', 'look'),
      call('c1'),
      call('c2'),
      told('c1'),
      told('c2'),
      said('assistant', 'done'),
      said('user', 'again'),
      call('c3'),
      told('c3'),
    ];
    const path = join(folder, 'cut.jsonl');
    for (let count = 3; count <= lines.length; count++) {
      await writeFile(path, lines.slice(0, count).join('\n'));
      const { code, out = '' } = await runReplayCommand(path, { ...settings, program: 'agent-session' });
      // Without one it is said which program there is.
      const bare = await runReplayCommand(path, settings);
      expect([bare.code, bare.out?.includes('--program agent-session')]).toEqual([2, true]);
      expect([count, code, (JSON.parse(out) as { readonly cause?: unknown }).cause]).toEqual([count, 0, null]);
    }
  });
});
