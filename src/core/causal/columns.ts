/**
 * The stored form of an index: typed arrays and string tables, nothing else.
 *
 * It is structured-cloneable and transferable, so that a worker builds it, storage keeps it in one row, and `createIndex` opens it
 * again without reading an event. Number 0 of every name table stands for "not recorded". No payload is in it: what inference
 * needs of payloads (keys, state versions) stands in short lists beside the columns.
 */
import type { CauseKind, EdgeGrade } from '../model/index.ts';
import { causeKinds, edgeGrades } from '../model/index.ts';
import type { SymbolArena } from './symbols.ts';

/** Grows when a column changes its meaning or is added: stored columns of another version are built anew from the source. */
export const columnsVersion = 5;

export interface IndexColumns {
  readonly version: number;
  readonly count: number;

  // One value an event.
  /** Number of the id; repeated records share it. */
  readonly symbol: Int32Array;
  readonly type: Int32Array;
  /** Number of the tuple (log, run, session, agent, clock). */
  readonly context: Int32Array;
  readonly step: Int32Array;
  readonly command: Int32Array;
  readonly attempt: Uint16Array;
  readonly flags: Uint16Array;
  /** NaN where not recorded. */
  readonly seq: Float64Array;
  /** Milliseconds since the epoch; NaN where not recorded. */
  readonly time: Float64Array;

  // One value a cause, in the order of the events that name them.
  readonly edgeFrom: Int32Array;
  readonly edgeTo: Int32Array;
  readonly edgeKind: Uint8Array;
  readonly edgeGrade: Uint8Array;
  readonly edgeRule: Int32Array;

  // Tables.
  readonly ids: SymbolArena;
  readonly types: readonly string[];
  readonly steps: readonly string[];
  readonly commands: readonly string[];
  readonly rules: readonly string[];
  readonly runs: readonly string[];
  readonly sessions: readonly string[];
  readonly agents: readonly string[];
  readonly clocks: readonly string[];
  readonly branches: readonly string[];
  readonly logs: readonly LogInfo[];
  readonly contexts: ContextTable;

  // Short lists: the events that have the field.
  readonly supersedes: SymbolList;
  /** What `observation.reused` reuses, and where `branch.created` forks. */
  readonly pointers: SymbolList;
  readonly keys: NameList;
  readonly states: StateList;
  /** The tool of a call and of its answers. */
  readonly tools: NameList;
  readonly principals: NameList;
  /** Tokens in (to and from a cache too) and out together, and money, as a model call's record says them. */
  readonly tokens: NumberList;
  readonly costs: NumberList;
  /** Names of `keys`, `states`, `tools` and `principals`. */
  readonly labels: readonly string[];
}

/** A durable log: the records one process wrote in one life, and on a branch those of its operation. `seq` counts within it. */
export interface LogInfo {
  readonly component: string;
  readonly instance?: string | undefined;
  readonly incarnation?: string | undefined;
  readonly branch: string;
  /** Only of a log that is told from another of the same name by its run; never stored. */
  readonly run?: string | undefined;
}

export interface ContextTable {
  readonly log: Int32Array;
  readonly run: Int32Array;
  readonly session: Int32Array;
  readonly agent: Int32Array;
  readonly clock: Int32Array;
}

export interface SymbolList {
  readonly at: Int32Array;
  readonly symbol: Int32Array;
}

export interface NameList {
  readonly at: Int32Array;
  readonly name: Int32Array;
}

export interface NumberList {
  readonly at: Int32Array;
  readonly value: Float64Array;
}

/** State transitions: name, version consumed, version made. */
export interface StateList {
  readonly at: Int32Array;
  readonly name: Int32Array;
  readonly from: Int32Array;
  readonly to: Int32Array;
}

/** Bits of the `flags` column. */
export const eventFlags = {
  /** The record tells of a failure, a refusal, a loss or a death. */
  failed: 1,
  /** An act on the outside world: a dispatch declared external, or what the service told about it. */
  effect: 2,
  /** A recovering runtime emitted again what had already happened. */
  replayed: 4,
  /** Another record of the same run with the same id was read before. */
  repeat: 8,
  /** An ending event that was delivered to control code. */
  final: 16,
  /** A dispatch declared external, or of a write command. */
  externalDispatch: 32,
  /** `durable.status` is recorded as memory, flushed, durable. */
  inMemory: 64,
  flushed: 128,
  durable: 256,
  /** The recorded time is no RFC 3339 time. */
  badTime: 512,
  /** `origin: supplied`: put in by a person. */
  supplied: 1024,
  /** Any `origin`: written by a replay or put in, not told by what ran. */
  given: 2048,
} as const;

export type EventFlag = keyof typeof eventFlags;

export function kindToCode(kind: CauseKind): number {
  return causeKinds.indexOf(kind);
}

export function codeToKind(code: number): CauseKind {
  return causeKinds[code] ?? 'caused_by';
}

export function gradeToCode(grade: EdgeGrade): number {
  return edgeGrades.indexOf(grade);
}

export function codeToGrade(code: number): EdgeGrade {
  return edgeGrades[code] ?? 'clock-only';
}
