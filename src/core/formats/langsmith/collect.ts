/**
 * LangSmith run bodies to operations: the POST that begins a run and the PATCH that ends it share an `id`; batches hold lists of both.
 *
 * Invariant: one run id is one operation, and every body is a record of it. Bodies are laid over one another in the order of their
 * kind (POST first), never in that of the file; what differs otherwise is kept in `also_recorded`.
 */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, setOwn } from '../../base/json.ts';
import { traceToRun } from '../draft.ts';
import type { InputPlace, Problem } from '../format.ts';
import { firstText, listAt, memberAt, objectAt, restOf, textAt } from '../members.ts';
import type { Piece } from '../pieces.ts';
import type { Collected, CollectedTrace } from '../spans/read.ts';
import { dottedToIds, type MergedRun } from './bodies.ts';
import { toOperation } from './run.ts';

export const wanted: ReadonlySet<string> = new Set(['*', 'post.*', 'patch.*', 'runs.*']);

interface Held {
  readonly bodies: { readonly body: JsonObject; readonly place: InputPlace; readonly path: string }[];
}

export function collect(pieces: readonly Piece[]): Collected {
  const runs = new Map<string, Held>();
  const problems: Problem[] = [];
  for (const piece of pieces) {
    const body = piece.record.value;
    const id = isJsonObject(body) ? runIdOf(body) : undefined;
    if (!isJsonObject(body) || id === undefined) {
      problems.push(notKnown(piece));
      continue;
    }
    const { path } = piece;
    const { place } = piece.record;
    // A tree holds the runs below a run inside it.
    const open: { readonly id: string; readonly body: JsonObject }[] = [{ id, body }];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      const { below, own } = childrenOf(at.id, at.body);
      const held = runs.get(at.id) ?? { bodies: [] };
      held.bodies.push({ body: own, place, path });
      runs.set(at.id, held);
      for (const child of below.toReversed()) open.push(child);
    }
  }
  const merged = new Map([...runs].map(([id, held]) => [id, mergeBodies(held)]));
  return { traces: toTraces(merged), problems, notes: [] };
}

/** Runs inside `child_runs`, each with the parent that its place tells where it names none; what is no run stays where it is. */
function childrenOf(parent: string, body: JsonObject) {
  const listed = listAt(body, 'child_runs') ?? [];
  const below: { readonly id: string; readonly body: JsonObject }[] = [];
  for (const child of listed) {
    const id = isJsonObject(child) ? runIdOf(child) : undefined;
    if (isJsonObject(child) && id !== undefined)
      below.push({ id, body: { parent_run_id: parent, ...withoutNull(child) } });
  }
  if (below.length === 0 || below.length < listed.length) return { below: [], own: body };
  return { below, own: restOf(body, new Set(['child_runs'])) };
}

function withoutNull(body: JsonObject): JsonObject {
  return restOf(body, new Set());
}

/** A PATCH inside a batch may have no id: its `dotted_order` ends with it. */
function runIdOf(body: JsonObject): string | undefined {
  const isRun = ['run_type', 'inputs', 'outputs', 'end_time', 'start_time', 'dotted_order'].some((key) => key in body);
  return isRun ? (textAt(body, 'id') ?? textAt(body, 'run_id') ?? lastOf(textAt(body, 'dotted_order'))) : undefined;
}

function lastOf(dotted: string | undefined): string | undefined {
  return dottedToIds(dotted).at(-1);
}

function mergeBodies({ bodies }: Held): MergedRun {
  const ordered = [...bodies].sort(
    (a, b) =>
      rankOf(a.body, a.path) - rankOf(b.body, b.path) || (JSON.stringify(a.body) < JSON.stringify(b.body) ? -1 : 1),
  );
  const out: Record<string, JsonValue> = {};
  const replaced: JsonObject[] = [];
  for (const { body } of ordered) {
    const lost: Record<string, JsonValue> = {};
    for (const [key, value] of Object.entries(body)) {
      if (value === null || isEmpty(value)) continue;
      const before = out[key];
      if (before !== undefined && key !== 'id' && key !== 'name' && JSON.stringify(before) !== JSON.stringify(value))
        setOwn(lost, key, before);
      setOwn(out, key, value);
    }
    if (Object.keys(lost).length > 0) replaced.push(lost);
  }
  if (replaced.length > 0) out['also_recorded'] = replaced;
  const place = ordered[0]?.place ?? { file: '', offset: 0 };
  return { body: out, place, count: bodies.length };
}

function isEmpty(value: JsonValue): boolean {
  return isJsonArray(value) ? value.length === 0 : isJsonObject(value) && Object.keys(value).length === 0;
}

/** POST, whole run, PATCH. */
function rankOf(body: JsonObject, path: string): number {
  if (path.startsWith('post')) return 0;
  if (path.startsWith('patch')) return 2;
  return 'start_time' in body && !('end_time' in body) ? 0 : 'start_time' in body ? 1 : 2;
}

function toTraces(runs: ReadonlyMap<string, MergedRun>): readonly CollectedTrace[] {
  const byTrace = new Map<string, [string, MergedRun][]>();
  for (const [id, run] of runs) {
    const key = traceOf(id, run.body, runs);
    const members = byTrace.get(key);
    if (members === undefined) byTrace.set(key, [[id, run]]);
    else members.push([id, run]);
  }
  return [...byTrace].map(([key, members]) => {
    const root = runs.get(key)?.body;
    const metadata = objectAt(objectAt(root, 'extra'), 'metadata');
    return {
      key,
      run: traceToRun(key),
      name: textAt(root, 'name'),
      session:
        firstText(metadata, 'thread_id', 'session_id', 'conversation_id') ??
        firstText(root, 'session_name', 'session_id'),
      input: memberAt(root, 'inputs'),
      operations: members.map(([id, run]) => toOperation(id, run)),
      others: [],
      merged: members.reduce((sum, [, { count }]) => sum + count - 1, 0),
    };
  });
}

const mostLevels = 512;

/** The trace is named, or is the root of the dotted order, or the root of the parents that are here. */
function traceOf(id: string, body: JsonObject, runs: ReadonlyMap<string, MergedRun>): string {
  const named = textAt(body, 'trace_id') ?? dottedToIds(textAt(body, 'dotted_order'))[0];
  if (named !== undefined) return named;
  let at = id;
  for (let level = 0; level < mostLevels; level++) {
    const parent = textAt(runs.get(at)?.body, 'parent_run_id');
    if (parent === undefined || !runs.has(parent)) return parent ?? at;
    at = parent;
  }
  return at;
}

function notKnown({ record }: Piece): Problem {
  const { place } = record;
  const message = `The record at line ${place.line ?? 1} (byte ${place.offset}) of ${place.file} is no run of LangSmith: it has no run id. Its bytes are kept.`;
  return { code: 'no-identity', message, place, raw: new TextEncoder().encode(record.text), severity: 'problem' };
}

export function looksLikeRun(value: JsonValue | undefined): boolean {
  if (!isJsonObject(value)) return false;
  const isBegun = typeof value['run_type'] === 'string' && ('inputs' in value || 'dotted_order' in value);
  return isBegun || ('dotted_order' in value && ('outputs' in value || 'inputs' in value));
}

export function runsIn(value: JsonObject): readonly JsonValue[] {
  return [...(listAt(value, 'post') ?? []), ...(listAt(value, 'patch') ?? []), ...(listAt(value, 'runs') ?? [])];
}
