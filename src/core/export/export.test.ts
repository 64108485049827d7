import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createIndexBuilder } from '../causal/index.ts';
import type { ImportedEvent } from '../formats/format.ts';
import {
  bytesToSource,
  listTraces,
  type Opened,
  openFiles,
  traceToSource,
  whereFound,
} from '../formats/testing/opening.ts';
import { eventToLine, type HindcastEvent } from '../model/index.ts';
import { drawTrace } from '../model/testing/trace.ts';
import { exportName, exportToParts, type ExportForm } from './index.ts';

const samples = join(import.meta.dirname, '../../../public/samples');

function exported(events: readonly ImportedEvent[], form: ExportForm): Uint8Array {
  const source = {
    count: events.length,
    line: (at: number) => events[at]?.line ?? '',
    at: (at: number) => events[at]?.event ?? fail(),
  };
  return new TextEncoder().encode([...exportToParts(source, form)].join(''));
}

function fail(): never {
  throw new Error('no event there');
}

/** Events by id, and edges and branches as the index sees them. */
function contentOf({ events }: Opened) {
  const builder = createIndexBuilder();
  for (const { event } of events) builder.add(event);
  const index = builder.build();
  const edges = Array.from({ length: index.count }, (_, position) =>
    index
      .causesOf(position)
      .map(({ from, as, grade, rule }) => `${index.id(position)} <- ${index.id(from)} ${as} ${grade} ${rule ?? ''}`),
  ).flat();
  const byId = new Map(events.map(({ event }) => [event.id, event] as const));
  return { edges: edges.sort(), branches: [...new Set(events.map(({ event }) => event.branch))].sort(), byId };
}

async function roundTrip(opened: Opened, form: ExportForm): Promise<Opened> {
  return openFiles([bytesToSource('exported', exported(opened.events, form))]);
}

function expectSame(again: Opened, before: Opened): void {
  expect(again.error).toBeUndefined();
  expect(again.problems.filter(({ severity }) => severity === 'problem')).toEqual([]);
  const [is, was] = [contentOf(again), contentOf(before)];
  expect(is.byId).toEqual(was.byId);
  expect(is.edges).toEqual(was.edges);
  expect(is.branches).toEqual(was.branches);
}

const forms = ['hindcast', 'otlp'] as const;

describe('export and import again', () => {
  const names = readdirSync(samples).filter((name) => name.endsWith('.hindcast.jsonl'));

  it.each(names.flatMap((name) => forms.map((form) => [name, form] as const)))(
    'R11, R13 gives the same events, edges, branches and replay grade: %s as %s',
    async (name, form) => {
      const before = await openFiles([bytesToSource(name, new Uint8Array(readFileSync(join(samples, name))))]);
      const again = await roundTrip(before, form);
      expectSame(again, before);
      expect([again.result?.replayGrade, again.result?.missingForReplay]).toEqual([
        before.result?.replayGrade,
        before.result?.missingForReplay,
      ]);
    },
  );

  const session = listTraces('claude-code').filter((name) => name.includes('vscode/50a7220d'));
  it.skipIf(session.length === 0).each(forms)(
    `R13 gives the same events and edges of a Claude Code session as %s${whereFound(session)}`,
    async (form) => {
      const before = await openFiles(session.map(traceToSource));
      expect(before.events.length).toBeGreaterThan(20);
      expectSame(await roundTrip(before, form), before);
    },
  );

  it.each(forms)('R13 keeps unknown types and fields, branches, odd numbers, times and ids as %s', async (form) => {
    const { lines } = drawTrace(`
      worker/w1/1 agent=planner:
        one  step.started  {"name":"first"}
        two  quantum.flipped  <- one  {"name":"first"}
    `);
    const odd = [
      lines[0]?.replace('{', '{"later":[1e400,12345678901234567890,{"$num":"x"}],') ?? '',
      lines[1]?.replace('"branch":"main"', '"branch":"b/1","replay":"op"').replace('"time":', '"was":') ?? '',
      lines[0]
        ?.replace('"one"', '"__proto__"')
        .replace(/"time":"[^"]*"/, '"time":"2026-01-02T03:04:05.123456789+02:00"') ?? '',
      lines[0]?.replace('"one"', '"lone\\ud800"').replace('"first"', '"\\udfff\\u0000<script>"') ?? '',
    ];
    const before = await openFiles([bytesToSource('a', new TextEncoder().encode(odd.join('\n')))]);
    expect(before.events).toHaveLength(4);
    expectSame(await roundTrip(before, form), before);
  });

  it('the own stream is the lines as they were written', async () => {
    const name = 'wrong-observation.hindcast.jsonl';
    const bytes = new Uint8Array(readFileSync(join(samples, name)));
    const { events } = await openFiles([bytesToSource(name, bytes)]);
    expect(new TextDecoder().decode(exported(events, 'hindcast'))).toBe(new TextDecoder().decode(bytes));
  });
});

describe('OTLP JSON for other tools', () => {
  const { events: drawn } = drawTrace(`
    worker:
      start  run.started  {"program":{"name":"desk","source":"x"}}
      ask    model_call.requested  path=/model:plan#0 issued=0 <- start  {"request_model":"m-1"}
      got    model_call.completed  path=/model:plan#0 delivered=1 <- ask:result_of  {"result":1,"usage":{"input_tokens":7}}
      send   tool_call.dispatched  path=/write:mail#0 issued=2 <- got:selected_by  {"tool":"mail"}
      lost   tool_call.timed_out  path=/write:mail#0 <- send:result_of
    mail:
      made   effect.committed  <- send:result_of  {"effect":{"id":"8"}}
  `);
  const events: readonly HindcastEvent[] = drawn;

  it('is one span an operation, inside one span a run, named and timed as the conventions say', () => {
    const imported = events.map((event) => ({ event, line: eventToLine(event), place: { file: 'a', offset: 0 } }));
    // Cast: the documented form of OTLP JSON.
    const document = JSON.parse(new TextDecoder().decode(exported(imported, 'otlp'))) as {
      resourceSpans: {
        resource: { attributes: { value: { stringValue: string } }[] };
        scopeSpans: {
          spans: { name: string; traceId: string; parentSpanId?: string; status: object; events: object[] }[];
        }[];
      }[];
    };
    const spans = document.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));
    expect(spans.map(({ name, events: { length }, status }) => [name, length, status])).toEqual([
      ['run desk', 2, {}],
      ['chat m-1', 2, {}],
      ['execute_tool mail', 2, { code: 2 }],
    ]);
    expect(spans.filter(({ parentSpanId }) => parentSpanId === undefined)).toHaveLength(1);
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
  });

  it('is called by the name of the trace, without what file systems do not take', () => {
    expect(exportName('a/b: "c" é', 'otlp')).toBe('a-b- -c- é.otlp.json');
    expect(exportName('', 'hindcast')).toBe('trace.hindcast.jsonl');
  });
});
