/**
 * One run of one program in one fresh interpreter.
 *
 * Owns the lifetime of the interpreter, the three guest functions of the prelude, the limits, and the translation between
 * guest messages and calls of the host. Invariant: the interpreter is entered only by `start` and `deliver`, both of which
 * leave no pending job behind; after a limit or a settled `main` it is never entered again.
 */
import type { QuickJSContext, QuickJSHandle, QuickJSRuntime, QuickJSWASMModule } from 'quickjs-emscripten-core';
import { assert, exhaustive } from '../../core/base/assert.ts';
import type { JsonValue } from '../../core/base/json.ts';
import type {
  Delivered,
  LimitHit,
  LimitName,
  SandboxOptions,
  SandboxSession,
  SandboxUsage,
  Settled,
  StepResult,
} from '../../core/replay/sandbox-port.ts';
import { instrumentCatches } from './instrument.ts';
import { type GuestMessage, textToMessages } from './messages.ts';
import { type PreludeConfig, preludeFile, preludeSource, programFile } from './prelude.ts';

const limitSentences: Readonly<Record<LimitName, string>> = {
  cpu: 'The control program used up its computing steps.',
  commands: 'The control program issued more commands than the limit allows.',
  bytes: 'More data crossed into and out of the sandbox than the limit allows.',
  memory: 'The control program used up its memory.',
  stack: 'The control program nested its calls too deeply.',
  'scope-depth': 'The control program nested its scopes too deeply.',
  'aborted-by-host': 'The run was stopped from outside; this is not a result.',
};

export function createSession(module: QuickJSWASMModule, options: SandboxOptions): SandboxSession {
  return new Session(module, options);
}

class Session implements SandboxSession {
  private readonly options: SandboxOptions;
  private readonly memory: WebAssembly.Memory;
  private readonly runtime: QuickJSRuntime;
  private readonly context: QuickJSContext;
  private readonly entry: Readonly<Record<'start' | 'deliver' | 'take', QuickJSHandle>>;
  private readonly open = new Set<number>();
  private ticks = 0;
  private deliveryTicks = 0;
  private bytes = 0;
  private commands = 0;
  private limit: LimitHit | undefined;
  private settled: Settled | undefined;
  private hostFailure: { readonly error: unknown } | undefined;
  private disposed = false;

  constructor(module: QuickJSWASMModule, options: SandboxOptions) {
    this.options = options;
    this.memory = module.getWasmMemory();
    this.runtime = module.newRuntime();
    this.runtime.setMaxStackSize(options.limits.stackBytes);
    this.context = this.runtime.newContext();
    this.entry = this.loadPrelude();
    // Set after the prelude, so that its own work counts for nothing.
    this.runtime.setMemoryLimit(options.limits.memoryBytes);
    this.runtime.setInterruptHandler(() => this.tick());
  }

  start(input: JsonValue): StepResult {
    assert(this.settled === undefined && this.commands === 0, 'a session starts once');
    const program = this.context.evalCode(instrumentCatches(this.options.program), programFile, { type: 'global' });
    if (program.error !== undefined) return this.notAProgram(this.dumpError(program.error));
    program.value.dispose();
    const main = this.context.evalCode('typeof main === "function" ? main : undefined', programFile, {
      type: 'global',
    });
    if (main.error !== undefined) return this.notAProgram(this.dumpError(main.error));
    if (this.context.typeof(main.value) !== 'function') {
      main.value.dispose();
      return this.notAProgram('it defines no function named main');
    }
    return this.enter('start', main.value, this.context.newString(this.crossing(JSON.stringify(input))));
  }

  deliver(id: number, observation: Delivered, vt: number): StepResult {
    assert(this.open.has(id), 'only an open command can be delivered');
    assert(!this.disposed, 'a disposed session cannot be entered');
    if (this.limit !== undefined || this.settled !== undefined) return this.result();
    this.open.delete(id);
    this.deliveryTicks = 0;
    const text = this.crossing(JSON.stringify({ id, vt, observation }));
    return this.enter('deliver', this.context.newString(text));
  }

  openCommands(): readonly number[] {
    return [...this.open];
  }

  usage(): SandboxUsage {
    return { ticks: this.ticks, commands: this.commands, bytes: this.bytes };
  }

  /**
   * Nothing is freed inside the interpreter: a program that overran its stack or memory can leave objects behind, and freeing the
   * runtime then aborts the process. The instance is this session's own, and goes with it as a whole.
   */
  dispose(): void {
    this.disposed = true;
  }

  /** Calls a guest entry point, runs every job, then takes over what was posted. */
  private enter(entry: 'start' | 'deliver', ...args: QuickJSHandle[]): StepResult {
    const called = this.context.callFunction(this.entry[entry], this.context.undefined, args);
    for (const arg of args) arg.dispose();
    if (called.error !== undefined) called.error.dispose();
    else called.value.dispose();
    if (this.limit === undefined) {
      const jobs = this.runtime.executePendingJobs();
      if (jobs.error !== undefined) jobs.error.dispose();
    }
    this.takePosted();
    if (this.hostFailure !== undefined) throw this.hostFailure.error;
    this.nameLimitOfOutcome();
    return this.result();
  }

  /** Interrupted guest code may have posted before; what a limit cut off is left out, the same on every run. */
  private takePosted(): void {
    const cutOff = this.limit !== undefined;
    this.runtime.removeInterruptHandler();
    const taken = this.context.callFunction(this.entry.take, this.context.undefined);
    if (taken.error !== undefined) taken.error.dispose();
    else {
      const text = this.context.getString(taken.value);
      taken.value.dispose();
      if (text !== '' && !cutOff) this.guarded(text);
    }
    this.runtime.setInterruptHandler(() => this.tick());
  }

  private result(): StepResult {
    if (this.limit !== undefined) return { limit: this.limit };
    return this.settled === undefined ? {} : { settled: this.settled };
  }

  private notAProgram(message: string): StepResult {
    if (this.limit !== undefined) return this.result();
    this.settled = { kind: 'not-a-program', message };
    return this.result();
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
  }

  private tick(): boolean {
    if (this.isOver()) return true;
    this.ticks++;
    this.deliveryTicks++;
    const { limits, shouldStop } = this.options;
    if (this.deliveryTicks > limits.ticksPerDelivery || this.ticks > limits.ticksPerRun) this.hit('cpu');
    else if (this.memory.buffer.byteLength > limits.memoryBytes + 16 * 1024 * 1024) this.hit('memory');
    else if (shouldStop?.() === true) this.hit('aborted-by-host');
    return this.isOver();
  }

  private isOver(): boolean {
    return this.limit !== undefined || this.hostFailure !== undefined;
  }

  /** Counts what crosses, in UTF-16 units. */
  private crossing(text: string): string {
    this.bytes += text.length;
    if (this.bytes > this.options.limits.bridgeBytes) this.hit('bytes');
    return text;
  }

  /** Hands messages to the host; a failure of the host ends the session and is thrown by the call that entered it. */
  private guarded(text: string): string {
    if (this.isOver()) return '';
    try {
      this.crossing(text);
      let answer: string | undefined;
      for (const message of textToMessages(text)) answer = this.handle(message);
      return answer === undefined ? '' : this.crossing(answer);
    } catch (error) {
      this.hostFailure = { error };
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
    const bridge = context.newFunction('', (text) => context.newString(this.guarded(context.getString(text))));
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
