/**
 * Rows of engines' own tables to events, all rows of all files together.
 *
 * Invariants: every row is mapped, merged into another record of the same thing, or a problem. Rows of one execution are one run, which is
 * that of the trial where the execution names it. Nothing rests on the order of rows or files.
 */
import { sha256Hex, textToUtf8 } from '../../base/hash.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { canon, eventToLine, isRunId, mainBranch, parseEvent } from '../../model/index.ts';
import type { ImportedEvent } from '../format.ts';
import { pushTo } from '../lists.ts';
import { type DbosNames, dbosRow, toDbosNames, withFailure } from './dbos-rows.ts';
import { createForks, type Forks } from './dbos-forks.ts';
import { endsOfLines } from './ends-of-lines.ts';
import { langgraphRow } from './langgraph-rows.ts';
import { numberAt, present, textAt } from './record.ts';
import { type RestateNames, restateRow, toRestateNames } from './restate-rows.ts';
import type { RowOrProblem } from './table-files.ts';
import type { EventOfRow, ExportRow, RowDraft } from './tables.ts';

export interface ExportContext {
  readonly runs: ReadonlyMap<string, RunOfExecution>;
  /** Of forks, and of what they started. */
  readonly branches: ReadonlyMap<string, string>;
  readonly dbos: DbosNames;
  readonly restate: RestateNames;
  readonly forks: Forks;
}

interface RunOfExecution {
  readonly run: string;
  readonly inferred: boolean;
}

/** What all rows together say: the run of each execution, who started whom, and what answers which command. */
export function createContext(rows: readonly ExportRow[]): ExportContext {
  const dbos = toDbosNames(rows);
  const restate = toRestateNames(rows);
  const runs = new Map<string, RunOfExecution>();
  const parents = new Map(dbos.parents);
  for (const one of rows) {
    const { table, text } = one;
    const { execution, parent } = draftOf(one, dbos, restate);
    if (parent !== undefined && !parents.has(execution)) parents.set(execution, parent);
    const isNaming = table === 'restate-invocation' || (table === 'restate-journal' && text.includes('Input'));
    const run = textToRun(execution) ?? (isNaming ? textToRun(text) : undefined);
    if (run !== undefined) runs.set(execution, { run, inferred: false });
    else if (!runs.has(execution)) runs.set(execution, { run: hashToRun(execution), inferred: true });
  }
  const forks = createForks(rows, dbos);
  return { runs: joinRuns(runs, parents), branches: toBranches(runs, parents, forks), dbos, restate, forks };
}

/** A child and a fork are part of the run of whoever they come from, where that was opened. */
function joinRuns(
  runs: ReadonlyMap<string, RunOfExecution>,
  parents: ReadonlyMap<string, string>,
): ReadonlyMap<string, RunOfExecution> {
  const opened = new Map([...parents].filter(([, parent]) => runs.has(parent)));
  const ends = endsOfLines(runs.keys(), opened);
  return new Map([...runs].map(([execution, own]) => [execution, runs.get(ends.get(execution) ?? execution) ?? own]));
}

/** What a fork started is of its branch, as far as the next fork. */
function toBranches(
  runs: ReadonlyMap<string, RunOfExecution>,
  parents: ReadonlyMap<string, string>,
  { branchOf }: Forks,
): ReadonlyMap<string, string> {
  const toFork = new Map([...parents].filter(([execution]) => branchOf(execution) === undefined));
  const branches = new Map<string, string>();
  for (const [execution, end] of endsOfLines(runs.keys(), toFork)) {
    const branch = branchOf(end);
    if (branch !== undefined) branches.set(execution, branch);
  }
  return branches;
}

function draftOf(row: ExportRow, dbos: DbosNames, restate: RestateNames): RowDraft {
  if (row.table.startsWith('restate-')) return restateRow(row, restate);
  return row.table.startsWith('dbos-') ? dbosRow(row, dbos) : langgraphRow(row);
}

/** The run that a row is of, for the list of trials. */
export function runOfRow(row: ExportRow, { runs, dbos, restate }: ExportContext): string | undefined {
  return runs.get(draftOf(row, dbos, restate).execution)?.run;
}

interface ConvertedRow {
  readonly row: ExportRow;
  readonly run: string | undefined;
  /** Undefined: the record is told by the events of another. */
  readonly made: Result<readonly ImportedEvent[], string> | undefined;
}

interface Converted {
  readonly rows: readonly ConvertedRow[];
  /** Events of no row of their own. */
  readonly derived: readonly ImportedEvent[];
}

export function convertRows(read: readonly RowOrProblem[], format: string): Converted {
  const rows = read.flatMap(({ row }) => row ?? []);
  const context = createContext(rows);
  const primaries = chooseRows(rows, context);
  const drafts = new Map<ExportRow, RowDraft>();
  for (const [row, others] of primaries) drafts.set(row, toDraft(row, others, context));
  const ids = new Set([...drafts.values()].flatMap(({ events }) => events.map(({ id }) => id)));
  const forks = context.forks.toEvents([...drafts.keys()], ids);
  const convert = (row: ExportRow, draft: RowDraft, event: EventOfRow): Result<ImportedEvent, string> =>
    toImported(row, draft, event, ids, context, format);
  const converted = rows.map((row): ConvertedRow => {
    const draft = drafts.get(row);
    return {
      row,
      run: runOfRow(row, context),
      made: draft === undefined ? undefined : all(draft.events.map((event) => convert(row, draft, event))),
    };
  });
  const derived = forks.flatMap(({ row, event }) => {
    const draft = drafts.get(row);
    const made = draft === undefined ? undefined : convert(row, draft, event);
    return made?.ok === true ? [made.value] : [];
  });
  return { rows: converted, derived };
}

function all(results: readonly Result<ImportedEvent, string>[]): Result<readonly ImportedEvent[], string> {
  const events: ImportedEvent[] = [];
  for (const result of results) {
    if (!result.ok) return result;
    events.push(result.value);
  }
  return ok(events);
}

/**
 * Rows that tell of one thing, under the one that tells it best: a row of the table before what a client made of it, and of two states of a
 * row the later. Two rows of one table that differ and are no states of a row stay apart.
 */
function chooseRows(
  rows: readonly ExportRow[],
  { dbos, restate, forks }: ExportContext,
): ReadonlyMap<ExportRow, readonly ExportRow[]> {
  const groups = new Map<string, ExportRow[]>();
  for (const row of rows) {
    if (forks.isCopied(row)) continue;
    const [{ id }] = draftOf(row, dbos, restate).events;
    const isState = row.table === 'dbos-status' || row.table === 'restate-invocation';
    // What the client returns is told apart from the table by its values, and united with it.
    const key = isState || row.table === 'dbos-output' ? id : `${id}|${canon(row.row)}`;
    pushTo(groups, key, row);
  }
  const chosen = new Map<ExportRow, readonly ExportRow[]>();
  for (const group of groups.values()) for (const [row, others] of unite(group)) chosen.set(row, others);
  return chosen;
}

interface WrittenRow {
  readonly row: ExportRow;
  /** The same text for the same row, however it was written. */
  readonly text: string;
}

function unite(group: readonly ExportRow[]): readonly (readonly [ExportRow, readonly ExportRow[]])[] {
  const ordered = group.map((row): WrittenRow => ({ row, text: canon(row.row) })).sort(byWorth);
  const [best] = ordered;
  if (best === undefined) return [];
  const apart = new Map<string, ExportRow>();
  if (best.row.table === 'dbos-output')
    for (const { row, text } of ordered)
      if (row.isDecoded === best.row.isDecoded) apart.set(text, apart.get(text) ?? row);
  const others = new Map<string, ExportRow>();
  for (const { row, text } of ordered) if (text !== best.text) others.set(text, row);
  for (const key of apart.keys()) others.delete(key);
  const further = [...apart.values()].filter((row) => row !== best.row);
  return [[best.row, [...others.values()]], ...further.map((row) => [row, []] as const)];
}

function byWorth(a: WrittenRow, b: WrittenRow): number {
  const changed = ({ row: { cells } }: WrittenRow): string =>
    String(numberAt(cells, 'updated_at') ?? textAt(cells, 'modified_at') ?? '');
  return (
    Number(a.row.isDecoded) - Number(b.row.isDecoded) || compare(changed(b), changed(a)) || compare(a.text, b.text)
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** What the other rows say beside it: columns that it leaves empty are theirs, and the rows stand in `also`. */
function toDraft(row: ExportRow, others: readonly ExportRow[], { dbos, restate }: ExportContext): RowDraft {
  const draft = draftOf(row, dbos, restate);
  if (others.length === 0) return draft;
  const told = new Map<string, ToldEvent>();
  for (const { events } of [draft, ...others.map((other) => draftOf(other, dbos, restate))]) {
    for (const event of events) {
      const { first, data } = told.get(event.id) ?? { first: event, data: [] };
      data.push(event.data);
      // What an earlier row says of the event stands.
      told.set(event.id, { first: { ...event, ...first }, data });
    }
  }
  const [head = draft.events[0], ...tail] = [...told.values()].map(({ first, data }) => ({
    ...first,
    data: joinData(data),
  }));
  return { ...draft, events: [{ ...head, data: { ...head.data, also: others.map((other) => other.row) } }, ...tail] };
}

interface ToldEvent {
  readonly first: EventOfRow;
  readonly data: JsonObject[];
}

/** Members of all; one that several have is that of the first. */
function joinData(data: readonly JsonObject[]): JsonObject {
  const members = new Map<string, JsonValue>();
  for (const one of data.toReversed()) for (const [key, value] of Object.entries(one)) members.set(key, value);
  return Object.fromEntries(members);
}

function toImported(
  { table, place }: ExportRow,
  draft: RowDraft,
  event: EventOfRow,
  ids: ReadonlySet<string>,
  { runs, branches, dbos }: ExportContext,
  format: string,
): Result<ImportedEvent, string> {
  const run = runs.get(draft.execution);
  const causes = event.causes
    .filter(({ event: cause, ifOpened }) => ifOpened !== true || ids.has(dbos.originals.get(cause) ?? cause))
    .map(({ event: cause, as, rule }) =>
      present({
        event: dbos.originals.get(cause) ?? cause,
        as,
        grade: rule === undefined ? undefined : 'inferred',
        rule,
      }),
    );
  const record: JsonObject = present({
    v: 1,
    id: event.id,
    type: event.type,
    run: run?.run ?? hashToRun(draft.execution),
    branch: branches.get(draft.execution) ?? mainBranch,
    seq: event.seq,
    time: event.time,
    clock: event.time === undefined ? undefined : `${draft.component} server`,
    source: { component: draft.component, instance: draft.execution },
    causes: causes.length === 0 ? undefined : causes,
    imported: present({
      format,
      file: place.file,
      line: place.line,
      record: table,
      extra: run?.inferred === true ? { rule: 'export-run' } : undefined,
    }),
    data: withFailure(event).data,
  });
  const parsed = parseEvent(record);
  if (!parsed.ok) return err(parsed.error.message);
  return ok({ event: parsed.value, line: eventToLine(parsed.value), place });
}

/** The run an execution names: 32 hex digits in its id or in what it was called with; else made of the id (rule `export-run`). */
function textToRun(text: string): string | undefined {
  for (const [found] of text.replaceAll(/(?<=[0-9a-f])-(?=[0-9a-f])/g, '').matchAll(/\b[0-9a-f]{32}\b/g)) {
    if (isRunId(found)) return found;
  }
  return undefined;
}

function hashToRun(execution: string): string {
  return sha256Hex(textToUtf8(execution)).slice(0, 32);
}
