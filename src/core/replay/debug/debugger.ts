/**
 * Time travel over one replay: its steps, what is so at each of them, and where the next one of some kind is.
 *
 * The replay runs once, with a tape beside it. What is shown at a position comes from the nearest copy of the engine and a short re-run
 * (`rerun.ts`), so that going back costs what going on costs. Invariant: the report is that of `runReplay`, untouched by the taping.
 * Called by the replay worker.
 */
import { assert, ensureExists } from '../../base/assert.ts';
import { type Result, ok } from '../../base/result.ts';
import { commandToWord } from '../change-words.ts';
import { pathToSegment, segmentToRoot } from '../command-path.ts';
import type { JournalEntry } from '../journal-types.ts';
import { kindToText } from '../kind-words.ts';
import { comparePositions } from '../position.ts';
import { readBase } from '../replay-base.ts';
import type { ReplayRequest } from '../replay-plan.ts';
import { runReplayOn } from '../replay.ts';
import type { CommandReport, Divergence, ReplayReport } from '../report-types.ts';
import type { IssuedCommand, PrintedLine } from '../sandbox-port.ts';
import { type Condition, meets } from './condition.ts';
import { type RerunOptions, rerunTo } from './rerun.ts';
import type { StateHeld } from './situation.ts';
import {
  type CommandLookup,
  type DebugCommand,
  type DebugStep,
  type TapedMove,
  actsOf,
  commandToShown,
  commandsById,
  createStep,
  stepToFacts,
} from './steps.ts';
import { type CopySettings, type Tape, createTapingSandbox } from './tape.ts';

export interface DebugMark {
  readonly position: number;
  readonly kind: 'divergence' | 'pending';
  readonly path: string;
  readonly message: string;
  /** Expected and produced, where it is a difference from the record. */
  readonly divergence?: Divergence;
}

export interface DebugState {
  readonly position: number;
  readonly vt: number;
  readonly open: readonly DebugCommand[];
  readonly states: readonly StateHeld[];
  /** Issued and delivered so far, in this segment. */
  readonly issued: number;
  readonly delivered: number;
  /** Everything the program printed up to here, in this segment. */
  readonly printed: readonly PrintedLine[];
  /** Deliveries that were run again to know this. */
  readonly rerun: number;
}

export interface DebugStateProof {
  readonly state: DebugState;
  /** Digest of the engine's memory at this position; undefined where the run had ended. */
  readonly memory: string | undefined;
}

/** What to look for. Positions of a selection are those where the event's or path's command is delivered, else issued. */
export type DebugTarget =
  | { readonly kind: 'step' }
  | { readonly kind: 'divergence' }
  | { readonly kind: 'pending' }
  | { readonly kind: 'breakpoint'; readonly conditions: readonly Condition[] }
  | { readonly kind: 'selection'; readonly event?: string; readonly path?: string };

export interface Debugger {
  readonly report: ReplayReport;
  /** Positions are 0 (the start) to `length - 1`; 0 when nothing was run. */
  readonly length: number;
  readonly marks: readonly DebugMark[];
  /** The text that ran; its lines are those of call sites. */
  readonly program: string;
  stepAt(position: number): DebugStep;
  stateAt(position: number): Promise<DebugState>;
  /** The same with the engine's memory digested; from the start instead of a copy, on demand. */
  proveStateAt(position: number, fromStart: boolean): Promise<DebugStateProof>;
  /** The nearest position after, or before, `from`. A selection is looked for everywhere. */
  find(target: DebugTarget, from: number, direction: 1 | -1): number | undefined;
}

/** A copy takes about what 100 commands take; so many are kept that a jump runs a small part of a long replay again. */
export const defaultCopySettings: CopySettings = { every: 32, most: 24, mostBytes: 192 * 1024 * 1024 };

export async function createDebugger(
  request: ReplayRequest,
  settings: CopySettings = defaultCopySettings,
): Promise<Result<Debugger, string>> {
  const taping = createTapingSandbox(request.sandbox, settings);
  const base = readBase(request.events, request.run, request.base ?? 'main');
  if (!base.ok) return base;
  const replayed = await runReplayOn(base.value, { ...request, sandbox: taping });
  if (!replayed.ok) return replayed;
  return ok(
    new TapeDebugger(
      request,
      replayed.value,
      taping.tapes(),
      base.value.journals.flatMap((j) => j.entries),
    ),
  );
}

class TapeDebugger implements Debugger {
  readonly report: ReplayReport;
  readonly length: number;
  readonly marks: readonly DebugMark[];
  readonly program: string;
  private readonly request: ReplayRequest;
  private readonly moves: readonly TapedMove[];
  private readonly commands: ReadonlyMap<Tape, ReadonlyMap<number, IssuedCommand>>;
  private readonly lookup: CommandLookup;
  /** Path to the positions at which it was issued and delivered, first ones. */
  private readonly issuedAt = new Map<string, number>();
  private readonly deliveredAt = new Map<string, number>();

  constructor(request: ReplayRequest, report: ReplayReport, tapes: readonly Tape[], entries: readonly JournalEntry[]) {
    this.request = request;
    this.report = report;
    const moves: TapedMove[] = [];
    for (const tape of tapes) {
      for (let move = 0; move < tape.moves.length; move++) moves.push({ tape, move, position: moves.length });
    }
    this.moves = moves;
    this.length = moves.length;
    this.program = tapes[0]?.options.program ?? '';
    this.commands = new Map(tapes.map((tape) => [tape, commandsById(tape)]));
    this.lookup = createLookup(report, entries);
    for (const at of moves) this.index(at);
    this.marks = this.computeMarks();
  }

  private index(at: TapedMove): void {
    const { tape, move, position } = at;
    const byId = this.commands.get(tape);
    const note = (map: Map<string, number>, path: string | undefined): void => {
      if (path !== undefined && !map.has(path)) map.set(path, position);
    };
    const { delivery } = tape.moves[move] ?? {};
    if (delivery !== undefined) note(this.deliveredAt, byId?.get(delivery.id)?.path);
    for (const act of actsOf(at)) {
      if (act.t === 'issued' || act.t === 'spawned') note(this.issuedAt, act.command.path);
      else if (act.t === 'joined') note(this.deliveredAt, byId?.get(act.id)?.path);
      else if (act.t === 'decided') note(this.issuedAt, act.decision.path);
      else if (act.t === 'transitioned') note(this.issuedAt, act.transition.path);
    }
  }

  private at(position: number): TapedMove {
    assert(Number.isInteger(position), 'a position is a whole number');
    return ensureExists(this.moves[position], 'a position of the replay');
  }

  stepAt(position: number): DebugStep {
    const at = this.at(position);
    const move = ensureExists(at.tape.moves[at.move], 'the move of a position');
    return createStep(at, move, this.commands.get(at.tape) ?? new Map(), this.lookup);
  }

  async stateAt(position: number): Promise<DebugState> {
    return (await this.rerun(position, { fromStart: false, digests: false })).state;
  }

  proveStateAt(position: number, fromStart: boolean): Promise<DebugStateProof> {
    return this.rerun(position, { fromStart, digests: true });
  }

  private async rerun(position: number, options: RerunOptions): Promise<DebugStateProof> {
    const { tape, move } = this.at(position);
    const { situation, moves, memory } = await rerunTo(this.request.sandbox, tape, move, options);
    const state = {
      position,
      vt: situation.vt ?? tape.options.startVt,
      open: situation.open.map((command) => commandToShown(command, this.lookup)),
      states: situation.states,
      issued: situation.issued,
      delivered: situation.delivered,
      printed: printedOf(tape, situation.printed),
      rerun: moves,
    };
    return { state, memory };
  }

  find(target: DebugTarget, from: number, direction: 1 | -1): number | undefined {
    switch (target.kind) {
      case 'step':
        return this.moves[from + direction] === undefined ? undefined : from + direction;
      case 'divergence':
      case 'pending': {
        const found = this.marks.filter((mark) => mark.kind === target.kind).map((mark) => mark.position);
        return direction > 0 ? found.find((at) => at > from) : found.findLast((at) => at < from);
      }
      case 'breakpoint':
        return this.findWhere(from, direction, (position) => {
          const facts = stepToFacts(this.stepAt(position), this.lookup);
          return target.conditions.some((condition) => facts.some((fact) => meets(condition, fact)));
        });
      case 'selection': {
        const { event, path } = target;
        const wanted = path ?? (event === undefined ? undefined : this.lookup.pathOf(event));
        return wanted === undefined ? undefined : (this.deliveredAt.get(wanted) ?? this.issuedAt.get(wanted));
      }
    }
  }

  private findWhere(from: number, direction: 1 | -1, isWanted: (position: number) => boolean): number | undefined {
    for (let at = from + direction; at >= 0 && at < this.length; at += direction) if (isWanted(at)) return at;
    return undefined;
  }

  private computeMarks(): readonly DebugMark[] {
    if (this.length === 0) return [];
    const marks: DebugMark[] = this.report.divergences.map((divergence) => ({
      position: this.divergenceAt(divergence),
      kind: 'divergence',
      path: divergence.path,
      message: divergence.message,
      divergence,
    }));
    for (const command of this.report.commands) {
      const { path, kind, name, status, waitsFor } = command;
      const position = this.issuedAt.get(path);
      const waits = (status === 'pending' || status === 'uncertain') && waitsFor !== 'waits-inside';
      if (!waits || position === undefined || this.deliveredAt.has(path)) continue;
      marks.push({
        position,
        kind: 'pending',
        path,
        message: `The ${kindToText(kind)} "${name}" gets no value (${commandToWord(command)}).`,
      });
    }
    return marks.sort((a, b) => a.position - b.position);
  }

  /** Where a difference shows: at the issue of its command; of one that was not issued, where its segment has it. */
  private divergenceAt({ path, position: recorded, segment }: Divergence): number {
    const issued = this.issuedAt.get(path);
    if (issued !== undefined) return issued;
    if (recorded !== undefined) {
      for (const [delivered, at] of this.deliveredAt) {
        // Positions begin anew in each segment.
        if (pathToSegment(delivered) !== segment) continue;
        const reached = this.lookup.reportOf(delivered)?.delivered;
        if (reached !== undefined && comparePositions(reached, recorded) > 0) return at;
      }
    }
    const root = segmentToRoot(segment);
    return this.moves.findLast(({ tape }) => tape.options.rootPath === root)?.position ?? this.length - 1;
  }
}

function createLookup(report: ReplayReport, entries: readonly JournalEntry[]): CommandLookup {
  const reports = new Map<string, CommandReport>();
  for (const command of report.commands) if (!reports.has(command.path)) reports.set(command.path, command);
  const byEvent = new Map<string, JournalEntry>();
  for (const entry of entries) for (const event of entry.events) byEvent.set(event, entry);
  const byPath = new Map(entries.map((entry) => [entry.path, entry]));
  const pathByEntry = new Map<JournalEntry, string>();
  for (const { event, path } of report.commands) {
    const entry = event === undefined ? undefined : byEvent.get(event);
    if (entry !== undefined) pathByEntry.set(entry, path);
  }
  return {
    pathOf(event) {
      const entry = byEvent.get(event);
      return entry === undefined ? undefined : (pathByEntry.get(entry) ?? entry.path);
    },
    reportOf: (path) => reports.get(path),
    entryOf(path) {
      const event = reports.get(path)?.event;
      return event === undefined ? byPath.get(path) : byEvent.get(event);
    },
  };
}

/** The first lines that a tape printed. */
function printedOf(tape: Tape, count: number): readonly PrintedLine[] {
  const lines: PrintedLine[] = [];
  for (const act of tape.acts) {
    if (lines.length === count) break;
    if (act.t === 'printed') lines.push(act.line);
  }
  return lines;
}
