/**
 * One branch of one trace, tied together: index, bodies, what the branch shows, and the order in which it is shown.
 *
 * Invariant: everything a view hands out is visible on its branch; no answer mixes branches (R42). Views are made once per branch
 * by the reader and are immutable; look-ups by type and filters are computed once and kept.
 */
import { type JsonObject, type JsonValue, isJsonObject } from '../base/json.ts';
import { parseLossless } from '../base/lossless.ts';
import {
  type Bitset,
  type BranchInfo,
  type Branches,
  type CausalEdge,
  type CausalIndex,
  type CausalOrder,
  type EventSource,
  hasBit,
  memberOf,
  payloadOf,
  textAt,
} from '../causal/index.ts';
import { type BranchId, type HindcastEvent, isContentReference } from '../model/index.ts';
import { copyPositions, countLeftOut } from './copy-records.ts';
import { computeMatches, filterToKey } from './matching.ts';
import type { FilterSpec, StoredContent } from './trace-reader.ts';

export interface TraceView {
  readonly index: CausalIndex;
  readonly source: EventSource;
  readonly order: CausalOrder;
  readonly branch: BranchId;
  readonly info: BranchInfo | undefined;
  readonly visible: Bitset;
  /** Visible positions in display order. What a copy says of itself is no event of the run: it is held, and has no row. */
  readonly positions: Int32Array;
  /** Row of a position in `positions`, -1 when the branch does not show it, or not as an event of the run. */
  readonly rowOf: (position: number) => number;
  readonly holds: (position: number) => boolean;
  /** Events of this branch that are not in the copy: what is absent here may stand there. 0 in what is no copy. */
  readonly leftOut: number;
  readonly event: (position: number) => HindcastEvent;
  /** The payload as recorded JSON; empty where there is none. */
  readonly data: (position: number) => JsonObject;
  /** Visible positions of these types, in display order. */
  readonly ofType: (...types: readonly string[]) => readonly number[];
  /** Edges whose other end the view holds, in recorded order. */
  readonly causesOf: (position: number) => readonly CausalEdge[];
  readonly effectsOf: (position: number) => readonly CausalEdge[];
  /** Visible positions that a filter shows. */
  readonly matching: (filter: FilterSpec) => Bitset;
  readonly content: (digest: string) => StoredContent | undefined;
  /** A recorded value with a reference followed once; the reference itself when its bytes are not in the trace. */
  readonly resolve: (value: JsonValue) => JsonValue;
}

/** What all views of a trace share. */
export interface TraceParts {
  readonly index: CausalIndex;
  readonly source: EventSource;
  readonly order: CausalOrder;
  readonly branches: Branches;
  readonly content: (digest: string) => StoredContent | undefined;
}

/** Filters whose result is kept per view: the present one and a few before it. */
const keptFilters = 8;

export function createTraceView(parts: TraceParts, branch: BranchId): TraceView {
  const { index, source, order } = parts;
  const visible = parts.branches.visible(branch);
  const ofCopy = new Set(copyPositions(index));
  const positions = order.display.filter((position) => hasBit(visible, position) && !ofCopy.has(position));
  const rows = new Int32Array(index.count).fill(-1);
  for (let row = 0; row < positions.length; row++) rows[positions[row] ?? 0] = row;
  const byTypes = new Map<string, readonly number[]>();
  const matches = new Map<string, Bitset>();

  const view: TraceView = {
    index,
    source,
    order,
    branch,
    info: parts.branches.find(branch),
    visible,
    positions,
    rowOf: (position) => rows[position] ?? -1,
    holds: (position) => position >= 0 && hasBit(visible, position),
    leftOut: countLeftOut(index, source, branch),
    event: source.at,
    data: (position) => payloadOf(source.at(position)),
    ofType: (...types) => {
      const key = types.join();
      const known = byTypes.get(key);
      if (known !== undefined) return known;
      const found = [...index.ofType(...types)]
        .filter((position) => hasBit(visible, position))
        .sort((a, b) => (rows[a] ?? 0) - (rows[b] ?? 0));
      byTypes.set(key, found);
      return found;
    },
    causesOf: (position) => index.causesOf(position).filter((edge) => hasBit(visible, edge.from)),
    effectsOf: (position) => index.effectsOf(position).filter((edge) => hasBit(visible, edge.to)),
    matching: (filter) => {
      const key = filterToKey(filter);
      const known = matches.get(key) ?? computeMatches(view, filter);
      matches.delete(key);
      matches.set(key, known);
      for (const oldest of matches.keys()) {
        if (matches.size <= keptFilters) break;
        matches.delete(oldest);
      }
      return known;
    },
    content: parts.content,
    resolve: (value) => resolveReference(parts.content, value),
  };
  return view;
}

/** Reads `content.stored` records once, by digest; bodies stay in the source. */
export function createContentLookup(
  index: CausalIndex,
  source: EventSource,
): (digest: string) => StoredContent | undefined {
  let positions: Map<string, number> | undefined;
  return (digest) => {
    if (positions === undefined) {
      positions = new Map();
      for (const position of index.ofType('content.stored')) {
        const stored = textAt(payloadOf(source.at(position)), 'digest');
        if (stored !== undefined && !positions.has(stored)) positions.set(stored, position);
      }
    }
    const position = positions.get(digest);
    if (position === undefined) return undefined;
    const data = payloadOf(source.at(position));
    const text = textAt(data, 'text');
    const base64 = textAt(data, 'base64');
    return {
      mediaType: textAt(data, 'mediaType') ?? 'application/json',
      ...(text === undefined ? {} : { text }),
      ...(base64 === undefined ? {} : { base64 }),
    };
  };
}

function resolveReference(content: TraceParts['content'], value: JsonValue): JsonValue {
  if (!isJsonObject(value) || !isContentReference(value)) return value;
  const stored = content(value.$ref);
  if (stored?.text === undefined) return value;
  if (!/json/.test(stored.mediaType)) return stored.text;
  const parsed = parseLossless(stored.text);
  return parsed.ok ? parsed.value : stored.text;
}

/** A member of a payload with a reference followed. */
export function resolvedMember(view: TraceView, position: number, key: string): JsonValue | undefined {
  const value = memberOf(view.data(position), key);
  return value === undefined ? undefined : view.resolve(value);
}
