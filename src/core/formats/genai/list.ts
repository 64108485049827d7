/**
 * The traces of what was opened: one for each trace id, but those that a link joins are one.
 */
import type { ImportOptions, SourceFile, TraceEntry } from '../format.ts';
import { sessionOf } from './fields.ts';
import type { TelemetryReader } from './reader.ts';
import type { Entry, Log, Span } from './record.ts';
import { textAt } from './values.ts';

interface Group {
  readonly trace: string;
  records: number;
  title: string;
  /** How well the title tells what the trace is; of equal ones the one that began first. */
  rank: number;
  titledAt: string;
  startedAt: string | undefined;
  readonly links: Set<string>;
}

export async function listTraces(
  reader: TelemetryReader,
  files: readonly SourceFile[],
  options: ImportOptions,
): Promise<readonly TraceEntry[]> {
  const groups = await readGroups(reader, files, options);
  const roots = joinGroups(groups);
  const entries = new Map<string, TraceEntry>();
  for (const group of groups.values()) {
    const key = roots.get(group.trace) ?? group.trace;
    const known = entries.get(key);
    const records = group.records + (known?.records ?? 0);
    const startedAt = known === undefined ? group.startedAt : earlier(known.startedAt, group.startedAt);
    entries.set(key, { key, title: groups.get(key)?.title ?? group.title, records, startedAt });
  }
  return [...entries.values()];
}

/** The trace ids that belong to one entry of the list. */
export async function tracesOf(
  reader: TelemetryReader,
  files: readonly SourceFile[],
  key: string,
  options: ImportOptions,
): Promise<ReadonlySet<string>> {
  const roots = joinGroups(await readGroups(reader, files, options));
  const wanted = roots.get(key) ?? key;
  return new Set([key, ...[...roots].filter(([, root]) => root === wanted).map(([trace]) => trace)]);
}

async function readGroups(
  reader: TelemetryReader,
  files: readonly SourceFile[],
  options: ImportOptions,
): Promise<ReadonlyMap<string, Group>> {
  const groups = new Map<string, Group>();
  for (const file of files) {
    for await (const entries of reader.entries(file, ignore)) {
      for (const entry of entries) if (entry.kind !== 'problem') addEntry(groups, entry);
      if (options.signal?.aborted === true) return groups;
    }
  }
  return groups;
}

function ignore(_bytes: number): void {
  // The list is read before any progress is shown.
}

function addEntry(groups: Map<string, Group>, entry: Exclude<Entry, { kind: 'problem' }>): void {
  const group = groups.get(entry.trace) ?? {
    trace: entry.trace,
    records: 0,
    title: entry.trace,
    rank: 0,
    titledAt: '',
    startedAt: undefined,
    links: new Set<string>(),
  };
  groups.set(entry.trace, group);
  group.records++;
  if (entry.kind === 'foreign') return;
  const time = entry.kind === 'span' ? entry.start : entry.time;
  group.startedAt = earlier(group.startedAt, time);
  const name = entry.kind === 'span' ? entry.name : (entry.name ?? '');
  const rank = entry.kind === 'log' ? 1 : entry.parent === undefined ? 3 : 2;
  if (name !== '' && rank >= group.rank) addTitle(group, rank, time ?? '~', entry, name);
  if (entry.kind === 'span') for (const link of entry.links) group.links.add(link.trace);
}

function addTitle(group: Group, rank: number, time: string, { resource, attributes }: Span | Log, name: string): void {
  if (rank === group.rank && time > group.titledAt) return;
  const service = textAt(resource, 'service.name');
  const session = sessionOf(attributes);
  const told = service === undefined ? name : `${name} (${service})`;
  const title = session === undefined ? told : `${told}, ${session}`;
  if (rank === group.rank && time === group.titledAt && title > group.title) return;
  group.title = title;
  group.rank = rank;
  group.titledAt = time;
}

/** The trace that began first of each set of traces that links join. */
function joinGroups(groups: ReadonlyMap<string, Group>): ReadonlyMap<string, string> {
  const roots = new Map<string, string>();
  const find = (trace: string): string => {
    let at = trace;
    for (;;) {
      const next = roots.get(at) ?? at;
      if (next === at) return at;
      roots.set(at, roots.get(next) ?? next);
      at = next;
    }
  };
  for (const group of groups.values()) {
    for (const other of group.links) {
      if (!groups.has(other)) continue;
      const a = find(group.trace);
      const b = find(other);
      if (a === b) continue;
      if (beganBefore(groups.get(b), groups.get(a))) roots.set(a, b);
      else roots.set(b, a);
    }
  }
  return new Map([...groups.keys()].map((trace) => [trace, find(trace)]));
}

function beganBefore(one: Group | undefined, other: Group | undefined): boolean {
  const a = one?.startedAt ?? '~';
  const b = other?.startedAt ?? '~';
  return a === b ? (one?.trace ?? '') < (other?.trace ?? '') : a < b;
}

function earlier(a: string | undefined, b: string | undefined): string | undefined {
  return a === undefined || (b !== undefined && b < a) ? b : a;
}
