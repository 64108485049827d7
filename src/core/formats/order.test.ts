/**
 * The order of records is told by the records: a file whose lines or lists stand in another order is the same trace (R18).
 */
import { describe, expect, it } from 'vitest';
import { listTraces as listFound } from './import.ts';
import { formats } from './registry.ts';
import {
  listTraces,
  openFiles,
  type Opened,
  readTrace,
  textToSource,
  traceToSource,
  whereFound,
} from './testing/opening.ts';
import { differencesOf, type Order, orders, reorder, toTold } from './testing/order.ts';

/** Records with ids, parents or times of their own. */
const byRecords: ReadonlySet<string> = new Set([
  'hindcast',
  'otlp',
  'otel',
  'jaeger',
  'zipkin',
  'openinference',
  'langfuse',
  'langsmith',
  'langgraph',
  'temporal',
  'inngest',
  'openai-agents',
  'recovery-lab',
  'agentsight',
  'anthropic-managed-agents',
]);

/** Ids and parents are recorded; positions and what is counted follow the log (`loop/README.md`). */
const byLog: ReadonlySet<string> = new Set(['claude-code']);

/** The order of the list or log is the record of the order: messages without ids, items that only follow one another. */
const byFile: ReadonlySet<string> = new Set([
  'agent-stream',
  'codex',
  'gemini-cli',
  'opencode',
  'atif',
  'openhands',
  'other-cli',
  'mini-swe-agent',
  'swe-agent',
  'shepherd',
  'inspect',
  'tau-bench',
  'autogen',
  'autogen-agentchat',
]);

/** Its ids, parents and times were all replaced by one text, so nothing but its lines is left. */
const trimmed = 'claude-code/agentsessions_small.jsonl';

const largest = process.env['HINDCAST_DAMAGE'] === 'all' ? 8 * 2 ** 20 : 160 * 1024;
const files = listTraces('.')
  .map((name) => name.replace(/^\.\//, ''))
  .filter((name) => name !== 'MANIFEST.md' && name !== trimmed);

function isSmall(name: string): boolean {
  return readTrace(name).length <= largest;
}

async function openText(name: string, text: string): Promise<Opened> {
  return openFiles([textToSource(name, text)]);
}

async function listText(name: string, text: string): Promise<readonly unknown[]> {
  const found = await listFound([textToSource(name, text)]);
  const traces = found.ok ? found.value.flatMap((format) => format.traces) : [];
  return [...traces].sort((a, b) => (a.key < b.key ? -1 : 1));
}

const asIs: Order = { name: 'as it is', apply: (items) => items };

describe(`order of records${whereFound(files)}`, () => {
  it('R18 every format says whether the order of its records is told by them', () => {
    const sorted = [...byRecords, ...byLog, ...byFile].sort();
    expect(formats.map(({ id }) => id).sort()).toEqual(sorted);
  });

  it.skipIf(files.length === 0).each(files.filter(isSmall))('R18 %s', { timeout: 120_000 }, async (name) => {
    const text = new TextDecoder().decode(readTrace(name));
    const first = reorder(text, asIs);
    const opened = await openText(name, first);
    const format = opened.result?.format ?? '';
    const isOfLog = byLog.has(format);
    if (!byRecords.has(format) && !isOfLog) return;
    const straight = toTold(opened, isOfLog);
    const traces = await listText(name, first);
    for (const order of orders) {
      const other = reorder(text, order);
      if (other === first) continue;
      const told = toTold(await openText(name, other), isOfLog);
      expect([order.name, ...differencesOf(straight, told)]).toEqual([order.name]);
      expect([order.name, await listText(name, other)]).toEqual([order.name, traces]);
    }
  });

  /** Parts of one trace, which may be given in any order. */
  const parts: readonly RegExp[] = [
    /^generated\/otlp_agent_official/,
    /^generated\/langgraph_/,
    /^generated\/dbos_/,
    /^generated\/restate_/,
    /^otlp-jsonl\/vs_/,
    /^langfuse\/(?:beeai|koog|csharp)/,
    /^jaeger\/agentevals_k8s|^jaeger\/uiconv_trace_success/,
    /^zipkin\/(?:ascend|skew|yelp)/,
    /^temporal\/ui_/,
  ];
  it.skipIf(files.length === 0).each(parts)('R18 files in any order: %s', { timeout: 120_000 }, async (pattern) => {
    const names = files.filter((name) => pattern.test(name));
    expect(names.length).toBeGreaterThan(1);
    const open = async (some: readonly string[]): Promise<readonly string[]> =>
      toTold(await openFiles(some.map(traceToSource)), false);
    const straight = await open(names);
    for (const order of orders)
      expect([order.name, ...differencesOf(straight, await open(order.apply(names)))]).toEqual([order.name]);
  });
});
