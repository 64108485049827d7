/** Several files of Claude Code: what belongs to one session is one trace, and other sessions are others (R17, R18). */
import { describe, expect, it } from 'vitest';
import type { SourceFile, TraceEntry } from '../format.ts';
import { listTraces } from '../import.ts';
import { openFiles, textToSource } from '../testing/opening.ts';

interface Line {
  readonly session?: string;
  readonly uuid: string;
  readonly parent?: string;
  readonly text: string;
  readonly at?: number;
  readonly agent?: string;
}

function lineOf({ session, uuid, parent, text, at = 0, agent }: Line): string {
  return JSON.stringify({
    type: 'user',
    ...(session === undefined ? {} : { sessionId: session }),
    uuid,
    parentUuid: parent ?? null,
    isSidechain: agent !== undefined,
    ...(agent === undefined ? {} : { agentId: agent }),
    timestamp: `2026-01-0${String(at + 1)}T00:00:00.000Z`,
    message: { role: 'user', content: text },
  });
}

function fileOf(name: string, ...lines: readonly Line[]): SourceFile {
  return textToSource(name, `${lines.map(lineOf).join('\n')}\n`);
}

async function traces(files: readonly SourceFile[]): Promise<readonly TraceEntry[]> {
  const found = await listTraces(files);
  if (!found.ok) throw new Error(found.error.message);
  return found.value.flatMap((format) => format.traces);
}

const first = fileOf(
  'p/s1.jsonl',
  { session: 's1', uuid: 'a1', text: '<command>init</command>', at: 1 },
  { session: 's1', uuid: 'a2', parent: 'a1', text: 'Mend the   login', at: 1 },
);
const second = fileOf('p/s2.jsonl', { session: 's2', uuid: 'b1', text: 'Write a test', at: 2 });
const agent = fileOf('p/s1/subagents/agent-x.jsonl', { uuid: 'c1', text: 'look around', agent: 'x' });

describe('sessions that were picked together', () => {
  it('are traces of their own, each with its sub-agents, named by what was asked', async () => {
    expect(await traces([second, agent, first])).toEqual([
      {
        key: 's2',
        title: 's2',
        about: 'Write a test',
        records: 1,
        startedAt: '2026-01-03T00:00:00.000Z',
        files: ['p/s2.jsonl'],
      },
      {
        key: 's1',
        title: 's1',
        about: 'Mend the login',
        records: 3,
        startedAt: '2026-01-01T00:00:00.000Z',
        files: ['p/s1/subagents/agent-x.jsonl', 'p/s1.jsonl'],
      },
    ]);
  });

  it('the chosen one is read with its files and no other', async () => {
    const { events, counts } = await openFiles([second, agent, first], { trace: 's1' });
    expect(counts.input).toBe(3);
    expect(new Set(events.flatMap(({ event }) => event.imported?.file ?? []))).toEqual(
      new Set(['p/s1.jsonl', 'p/s1/subagents/agent-x.jsonl']),
    );
    expect((await openFiles([second, agent, first])).counts.input).toBe(4);
  });

  it.each<readonly [string, readonly SourceFile[]]>([
    ['one session and its folder', [first, agent]],
    ['files of one session', [first, fileOf('other.jsonl', { session: 's1', uuid: 'd1', text: 'more' })]],
    [
      'a session that goes on from a record of another',
      [first, fileOf('n.jsonl', { session: 's9', uuid: 'e1', parent: 'a2', text: 'on' })],
    ],
    [
      'a session that was copied into the next',
      [first, fileOf('n.jsonl', { session: 's9', uuid: 'a2', text: 'Mend the   login' })],
    ],
    [
      'a summary of another',
      [first, textToSource('n.jsonl', '{"type":"summary","summary":"Login","leafUuid":"a2"}\n')],
    ],
    [
      'a side chain that names no session',
      [first, fileOf('q/agent-y.jsonl', { uuid: 'f1', text: 'look', agent: 'y' })],
    ],
    ['the output of a tool', [first, textToSource('tool-results/out.txt', 'plain words\n')]],
    [
      'what stands beside it under its name',
      [agent, textToSource('p/s1/subagents/agent-x.meta.json', '{"agentType":"explore"}')],
    ],
  ])('nothing is to choose: %s', async (_, files) => {
    expect(await traces(files)).toEqual([]);
  });

  it('two files of one name in other folders are two sessions', async () => {
    const files = [
      fileOf('a/log.jsonl', { session: 's1', uuid: 'a1', text: 'one' }),
      fileOf('b/log.jsonl', { session: 's2', uuid: 'b1', text: 'two' }),
    ];
    expect((await traces(files)).map(({ about }) => about)).toEqual(['one', 'two']);
  });
});
