/**
 * The traces of what was opened: one for each trace id, but those that a link joins are one.
 */
import type { ImportOptions, SourceFile, TraceEntry } from '../format.ts';
import { sessionOf } from './fields.ts';
import type { TelemetryReader } from './reader.ts';
import type { Entry } from './record.ts';
import { textAt } from './values.ts';

interface Group {
  readonly trace: string;
  records: number;
  title: string;
  /** How well the title tells what the trace is. */
  rank: number;
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
    entries.set(key, { key, title: known?.title ?? group.title, records, startedAt });
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
    startedAt: undefined,
    links: new Set<string>(),
  };
  groups.set(entry.trace, group);
  group.records++;
  if (entry.kind === 'foreign') return;
  group.startedAt = earlier(group.startedAt, entry.kind === 'span' ? entry.start : entry.time);
  const service = textAt(entry.resource, 'service.name');
  const name = entry.kind === 'span' ? entry.name : (entry.name ?? '');
  const rank = entry.kind === 'log' ? 1 : entry.parent === undefined ? 3 : 2;
  if (rank > group.rank && name !== '') {
    const told = service === undefined ? name : `${name} (${service})`;
    const session = sessionOf(entry.attributes);
    group.title = session === undefined ? told : `${told}, ${session}`;
    group.rank = rank;
  }
  if (entry.kind === 'span') for (const link of entry.links) group.links.add(link.trace);
}

/** The first trace of each set of traces that links join. */
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
      if (a !== b) roots.set(b, a);
    }
  }
  return new Map([...groups.keys()].map((trace) => [trace, find(trace)]));
}

function earlier(a: string | undefined, b: string | undefined): string | undefined {
  return a === undefined || (b !== undefined && b < a) ? b : a;
}
