/**
 * One run of one program in one fresh interpreter.
 *
 * Owns the lifetime of the interpreter, the three guest functions of the prelude, the limits, and the translation between
 * guest messages and calls of the host. Invariant: the interpreter is entered only by `start` and `deliver`, both of which
 * leave no pending job behind; after a limit or a settled `main` it is never entered again. A limit ends guest code at once: it
 * takes the fuel away (`meter.ts`), and nothing inside can catch that.
 */
import type { QuickJSContext, QuickJSHandle, QuickJSRuntime } from 'quickjs-emscripten-core';
import { assert, exhaustive } from '../../core/base/assert.ts';
import { type JsonValue, maxJsonDepth } from '../../core/base/json.ts';
import { SessionCheckpoint, copyMemory, restoreMemory } from './checkpoint.ts';
import { isTooDeep, isTooDeepText } from './depth.ts';
import {
  type BatchResult,
  type Delivered,
  type LimitHit,
  type LimitName,
  type SandboxCheckpoint,
  type SandboxDelivery,
  type SandboxOptions,
  type SandboxSession,
  type SandboxUsage,
  type Settled,
  type StepResult,
  actLimits,
} from '../../core/replay/sandbox-port.ts';
import { instrumentCatches } from './instrument.ts';
import type { Interpreter } from './engine.ts';
import { type GuestMessage, MessageReader, parseMessages } from './messages.ts';
import { type PreludeConfig, preludeFile, preludeSource, programFile } from './prelude.ts';

const limitSentences: Readonly<Record<LimitName, string>> = {
  cpu: 'The control program used up its computing steps.',
  commands: 'The control program issued more commands than the limit allows.',
  acts: 'The control program decided, noted or drew more often than the limit allows.',
  bytes: 'More data crossed into and out of the sandbox than the limit allows.',
  memory: 'The control program used up its memory.',
  stack: 'The control program nested its calls too deeply.',
  'scope-depth': 'The control program nested its scopes too deeply.',
  nesting: `A value that crossed into or out of the control program is nested more than ${String(maxJsonDepth)} levels deep.`,
  'aborted-by-host': 'The run was stopped from outside; this is not a result.',
};

/** Units of fuel in one tick: about what 10,000 branches of guest code take. */
const fuelPerTick = 150_000n;

/** What the prelude hands to the host. */
type EntryName = 'start' | 'feed' | 'next' | 'take';

export function createSession(interpreter: Interpreter, options: SandboxOptions): SandboxSession {
  return new Session(interpreter, options);
}

/**
 * A session over a fresh instance, which then gets the memory of the checkpoint. What the host holds of the interpreter was made by the
 * constructor, and a constructor with the same options makes it at the same addresses.
 */
export function resumeSession(
  interpreter: Interpreter,
  options: SandboxOptions,
  checkpoint: SessionCheckpoint,
): SandboxSession {
  const session = new Session(interpreter, options);
  session.restore(checkpoint);
  return session;
}

/**
 * A batch gets this part of every limit. What comes near a limit is run again one observation at a time, so that limits fall where they
 * fall then, though a batch is collected and counted a little differently.
 */
const batchShare = 2;
/** Observations, and characters of them, that are fed at once. */
const batchSize = 256;
const batchLength = 65_536;

interface Batch {
  readonly deliveries: readonly SandboxDelivery[];
  readonly texts: readonly string[];
  readonly confirm: (delivery: SandboxDelivery) => boolean;
  /** The next whose mark is awaited. */
  at: number;
  missed: boolean;
}

/** Messages about acts that wait for nothing; a draw is one where nobody recorded it. */
const actTypes: ReadonlySet<GuestMessage['t']> = new Set([
  'join',
  'cancel',
  'decide',
  'state',
  'marker',
  'note',
  'pure',
  'print',
]);

/** Levels that messages add around a value. */
const crossingLevels = 8;

class Session implements SandboxSession {
  private readonly options: SandboxOptions;
  private readonly interpreter: Interpreter;
  private readonly runtime: QuickJSRuntime;
  private readonly context: QuickJSContext;
  private readonly entry: Readonly<Record<EntryName, QuickJSHandle>>;
  private readonly reader = new MessageReader();
  private readonly open = new Set<number>();
  /** Observations that were fed together, while the host takes over what they led to. */
  private batch: Batch | undefined;
  private hasBatched = false;
  private burnt = 0n;
  private bytes = 0;
  private commands = 0;
  /** What waits for nothing: since the last delivery, and in all. */
  private actsInOneGo = 0;
  private acts = 0;
  private readonly mostActs: ReturnType<typeof actLimits>;
  private limit: LimitHit | undefined;
  private settled: Settled | undefined;
  private hostFailure: { readonly error: unknown } | undefined;
  private disposed = false;

  constructor(interpreter: Interpreter, options: SandboxOptions) {
    this.options = options;
    this.mostActs = actLimits(options.limits);
    this.interpreter = interpreter;
    this.runtime = interpreter.module.newRuntime();
    this.runtime.setMaxStackSize(options.limits.stackBytes);
    this.context = this.runtime.newContext();
    this.entry = this.loadPrelude();
    this.runtime.setInterruptHandler(() => this.stopIfAsked());
  }

  start(input: JsonValue): StepResult {
    assert(this.settled === undefined && this.commands === 0, 'a session starts once');
    return this.guardFuel(1, () => this.load(input));
  }

  private load(input: JsonValue): void {
    const { context } = this;
    const program = context.evalCode(instrumentCatches(this.options.program), programFile, { type: 'global' });
    if (program.error !== undefined) {
      this.notAProgram(this.dumpError(program.error));
      return;
    }
    program.value.dispose();
    const main = context.evalCode('typeof main === "function" ? main : undefined', programFile, { type: 'global' });
    if (main.error !== undefined) {
      this.notAProgram(this.dumpError(main.error));
      return;
    }
    if (context.typeof(main.value) !== 'function') {
      main.value.dispose();
      this.notAProgram('it defines no function named main');
      return;
    }
    const text = this.toText(input);
    if (text === undefined) return;
    this.call('start', main.value, context.newString(text));
    this.settle();
  }

  deliver(id: number, observation: Delivered, vt: number): BatchResult {
    assert(this.open.has(id), 'only an open command can be delivered');
    assert(!this.disposed, 'a disposed session cannot be entered');
    if (this.limit !== undefined || this.settled !== undefined) return this.result();
    this.open.delete(id);
    this.actsInOneGo = 0;
    const text = this.toText(deliveryToJson({ id, observation, vt }));
    if (text === undefined) return this.result();
    return this.guardFuel(1, () => {
      this.feed([text]);
      this.interpreter.direct.call(this.entry.next);
      this.settle();
    });
  }

  deliverAll(deliveries: readonly SandboxDelivery[], confirm: (delivery: SandboxDelivery) => boolean): BatchResult {
    assert(!this.disposed, 'a disposed session cannot be entered');
    this.hasBatched = true;
    for (let at = 0; at < deliveries.length && !this.isOver() && this.settled === undefined;) {
      const batch = this.createBatch(deliveries, at, confirm);
      at += batch.texts.length;
      this.batch = batch;
      if (!this.isOver()) this.guardFuel(batchShare, () => this.feed(batch.texts));
      this.runBatch(batch.texts.length);
      if (!this.isOver()) this.guardFuel(batchShare, () => this.takeMessages());
    }
    const isMissed = this.batch?.missed === true;
    this.batch = undefined;
    return isMissed ? { mispredicted: 'order' } : this.result();
  }

  /** As many as cross together: text inside the sandbox takes its memory. */
  private createBatch(
    deliveries: readonly SandboxDelivery[],
    from: number,
    confirm: (delivery: SandboxDelivery) => boolean,
  ): Batch {
    const before = this.bytes;
    const texts: string[] = [];
    for (let length = 0, n = from; length < batchLength && n < from + batchSize; n++) {
      const delivery = deliveries[n];
      const text = delivery === undefined ? undefined : this.toText(deliveryToJson(delivery));
      if (text === undefined) break;
      texts.push(text);
      length += text.length;
    }
    // What is not delivered in the end has not crossed either.
    this.bytes = before;
    return { deliveries: deliveries.slice(from, from + texts.length), texts, confirm, at: 0, missed: false };
  }

  private runBatch(size: number): void {
    const { direct } = this.interpreter;
    const { next } = this.entry;
    for (let n = 0; n < size && !this.isOver(); n++)
      this.guardFuel(batchShare, () => {
        direct.call(next);
        this.runJobs();
      });
  }

  /** Memory counts a little differently when many observations are inside at once. */
  private isNearLimit(): boolean {
    if (this.limit !== undefined) return this.limit.name !== 'aborted-by-host';
    const { memoryBytes, bridgeBytes, ticksPerRun } = this.options.limits;
    const grown = this.interpreter.memory.buffer.byteLength - this.interpreter.initialBytes;
    return (
      grown * batchShare > memoryBytes ||
      this.bytes * batchShare > bridgeBytes ||
      this.burnt * BigInt(batchShare) > BigInt(ticksPerRun) * fuelPerTick
    );
  }

  checkpoint(previous?: SandboxCheckpoint): SessionCheckpoint {
    assert(this.limit === undefined && this.settled === undefined, 'a session that ended is not entered again');
    const before = previous instanceof SessionCheckpoint ? previous : undefined;
    return new SessionCheckpoint(copyMemory(this.interpreter.memory, before?.memory), {
      open: [...this.open],
      burnt: this.burnt,
      bytes: this.bytes,
      commands: this.commands,
      acts: this.acts,
      place: this.place(),
      reader: this.reader,
      told: this.reader.told(),
    });
  }

  restore({ memory, counters }: SessionCheckpoint): void {
    assert(this.commands === 0 && this.settled === undefined, 'only a new session takes over a checkpoint');
    assert(counters.place === this.place(), 'a checkpoint belongs to sessions with its own options');
    restoreMemory(this.interpreter.memory, memory);
    for (const id of counters.open) this.open.add(id);
    this.burnt = counters.burnt;
    this.bytes = counters.bytes;
    this.commands = counters.commands;
    this.acts = counters.acts;
    this.reader.takeOver(counters.reader, counters.told);
  }

  /** Where the interpreter keeps what the host calls: equal in all instances that were made alike. */
  private place(): string {
    const { start, feed, next, take } = this.entry;
    return [start, feed, next, take].map((handle) => handle.value).join(' ');
  }

  openCommands(): readonly number[] {
    return [...this.open];
  }

  usage(): SandboxUsage {
    return { ticks: Number(this.burnt / fuelPerTick), commands: this.commands, bytes: this.bytes };
  }

  /**
   * Nothing is freed inside the interpreter: a program that was stopped leaves objects behind, and freeing the runtime then aborts
   * the process. The instance is this session's own, and goes with it as a whole.
   */
  dispose(): void {
    this.disposed = true;
  }

  /** Runs `act` with a share of the fuel of one delivery. What ends it from below is a limit that was hit, or a defect. */
  private guardFuel(share: number, act: () => void): BatchResult {
    const { fuel } = this.interpreter;
    const { ticksPerDelivery, ticksPerRun } = this.options.limits;
    const perDelivery = (BigInt(ticksPerDelivery) * fuelPerTick) / BigInt(share);
    const left = BigInt(ticksPerRun) * fuelPerTick - this.burnt;
    const given = perDelivery < left ? perDelivery : left;
    fuel.value = given;
    try {
      act();
    } catch (error) {
      if (!this.isOver()) this.nameTrap(error);
    }
    // Fuel that a limit took away was not burnt.
    if (this.limit?.name === 'cpu') this.burnt += given;
    else if (!this.isOver()) this.burnt += given - fuel.value;
    if (this.hostFailure !== undefined) throw this.hostFailure.error;
    return this.result();
  }

  private nameTrap(error: unknown): void {
    if (this.interpreter.isMemorySpent()) this.hit('memory');
    else if (this.interpreter.fuel.value < 0n) this.hit('cpu');
    else if (error instanceof RangeError) this.hit('stack');
    else throw error;
  }

  private call(entry: EntryName, ...args: QuickJSHandle[]): void {
    const called = this.context.callFunction(this.entry[entry], this.context.undefined, args);
    for (const arg of args) arg.dispose();
    if (called.error !== undefined) called.error.dispose();
    else called.value.dispose();
  }

  private feed(texts: readonly string[]): void {
    this.interpreter.direct.callWith(this.entry.feed, `[${texts.join(',')}]`);
  }

  /** A job that fails ends the batch, not the jobs behind it. */
  private runJobs(): void {
    const { direct } = this.interpreter;
    if (this.isOver()) return;
    do direct.runJobs();
    while (!this.isOver() && direct.hasJobs());
  }

  /** Runs every job, then takes over what was posted. */
  private settle(): void {
    this.runJobs();
    this.takeMessages();
  }

  private takeMessages(): void {
    if (this.isOver()) return;
    const text = this.interpreter.direct.callForText(this.entry.take);
    if (text === undefined) throw new Error('The sandbox prelude does not hand over what was posted.');
    if (text !== '') this.guarded(text);
    this.nameLimitOfOutcome();
  }

  private result(): BatchResult {
    if (this.hasBatched && this.isNearLimit()) return { mispredicted: 'limit' };
    if (this.limit !== undefined) return { limit: this.limit };
    return this.settled === undefined ? {} : { settled: this.settled };
  }

  private notAProgram(message: string): void {
    if (this.limit === undefined) this.settled = { kind: 'not-a-program', message };
  }

  /** Memory and stack faults can be caught by control code; where they end the run, they are named as what they are. */
  private nameLimitOfOutcome(): void {
    if (this.settled?.kind !== 'err') return;
    const { name, message } = this.settled.error;
    if (name !== 'InternalError' && name !== 'RangeError') return;
    if (message === 'out of memory' || message === 'string too long') this.hit('memory');
    else if (message === 'stack overflow' || message === 'Maximum call stack size exceeded') this.hit('stack');
  }

  private hit(name: LimitName): void {
    this.limit ??= { name, message: limitSentences[name] };
    this.interpreter.fuel.value = -1n;
  }

  /** Asked by the interpreter from time to time. Only stops what the fuel would stop later: the wall clock is the last resort. */
  private stopIfAsked(): boolean {
    if (this.options.shouldStop?.() === true) this.hit('aborted-by-host');
    return this.isOver();
  }

  private isOver(): boolean {
    return this.limit !== undefined || this.hostFailure !== undefined || this.batch?.missed === true;
  }

  /** Text of what goes in; undefined when a limit forbids it. */
  private toText(value: JsonValue): string | undefined {
    let text: string;
    try {
      text = JSON.stringify(value);
    } catch (error) {
      // The host's own stack ends far behind the limit.
      if (!isTooDeep(value, maxJsonDepth + crossingLevels)) throw error;
      this.hit('nesting');
      return undefined;
    }
    this.crossing(text);
    return this.limit === undefined ? text : undefined;
  }

  /** Counts what crosses, in UTF-16 units, and how deep it is nested. Of a list one character is free, so that it counts as its halves would. */
  private crossing(text: string, free = 0): string {
    this.bytes += text.length - free;
    if (this.bytes > this.options.limits.bridgeBytes) this.hit('bytes');
    else if (isTooDeepText(text, maxJsonDepth + crossingLevels)) this.hit('nesting');
    return text;
  }

  /** Hands messages to the host; a failure of the host ends the session and is thrown by the call that entered it. */
  private guarded(text: string): string {
    if (this.isOver()) return '';
    try {
      this.crossing(text, 1);
      if (this.isOver()) return '';
      let answer: string | undefined;
      for (const item of parseMessages(text)) {
        // Each is decoded when its turn has come.
        answer = this.handle(this.reader.read(item));
        if (this.isOver()) return '';
      }
      return answer === undefined ? '' : this.crossing(answer);
    } catch (error) {
      this.hostFailure = { error };
      this.interpreter.fuel.value = -1n;
      return '';
    }
  }

  private handle(message: GuestMessage): string | undefined {
    const { host } = this.options;
    if (actTypes.has(message.t)) this.countAct();
    if (this.isOver()) return undefined;
    switch (message.t) {
      case 'issue':
        this.count(message.command.id);
        if (this.limit === undefined) host.issued(message.command);
        return undefined;
      case 'spawn':
        this.count(message.command.id);
        return this.limit === undefined ? JSON.stringify(host.spawned(message.command)) : '"wait"';
      case 'join':
        this.open.delete(message.id);
        return JSON.stringify(host.joined(message.id, message.outcome));
      case 'cancel':
        host.cancelRequested(message.id);
        return undefined;
      case 'decide': {
        const value = host.decided(message.decision);
        return value === undefined ? undefined : JSON.stringify({ value });
      }
      case 'state':
        return JSON.stringify(host.transitioned(message.transition));
      case 'marker':
        return JSON.stringify(host.patchAsked(message.id));
      case 'draw': {
        const value = host.drawn(message.draw);
        if (value !== undefined) return JSON.stringify(value);
        // One that is recorded is one of a number that ends.
        this.countAct();
        return undefined;
      }
      case 'note':
        host.noted(message.note);
        return undefined;
      case 'pure':
        host.pureComputed(message.pure);
        return undefined;
      case 'print':
        host.printed?.(message.line);
        return undefined;
      case 'limit':
        this.hit(message.name);
        return undefined;
      case 'delivered':
        this.delivered();
        return undefined;
      case 'missed':
        this.miss();
        return undefined;
      case 'told':
        return undefined;
      case 'settled':
        this.settled ??= message.settled;
        return undefined;
      default:
        return exhaustive(message);
    }
  }

  /** In a batch: what comes now followed from the next observation, if the driver would have delivered that one. */
  private delivered(): void {
    const { batch } = this;
    if (batch === undefined) return;
    const n = batch.at++;
    this.actsInOneGo = 0;
    const delivery = batch.deliveries[n];
    if (delivery === undefined || !this.open.delete(delivery.id) || !batch.confirm(delivery)) this.miss();
    else this.crossing(batch.texts[n] ?? '');
  }

  /** The run went another way than was foreseen: nothing it did since counts. */
  private miss(): void {
    assert(this.batch !== undefined, 'an observation that is delivered alone is meant for an open command');
    this.batch.missed = true;
    this.interpreter.fuel.value = -1n;
  }

  /** Costs the host more than the guest, so that the fuel alone would let too many of them through. */
  private countAct(): void {
    this.acts++;
    this.actsInOneGo++;
    if (this.actsInOneGo > this.mostActs.inOneGo || this.acts > this.mostActs.inRun) this.hit('acts');
  }

  private count(id: number): void {
    this.commands++;
    if (this.commands > this.options.limits.commands) this.hit('commands');
    this.open.add(id);
  }

  private loadPrelude(): Readonly<Record<EntryName, QuickJSHandle>> {
    const { context, options } = this;
    const padding = options.conditions?.heapPadding ?? 0;
    if (padding > 0) context.newString('.'.repeat(padding));
    const config: PreludeConfig = {
      startVt: options.startVt,
      seed: options.seed,
      draws: options.draws,
      rootPath: options.rootPath ?? '',
      scopeDepth: options.limits.scopeDepth,
      file: programFile,
    };
    const bridge = context.newFunction('', (text) => {
      const answer = this.guarded(context.getString(text));
      // Without fuel the interpreter cannot even take an answer.
      return this.isOver() ? undefined : context.newString(answer);
    });
    const configText = context.newString(JSON.stringify(config));
    const maker = this.need(context.evalCode(preludeSource, preludeFile, { type: 'global' }));
    const api = this.need(context.callFunction(maker, context.undefined, bridge, configText));
    const entry = {
      start: context.getProp(api, 'start'),
      feed: context.getProp(api, 'feed'),
      next: context.getProp(api, 'next'),
      take: context.getProp(api, 'take'),
    };
    for (const handle of [bridge, configText, maker, api]) handle.dispose();
    return entry;
  }

  private need(result: ReturnType<QuickJSContext['evalCode']>): QuickJSHandle {
    if (result.error !== undefined)
      throw new Error(`The sandbox prelude does not load: ${this.dumpError(result.error)}`);
    return result.value;
  }

  private dumpError(handle: QuickJSHandle): string {
    const dumped: unknown = this.context.dump(handle);
    handle.dispose();
    if (typeof dumped === 'bigint') return `it throws ${String(dumped)}n`;
    if (typeof dumped !== 'object' || dumped === null) return `it throws ${String(dumped)}`;
    if (!('message' in dumped)) return `it throws ${JSON.stringify(dumped)}`;
    const name = 'name' in dumped ? String(dumped.name) : 'Error';
    const message = String(dumped.message);
    const place = 'stack' in dumped ? /program\.js:(\d+)(?::(\d+))?/.exec(String(dumped.stack)) : null;
    return `${name}: ${message}${place === null ? '' : ` (line ${place[1] ?? '?'})`}`;
  }
}

/** Which command, when, and its value, as the prelude reads it; what was refused or cancelled has one more member. */
function deliveryToJson({ id, observation, vt }: SandboxDelivery): JsonValue {
  if (observation.kind === 'ok') return [id, vt, observation.value];
  if (observation.kind === 'cancelled') return [id, vt, null, 0];
  const { name, message, data } = observation.error;
  return [id, vt, null, { name, message, ...(data === undefined ? {} : { data }) }];
}
