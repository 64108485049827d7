/**
 * One life of the simulated worker: runs the control program, sends what is open, delivers one answer at a time, and dies where it is
 * told to.
 *
 * Invariants: what the runtime would have made durable is in `memory` before the act it announces, as in the recording runtime; a dead
 * worker does nothing more. Answers are delivered in recorded order. Used by `simulate.ts`.
 */
import { type JsonValue, plainToRecorded, recordedToPlain } from '../base/json.ts';
import { ranElsewhere } from '../replay/child-runs.ts';
import type { Delivered, IssuedCommand, SandboxHost, SandboxSession, Settled, StepResult } from '../replay/index.ts';
import { defaultSandboxLimits } from '../replay/index.ts';
import type { Recorded } from './recorded.ts';
import type { Kill, SimulationRequest, StoryEvent, StrategyTraits } from './types.ts';
import type { World, WorldAnswer, WorldCommand, WriteRequest } from './world.ts';

/** What outlives the worker. A naive restart begins with an empty one. */
export interface Memory {
  /** Commands whose issue is on record. */
  readonly issued: Set<string>;
  /** Observations on record, in order of delivery. */
  readonly finals: Map<string, WorldAnswer>;
  /** Decisions and transitions on record. */
  readonly said: Set<string>;
}

export function createMemory(): Memory {
  return { issued: new Set(), finals: new Map(), said: new Set() };
}

export interface LifeOptions {
  readonly recorded: Recorded;
  readonly world: World;
  readonly memory: Memory;
  readonly traits: StrategyTraits;
  readonly life: number;
  readonly kill: Kill | undefined;
  readonly tell: (event: Omit<StoryEvent, 'life'>) => void;
  readonly request: Pick<SimulationRequest, 'sandbox' | 'shouldStop'>;
}

export type LifeEnd =
  | { readonly kind: 'settled'; readonly settled: Settled }
  | { readonly kind: 'killed' }
  /** What the program waits for. */
  | { readonly kind: 'stuck'; readonly waiting: readonly string[] }
  | { readonly kind: 'limit'; readonly message: string };

/** Segments one after another, until the run ends or the worker does. */
export async function runLife(options: LifeOptions): Promise<LifeEnd> {
  const worker = new Worker(options);
  let input = options.recorded.input;
  for (let segment = 0; ; segment++) {
    const { info, program } = options.recorded;
    const session = await options.request.sandbox.createSession({
      program,
      seed: info.seed ?? '0'.repeat(32),
      startVt: info.start,
      draws: info.draws === 'derived' && info.seed !== undefined ? 'derived' : 'ask',
      rootPath: segment === 0 ? '' : `/seg:${String(segment)}`,
      limits: defaultSandboxLimits,
      host: worker,
      ...(options.request.shouldStop === undefined ? {} : { shouldStop: options.request.shouldStop }),
    });
    let end: LifeEnd;
    try {
      end = worker.run(session, input);
    } finally {
      session.dispose();
    }
    if (end.kind !== 'settled' || end.settled.kind !== 'rolled-over') return end;
    input = plainToRecorded(end.settled.carried);
  }
}

interface Pending {
  readonly command: IssuedCommand;
  readonly asked: WorldCommand;
  /** The command was issued, and may have been sent, by an earlier life. */
  readonly issuedBefore: boolean;
  /** Delivered to an earlier life. */
  readonly past: WorldAnswer | undefined;
  answer: WorldAnswer | undefined;
  isAsked: boolean;
}

class Worker implements SandboxHost {
  private readonly options: LifeOptions;
  private readonly pending = new Map<number, Pending>();
  private readonly versions = new Map<string, number>();
  private readonly recordedOrder: ReadonlyMap<string, number>;
  private readonly pastOrder: ReadonlyMap<string, number>;
  /** Writes delivered since the last transition. */
  private unsettled: string[] = [];
  private isDead = false;
  private toReplay: number;
  private vt: number;

  constructor(options: LifeOptions) {
    this.options = options;
    this.vt = options.recorded.info.start;
    this.toReplay = options.memory.finals.size;
    this.pastOrder = new Map([...options.memory.finals.keys()].map((path, n) => [path, n]));
    this.recordedOrder = toOrder(options.recorded);
  }

  run(session: SandboxSession, input: JsonValue): LifeEnd {
    // Commands are numbered anew in each session.
    this.pending.clear();
    let step: StepResult = session.start(recordedToPlain(input));
    while (!this.isDead && step.settled === undefined && step.limit === undefined) {
      const again = this.toReplay > 0 && [...this.pending.values()].some(({ past }) => past !== undefined);
      if (!again) this.askAll();
      // Asking is where most boundaries lie.
      if (this.hasDied()) break;
      const next = this.pickNext(again);
      if (next === undefined) return { kind: 'stuck', waiting: this.waiting() };
      this.pending.delete(next.command.id);
      step = this.deliver(session, next);
    }
    if (this.hasDied()) return { kind: 'killed' };
    if (step.limit !== undefined) return { kind: 'limit', message: step.limit.message };
    const { settled } = step;
    if (settled === undefined) return { kind: 'stuck', waiting: this.waiting() };
    // No transition followed: the result was the last durable thing before the end.
    if (settled.kind !== 'rolled-over') this.passFifth();
    return this.hasDied() ? { kind: 'killed' } : { kind: 'settled', settled };
  }

  private hasDied(): boolean {
    return this.isDead;
  }

  private waiting(): readonly string[] {
    return [...this.pending.values()].map(({ command }) => command.path);
  }

  // ---- Boundaries -------------------------------------------------------------------------------

  private boundary(boundary: Kill['boundary'], path: string): boolean {
    const { kill, tell } = this.options;
    if (this.isDead || kill?.boundary !== boundary || kill.path !== path) return false;
    this.isDead = true;
    tell({
      type: 'fault.injected',
      path,
      text: `The worker is killed at boundary ${boundary}: ${meanings[boundary]}.`,
    });
    return true;
  }

  private passFifth(): void {
    const { unsettled } = this;
    this.unsettled = [];
    for (const path of unsettled) this.boundary('5', path);
  }

  // ---- The world --------------------------------------------------------------------------------

  /** One request at a time, in order of issue. */
  private askAll(): void {
    for (const entry of [...this.pending.values()]) {
      if (this.isDead) return;
      if (entry.isAsked || entry.past !== undefined) continue;
      entry.isAsked = true;
      if (entry.command.kind === 'write') this.send(entry);
      else {
        entry.answer = this.options.world.answer(entry.asked);
        if (entry.command.kind === 'model') this.tellModel(entry);
      }
    }
  }

  private tellModel({ command }: Pending): void {
    const asks = this.options.world.asks().get(command.path) ?? 1;
    const text = asks === 1 ? 'The model is asked.' : `The model is asked again (${String(asks)} times now).`;
    this.options.tell({ type: 'model_call.requested', path: command.path, text });
  }

  private send(entry: Pending): void {
    const { world, tell } = this.options;
    const { path } = entry.command;
    if (this.options.traits.looksUp && entry.issuedBefore && this.adopt(entry)) return;
    const request: WriteRequest = { command: entry.asked, key: this.keyOf(entry.command) };
    const again = entry.issuedBefore ? ' again' : '';
    const withKey = request.key === undefined ? '' : ' with an idempotency key';
    tell({ type: 'tool_call.dispatched', path, text: `The request is sent${again}${withKey}.` });
    const received = world.receive(request);
    if (received.kind === 'saved') {
      const text = `The service knows the key and answers with what it did${named(received.id)}.`;
      tell({ type: 'effect.deduplicated', path, text });
      this.acknowledge(entry, { kind: 'ok', value: received.answer });
    } else if (received.kind === 'refused') {
      tell({ type: 'effect.refused', path, text: `HTTP ${String(received.status)}: ${received.reason}.` });
      const message = received.reason;
      this.acknowledge(entry, { kind: 'err', name: `HTTP ${String(received.status)}`, message });
    } else this.work(entry, request);
  }

  /** A look-up by command, before a write that may have been sent is sent again. */
  private adopt(entry: Pending): boolean {
    const { world, tell } = this.options;
    const { path } = entry.command;
    const found = world.lookUp(path);
    const text =
      found === undefined
        ? 'The worker asks the service whether it did this: it did not.'
        : `The worker asks the service whether it did this: it did${named(found.id)}; that is adopted.`;
    tell({ type: 'effect.looked_up', path, text });
    if (found === undefined) return false;
    entry.answer = { kind: 'ok', value: found.answer };
    return true;
  }

  private work(entry: Pending, request: WriteRequest): void {
    const { world, tell } = this.options;
    const { path } = entry.command;
    const refusal = world.refusalOf(entry.asked);
    if (refusal !== undefined) {
      world.drop(request);
      tell({ type: 'effect.refused', path, text: 'The service refuses, as recorded.' });
      this.acknowledge(entry, refusal);
      return;
    }
    if (this.boundary('2', path)) {
      world.drop(request);
      tell({ type: 'effect.dropped', path, text: 'The request is dropped; nothing was done.' });
      return;
    }
    const late = this.boundary('2late', path);
    const { id, answer } = world.commit(request);
    const when = late ? ' after the worker is dead' : '';
    tell({ type: 'effect.committed', path, text: `The service commits the effect${named(id)}${when}.` });
    if (late || this.boundary('3', path)) return;
    if (answer !== undefined) this.acknowledge(entry, answer);
  }

  private acknowledge(entry: Pending, answer: WorldAnswer): void {
    const { path } = entry.command;
    this.options.tell({ type: 'tool_call.acknowledged', path, text: 'The worker reads the answer.' });
    if (this.boundary('4', path)) return;
    entry.answer = answer;
  }

  /** The program's own key, else, where the design has keys, one of run and command: the same in every life. */
  private keyOf(command: IssuedCommand): string | undefined {
    if (command.idempotencyKey !== undefined) return command.idempotencyKey;
    return this.options.traits.keys ? `${this.options.recorded.run.slice(0, 12)}${command.path}` : undefined;
  }

  // ---- Delivery ---------------------------------------------------------------------------------

  /** First what an earlier life received, in its order; then by recorded position. */
  private pickNext(again: boolean): Pending | undefined {
    let best: { readonly entry: Pending; readonly rank: number } | undefined;
    for (const entry of this.pending.values()) {
      const { path } = entry.command;
      if (again ? entry.past === undefined : entry.answer === undefined) continue;
      const rank = (again ? this.pastOrder : this.recordedOrder).get(path) ?? Infinity;
      // Entries stand in the order of issue, which decides ties.
      if (best === undefined || rank < best.rank) best = { entry, rank };
    }
    return best?.entry;
  }

  private deliver(session: SandboxSession, entry: Pending): StepResult {
    const { memory, recorded, tell } = this.options;
    const { command, past } = entry;
    const answer = past ?? entry.answer ?? { kind: 'cancelled' };
    if (past === undefined) {
      memory.finals.set(command.path, answer);
      if (command.kind === 'write') {
        tell({ type: 'tool_call.result_persisted', path: command.path, text: 'The result is durable.' });
        this.unsettled.push(command.path);
      }
    } else {
      this.toReplay -= 1;
      if (this.toReplay === 0)
        tell({
          type: 'recovery.replay_completed',
          text: `${String(memory.finals.size)} recorded observations are delivered again.`,
        });
    }
    this.vt = Math.max(this.vt, recorded.entries.get(command.path)?.vt ?? this.vt);
    return session.deliver(command.id, toDelivered(answer), this.vt);
  }

  // ---- What control code asks -------------------------------------------------------------------

  issued(command: IssuedCommand): void {
    if (this.isDead || command.ambiguous === true) return;
    const { memory } = this.options;
    const issuedBefore = memory.issued.has(command.path);
    if (command.kind === 'write' && !issuedBefore && this.boundary('1', command.path)) return;
    memory.issued.add(command.path);
    this.pending.set(command.id, {
      command,
      asked: { path: command.path, kind: command.kind, name: command.name, args: plainToRecorded(command.args) },
      issuedBefore,
      past: memory.finals.get(command.path),
      answer: undefined,
      isAsked: false,
    });
  }

  spawned(command: IssuedCommand): 'run' | 'wait' {
    const { entries, inhabited } = this.options.recorded;
    const record = entries.get(command.path);
    if (record === undefined || !ranElsewhere(record, inhabited)) return 'run';
    this.issued(command);
    return 'wait';
  }

  joined(_: number, outcome: Exclude<Delivered, { kind: 'cancelled' }>): Exclude<Delivered, { kind: 'cancelled' }> {
    return outcome;
  }

  /** The record decides what was first; a command that never ended is cancelled now. */
  cancelRequested(id: number): void {
    const entry = this.pending.get(id);
    if (entry === undefined || entry.past !== undefined) return;
    const observation = this.options.recorded.entries.get(entry.command.path)?.observation.kind;
    if (observation === 'ok' || observation === 'err') return;
    entry.isAsked = true;
    entry.answer = { kind: 'cancelled' };
  }

  decided(asked: { readonly path: string; readonly chosen: JsonValue }): undefined {
    if (this.isDead || this.options.memory.said.has(asked.path)) return undefined;
    this.options.memory.said.add(asked.path);
    const text = `The program decides: ${shorten(JSON.stringify(asked.chosen))}.`;
    this.options.tell({ type: 'decision.made', path: asked.path, text });
    return undefined;
  }

  transitioned({ path, name }: { readonly path: string; readonly name: string }): number {
    const n = (this.versions.get(name) ?? 0) + 1;
    this.versions.set(name, n);
    if (this.isDead || this.options.memory.said.has(path)) return n;
    this.options.memory.said.add(path);
    this.options.tell({ type: 'state.transitioned', path, text: `The state ${name} becomes version ${String(n)}.` });
    this.passFifth();
    return n;
  }

  patchAsked(id: string): boolean {
    const { entries } = this.options.recorded;
    return entries.has(`marker:${id}`) || entries.has(`/marker:${id}`);
  }

  drawn(draw: { readonly path: string }): number | undefined {
    const observation = this.options.recorded.entries.get(draw.path)?.observation;
    return observation?.kind === 'ok' && typeof observation.value === 'number' ? observation.value : undefined;
  }

  noted(): void {
    // Notes are no part of any outcome.
  }

  pureComputed(): void {
    // Recomputed by definition.
  }
}

const meanings: Readonly<Record<Kill['boundary'], string>> = {
  '1': 'before the dispatch is written',
  '2': 'after the dispatch, before the service commits',
  '2late': 'after the dispatch; the service commits when it is dead',
  '3': 'after the service committed, before the answer arrived',
  '4': 'after it read the answer, before the result was durable',
  '5': 'after result and next state were durable',
};

/** Rank of each recorded delivery. */
function toOrder({ entries }: Recorded): ReadonlyMap<string, number> {
  const delivered = [...entries.values()].filter((entry) => entry.delivered !== undefined);
  const rank = (position: string | undefined): number => Number.parseFloat(position ?? '0');
  delivered.sort((a, b) => rank(a.delivered) - rank(b.delivered));
  return new Map(delivered.map(({ path }, n) => [path, n]));
}

function toDelivered(answer: WorldAnswer): Delivered {
  if (answer.kind === 'cancelled') return { kind: 'cancelled' };
  if (answer.kind === 'ok') return { kind: 'ok', value: recordedToPlain(answer.value) };
  const { name, message, data } = answer;
  return { kind: 'err', error: { name, message, ...(data === undefined ? {} : { data: recordedToPlain(data) }) } };
}

function named(id: string | undefined): string {
  return id === undefined ? '' : ` (${id})`;
}

function shorten(text: string): string {
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
