/**
 * One pass: re-runs control code from the start against a journal, one delivery at a time.
 *
 * Owns delivery order (D1 to D7), virtual time, branch positions and what each command receives; matching is `matching.ts`,
 * the fixpoint over passes is `replay.ts`. Invariant: deterministic in its request, whatever the host; no value that is not
 * recorded, supplied, edited or derived by a numbered rule reaches control code.
 */
import { assert, ensureExists } from '../base/assert.ts';
import { type JsonValue, isJsonObject, plainToRecorded, recordedToPlain } from '../base/json.ts';
import { computeInhabitedScopes, ranElsewhere } from './child-runs.ts';
import { segmentToRoot } from './command-path.ts';
import type { Contents } from './contents.ts';
import { createHaltingHost } from './halting-host.ts';
import { createHeap } from './heap.ts';
import { outcomeDigest } from './journal.ts';
import type { JournalEntry } from './journal-types.ts';
import { limitToWords } from './limit-words.ts';
import { type Matcher, createMatcher } from './matching.ts';
import {
  type Observations,
  createObservations,
  isDeliverable,
  toPlainOutcome,
  toRecordedOutcome,
} from './observations.ts';
import type {
  Asked,
  DeliverySource,
  NotedAt,
  PassObservation,
  PassRequest,
  PassResult,
  PendingReason,
  PositionMismatch,
  ReplayCommand,
  ResolvedReplacement,
  StateStep,
  SyncAsked,
} from './pass-types.ts';
import { createReplayCommand } from './pass-command.ts';
import { generatorToFault, programFaultToWords } from './program-words.ts';
import { type Position, comparePositions, laterPosition } from './position.ts';
import { computePrediction } from './prediction.ts';
import type {
  BatchResult,
  DecisionAsked,
  Delivered,
  DrawAsked,
  IssuedCommand,
  Note,
  Sandbox,
  SandboxDelivery,
  SandboxHost,
  SandboxOptions,
  SandboxSession,
  Settled,
  TransitionAsked,
} from './sandbox-port.ts';
import { type StateVersions, computeStateVersions } from './state-versions.ts';
import { createWaiting } from './waiting.ts';

/**
 * Runs the program once. The caller decides about suspects and runs again. What the record lets foresee is handed over together; a run that
 * goes another way, or comes near a limit, is run again, with less foreseen.
 */
export async function runPass(sandbox: Sandbox, request: PassRequest, contents: Contents): Promise<PassResult> {
  const observations = createObservations(contents);
  let foreseen = computePrediction(request, observations);
  for (;;) {
    const pass = new Pass(request, observations);
    const session = await sandbox.createSession(toOptions(request, pass));
    try {
      const result = pass.run(session, foreseen);
      if (result !== undefined) return result;
    } finally {
      session.dispose();
    }
    assert(foreseen.length > 0, 'a run of which nothing was foreseen goes as it goes');
    const isShorter = pass.wentAnotherWay && pass.confirmed < foreseen.length;
    foreseen = isShorter ? foreseen.slice(0, pass.confirmed) : [];
  }
}

function toOptions(request: PassRequest, pass: Pass): SandboxOptions {
  return {
    program: request.program,
    seed: request.info.seed ?? '0'.repeat(32),
    startVt: request.info.start,
    draws: pass.asksDraws ? 'ask' : 'derived',
    rootPath: segmentToRoot(request.info.segment),
    limits: request.limits,
    host: createHaltingHost(pass),
    ...(request.conditions === undefined ? {} : { conditions: request.conditions }),
    ...(request.shouldStop === undefined ? {} : { shouldStop: request.shouldStop }),
  };
}

interface ReadyRecorded {
  readonly command: ReplayCommand;
  readonly position: Position;
}

interface ReadyDerived {
  readonly command: ReplayCommand;
  readonly vt: number;
}

class Pass implements SandboxHost {
  readonly asksDraws: boolean;
  /** How many foreseen deliveries were the ones that were due. */
  confirmed = 0;
  /** The first that was not due ended the run, not a limit. */
  wentAnotherWay = false;
  /** A draw, or what a person gave in place of what is computed, has no value: nothing that follows it counts. */
  isHalted = false;
  private readonly request: PassRequest;
  private readonly observations: Observations;
  private readonly matcher: Matcher;
  private readonly inhabited: ReadonlySet<string>;
  private readonly commands: ReplayCommand[] = [];
  private readonly byId = new Map<number, ReplayCommand>();
  private readonly waiting = createWaiting();
  private readonly recorded = createHeap<ReadyRecorded>(
    (a, b) => comparePositions(a.position, b.position) || a.command.order - b.command.order,
  );
  private readonly derived = createHeap<ReadyDerived>(
    (a, b) => a.vt - b.vt || (a.command.path < b.command.path ? -1 : 1),
  );
  private readonly states: StateStep[] = [];
  private readonly versions: Map<string, number>;
  private readonly stateVersions: StateVersions;
  private readonly notes: NotedAt[] = [];
  private readonly derivedDraws: string[] = [];
  /** Latest kept base position, and how many positions were made behind it. */
  private last: Position = '0';
  private behind = 0;
  private counter = 0;
  private acts = 0;
  private vt: number;
  private mismatch: PositionMismatch | undefined;

  constructor(request: PassRequest, observations: Observations) {
    this.request = request;
    this.observations = observations;
    this.matcher = createMatcher(request.journal, request.edits);
    this.inhabited = computeInhabitedScopes(request.journal.entries);
    this.versions = new Map(request.versions);
    this.stateVersions = computeStateVersions(request.journal, request.versions);
    this.vt = request.info.start;
    const hasDraws = request.journal.entries.some((entry) => entry.kind === 'draw');
    this.asksDraws = hasDraws || request.info.draws !== 'derived' || request.info.seed === undefined;
  }

  /** Undefined: the run did not go as foreseen. */
  run(session: SandboxSession, foreseen: readonly SandboxDelivery[]): PassResult | undefined {
    let step: BatchResult = session.start(recordedToPlain(this.request.input));
    if (foreseen.length > 0 && this.goesOn(step))
      step = session.deliverAll?.(foreseen, (delivery) => this.confirm(delivery)) ?? step;
    while (this.goesOn(step)) {
      const due = this.takeNext();
      if (due !== undefined) step = session.deliver(due.id, due.observation, due.vt);
      else if (!this.claimMoved()) break;
    }
    this.wentAnotherWay = step.mispredicted === 'order';
    if (step.mispredicted !== undefined) return undefined;
    for (const command of this.commands) {
      if (command.delivery === undefined && command.pending === undefined && command.kind === 'child')
        command.pending = 'waits-inside';
    }
    const { settled, limit } = this.isHalted ? { settled: undefined, limit: undefined } : step;
    const usage = session.usage();
    const told = { commands: this.commands, limits: this.request.limits, usage };
    return {
      commands: this.commands,
      claimed: this.matcher.claimed,
      settled: this.explain(settled),
      limit: limit === undefined ? undefined : limitToWords(limit, told),
      states: this.states,
      notes: this.notes,
      derivedDraws: this.derivedDraws,
      positionMismatch: this.mismatch,
      vt: this.vt,
      usage,
    };
  }

  private goesOn({ settled, limit, mispredicted }: BatchResult): boolean {
    return !this.isHalted && settled === undefined && limit === undefined && mispredicted === undefined;
  }

  private explain(settled: Settled | undefined): Settled | undefined {
    if (settled === undefined) return undefined;
    if (settled.kind === 'ok' && this.acts + this.notes.length === 0)
      return generatorToFault(settled, this.request.program);
    if (settled.kind !== 'not-a-program') return settled;
    return { ...settled, message: programFaultToWords(settled.message, this.request.program) };
  }

  // ---- Delivery ---------------------------------------------------------------------------------

  /** D1, D2, D4: the earliest recorded observation, unless virtual time puts a derived one first. */
  private takeNext(): SandboxDelivery | undefined {
    this.dropStale();
    const record = this.recorded.peek();
    const derived = this.derived.peek();
    if (record === undefined && derived === undefined) return undefined;
    const takesRecord = record !== undefined && (derived === undefined || this.isFirst(record, derived));
    const command = ensureExists(
      (takesRecord ? this.recorded.pop() : this.derived.pop())?.command,
      'the item just seen',
    );
    const contested =
      derived !== undefined &&
      (record !== undefined || this.derived.size > (takesRecord ? 1 : 0) || this.hasPending(command));
    const vt = takesRecord ? (command.record?.vt ?? this.vt) : ensureExists(derived, 'the derived item').vt;
    return this.deliver(command, vt, contested);
  }

  /** Whether a delivery that was foreseen is the one that is due; if so it counts as made. */
  private confirm({ id, observation, vt }: SandboxDelivery): boolean {
    const due = this.isHalted ? undefined : this.takeNext();
    if (due === undefined || due.id !== id || due.observation !== observation || due.vt !== vt) return false;
    this.confirmed++;
    return true;
  }

  private isFirst(record: ReadyRecorded, derived: ReadyDerived): boolean {
    const { record: entry } = record.command;
    return comparePositions(record.position, this.last) < 0 || (entry?.vt ?? this.vt) <= derived.vt;
  }

  private dropStale(): void {
    while (this.recorded.peek()?.command.delivery !== undefined) this.recorded.pop();
    while (this.derived.peek()?.command.delivery !== undefined) this.derived.pop();
  }

  /** A derived time that passes while something waits for a value may decide a race nobody recorded. */
  private hasPending(besides: ReplayCommand): boolean {
    return besides.kind === 'timer' && this.waiting.hasOtherThan(besides);
  }

  private deliver(command: ReplayCommand, vt: number, contested: boolean): SandboxDelivery {
    const { observation, source, keeps } = this.observationFor(command);
    const clamped = keeps !== undefined && comparePositions(keeps, this.last) < 0;
    this.vt = Math.max(this.vt, vt);
    const position = this.take(clamped ? undefined : keeps);
    this.count('delivered', command, source === 'record' ? keeps : undefined);
    command.pending = undefined;
    command.delivery = {
      position,
      vt: this.vt,
      source,
      observation,
      clamped,
      derivedOrder: contested,
      act: this.acts++,
    };
    const id = ensureExists(command.id, 'the session number of an awaited command');
    return { id, observation: this.observations.toDelivered(observation), vt: this.vt };
  }

  private observationFor(command: ReplayCommand): {
    observation: PassObservation;
    source: DeliverySource;
    keeps: Position | undefined;
  } {
    const { record } = command;
    const keeps = record?.delivered;
    const edit = command.match === 'claimed' && record !== undefined ? this.request.edits.get(record.path) : undefined;
    if (edit !== undefined) return { observation: edit.observation, source: 'edit', keeps };
    const recorded = command.match === 'claimed' ? record?.observation : undefined;
    const isSuspect = record !== undefined && this.isSuspect(record);
    if (recorded !== undefined && !isSuspect && isDeliverable(recorded) && !this.observations.isWithheld(recorded)) {
      const observation = ensureExists(this.observations.resolve(recorded), 'a value checked when it was scheduled');
      return { observation, source: 'record', keeps };
    }
    if (command.cancelRequested) return { observation: { kind: 'cancelled' }, source: 'derived', keeps: undefined };
    const supply = this.supplyFor(command);
    if (supply !== undefined) {
      command.evidence = supply.evidence;
      command.from = supply.from;
      return { observation: supply.observation, source: 'supply', keeps };
    }
    assert(command.kind === 'timer', 'only timers are derived');
    return { observation: { kind: 'ok', value: null }, source: 'derived', keeps: undefined };
  }

  /** A supplied value, or the value of an edit by path that the changed command at this path can use. */
  private supplyFor(command: ReplayCommand): ResolvedReplacement | undefined {
    const supply = this.request.supplies.get(command.path);
    if (supply !== undefined) return supply;
    return command.match === 'changed' ? this.request.edits.get(command.path) : undefined;
  }

  private isSuspect(record: JournalEntry): boolean {
    return !this.request.lenient && this.request.suspects.has(record.path);
  }

  /** Puts a command where its observation will come from, or says what it waits for. */
  private schedule(command: ReplayCommand): void {
    this.findObservation(command);
    this.waiting.add(command);
  }

  private findObservation(command: ReplayCommand): void {
    const { record } = command;
    if (command.pending === 'double-claim' && this.supplyFor(command) === undefined) return;
    if (command.match === 'claimed' && record !== undefined) this.scheduleClaimed(command, record);
    else if (this.supplyFor(command) !== undefined) this.scheduleSupplied(command);
    else if (command.kind === 'timer') this.derived.push({ command, vt: this.dueOf(command) });
    else command.pending = command.match === 'changed' ? 'changed' : 'inserted';
  }

  private scheduleClaimed(command: ReplayCommand, record: JournalEntry): void {
    if (this.request.edits.has(record.path)) this.scheduleSupplied(command);
    else if (this.isSuspect(record)) this.supplyOr(command, 'suspect');
    else if (isDeliverable(record.observation)) this.scheduleRecorded(command, record);
    else if (record.observation.kind === 'value-not-recorded') this.supplyOr(command, 'value-not-recorded');
    else if (record.observation.kind === 'uncertain') this.supplyOr(command, 'uncertain');
    else if (command.kind === 'timer' && !this.request.verify)
      this.derived.push({ command, vt: record.due ?? this.dueOf(command) });
    else this.supplyOr(command, 'open-in-record');
  }

  private scheduleRecorded(command: ReplayCommand, record: JournalEntry): void {
    if (this.observations.isWithheld(record.observation)) this.supplyOr(command, 'withheld');
    else if (isDeliverable(record.observation) && this.observations.resolve(record.observation) === undefined)
      this.supplyOr(command, 'value-absent');
    else
      this.recorded.push({ command, position: ensureExists(record.delivered, 'the position of a final observation') });
  }

  private supplyOr(command: ReplayCommand, reason: PendingReason): void {
    if (this.supplyFor(command) === undefined) command.pending = reason;
    else this.scheduleSupplied(command);
  }

  /** D3: at the position of what it replaces; D4: where nothing was recorded, by virtual time. */
  private scheduleSupplied(command: ReplayCommand): void {
    const position = command.record?.delivered;
    if (position === undefined) this.derived.push({ command, vt: command.vtAtIssue });
    else this.recorded.push({ command, position });
  }

  private dueOf(command: ReplayCommand): number {
    const ms = isJsonObject(command.args) ? command.args['ms'] : 0;
    // Time ends at the largest number: what is written of it must be one.
    return Math.min(command.vtAtIssue + (typeof ms === 'number' ? ms : 0), Number.MAX_VALUE);
  }

  /** M5, once for the first command in order of issue that finds a moved record. */
  private claimMoved(): boolean {
    for (const command of this.commands) {
      if (command.delivery !== undefined || (command.match !== 'inserted' && command.match !== 'changed')) continue;
      if (command.pending !== 'inserted' && command.pending !== 'changed') continue;
      if (command.kind !== 'model' && command.kind !== 'read' && command.kind !== 'write') continue;
      if (!this.matcher.claimMoved(command)) continue;
      this.schedule(command);
      return true;
    }
    return false;
  }

  // ---- Positions --------------------------------------------------------------------------------

  /**
   * A reused or superseding act keeps its number; any other, and one whose number has passed, gets a number behind the last kept one. The
   * first number of all has passed once something else was made before it.
   */
  private take(keeps: Position | undefined): Position {
    if (keeps === undefined || (keeps === this.last && this.behind > 0)) return `${this.last}.${String(++this.behind)}`;
    const next = laterPosition(this.last, keeps);
    if (next !== this.last) this.behind = 0;
    this.last = next;
    return keeps;
  }

  /** The counter a recorder would have kept; the first difference on an unedited run is a divergence of order. */
  private count(act: 'issued' | 'delivered', command: ReplayCommand, recorded: Position | undefined): void {
    const actual = String(this.counter++);
    if (recorded === undefined || recorded === actual || this.mismatch !== undefined) return;
    this.mismatch = { path: command.path, act, recorded, actual };
  }

  // ---- What control code asks --------------------------------------------------------------------

  issued(issued: IssuedCommand): void {
    const command = this.register(issued);
    if (command.match !== 'ambiguous') this.schedule(command);
  }

  spawned(issued: IssuedCommand): 'run' | 'wait' {
    const command = this.register(issued);
    if (command.match === 'ambiguous') return 'wait';
    if (command.record === undefined || !ranElsewhere(command.record, this.inhabited)) return 'run';
    this.schedule(command);
    return 'wait';
  }

  joined(id: number, outcome: Exclude<Delivered, { kind: 'cancelled' }>): Exclude<Delivered, { kind: 'cancelled' }> {
    const command = ensureExists(this.byId.get(id), 'the child that joins');
    const computed = toRecordedOutcome(outcome);
    const { record } = command;
    const claimed = command.match === 'claimed' ? record : undefined;
    const given = claimed === undefined ? undefined : this.givenFor(command, claimed);
    if (this.isHalted) return outcome;
    if (given === undefined && claimed !== undefined && !this.observations.isWithheld(claimed.observation)) {
      command.differs = outcomeDigest(claimed.observation) !== outcomeDigest(computed);
    }
    const { observation, source } = given ?? { observation: computed, source: 'computed' };
    this.deliverNow(command, observation, source);
    return observation.kind === 'cancelled' ? outcome : toPlainOutcome(observation);
  }

  cancelRequested(id: number): void {
    const command = ensureExists(this.byId.get(id), 'the command to cancel');
    if (command.delivery !== undefined || command.match === 'ambiguous') return;
    const { record } = command;
    // The record decides: what was delivered then is delivered now, at its own position.
    if (
      command.match === 'claimed' &&
      record !== undefined &&
      (isDeliverable(record.observation) || this.request.verify)
    )
      return;
    command.cancelRequested = true;
    this.derived.push({ command, vt: this.vt });
  }

  decided(asked: DecisionAsked): JsonValue | undefined {
    const chosen = plainToRecorded(asked.chosen);
    const args = {
      chosen,
      ...(asked.alternatives === undefined ? {} : { alternatives: asked.alternatives.map(plainToRecorded) }),
    };
    const command = this.registerSync({ ...asked, kind: 'decide', args });
    const { record } = command;
    const given = command.match === 'claimed' && record !== undefined ? this.givenFor(command, record) : undefined;
    if (this.isHalted) return undefined;
    if (given?.observation.kind === 'ok') {
      this.deliverNow(command, given.observation, given.source);
      return recordedToPlain(given.observation.value);
    }
    this.deliverNow(command, { kind: 'ok', value: chosen }, 'computed');
    return undefined;
  }

  /**
   * What a person gave in place of what is computed, now or on the branch that is replayed (M6, M7). Where the branch's value cannot be
   * delivered and none is supplied, the run stops: what is computed is not what was given.
   */
  private givenFor(
    command: ReplayCommand,
    { path, given, observation: recorded }: JournalEntry,
  ): { readonly observation: PassObservation; readonly source: DeliverySource } | undefined {
    const edit = this.request.edits.get(path);
    if (edit !== undefined) return { observation: edit.observation, source: 'edit' };
    if (given !== true) return undefined;
    const isWithheld = this.observations.isWithheld(recorded);
    const kept = isDeliverable(recorded) && !isWithheld ? this.observations.resolve(recorded) : undefined;
    if (kept !== undefined) return { observation: kept, source: 'record' };
    const supply = this.request.supplies.get(path);
    if (supply !== undefined) return { observation: supply.observation, source: 'supply' };
    command.pending = isWithheld ? 'withheld' : isDeliverable(recorded) ? 'value-absent' : 'value-not-recorded';
    this.isHalted = true;
    return undefined;
  }

  transitioned(asked: TransitionAsked): number {
    const value = plainToRecorded(asked.value);
    const from = this.versions.get(asked.name) ?? 0;
    const to = from + 1;
    this.versions.set(asked.name, to);
    const command = this.registerSync({ ...asked, kind: 'state', args: value });
    const recorded = command.record?.transition;
    // I5: same version consumed and same digest made.
    if (command.match === 'claimed' && recorded !== undefined) {
      const isOther = this.stateVersions.countOf(recorded.name, recorded.from) !== from;
      const made = command.rule === 'unchecked' ? undefined : (recorded.digest ?? command.record?.argsDigest);
      command.differs = isOther || (made !== undefined && made !== command.argsDigest);
    }
    this.states.push({
      path: asked.path,
      name: asked.name,
      from: this.stateVersions.nameOf(asked.name, from),
      to: this.stateVersions.nameOf(asked.name, to),
      count: to,
      value,
      digest: command.argsDigest,
    });
    this.deliverNow(command, { kind: 'ok', value: { name: asked.name, n: to } }, 'computed');
    return to;
  }

  patchAsked(id: string): boolean {
    const { entriesByPath } = this.request.journal;
    const record = entriesByPath.get(`marker:${id}`) ?? entriesByPath.get(`/marker:${id}`);
    if (record === undefined) return false;
    const command = this.registerSync({
      path: record.path,
      scope: record.scope,
      kind: 'marker',
      name: record.name,
      args: { id },
      uses: [],
    });
    this.deliverNow(command, { kind: 'ok', value: true }, 'computed');
    return true;
  }

  drawn(draw: DrawAsked): number | undefined {
    const record = this.request.journal.entriesByPath.get(draw.path);
    if (record === undefined) {
      if (this.request.info.draws !== 'derived' || this.request.info.seed === undefined)
        this.derivedDraws.push(draw.path);
      return undefined;
    }
    const command = this.registerSync({
      path: record.path,
      scope: draw.scope,
      kind: record.kind,
      name: record.name,
      args: {},
      uses: [],
    });
    const edit = this.request.edits.get(record.path)?.observation;
    const given = [edit, record.observation, this.request.supplies.get(record.path)?.observation];
    const at = given.findIndex((item) => item?.kind === 'ok' && typeof item.value === 'number');
    const observation = given[at];
    if (observation?.kind !== 'ok' || typeof observation.value !== 'number') {
      command.pending = this.observations.isWithheld(record.observation) ? 'withheld' : 'value-not-recorded';
      this.isHalted = true;
      return undefined;
    }
    this.deliverNow(command, observation, (['edit', 'record', 'supply'] as const)[at] ?? 'record');
    return observation.value;
  }

  noted(note: Note): void {
    this.notes.push({ note, act: this.acts });
  }

  pureComputed(): void {
    // Recomputed by definition; nothing to compare.
  }

  /** Delivery inside the issuing call: one number for both, kept when there is a record. */
  private deliverNow(command: ReplayCommand, observation: PassObservation, source: DeliverySource): void {
    const keeps = command.match === 'inserted' ? undefined : command.record?.delivered;
    const clamped = keeps !== undefined && comparePositions(keeps, this.last) < 0;
    const position = this.take(clamped ? undefined : keeps);
    if (command.kind === 'child') this.count('delivered', command, command.match === 'claimed' ? keeps : undefined);
    const act = command.kind === 'child' ? this.acts++ : command.issuedAct;
    command.pending = undefined;
    command.delivery = { position, vt: this.vt, source, observation, clamped, derivedOrder: false, act };
  }

  private register(issued: IssuedCommand): ReplayCommand {
    const args = plainToRecorded(issued.args);
    const command = this.createCommand({ ...issued, args }, issued.id);
    this.byId.set(issued.id, command);
    if (issued.ambiguous === true) {
      command.match = 'ambiguous';
      return command;
    }
    const hasSupply = this.request.supplies.has(command.path);
    this.matcher.match(command, hasSupply);
    // One event for both: its only number is taken at delivery.
    if (command.match === 'claimed' && command.record?.oneEvent === true) return command;
    command.issuedPosition = this.take(command.match === 'claimed' ? command.record?.issued : undefined);
    this.count(
      'issued',
      command,
      command.rule === 'M1' || command.rule === 'unchecked' ? command.record?.issued : undefined,
    );
    return command;
  }

  private registerSync(asked: SyncAsked): ReplayCommand {
    const command = this.createCommand(asked, undefined);
    if (asked.kind === 'marker' || asked.kind === 'draw') {
      const record = this.request.journal.entriesByPath.get(asked.path);
      if (record !== undefined) this.matcher.claimExactly(command, record);
    } else this.matcher.match(command, false);
    this.count('issued', command, command.rule === 'M1' ? command.record?.issued : undefined);
    return command;
  }

  private createCommand(asked: Asked, id: number | undefined): ReplayCommand {
    const { commands, last, vt } = this;
    const command = createReplayCommand(asked, { order: commands.length, id, moment: last, vt, act: this.acts++ });
    commands.push(command);
    return command;
  }
}
