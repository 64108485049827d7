/** The commands of a loop, as the stage gives them to events of sessions. */
import { describe, expect, it } from 'vitest';
import { openFiles, textToSource } from '../testing/opening.ts';
import { expectSound } from '../testing/platforms.ts';

interface Line {
  readonly uuid: string;
  readonly parent?: string;
  readonly type?: 'user' | 'assistant';
  readonly id?: string;
  readonly content: unknown;
  readonly agent?: string;
}

const session = '0a1b2c3d-4e5f-4061-8071-2a3b4c5d6e7f';

function toText(lines: readonly Line[]): string {
  return lines
    .map(({ uuid, parent = null, type = 'user', id, content, agent }, n) =>
      JSON.stringify({
        uuid,
        parentUuid: parent,
        sessionId: session,
        isSidechain: agent !== undefined,
        agentId: agent,
        type,
        timestamp: `2026-01-01T00:00:${String(n).padStart(2, '0')}Z`,
        message: { role: type, id, content },
      }),
    )
    .join('\n');
}

async function commandsOf(...files: readonly (readonly Line[])[]): Promise<readonly string[]> {
  const opened = await openFiles(files.map((lines, n) => textToSource(`${String(n)}.jsonl`, toText(lines))));
  return opened.events.flatMap(({ event: { type, command } }) =>
    command === undefined ? [] : [`${type} ${command.path} ${command.issued ?? ''}>${command.delivered ?? ''}`],
  );
}

function use(id: string, name: string, input: object = {}): object {
  return { type: 'tool_use', id, name, input };
}

function result(id: string, content: string): object {
  return { type: 'tool_result', tool_use_id: id, content };
}

function answer(uuid: string, parent: string, id: string, content: unknown): Line {
  return { uuid, parent, id, content: [content], type: 'assistant' };
}

function said(text: string): object {
  return { type: 'text', text };
}

describe('the loop of a session', () => {
  it('order-of-log: a prompt, an answer on two lines, its calls at once, their results, and the wait for more', async () => {
    expect(
      await commandsOf([
        { uuid: 'u1', content: 'look' },
        answer('a1', 'u1', 'm1', use('t1', 'Read')),
        { uuid: 'r1', parent: 'a1', content: [result('t1', 'one')] },
        answer('a2', 'a1', 'm1', use('t2', 'Unknown')),
        { uuid: 'r2', parent: 'a2', content: [result('t2', 'two')] },
        answer('a3', 'r2', 'm2', said('done')),
      ]),
    ).toEqual([
      'input.received /signal:prompt#0 1>2',
      'model_call.completed /model:model#0 3>4',
      'decision.made /decide:tools#0 5>5',
      'tool_call.dispatched /read:Read=t1 5.1>',
      'tool_call.completed /read:Read=t1 >6',
      'tool_call.dispatched /write:Unknown=t2 5.2>',
      'tool_call.completed /write:Unknown=t2 >7',
      'model_call.completed /model:model#1 8>9',
      'signal.awaited /signal:prompt#1 10>',
    ]);
  });

  it('request-of-conversation: another result changes the next request and all after it, and none before', async () => {
    const requests = async (text: string): Promise<readonly (string | undefined)[]> => {
      const lines = [
        { uuid: 'u1', content: 'look' },
        answer('a1', 'u1', 'm1', use('t1', 'Read')),
        { uuid: 'r1', parent: 'a1', content: [result('t1', text)] },
        answer('a2', 'r1', 'm2', use('t2', 'Read')),
        { uuid: 'r2', parent: 'a2', content: [result('t2', 'two')] },
        answer('a3', 'r2', 'm3', said('done')),
      ];
      const opened = await openFiles([textToSource('x', toText(lines))]);
      return opened.events
        .filter(({ event }) => event.type === 'model_call.completed')
        .map(({ event }) => event.command?.args);
    };
    const [one, other] = [await requests('one'), await requests('other')];
    expect(one.map((args, n) => args === other[n])).toEqual([true, false, false]);
    expect(one.every((args) => args !== undefined)).toBe(true);
  });

  it('report-of-agent: two sub-agents stand behind the answer that started them, whichever file comes first', async () => {
    const main: readonly Line[] = [
      { uuid: 'u1', content: 'delegate' },
      {
        uuid: 'a1',
        parent: 'u1',
        type: 'assistant',
        id: 'm1',
        content: ['one', 'two'].map((name) => use(`t-${name}`, 'Task', { prompt: name })),
      },
      { uuid: 'r1', parent: 'a1', content: [result('t-one', 'did one')] },
      { uuid: 'r2', parent: 'a1', content: [result('t-two', 'did two')] },
      answer('a2', 'r2', 'm2', said('both')),
    ];
    const agent = (name: string): readonly Line[] => [
      { uuid: `${name}-u`, content: name, agent: name },
      { ...answer(`${name}-a`, `${name}-u`, `${name}-m`, said(`did ${name}`)), agent: name },
    ];
    const inside = [
      '/child:Task=t-one 5.1>',
      '/child:Task=t-two 5.2>',
      '/child:Task=t-one >6',
      '/child:Task=t-two >7',
      '/child:Task=t-one/model:model#0 5.1.1>5.1000000.1',
      '/child:Task=t-two/model:model#0 5.2.1>5.1000000.2',
      '/child:Task=t-one/read:report#0 5.2000000>5.2000000',
      '/child:Task=t-two/read:report#0 6.2000000>6.2000000',
    ];
    for (const files of [
      [main, agent('one'), agent('two')],
      [agent('one'), agent('two'), main],
    ]) {
      const told = (await commandsOf(...files)).map((line) => line.slice(line.indexOf(' ') + 1));
      expect(told.filter((line) => line.startsWith('/child')).toSorted()).toEqual(inside.toSorted());
    }
  });

  it('report-of-agent: a report stands behind the last words of its agent, and what was reported used it', async () => {
    const main: readonly Line[] = [
      { uuid: 'u1', content: 'delegate' },
      answer('a1', 'u1', 'm1', use('t1', 'Task', { prompt: 'one' })),
      { uuid: 'r1', parent: 'a1', content: [result('t1', 'did one')] },
    ];
    const agent: readonly Line[] = [
      { uuid: 'o-u', content: 'one', agent: 'one' },
      { ...answer('o-a', 'o-u', 'o-m', said('did one')), agent: 'one' },
    ];
    const causesOf = async (...files: readonly (readonly Line[])[]): Promise<readonly string[]> => {
      const opened = await openFiles(files.map((lines, n) => textToSource(String(n), toText(lines))));
      expectSound(opened);
      const types = new Map(opened.events.map(({ event }) => [event.id, event.type]));
      return opened.events.flatMap(({ event: { type, causes = [] } }) =>
        type === 'env.read' || type === 'agent.joined'
          ? [`${type} <- ${causes.map(({ event, as }) => `${as} ${types.get(event) ?? ''}`).join(', ')}`]
          : [],
      );
    };
    expect(await causesOf(agent, main)).toEqual([
      'env.read <- consumed model_call.completed',
      'agent.joined <- result_of agent.spawned, consumed model_call.completed, consumed env.read',
    ]);
    // Where the agent's log is not there, what was reported of it stands all the same.
    expect(await causesOf(main)).toEqual(['agent.joined <- result_of agent.spawned']);
  });

  it('a request that was tried again is one command, a failure that was the end of it is its outcome', async () => {
    const error = (uuid: string, parent: string) =>
      JSON.stringify({
        uuid,
        parentUuid: parent,
        sessionId: session,
        isSidechain: false,
        type: 'system',
        subtype: 'api_error',
        error: { status: 529 },
      });
    const text = [
      toText([{ uuid: 'u1', content: 'look' }]),
      error('e1', 'u1'),
      error('e2', 'e1'),
      toText([answer('a1', 'e2', 'm1', said('done')), { uuid: 'u2', parent: 'a1', content: 'more' }]),
      error('e3', 'u2'),
    ].join('\n');
    const opened = await openFiles([textToSource('x', text)]);
    const calls = opened.events
      .filter(({ event }) => event.type.startsWith('model_call.'))
      .map(({ event: { command } }) => [command?.path, command?.delivered]);
    expect(calls).toEqual([
      ['/model:model#0', undefined],
      ['/model:model#0', undefined],
      ['/model:model#0', '4'],
      ['/model:model#1', '8'],
    ]);
  });

  it('next-prompt: the wait is caused by the last answer, and is in no record that stops in the midst of a turn', async () => {
    const lines: readonly Line[] = [
      { uuid: 'u1', content: 'look' },
      answer('a1', 'u1', 'm1', use('t1', 'Read')),
      { uuid: 'r1', parent: 'a1', content: [result('t1', 'one')] },
      answer('a2', 'r1', 'm2', said('done')),
      { uuid: 'u2', parent: 'a2', content: 'more' },
    ];
    const waits = async (count: number): Promise<readonly string[]> => {
      const opened = await openFiles([textToSource('x', toText(lines.slice(0, count)))]);
      const { events } = opened;
      return events.flatMap(({ event: { type, causes = [] } }) =>
        type === 'signal.awaited'
          ? causes.map((cause) => {
              const found = events.find(({ event }) => event.id === cause.event)?.event.command?.path;
              return `${cause.as} ${found ?? 'nothing'}`;
            })
          : [],
      );
    };
    expect([await waits(1), await waits(2), await waits(3), await waits(4), await waits(5)]).toEqual([
      [],
      [],
      [],
      ['caused_by /model:model#1'],
      [],
    ]);
  });

  it('next-prompt: what was said in the midst of a turn that the record does not end was not waited for', async () => {
    const commands = await commandsOf([
      { uuid: 'u1', content: 'look' },
      answer('a1', 'u1', 'm1', use('t1', 'Read')),
      { uuid: 'u2', parent: 'a1', content: 'hurry' },
    ]);
    expect(commands.filter((line) => line.includes('/signal:'))).toEqual(['input.received /signal:prompt#0 1>2']);
  });
});
