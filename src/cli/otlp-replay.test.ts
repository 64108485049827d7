/** Plain OTLP with the extension attributes is as replayable as the own stream (`src/core/export/README.md`). */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keyValues } from '../core/formats/genai/testing/otlp.ts';
import { digest } from '../core/model/index.ts';
import { runExport } from './export.ts';
import { runReplayCommand } from './replay.ts';

const settings = { json: true, acceptFuture: false, allowHuge: false };
const samples = join(import.meta.dirname, '../../public/samples');
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hindcast-otlp-'));
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

interface Report {
  readonly result: string;
  readonly counts: object;
  readonly digests: object;
  readonly divergences: readonly object[];
  readonly missing?: readonly string[];
}

async function replayed(path: string, edit?: string): Promise<Report> {
  const { out = '' } = await runReplayCommand(path, { ...settings, edit });
  return JSON.parse(out) as Report;
}

describe('a trace that went through OTLP', () => {
  it.each([
    ['clean-control', undefined],
    ['ticket-incident', undefined],
    ['ticket-with-key', undefined],
    ['wrong-observation', undefined],
    ['wrong-observation', 'wrong-observation.edit.json'],
  ])('R13 R36 %s is replayed as before (edit: %s)', { timeout: 60_000 }, async (name, edit) => {
    const own = join(samples, `${name}.hindcast.jsonl`);
    const otlp = join(folder, `${name}.${edit ?? 'plain'}.json`);
    await runExport([own], { ...settings, to: 'otlp', out: otlp });
    expect(await readFile(otlp, 'utf8')).toContain('"resourceSpans"');
    const editFile = edit === undefined ? undefined : join(samples, edit);
    const [before, after] = [await replayed(own, editFile), await replayed(otlp, editFile)];
    for (const key of ['result', 'counts', 'digests', 'divergences'] as const)
      expect([key, after[key]]).toEqual([key, before[key]]);
  });
});

const source = `async function main(ctx, input) {
  const plan = await ctx.model('plan', { ask: input });
  return ctx.write('send', { text: plan.text }, { uses: [plan] });
}`;

interface Told {
  readonly type: string;
  readonly id?: string;
  readonly causes?: readonly object[];
  readonly command?: object;
  readonly data: object;
}

const ask = { ask: 'hello' };
const send = { text: 'hi' };

/** The smallest replayable run with a tool: what a program says of itself through its OpenTelemetry SDK, and nothing else. */
const told: readonly Told[] = [
  {
    type: 'run.started',
    data: {
      program: { name: 'greeter', source, language: 'js', api: 1 },
      input: 'hello',
      seed: '0'.repeat(31) + '1',
      start: 1_782_202_320_000,
      draws: 'derived',
    },
  },
  {
    type: 'model_call.requested',
    id: 'ask',
    command: { path: '/model:plan#0', kind: 'model', name: 'plan', args: digest(ask), attempt: 1, issued: 0 },
    data: { args: ask },
  },
  {
    type: 'model_call.completed',
    id: 'answer',
    causes: [{ event: 'ask', as: 'result_of' }],
    command: { path: '/model:plan#0', kind: 'model', name: 'plan', delivered: 1, vt: 1_782_202_320_010 },
    data: { result: { text: 'hi' } },
  },
  {
    type: 'tool_call.dispatched',
    id: 'send',
    causes: [{ event: 'answer', as: 'consumed' }],
    command: { path: '/write:send#0', kind: 'write', name: 'send', args: digest(send), attempt: 1, issued: 2 },
    data: { tool: 'send', args: send, effect: 'external' },
  },
  {
    type: 'tool_call.completed',
    causes: [{ event: 'send', as: 'result_of' }],
    command: { path: '/write:send#0', kind: 'write', name: 'send', delivered: 3, vt: 1_782_202_320_020 },
    data: { tool: 'send', result: 'sent' },
  },
  { type: 'run.completed', data: { result: 'sent' } },
];

function toAttributes({ type, id, causes, command, data }: Told): unknown {
  const json = (value: unknown): string | undefined => (value === undefined ? undefined : JSON.stringify(value));
  const members = {
    'hindcast.event.type': type,
    'hindcast.event.id': id,
    'hindcast.event.causes': json(causes),
    'hindcast.event.command': json(command),
    'hindcast.event.data': json(data),
  };
  return keyValues(Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)));
}

const resource = { attributes: keyValues({ 'service.name': 'greeter', 'service.instance.id': 'greeter-1' }) };
const ids = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) };

function spanEvents(events: readonly Told[]): object {
  const span = {
    ...ids,
    name: 'greet',
    startTimeUnixNano: '1782202320000000000',
    endTimeUnixNano: '1782202321000000000',
    attributes: keyValues({ 'hindcast.carrier': true }),
    events: events.map((event, n) => ({
      name: event.type,
      timeUnixNano: `178220232000${String(n)}000000`,
      attributes: toAttributes(event),
    })),
  };
  return { resourceSpans: [{ resource, scopeSpans: [{ spans: [span] }] }] };
}

function logRecords(events: readonly Told[]): object {
  const records = events.map((event, n) => ({
    ...ids,
    timeUnixNano: `178220232000${String(n)}000000`,
    attributes: toAttributes(event),
  }));
  return { resourceLogs: [{ resource, scopeLogs: [{ logRecords: records }] }] };
}

describe('a program that only writes OpenTelemetry', () => {
  it.each([
    ['span events', spanEvents],
    ['log records', logRecords],
  ])('R36 is replayed in full from %s with the attributes of the table', { timeout: 60_000 }, async (name, form) => {
    const path = join(folder, `${name}.json`);
    await writeFile(path, JSON.stringify(form(told)));
    expect(await replayed(path)).toMatchObject({ result: 'identical', divergences: [] });
  });

  it('R64 without them it is not replayed', async () => {
    const path = join(folder, 'plain.json');
    const plain = { ...ids, name: 'greet', startTimeUnixNano: '1', endTimeUnixNano: '2', attributes: [], events: [] };
    await writeFile(path, JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ spans: [plain] }] }] }));
    expect((await replayed(path)).result).not.toBe('identical');
  });
});
