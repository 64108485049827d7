/**
 * A program that re-issues the recorded calls is no program: where the order of unrelated recorded commands is another, or one of them is
 * missing, each reference program must tell it. From real files where there are, so that no record was made for its program.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { referencePrograms } from '../core/formats/reference-programs.ts';
import { listTraces, readTrace, whereFound } from '../core/formats/testing/opening.ts';
import { runExport } from './export.ts';
import { runReplayCommand } from './replay.ts';

const settings = { json: true, acceptFuture: false, allowHuge: false };
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hindcast-hold-'));
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

/** A real file of each, of which the program repeats everything. */
const files: Readonly<Record<string, string>> = {
  'agent-session': 'claude-code/ccviewer_1af7fc5e-8455-4414-9ccd-011d40f70b2a.jsonl',
  'mini-swe-agent': 'mini-swe-agent/v2_github_issue.traj.json',
  'swe-agent': 'swe-agent/pydicom-1458.traj',
  openhands: 'openhands/v0_resolver_output.jsonl',
  'chat-loop': 'langfuse/pydantic-ai-tools-2025-12-04.trace.json',
  'temporal-openai-agents': 'temporal/py_openai_agents_tools.json',
  'temporal-openai-research': 'temporal/py_openai_agents_research.json',
  'temporal-adk': 'temporal/py_google_adk_multi_agent.json',
};

/** No real file of tau-bench here has the calls of its tools; this is its form. */
const ofTauBench = [
  {
    task_id: 1,
    trial: 0,
    reward: 1,
    info: {},
    traj: [
      { role: 'user', content: 'cancel' },
      ...(['get_user_details', 'get_order_details', 'cancel_order'] as const).flatMap((name) => [
        { role: 'assistant', content: null, tool_calls: [{ id: name, function: { name, arguments: '{"id":"x"}' } }] },
        { role: 'tool', tool_call_id: name, name, content: `told by ${name}` },
      ]),
      { role: 'assistant', content: 'done' },
      { role: 'user', content: '###STOP###' },
    ],
  },
];

interface Line {
  readonly type: string;
  readonly run: string;
  readonly command?: {
    readonly path: string;
    readonly kind?: string;
    readonly issued?: string;
    readonly delivered?: string;
  };
}

/** The name of a class stands in no history; this one is written as an object without one, as the program would. */
function withoutClass(text: string): string {
  const output =
    "Weather(city='{\\\"city\\\":\\\"Tokyo\\\"}', temperature_range='14-20C', conditions='Sunny with wind.')";
  const plain =
    "{'city': '{\\\"city\\\":\\\"Tokyo\\\"}', 'temperature_range': '14-20C', 'conditions': 'Sunny with wind.'}";
  return text.replaceAll(/"data":\s*"([A-Za-z0-9+/=]+)"/g, (_, data: string) => {
    const decoded = Buffer.from(data, 'base64').toString('utf8').replaceAll(output, plain);
    return `"data": "${Buffer.from(decoded, 'utf8').toString('base64')}"`;
  });
}

function textOf(program: string): string {
  const file = files[program];
  if (file === undefined) return JSON.stringify(ofTauBench);
  const text = new TextDecoder().decode(readTrace(file));
  return program === 'temporal-openai-agents' ? withoutClass(text) : text;
}

/** The file as a stream of events. */
async function toStream(program: string): Promise<readonly Line[]> {
  const source = join(folder, `${program}.source`);
  await writeFile(source, textOf(program));
  const out = join(folder, `${program}.jsonl`);
  await runExport([source], { ...settings, to: 'hindcast', out });
  const text = await readFile(out, 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}

async function resultOf(program: string, lines: readonly Line[]): Promise<unknown> {
  const path = join(folder, `${program}.changed.jsonl`);
  await writeFile(path, lines.map((line) => JSON.stringify(line)).join('\n'));
  const { out = '' } = await runReplayCommand(path, { ...settings, program });
  return (JSON.parse(out) as { readonly result?: unknown }).result;
}

interface Command {
  readonly path: string;
  readonly issued: string;
  readonly delivered: string;
}

/** Commands that were issued and answered: tools where there are two, else whatever was asked of a model. */
function commandsOf(lines: readonly Line[]): readonly Command[] {
  const found = new Map<string, { kind: string; issued?: string | undefined; delivered?: string | undefined }>();
  const run = lines.find(({ command }) => command !== undefined)?.run;
  for (const { run: own, command } of lines) {
    if (command === undefined || own !== run) continue;
    const known = found.get(command.path) ?? { kind: /\/(\w+):[^/]*$/.exec(command.path)?.[1] ?? '' };
    known.issued ??= command.issued;
    known.delivered ??= command.delivered;
    found.set(command.path, known);
  }
  const of = (...kinds: readonly string[]): readonly Command[] =>
    [...found].flatMap(([path, { kind, issued, delivered }]) =>
      kinds.includes(kind) && issued !== undefined && delivered !== undefined ? [{ path, issued, delivered }] : [],
    );
  const tools = of('write', 'read', 'tool');
  return tools.length > 1 ? tools : of('write', 'read', 'tool', 'model');
}

/** Two commands in each other's place. */
function swapped(lines: readonly Line[], one: Command, other: Command): readonly Line[] {
  const places = new Map([
    [one.path, other],
    [other.path, one],
  ]);
  return lines.map((line): Line => {
    const place = line.command === undefined ? undefined : places.get(line.command.path);
    if (place === undefined || line.command === undefined) return line;
    const { issued, delivered } = line.command;
    return {
      ...line,
      command: {
        ...line.command,
        ...(issued === undefined ? {} : { issued: place.issued }),
        ...(delivered === undefined ? {} : { delivered: place.delivered }),
      },
    };
  });
}

const isHere = listTraces('temporal').length > 0;

describe(`reference programs held to changed records${whereFound(isHere ? ['here'] : [])}`, () => {
  const held = referencePrograms.map(({ id }) => id).filter((id) => isHere || files[id] === undefined);

  it.each(held)('R36 %s', { timeout: 120_000 }, async (program) => {
    const lines = await toStream(program);
    expect(await resultOf(program, lines)).toBe('identical');
    const commands = commandsOf(lines);
    const [first, second] = commands;
    const last = commands.at(-1);
    if (first === undefined || second === undefined || last === undefined) throw new Error('a record of two commands');
    expect(first.issued).not.toBe(last.issued);
    expect(await resultOf(program, swapped(lines, first, last))).not.toBe('identical');
    const without = lines.filter(({ command }) => command?.path !== second.path);
    expect(await resultOf(program, without)).not.toBe('identical');
  });
});
