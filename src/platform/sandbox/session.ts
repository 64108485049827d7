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
import type {
  Delivered,
  LimitHit,
  LimitName,
  SandboxCheckpoint,
  SandboxOptions,
  SandboxSession,
  SandboxUsage,
  Settled,
  StepResult,
} from '../../core/replay/sandbox-port.ts';
import { instrumentCatches } from './instrument.ts';
import type { Interpreter } from './engine.ts';
import { type GuestMessage, textToMessages } from './messages.ts';
import { type PreludeConfig, preludeFile, preludeSource, programFile } from './prelude.ts';

const limitSentences: Readonly<Record<LimitName, string>> = {
  cpu: 'The control program used up its computing steps.',
  commands: 'The control program issued more commands than the limit allows.',
  bytes: 'More data crossed into and out of the sandbox than the limit allows.',
  memory: 'The control program used up its memory.',
  stack: 'The control program nested its calls too deeply.',
  'scope-depth': 'The control program nested its scopes too deeply.',
  nesting: `A value that crossed into or out of the control program is nested more than ${String(maxJsonDepth)} levels deep.`,
  'aborted-by-host': 'The run was stopped from outside; this is not a result.',
};

/** Units of fuel in one tick: about what 10,000 branches of guest code take. */
const fuelPerTick = 150_000n;

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

/** Levels that messages add around a value. */
const crossingLevels = 8;

class Session implements SandboxSession {
  private readonly options: SandboxOptions;
  private readonly interpreter: Interpreter;
  private readonly runtime: QuickJSRuntime;
  private readonly context: QuickJSContext;
  private readonly entry: Readonly<Record<'start' | 'deliver' | 'take', QuickJSHandle>>;
  private readonly open = new Set<number>();
  private burnt = 0n;
  private bytes = 0;
  private commands = 0;
  private limit: LimitHit | undefined;
  private settled: Settled | undefined;
  private hostFailure: { readonly error: unknown } | undefined;
  private disposed = false;

  constructor(interpreter: Interpreter, options: SandboxOptions) {
    this.options = options;
    this.interpreter = interpreter;
    this.runtime = interpreter.module.newRuntime();
    this.runtime.setMaxStackSize(options.limits.stackBytes);
    this.context = this.runtime.newContext();
    this.entry = this.loadPrelude();
    this.runtime.setInterruptHandler(() => this.stopIfAsked());
  }

  start(input: JsonValue): StepResult {
    assert(this.settled === undefined && this.commands === 0, 'a session starts once');
    return this.guardFuel(() => this.load(input));
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
    if (text !== undefined) this.enter('start', main.value, context.newString(text));
  }

  deliver(id: number, observation: Delivered, vt: number): StepResult {
    assert(this.open.has(id), 'only an open command can be delivered');
    assert(!this.disposed, 'a disposed session cannot be entered');
    if (this.limit !== undefined || this.settled !== undefined) return this.result();
    this.open.delete(id);
    const text = this.toText([id, vt, ...deliveredToJson(observation)]);
    if (text === undefined) return this.result();
    return this.guardFuel(() => this.enter('deliver', this.context.newString(text)));
  }

  checkpoint(previous?: SandboxCheckpoint): SessionCheckpoint {
    assert(this.limit === undefined && this.settled === undefined, 'a session that ended is not entered again');
    const before = previous instanceof SessionCheckpoint ? previous : undefined;
    return new SessionCheckpoint(copyMemory(this.interpreter.memory, before?.memory), {
      open: [...this.open],
      burnt: this.burnt,
      bytes: this.bytes,
      commands: this.commands,
      place: this.place(),
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
  }

  /** Where the interpreter keeps what the host calls: equal in all instances that were made alike. */
  private place(): string {
    const { start, deliver, take } = this.entry;
    return [start.value, deliver.value, take.value].join(' ');
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

  /** Runs `act` with the fuel of one delivery. What ends it from below is a limit that was hit, or a defect. */
  private guardFuel(act: () => void): StepResult {
    const { fuel } = this.interpreter;
    const { ticksPerDelivery, ticksPerRun } = this.options.limits;
    const perDelivery = BigInt(ticksPerDelivery) * fuelPerTick;
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

  /** Calls a guest entry point, runs every job, then takes over what was posted. */
  private enter(entry: 'start' | 'deliver', ...args: QuickJSHandle[]): void {
    const called = this.context.callFunction(this.entry[entry], this.context.undefined, args);
    for (const arg of args) arg.dispose();
    if (called.error !== undefined) called.error.dispose();
    else called.value.dispose();
    // A job that fails ends the batch, not the jobs behind it.
    while (!this.isOver() && this.runtime.hasPendingJob()) {
      const jobs = this.runtime.executePendingJobs();
      if (jobs.error !== undefined) jobs.error.dispose();
    }
    if (this.isOver()) return;
    const taken = this.context.unwrapResult(this.context.callFunction(this.entry.take, this.context.undefined));
    const text = this.context.getString(taken);
    taken.dispose();
    if (text !== '') this.guarded(text);
    this.nameLimitOfOutcome();
  }

  private result(): StepResult {
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
    return this.limit !== undefined || this.hostFailure !== undefined;
  }

  /** Text of what goes in; undefined when a limit forbids it. */
  private toText(value: JsonValue): string | undefined {
    if (isTooDeep(value, maxJsonDepth + crossingLevels)) this.hit('nesting');
    else {
      const text = this.crossing(JSON.stringify(value));
      if (this.limit === undefined) return text;
    }
    return undefined;
  }

  /** Counts what crosses, in UTF-16 units, and how deep it is nested. */
  private crossing(text: string): string {
    this.bytes += text.length;
    if (this.bytes > this.options.limits.bridgeBytes) this.hit('bytes');
    else if (isTooDeepText(text, maxJsonDepth + crossingLevels)) this.hit('nesting');
    return text;
  }

  /** Hands messages to the host; a failure of the host ends the session and is thrown by the call that entered it. */
  private guarded(text: string): string {
    if (this.isOver()) return '';
    try {
      this.crossing(text);
      if (this.isOver()) return '';
      let answer: string | undefined;
      for (const message of textToMessages(text)) answer = this.handle(message);
      return answer === undefined ? '' : this.crossing(answer);
    } catch (error) {
      this.hostFailure = { error };
      this.interpreter.fuel.value = -1n;
      return '';
    }
  }

  private handle(message: GuestMessage): string | undefined {
    const { host } = this.options;
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
        return value === undefined ? undefined : JSON.stringify(value);
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
      case 'settled':
        this.settled ??= message.settled;
        return undefined;
      default:
        return exhaustive(message);
    }
  }

  private count(id: number): void {
    this.commands++;
    if (this.commands > this.options.limits.commands) this.hit('commands');
    this.open.add(id);
  }

  private loadPrelude(): Readonly<Record<'start' | 'deliver' | 'take', QuickJSHandle>> {
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
      deliver: context.getProp(api, 'deliver'),
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
    if (typeof dumped !== 'object' || dumped === null) return String(dumped);
    const name = 'name' in dumped ? String(dumped.name) : 'Error';
    const message = 'message' in dumped ? String(dumped.message) : '';
    const place = 'stack' in dumped ? /program\.js:(\d+)(?::(\d+))?/.exec(String(dumped.stack)) : null;
    return `${name}: ${message}${place === null ? '' : ` (line ${place[1] ?? '?'})`}`;
  }
}

/** How the command ended and with what, as the prelude reads it. */
function deliveredToJson(observation: Delivered): readonly JsonValue[] {
  if (observation.kind === 'ok') return ['ok', observation.value];
  if (observation.kind === 'cancelled') return ['cancelled'];
  const { name, message, data } = observation.error;
  return ['err', { name, message, ...(data === undefined ? {} : { data }) }];
}
