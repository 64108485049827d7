/**
 * Records that contradict themselves: a value beside a digest that is not its own.
 *
 * Matching goes by digests, so a replay could call a run identical whose shown values were altered. Invariant: such a record is a difference
 * of the record, never of the program. A value that equals what the program made needs no digest; only another one is digested. Called by
 * `divergence.ts` and by the comparison.
 */
import type { JsonValue } from '../base/json.ts';
import { type DigestMismatch, type EventId, isOtherValue, mismatchToText } from '../model/index.ts';
import type { JournalEntry } from './journal-types.ts';
import type { ReplayCommand } from './pass-types.ts';
import type { Divergence } from './report-types.ts';
import type { RunInfo, RunOutcome } from './run-info.ts';
import { equalsBesidesHoles } from '../base/withheld.ts';

/** Of a record; `actual`: what a command asked that may be the same. */
export function entryToMismatches(
  entry: JournalEntry,
  actual?: { readonly args: JsonValue | undefined; readonly argsDigest: string | undefined },
): readonly DigestMismatch[] {
  const { args, argsDigest, transition, doubts = [], kind, saysNoArgs } = entry;
  if (args === undefined || saysNoArgs === true) return doubts;
  const isAsMade =
    actual?.args !== undefined && actual.argsDigest === argsDigest && equalsBesidesHoles(args, actual.args);
  const found = [...doubts];
  const value = kind === 'state' ? 'data.value' : 'data.args';
  if (!isAsMade && isOtherValue(args, argsDigest)) found.push({ value, digest: 'command.args', is: 'other-value' });
  const made = transition?.digest;
  if (made !== undefined && made !== argsDigest && isOtherValue(args, made))
    found.push({ value, digest: 'data.digest', is: 'other-value' });
  return found;
}

/** Of a command and the record it was found to be, or to stand in the place of. */
export function commandToContradiction(command: ReplayCommand, info: RunInfo): Divergence | undefined {
  const { record } = command;
  if (record === undefined) return undefined;
  const mismatches = entryToMismatches(record, command);
  if (mismatches.length === 0) return undefined;
  return {
    kind: 'record',
    path: command.path,
    segment: info.segment,
    message: contradictionToText(record.issueEvent, mismatches),
    position: record.issued ?? record.delivered ?? '0',
  };
}

interface InfoContradiction {
  readonly event: EventId;
  readonly message: string;
}

/** Of the declared program and the end of a run. */
export function infoToContradictions({ event, outcome, program }: RunInfo): readonly InfoContradiction[] {
  const found: InfoContradiction[] = [];
  const add = (id: EventId, value: string, of: string): void => {
    found.push({ event: id, message: contradictionToText(id, [{ value, digest: of, is: 'other-value' }]) });
  };
  if (program.isOther === true) add(event, 'data.program.source', 'data.program.digest');
  if (outcome?.isOther === true) add(outcome.event, outcomeFields[outcome.kind], 'data.digest');
  return found;
}

const outcomeFields: Readonly<Record<RunOutcome['kind'], string>> = {
  completed: 'data.result',
  failed: 'data.error',
  'rolled-over': 'data.carried',
};

export function contradictionToText(event: string, mismatches: readonly DigestMismatch[]): string {
  return `The record contradicts itself at "${event}": ${mismatches.map(mismatchToText).join('; ')}.`;
}
