/**
 * The port between whoever drives control code and the sandbox that runs it.
 *
 * Owns the types only. The sandbox knows how control code asks (identity of commands, scopes, draws, limits); it knows
 * nothing of records, positions, matching or branches. Two drivers exist: the replayer of this folder, whose answers come
 * from a journal, and a recording runtime, whose answers come from real handlers. Invariant: the order of the calls of
 * `SandboxHost` is the order of the acts of control code, and nothing but JSON text crosses into the sandbox.
 */
import type { JsonValue } from '../base/json.ts';

/** Kinds of commands that wait for an observation. */
export type AwaitedKind = 'model' | 'read' | 'write' | 'timer' | 'signal' | 'child';

/** Place of a call in the text of the program; a hint for display, never identity. */
export interface CallSite {
  readonly function: string;
  readonly line: number;
  readonly column: number;
}

export interface IssuedCommand {
  /** Number of the command in this session; the handle for `deliver`. */
  readonly id: number;
  readonly path: string;
  readonly scope: string;
  readonly kind: AwaitedKind;
  readonly name: string;
  /** Author's key; absent for a counted command, whose count is `index`. */
  readonly key?: string;
  readonly index?: number;
  /** Canonical arguments: what the program passed, `{ms}` of a timer, `{match}` of a signal, the input of a child. */
  readonly args: JsonValue;
  readonly idempotencyKey?: string;
  readonly reads?: readonly string[];
  readonly writes?: readonly string[];
  /** What the program declares to have consumed: paths of commands, else texts it named itself. */
  readonly uses: readonly string[];
  /** Path of the decision that selected this command, where the program says so. */
  readonly selectedBy?: string;
  /** Path of the step (`ctx.step`) the call was made in. */
  readonly step?: string;
  readonly site?: CallSite;
  /** The path was issued before in this session: the command must get no observation. */
  readonly ambiguous?: boolean;
  /** Another command of the same scope, kind and name was open since an earlier delivery. */
  readonly orderDependent?: boolean;
}

export interface DecisionAsked {
  readonly path: string;
  readonly scope: string;
  readonly name: string;
  readonly chosen: JsonValue;
  readonly alternatives?: readonly JsonValue[];
  readonly because?: JsonValue;
  readonly uses: readonly string[];
  readonly step?: string;
  readonly site?: CallSite;
}

export interface TransitionAsked {
  readonly path: string;
  readonly scope: string;
  readonly name: string;
  readonly value: JsonValue;
  readonly uses: readonly string[];
  readonly step?: string;
  readonly site?: CallSite;
}

export interface DrawAsked {
  readonly path: string;
  readonly scope: string;
  readonly draw: 'clock' | 'random';
}

/** What `ctx.step` and `ctx.record` say: never delivered, never blocking. */
export interface Note {
  readonly scope: string;
  readonly type: string;
  readonly data: JsonValue;
  readonly uses: readonly string[];
  /** For the events of a step: the step itself; else the step the note was made in. */
  readonly step?: string;
}

/** One line of `console`: kept by the host, shown nowhere else, and no part of what is compared. */
export interface PrintedLine {
  readonly level: 'debug' | 'error' | 'info' | 'log' | 'warn';
  readonly text: string;
  readonly site?: CallSite;
}

export interface PureComputed {
  readonly path: string;
  readonly scope: string;
  readonly name: string;
  readonly args: JsonValue;
}

export interface ErrorValue {
  readonly name: string;
  readonly message: string;
  readonly data?: JsonValue;
}

export type Delivered =
  | { readonly kind: 'ok'; readonly value: JsonValue }
  | { readonly kind: 'err'; readonly error: ErrorValue }
  | { readonly kind: 'cancelled' };

export interface SandboxHost {
  /** A command that waits: answer later with `deliver`. */
  issued(command: IssuedCommand): void;
  /** A child whose function is in the program: `run` it inside, or `wait` for a delivered outcome. */
  spawned(command: IssuedCommand): 'run' | 'wait';
  /** A child that ran inside has settled; the answer is what the parent receives. */
  joined(id: number, outcome: Exclude<Delivered, { kind: 'cancelled' }>): Exclude<Delivered, { kind: 'cancelled' }>;
  /** Control code gave up an open command; deliver `cancelled` (or what was first) when it takes effect. */
  cancelRequested(id: number): void;
  /** What `ctx.decide` returns; `undefined` means as computed. */
  decided(decision: DecisionAsked): JsonValue | undefined;
  /** The number of the version that `ctx.state` resolves with. */
  transitioned(transition: TransitionAsked): number;
  patchAsked(id: string): boolean;
  /** Only with `draws: 'ask'`. `undefined`: compute it from seed, scope and virtual time. */
  drawn(draw: DrawAsked): number | undefined;
  noted(note: Note): void;
  pureComputed(pure: PureComputed): void;
  /** What control code wrote to its console. A host that has no use for it leaves this out. */
  printed?(line: PrintedLine): void;
}

export interface SandboxLimits {
  readonly commands: number;
  readonly ticksPerDelivery: number;
  readonly ticksPerRun: number;
  /** Characters of JSON that may cross in both directions. */
  readonly bridgeBytes: number;
  readonly memoryBytes: number;
  readonly stackBytes: number;
  readonly scopeDepth: number;
}

export const defaultSandboxLimits: SandboxLimits = {
  commands: 50_000,
  ticksPerDelivery: 1_000,
  ticksPerRun: 50_000,
  bridgeBytes: 256 * 1024 * 1024,
  memoryBytes: 64 * 1024 * 1024,
  stackBytes: 256 * 1024,
  scopeDepth: 64,
};

/**
 * How many acts that wait for nothing a program may make: decisions, states, questions for a version, draws that nobody recorded, notes,
 * printed lines, cancellations, and children that end inside. They follow from the limit of commands, of which they are a multiple.
 */
export function actLimits({ commands }: SandboxLimits): { readonly inOneGo: number; readonly inRun: number } {
  return { inOneGo: Math.max(10_000, Math.floor(commands / 5)), inRun: Math.max(100_000, commands * 2) };
}

export type LimitName =
  'cpu' | 'commands' | 'acts' | 'bytes' | 'memory' | 'stack' | 'scope-depth' | 'nesting' | 'aborted-by-host';

/** A limit ends the session: the same program and answers hit it at the same place again (except `aborted-by-host`). */
export interface LimitHit {
  readonly name: LimitName;
  readonly message: string;
}

export type Settled =
  | { readonly kind: 'ok'; readonly value: JsonValue }
  | { readonly kind: 'err'; readonly error: ErrorValue }
  | { readonly kind: 'rolled-over'; readonly carried: JsonValue }
  /** The text is no program: it does not parse, its top level throws, or it has no function `main`. */
  | { readonly kind: 'not-a-program'; readonly message: string };

export interface StepResult {
  readonly settled?: Settled;
  readonly limit?: LimitHit;
}

export interface SandboxUsage {
  readonly ticks: number;
  readonly commands: number;
  readonly bytes: number;
}

/** One observation for one open command. */
export interface SandboxDelivery {
  readonly id: number;
  readonly observation: Delivered;
  readonly vt: number;
}

/** `mispredicted`: the run went another way, or came near a limit after a batch; the session is of no further use. */
export interface BatchResult extends StepResult {
  readonly mispredicted?: 'order' | 'limit';
}

/** One run of one program. Always disposed by the one who created it. */
export interface SandboxSession {
  /** Loads the program, calls `main(ctx, input)` and runs jobs until none remain. */
  start(input: JsonValue): StepResult;
  /** Hands one observation to control code and runs jobs until none remain. Time never goes back. */
  deliver(id: number, observation: Delivered, vt: number): BatchResult;
  /**
   * Hands over many observations in one crossing, each of which is delivered as `deliver` would. The host is told what the run did when all
   * of it is done, in the same order; before the acts of each delivery `confirm` is asked whether this is the one that is due.
   * A session may be unable to.
   */
  deliverAll?(deliveries: readonly SandboxDelivery[], confirm: (delivery: SandboxDelivery) => boolean): BatchResult;
  /** Commands issued and neither delivered nor joined, in order of issue. */
  openCommands(): readonly number[];
  usage(): SandboxUsage;
  /** The whole of the session as it waits; parts equal to those of `previous` are shared with it. Not after a limit or an outcome. */
  checkpoint(previous?: SandboxCheckpoint): SandboxCheckpoint;
  dispose(): void;
}

/** A copy of a session at one moment. Only the sandbox that made it looks inside. */
export interface SandboxCheckpoint {
  /** Bytes held by this one alone, besides those shared with the one before. */
  readonly bytes: number;
  /** Digest of the interpreter's memory. */
  digest(): string;
}

/** Conditions of the host that control code must not be able to see; varied to find out whether it can. */
export interface HostConditions {
  readonly clock: number;
  readonly timeZone: string;
  readonly locale: string;
  readonly random: number;
  /** Bytes allocated before the program is loaded, to move the heap. */
  readonly heapPadding: number;
}

export interface SandboxOptions {
  /** Text of the program: a script that defines `async function main(ctx, input)`. */
  readonly program: string;
  /** 32 hex digits. */
  readonly seed: string;
  /** Virtual time at the start, milliseconds since the epoch. */
  readonly startVt: number;
  /** `derived`: clock and random are computed inside; `ask`: the host is asked first. */
  readonly draws: 'derived' | 'ask';
  /** Prefix of every path: empty for segment 0, `/seg:n` for later segments. */
  readonly rootPath?: string;
  readonly limits: SandboxLimits;
  readonly host: SandboxHost;
  readonly conditions?: HostConditions;
  /** Asked at every tick; true ends the session as `aborted-by-host`. */
  readonly shouldStop?: () => boolean;
}

export interface SandboxEngine {
  readonly name: string;
  readonly version: string;
  /** Digest over the interpreter's binary and the prelude. */
  readonly digest: string;
}

export interface Sandbox {
  readonly engine: SandboxEngine;
  createSession(options: SandboxOptions): Promise<SandboxSession>;
  /** A new session that goes on from a checkpoint of an earlier one with the same options (another host is allowed). */
  resume(options: SandboxOptions, checkpoint: SandboxCheckpoint): Promise<SandboxSession>;
}
