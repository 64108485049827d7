/**
 * Writes one operation as the events of its branch (mapping I): the same operation gives the same lines, byte for byte.
 *
 * Reused observations are pointed at, never copied. Only `replay.started` has a time. What a person put in carries the
 * person as principal and no agent (R59).
 */
import { type JsonObject, type JsonValue, isJsonObject, plainToRecorded } from '../base/json.ts';
import {
  type BranchId,
  type Digest,
  type EventId,
  type HindcastEvent,
  digest,
  eventId,
  parseEvent,
} from '../model/index.ts';
import { assert } from '../base/assert.ts';
import { type Result, err, ok } from '../base/result.ts';
import type { SupplyOrigin } from './edit-file.ts';
import { endingType, issueType } from './event-roles.ts';
import { type ReplayOperation, operationToJson } from './operation.ts';
import type { NotedAt, PassObservation, ReplayCommand, StateStep } from './pass-types.ts';
import { commandToProtection } from './protection.ts';
import type { CommandStatus, Divergence, ReplayOutcome } from './report-types.ts';

export interface BranchLinesInput {
  readonly run: string;
  readonly branch: BranchId;
  readonly parent: string;
  readonly operation: ReplayOperation;
  /** Event the branch forks at. */
  readonly fork: EventId | undefined;
  /** Events of the base that the branch does not inherit. */
  readonly minus: readonly EventId[];
  /** Those that were run again, in order. */
  readonly segments: readonly LineSegment[];
  readonly status: 'complete' | 'blocked' | 'diverged' | 'limit' | 'aborted-by-host';
  readonly counts: JsonObject;
  readonly digests: JsonObject;
  readonly blocked: readonly JsonValue[];
  readonly divergences: readonly Divergence[];
  /** Events by path of what a command may name as consumed. */
  readonly eventByPath: ReadonlyMap<string, EventId>;
}

export interface LineSegment {
  readonly segment: number;
  readonly commands: readonly LineCommand[];
  readonly states: readonly StateStep[];
  readonly outcome: ReplayOutcome;
  readonly notes: readonly LineNote[];
}

/** What the program noted. An inherited one is written by nobody: the record says it. */
export interface LineNote extends NotedAt {
  readonly record: HindcastEvent | undefined;
  readonly isInherited: boolean;
}

interface LineCommand {
  readonly command: ReplayCommand;
  readonly status: CommandStatus;
}

type Fields = Record<string, JsonValue>;

/** An error says what of the branch is no event, so that it cannot be written. */
export function computeBranchLines(input: BranchLinesInput): Result<readonly HindcastEvent[], string> {
  return new LineWriter(input).write();
}

class LineWriter {
  private readonly input: BranchLinesInput;
  private readonly lines: HindcastEvent[] = [];
  private readonly eventByPath: Map<string, EventId>;
  private readonly stateByPath: ReadonlyMap<string, StateStep>;
  private readonly stepStarts = new Map<string, EventId>();
  private fault: string | undefined;

  constructor(input: BranchLinesInput) {
    this.input = input;
    this.eventByPath = new Map(input.eventByPath);
    this.stateByPath = new Map(input.segments.flatMap(({ states }) => states.map((step) => [step.path, step])));
  }

  write(): Result<readonly HindcastEvent[], string> {
    const { operation, parent, fork, minus } = this.input;
    this.add('branch.created', { data: { parent, fork: fork ?? null, frontier: { base: parent, minus: [...minus] } } });
    this.add('replay.started', {
      time: operation.at,
      principal: operation.actor,
      data: { operation: operationToJson(operation) },
    });
    for (const segment of this.input.segments) {
      for (const act of this.actsOf(segment)) act.write();
      this.addOutcome(segment);
    }
    this.addEnd();
    return this.fault === undefined ? ok(this.lines) : err(this.fault);
  }

  /** Issues and deliveries in the order control code made them. */
  private actsOf({ commands, notes }: LineSegment): readonly { readonly at: number; readonly write: () => void }[] {
    const acts: { at: number; write: () => void }[] = [];
    for (const item of commands) {
      const { command, status } = item;
      if (status === 'ambiguous') continue;
      if (isNew(command)) acts.push({ at: command.issuedAct, write: () => this.addIssue(command) });
      const { delivery } = command;
      if (delivery !== undefined) acts.push({ at: delivery.act, write: () => this.addDelivery(item) });
      // Claimed and withheld: the command is open on the branch. Claimed and open in the record: the dispatch is inherited.
      else if (isWithheld(command)) acts.push({ at: command.issuedAct, write: () => this.addIssue(command) });
      else if (!isNew(command))
        acts.push({ at: Number.MAX_SAFE_INTEGER, write: () => this.addReused(command, undefined) });
    }
    // Before the act that came next.
    for (const note of notes) acts.push({ at: note.act - 0.5, write: () => this.addNote(note) });
    return acts.sort((a, b) => a.at - b.at);
  }

  /** A note that is no event of the model is kept from the branch, as a recording runtime would have refused it. */
  private addNote({ note, record, isInherited }: LineNote): void {
    const { type, step, uses } = note;
    const begun = step === undefined ? undefined : this.stepStarts.get(step);
    const remember = (id: EventId): void => {
      if (type === 'step.started' && step !== undefined) this.stepStarts.set(step, id);
    };
    if (isInherited && record !== undefined) {
      remember(record.id);
      return;
    }
    const data = plainToRecorded(note.data);
    const causes: JsonValue[] =
      begun === undefined || type === 'step.started' ? [] : [{ event: begun, as: 'caused_by' }];
    for (const path of uses) {
      const event = this.eventByPath.get(path);
      if (event !== undefined) causes.push({ event, as: 'consumed' });
    }
    const fields: Fields = {
      origin: 'replayed',
      ...(record?.agent === undefined ? {} : { agent: record.agent }),
      ...(step === undefined ? {} : { step }),
      ...(causes.length === 0 ? {} : { causes }),
      ...(record === undefined ? {} : { supersedes: record.id }),
      data: isJsonObject(data) ? data : { value: data },
    };
    const parsed = this.parse(type, fields);
    if (!parsed.ok) return;
    this.lines.push(parsed.value);
    remember(parsed.value.id);
  }

  private addIssue(command: ReplayCommand): void {
    const recorded = command.match === 'inserted' ? undefined : command.record;
    // A command recorded in one event is written as what it would be with two.
    const type = recorded === undefined || recorded.oneEvent ? issueType(command.kind) : recorded.issueType;
    const data: Fields = { args: command.args };
    if (command.kind === 'write') data['effect'] = 'external';
    if (command.kind === 'read') data['effect'] = 'none';
    if (command.kind === 'write' || command.kind === 'read') data['tool'] = command.name;
    if (command.idempotencyKey !== undefined) data['idempotency_key'] = command.idempotencyKey;
    const id = this.add(type, {
      origin: 'replayed',
      command: { ...this.commandFields(command), args: command.argsDigest, issued: command.issuedPosition },
      ...this.causesOf(command),
      ...(command.record !== undefined && command.match !== 'inserted'
        ? { supersedes: command.record.issueEvent }
        : {}),
      data,
    });
    this.eventByPath.set(command.path, id);
  }

  private addDelivery({ command, status }: LineCommand): void {
    const { delivery, record } = command;
    if (delivery === undefined) return;
    if (status === 'reused' || (status === 'cancelled' && delivery.source === 'record')) {
      this.addReused(command, delivery.position);
      return;
    }
    if (command.kind === 'state') {
      this.addState(command);
      return;
    }
    if (command.kind === 'decide') {
      this.addDecision(command);
      return;
    }
    const { observation, source } = delivery;
    // One event for both, unless the branch has an issue of its own.
    const isOne = record?.oneEvent === true && !isNew(command);
    const type =
      command.kind === 'draw'
        ? (record?.issueType ?? 'random.drawn')
        : record?.oneEvent === true && !isOne
          ? endingType(command.kind, undefined, undefined, observation)
          : endingType(command.kind, record?.issueType, record?.finalType, observation);
    const id = this.add(type, {
      ...this.authorship(command),
      command: {
        ...this.commandFields(command),
        ...(isOne ? { args: command.argsDigest, issued: delivery.position } : {}),
        delivered: delivery.position,
        vt: delivery.vt,
      },
      ...this.endingCauses(command),
      ...(record?.finalEvent !== undefined && command.match !== 'inserted' ? { supersedes: record.finalEvent } : {}),
      data: {
        ...originToData(command.from),
        ...observationToData(type, observation, source === 'supply' || source === 'edit'),
        // Where the branch has no issue of its own that says it.
        ...(command.match === 'claimed' ? keyToData(command, 'program_key') : {}),
      },
    });
    this.eventByPath.set(command.path, id);
  }

  private addReused(command: ReplayCommand, delivered: string | undefined): void {
    const { record } = command;
    if (record === undefined) return;
    const event = record.finalEvent ?? record.issueEvent;
    this.add('observation.reused', {
      data: {
        path: command.path,
        event,
        rule: command.rule ?? 'M1',
        ...keyToData(command, 'idempotency_key'),
        ...(delivered === undefined ? {} : { delivered }),
      },
    });
    this.eventByPath.set(command.path, event);
  }

  private addState(command: ReplayCommand): void {
    const step = this.stateByPath.get(command.path);
    if (step === undefined || command.delivery === undefined) return;
    const { position, vt } = command.delivery;
    const id = this.add('state.transitioned', {
      origin: 'replayed',
      command: { ...this.commandFields(command), args: command.argsDigest, issued: position, delivered: position, vt },
      ...this.causesOf(command),
      ...this.supersedesOf(command),
      data: { name: step.name, from: step.from, to: step.to, digest: step.digest, value: step.value },
    });
    this.eventByPath.set(command.path, id);
  }

  private addDecision(command: ReplayCommand): void {
    if (command.delivery === undefined) return;
    const { position, vt, observation, source } = command.delivery;
    const isGiven = source === 'edit' || source === 'supply';
    const id = this.add('decision.made', {
      ...this.authorship(command),
      command: { ...this.commandFields(command), args: command.argsDigest, issued: position, delivered: position, vt },
      ...(isGiven ? {} : this.causesOf(command)),
      ...this.supersedesOf(command),
      data: { args: command.args, result: observation.kind === 'ok' ? observation.value : null },
    });
    this.eventByPath.set(command.path, id);
  }

  private supersedesOf(command: ReplayCommand): Fields {
    return command.record !== undefined && command.match !== 'inserted'
      ? { supersedes: command.record.finalEvent ?? command.record.issueEvent }
      : {};
  }

  private authorship(command: ReplayCommand): Fields {
    switch (command.delivery?.source) {
      case 'edit':
        return { origin: 'supplied', principal: this.input.operation.actor };
      case 'supply':
        return {
          origin: command.from?.origin ?? (command.evidence === undefined ? 'supplied' : 'reconciled'),
          principal: this.input.operation.actor,
        };
      case 'computed':
        return { origin: 'replayed' };
      default:
        return { origin: 'derived' };
    }
  }

  private commandFields(command: ReplayCommand): Fields {
    return {
      path: command.path,
      kind: command.kind,
      name: command.name,
      ...(command.reads === undefined ? {} : { reads: [...command.reads] }),
      ...(command.writes === undefined ? {} : { writes: [...command.writes] }),
      ...(command.site === undefined ? {} : { site: { ...command.site } }),
    };
  }

  private causesOf(command: ReplayCommand): Fields {
    const causes: JsonValue[] = [];
    const add = (path: string, as: string): void => {
      const event = this.eventByPath.get(path);
      if (event !== undefined) causes.push({ event, as });
    };
    if (command.selectedBy !== undefined) add(command.selectedBy, 'selected_by');
    for (const path of command.uses) add(path, 'consumed');
    return causes.length === 0 ? {} : { causes };
  }

  private endingCauses(command: ReplayCommand): Fields {
    const causes: JsonValue[] = [];
    const issued = command.match === 'claimed' ? command.record?.issueEvent : this.eventByPath.get(command.path);
    if (issued !== undefined && (command.record?.oneEvent !== true || isNew(command)))
      causes.push({ event: issued, as: 'result_of' });
    if (command.evidence !== undefined) causes.push({ event: command.evidence, as: 'informed_by' });
    return causes.length === 0 ? {} : { causes };
  }

  /** How the segment ends on this branch, where the inherited end is not it. */
  private addOutcome({ segment, outcome }: LineSegment): void {
    if (outcome.equalsRecorded) return;
    const recorded = outcome.digest === undefined ? {} : { digest: outcome.digest };
    if (outcome.status === 'completed')
      this.add('run.completed', { origin: 'replayed', data: { result: outcome.value ?? null, ...recorded } });
    if (outcome.status === 'failed' && outcome.error !== undefined)
      this.add('run.failed', { origin: 'replayed', data: { error: { ...outcome.error }, ...recorded } });
    if (outcome.status === 'rolled-over')
      this.add('run.rolled_over', {
        origin: 'replayed',
        data: { carried: outcome.value ?? null, ...recorded, next: { segment: segment + 1 } },
      });
  }

  private addEnd(): void {
    const { status, counts, digests, blocked, divergences } = this.input;
    if (status === 'diverged') {
      const list = divergences.map((d): JsonValue => ({
        kind: d.kind,
        path: d.path,
        message: d.message,
        ...(d.position === undefined ? {} : { position: d.position }),
      }));
      this.add('replay.diverged', { data: { divergences: list } });
    } else this.add('replay.completed', { data: { status, counts, digests, blocked: [...blocked] } });
  }

  private add(type: string, fields: Fields): EventId {
    const id = this.nextId();
    const parsed = this.parse(type, fields);
    if (parsed.ok) this.lines.push(parsed.value);
    else this.fault ??= faultToSentence(fields, parsed.error.message);
    return eventId(id);
  }

  private parse(type: string, fields: Fields): ReturnType<typeof parseEvent> {
    return parseEvent({
      v: 1,
      id: this.nextId(),
      type,
      run: this.input.run,
      branch: this.input.branch,
      source: { component: 'hindcast' },
      replay: this.input.operation.op_id,
      ...fields,
    });
  }

  private nextId(): string {
    return `${this.input.branch}:${String(this.lines.length)}`;
  }
}

/** Everything in a line is recorded, supplied or computed, and a stream may hold what this version cannot compute with. */
function faultToSentence({ command }: Fields, message: string): string {
  const path = isJsonObject(command) ? command['path'] : undefined;
  const where = typeof path === 'string' ? ` at ${path}` : '';
  return `The branch cannot be written, because what this replay makes${where} is no event of a Hindcast stream. ${message}`;
}

/** The record may say otherwise: what the branch's program asked for is what a later replay is compared with. */
function keyToData(command: ReplayCommand, member: 'idempotency_key' | 'program_key'): JsonObject {
  return commandToProtection(command) === undefined ? {} : { [member]: command.idempotencyKey ?? null };
}

/** The branch writes its issue. */
function isNew(command: ReplayCommand): boolean {
  return command.match !== 'claimed' && command.id !== undefined;
}

/** Its observation was recorded and is not delivered on this branch. */
export function isWithheld(command: ReplayCommand): boolean {
  return (
    command.match === 'claimed' &&
    command.delivery === undefined &&
    command.pending !== undefined &&
    command.record?.delivered !== undefined &&
    (command.pending === 'suspect' || command.pending === 'waits-inside')
  );
}

/** What a live call recorded stands where a recording runtime would have put it; of another run its event is named. */
function originToData(from: SupplyOrigin | undefined): JsonObject {
  if (from === undefined) return {};
  return from.origin === 'live' ? from.call : { from: { run: from.run, event: from.event } };
}

function observationToData(type: string, observation: PassObservation, isSupplied: boolean): JsonObject {
  if (observation.kind === 'cancelled') return {};
  if (observation.kind === 'err') return { error: { ...observation.error } };
  const { value } = observation;
  if (type === 'timer.fired') return isSupplied ? { result: value } : {};
  if (type === 'clock.read' || type === 'random.drawn') return { value };
  return { result: value };
}

/** Digest of the lines without who asked, why and when: equal for equal operations. */
export function computeLinesDigest(lines: readonly HindcastEvent[]): Digest {
  return digest(
    lines.map((line): JsonValue => {
      if (line.type === 'replay.started') return { type: line.type, replay: line.replay ?? '' };
      const value: unknown = line;
      assert(isJsonObject(value), 'an event is recorded JSON');
      // Few lines have one, and none is copied without need.
      if (line.principal === undefined) return value;
      return Object.fromEntries(Object.entries(value).filter(([key]) => key !== 'principal'));
    }),
  );
}
