/**
 * Which record an id means, and which log a record is of, where several runs number alike (SPEC G6, G16).
 *
 * Invariant: a record that names an id which its own run holds means the first such record of that run, in whatever order the runs were
 * read. Two answers go by that order: which record has the plain id and which `~2`, and what a record means whose own run has none.
 */
import { type EventId, eventId } from '../model/index.ts';
import type { IndexColumns, LogInfo } from './columns.ts';
import { type Symbols, createSymbols } from './symbols.ts';

export interface Identities {
  readonly id: (position: number) => EventId;
  readonly find: (id: string) => number;
  readonly occurrences: (id: string) => readonly number[];
  /** The record that a record means by an id: that of its own run before that of another; -1 where there is none. */
  readonly named: (by: number, id: string) => number;
  /** All records of the run of that one that have the id, in the order they were read. */
  readonly allNamed: (by: number, id: string) => readonly number[];
  /** `named` by the number of the id. */
  readonly holder: (by: number, symbol: number) => number;
  /** Some id stands in more than one record. */
  readonly hasRepeats: boolean;
  readonly textOf: (symbol: number) => string;
}

/** Ids of records: repeated ones get a number after the recorded id that no recorded id has (G6, R20). */
export function createIdentities(columns: IndexColumns): Identities {
  let opened: Symbols | undefined;
  const symbols = (): Symbols => (opened ??= createSymbols(columns.ids));
  const firsts = computeFirsts(columns);
  const further = computeFurther(columns, firsts);
  const holders = createHolders(columns, firsts, further);
  const numbered = new Map<number, string>();
  const positionByNumbered = new Map<string, number>();
  for (const [symbol, positions] of further) {
    const text = symbols().text(symbol);
    let n = 2;
    for (const position of positions) {
      while (symbols().find(`${text}~${n}`) >= 0) n++;
      numbered.set(position, `${text}~${n}`);
      positionByNumbered.set(`${text}~${n}`, position);
      n++;
    }
  }
  const positionOf = (id: string): number => {
    const symbol = symbols().find(id);
    return symbol < 0 ? -1 : (firsts[symbol] ?? -1);
  };
  const holder = (by: number, symbol: number): number => {
    const first = firsts[symbol] ?? -1;
    if (!further.has(symbol)) return first;
    const run = runNumber(columns, by);
    return runNumber(columns, first) === run ? first : (holders(symbol, run)[0] ?? first);
  };
  const named = (by: number, id: string): number => {
    const symbol = symbols().find(id);
    return symbol < 0 ? -1 : holder(by, symbol);
  };
  return {
    id: (position) => eventId(numbered.get(position) ?? symbols().text(columns.symbol[position] ?? 0)),
    find: (id) => {
      const first = positionOf(id);
      return first >= 0 ? first : (positionByNumbered.get(id) ?? -1);
    },
    occurrences: (id) => {
      const first = positionOf(id);
      return first < 0 ? [] : [first, ...(further.get(columns.symbol[first] ?? 0) ?? [])];
    },
    named,
    allNamed: (by, id) => {
      const one = named(by, id);
      if (one < 0) return [];
      const symbol = columns.symbol[one] ?? 0;
      return further.has(symbol) ? holders(symbol, runNumber(columns, one)) : [one];
    },
    holder,
    hasRepeats: further.size > 0,
    textOf: (symbol) => symbols().text(symbol),
  };
}

/**
 * Of an id that several records have: those of each run, in the order they were read. Made when an id is first asked for, so that each of
 * any number of causes is one look-up (G8).
 */
function createHolders(
  columns: IndexColumns,
  firsts: Int32Array,
  further: ReadonlyMap<number, readonly number[]>,
): (symbol: number, run: number) => readonly number[] {
  const known = new Map<number, ReadonlyMap<number, readonly number[]>>();
  const compute = (symbol: number): ReadonlyMap<number, readonly number[]> => {
    const byRun = new Map<number, number[]>();
    for (const position of [firsts[symbol] ?? -1, ...(further.get(symbol) ?? [])]) {
      const list = byRun.get(runNumber(columns, position));
      if (list === undefined) byRun.set(runNumber(columns, position), [position]);
      else list.push(position);
    }
    known.set(symbol, byRun);
    return byRun;
  };
  return (symbol, run) => (known.get(symbol) ?? compute(symbol)).get(run) ?? [];
}

function runNumber(columns: IndexColumns, position: number): number {
  return columns.contexts.run[columns.context[position] ?? 0] ?? 0;
}

/** Position of the first record of each symbol; -1 for an id that only causes name. */
function computeFirsts(columns: IndexColumns): Int32Array {
  const firsts = new Int32Array(columns.ids.ends.length).fill(-1);
  for (let i = columns.count - 1; i >= 0; i--) firsts[columns.symbol[i] ?? 0] = i;
  return firsts;
}

/** By symbol: the records after the first, in the order they were read. */
function computeFurther(columns: IndexColumns, firsts: Int32Array): ReadonlyMap<number, readonly number[]> {
  const further = new Map<number, number[]>();
  for (let i = 0; i < columns.count; i++) {
    const symbol = columns.symbol[i] ?? 0;
    if (firsts[symbol] === i) continue;
    const list = further.get(symbol);
    if (list === undefined) further.set(symbol, [i]);
    else list.push(i);
  }
  return further;
}

export interface Logs {
  readonly list: readonly LogInfo[];
  /** Number of the log, by context. */
  readonly ofContext: Int32Array;
}

/**
 * A log gives each number once. One in which two runs use the same number is two logs, of writers that go by one name: it is told
 * apart by run, so that neither run is ordered by the numbers of the other.
 */
export function separateLogs(columns: IndexColumns): Logs {
  const { contexts, logs } = columns;
  const shared = sharedLogs(columns);
  if (shared.size === 0) return { list: logs, ofContext: contexts.log };
  const list = [...logs];
  const ofContext = contexts.log.slice();
  const numbers = new Map<string, number>();
  for (let c = 0; c < ofContext.length; c++) {
    const log = ofContext[c] ?? 0;
    const info = logs[log];
    if (info === undefined || !shared.has(log)) continue;
    const run = contexts.run[c] ?? 0;
    const number = numbers.get(`${log},${run}`) ?? list.length;
    if (number === list.length) list.push({ ...info, run: columns.runs[run] ?? '' });
    numbers.set(`${log},${run}`, number);
    ofContext[c] = number;
  }
  return { list, ofContext };
}

/** Logs in which two runs use one number. */
function sharedLogs(columns: IndexColumns): ReadonlySet<number> {
  const several = logsOfSeveralRuns(columns);
  const shared = new Set<number>();
  if (several.size === 0) return shared;
  const runByNumber = new Map<number, Map<number, number>>();
  for (let i = 0; i < columns.count; i++) {
    const context = columns.context[i] ?? 0;
    const log = columns.contexts.log[context] ?? 0;
    const number = columns.seq[i] ?? Number.NaN;
    if (!several.has(log) || shared.has(log) || Number.isNaN(number)) continue;
    const runs = runByNumber.get(log) ?? new Map<number, number>();
    runByNumber.set(log, runs);
    const run = columns.contexts.run[context] ?? 0;
    const known = runs.get(number);
    if (known === undefined) runs.set(number, run);
    else if (known !== run) shared.add(log);
  }
  return shared;
}

function logsOfSeveralRuns({ contexts }: IndexColumns): ReadonlySet<number> {
  const runs = new Map<number, number>();
  const several = new Set<number>();
  for (let c = 0; c < contexts.log.length; c++) {
    const log = contexts.log[c] ?? 0;
    const run = contexts.run[c] ?? 0;
    if (!runs.has(log)) runs.set(log, run);
    else if (runs.get(log) !== run) several.add(log);
  }
  return several;
}
