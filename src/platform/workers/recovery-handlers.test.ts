/** Trials judged where they are stored: which traces are read, where an event stands, and what a claim that cannot be read says. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { drawTrace } from '../../core/model/testing/trace.ts';
import { createTestLibrary, type TestLibrary } from '../storage/testing/library.ts';
import type { TraceId } from '../storage/index.ts';
import { runImport } from './import-job.ts';
import { createRecoveryHandlers } from './recovery-handlers.ts';
import type { RecoveryRequest } from './recovery-methods.ts';

const folder = join(import.meta.dirname, '../../../public/samples');
const context = { signal: new AbortController().signal, progress: () => undefined };

function linesOf(name: string): readonly string[] {
  return readFileSync(join(folder, `${name}.hindcast.jsonl`), 'utf8')
    .trimEnd()
    .split('\n');
}

async function store(library: TestLibrary, name: string, lines: readonly string[]): Promise<TraceId> {
  const deps = { library, readSlice: library.readSlice, ticks: () => 0 };
  const files = [{ path: `${name}.jsonl`, blob: new Blob([`${lines.join('\n')}\n`]) }];
  const outcome = await runImport(deps, { files, origin: 'opened' }, context);
  if (!outcome.ok) throw new Error(outcome.error.message);
  return outcome.value.trace;
}

async function judge(library: TestLibrary, request: RecoveryRequest) {
  return createRecoveryHandlers(library, library.readSlice).recovery(context, request);
}

const claim = {
  fault: 'kill of the worker',
  protects: 'one ticket a case',
  continuation: 'the case is closed',
  clauses: [{ id: 'once', text: 'No ticket is made twice.', metric: 'duplicates', predicate: '= 0' }],
};

describe('the analysis over the library', () => {
  it('judges the traces that hold a trial and leaves the others out', async () => {
    const library = createTestLibrary();
    const incident = await store(library, 'a', linesOf('ticket-incident'));
    const control = await store(library, 'b', linesOf('clean-control'));
    const other = await store(
      library,
      'c',
      linesOf('clean-control').filter((line) => line.includes('"model_call.')),
    );
    const alien = await store(
      library,
      'd',
      drawTrace(`
        worker/w1/1:
          plan  decision.made  {"chosen":"open"}
      `).lines,
    );
    const answer = await judge(library, { traces: [incident, control, other, alien] });
    if (!answer.ok) throw new Error(answer.error.message);
    expect(answer.value).toMatchObject({ judged: [incident, control, other], leftOut: 1, notRead: [] });
    const trials = answer.value.report.campaigns.flatMap((campaign) => campaign.trials);
    expect(trials.map(({ name, traces }) => [name, traces])).toEqual([
      ['ticket-incident', [incident]],
      ['clean-control', [control, other]],
    ]);
    expect(trials[0]?.outcome.duplicates).toBe(1);
  });

  it("R100 reads engines' own tables, holds them against the ledger of the person, and says where a row stands", async () => {
    const library = createTestLibrary();
    const workflow = '0123456789abcdef0123456789abcdef';
    const row = {
      workflow_uuid: workflow,
      function_id: 0,
      function_name: 'charge',
      output: '{"id":"ch_2"}',
      error: null,
    };
    const table = await store(library, 'outputs', [JSON.stringify([row])]);
    const text = `run,operation,id\n${workflow},charge,ch_1\n${workflow},charge,ch_2\n`;
    const answer = await judge(library, { traces: [table], ledger: { name: 'ledger.csv', text } });
    if (!answer.ok) throw new Error(answer.error.message);
    const { report, judged, places } = answer.value;
    expect([judged, report.campaigns, report.engines.runs[0]?.duplicates]).toEqual([[table], [], 1]);
    expect(Object.values(places[`dbos ${workflow}`] ?? {})).toEqual([table]);
    const wrong = await judge(library, { traces: [table], ledger: { name: 'x.csv', text: 'a,b\n1,2' } });
    expect(wrong).toMatchObject({ ok: false, error: { code: 'ledger' } });
  });

  it('says in which trace each event of a trial in several stands', async () => {
    const library = createTestLibrary();
    const isLedger = (line: string): boolean => line.includes('"type":"effect.');
    const lines = linesOf('ticket-incident');
    const run = await store(
      library,
      'run',
      lines.filter((line) => !isLedger(line)),
    );
    const ledger = await store(library, 'ledger', lines.filter(isLedger));
    const answer = await judge(library, { traces: [run, ledger] });
    if (!answer.ok) throw new Error(answer.error.message);
    const [trial] = answer.value.report.campaigns[0]?.trials ?? [];
    const executions =
      trial?.outcome.effects.flatMap((effect) => effect.executions.flatMap(({ events }) => events)) ?? [];
    const places = answer.value.places[trial?.id ?? ''] ?? {};
    expect(executions.length).toBeGreaterThan(2);
    expect(new Set(executions.map((event) => places[event]))).toEqual(new Set([ledger]));
    expect(places[trial?.placements[0]?.injected ?? '']).toBe(run);
  });

  it('R111 a trial of which stored records could not be read says so', async () => {
    const library = createTestLibrary();
    const lines = linesOf('campaign/one-ticket-journal-kill-3').map((line) =>
      line.includes('"type":"fault.') ? line.replace(/"kill_point":"\w+"/, '"kill_point":[3]') : line,
    );
    const answer = await judge(library, { traces: [await store(library, 'a', lines)] });
    if (!answer.ok) throw new Error(answer.error.message);
    const [trial] = answer.value.report.campaigns[0]?.trials ?? [];
    expect(trial?.checks[0]?.text).toMatch(
      /3 records of this trial could not be read: fault\.armed \(a\.jsonl, line \d+\)/,
    );
  });

  it('judges a claim over the same trials, and says what is wrong with one that cannot be read', async () => {
    const library = createTestLibrary();
    const traces = [await store(library, 'a', linesOf('ticket-incident'))];
    const answer = await judge(library, { traces, claim: JSON.stringify(claim) });
    expect(answer).toMatchObject({ ok: true, value: { report: { campaigns: [{ claims: [{ verdict: 'failed' }] }] } } });
    expect(await judge(library, { traces, claim: '{"fault": ' })).toMatchObject({
      ok: false,
      error: { code: 'claim', message: expect.stringContaining('not JSON') },
    });
    expect(await judge(library, { traces, claim: '{"fault": "kill"}' })).toMatchObject({
      ok: false,
      error: { code: 'claim', message: expect.stringContaining('cannot be evaluated') },
    });
    expect(await judge(library, { traces, present: '[]' })).toMatchObject({ ok: false, error: { code: 'envelope' } });
  });
});
