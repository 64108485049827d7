/**
 * The rows of a report for one segment: every command and every base record with its status and its path of reasons.
 */
import type { EventId } from '../model/index.ts';
import { isWithheld } from './branch-lines.ts';
import type { Journal, JournalEntry } from './journal-types.ts';
import type { PassResult, ReplayCommand } from './pass-types.ts';
import { entryToKey } from './protection.ts';
import { createReasons } from './reasons.ts';
import type { CommandReport, CommandStatus, OrphanEffect, RecordReport, RecordStatus } from './report-types.ts';
import type { ResolvedEdits } from './resolve-edits.ts';
import type { SegmentRun } from './segment-run.ts';
import { commandToStatus, isBaseRecord, isLeftOpen, pairedRecords, recordToStatus } from './statuses.ts';

export interface SegmentRows {
  readonly journal: Journal;
  readonly pass: PassResult | undefined;
  readonly commands: readonly {
    readonly command: ReplayCommand;
    readonly status: CommandStatus;
    readonly row: CommandReport;
  }[];
  /** Of a segment that stands whole: its records as reused commands. */
  readonly standing: readonly CommandReport[];
  readonly records: readonly { readonly entry: JournalEntry; readonly row: RecordReport }[];
}

export interface RowsContext {
  readonly edits: ResolvedEdits;
  readonly lenient: boolean;
  readonly origin: EventId | undefined;
  readonly originAs: 'edited' | 'input' | 'program' | 'record';
}

/** `run` absent: the segment was not reached. */
export function computeRowsOfSegment(journal: Journal, run: SegmentRun | undefined, context: RowsContext): SegmentRows {
  const entries = journal.entries.filter(isBaseRecord);
  const pass = run?.pass;
  if (run === undefined || pass === undefined) return wholeSegment(journal, entries, run !== undefined, context);
  const paired = pairedRecords(pass);
  const statuses = new Map<string, RecordStatus>(
    entries.map((entry) => [entry.path, recordToStatus(entry, pass, paired)]),
  );
  const open = new Set(pass.commands.filter((command) => isLeftOpen(command, pass)));
  const reasons = createReasons({
    journal,
    commands: pass.commands,
    fallen: new Set([...statuses].filter(([, status]) => status !== 'retained').map(([path]) => path)),
    // A value supplied for a record that fell is no change of its own: the record fell before.
    edited: new Set([
      ...context.edits.edits.keys(),
      ...[...context.edits.supplies.keys()].filter((path) => statuses.get(path) === 'superseded'),
    ]),
    replaced: new Map([...context.edits.edits].map(([path, { target }]) => [path, target])),
    suspicions: run.suspicions,
    open,
    origin: context.origin,
    originAs: context.originAs,
  });
  const commands = pass.commands.map((command) => {
    const status = commandToStatus(command);
    const isFlagged =
      context.lenient && command.record !== undefined && run.suspicions.has(command.record.path) && status === 'reused';
    if (isFlagged) command.rule = 'suspect';
    const isOpen = open.has(command);
    const why = status === 'reused' && !isFlagged && !isOpen ? [] : reasons.forCommand(command);
    const record = command.record === undefined ? undefined : statuses.get(command.record.path);
    return {
      command,
      status,
      row: {
        ...commandToRow(command, status),
        reasons: why,
        ...(record === undefined ? {} : { record }),
        ...(isOpen ? { isOpen } : {}),
      },
    };
  });
  const records = entries.map((entry) => {
    const status = statuses.get(entry.path) ?? 'unknown';
    const command = pass.claimed.get(entry.path) ?? paired.get(entry.path);
    const isOpen = command !== undefined && open.has(command);
    const why = isOpen ? reasons.forCommand(command) : status === 'retained' ? [] : reasons.forRecord(entry);
    return { entry, row: { ...recordToRow(entry, status, why), ...(isOpen ? { isOpen } : {}) } };
  });
  return { journal, pass, commands, standing: [], records };
}

function wholeSegment(
  journal: Journal,
  entries: readonly JournalEntry[],
  stands: boolean,
  context: RowsContext,
): SegmentRows {
  const why = stands || context.origin === undefined ? [] : [{ event: context.origin, as: 'not-reached' }];
  const records = entries.map((entry) => ({ entry, row: recordToRow(entry, stands ? 'retained' : 'removed', why) }));
  const standing = stands ? entries.map(entryToStandingRow) : [];
  return { journal, pass: undefined, commands: [], standing, records };
}

function entryToStandingRow(entry: JournalEntry): CommandReport {
  const { path, kind, name, argsDigest, issued, delivered, vt } = entry;
  const key = entryToKey(entry);
  return {
    path,
    kind,
    name,
    event: entry.finalEvent ?? entry.issueEvent,
    rule: 'segment',
    status: 'reused',
    record: 'retained',
    reasons: [],
    flags: [],
    ...(argsDigest === undefined ? {} : { argsDigest }),
    ...(key === undefined ? {} : { idempotencyKey: key }),
    issued: issued ?? delivered ?? '0',
    ...(delivered === undefined ? {} : { delivered }),
    ...(vt === undefined ? {} : { vt }),
  };
}

function commandToRow(command: ReplayCommand, status: CommandStatus): CommandReport {
  const { delivery, record } = command;
  const flags: CommandReport['flags'][number][] = [];
  if (delivery?.clamped === true) flags.push('clamped');
  if (delivery?.derivedOrder === true) flags.push('derived-order');
  if (command.orderDependent) flags.push('order-dependent-identity');
  const showsArgs =
    status === 'pending' ||
    status === 'uncertain' ||
    status === 'inserted' ||
    status === 'changed' ||
    status === 'ambiguous';
  return {
    path: command.path,
    kind: command.kind,
    name: command.name,
    status,
    ...(record === undefined ? {} : { event: record.finalEvent ?? record.issueEvent }),
    ...(command.rule === undefined ? {} : { rule: command.rule }),
    reasons: [],
    ...(command.pending === undefined ? {} : { waitsFor: command.pending }),
    ...(showsArgs ? { args: command.args } : {}),
    argsDigest: command.argsDigest,
    ...(command.idempotencyKey === undefined ? {} : { idempotencyKey: command.idempotencyKey }),
    issued: command.issuedPosition,
    acts: { issued: command.issuedAct, ...(delivery === undefined ? {} : { delivered: delivery.act }) },
    ...(delivery === undefined ? {} : { delivered: delivery.position, vt: delivery.vt, outcome: delivery.observation }),
    flags,
    ...(command.site === undefined ? {} : { site: command.site }),
  };
}

function recordToRow(entry: JournalEntry, status: RecordStatus, reasons: RecordReport['reasons']): RecordReport {
  return {
    path: entry.path,
    kind: entry.kind,
    name: entry.name,
    event: entry.finalEvent ?? entry.issueEvent,
    status,
    reasons,
  };
}

/** Effects the world has and the branch does not: of removed and of changed commands, and of attempts that would not have been. */
export function computeOrphans(rows: SegmentRows, edits: ResolvedEdits): readonly OrphanEffect[] {
  const out: OrphanEffect[] = [];
  for (const { entry, row } of rows.records) {
    if (row.status !== 'removed' && row.status !== 'changed') continue;
    if (entry.kind !== 'write' && entry.kind !== 'child') continue;
    const orphan = toOrphan(
      entry,
      row,
      entry.effects.map((effect) => effect.event),
    );
    if (orphan !== undefined) out.push(orphan);
  }
  for (const { entry, attempts } of edits.laterAttempts) {
    const row = rows.records.find((record) => record.entry === entry)?.row;
    const later = new Set<EventId>(attempts.map((attempt) => attempt.event));
    const effects = entry.effects
      .filter((effect) => effect.attempt !== undefined && later.has(effect.attempt))
      .map((effect) => effect.event);
    const orphan = row === undefined ? undefined : toOrphan(entry, row, effects);
    if (orphan !== undefined) out.push(orphan);
  }
  return out;
}

function toOrphan(entry: JournalEntry, row: RecordReport, events: readonly EventId[]): OrphanEffect | undefined {
  const effects = entry.effects
    .filter((effect) => !effect.deduplicated && events.includes(effect.event))
    .map(({ event, kind, id }) => ({
      event,
      ...(kind === undefined ? {} : { kind }),
      ...(id === undefined ? {} : { id }),
    }));
  if (effects.length === 0) return undefined;
  return {
    path: entry.path,
    kind: entry.kind,
    name: entry.name,
    event: row.event,
    reasons: row.reasons,
    record: row.status,
    effects,
  };
}

/** Events of the base a branch does not inherit. What a service told of a command goes with it, and is an orphan effect (B3). */
export function computeExcluded(rows: SegmentRows, edits: ResolvedEdits): readonly EventId[] {
  const withheld = new Set(
    rows.commands.filter(({ command }) => isWithheld(command)).map(({ command }) => command.record?.path),
  );
  // What was claimed and came to another value (a child that ran inside) cites its recorded request: only the answer is left out.
  const claimed = new Set(
    rows.commands.filter(({ command }) => command.match === 'claimed').map(({ command }) => command.record?.path),
  );
  const out = new Set<EventId>();
  for (const { entry, row } of rows.records) {
    const isAnswered = row.status === 'superseded' || (row.status === 'changed' && claimed.has(entry.path));
    if (withheld.has(entry.path) || row.status === 'removed' || (row.status === 'changed' && !isAnswered)) {
      for (const id of entry.events) out.add(id);
    } else if (isAnswered && entry.finalEvent !== undefined) out.add(entry.finalEvent);
  }
  for (const { entry, attempts } of edits.laterAttempts) {
    // Of this segment alone: another one tells its own.
    if (!rows.records.some((record) => record.entry === entry)) continue;
    for (const attempt of attempts) {
      out.add(attempt.event);
      if (attempt.failedBy !== undefined) out.add(attempt.failedBy);
    }
    const edited = edits.edits.get(entry.path)?.target;
    if (edited !== undefined) for (const id of entry.events) if (id === edited) out.add(id);
  }
  return [...out];
}
