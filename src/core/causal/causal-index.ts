/**
 * The causal index of a trace: who caused what, answered from typed arrays.
 *
 * Events are positions, numbered as they were given to the builder; a position means nothing beyond this index, and no answer
 * depends on it except where two records conflict (SPEC G6). Accessors read columns; the bodies stand in an EventSource.
 */
import {
  type BranchId,
  type CauseKind,
  type CommandPath,
  type EdgeGrade,
  type EventFamily,
  type EventId,
  branchId,
  commandPath,
  eventFamily,
} from '../model/index.ts';
import { type Adjacency, groupEdges } from './adjacency.ts';
import {
  type EventFlag,
  type IndexColumns,
  type LogInfo,
  type SymbolList,
  codeToGrade,
  codeToKind,
  eventFlags,
  gradeToCode,
} from './columns.ts';
import { type InferredEdges, computeInferredEdges, inferenceRules } from './infer.ts';
import { type Identities, createIdentities, separateLogs } from './identities.ts';

export interface CausalEdge {
  readonly from: number;
  readonly to: number;
  readonly as: CauseKind;
  readonly grade: EdgeGrade;
  readonly rule?: string | undefined;
}

/** A cause that names an event the trace does not hold. */
export interface DanglingCause {
  readonly effect: number;
  readonly cause: string;
  readonly as: CauseKind;
}

export interface EdgeCounts {
  readonly recorded: number;
  readonly inferred: number;
  readonly clockOnly: number;
}

export interface CausalIndex {
  readonly count: number;
  readonly columns: IndexColumns;
  /** A function of the columns, kept with them so that opening need not compute it again. */
  readonly inferred: InferredEdges;
  readonly edgeCount: number;
  readonly edgeCounts: EdgeCounts;
  /** Causes of each event; `edges` numbers go to `edge`. */
  readonly causes: Adjacency;
  readonly effects: Adjacency;
  readonly edge: (edge: number) => CausalEdge;
  readonly causesOf: (position: number) => readonly CausalEdge[];
  readonly effectsOf: (position: number) => readonly CausalEdge[];
  readonly dangling: readonly DanglingCause[];

  /** Id shown for a record: the recorded one, and for a repeated record the recorded one with `~2`, `~3`, …. */
  readonly id: (position: number) => EventId;
  /** Position of an id as `id` gives it, -1 when there is none. */
  readonly find: (id: string) => number;
  /** All records with the recorded id, in the order they were read. */
  readonly occurrences: (id: string) => readonly number[];
  /** Position of the record that a record means by an id: that of its own run before that of another (G6); -1 for none. */
  readonly named: (by: number, id: string) => number;
  /** All records of the run of that one that have the id, in the order they were read. */
  readonly allNamed: (by: number, id: string) => readonly number[];
  /** Some id stands in more than one record. */
  readonly hasRepeats: boolean;
  readonly type: (position: number) => string;
  readonly family: (position: number) => EventFamily;
  readonly has: (position: number, flag: EventFlag) => boolean;
  readonly agent: (position: number) => string | undefined;
  readonly session: (position: number) => string | undefined;
  readonly run: (position: number) => string;
  readonly step: (position: number) => string | undefined;
  readonly branch: (position: number) => BranchId;
  readonly command: (position: number) => CommandPath | undefined;
  readonly attempt: (position: number) => number | undefined;
  readonly seq: (position: number) => number | undefined;
  /** Milliseconds since the epoch. */
  readonly time: (position: number) => number | undefined;
  readonly clock: (position: number) => string | undefined;
  /** Those of the columns, and where two runs number alike in one of them, one for each run. */
  readonly logs: readonly LogInfo[];
  readonly logNumber: (position: number) => number;
  readonly log: (position: number) => LogInfo;
  /** Positions of the types, ascending. */
  readonly ofType: (...types: readonly string[]) => Int32Array;
  /** Position of the record a branch event supersedes; -1 when it names none or it is not in the trace. */
  readonly supersedes: (position: number) => number;
  /** Position of the record a branch event points at: what `observation.reused` reuses, where `branch.created` forks. */
  readonly pointsAt: (position: number) => number;
}

/** Opens stored columns: resolves causes, adds inferred edges (those given, where they were kept), groups them. */
export function createIndex(columns: IndexColumns, inferred?: InferredEdges): CausalIndex {
  const { count } = columns;
  const ids = createIdentities(columns);
  const logs = separateLogs(columns);
  const edges = resolveEdges(columns, ids.holder, inferred);
  const causes = groupEdges(count, edges.to, edges.from);
  const effects = groupEdges(count, edges.from, edges.to);
  const families = columns.types.map(eventFamily);
  const superseded = listToMap(columns.supersedes, ids.holder);
  const pointers = listToMap(columns.pointers, ids.holder);

  function context(position: number): number {
    return columns.context[position] ?? 0;
  }

  function edge(number: number): CausalEdge {
    const rule = edges.rule(number);
    return {
      from: edges.from[number] ?? -1,
      to: edges.to[number] ?? -1,
      as: codeToKind(edges.kind[number] ?? 0),
      grade: codeToGrade(edges.grade[number] ?? 0),
      ...(rule === undefined ? {} : { rule }),
    };
  }

  function edgesAt(adjacency: Adjacency, position: number): readonly CausalEdge[] {
    const out: CausalEdge[] = [];
    const end = adjacency.offsets[position + 1] ?? 0;
    for (let at = adjacency.offsets[position] ?? 0; at < end; at++) out.push(edge(adjacency.edges[at] ?? 0));
    return out;
  }

  function logNumber(position: number): number {
    return logs.ofContext[context(position)] ?? 0;
  }

  function log(position: number): LogInfo {
    return logs.list[logNumber(position)] ?? { component: '', branch: 'main' };
  }

  return {
    count,
    columns,
    inferred: edges.inferred,
    edgeCount: causes.nodes.length,
    edgeCounts: countEdges(edges),
    causes,
    effects,
    edge,
    causesOf: (position) => edgesAt(causes, position),
    effectsOf: (position) => edgesAt(effects, position),
    dangling: edges.dangling(ids.textOf),
    ...ids,
    type: (position) => columns.types[columns.type[position] ?? 0] ?? '',
    family: (position) => families[columns.type[position] ?? 0] ?? 'unknown',
    has: (position, flag) => ((columns.flags[position] ?? 0) & eventFlags[flag]) !== 0,
    agent: (position) => nameAt(columns.agents, columns.contexts.agent[context(position)]),
    session: (position) => nameAt(columns.sessions, columns.contexts.session[context(position)]),
    run: (position) => nameAt(columns.runs, columns.contexts.run[context(position)]) ?? '',
    step: (position) => nameAt(columns.steps, columns.step[position]),
    branch: (position) => branchId(log(position).branch),
    command: (position) => optional(nameAt(columns.commands, columns.command[position]), commandPath),
    attempt: (position) => (columns.attempt[position] === 0 ? undefined : columns.attempt[position]),
    seq: (position) => recordedNumber(columns.seq[position]),
    time: (position) => recordedNumber(columns.time[position]),
    clock: (position) => nameAt(columns.clocks, columns.contexts.clock[context(position)]),
    logs: logs.list,
    logNumber,
    log,
    ofType: (...types) => positionsOfTypes(columns, types),
    supersedes: (position) => superseded.get(position) ?? -1,
    pointsAt: (position) => pointers.get(position) ?? -1,
  };
}

function nameAt(names: readonly string[], number: number | undefined): string | undefined {
  return number === undefined || number === 0 ? undefined : names[number];
}

function optional<T, U>(value: T | undefined, convert: (value: T) => U): U | undefined {
  return value === undefined ? undefined : convert(value);
}

function recordedNumber(value: number | undefined): number | undefined {
  return value === undefined || Number.isNaN(value) ? undefined : value;
}

function positionsOfTypes(columns: IndexColumns, types: readonly string[]): Int32Array {
  const wanted = new Uint8Array(columns.types.length);
  for (const type of types) {
    const number = columns.types.indexOf(type, 1);
    if (number > 0) wanted[number] = 1;
  }
  let found = 0;
  for (const type of columns.type) if (wanted[type] === 1) found++;
  const out = new Int32Array(found);
  for (let i = 0, at = 0; at < found; i++) if (wanted[columns.type[i] ?? 0] === 1) out[at++] = i;
  return out;
}

function listToMap({ at, symbol }: SymbolList, holder: Identities['holder']): ReadonlyMap<number, number> {
  const map = new Map<number, number>();
  for (let i = 0; i < at.length; i++) map.set(at[i] ?? 0, holder(at[i] ?? 0, symbol[i] ?? 0));
  return map;
}

interface ResolvedEdges {
  readonly inferred: InferredEdges;
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly kind: Uint8Array;
  readonly grade: Uint8Array;
  readonly rule: (edge: number) => string | undefined;
  readonly dangling: (textOf: (symbol: number) => string) => readonly DanglingCause[];
}

function resolveEdges(
  columns: IndexColumns,
  holder: Identities['holder'],
  known: InferredEdges | undefined,
): ResolvedEdges {
  const recorded = columns.edgeFrom.length;
  const resolved = new Int32Array(recorded);
  let danglingCount = 0;
  for (let e = 0; e < recorded; e++) {
    const from = holder(columns.edgeTo[e] ?? 0, columns.edgeFrom[e] ?? 0);
    resolved[e] = from;
    if (from < 0) danglingCount++;
  }
  const inferred = known ?? computeInferredEdges(columns, resolved);
  const total = recorded + inferred.from.length;
  const from = extended(resolved, new Int32Array(total), inferred.from);
  const to = extended(columns.edgeTo, new Int32Array(total), inferred.to);
  const kind = extended(columns.edgeKind, new Uint8Array(total), inferred.kind);
  const grade = new Uint8Array(total).fill(gradeToCode('inferred'));
  grade.set(columns.edgeGrade);
  return {
    inferred,
    from,
    to,
    kind,
    grade,
    rule: (e) =>
      e < recorded ? nameAt(columns.rules, columns.edgeRule[e]) : inferenceRules[inferred.rule[e - recorded] ?? 0],
    dangling: (textOf) => {
      const out: DanglingCause[] = [];
      for (let e = 0; e < recorded && out.length < danglingCount; e++) {
        if ((resolved[e] ?? -1) >= 0) continue;
        const effect = columns.edgeTo[e] ?? 0;
        out.push({ effect, cause: textOf(columns.edgeFrom[e] ?? 0), as: codeToKind(columns.edgeKind[e] ?? 0) });
      }
      return out;
    },
  };
}

function extended<T extends Int32Array | Uint8Array>(first: T, out: T, rest: T): T {
  out.set(first);
  out.set(rest, first.length);
  return out;
}

function countEdges({ from, grade }: ResolvedEdges): EdgeCounts {
  const counts = { recorded: 0, inferred: 0, clockOnly: 0 };
  for (let e = 0; e < from.length; e++) {
    if ((from[e] ?? -1) < 0) continue;
    const name = codeToGrade(grade[e] ?? 0);
    counts[name === 'clock-only' ? 'clockOnly' : name]++;
  }
  return counts;
}
