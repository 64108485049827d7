/**
 * Findings of a long trace: found by another worker, kept in the library, and never waited for by questions about structure.
 */
import { describe, expect, it } from 'vitest';
import { eventToLine, mainBranch } from '../../core/model/index.ts';
import { drawTrace } from '../../core/model/testing/trace.ts';
import { encodePayload } from '../../core/share/index.ts';
import { addBranch, type TraceId } from '../storage/index.ts';
import { createTestLibrary, type TestLibrary } from '../storage/testing/library.ts';
import { createAuditHandlers, shortenTexts } from './audit-handlers.ts';
import { createAuditedReaders } from './audited-readers.ts';
import type { WorkerClient } from './client.ts';
import { bytesToHeld, type Held } from './held-copies.ts';
import { createHeldCopies } from './held-list.ts';
import { runImport } from './import-job.ts';
import { createLibraryHandlers } from './library-handlers.ts';
import type { AuditMethods, LibraryMethods } from './library-methods.ts';
import { createOpener } from './open-traces.ts';
import { openedToReader } from './opened-reader.ts';
import { createReaderClient } from './reader-client.ts';

const drawing = drawTrace(`
  worker/w1/1 agent=planner step=1:
    ask   tool_call.dispatched  path=/write:ticket#0 attempt=1 key=k-1  {"effect":"external","tool":"create_ticket"}
  tickets:
    made  effect.committed  <- ask:result_of  {"effect":{"kind":"ticket","id":"8421"}}
  worker/w2/1 agent=planner step=1:
    again tool_call.dispatched  path=/write:ticket#0 attempt=2  {"effect":"external","tool":"create_ticket"}
  tickets:
    twice effect.committed  <- again:result_of  {"effect":{"kind":"ticket","id":"8422"}}
`);
const blob = new Blob(drawing.events.map((event) => `${eventToLine(event)}\n`));
const context = { signal: new AbortController().signal, progress: () => undefined };
const none = { types: [], families: [], agents: [], steps: [], branches: [], text: '' };

async function importTrace(library: TestLibrary): Promise<TraceId> {
  const request = { files: [{ path: 'x.jsonl', blob }], origin: 'opened' } as const;
  const outcome = await runImport({ library, readSlice: library.readSlice, ticks: () => 0 }, request, context);
  if (!outcome.ok) throw new Error(outcome.error.message);
  return outcome.value.trace;
}

/** The page, the library worker and the audit worker of one tab, without the ports between them. */
function openTab(library: TestLibrary, limit: number, build = 'rules 1', held?: Held) {
  const stored = createOpener({ library, readSlice: library.readSlice });
  const copies = createHeldCopies(stored);
  if (held !== undefined) copies.hold(held);
  const real = copies.opener;
  const opened: string[] = [];
  const opener = { ...real, open: (id: TraceId) => (opened.push(id), real.open(id)) };
  const readers = createAuditedReaders(library, openedToReader, limit);
  const handlers = createLibraryHandlers(library, opener, readers, build);
  const auditor = createAuditHandlers(stored);
  const calls: string[] = [];
  const call = (method: string, args: readonly unknown[]): Promise<unknown> => {
    calls.push(method === 'ask' ? String(args[1]) : method);
    const all: Readonly<Record<string, (...given: never[]) => unknown>> = { ...handlers, ...auditor };
    return Promise.resolve(all[method]?.(...([context, ...args] as never[])));
  };
  // Casts: the handlers answer exactly these methods.
  const client = createReaderClient(
    { call: call as WorkerClient<LibraryMethods>['call'] },
    {
      client: { call: call as WorkerClient<AuditMethods>['call'], terminate: () => calls.push('end') },
      build,
    },
  );
  const told: string[] = [];
  client.onAudited?.((trace) => told.push(trace));
  return { client, calls, told, opened };
}

/** What is kept for the next opening is written behind the answer. */
async function settle({ db }: TestLibrary): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve));
  await db.transaction('rw', db.traces, db.answers, () => db.answers.count());
}

describe('a long trace', () => {
  it('answers about structure at once, and with findings once they are found', async () => {
    const library = createTestLibrary();
    const trace = await importTrace(library);
    const { client, calls, told } = openTab(library, 0);
    const before = await client.ask(trace, 'rows', [mainBranch, none, 0, 9]);
    expect(before.rows.map(({ findings }) => findings)).toEqual([0, 0, 0, 0]);
    const headline = await client.ask(trace, 'headline', [mainBranch]);
    expect(headline.violations).toBeGreaterThan(0);
    expect(told).toEqual([trace]);
    const after = await client.ask(trace, 'rows', [mainBranch, none, 0, 9]);
    expect(after.rows.some(({ findings }) => findings > 0)).toBe(true);
    expect(calls).toEqual(['rows', 'isAudited', 'audit', 'end', 'keepAudit', 'headline', 'rows']);
  });

  it('is not judged again when it is opened again, unless the rules changed', async () => {
    const library = createTestLibrary();
    const trace = await importTrace(library);
    const found = await openTab(library, 0).client.ask(trace, 'findings', [mainBranch]);
    const again = openTab(library, 0);
    await again.client.ask(trace, 'summary', []);
    expect(await again.client.ask(trace, 'findings', [mainBranch])).toEqual(found);
    expect(again.calls).not.toContain('audit');
    expect(again.told).toEqual([trace]);
    const changed = openTab(library, 0, 'rules 2');
    await changed.client.ask(trace, 'findings', [mainBranch]);
    expect(changed.calls).toContain('audit');
  });

  it('shows its first view again from what was answered before, until something about it is another', async () => {
    const library = createTestLibrary();
    const trace = await importTrace(library);
    const firstView = async (tab: ReturnType<typeof openTab>) => [
      await tab.client.ask(trace, 'summary', []),
      await tab.client.ask(trace, 'overview', [mainBranch, none, 8]),
    ];
    const without = await firstView(openTab(library, 0));
    await settle(library);
    const unaudited = openTab(library, 0);
    expect(await firstView(unaudited)).toEqual(without);
    expect(unaudited.opened).toEqual([]);

    // Findings came: the overview without them counts for nothing, and who asks for findings is told; the summary still counts.
    await openTab(library, 0).client.ask(trace, 'findings', [mainBranch]);
    const late = openTab(library, 0);
    await firstView(late);
    expect(late.opened).toEqual([trace]);
    await late.client.ask(trace, 'findings', [mainBranch]);
    expect(late.told).toEqual([trace]);
    const found = await firstView(late);
    expect(found[1]).not.toEqual(without[1]);
    // What a person looks at later is not the first view.
    await late.client.ask(trace, 'overview', [mainBranch, { ...none, types: ['tool_call.dispatched'] }, 8]);
    await late.client.ask(trace, 'overview', [mainBranch, none, 8, { from: 1, to: 3 }]);
    await settle(library);
    const again = openTab(library, 0);
    expect(await firstView(again)).toEqual(found);
    expect(again.opened).toEqual([]);

    const wider = openTab(library, 0);
    await wider.client.ask(trace, 'overview', [mainBranch, none, 9]);
    expect(wider.opened).toEqual([trace]);
    const rebuilt = openTab(library, 0, 'rules 2');
    await firstView(rebuilt);
    expect(rebuilt.opened).toEqual([trace, trace]);
    await settle(library);
    const branch = { trace, branch: 'b1', label: 'b1', status: 'completed', lines: [] };
    expect((await addBranch(library, branch, { what: 'replay', detail: 'Replayed.' })).ok).toBe(true);
    const branched = openTab(library, 0, 'rules 2');
    await firstView(branched);
    expect(branched.opened).toEqual([trace, trace]);
  });

  it('has the findings of a short one, which is judged where it is asked', async () => {
    const library = createTestLibrary();
    const trace = await importTrace(library);
    const short = openTab(library, 1000);
    const found = await short.client.ask(trace, 'findings', [mainBranch]);
    expect(short.calls).toEqual(['isAudited', 'findings']);
    expect(found).toEqual(await openTab(library, 0).client.ask(trace, 'findings', [mainBranch]));
    expect(found.length).toBeGreaterThan(0);
  });
});

describe('a received copy', () => {
  it('R76 of more events than are judged at once has its findings: no other worker could open it', async () => {
    const stream = drawing.events.map((event) => `${eventToLine(event)}\n`).join('');
    const bytes = encodePayload({ v: 1, kind: 'hindcast-share', title: 't', stream });
    const held = await bytesToHeld(bytes, '2026-11-30T12:00:00.000Z');
    if (!held.ok) throw new Error(held.error);
    const tab = openTab(createTestLibrary(), 0, 'rules 1', held.value);
    const headline = await tab.client.ask(held.value.copy.trace, 'headline', [mainBranch]);
    expect(headline.violations).toBeGreaterThan(0);
    expect(tab.calls).toEqual(['isAudited', 'headline']);
  });
});

describe('shortenTexts', () => {
  it('keeps short events as they are and tells long texts apart', () => {
    const event = drawing.event('ask');
    expect(shortenTexts(event)).toBe(event);
    const long = (end: string) =>
      JSON.stringify(
        shortenTexts(Object.assign({}, event, { data: { args: { body: [`${'a'.repeat(5000)}${end}`] } } })),
      );
    expect(long('x').length).toBeLessThan(2000);
    expect(long('x')).toBe(long('x'));
    expect(long('x')).not.toBe(long('y'));
  });
});
