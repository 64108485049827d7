/**
 * Whether a replay repeats a record to its end, where the record simply stops: a session that was cut off, a process that died.
 *
 * What the program asks behind the last recorded position is then no difference: nothing is recorded that it could differ from. Commands
 * that the record leaves open are the end of it as well. Called by `report.ts`.
 */
import type { CommandDelivery, PassResult, ReplayCommand } from './pass-types.ts';
import { type Position, comparePositions, laterPosition } from './position.ts';
import type { Divergence } from './report-types.ts';
import type { SegmentRun } from './segment-run.ts';
import { isBaseRecord, recordToStatus } from './statuses.ts';

/**
 * `runs` of an operation without edits, `divergences` of all of them. Where the record has no program, positions between concurrent
 * agents were worked out on opening: each of them then stops where its own records do.
 */
export function isRepeatedToEnd(
  runs: readonly SegmentRun[],
  divergences: readonly Divergence[],
  hasProgram: boolean,
): boolean {
  const last = runs.at(-1);
  if (last?.pass === undefined || last.info.outcome !== undefined) return false;
  const { pass, journal } = last;
  if (pass.settled?.kind === 'not-a-program' || pass.limit !== undefined) return false;
  if (runs.some(({ passLimit }) => passLimit)) return false;
  const records = journal.entries.filter(isBaseRecord);
  if (records.length === 0) return false;
  // Without edits nothing is paired: a record that another command took the place of has a divergence of its own.
  const stands = records.every((record) => {
    const status = recordToStatus(record, pass, new Map());
    return status === 'retained' || (status === 'unknown' && isOpenInRecord(pass, record.path));
  });
  if (!stands) return false;
  const ends = new Map<string, Position>();
  for (const { scope, issued, delivered } of records) {
    const where = hasProgram ? '' : scope;
    ends.set(where, laterPosition(issued, laterPosition(delivered, ends.get(where) ?? '0')));
  }
  const isBehind = ({ moment, scope }: ReplayCommand): boolean =>
    comparePositions(moment, ends.get(hasProgram ? '' : scope) ?? '0') >= 0;
  const behind = new Set(
    pass.commands.filter((command) => isOwn(command.delivery) && isBehind(command)).map(({ path }) => path),
  );
  return divergences.every(({ kind, path, segment }) => {
    if (segment !== last.info.segment) return false;
    return kind === 'extra' ? behind.has(path) : kind === 'outcome' && path === '';
  });
}

/** Not answered, or answered by the program itself: what a record of its own would hold next. */
function isOwn(delivery: CommandDelivery | undefined): boolean {
  return delivery === undefined || delivery.source === 'computed';
}

function isOpenInRecord(pass: PassResult, path: string): boolean {
  const reason = pass.claimed.get(path)?.pending;
  return reason === 'open-in-record' || reason === 'uncertain' || reason === 'waits-inside';
}
