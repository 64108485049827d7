/** Engines' own tables held against a ledger: real exports of three engines beside what the service committed, and altered ones. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../base/json.ts';
import { analyseRecovery, type EngineReport, type RecoveryTrace, textToLedger } from './index.ts';
import { openTrace, sharedFolder, sharedTrials, toTrace } from './testing/opened-trials.ts';

const exportsOf = {
  'restate-kp3': ['restate-kp3-journal.json', 'restate-kp3-invocation.json', 'restate-kp3-events.json'],
  'dbos-kp3': ['dbos-kp3-operation_outputs.json', 'dbos-kp3-workflow_status.json'],
  'langgraph-sync-kp3': ['langgraph-kp3-checkpoints.json', 'langgraph-kp3-writes.json'],
} as const;
type Trial = keyof typeof exportsOf;

const isHere = sharedTrials().length > 0;
const tables = new Map<Trial, readonly RecoveryTrace[]>();

beforeAll(async () => {
  if (!isHere) return;
  for (const trial of Object.keys(exportsOf) as readonly Trial[])
    tables.set(trial, await Promise.all(exportsOf[trial].map((name) => openTrace(sharedFolder, name))));
});

/** What the service of the real trial committed, as a ledger file would have it. */
function ledgerOf(trial: Trial, change: (entry: JsonObject, at: number) => JsonObject = (entry) => entry): string {
  const lines = readFileSync(join(sharedFolder, `${trial}.jsonl`), 'utf8')
    .trimEnd()
    .split('\n');
  const entries = lines
    .map((line) => JSON.parse(line) as { type: string; run: string; cmd: string; data: { effect: JsonObject } })
    .filter(({ type }) => type === 'effect_committed')
    .map(({ run, cmd, data }) => ({ run, command: cmd, kind: data.effect['kind'] ?? '', id: data.effect['id'] ?? '' }));
  return entries.map((entry, at) => JSON.stringify(change(entry, at))).join('\n');
}

function judge(trial: Trial, text: string | undefined): EngineReport | undefined {
  const ledger = text === undefined ? undefined : textToLedger('ledger.jsonl', text);
  if (ledger?.ok === false) throw new Error(ledger.error);
  return analyseRecovery(tables.get(trial) ?? [], { ledger: ledger?.value }).engines.runs[0];
}

describe.runIf(isHere)('real exports of engines (skipped without ../shared/traces)', () => {
  it.each(Object.keys(exportsOf) as readonly Trial[])(
    'R100 %s: the ledger has two tickets, the tables of the engine hold the second alone',
    (trial) => {
      const run = judge(trial, ledgerOf(trial));
      expect(run).toMatchObject({ status: 'completed', duplicates: 1, missing: 0 });
      expect(run?.traces).toHaveLength(exportsOf[trial].length);
      const [operation] = run?.operations ?? [];
      expect(operation).toMatchObject({ verdict: 'more often', rule: 'ledger-result-id' });
      expect(operation?.executions.map(({ heldBy }) => heldBy !== undefined)).toEqual([false, true]);
      expect(operation?.text).toContain('Its tables alone would not show it.');
    },
  );

  it('without a ledger nothing is known of what was executed, and the run is no trial', () => {
    const report = analyseRecovery(tables.get('dbos-kp3') ?? []);
    expect(report.engines.runs[0]).toMatchObject({ duplicates: undefined, missing: undefined, operations: [] });
    expect(report.engines.runs[0]?.text).toContain('is not known');
    expect([report.campaigns, report.unmatched]).toEqual([[], []]);
  });

  it('takes the records of the service from a stream that is open beside the tables', async () => {
    const stream = await openTrace(sharedFolder, 'restate-kp3.jsonl');
    const report = analyseRecovery([...(tables.get('restate-kp3') ?? []), stream]);
    expect(report.engines.runs[0]).toMatchObject({ duplicates: 1 });
    const [trial] = report.campaigns[0]?.trials ?? [];
    expect(trial).toMatchObject({ validity: 'valid', outcome: { duplicates: 1 } });
    const both = analyseRecovery([...(tables.get('restate-kp3') ?? []), stream], {
      ledger: toLedger(ledgerOf('restate-kp3')),
    });
    expect(both.engines.runs[0]?.duplicates).toBe(1);
  });

  it('joins by name where no id is told, and says which rule it was', () => {
    const nameless = ledgerOf('dbos-kp3', ({ run, command }) => ({ run: run ?? '', step: command ?? '' }));
    expect(judge('dbos-kp3', nameless)?.operations[0]).toMatchObject({
      verdict: 'more often',
      rule: 'ledger-step-name',
    });
  });

  it('a row whose outcome says that a saved answer was given is no execution', () => {
    const answered = ledgerOf('dbos-kp3', (entry, at) => ({
      ...entry,
      status: at === 0 ? 'executed' : 'deduplicated',
    }));
    expect(judge('dbos-kp3', answered)).toMatchObject({ duplicates: 0 });
  });

  it('a step that the engine holds a result of, and the ledger nothing, is missing; other names are not joined', () => {
    const elsewhere = ledgerOf('dbos-kp3', (entry) => ({ ...entry, run: 'another run' }));
    const ledger = toLedger(elsewhere);
    const report = analyseRecovery(tables.get('dbos-kp3') ?? [], { ledger });
    expect(report.engines.runs[0]).toMatchObject({ duplicates: 0, missing: 1 });
    expect(report.engines.ledger?.otherRuns).toEqual(['another run']);
    const foreign = ledgerOf('dbos-kp3', ({ run }, at) => ({ run: run ?? '', kind: 'mail', id: `m-${at}` }));
    expect(judge('dbos-kp3', foreign)?.operations.map(({ verdict }) => verdict)).toEqual(['not joined']);
  });
});

function toLedger(text: string) {
  const read = textToLedger('ledger.jsonl', text);
  if (!read.ok) throw new Error(read.error);
  return read.value;
}

/** Rows of DBOS as the importer makes them: a step that carries an id on, and one that is under way. */
function outputs(...rows: readonly (readonly [name: string, result: string])[]): RecoveryTrace {
  const run = '0123456789abcdef0123456789abcdef';
  return toTrace(
    'outputs',
    rows.map(([name, result], at) => ({
      v: 1,
      id: `dbos/${run}:${at}`,
      type: 'step.completed',
      run,
      branch: 'main',
      seq: at,
      source: { component: 'dbos', instance: run },
      imported: { format: 'recovery-lab', record: 'dbos-output' },
      data: { name, result },
    })),
  );
}

describe('joining', () => {
  const run = '0123456789abcdef0123456789abcdef';

  it('an id that a later step carries on does not make it a second step of the effect', () => {
    const traces = [outputs(['charge', 'ch_1001'], ['receipt', 'ch_1001'])];
    const ledger = toLedger(`run,operation,id\n${run},payment,ch_1001\n`);
    expect(analyseRecovery(traces, { ledger }).engines.runs[0]?.operations).toMatchObject([
      { verdict: 'once', steps: [{ name: 'charge' }] },
    ]);
  });

  it('an id of one digit is no join: it stands in too many results by chance', () => {
    const ledger = toLedger(`run,operation,id\n${run},payment,1\n`);
    expect(analyseRecovery([outputs(['count', '1'])], { ledger }).engines.runs[0]?.operations).toMatchObject([
      { verdict: 'not joined', rule: undefined },
    ]);
  });
});

describe('a ledger that is not whole', () => {
  const run = '0123456789abcdef0123456789abcdef';
  const row = (id: string, at = run): string => JSON.stringify({ run: at, command: 'create-ticket', id });
  const judged = (text: string): EngineReport | undefined =>
    analyseRecovery([outputs(['create-ticket', '8422'])], { ledger: toLedger(text) }).engines.runs[0];

  it('R100 an id that the result of a step holds and the ledger does not have is told, and nothing is counted', () => {
    const other = judged(`${row('8421')}\n${row('77', 'another')}\n`);
    expect([other?.duplicates, other?.missing, other?.operations[0]?.verdict]).toEqual([
      undefined,
      undefined,
      'not joined',
    ]);
    expect(other?.operations[0]?.text).toContain('holds 8422, which the ledger does not have');
    const whole = judged(`${row('8421')}\n${row('8422')}\n`);
    expect([whole?.duplicates, whole?.missing, whole?.operations[0]?.verdict]).toEqual([1, 0, 'more often']);
  });

  it('R67 a last line that was cut off is not read, is told, and leaves the counts of the run that it may tell of open', () => {
    const torn = (last: string): string => `${row('8422')}\n${row('77', 'another')}\n${last}`;
    const ledger = toLedger(torn(row('8423').slice(0, -9)));
    expect([ledger.rows.length, ledger.basis]).toEqual([
      2,
      'run from "run", command from "command", id from "id"; line 3 was cut off as it was written, and is not read',
    ]);
    expect(judged(torn(row('8423').slice(0, -9)))?.duplicates).toBeUndefined();
    expect(judged(torn('{"ru'))?.text).toContain('the last line of the ledger was cut off');
    expect(judged(torn(row('8423')))?.duplicates).toBe(1);
    const csv = 'run,command,id\n' + run + ',create-ticket,8422\n' + run;
    expect([toLedger(csv).rows.length, judged(csv)?.duplicates]).toEqual([1, undefined]);
    expect(textToLedger('l.jsonl', row('8421').slice(0, -3))).toMatchObject({
      error: 'l.jsonl: This is no JSON: its only line was cut off as it was written.',
    });
  });
});

describe('textToLedger', () => {
  it('says which column it took for what', () => {
    const ledger = toLedger(
      'workflow_id;kind;ticket_id;idempotency_key;status\nw1;open;8421;k1;executed\nw1;open;8421;k1;saved answer\n',
    );
    expect(ledger.basis).toBe(
      'run from "workflow_id", operation from "kind", id from "ticket_id", key from "idempotency_key", outcome from "status"',
    );
    expect([ledger.rows.length, ledger.notExecuted]).toEqual([1, 1]);
  });

  it.each([
    ['ticket,kind\n1,open', 'names no run'],
    ['run,amount\nr,3', 'does not say what was done'],
    ['{"run": ', 'no JSON'],
  ])('refuses %j with a sentence', (text, sentence) => {
    const read = textToLedger('l.csv', text);
    expect(read.ok ? '' : read.error).toContain(sentence);
  });
});
