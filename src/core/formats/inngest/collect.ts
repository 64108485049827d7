/**
 * Pieces of Inngest files to runs: rows by the run id they carry, else by the document they stand in; trees by their root.
 */
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { sha256Hex } from '../../base/hash.ts';
import type { Problem } from '../format.ts';
import type { Grouped, GroupedTrace, MappedRecord } from '../grouped.ts';
import { textAt } from '../members.ts';
import type { Piece } from '../pieces.ts';
import { compareRows, type Row, rowsToRecords, valueToRow } from './rows.ts';
import { findRoot, isTreeSpan, rootToDrafts, type TreeSpan, treeToRecords } from './tree.ts';

const lists = ['history', 'run.history', 'functionRun.history', 'data.run.history', 'data.functionRun.history'];
const trees = ['childrenSpans', 'trace.childrenSpans', 'run.trace.childrenSpans', 'data.run.trace.childrenSpans'];

export const wanted: ReadonlySet<string> = new Set([
  '*',
  ...lists.map((path) => `${path}.*`),
  ...trees.map((path) => `${path}.*`),
]);

interface Held {
  readonly rows: Map<string, Row>;
  readonly spans: TreeSpan[];
  readonly frames: Piece[];
  copies: number;
}

export function collect(pieces: readonly Piece[]): Grouped {
  const held = new Map<string, Held>();
  const problems: Problem[] = [];
  const heldBy = (key: string): Held => {
    const known = held.get(key) ?? { rows: new Map<string, Row>(), spans: [], frames: [], copies: 0 };
    held.set(key, known);
    return known;
  };
  for (const piece of pieces) {
    const { value, place } = piece.record;
    const document = `${place.file}\n${piece.document}`;
    const row = isJsonObject(value) ? valueToRow(value, place) : undefined;
    const alone = piece.path === 'frame' || piece.path === '' || piece.path === '*';
    if (row !== undefined)
      addRow(heldBy(row.run ?? (piece.path === 'frame' ? place.file : document)), row, piece, problems);
    else if (alone && isJsonObject(value)) heldBy(document).frames.push(piece);
    else if (isTreeSpan(value)) heldBy(document).spans.push({ value, place });
    else problems.push(noRecord(piece));
  }
  const traces = [...held].flatMap(([key, part]) => [...rowsToTrace(key, part), ...treeToTrace(part, problems)]);
  return { traces: uniteTraces(traces), problems, notes: [] };
}

function addRow(held: Held, row: Row, piece: Piece, problems: Problem[]): void {
  const known = held.rows.get(row.id);
  if (known === undefined) held.rows.set(row.id, row);
  else if (JSON.stringify(known.value) === JSON.stringify(row.value)) held.copies++;
  else {
    const { place, text } = piece.record;
    const message = `The row ${row.id} at byte ${place.offset} of ${place.file} has the id of another row. The first is used; the bytes of this one are kept.`;
    problems.push({ code: 'conflicting-id', message, place, raw: new TextEncoder().encode(text), severity: 'problem' });
  }
}

function rowsToTrace(key: string, { rows, copies, spans, frames }: Held): readonly GroupedTrace[] {
  if (rows.size === 0) return [];
  const sorted = [...rows.values()].sort(compareRows);
  const [first] = sorted;
  const name = first?.run ?? `rows from ${first?.id ?? key}`;
  const run = runOf(name);
  const mapped = rowsToRecords(run, sorted);
  // What stands around rows (status, output of the run) goes with the first of them.
  const framed = spans.length === 0 ? frames : [];
  return [
    {
      key: name,
      title: name,
      startedAt: first?.time,
      mapped: withFrames(mapped, framed),
      derived: [],
      merged: copies + framed.length,
    },
  ];
}

function withFrames(mapped: readonly MappedRecord[], frames: readonly Piece[]): readonly MappedRecord[] {
  const [record, ...rest] = mapped;
  const [draft, ...others] = record?.drafts ?? [];
  if (record === undefined || draft === undefined || frames.length === 0) return mapped;
  const extra = { ...draft.extra, documents: frames.map((frame) => frame.record.value) };
  return [{ ...record, drafts: [{ ...draft, extra }, ...others] }, ...rest];
}

function treeToTrace({ frames, spans, rows }: Held, problems: Problem[]): readonly GroupedTrace[] {
  if (rows.size > 0) return [];
  const traces: GroupedTrace[] = [];
  for (const frame of frames) {
    const { value, place } = frame.record;
    const found = isJsonObject(value) ? findRoot(value) : undefined;
    if (found === undefined) {
      problems.push(noRecord(frame));
      continue;
    }
    const key = textAt(found.run, 'id') ?? textAt(found.root, 'runID') ?? textAt(found.root, 'spanID') ?? '';
    const run = runOf(key);
    // A root in a list holds its spans inside; one that stands around them had them taken out.
    const inside = (Array.isArray(found.root['childrenSpans']) ? found.root['childrenSpans'] : []).filter(isTreeSpan);
    const isHolder = frames.length === 1;
    const within: readonly TreeSpan[] = inside.map((span: JsonObject) => ({ value: span, place }));
    const own = treeToRecords(run, found.root, within);
    const tree = treeToRecords(run, found.root, isHolder ? spans : []);
    const root: MappedRecord = {
      place,
      drafts: [...rootToDrafts(run, found.root, found.run), ...own.mapped.flatMap(({ drafts }) => drafts)],
    };
    traces.push({
      key,
      title: key,
      startedAt: root.drafts[0]?.time,
      mapped: [root, ...tree.mapped],
      derived: [],
      merged: tree.merged,
    });
  }
  if (traces.length === 0 && spans.length > 0) traces.push(rootless(spans));
  return traces;
}

/** Spans whose root was lost. */
function rootless(spans: readonly TreeSpan[]): GroupedTrace {
  const ids = spans.map(({ value }) => textAt(value, 'spanID') ?? '').sort();
  const key = `spans from ${ids[0] ?? ''}`;
  const tree = treeToRecords(runOf(key), undefined, spans);
  return { key, title: key, mapped: tree.mapped, derived: [], merged: tree.merged };
}

/** The same run in two files is one trace; what both tell is told once. */
function uniteTraces(traces: readonly GroupedTrace[]): readonly GroupedTrace[] {
  const byKey = new Map<string, GroupedTrace>();
  for (const trace of traces) {
    const known = byKey.get(trace.key);
    if (known === undefined) {
      byKey.set(trace.key, trace);
      continue;
    }
    const ids = new Set<string>(known.mapped.flatMap(({ drafts }) => drafts.map(({ id }) => id)));
    const fresh = trace.mapped.filter(({ drafts }) => !drafts.some(({ id }) => ids.has(id)));
    const merged = known.merged + trace.merged + trace.mapped.length - fresh.length;
    byKey.set(trace.key, { ...known, mapped: [...known.mapped, ...fresh], merged });
  }
  return [...byKey.values()];
}

function runOf(key: string): string {
  return sha256Hex(`inngest ${key}`).slice(0, 32);
}

function noRecord({ record }: Piece): Problem {
  const { place, text } = record;
  const message = `The record at line ${place.line ?? 1} (byte ${place.offset}) of ${place.file} is no row of a run's history and no span of a run. Its bytes are kept.`;
  return { code: 'no-inngest-record', message, place, raw: new TextEncoder().encode(text), severity: 'problem' };
}
