/**
 * The steps of a replay that was taped, one for each delivery and one for the start of each segment, as they are shown and searched.
 *
 * Built from the tape and the report when asked for; nothing is kept a second time. Used by `debugger.ts`.
 */
import type { JsonValue } from '../../base/json.ts';
import type { EventId } from '../../model/index.ts';
import { endingType, issueType } from '../event-roles.ts';
import type { JournalEntry } from '../journal-types.ts';
import type { CommandReport, CommandStatus } from '../report-types.ts';
import type { CallSite, Delivered, IssuedCommand, PrintedLine, StepResult } from '../sandbox-port.ts';
import type { Act } from './acts.ts';
import type { DebugFact } from './condition.ts';
import type { Move, Tape } from './tape.ts';

/** A command as the debugger shows it. */
export interface DebugCommand {
  readonly path: string;
  readonly kind: string;
  readonly name: string;
  readonly args: JsonValue;
  readonly site?: CallSite;
  /** The recorded event, its agent, and its number in the engine that recorded it. */
  readonly event?: EventId;
  readonly agent?: string;
  readonly alias?: string;
  readonly status?: CommandStatus;
  readonly rule?: CommandReport['rule'] | undefined;
  readonly waitsFor?: CommandReport['waitsFor'];
}

export interface DebugDecision {
  readonly path: string;
  readonly name: string;
  readonly computed: JsonValue;
  /** What control code was given, where it is not what it computed. */
  readonly given?: JsonValue;
  readonly site?: CallSite;
}

export interface DebugStateStep {
  readonly path: string;
  readonly name: string;
  readonly to: number;
  readonly value: JsonValue;
  /** The value it had in this segment before. */
  readonly before?: JsonValue;
  readonly site?: CallSite;
}

export interface DebugStep {
  readonly position: number;
  readonly segment: string;
  readonly vt: number;
  /** Absent at the start of a segment. */
  readonly delivered?: DebugCommand & { readonly observation: Delivered };
  /** Children that ran inside and ended in this step. */
  readonly joined: readonly DebugCommand[];
  readonly issued: readonly DebugCommand[];
  readonly decided: readonly DebugDecision[];
  readonly states: readonly DebugStateStep[];
  readonly printed: readonly PrintedLine[];
  /** The line of the program that goes on here. */
  readonly site?: CallSite;
  readonly ended?: StepResult;
}

/** What the report and the record say about a command. */
export interface CommandLookup {
  readonly reportOf: (path: string) => CommandReport | undefined;
  readonly entryOf: (path: string) => JournalEntry | undefined;
  /** Path of the command an event of the record belongs to. */
  readonly pathOf: (event: string) => string | undefined;
}

export interface TapedMove {
  readonly tape: Tape;
  readonly move: number;
  readonly position: number;
}

/** Commands of a tape by their number in the session. */
export function commandsById(tape: Tape): ReadonlyMap<number, IssuedCommand> {
  const byId = new Map<number, IssuedCommand>();
  for (const act of tape.acts) if (act.t === 'issued' || act.t === 'spawned') byId.set(act.command.id, act.command);
  return byId;
}

function firstAct({ tape, move }: TapedMove): number {
  return tape.moves[move - 1]?.actsEnd ?? 0;
}

export function actsOf(at: TapedMove): readonly Act[] {
  return at.tape.acts.slice(firstAct(at), at.tape.moves[at.move]?.actsEnd);
}

function valueBefore(tape: Tape, end: number, name: string): JsonValue | undefined {
  for (let n = end - 1; n >= 0; n--) {
    const act = tape.acts[n];
    if (act?.t === 'transitioned' && act.transition.name === name) return act.transition.value;
  }
  return undefined;
}

export function createStep(
  at: TapedMove,
  move: Move,
  byId: ReadonlyMap<number, IssuedCommand>,
  lookup: CommandLookup,
): DebugStep {
  const { tape, position } = at;
  const acts = actsOf(at);
  const toCommand = (command: IssuedCommand): DebugCommand => commandToShown(command, lookup);
  const given = move.delivery === undefined ? undefined : byId.get(move.delivery.id);
  const issued = acts.flatMap((act) => (act.t === 'issued' || act.t === 'spawned' ? [toCommand(act.command)] : []));
  const joined = acts.flatMap((act) => {
    const command = act.t === 'joined' ? byId.get(act.id) : undefined;
    return command === undefined ? [] : [toCommand(command)];
  });
  const { result, delivery } = move;
  const site = given?.site ?? issued[0]?.site;
  return {
    position,
    segment: tape.options.rootPath ?? '',
    vt: vtAt(tape, at.move),
    ...(given === undefined || delivery === undefined
      ? {}
      : { delivered: { ...toCommand(given), observation: delivery.observation } }),
    joined,
    issued,
    decided: acts.flatMap((act) => (act.t === 'decided' ? [toDecision(act)] : [])),
    states: acts.flatMap((act, n) =>
      act.t === 'transitioned' ? [toStateStep(act, valueBefore(tape, firstAct(at) + n, act.transition.name))] : [],
    ),
    printed: acts.flatMap((act) => (act.t === 'printed' ? [act.line] : [])),
    ...(site === undefined ? {} : { site }),
    ...(result.settled === undefined && result.limit === undefined ? {} : { ended: result }),
  };
}

/** Virtual time never goes back, and a delivery says it (D6). */
function vtAt(tape: Tape, move: number): number {
  return Math.max(tape.options.startVt, tape.moves[move]?.delivery?.vt ?? tape.options.startVt);
}

export function commandToShown(command: IssuedCommand, { reportOf, entryOf }: CommandLookup): DebugCommand {
  const { path, kind, name, args, site } = command;
  const report = reportOf(path);
  const entry = entryOf(path);
  return {
    path,
    kind,
    name,
    args,
    ...(site === undefined ? {} : { site }),
    ...(report?.event === undefined ? {} : { event: report.event }),
    ...(entry?.agent === undefined ? {} : { agent: entry.agent }),
    ...(entry?.alias === undefined ? {} : { alias: entry.alias }),
    ...(report === undefined ? {} : { status: report.status }),
    ...(report?.rule === undefined ? {} : { rule: report.rule }),
    ...(report?.waitsFor === undefined ? {} : { waitsFor: report.waitsFor }),
  };
}

function toDecision({ decision, answer }: Extract<Act, { t: 'decided' }>): DebugDecision {
  const { path, name, chosen, site } = decision;
  return {
    path,
    name,
    computed: chosen,
    ...(answer === undefined ? {} : { given: answer }),
    ...(site === undefined ? {} : { site }),
  };
}

function toStateStep(
  { transition, answer }: Extract<Act, { t: 'transitioned' }>,
  before: JsonValue | undefined,
): DebugStateStep {
  const { path, name, value, site } = transition;
  return {
    path,
    name,
    to: answer,
    value,
    ...(before === undefined ? {} : { before }),
    ...(site === undefined ? {} : { site }),
  };
}

/** What conditions are asked about. */
export function stepToFacts(step: DebugStep, { entryOf }: CommandLookup): readonly DebugFact[] {
  const facts: DebugFact[] = [];
  const { delivered } = step;
  if (delivered !== undefined) {
    const { observation } = delivered;
    const entry = entryOf(delivered.path);
    facts.push({
      ...commandToFact(delivered, 'delivered'),
      type: endingType(delivered.kind, entry?.issueType, entry?.finalType, observation),
      ...(observation.kind === 'ok' ? { value: observation.value } : {}),
      ...(observation.kind === 'err' ? { error: { ...observation.error } } : {}),
    });
  }
  for (const command of step.issued) {
    const type = entryOf(command.path)?.issueType ?? issueType(command.kind);
    facts.push({ ...commandToFact(command, 'issued'), type });
  }
  for (const { path, name, computed, given } of step.decided)
    facts.push({ act: 'decided', kind: 'decide', type: 'decision.made', path, name, value: given ?? computed });
  for (const { path, name, value } of step.states)
    facts.push({ act: 'state', kind: 'state', type: 'state.transitioned', path, name, value });
  for (const { level, text } of step.printed) facts.push({ act: 'printed', name: level, value: text });
  return facts;
}

function commandToFact(command: DebugCommand, act: 'delivered' | 'issued'): DebugFact {
  const { path, kind, name, args, event, agent, status } = command;
  return {
    act,
    path,
    kind,
    name,
    args,
    ...(kind === 'read' || kind === 'write' ? { tool: name } : {}),
    ...(event === undefined ? {} : { event }),
    ...(agent === undefined ? {} : { agent }),
    ...(status === undefined ? {} : { status }),
  };
}
