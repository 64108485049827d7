/**
 * From a finished pass to the one status of every command and the one status of every base record (I2).
 */
import type { JournalEntry } from './journal-types.ts';
import type { PassResult, ReplayCommand } from './pass-types.ts';
import type { CommandStatus, RecordStatus } from './report-types.ts';

const synchronousKinds: ReadonlySet<string> = new Set(['decide', 'state', 'marker', 'draw']);

export function isRecomputed(kind: string): boolean {
  return synchronousKinds.has(kind);
}

export function commandToStatus(command: ReplayCommand): CommandStatus {
  if (command.match === 'ambiguous') return 'ambiguous';
  const { delivery } = command;
  if (delivery === undefined) return undeliveredStatus(command);
  if (delivery.source === 'derived' && delivery.observation.kind === 'cancelled') return 'cancelled';
  if (command.match !== 'claimed') return command.match;
  if (delivery.source === 'edit' || delivery.source === 'supply') return 'superseded';
  const recorded = command.record?.observation;
  if (recorded?.kind === 'cancelled' && !recorded.sent) return 'cancelled';
  // A timer the record left open, or a computed value that is not the recorded one.
  return command.differs || delivery.source === 'derived' ? 'changed' : 'reused';
}

/** Issued and never answered while the run ended (D9). What is uncertain, or has no place of its own, keeps that word. */
export function isLeftOpen(command: ReplayCommand, { settled }: Pick<PassResult, 'settled'>): boolean {
  if (settled === undefined || settled.kind === 'not-a-program') return false;
  return command.delivery === undefined && command.match !== 'ambiguous' && command.pending !== 'uncertain';
}

function undeliveredStatus(command: ReplayCommand): CommandStatus {
  if (command.pending === 'uncertain') return 'uncertain';
  if (command.pending !== undefined) return 'pending';
  // Its observation was ready; the run ended before its turn.
  return command.match === 'claimed' ? 'reused' : command.match === 'ambiguous' ? 'ambiguous' : command.match;
}

export function recordToStatus(
  record: JournalEntry,
  pass: PassResult,
  paired: ReadonlyMap<string, ReplayCommand>,
): RecordStatus {
  const command = pass.claimed.get(record.path);
  if (command === undefined) return paired.has(record.path) ? 'changed' : 'removed';
  switch (commandToStatus(command)) {
    case 'reused':
      return 'retained';
    case 'superseded':
      return 'superseded';
    case 'pending':
      return command.pending === 'suspect' ? 'suspect' : 'unknown';
    case 'uncertain':
      return 'unknown';
    default:
      return 'changed';
  }
}

/** Records compared with a changed command (M3). */
export function pairedRecords(pass: PassResult): ReadonlyMap<string, ReplayCommand> {
  const paired = new Map<string, ReplayCommand>();
  for (const command of pass.commands) {
    if (command.match === 'changed' && command.record !== undefined) paired.set(command.record.path, command);
  }
  return paired;
}

/** A command that was cancelled before it was sent is no record of the world (D7). */
export function isBaseRecord(entry: JournalEntry): boolean {
  return !(entry.observation.kind === 'cancelled' && !entry.observation.sent);
}
