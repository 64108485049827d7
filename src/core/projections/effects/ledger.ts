/**
 * The effect ledger: one entry for each command that reaches outside, with its attempts, what the service told, and a verdict.
 *
 * Invariant: every record of families tool and effect that concerns an outside effect stands in exactly one attempt or in
 * `unmatched`; nothing is dropped. Built once per branch; the effects table, findings, headline and transcript read it.
 *
 * Order of work: requests first (a record may stand before its cause in the file), then everything that answers them.
 */
import {
  type CommandPath,
  type Declarations,
  type EventId,
  type HindcastEvent,
  commandPath,
  computeDeclarations,
} from '../../model/index.ts';
import { type CopyAnswers, noCopy } from '../copy-records.ts';
import { type Attempt, type AttemptDraft, addRecord, createRecords } from './attempt.ts';
import { isExternal, toolOf } from './declarations.ts';
import { type Join, JoinIndex, keyOf, servicesOf } from './joins.ts';
import { lateRecords } from './late.ts';
import { type Lives, computeLives, lifeKey } from './lives.ts';
import { type Judgement, judgeCommand } from './verdict.ts';

const toolNotRecorded = 'tool not recorded';

/** What the ledger asks of a trace: the events of one branch in display order, and what is known of their order. */
export interface LedgerInput {
  /** Events of families tool, effect, fault and stream, and denied approvals. */
  readonly events: readonly HindcastEvent[];
  /** All of one trial, whose runs share its processes; else runs that nothing ties have processes of their own. */
  readonly isOneTrial?: boolean;
  /** True when records say that `a` was before `b`: by causes, or by position in one log. Never by time. */
  readonly precedes: (a: EventId, b: EventId) => boolean;
  /** The event that a further record with its id tells again; the id itself for any other record. */
  readonly originalOf?: (id: EventId) => EventId;
  /** Components that are no service, whatever a declaration says: nothing that they record is an answer of one. */
  readonly acting?: ReadonlySet<string>;
  /** Of records of a copy: what it says of answers that it does not show. */
  readonly copy?: CopyAnswers | undefined;
}

export interface EffectCommand extends Judgement {
  readonly run: string;
  readonly path: CommandPath;
  readonly tool: string;
  readonly attempts: readonly Attempt[];
  readonly hasServiceRecords: boolean;
  /** What was answered cannot be held against the ids of effects, for these are stand-ins. */
  readonly hasStandIns: boolean;
  /** Component that answers for this tool, declared or seen; undefined where neither is recorded. */
  readonly service: string | undefined;
  readonly chosenBy: EventId | undefined;
  /** The first request, or the first record of an effect that nobody is recorded to have asked for. */
  readonly first: HindcastEvent;
  readonly late: ReadonlySet<EventId>;
  /** Of the late records, those that are late by a mark of their producer alone. */
  readonly markedLate: ReadonlySet<EventId>;
}

export interface EffectLedger {
  readonly commands: readonly EffectCommand[];
  /**
   * Records of a service, and answers of outside calls, that no recorded request explains. Commitments and answers among them are
   * commands of their own above.
   */
  readonly unmatched: readonly HindcastEvent[];
  /** By unmatched record: requests of several commands under its key, of which it may answer one. Nothing chooses among them. */
  readonly candidates: ReadonlyMap<EventId, readonly Attempt[]>;
  readonly declarations: Declarations;
  readonly lives: Lives;
}

interface Building {
  readonly index: JoinIndex;
  readonly attempts: Map<string, AttemptDraft>;
  readonly commands: Map<
    string,
    { readonly tool: string; readonly first: HindcastEvent; readonly attempts: AttemptDraft[] }
  >;
  readonly unmatched: HindcastEvent[];
  readonly lives: Lives;
  readonly originalOf: (id: EventId) => EventId;
}

export function computeLedger(input: LedgerInput): EffectLedger {
  const { events, originalOf = (id: EventId) => id } = input;
  const declarations = computeDeclarations(events);
  const lives = computeLives(events);
  const eventsById = new Map(events.map((event) => [event.id, event]));
  const building: Building = {
    index: new JoinIndex(eventsById),
    attempts: new Map(),
    commands: new Map(),
    unmatched: [],
    lives,
    originalOf,
  };
  const dispatched = events.filter((event) => event.type === 'tool_call.dispatched');
  const [requests, inert] = partition(dispatched, (event) => isExternal(event, declarations));
  const [firsts, again] = partition(requests, (event) => event.replayed !== true);
  for (const event of firsts) addRequest(building, event);
  for (const event of again) addReemission(building, event);
  addServices(building, declarations, events);
  for (const event of events) building.index.learnAnswer(event);
  const placed = addRequestless(building, events, declarations, inert);
  for (const event of events) {
    if (event.type !== 'tool_call.dispatched' && isRecord(event) && !placed.has(event.id)) addAnswer(building, event);
  }
  return {
    commands: finish(building, declarations, input),
    unmatched: building.unmatched,
    candidates: new Map(building.unmatched.map((event) => [event.id, building.index.candidatesOf(event)])),
    declarations,
    lives,
  };
}

/** Which service answers for which tool, before anything is joined by a key: keys are a service's own. */
function addServices(
  { index, commands }: Building,
  declarations: Declarations,
  events: readonly HindcastEvent[],
): void {
  const told = events.filter((event) => event.type.startsWith('effect.'));
  const present = new Set(told.map(({ source }) => source.component));
  for (const { tool } of commands.values()) {
    const service = declarations.tools.get(tool)?.service;
    if (service !== undefined && present.has(service)) index.addService(tool, service);
  }
  for (const event of told) index.learnService(event);
}

/** An answer that says of its call what a dispatch would: that it reaches outside. What a replay or a person put in is none. */
function isOutsideAnswer(event: HindcastEvent, declarations: Declarations): boolean {
  if (event.type === 'tool_call.dispatched' || !event.type.startsWith('tool_call.')) return false;
  if (event.origin !== undefined || event.replayed === true) return false;
  const effect: unknown = event.data?.['effect'];
  if (typeof effect === 'string') return effect === 'external';
  if (event.command?.kind !== undefined) return event.command.kind === 'write';
  return declarations.tools.get(toolOf(event) ?? '')?.effect === 'external';
}

function isRecord(event: HindcastEvent): boolean {
  return event.type === 'approval.denied' || event.type.startsWith('tool_call.') || event.type.startsWith('effect.');
}

function pathOf({ originalOf }: Building, event: HindcastEvent): CommandPath {
  if (event.command !== undefined) return event.command.path;
  const call = event.data?.['call_id'];
  return commandPath(`call:${typeof call === 'string' && call !== '' ? call : originalOf(event.id)}`);
}

function addRequest(building: Building, event: HindcastEvent): AttemptDraft {
  const path = pathOf(building, event);
  const number = event.command?.attempt;
  const call = event.data?.['call_id'];
  const within =
    number === undefined ? `call ${typeof call === 'string' ? call : building.originalOf(event.id)}` : String(number);
  const id = `${event.run}|${path}|${lifeKey(event.source)}|${within}`;
  let attempt = building.attempts.get(id);
  if (attempt === undefined) {
    attempt = createAttempt(building, event, path);
    building.attempts.set(id, attempt);
    building.index.addAttempt(attempt, event, toolOf(event) ?? '');
    const command = building.commands.get(`${event.run}|${path}`);
    if (command !== undefined) command.attempts.push(attempt);
    else {
      const tool = toolOf(event) ?? toolNotRecorded;
      building.commands.set(`${event.run}|${path}`, { tool, first: event, attempts: [attempt] });
    }
  }
  addRecord(attempt.records, event);
  building.index.addRequest(attempt, event);
  return attempt;
}

/**
 * An outside call of which only an answer is recorded is a command all the same, with an attempt that lacks its request. Where a
 * dispatch is recorded, that says what the call was. Returns the answers that are placed.
 */
function addRequestless(
  building: Building,
  events: readonly HindcastEvent[],
  declarations: Declarations,
  inert: readonly HindcastEvent[],
): ReadonlySet<EventId> {
  const placed = new Set<EventId>();
  const asked = new Set<string>(inert.flatMap((event) => [event.id, ...callKeysOf(event)]));
  for (const event of events) {
    if (!isOutsideAnswer(event, declarations) || building.index.find(event) !== undefined) continue;
    const names = [...callKeysOf(event), ...(event.causes ?? []).map((cause) => cause.event)];
    if (names.some((name) => asked.has(name))) continue;
    building.unmatched.push(event);
    addRequest(building, event);
    placed.add(event.id);
  }
  return placed;
}

/** By what a call and its answer are known to be of one call, beside causes. */
function callKeysOf(event: HindcastEvent): string[] {
  const call = event.data?.['call_id'];
  return [
    ...(event.command === undefined ? [] : [`${event.run}|path|${event.command.path}`]),
    ...(typeof call === 'string' && call !== '' ? [`${event.run}|call|${call}`] : []),
  ];
}

function createAttempt(building: Building, event: HindcastEvent, path: CommandPath): AttemptDraft {
  const isCallers = event.type.startsWith('tool_call.');
  return {
    run: event.run,
    path,
    // The life of a service is not that of the caller.
    life: isCallers ? building.lives.of(event) : undefined,
    lifeKey: isCallers ? lifeKey(event.source) : '',
    number: event.command?.attempt,
    key: keyOf(event),
    records: createRecords(),
    basis: new Map(),
    reemitted: [],
  };
}

/** A re-emitted request is a record of the attempt that was made before; where that is not in the trace it stands for it. */
function addReemission(building: Building, event: HindcastEvent): void {
  const known = building.index.attemptsOf(event.run, pathOf(building, event));
  const attempt = known.find(({ number }) => number === event.command?.attempt) ?? known.at(-1);
  if (attempt === undefined) addRequest(building, event);
  else {
    attempt.reemitted.push(event);
    building.index.addRequest(attempt, event);
  }
}

function addAnswer(building: Building, event: HindcastEvent): void {
  const join = building.index.find(event);
  if (join === undefined) {
    if (event.type.startsWith('effect.')) addUnmatched(building, event);
    return;
  }
  const attempt = joinToAttempt(building, join, event);
  attempt.basis.set(event.id, join.basis);
  if (event.replayed === true) attempt.reemitted.push(event);
  else addRecord(attempt.records, event);
}

/** What is emitted again belongs to the attempt that had it first. */
function joinToAttempt(building: Building, join: Join, event: HindcastEvent): AttemptDraft {
  const path = join.to === 'attempt' ? join.attempt.path : join.path;
  if (event.replayed === true && event.type === 'tool_call.completed') {
    const attempts = building.index.attemptsOf(event.run, path);
    const first = attempts.find(({ records }) => records.completed.length > 0);
    if (first !== undefined) return first;
  }
  return join.to === 'attempt' ? join.attempt : unassignedOf(building, event, path);
}

/** Where records stand that belong to a command and do not say to which of its attempts. */
function unassignedOf(building: Building, event: HindcastEvent, path: CommandPath): AttemptDraft {
  const command = building.commands.get(`${event.run}|${path}`);
  const known = command?.attempts.find(({ isUnassigned }) => isUnassigned === true);
  if (known !== undefined) return known;
  const attempt: AttemptDraft = {
    run: event.run,
    path,
    life: undefined,
    lifeKey: '',
    number: undefined,
    key: undefined,
    records: createRecords(),
    basis: new Map(),
    reemitted: [],
    isUnassigned: true,
  };
  command?.attempts.push(attempt);
  return attempt;
}

/** An effect that nobody is recorded to have asked for still happened: it is a command whose request is not recorded. */
function addUnmatched(building: Building, event: HindcastEvent): void {
  building.unmatched.push(event);
  if (event.type !== 'effect.committed') return;
  const path = event.command?.path ?? commandPath(`effect:${event.id}`);
  const attempt = createAttempt(building, event, path);
  addRecord(attempt.records, event);
  const key = `${event.run}|${path}`;
  const command = building.commands.get(key);
  if (command !== undefined) command.attempts.push(attempt);
  else building.commands.set(key, { tool: event.command?.name ?? toolNotRecorded, first: event, attempts: [attempt] });
}

function finish(
  building: Building,
  declarations: Declarations,
  { events, precedes, acting = new Set(), copy = noCopy }: LedgerInput,
): EffectCommand[] {
  const present = servicesByRun(building, declarations, events);
  const seenByTool = serviceByTool(building);
  return [...building.commands.values()].map(({ tool, first, attempts }) => {
    const declared = declarations.tools.get(tool)?.service;
    const seen = serviceOf(attempts) ?? seenByTool.get(`${first.run}|${tool}`);
    const service = seen ?? declared ?? seenByTool.get(tool);
    const { late, marked } = lateRecords(attempts, precedes);
    const isDeclared = declared !== undefined && !acting.has(declared) && present.has(`${first.run}|${declared}`);
    const isPresent = seen !== undefined || isDeclared;
    return {
      ...judgeCommand(attempts, isPresent, copy),
      run: first.run,
      path: attempts[0]?.path ?? pathOf(building, first),
      tool,
      attempts,
      hasServiceRecords: isPresent,
      hasStandIns: copy.hasStandIns,
      service,
      chosenBy: first.causes?.find((cause) => cause.as === 'selected_by')?.event,
      first,
      late,
      markedLate: marked,
    };
  });
}

/**
 * Services whose records stand in a run, or are declared for it: in another run they say nothing of this one. A declaration holds
 * for its own run, and for all where its run has no command at all. What another component declares of a service of which no record is
 * here tells of a stream that was not opened, not of an empty one; its witness of a fault is part of no ledger.
 */
function servicesByRun(
  building: Building,
  declarations: Declarations,
  events: readonly HindcastEvent[],
): ReadonlySet<string> {
  const present = new Set<string>();
  for (const event of events) {
    if (!event.type.startsWith('effect.')) continue;
    for (const service of servicesOf(event)) present.add(`${event.run}|${service}`);
  }
  const runs = new Set([...building.commands.values()].map(({ first }) => first.run));
  const writers = new Set(
    events.filter(({ type }) => !type.startsWith('fault.')).map(({ source }) => source.component),
  );
  for (const { run, data } of declarations.events) {
    for (const { component } of data.producers ?? []) {
      if (!writers.has(component)) continue;
      for (const held of runs.has(run) ? [run] : runs) present.add(`${held}|${component}`);
    }
  }
  return present;
}

/** A service that told of one command of a tool is taken to answer for that tool: by run and tool, and by tool over all runs. */
function serviceByTool(building: Building): Map<string, string> {
  const services = new Map<string, string>();
  for (const { tool, first, attempts } of building.commands.values()) {
    const service = tool === toolNotRecorded ? undefined : serviceOf(attempts);
    if (service === undefined) continue;
    for (const key of [`${first.run}|${tool}`, tool]) if (!services.has(key)) services.set(key, service);
  }
  return services;
}

/** Who told of these attempts. */
function serviceOf(attempts: readonly Attempt[]): string | undefined {
  for (const { records } of attempts) {
    const { committed, requested, deduplicated, refused, dropped } = records;
    const told: readonly HindcastEvent[] = [...committed, ...requested, ...deduplicated, ...refused, ...dropped];
    if (told[0] !== undefined) return told[0].source.component;
  }
  return undefined;
}

function partition<T>(items: readonly T[], test: (item: T) => boolean): [T[], T[]] {
  const yes: T[] = [];
  const no: T[] = [];
  for (const item of items) (test(item) ? yes : no).push(item);
  return [yes, no];
}
