import { gzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import type { HindcastEvent } from '../../model/index.ts';
import {
  bytesToSource,
  listTraces,
  openFiles,
  type Opened,
  readTrace,
  textToSource,
  traceToSource,
  whereFound,
} from '../testing/opening.ts';
import { loopRules } from '../loop/rules.ts';
import { rules } from './rules.ts';

const session = '5e551011-0000-4000-8000-000000000001';

interface LineParts {
  readonly [key: string]: unknown;
}

function line(type: string, uuid: string, parent: string | null, more: LineParts): string {
  const second = String(uuid.length % 60).padStart(2, '0');
  const time = `2026-01-01T00:00:${second}.000Z`;
  return JSON.stringify({
    parentUuid: parent,
    sessionId: session,
    isSidechain: false,
    type,
    uuid,
    timestamp: time,
    version: '2.1.0',
    ...more,
  });
}

function said(uuid: string, parent: string | null, id: string, block: object, more: LineParts = {}): string {
  const usage = { input_tokens: 10, output_tokens: 6 };
  const message = {
    id,
    role: 'assistant',
    model: 'm-1',
    content: [block],
    stop_reason: null,
    usage,
    ...(more['message'] ?? {}),
  };
  return line('assistant', uuid, parent, { ...more, message });
}

function answered(uuid: string, parent: string, tool: string, content: unknown, more: LineParts = {}): string {
  const block = { type: 'tool_result', tool_use_id: tool, content, ...(more['block'] ?? {}) };
  return line('user', uuid, parent, { ...more, message: { role: 'user', content: [block] } });
}

function call(id: string, name: string, input: object = {}): object {
  return { type: 'tool_use', id, name, input };
}

const prompt = line('user', 'p', null, { message: { role: 'user', content: 'do it' } });

async function open(...lines: readonly string[]): Promise<Opened> {
  return openFiles([textToSource('session.jsonl', `${lines.join('\n')}\n`)]);
}

function byType({ events }: Opened, type: string): readonly HindcastEvent[] {
  return events.map(({ event }) => event).filter((event) => event.type === type);
}

/** Edges as "cause -as-> effect", with the rule of inferred ones. */
function edges({ events }: Opened): readonly string[] {
  const name = (id: string): string => id.slice(id.indexOf('/') + 1);
  return events
    .flatMap(({ event }) =>
      (event.causes ?? []).map(
        (c) => `${name(c.event)} -${c.as}${c.rule === undefined ? '' : ` ~${c.rule}`}-> ${name(event.id)}`,
      ),
    )
    .sort();
}

/** Whether a session waits for a prompt at its end follows the log, as positions do (`loop/README.md`). */
function withoutWait(opened: Opened): Opened {
  return { ...opened, events: opened.events.filter(({ event }) => event.type !== 'signal.awaited') };
}

describe('model messages', () => {
  const lines = [
    prompt,
    said('a1', 'p', 'msg1', { type: 'thinking', thinking: 'hm' }),
    said('a22', 'a1', 'msg1', call('t1', 'Read', { file: 'x' })),
    said('a333', 'a22', 'msg1', call('t2', 'Bash', { command: 'ls' }), {
      message: { stop_reason: 'tool_use', usage: { input_tokens: 10, output_tokens: 42 } },
    }),
    answered('r1', 'a22', 't1', 'text of x'),
    answered('r22', 'a333', 't2', [{ type: 'text', text: 'nothing' }]),
    said('b1', 'r22', 'msg2', { type: 'text', text: 'done' }),
  ];

  it('are one call for all lines of one id, with usage counted once', async () => {
    const opened = await open(...lines);
    const [first, second] = byType(opened, 'model_call.completed');
    expect(first?.data).toMatchObject({
      response_id: 'msg1',
      response_model: 'm-1',
      usage: { input_tokens: 10, output_tokens: 42 },
      finish_reasons: ['tool_use'],
      result: [{ type: 'thinking' }, { id: 't1' }, { id: 't2' }],
    });
    expect(second?.data).toMatchObject({ usage: { output_tokens: 6, counted_while_streaming: true } });
    expect(opened.counts).toEqual({ input: 7, mapped: 6, merged: 1, problems: 0 });
    expect(first?.imported?.extra?.['lines']).toMatchObject([{ uuid: 'a1' }, { uuid: 'a22' }, { uuid: 'a333' }]);
  });

  it('count tokens of the cache beside the input, once for all lines of a message', async () => {
    const usage = { input_tokens: 10, cache_creation_input_tokens: 15_962, cache_read_input_tokens: 0 };
    const first = { message: { usage: { ...usage, output_tokens: 1 } } };
    const last = { message: { stop_reason: 'tool_use', usage: { ...usage, output_tokens: 42 } } };
    const opened = await open(
      prompt,
      said('a1', 'p', 'msg1', { type: 'thinking', thinking: 'hm' }, first),
      said('a22', 'a1', 'msg1', call('t1', 'Read', { file: 'x' }), last),
    );
    const calls = byType(opened, 'model_call.completed').map(({ data }) => data);
    expect(calls).toMatchObject([{ usage: { ...usage, output_tokens: 42, input_excludes_cache: true } }]);
  });

  it('R17 join results to calls, calls to the decision, the next message to all answers before it', async () => {
    expect(edges(await open(...lines))).toEqual([
      'call:t1 -result_of-> r1',
      'call:t2 -result_of-> r22',
      'decision:msg1 -selected_by-> call:t1',
      'decision:msg1 -selected_by-> call:t2',
      'model:msg1 -consumed-> decision:msg1',
      'model:msg2 -caused_by ~next-prompt-> next-prompt',
      'p -caused_by-> model:msg1',
      'r1 -consumed ~answers-in-context-> model:msg2',
      'r22 -caused_by-> model:msg2',
      'r22 -consumed ~answers-in-context-> model:msg2',
      'run -caused_by ~run-of-session-> p',
    ]);
  });

  it('R16 give every tool call its session, step, agent and a path that no order can change', async () => {
    const [read, bash] = byType(await open(...lines), 'tool_call.dispatched');
    expect(read).toMatchObject({
      session,
      step: 'msg1',
      agent: 'main',
      command: { path: '/read:Read=t1', kind: 'read', identity: 'derived', attempt: 1 },
      data: { effect: 'none', effect_rule: 'tool-effects' },
    });
    expect(bash).toMatchObject({ command: { path: '/write:Bash=t2', kind: 'write' }, data: { effect: 'external' } });
  });

  it('do not depend on the order of lines or the names of files (R18)', async () => {
    const straight = withoutWait(await open(...lines));
    const mixed = [...lines.slice(3), ...lines.slice(0, 3)].reverse();
    const shuffled = withoutWait(await openFiles(mixed.map((text, n) => textToSource(`part-${n}`, text))));
    expect(edges(shuffled)).toEqual(edges(straight));
    // Positions, and paths that count, follow the log (`loop/README.md`); those of recorded ids do not.
    const keyed = ({ events }: Opened): unknown =>
      events.flatMap(({ event: { command } }) => (command?.path.includes('=') === true ? [command.path] : [])).sort();
    expect(keyed(shuffled)).toEqual(keyed(straight));
    const plain = ({ events }: Opened): unknown =>
      events
        .map(({ event }) => ({ ...event, imported: undefined, command: undefined }))
        .sort((a, b) => (a.id < b.id ? -1 : 1));
    expect(plain(shuffled)).toEqual(plain(straight));
  });
});

describe('what stands between and beside', () => {
  const asked = said('a', 'p', 'm1', call('t1', 'Read'));

  it('answers-in-context goes past records of the program; a message begins with its first line', async () => {
    const between = line('system', 'h', 'r1', { subtype: 'turn_duration' });
    const opened = await open(
      prompt,
      asked,
      answered('r1', 'a', 't1', 'x'),
      between,
      said('b', 'h', 'm2', { type: 'text', text: 'y' }),
    );
    expect(edges(opened)).toContain('r1 -consumed ~answers-in-context-> model:m2');
    const late = said('a4444', 'a', 'm1', call('t2', 'Read'));
    expect(byType(await open(prompt, asked, late), 'model_call.completed')[0]?.time).toBe('2026-01-01T00:00:01.000Z');
    expect(byType(await open(late, asked, prompt), 'run.started')[0]?.time).toBe('2026-01-01T00:00:01.000Z');
  });

  it('a record with two results is followed from its last one; one that names no call of two answers none', async () => {
    const both = said('a', 'p', 'm1', call('t1', 'Read'), {
      message: { content: [call('t1', 'Read'), call('t2', 'Bash')] },
    });
    const results = ['t1', 't2'].map((id) => ({ type: 'tool_result', tool_use_id: id, content: id }));
    const told = line('user', 'r', 'a', { message: { role: 'user', content: results } });
    const opened = await open(prompt, both, told, said('b', 'r', 'm2', { type: 'text', text: 'y' }));
    expect(edges(opened)).toContain('r:1 -caused_by-> model:m2');
    const nameless = line('user', 'r', 'a', {
      message: { role: 'user', content: [{ type: 'tool_result', content: 'x' }] },
    });
    expect(edges(await open(prompt, both, nameless)).filter((edge) => edge.includes('result_of'))).toEqual([]);
  });

  it('a result far from its call has its recorded parent too; a refused one the refusal', async () => {
    const hook = line('system', 'h', 'a', { subtype: 'hook' });
    const opened = await open(prompt, asked, hook, answered('r', 'h', 't1', 'x'));
    expect(edges(opened)).toContain('h -caused_by-> r');
    const denied = answered('r', 'a', 't1', 'no', { block: { is_error: true }, toolDenialKind: 'user' });
    expect(edges(await open(prompt, asked, denied))).toContain('r:denied -authorized_by-> r');
  });

  it('sole-task is no guess against the words: another prompt is another agent; prompts of agents are no forks', async () => {
    const task = said('a', 'p', 'm1', call('t1', 'Task', { prompt: 'one' }));
    const inner = (uuid: string, text: string) =>
      line('user', uuid, 'a', { isSidechain: true, message: { role: 'user', content: text } });
    const other = await open(prompt, task, inner('s', 'two'));
    expect(edges(other).filter((edge) => edge.startsWith('call:t1'))).toEqual([]);
    const forked = await open(prompt, task, inner('s', 'two'), inner('s2', 'three'));
    expect(forked.problems.map(({ code }) => code)).not.toContain('session-forks');
  });

  it('an output that two files of one name tell differently is not taken', async () => {
    const named = answered('r', 'a', 't1', 'Output in tool-results/o.txt');
    const stored = async (...texts: readonly string[]) => {
      const outputs = texts.map((text, n) => textToSource(`${String(n)}/tool-results/o.txt`, text));
      const opened = await openFiles([textToSource('s.jsonl', [prompt, asked, named].join('\n')), ...outputs]);
      return byType(opened, 'tool_call.completed')[0]?.data?.['stored_output'];
    };
    expect(await stored('x')).toMatchObject({ bytes: 1 });
    expect(await stored('x', 'y')).toBeUndefined();
  });
});

describe('errors', () => {
  it('retries are failed attempts of the message that came at last', async () => {
    const error = (uuid: string, parent: string, n: number): string =>
      line('system', uuid, parent, {
        subtype: 'api_error',
        retryAttempt: n,
        error: { status: 529, error: { error: { message: 'overloaded' } } },
      });
    const opened = await open(
      prompt,
      error('e1', 'p', 1),
      error('e2', 'e1', 2),
      said('a', 'e2', 'msg', { type: 'text', text: 'ok' }),
    );
    const failed = byType(opened, 'model_call.failed');
    expect(failed.map(({ command, data }) => [command?.path, command?.attempt, data?.['http_status']])).toEqual([
      ['/model:model#0', 1, 529],
      ['/model:model#0', 2, 529],
    ]);
    expect(failed[0]?.data).toMatchObject({ error: { message: 'overloaded' } });
    expect(byType(opened, 'model_call.completed')[0]?.command).toMatchObject({
      path: '/model:model#0',
      attempt: 3,
    });
  });

  it('R28 a refused or invalid call did not run, Bash with an error ran, others are left open', async () => {
    const failed = async (name: string, text: string, more: LineParts = {}) => {
      const opened = await open(
        prompt,
        said('a', 'p', 'm', call('t', name)),
        answered('r', 'a', 't', text, { ...more, block: { is_error: true } }),
      );
      const [event] = byType(opened, 'tool_call.failed');
      return [event?.data?.['executed'], event?.data?.['refused'], byType(opened, 'approval.denied').length];
    };
    expect(await failed('Edit', '<tool_use_error>File has not been read yet.</tool_use_error>')).toEqual([
      false,
      undefined,
      0,
    ]);
    expect(await failed('Write', 'no', { toolDenialKind: 'user-rejected' })).toEqual([false, true, 1]);
    expect(await failed('Write', "Claude requested permissions to write, but you haven't granted it yet.")).toEqual([
      false,
      true,
      0,
    ]);
    expect(await failed('Bash', 'ls: no such file')).toEqual([true, undefined, 0]);
    expect(await failed('Bash', '[Request interrupted by user for tool use]')).toEqual([undefined, undefined, 0]);
    expect(await failed('mcp__x__y', 'boom')).toEqual([undefined, undefined, 0]);
  });

  it('a synthetic API error is a failed call, another synthetic message is no call', async () => {
    const synthetic = { message: { model: '<synthetic>' } };
    const opened = await open(
      prompt,
      said(
        'a',
        'p',
        'm1',
        { type: 'text', text: 'API Error' },
        { ...synthetic, isApiErrorMessage: true, error: 'rate_limit' },
      ),
      said('b', 'a', 'm2', { type: 'text', text: 'No response requested.' }, synthetic),
    );
    expect(byType(opened, 'model_call.failed')[0]?.data).toMatchObject({
      error: { name: 'rate_limit', message: 'API Error' },
    });
    expect(byType(opened, 'message.sent')).toHaveLength(1);
    expect(byType(opened, 'model_call.completed')).toHaveLength(0);
  });

  it('an unanswered call stays open, an orphan result names the call that is not here', async () => {
    const opened = await open(prompt, said('a', 'p', 'm', call('t', 'Bash')), answered('r', 'a', 'lost', 'x'));
    expect(byType(opened, 'tool_call.dispatched')).toHaveLength(1);
    expect(edges(opened)).toContain('call:lost -result_of-> r');
  });

  it('a result without id answers the only call of its parent, by rule', async () => {
    const bare = { type: 'tool_result', content: 'x' };
    const result = line('user', 'r', 'a', { message: { role: 'user', content: [bare] } });
    const opened = await open(prompt, said('a', 'p', 'm', { type: 'tool_use', name: 'Bash', input: {} }), result);
    expect(edges(opened)).toContain('call:a#0 -result_of ~sole-tool-of-parent-> r');
  });
});

describe('sub-agents', () => {
  const main = [
    prompt,
    said('a', 'p', 'm1', call('t1', 'Task', { prompt: 'look' })),
    answered('r', 'a', 't1', 'found'),
  ];
  const side = (agentId?: string) => [
    line('user', 's1', null, { isSidechain: true, agentId, message: { role: 'user', content: 'look' } }),
    said('s22', 's1', 'm2', { type: 'text', text: 'found' }, { isSidechain: true, agentId }),
  ];

  it('in a file of their own, joined by the recorded agent id', async () => {
    const joined = main.with(2, answered('r', 'a', 't1', 'found', { toolUseResult: { agentId: 'ag1' } }));
    const opened = await openFiles([textToSource('x', joined.join('\n')), textToSource('y', side('ag1').join('\n'))]);
    expect(edges(opened)).toEqual(
      expect.arrayContaining(['call:t1 -caused_by-> s1', 'model:m2 -consumed ~last-message-of-agent-> r']),
    );
    const [spawned] = byType(opened, 'agent.spawned');
    expect(spawned).toMatchObject({
      data: { to: 'ag1', from: 'main' },
      command: { kind: 'child', path: '/child:Task=t1' },
    });
    expect(byType(opened, 'model_call.completed').map(({ agent, command }) => [agent, command?.path])).toContainEqual([
      'ag1',
      '/child:Task=t1/model:model#0',
    ]);
  });

  it('as a side chain of the same file, joined by the prompt, by rule', async () => {
    const opened = await open(...main, ...side());
    expect(edges(opened)).toContain('call:t1 -caused_by ~task-prompt-> s1');
    expect(byType(opened, 'message.sent')[0]).toMatchObject({ agent: 'sidechain:s1', data: { to: 'sidechain:s1' } });
  });

  it('are not joined by guess: two calls with one prompt', async () => {
    const second = said('a4444', 'a', 'm1', call('t2', 'Task', { prompt: 'look' }));
    expect(edges(await open(...main, second, ...side())).filter((edge) => edge.endsWith('-> s1'))).toEqual([]);
  });

  it('inline in progress records, once, also when their own file is opened with them', async () => {
    const inner = side('ag1').map(
      (text) => JSON.parse(text) as { uuid: string; type: string; message: unknown; timestamp: string },
    );
    const carried = inner.map(({ uuid, type, message, timestamp }, n) =>
      line('progress', `c${n}`, 'a', {
        parentToolUseID: 't1',
        data: { type: 'agent_progress', agentId: 'ag1', message: { type, uuid, message, timestamp } },
      }),
    );
    const inline = await open(...main, ...carried);
    expect(byType(inline, 'model_call.completed').filter(({ agent }) => agent === 'ag1')).toHaveLength(1);
    expect(edges(inline)).toContain('call:t1 -caused_by-> s1');
    for (const order of [0, 1]) {
      const files = [textToSource('x', [...main, ...carried].join('\n')), textToSource('y', side('ag1').join('\n'))];
      const both = await openFiles(order === 0 ? files : files.reverse());
      expect(byType(both, 'model_call.completed').filter(({ agent }) => agent === 'ag1')).toHaveLength(1);
      expect(both.counts).toMatchObject({ input: 7, problems: 0, merged: 2 });
    }
  });
});

describe('forks', () => {
  it('every way through a forest is kept and leads to the beginning of its run', async () => {
    const lines = [
      prompt,
      said('a', 'p', 'm1', { type: 'text', text: 'one' }),
      line('user', 'q1', 'a', { message: { role: 'user', content: 'go left' } }),
      said('b', 'q1', 'm2', { type: 'text', text: 'left' }),
      line('user', 'q2', 'a', { message: { role: 'user', content: 'go right' } }),
      said('c', 'q2', 'm3', { type: 'text', text: 'right' }),
      line('user', 'r2', null, { message: { role: 'user', content: 'a second root' } }),
    ];
    const opened = await open(...lines);
    expect(opened.problems.map(({ code }) => code)).toEqual(['session-forks']);
    const byId = new Map(opened.events.map(({ event }) => [event.id, event]));
    for (const { event } of opened.events) {
      let at: HindcastEvent | undefined = event;
      for (let steps = 0; at !== undefined && at.type !== 'run.started' && steps < 20; steps++) {
        const from: HindcastEvent['id'] | undefined = at.causes?.[0]?.event;
        at = from === undefined ? undefined : byId.get(from);
      }
      expect(at?.type).toBe('run.started');
    }
    expect(edges(opened)).toEqual(expect.arrayContaining(['model:m1 -caused_by-> q1', 'model:m1 -caused_by-> q2']));
  });

  it('a side chain whose call does not record its prompt is joined where nothing else fits', async () => {
    const side = line('user', 's1', null, {
      isSidechain: true,
      agentId: 'ag',
      message: { role: 'user', content: 'x' },
    });
    const opened = await open(prompt, said('a', 'p', 'm1', call('t1', 'Task', { description: 'd' })), side);
    expect(edges(opened)).toContain('call:t1 -caused_by ~sole-task-> s1');
    const two = await open(
      prompt,
      said('a', 'p', 'm1', call('t1', 'Task')),
      said('b', 'a', 'm1', call('t2', 'Task')),
      side,
    );
    expect(edges(two).filter((edge) => edge.includes('sole-task'))).toEqual([]);
  });
});

describe('records of other kinds', () => {
  it('R13, R65 unknown records are kept whole, and point where they say', async () => {
    const odd = line('quantum', 'q', 'p', { toolUseID: 't', __proto__: { x: 1 }, field: [1] });
    const opened = await open(prompt, said('a', 'p', 'm', call('t', 'Bash')), odd);
    const [event] = byType(opened, 'claude_code.quantum');
    expect(event?.data?.['record']).toEqual(JSON.parse(odd));
    expect(edges(opened)).toEqual(expect.arrayContaining(['p -caused_by-> q', 'call:t -caused_by-> q']));
  });

  it('compaction follows the logical parent', async () => {
    const cut = line('system', 'c', null, {
      subtype: 'compact_boundary',
      logicalParentUuid: 'p',
      compactMetadata: { trigger: 'auto', preTokens: 9 },
    });
    const opened = await open(prompt, cut);
    expect(byType(opened, 'history.compacted')[0]?.data).toMatchObject({ trigger: 'auto', pre_tokens: 9 });
    expect(edges(opened)).toContain('p -caused_by-> c');
  });

  it('R20 repeated records without identity are separate in one file, and the same file twice adds nothing', async () => {
    const anonymous = JSON.stringify({ type: 'mode', mode: 'plan', sessionId: session });
    const text = `${prompt}\n${anonymous}\n${anonymous}\n`;
    const once = await openFiles([textToSource('a', text)]);
    expect(byType(once, 'claude_code.mode')).toHaveLength(2);
    const twice = await openFiles([textToSource('a', text), textToSource('b', text)]);
    expect(twice.events.map(({ event }) => event.id)).toEqual(once.events.map(({ event }) => event.id));
    expect(twice.counts).toEqual({ input: 6, mapped: 3, merged: 3, problems: 0 });
  });

  it('R68 two records of one uuid are both kept, each under its own id', async () => {
    const other = line('user', 'p', null, { message: { role: 'user', content: 'do the other' } });
    const opened = await open(prompt, other);
    expect(new Set(byType(opened, 'input.received').map(({ id }) => id)).size).toBe(2);
    expect(opened.problems.map(({ code }) => code)).toEqual(['conflicting-id', 'conflicting-id']);
  });

  it('reads the web export, outputs of tools in files, and a document beside them', async () => {
    const lines = [
      prompt,
      said('a', 'p', 'm', call('t', 'Bash')),
      answered('r', 'a', 't', 'Output saved to: /x/tool-results/t9.txt'),
    ];
    const opened = await openFiles([
      textToSource('export.json', `{"title":"x","loglines":[${lines.join(',\n')}]}`, 33),
      textToSource('s/tool-results/t9.txt', 'the long output'),
      textToSource('s/subagents/agent-1.meta.json', '{\n "agentType": "x"\n}'),
    ]);
    expect(opened.counts).toEqual({ input: 6, mapped: 6, merged: 0, problems: 0 });
    const [stored] = byType(opened, 'content.stored');
    expect(byType(opened, 'tool_call.completed')[0]?.data?.['stored_output']).toEqual({
      $ref: stored?.data?.['digest'],
      bytes: 15,
      mediaType: 'text/plain',
    });
    expect(byType(opened, 'claude_code.export')[0]?.data?.['record']).toMatchObject({ title: 'x', loglines: [] });
    expect(byType(opened, 'claude_code.untyped')[0]?.data?.['record']).toEqual({ agentType: 'x' });
  });

  it('holds a chain of 50,000 records', { timeout: 120_000 }, async () => {
    const lines = [prompt];
    for (let n = 0; n < 50_000; n++)
      lines.push(line('progress', `u${n}`, n === 0 ? 'p' : `u${n - 1}`, { data: { type: 'x' } }));
    const opened = await open(...lines, said('a', 'u49999', 'm', { type: 'text', text: 'end' }));
    expect(opened.counts).toMatchObject({ input: 50_002, mapped: 50_002 });
  });
});

const real = listTraces('claude-code');

describe.skipIf(real.length === 0)(`real sessions${whereFound(real)}`, () => {
  const mains = real.filter((name) => name.endsWith('.jsonl') && !name.includes('/subagents/'));

  function checkAccount(opened: Opened): void {
    const { counts, events } = opened;
    expect(opened.error).toBeUndefined();
    expect(counts.mapped + counts.merged + counts.problems).toBe(counts.input);
    expect(new Set(events.map(({ event }) => event.id)).size).toBe(events.length);
    for (const { event } of events) {
      expect(event.imported?.format).toBe('claude-code');
      for (const cause of event.causes ?? [])
        expect(cause.rule === undefined || cause.rule in { ...rules, ...loopRules }).toBe(true);
    }
  }

  it.each(mains)('%s: every record is accounted for, no id is used twice', async (name) => {
    const text = new TextDecoder().decode(readTrace(name));
    const opened = await openFiles([traceToSource(name)]);
    checkAccount(opened);
    expect(opened.counts.input).toBe(text.split('\n').filter((one) => one.trim() !== '').length);
    expect(opened.counts.problems).toBe(name.includes('truncated') ? 1 : 0);
  });

  it.each(mains)('%s: cut, shuffled, doubled, packed and with CRLF', async (name) => {
    const bytes = readTrace(name);
    const text = new TextDecoder().decode(bytes);
    const whole = withoutWait(await openFiles([traceToSource(name)]));
    const ids = (opened: Opened): readonly string[] =>
      withoutWait(opened)
        .events.map(({ event }) => event.id)
        .sort();
    for (const share of [0.3, 0.77])
      checkAccount(await openFiles([bytesToSource('cut', bytes.subarray(0, Math.floor(bytes.length * share)))]));
    const lines = text.split('\n').filter((one) => one.trim() !== '');
    const shuffled = lines.map((one, n) => [(n * 7919) % 1009, one] as const).sort((a, b) => a[0] - b[0]);
    const mixed = await openFiles([textToSource('mixed', shuffled.map(([, one]) => one).join('\n'))]);
    checkAccount(mixed);
    expect(ids(mixed)).toEqual(ids(whole));
    expect(edges(withoutWait(mixed))).toEqual(edges(whole));
    expect(ids(await openFiles([traceToSource(name), bytesToSource('copy.gz', gzipSync(bytes))]))).toEqual(ids(whole));
    expect(ids(await openFiles([textToSource('crlf', `\ufeff${lines.join('\r\n')}`)]))).toEqual(ids(whole));
  });

  it('four parallel sub-agents in files of their own are joined to the calls that started them', async () => {
    const files = real.filter((name) => name.includes('b3a7bd3c'));
    const opened = await openFiles(files.map(traceToSource));
    checkAccount(opened);
    expect(
      byType(opened, 'agent.spawned')
        .map(({ data }) => data?.['to'])
        .sort(),
    ).toEqual(['a775a67', 'aa9d784', 'ac47f8c', 'ae52dab']);
    expect(edges(opened).filter((edge) => edge.includes('last-message-of-agent'))).toHaveLength(4);
    expect(new Set(opened.events.map(({ event }) => event.run)).size).toBe(1);
  });

  it('five side chains in one file are joined by their prompts', async () => {
    const opened = await openFiles([traceToSource('claude-code/ccviewer_fe5e1c67-53e7-4862-81ae-d0e013e3270b.jsonl')]);
    expect(edges(opened).filter((edge) => edge.includes('task-prompt'))).toHaveLength(5);
    expect(byType(opened, 'model_call.completed')).toHaveLength(170);
  });
});
