/**
 * A recorder for tests: runs a control program in the product's own sandbox with scripted handlers and writes the event
 * stream exactly as mapping.md says, so that every fixture is a program that ran.
 *
 * Time is virtual: each answer says how long it takes, and deliveries happen in that order.
 */
import { type JsonObject, type JsonValue, isJsonObject, plainToRecorded, recordedToPlain } from '../../base/json.ts';
import { type EventId, type HindcastEvent, digest, eventId, parseEvent } from '../../model/index.ts';
import { loadSandbox } from '../../../platform/sandbox/node.ts';
import { segmentToRoot } from '../command-path.ts';
import { computeJournal } from '../journal.ts';
import { programDigest } from '../run-info.ts';
import {
  type DecisionAsked,
  type Delivered,
  type DrawAsked,
  type ErrorValue,
  type IssuedCommand,
  type Note,
  type Sandbox,
  type SandboxHost,
  type SandboxSession,
  type StepResult,
  type TransitionAsked,
  defaultSandboxLimits,
} from '../sandbox-port.ts';

export const testRun = '0af7651916cd43dd8448eb211c80319c';

export interface Answer {
  readonly ok?: JsonValue;
  readonly err?: ErrorValue;
  /** Milliseconds of virtual time until it is delivered. */
  readonly after?: number;
  /** Never answered. */
  readonly open?: boolean;
  /** Failures of earlier attempts. */
  readonly failures?: readonly ErrorValue[];
  /** Effects the outside world commits: one per attempt that did. */
  readonly effects?: readonly { readonly id: string; readonly attempt?: number }[];
  /** Last attempt known not to have been executed. */
  readonly notExecuted?: boolean;
  /** Final event without a value. */
  readonly noValue?: boolean;
}

export type Handler = (args: JsonValue, command: IssuedCommand) => Answer;

export interface RecordOptions {
  readonly input?: JsonValue;
  readonly seed?: string;
  readonly start?: number;
  /** By `kind:name`, else by kind. */
  readonly handlers?: Readonly<Record<string, Handler>>;
  readonly signals?: readonly { readonly name: string; readonly at: number; readonly value: JsonValue }[];
  readonly tools?: readonly JsonObject[];
  readonly markers?: readonly string[];
  readonly draws?: 'derived' | 'recorded';
  /** Values of recorded draws. */
  readonly clock?: () => number;
  readonly random?: () => number;
  /** The process dies when this command would be delivered. */
  readonly crashAt?: string;
  readonly sandbox?: Sandbox;
  /** Events of an earlier life to resume from, and the name of this one. */
  readonly past?: readonly HindcastEvent[];
  readonly incarnation?: number;
  /** Emit again what was delivered before, marked `replayed`. */
  readonly reEmits?: boolean;
}

/** The stream of a run. Throws when an event is not valid: the recorder itself is wrong then. */
export async function record(program: string, options: RecordOptions = {}): Promise<readonly HindcastEvent[]> {
  const recorder = new Recorder(program, options, options.sandbox ?? (await loadSandbox()));
  return recorder.run();
}

interface Waiting {
  readonly command: IssuedCommand;
  readonly at: number;
  readonly order: number;
  readonly answer: Answer;
  readonly issue: EventId;
}

const issueTypes = {
  model: 'model_call.requested',
  read: 'tool_call.dispatched',
  write: 'tool_call.dispatched',
  timer: 'timer.started',
  signal: 'signal.awaited',
  child: 'agent.spawned',
} as const;

class Recorder implements SandboxHost {
  private readonly program: string;
  private readonly options: RecordOptions;
  private readonly sandbox: Sandbox;
  private readonly events: HindcastEvent[] = [];
  private readonly eventByPath = new Map<string, EventId>();
  private readonly issueByPath = new Map<string, EventId>();
  private readonly versions = new Map<string, number>();
  private waiting: Waiting[] = [];
  private readonly commands = new Map<number, IssuedCommand>();
  private readonly signalsUsed = new Set<number>();
  private readonly cancelling = new Set<IssuedCommand>();
  private readonly past: ReturnType<typeof computeJournal> | undefined;
  private position = 0;
  private orders = 0;
  private vt: number;

  constructor(program: string, options: RecordOptions, sandbox: Sandbox) {
    this.program = program;
    this.options = options;
    this.sandbox = sandbox;
    this.vt = options.start ?? 0;
    this.past = options.past === undefined ? undefined : computeJournal(options.past, { run: testRun, segment: 0 });
  }

  async run(): Promise<readonly HindcastEvent[]> {
    const { tools, past, incarnation } = this.options;
    if (tools !== undefined && past === undefined) this.emit('stream.declared', { data: { tools: [...tools] } });
    if (past !== undefined) {
      const last = past.at(-1)?.id;
      this.emit('worker.started', {
        causes: last === undefined ? [] : [{ event: last, as: 'caused_by' }],
        data: { resume: 'journal', pid: incarnation ?? 2 },
      });
    }
    let input: JsonValue = this.options.input === undefined ? {} : this.options.input;
    for (let segment = 0; ; segment++) {
      this.position = 0;
      this.waiting = [];
      if (past === undefined) this.emit('run.started', { data: this.declaration(input, segment) });
      const session = await this.createSession(segment);
      let step: StepResult;
      try {
        step = this.drive(session, input);
      } finally {
        session.dispose();
      }
      const { settled } = step;
      if (settled?.kind === 'ok')
        this.emit('run.completed', {
          data: { result: plainToRecorded(settled.value), digest: digest(plainToRecorded(settled.value)) },
        });
      if (settled?.kind === 'err')
        this.emit('run.failed', { data: { error: { ...settled.error }, digest: digest({ ...settled.error }) } });
      if (settled?.kind !== 'rolled-over') break;
      input = plainToRecorded(settled.carried);
      this.emit('run.rolled_over', { data: { carried: input, digest: digest(input), next: { segment: segment + 1 } } });
    }
    return this.events;
  }

  private declaration(input: JsonValue, segment: number): JsonObject {
    const { draws, seed, start } = this.options;
    return {
      program: {
        name: 'test',
        version: '1',
        api: 1,
        language: 'js',
        source: this.program,
        digest: programDigest(this.program),
      },
      input,
      seed: seed ?? '0'.repeat(31) + '1',
      start: start ?? 0,
      draws: draws ?? 'derived',
      limits: {},
      segment,
      engine: { ...this.sandbox.engine },
    };
  }

  private createSession(segment: number): Promise<SandboxSession> {
    const { seed, start, draws } = this.options;
    return this.sandbox.createSession({
      program: this.program,
      seed: seed ?? '0'.repeat(31) + '1',
      startVt: start ?? 0,
      draws: draws === 'recorded' ? 'ask' : 'derived',
      rootPath: segmentToRoot(segment),
      limits: defaultSandboxLimits,
      host: this,
    });
  }

  private drive(session: SandboxSession, input: JsonValue): StepResult {
    let step = session.start(recordedToPlain(input));
    while (step.settled === undefined && step.limit === undefined) {
      this.matchSignals();
      this.waiting.sort((a, b) => a.at - b.at || a.order - b.order);
      const next = this.waiting.shift();
      if (next === undefined || next.command.path === this.options.crashAt) break;
      this.vt = Math.max(this.vt, next.at);
      step = session.deliver(next.command.id, this.deliver(next), this.vt);
    }
    return step;
  }

  private matchSignals(): void {
    for (const [n, signal] of (this.options.signals ?? []).entries()) {
      if (this.signalsUsed.has(n)) continue;
      const open = [...this.commands.values()].find(
        (c) =>
          c.kind === 'signal' &&
          c.name === signal.name &&
          !this.eventByPath.has(c.path) &&
          !this.waiting.some((w) => w.command === c),
      );
      if (open === undefined) continue;
      this.signalsUsed.add(n);
      this.wait(open, { ok: signal.value, after: Math.max(0, signal.at - this.vt) });
    }
  }

  private wait(command: IssuedCommand, answer: Answer): void {
    const issue = this.issueByPath.get(command.path) ?? eventId('');
    this.waiting.push({ command, at: this.vt + (answer.after ?? 1), order: this.orders++, answer, issue });
  }

  /** Writes the ending events of a command and says what control code gets. */
  private deliver({ command, answer, issue }: Waiting): Delivered {
    const known = this.past?.entriesByPath.get(command.path);
    if (known?.finalEvent !== undefined && (known.observation.kind === 'ok' || known.observation.kind === 'err')) {
      this.eventByPath.set(command.path, known.finalEvent);
      this.position = Number(known.delivered) + 1;
      if (this.options.reEmits === true)
        this.ending(command, known.observation, Number(known.delivered), known.issueEvent, { replayed: true });
      return known.observation.kind === 'ok'
        ? { kind: 'ok', value: recordedToPlain(known.observation.value) }
        : { kind: 'err', error: known.observation.error };
    }
    if (this.cancelling.has(command)) {
      const type = {
        model: 'model_call.cancelled',
        timer: 'timer.cancelled',
        signal: 'signal.cancelled',
        child: 'agent.cancelled',
        read: 'tool_call.cancelled',
        write: 'tool_call.cancelled',
      }[command.kind];
      const id = this.emit(type, {
        command: { ...this.fields(command), delivered: this.position++, vt: this.vt },
        causes: [{ event: issue, as: 'result_of' }],
        data: {},
      });
      this.eventByPath.set(command.path, id);
      return { kind: 'cancelled' };
    }
    if (answer.err !== undefined) {
      this.ending(command, { kind: 'err', error: answer.err }, this.position++, issue, {});
      return { kind: 'err', error: answer.err };
    }
    const value = answer.ok ?? null;
    if (command.name.startsWith('policy:')) {
      const at = this.position++;
      const id = this.emit('policy.evaluated', {
        command: {
          ...this.fields(command),
          args: digest(plainToRecorded(command.args)),
          issued: at,
          delivered: at,
          vt: this.vt,
        },
        data: {
          args: plainToRecorded(command.args),
          ...(isJsonObject(value) ? value : { value }),
        },
      });
      this.eventByPath.set(command.path, id);
      return { kind: 'ok', value: recordedToPlain(value) };
    }
    this.ending(
      command,
      answer.noValue === true ? { kind: 'none' } : { kind: 'ok', value },
      this.position++,
      issue,
      {},
    );
    return { kind: 'ok', value: recordedToPlain(value) };
  }

  private ending(
    command: IssuedCommand,
    outcome: { kind: 'ok'; value: JsonValue } | { kind: 'err'; error: ErrorValue } | { kind: 'none' },
    position: number,
    issue: EventId,
    extra: JsonObject,
  ): void {
    const failed = outcome.kind === 'err';
    const type = {
      model: failed ? 'model_call.failed' : 'model_call.completed',
      timer: 'timer.fired',
      signal: 'signal.received',
      child: 'agent.joined',
      read: failed ? 'tool_call.failed' : 'tool_call.completed',
      write: failed ? 'tool_call.failed' : 'tool_call.completed',
    }[command.kind];
    const data: JsonObject =
      outcome.kind === 'err'
        ? { error: { ...outcome.error } }
        : outcome.kind === 'none' || command.kind === 'timer'
          ? {}
          : command.kind === 'signal'
            ? { value: outcome.value }
            : { result: outcome.value };
    const id = this.emit(type, {
      command: { ...this.fields(command), delivered: position, vt: this.vt },
      causes: [{ event: issue, as: 'result_of' }],
      data,
      ...extra,
    });
    this.eventByPath.set(command.path, id);
  }

  // ---- What control code asks ----------------------------------------------------------------------

  issued(command: IssuedCommand): void {
    this.commands.set(command.id, command);
    if (command.ambiguous === true) return;
    const known = this.past?.entriesByPath.get(command.path);
    if (known !== undefined) {
      this.position = Number(known.issued) + 1;
      this.issueByPath.set(command.path, known.issueEvent);
      if (known.finalEvent !== undefined) {
        this.waiting.push({
          command,
          at: known.vt ?? 0,
          order: Number(known.delivered) - 1e9,
          answer: {},
          issue: known.issueEvent,
        });
        return;
      }
    }
    const answer =
      command.kind === 'timer'
        ? this.timerAnswer(command)
        : command.kind === 'signal'
          ? { open: true }
          : this.answerFor(command);
    if (command.name.startsWith('policy:')) {
      this.wait(command, answer);
      return;
    }
    const failures = answer.failures ?? [];
    // A retry is another issue of the same path; only the first takes a number.
    for (let attempt = 1; attempt <= failures.length + 1; attempt++)
      this.emitIssue(command, attempt, answer, known === undefined ? undefined : known.attempts.length);
    if (answer.open !== true) this.wait(command, answer);
  }

  private emitIssue(command: IssuedCommand, attempt: number, answer: Answer, before: number | undefined): void {
    const failures = answer.failures ?? [];
    const id = this.emit(issueTypes[command.kind], {
      command: {
        ...this.fields(command),
        args: digest(plainToRecorded(command.args)),
        attempt: attempt + (before ?? 0),
        ...(attempt === 1 && before === undefined ? { issued: this.position++ } : { issued: this.position }),
        ...(command.reads === undefined ? {} : { reads: [...command.reads] }),
        ...(command.writes === undefined ? {} : { writes: [...command.writes] }),
        ...(command.site === undefined ? {} : { site: { ...command.site } }),
      },
      ...this.causes(command.uses, command.selectedBy),
      data: this.issueData(command),
    });
    this.issueByPath.set(command.path, id);
    for (const effect of answer.effects ?? []) {
      if ((effect.attempt ?? failures.length + 1) !== attempt) continue;
      this.emit('effect.committed', {
        source: { component: 'service' },
        causes: [{ event: id, as: 'result_of' }],
        data: { effect: { kind: command.name, id: effect.id } },
      });
    }
    const failure = failures[attempt - 1];
    const failsUnexecuted = answer.notExecuted === true && attempt === failures.length + 1;
    if (failure === undefined && !failsUnexecuted) return;
    this.emit(command.kind === 'model' ? 'model_call.failed' : 'tool_call.failed', {
      command: { ...this.fields(command), attempt },
      causes: [{ event: id, as: 'result_of' }],
      data: {
        error: { ...(failure ?? { name: 'ConnectionRefused', message: 'refused' }) },
        ...(failsUnexecuted ? { executed: false } : {}),
      },
    });
  }

  private issueData(command: IssuedCommand): JsonObject {
    const args = plainToRecorded(command.args);
    switch (command.kind) {
      case 'write':
        return {
          args,
          tool: command.name,
          effect: 'external',
          ...(command.idempotencyKey === undefined ? {} : { idempotency_key: command.idempotencyKey }),
        };
      case 'read':
        return { args, tool: command.name, effect: 'none' };
      case 'timer':
        return { args, due: this.vt + this.msOf(command) };
      case 'child':
        return { args, child: { scope: command.path } };
      default:
        return { args };
    }
  }

  private msOf(command: IssuedCommand): number {
    return typeof command.args === 'object' && command.args !== null && !Array.isArray(command.args)
      ? Number((command.args as JsonObject)['ms'])
      : 0;
  }

  private timerAnswer(command: IssuedCommand): Answer {
    return { after: this.msOf(command) };
  }

  private answerFor(command: IssuedCommand): Answer {
    const handler = this.options.handlers?.[`${command.kind}:${command.name}`] ?? this.options.handlers?.[command.kind];
    return handler?.(plainToRecorded(command.args), command) ?? { ok: { answer: command.path } };
  }

  spawned(command: IssuedCommand): 'run' {
    this.commands.set(command.id, command);
    if (command.ambiguous !== true) this.emitIssue(command, 1, {}, undefined);
    return 'run';
  }

  joined(id: number, outcome: Exclude<Delivered, { kind: 'cancelled' }>): Exclude<Delivered, { kind: 'cancelled' }> {
    const command = this.commands.get(id);
    if (command === undefined) throw new Error('joined an unknown child');
    const recorded = outcome.kind === 'ok' ? { kind: 'ok' as const, value: plainToRecorded(outcome.value) } : outcome;
    this.ending(command, recorded, this.position++, this.issueByPath.get(command.path) ?? eventId(''), {});
    return outcome;
  }

  cancelRequested(id: number): void {
    const command = this.commands.get(id);
    if (command === undefined) return;
    this.waiting = this.waiting.filter((item) => item.command !== command);
    const order = this.orders++ - 1e12;
    this.waiting.push({
      command,
      at: this.vt,
      order,
      answer: {},
      issue: this.issueByPath.get(command.path) ?? eventId(''),
    });
    this.cancelling.add(command);
  }

  decided(asked: DecisionAsked): undefined {
    const at = this.position++;
    const args = {
      chosen: plainToRecorded(asked.chosen),
      ...(asked.alternatives === undefined ? {} : { alternatives: asked.alternatives.map(plainToRecorded) }),
    };
    const id = this.emit('decision.made', {
      command: {
        path: asked.path,
        kind: 'decide',
        name: asked.name,
        args: digest(args),
        issued: at,
        delivered: at,
        vt: this.vt,
      },
      ...this.causes(asked.uses, undefined),
      data: { args, result: args.chosen },
    });
    this.eventByPath.set(asked.path, id);
  }

  transitioned(asked: TransitionAsked): number {
    const from = this.versions.get(asked.name) ?? 0;
    this.versions.set(asked.name, from + 1);
    const at = this.position++;
    const value = plainToRecorded(asked.value);
    const id = this.emit('state.transitioned', {
      command: {
        path: asked.path,
        kind: 'state',
        name: asked.name,
        args: digest(value),
        issued: at,
        delivered: at,
        vt: this.vt,
      },
      ...this.causes(asked.uses, undefined),
      data: { name: asked.name, from, to: from + 1, digest: digest(value), value },
    });
    this.eventByPath.set(asked.path, id);
    return from + 1;
  }

  patchAsked(id: string): boolean {
    if (this.options.markers?.includes(id) !== true) return false;
    const at = this.position++;
    this.emit('marker.recorded', {
      command: { path: `marker:${id}`, kind: 'marker', name: id, issued: at, delivered: at, vt: this.vt },
      data: { id, value: true },
    });
    return true;
  }

  drawn(draw: DrawAsked): number {
    const value = draw.draw === 'clock' ? (this.options.clock?.() ?? this.vt) : (this.options.random?.() ?? 0.5);
    const at = this.position++;
    this.emit(draw.draw === 'clock' ? 'clock.read' : 'random.drawn', {
      command: { path: draw.path, kind: 'draw', name: draw.draw, issued: at, delivered: at, vt: this.vt },
      data: { value },
    });
    return value;
  }

  noted(note: Note): void {
    this.emit(note.type, { ...(note.step === undefined ? {} : { step: note.step }), data: plainToRecorded(note.data) });
  }

  pureComputed(): void {
    // Recomputed on replay; nothing is written.
  }

  // ---- Writing -------------------------------------------------------------------------------------

  private fields(command: IssuedCommand): JsonObject {
    return { path: command.path, kind: command.kind, name: command.name };
  }

  private causes(uses: readonly string[], selectedBy: string | undefined): JsonObject {
    const causes: JsonValue[] = [];
    const by = selectedBy === undefined ? undefined : this.eventByPath.get(selectedBy);
    if (by !== undefined) causes.push({ event: by, as: 'selected_by' });
    for (const path of uses) {
      const event = this.eventByPath.get(path);
      if (event !== undefined) causes.push({ event, as: 'consumed' });
    }
    return causes.length === 0 ? {} : { causes };
  }

  private emit(type: string, fields: Readonly<Record<string, JsonValue>>): EventId {
    const incarnation = this.options.incarnation ?? 1;
    const id = `${incarnation === 1 ? 'w' : `w${String(incarnation)}`}:${String(this.events.length)}`;
    const event = {
      v: 1,
      id,
      type,
      run: testRun,
      branch: 'main',
      seq: this.events.length,
      source: { component: 'worker', incarnation },
      ...fields,
    };
    const parsed = parseEvent(event);
    if (!parsed.ok) throw new Error(`${parsed.error.message} ${JSON.stringify(event)}`);
    this.events.push(parsed.value);
    return eventId(id);
  }
}
