/**
 * The effect ledger: one entry for each command that reaches outside, with its attempts, what the service told, and a verdict.
 *
 * Invariant: every record of families tool and effect that concerns an outside effect stands in exactly one attempt or in
 * `unmatched`; nothing is dropped. Built once per branch; the effects table, findings, headline and transcript read it.
 *
 * Order of work: requests first (a record may stand before its cause in the file), then everything that answers them.
 */
import { memberOf, payloadOf } from '../../causal/index.ts';
import { type CommandPath, type EventId, type EventOf, type HindcastEvent, commandPath } from '../../model/index.ts';
import { valueToText } from '../title-words.ts';
import type { EffectAttempt, EffectRow } from '../trace-reader.ts';
import { type Attempt, type AttemptDraft, addRecord, createRecords } from './attempt.ts';
import { type Declarations, computeDeclarations } from './declarations.ts';
import { type Join, JoinIndex, keyOf } from './joins.ts';
import { lateRecords } from './late.ts';
import { type Lives, computeLives, lifeKey } from './lives.ts';
import { attemptToStop, isAnsweredByPerson } from './stopped.ts';
import { type Judgement, effectTargetOf, judgeCommand } from './verdict.ts';

/** Characters of the arguments that a row carries; the inspector has the rest. */
const longestArgs = 240;

/** What the ledger asks of a trace: the events of one branch in display order, and what is known of their order. */
export interface LedgerInput {
  /** Events of families tool, effect, fault and stream, and denied approvals. */
  readonly events: readonly HindcastEvent[];
  /** True when records say that `a` was before `b`: by causes, or by position in one log. Never by time. */
  readonly precedes: (a: EventId, b: EventId) => boolean;
}

export interface EffectCommand extends Judgement {
  readonly run: string;
  readonly path: CommandPath;
  readonly tool: string;
  readonly attempts: readonly Attempt[];
  readonly hasServiceRecords: boolean;
  /** Component that answers for this tool, declared or seen; undefined where neither is recorded. */
  readonly service: string | undefined;
  readonly chosenBy: EventId | undefined;
  /** The first request, or the first record of an effect that nobody is recorded to have asked for. */
  readonly first: HindcastEvent;
  readonly late: ReadonlySet<EventId>;
}

export interface EffectLedger {
  readonly commands: readonly EffectCommand[];
  /** Records of a service that no recorded request explains. Commitments among them are commands of their own above. */
  readonly unmatched: readonly HindcastEvent[];
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
}

export function computeLedger({ events, precedes }: LedgerInput): EffectLedger {
  const declarations = computeDeclarations(events);
  const lives = computeLives(events);
  const eventsById = new Map(events.map((event) => [event.id, event]));
  const building: Building = {
    index: new JoinIndex(eventsById),
    attempts: new Map(),
    commands: new Map(),
    unmatched: [],
    lives,
  };
  const requests = events.filter((event) => event.type === 'tool_call.dispatched' && isExternal(event, declarations));
  const [firsts, again] = partition(requests, (event) => event.replayed !== true);
  for (const event of firsts) addRequest(building, event);
  for (const event of again) addReemission(building, event);
  for (const event of events) {
    if (event.type !== 'tool_call.dispatched' && isRecord(event)) addAnswer(building, event);
  }
  return {
    commands: finish(building, declarations, events, precedes),
    unmatched: building.unmatched,
    declarations,
    lives,
  };
}

export function toolOf(event: HindcastEvent): string | undefined {
  const tool = event.type.startsWith('tool_call.') ? event.data?.['tool'] : undefined;
  return typeof tool === 'string' ? tool : event.command?.name;
}

/** Recorded on the call, else by the kind of its command, else as its tool was declared. */
export function isExternal(event: EventOf<'tool_call.dispatched'>, declarations: Declarations): boolean {
  if (event.data.effect !== undefined) return event.data.effect === 'external';
  if (event.command?.kind !== undefined) return event.command.kind === 'write';
  return declarations.tools.get(toolOf(event) ?? '')?.effect === 'external';
}

function isRecord(event: HindcastEvent): boolean {
  return event.type === 'approval.denied' || event.type.startsWith('tool_call.') || event.type.startsWith('effect.');
}

function pathOf(event: HindcastEvent): CommandPath {
  if (event.command !== undefined) return event.command.path;
  const call = event.data?.['call_id'];
  return commandPath(`call:${typeof call === 'string' && call !== '' ? call : event.id}`);
}

function addRequest(building: Building, event: HindcastEvent): AttemptDraft {
  const path = pathOf(event);
  const number = event.command?.attempt;
  const call = event.data?.['call_id'];
  const within = number === undefined ? `call ${typeof call === 'string' ? call : event.id}` : String(number);
  const id = `${event.run}|${path}|${lifeKey(event.source)}|${within}`;
  let attempt = building.attempts.get(id);
  if (attempt === undefined) {
    attempt = createAttempt(building, event, path);
    building.attempts.set(id, attempt);
    building.index.addAttempt(attempt, event);
    const command = building.commands.get(`${event.run}|${path}`);
    if (command !== undefined) command.attempts.push(attempt);
    else {
      const tool = toolOf(event) ?? 'tool not recorded';
      building.commands.set(`${event.run}|${path}`, { tool, first: event, attempts: [attempt] });
    }
  }
  addRecord(attempt.records, event);
  building.index.addRequest(attempt, event);
  return attempt;
}

function createAttempt(building: Building, event: HindcastEvent, path: CommandPath): AttemptDraft {
  return {
    run: event.run,
    path,
    life: building.lives.of(event),
    lifeKey: lifeKey(event.source),
    number: event.command?.attempt,
    key: keyOf(event),
    records: createRecords(),
    basis: new Map(),
    reemitted: [],
  };
}

/** A re-emitted request is a record of the attempt that was made before; where that is not in the trace it stands for it. */
function addReemission(building: Building, event: HindcastEvent): void {
  const known = building.index.attemptsOf(event.run, pathOf(event));
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
  const { attempt, basis }: Join = event.replayed === true ? firstAnswered(building, join, event) : join;
  attempt.basis.set(event.id, basis);
  if (event.replayed === true) attempt.reemitted.push(event);
  else addRecord(attempt.records, event);
}

/** What is emitted again belongs to the attempt that had it first. */
function firstAnswered(building: Building, join: Join, event: HindcastEvent): Join {
  if (event.type !== 'tool_call.completed') return join;
  const attempts = building.index.attemptsOf(join.attempt.run, join.attempt.path);
  const attempt = attempts.find(({ records }) => records.completed.length > 0);
  return attempt === undefined ? join : { attempt, basis: join.basis };
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
  else
    building.commands.set(key, { tool: event.command?.name ?? 'tool not recorded', first: event, attempts: [attempt] });
}

function finish(
  building: Building,
  declarations: Declarations,
  events: readonly HindcastEvent[],
  precedes: LedgerInput['precedes'],
): EffectCommand[] {
  const told = new Set<string>();
  for (const event of events) {
    if (!event.type.startsWith('effect.')) continue;
    told.add(event.source.component);
    const reporter = event.data?.['reported_by'];
    if (typeof reporter === 'string') told.add(reporter);
  }
  const seenByTool = serviceByTool(building);
  return [...building.commands.values()].map(({ tool, first, attempts }) => {
    const declared = declarations.tools.get(tool)?.service;
    const seen = seenByTool.get(tool);
    const service = seen ?? declared;
    const isPresent =
      seen !== undefined || (declared !== undefined && (told.has(declared) || declarations.producers.has(declared)));
    return {
      ...judgeCommand(attempts, isPresent),
      run: first.run,
      path: attempts[0]?.path ?? pathOf(first),
      tool,
      attempts,
      hasServiceRecords: isPresent,
      service,
      chosenBy: first.causes?.find((cause) => cause.as === 'selected_by')?.event,
      first,
      late: lateRecords(attempts, precedes),
    };
  });
}

/** A service that told of one command of a tool is taken to answer for that tool. */
function serviceByTool(building: Building): Map<string, string> {
  const services = new Map<string, string>();
  for (const { tool, attempts } of building.commands.values()) {
    for (const { records } of attempts) {
      const told: readonly HindcastEvent[] = [
        ...records.committed,
        ...records.requested,
        ...records.deduplicated,
        ...records.refused,
        ...records.dropped,
      ];
      const component = told[0]?.source.component;
      if (component !== undefined && !services.has(tool)) services.set(tool, component);
    }
  }
  return services;
}

function partition<T>(items: readonly T[], test: (item: T) => boolean): [T[], T[]] {
  const yes: T[] = [];
  const no: T[] = [];
  for (const item of items) (test(item) ? yes : no).push(item);
  return [yes, no];
}

/** The rows of the effects table; `findingsOf` names the findings about a command. */
export function ledgerToRows(
  ledger: EffectLedger,
  findingsOf: (command: EffectCommand) => readonly string[],
): EffectRow[] {
  return ledger.commands.map((command) => {
    const { first } = command;
    return {
      command: command.path,
      run: command.run,
      tool: command.tool,
      target: targetOf(command),
      verdict: command.verdict,
      ...(command.ofOneKind.length === 0 ? {} : { times: command.ofOneKind.length }),
      args: argsOf(first),
      stopped: command.stopped,
      recordedTwice: command.recordedTwice,
      noServiceRecords: !command.hasServiceRecords,
      service: command.service,
      chosenBy: command.chosenBy,
      agent: first.agent,
      principal: first.principal?.id,
      attempts: command.attempts.map((attempt) => attemptToRow(attempt, command)),
      effectIds: command.executions.flatMap(({ effectId }) => (effectId === undefined ? [] : [effectId])),
      findings: findingsOf(command),
    };
  });
}

/** What it was called with, in one line, so that two calls of one tool are told apart. */
function argsOf(first: HindcastEvent): string | undefined {
  const text = valueToText(memberOf(payloadOf(first), 'args'), longestArgs);
  return text === '' || text === '{}' ? undefined : text;
}

function targetOf(command: EffectCommand): string | undefined {
  const told = command.executions[0]?.target;
  if (told !== undefined) return told;
  for (const { records } of command.attempts) {
    for (const event of records.requested) if (effectTargetOf(event) !== undefined) return effectTargetOf(event);
  }
  return command.first.command?.writes?.[0] ?? command.service;
}

function attemptToRow(attempt: Attempt, command: EffectCommand): EffectAttempt {
  const { records, reemitted } = attempt;
  const endings = [
    { event: records.failed[0], word: 'failed' },
    { event: records.timedOut[0], word: 'timed out' },
    { event: records.cancelled[0], word: 'cancelled' },
    { event: records.denied[0], word: 'denied' },
  ] as const;
  const ending = endings.find(({ event }) => event !== undefined);
  const ids = (events: readonly HindcastEvent[]): EventId[] => events.map((event) => event.id);
  const all = [...attempt.basis.keys(), ...ids(records.dispatched)];
  return {
    incarnation: attempt.life?.incarnation,
    life: attempt.life?.label,
    attempt: attempt.number,
    key: attempt.key,
    dispatched: records.dispatched[0]?.id,
    committed: ids(records.committed),
    deduplicated: ids(records.deduplicated),
    refused: ids(records.refused),
    dropped: ids(records.dropped),
    acknowledged: records.acknowledged[0]?.id,
    completed: records.completed[0]?.id,
    ...(isAnsweredByPerson(attempt) ? { answeredBy: 'person' as const } : {}),
    persisted: records.persisted[0]?.id,
    failed: ending?.event?.id,
    ending: ending?.word,
    late: all.some((id) => command.late.has(id)),
    status: command.statuses.get(attempt) ?? 'uncertain',
    stopped: attemptToStop(attempt),
    reemitted: ids(reemitted),
    joins: [...attempt.basis].map(([event, basis]) => ({ event, basis })),
  };
}
