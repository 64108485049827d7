/**
 * Which lines a transcript has, without their texts: one entry a shown event, and one a finding that belongs in place.
 *
 * Invariant: computed from (view, filter, findings) alone, so the same trace gives the same lines (R69, R71); no body is decoded
 * but that of what the environment told.
 * A finding's line stands after the last shown record it rests on; a finding with no record shown has no line, and is counted
 * nowhere else in the transcript.
 */
import { hasBit } from '../../causal/index.ts';
import type { Bitset } from '../../causal/index.ts';
import { isMadeOnOpening } from '../made-on-opening.ts';
import { isEmptyFilter } from '../matching.ts';
import type { FilterSpec, Finding, TranscriptLine } from '../trace-reader.ts';
import type { TraceView } from '../trace-view.ts';
import { type Folds, computeFolds } from './folds.ts';
import type { Nesting } from './nesting.ts';
import { groupThreads } from './threads.ts';

export interface FindingEntry {
  readonly finding: Finding;
  readonly kind: Exclude<TranscriptLine['kind'], 'event' | 'folded' | 'cannot-answer'>;
  /** Position of the shown record after which it stands. */
  readonly after: number;
}

export interface LineIndex {
  readonly total: number;
  /** Position of the event of a line, or -1 - n for the n-th finding entry. */
  readonly lines: Int32Array;
  readonly findings: readonly FindingEntry[];
  /** Lines that stand for several events, by the position of their first. */
  readonly folds: Folds;
  readonly hidden: number;
  /** Line of an event by its row in the view; -1 when it has none. */
  readonly lineOfRow: Int32Array;
  /** 1 for a line whose parent is not the line above it that is less deep. */
  readonly isApart: Uint8Array;
}

/** Records that carry other records, or repeat what a line beside them says: left out unless the filter asks for them. */
const unspoken: ReadonlySet<string> = new Set([
  'stream.declared',
  'content.stored',
  'step.completed',
  'tool_call.acknowledged',
  'tool_call.result_persisted',
  'model_call.served',
  'effect.requested',
  'clock.read',
  'random.drawn',
  'marker.recorded',
  'pure.computed',
  'observation.reused',
  'fault.scheduled',
  'fault.armed',
  'recovery.observation_replayed',
  'branch.created',
]);

/** What opening made for the loop of a run is no record of what happened: nobody said it. An end that failed says what its beginning cannot. */
function isUnspoken(view: TraceView, position: number): boolean {
  const type = view.index.type(position);
  if (type === 'step.completed' && view.index.has(position, 'failed')) return false;
  return unspoken.has(type) || (type === 'env.read' && isMadeOnOpening(view.event(position)));
}

export function computeLineIndex(
  view: TraceView,
  filter: FilterSpec,
  findings: readonly Finding[],
  nesting: Nesting,
): LineIndex {
  const shown = view.matching(filter);
  const isDefault = filter.types.length === 0 && filter.families.length === 0;
  const isShown = (position: number): boolean =>
    hasBit(shown, position) && !(isDefault && isUnspoken(view, position) && !isFound(filter));
  const entries = placeFindings(view, isShown, findings, shown);
  const events = groupThreads(view, nesting, view.positions.filter(isShown));
  const entriesAfter = new Map<number, number[]>();
  for (const [n, { after }] of entries.entries()) {
    const list = entriesAfter.get(after);
    if (list === undefined) entriesAfter.set(after, [n]);
    else list.push(n);
  }
  const lines = new Int32Array(events.length + entries.length);
  const lineOfRow = new Int32Array(view.positions.length).fill(-1);
  const folds: Folds =
    isDefault && !isFound(filter)
      ? computeFolds(view, nesting, events, (position) => entriesAfter.has(position))
      : new Map();
  const folded = new Set([...folds.values()].flatMap((members) => members.slice(1)));
  let total = 0;
  for (const position of events) {
    if (folded.has(position)) continue;
    for (const member of folds.get(position) ?? [position]) lineOfRow[view.rowOf(member)] = total;
    lines[total++] = position;
    for (const n of entriesAfter.get(position) ?? []) lines[total++] = -1 - n;
  }
  return {
    total,
    lines: lines.subarray(0, total),
    findings: entries,
    folds,
    hidden: view.positions.length - events.length,
    lineOfRow,
    isApart: computeApart(lines.subarray(0, total), nesting),
  };
}

/** Lines that do not stand below their parent: what is above them, one level up, is another record. */
function computeApart(lines: Int32Array, nesting: Nesting): Uint8Array {
  const apart = new Uint8Array(lines.length);
  /** The last line at each depth, with nothing less deep after it. */
  const above: number[] = [];
  for (const [at, position] of lines.entries()) {
    if (position < 0) continue;
    const depth = nesting.depthOf(position);
    above.length = Math.min(above.length, depth + 1);
    const parent = nesting.parentOf(position);
    if (parent >= 0 && above[depth - 1] !== parent) apart[at] = 1;
    above[depth] = position;
    // Siblings below stand under the same parent; it need not be named again.
    if (parent >= 0) above[depth - 1] = parent;
  }
  return apart;
}

/** Somebody who searches for a text wants every record that holds it. */
function isFound(filter: FilterSpec): boolean {
  return filter.text.trim() !== '' && !isEmptyFilter(filter);
}

function placeFindings(
  view: TraceView,
  isShown: (position: number) => boolean,
  findings: readonly Finding[],
  shown: Bitset,
): FindingEntry[] {
  const entries: FindingEntry[] = [];
  for (const finding of findings) {
    const kind = findingToKind(finding);
    if (kind === undefined) continue;
    const positions = finding.evidence.map((id) => view.index.find(id)).filter((position) => view.holds(position));
    const after = anchorOf(view, finding, positions.filter(isShown), positions, shown);
    if (after !== undefined) entries.push({ finding, kind, after });
  }
  return entries
    .map((entry, i) => ({ entry, i, row: view.rowOf(entry.after) }))
    .sort((a, b) => a.row - b.row || a.i - b.i)
    .map(({ entry }) => entry);
}

function findingToKind(finding: Finding): FindingEntry['kind'] | undefined {
  if (finding.rule === 'executed-twice') return 'executed-twice';
  if (finding.rule === 'recorded-twice') return 'recorded-twice';
  if (finding.severity === 'gap') return 'gap';
  return finding.severity === 'violation' ? 'problem' : undefined;
}

/** The last shown record of the act itself, where there is one: a kill or a later restart is not where the gap is. */
function anchorOf(
  view: TraceView,
  finding: Finding,
  candidates: readonly number[],
  all: readonly number[],
  shown: Bitset,
): number | undefined {
  if (all.length > 0 && !all.some((position) => hasBit(shown, position))) return undefined;
  const first = candidates[0];
  if (finding.rule === 'restore-point-lacks-effect') return first;
  const acts = candidates.filter((position) => ['tool', 'effect', 'model'].includes(view.index.family(position)));
  const pool = acts.length > 0 ? acts : candidates;
  let last: number | undefined;
  for (const position of pool) if (last === undefined || view.rowOf(position) > view.rowOf(last)) last = position;
  return last;
}
