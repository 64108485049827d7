/**
 * Runs a control program natively and writes what it does as a Hindcast stream, so that the run can be replayed, edited and gone on with.
 *
 * Invariants: an event is written before the act it announces; one observation is delivered at a time, and everything the program does with
 * it is done before the next; positions count the acts in their order. So the file is at any moment the beginning of the run, and a run that
 * was killed goes on from its last line: what was delivered is delivered again, in its order, and only then are handlers asked.
 */
import { randomBytes } from 'node:crypto';
import { type Json, type JsonRecord, digestOf, digestOfText, isRecord, toJson } from './canonical.ts';
import {
  type Asked,
  type ChildOutcome,
  type CommandKind,
  type ContextPort,
  type Settle,
  describeError,
  describeValue,
  startProgram,
  textToError,
} from './context.ts';
import { endToDraft, isCommandKind, isPolicy, issueToDraft, oneEventToDraft, toVerdict } from './drafts.ts';
import { type EventLog, createEventLog, repairLog } from './event-log.ts';
import { type HandlerInfo, type WriteHandler, findHandler } from './handlers.ts';
import {
  type Clock,
  type Main,
  type RecordedRun,
  type RecorderOptions,
  outcomeToRun,
  realClock,
  textToMain,
} from './options.ts';
import { type Observation, type Past, type PastCommand, eventsToPast, noteKey } from './past.ts';

/** Runs to the end, or throws when the run cannot go on; then the file is whole, and calling it again goes on. */
export async function recordRun(options: RecorderOptions): Promise<RecordedRun> {
  const { events, torn } = repairLog(options.file);
  const past = eventsToPast(events);
  const known = past.outcome === undefined ? undefined : outcomeToRun(past.outcome);
  if (known !== undefined) return known;
  const main = textToMain(options.program.source, options.program.name);
  const programDigest = digestOfText(options.program.source);
  if (past.programDigest !== undefined && past.programDigest !== programDigest)
    throw new Error(
      `${options.file} holds a run of another text of the program (${past.programDigest}). Give it that text, or another file.`,
    );
  const recorder = new Recorder(options, past);
  try {
    recorder.begin(torn, events.length === 0);
    return await recorder.run(main, programDigest);
  } finally {
    recorder.close();
  }
}

interface Open {
  readonly asked: Asked;
  readonly kind: CommandKind;
  readonly settle: Settle;
  readonly past: PastCommand | undefined;
  readonly position: number;
  readonly issuedVt: number;
  readonly abort: AbortController;
  issueEvent: string | undefined;
  attempt: number;
  isCancelled: boolean;
}

interface Arrival {
  readonly open: Open;
  readonly observation: Observation;
  readonly about: JsonRecord;
}

type End = { readonly outcome: ChildOutcome } | { readonly carried: Json };

class Recorder implements ContextPort {
  private readonly options: RecorderOptions;
  private readonly clock: Clock;
  private readonly log: EventLog;
  private readonly runId: string;
  private readonly incarnation: number;
  private past: Past;
  private segment: number;
  private position: number;
  private vt: number;
  private readonly versions: Map<string, number>;
  private readonly notes: Map<string, number>;
  private readonly eventByPath = new Map<string, string>();
  private open = new Map<string, Open>();
  private toDispatch: Open[] = [];
  private arrivals: Arrival[] = [];
  private running = 0;
  private wake: (() => void) | undefined;
  private end: End | undefined;
  private fatal: { readonly error: unknown } | undefined;

  constructor(options: RecorderOptions, past: Past) {
    this.options = options;
    this.clock = options.clock ?? realClock;
    this.past = past;
    this.runId = past.run ?? randomBytes(16).toString('hex');
    this.incarnation = past.incarnation + 1;
    this.segment = past.segment;
    this.position = past.nextPosition;
    this.vt = past.run === undefined ? this.clock.now() : past.start;
    this.versions = new Map(past.versionsBefore);
    this.notes = new Map(past.notes);
    this.log = createEventLog({
      file: options.file,
      run: this.runId,
      component: this.component,
      incarnation: this.incarnation,
      flush: options.flush ?? 'fsync',
    });
  }

  private get component(): string {
    return this.options.component ?? 'agent';
  }

  begin(torn: number, isNew: boolean): void {
    const { tools, flush } = this.options;
    if (isNew) {
      this.log.append({
        type: 'stream.declared',
        data: {
          producers: [{ component: this.component, flush: flush ?? 'fsync' }],
          clocks: [{ id: this.component, kind: 'wall' }],
          ...(tools === undefined ? {} : { tools: [...tools] }),
        },
      });
      return;
    }
    const { lastEvent } = this.past;
    this.log.append({
      type: 'worker.started',
      ...(lastEvent === undefined ? {} : { causes: [{ event: lastEvent, as: 'caused_by' }] }),
      data: { resume: 'journal', pid: process.pid, torn_bytes: torn },
    });
  }

  close(): void {
    for (const { abort } of this.open.values()) abort.abort();
    this.log.close();
  }

  async run(main: Main, programDigest: string): Promise<RecordedRun> {
    let input = this.past.input;
    if (this.past.carried !== undefined) input = this.nextSegment(this.past.carried, programDigest);
    else if (input === undefined) {
      input = toJson(this.options.input, {});
      this.declare(input, programDigest);
    }
    for (;;) {
      const end = await this.runSegment(main, input);
      if ('carried' in end) {
        const { carried } = end;
        this.log.append({
          type: 'run.rolled_over',
          data: { carried, digest: digestOf(carried), next: { segment: this.segment + 1 } },
        });
        input = this.nextSegment(carried, programDigest);
        continue;
      }
      return this.finish(end.outcome);
    }
  }

  private declare(input: Json, digest: string): void {
    const { name, version, source } = this.options.program;
    this.log.append({
      type: 'run.started',
      data: {
        program: { name, version, api: 1, language: 'js', source, digest },
        input,
        seed: randomBytes(16).toString('hex'),
        start: this.vt,
        draws: 'recorded',
        engine: { name: 'node', version: process.versions.node },
        limits: {},
        segment: this.segment,
      },
    });
  }

  private nextSegment(carried: Json, programDigest: string): Json {
    this.past = { ...eventsToPast([]), run: this.runId };
    this.segment++;
    this.position = 0;
    this.declare(carried, programDigest);
    return carried;
  }

  private finish(outcome: ChildOutcome): RecordedRun {
    const run = this.runId;
    this.log.sync();
    if ('value' in outcome) {
      const { value } = outcome;
      this.log.append({ type: 'run.completed', data: { result: value, digest: digestOf(value) } });
      this.log.sync();
      return { kind: 'completed', value, run };
    }
    const error = { ...outcome.error };
    this.log.append({ type: 'run.failed', data: { error, digest: digestOf(error) } });
    this.log.sync();
    return { kind: 'failed', error, run };
  }

  /** One observation at a time; all jobs between two of them. */
  private async runSegment(main: Main, input: Json): Promise<End> {
    this.end = undefined;
    this.open = new Map();
    this.toDispatch = [];
    this.arrivals = [];
    const again = this.toDeliverAgain();
    const rootPath = this.segment === 0 ? '' : `/seg:${String(this.segment)}`;
    startProgram(main, toJson(input, {}), rootPath, this).then(
      (value) => {
        this.settled(describeValue(value));
      },
      (error: unknown) => {
        this.settled({ error: describeError(error) });
      },
    );
    for (;;) {
      await allJobs();
      if (this.fatal !== undefined) throw this.fatal.error;
      // Its fields change while the program runs.
      const end = this.end as End | undefined;
      if (end !== undefined) return end;
      const next = again.shift();
      if (next === undefined) this.deliver(await this.nextArrival());
      else this.deliverAgain(next);
    }
  }

  private settled(outcome: ChildOutcome): void {
    this.end ??= { outcome };
  }

  // ---- Delivery ---------------------------------------------------------------------------------

  private toDeliverAgain(): PastCommand[] {
    const finals = [...this.past.commands.values()].filter(({ final, awaited }) => final !== undefined && awaited);
    return finals.sort((a, b) => (a.final?.position ?? 0) - (b.final?.position ?? 0));
  }

  private deliverAgain(command: PastCommand): void {
    const open = this.open.get(command.path);
    const { final } = command;
    if (open === undefined || final === undefined)
      throw new Error(
        `The program did not ask again for ${command.path}, which it got an answer for. It depends on something that is not recorded.`,
      );
    this.open.delete(command.path);
    this.vt = Math.max(this.vt, final.vt);
    this.eventByPath.set(command.path, final.event);
    settleWith(open.settle, final.observation);
  }

  private async nextArrival(): Promise<Arrival> {
    for (const open of this.toDispatch.splice(0)) this.dispatch(open);
    for (;;) {
      const next = this.arrivals.shift();
      if (next !== undefined && this.open.has(next.open.asked.path)) return next;
      if (next !== undefined) continue;
      if (this.running === 0)
        throw new Error('The program waits, but for nothing it asked ctx for; nothing recorded can wake it.');
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
      if (this.fatal !== undefined) throw this.fatal.error;
    }
  }

  private arrive(arrival: Arrival): void {
    this.arrivals.push(arrival);
    this.wake?.();
  }

  private deliver({ open, observation, about }: Arrival): void {
    const { asked, kind, attempt, issueEvent } = open;
    this.open.delete(asked.path);
    this.vt = Math.max(this.vt, Math.trunc(this.clock.now()));
    const position = this.position++;
    const facts = { position, vt: this.vt, attempt, issueEvent, about };
    let seen = observation;
    if (isPolicy(asked) && observation.kind === 'ok') {
      seen = { kind: 'ok', value: toVerdict(observation.value) };
      const one = { position, vt: this.vt, args: asked.args, causes: this.causes(asked) };
      const told = isRecord(observation.value) ? observation.value : {};
      const data = { ...about, ...told, args: asked.args };
      this.eventByPath.set(asked.path, this.log.append(oneEventToDraft('policy.evaluated', asked, one, data)));
    } else this.eventByPath.set(asked.path, this.log.append(endToDraft(asked, kind, observation, facts)));
    settleWith(open.settle, seen);
  }

  // ---- Handlers ---------------------------------------------------------------------------------

  private dispatch(open: Open): void {
    this.running++;
    const about: Record<string, Json> = {};
    this.perform(open, about)
      .then(
        (value): Observation => ({ kind: 'ok', value: toJson(value, null) }),
        (error: unknown): Observation => {
          if (error instanceof UnknownOutcome) throw error;
          return { kind: 'err', error: describeError(error) };
        },
      )
      .then(
        (observation) => {
          this.running--;
          this.arrive({ open, observation, about });
        },
        (error: unknown) => {
          this.running--;
          this.fail(error);
        },
      );
  }

  private async perform(open: Open, about: Record<string, Json>): Promise<unknown> {
    const { asked, kind, past, abort } = open;
    if (kind === 'timer') {
      const due = past?.due ?? dueOf(open);
      await this.clock.wait(Math.max(0, due - this.clock.now()), abort.signal);
      return null;
    }
    const info: HandlerInfo = {
      path: asked.path,
      attempt: open.attempt,
      idempotencyKey: asked.idempotencyKey,
      signal: abort.signal,
      about(facts) {
        Object.assign(about, toJson(facts, {}));
      },
    };
    const handler = findHandler(this.options.handlers, kind, asked.name);
    if (typeof handler === 'function') {
      if (kind === 'write' && past !== undefined && asked.idempotencyKey === undefined)
        throw new UnknownOutcome(asked.path);
      this.attemptAgain(open);
      return handler(asked.args, { ...info, attempt: open.attempt });
    }
    return this.write(open, handler, info);
  }

  /** An effect that may have happened is looked up before it is sent again. */
  private async write(open: Open, handler: WriteHandler, info: HandlerInfo): Promise<unknown> {
    const { asked, past } = open;
    if (past !== undefined) {
      const found = await handler.lookUp(asked.args, info);
      if (found !== undefined) {
        info.about({ looked_up: true });
        return found.value;
      }
    }
    this.attemptAgain(open);
    return handler.send(asked.args, { ...info, attempt: open.attempt });
  }

  /** What an earlier life sent and got no answer for is sent again: another attempt of the same command, with the number it had. */
  private attemptAgain(open: Open): void {
    const { asked, kind, past, position } = open;
    if (past === undefined || kind === 'signal' || isPolicy(asked)) return;
    open.attempt = past.attempts + 1;
    const facts = { position, attempt: open.attempt, due: undefined, causes: this.causes(asked), runsInside: false };
    open.issueEvent = this.log.append(issueToDraft(asked, kind, facts));
    if (kind === 'write') this.log.sync();
  }

  private fail(error: unknown): void {
    this.fatal ??= { error };
    this.wake?.();
  }

  /** Ends the run from inside a call of the program, which cannot catch it away. */
  private diverge(message: string): never {
    const error = new Error(message);
    this.fail(error);
    throw error;
  }

  // ---- What the program asks --------------------------------------------------------------------

  issued(asked: Asked, settle: Settle): void {
    const open = this.register(asked, settle, false);
    if (open.past?.final === undefined) this.toDispatch.push(open);
  }

  spawned(asked: Asked, settle: Settle): void {
    this.register(asked, settle, true);
  }

  private register(asked: Asked, settle: Settle, runsInside: boolean): Open {
    const { kind } = asked;
    if (!isCommandKind(kind)) throw new Error(`${kind} is no kind of command.`);
    const past = this.pastOf(asked, digestOf(asked.args));
    const isNew = past === undefined;
    const hasIssue = !isPolicy(asked);
    const open: Open = {
      asked,
      kind,
      settle,
      past,
      position: isNew && hasIssue ? this.position++ : (past?.issued ?? -1),
      issuedVt: this.vt,
      abort: new AbortController(),
      issueEvent: past?.issueEvent,
      attempt: past?.attempts ?? 1,
      isCancelled: false,
    };
    this.open.set(asked.path, open);
    if (!isNew || !hasIssue) return open;
    const due = kind === 'timer' ? dueOf(open) : undefined;
    const facts = { position: open.position, attempt: 1, due, causes: this.causes(asked), runsInside };
    open.issueEvent = this.log.append(issueToDraft(asked, kind, facts));
    if (kind === 'write') this.log.sync();
    return open;
  }

  joined(path: string, outcome: ChildOutcome): void {
    const open = this.open.get(path);
    if (open === undefined) return;
    this.open.delete(path);
    const observation: Observation =
      'value' in outcome ? { kind: 'ok', value: outcome.value } : { kind: 'err', error: outcome.error };
    const { final } = open.past ?? {};
    if (final === undefined) {
      const { asked, kind, attempt, issueEvent } = open;
      const facts = { position: this.position++, vt: this.vt, attempt, issueEvent, about: {} };
      this.eventByPath.set(path, this.log.append(endToDraft(asked, kind, observation, facts)));
    } else this.eventByPath.set(path, final.event);
    settleWith(open.settle, observation);
  }

  cancelled(path: string): void {
    const open = this.open.get(path);
    // What was delivered before the last life ended is delivered again, cancelled or not.
    if (open === undefined || open.isCancelled || open.past?.final !== undefined) return;
    open.isCancelled = true;
    open.abort.abort();
    this.toDispatch = this.toDispatch.filter((one) => one !== open);
    this.arrivals.unshift({ open, observation: { kind: 'cancelled' }, about: {} });
    this.wake?.();
  }

  decided(asked: Asked): void {
    const { args } = asked;
    const past = this.pastOf(asked, digestOf(args));
    if (past !== undefined) {
      this.eventByPath.set(asked.path, past.issueEvent);
      return;
    }
    const position = this.position++;
    const facts = { position, vt: this.vt, args, causes: this.causes(asked) };
    const result = isRecord(args) ? (args['chosen'] ?? null) : null;
    this.eventByPath.set(asked.path, this.log.append(oneEventToDraft('decision.made', asked, facts, { args, result })));
  }

  transitioned(asked: Asked): number {
    const { name, args: value } = asked;
    const from = this.versions.get(name) ?? 0;
    const to = from + 1;
    this.versions.set(name, to);
    const past = this.pastOf(asked, digestOf(value));
    if (past !== undefined) {
      this.eventByPath.set(asked.path, past.issueEvent);
      return to;
    }
    const facts = { position: this.position++, vt: this.vt, args: value, causes: this.causes(asked) };
    const data = { name, from, to, digest: digestOf(value), value };
    this.eventByPath.set(asked.path, this.log.append(oneEventToDraft('state.transitioned', asked, facts, data)));
    return to;
  }

  /** A run that is recorded for the first time takes the new way, and says so. */
  patched(id: string): boolean {
    const path = `marker:${id}`;
    if (this.past.commands.has(path)) return true;
    const position = this.position++;
    this.log.append({
      type: 'marker.recorded',
      command: { path, kind: 'marker', name: id, issued: position, delivered: position, vt: this.vt },
      data: { id, value: true },
    });
    return true;
  }

  drawn(path: string, draw: 'clock' | 'random'): number {
    const known = this.past.commands.get(path)?.final?.observation;
    if (known?.kind === 'ok' && typeof known.value === 'number') return known.value;
    const value = draw === 'clock' ? this.clock.now() : (this.options.random ?? Math.random)();
    const position = this.position++;
    this.log.append({
      type: draw === 'clock' ? 'clock.read' : 'random.drawn',
      command: { path, kind: 'draw', name: draw, issued: position, delivered: position, vt: this.vt },
      data: { value },
    });
    return value;
  }

  noted(type: string, data: Json, step: string | undefined, uses: readonly string[]): void {
    const key = noteKey(type, data, step);
    const before = this.notes.get(key) ?? 0;
    if (before > 0) {
      this.notes.set(key, before - 1);
      return;
    }
    const causes = this.consumed(uses);
    this.log.append({
      type,
      ...(causes.length === 0 ? {} : { causes }),
      ...(step === undefined ? {} : { step }),
      data: isRecord(data) ? data : { value: data },
    });
  }

  rolledOver(carried: Json): void {
    this.end ??= { carried };
  }

  // ---- Shared -----------------------------------------------------------------------------------

  private pastOf(asked: Asked, args: string): PastCommand | undefined {
    const past = this.past.commands.get(asked.path);
    if (past?.args !== undefined && past.args !== args)
      this.diverge(
        `The program asks for ${asked.path} with other arguments than the run has on record. It depends on something that is not recorded.`,
      );
    return past;
  }

  private causes(asked: Asked): readonly JsonRecord[] {
    const by = asked.selectedBy === undefined ? undefined : this.eventByPath.get(asked.selectedBy);
    return [...(by === undefined ? [] : [{ event: by, as: 'selected_by' }]), ...this.consumed(asked.uses)];
  }

  private consumed(uses: readonly string[]): readonly JsonRecord[] {
    return uses.flatMap((path) => {
      const event = this.eventByPath.get(path);
      return event === undefined ? [] : [{ event, as: 'consumed' }];
    });
  }
}

/** The write was sent and nothing says what came of it. */
class UnknownOutcome extends Error {
  constructor(path: string) {
    super(
      `${path} was sent by an earlier life and no answer is on record. It is not sent again blindly: give its handler a lookUp, or the command an idempotencyKey.`,
    );
    this.name = 'UnknownOutcome';
  }
}

function dueOf({ asked, issuedVt }: Open): number {
  const ms = isRecord(asked.args) ? asked.args['ms'] : 0;
  return issuedVt + (typeof ms === 'number' ? ms : 0);
}

function settleWith({ resolve, reject }: Settle, observation: Observation): void {
  if (observation.kind === 'ok') resolve(observation.value);
  else if (observation.kind === 'err') reject(textToError(observation.error));
  else reject(textToError({ name: 'Cancelled', message: 'the command was cancelled' }));
}

/** A turn of the event loop: every promise job that can run has run. */
function allJobs(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
