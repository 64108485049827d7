/**
 * The new branch beside the original: commands and records in one list, aligned by the identity of the command.
 *
 * Invariant: every command and every record of a report is in exactly one row. Rows follow the branch; what only the original has stands
 * behind the record it followed there.
 */
import type { EventId } from '../../core/model/index.ts';
import { hasEnded } from '../../core/replay/change-words.ts';
import type { ReplayReason } from '../../core/replay/reason.ts';
import type { CommandReport, OrphanEffect, RecordReport } from '../../core/replay/report-types.ts';
import type { ReplayReport } from '../../data/index.ts';
import type { BranchStatus } from '../../ui/Chip.tsx';
import { commandToBadge, recordToBadge } from './words.ts';

export interface AlignedRow {
  readonly key: string;
  readonly path: string;
  readonly kind: string;
  readonly name: string;
  readonly status: BranchStatus;
  /** Where the badge is coarser than what the engine said. */
  readonly exactly?: 'cancelled' | 'ambiguous' | 'open' | undefined;
  readonly command?: CommandReport | undefined;
  readonly record?: RecordReport | undefined;
  readonly orphan?: OrphanEffect | undefined;
  readonly reasons: readonly ReplayReason[];
}

export type AlignedReport = Pick<ReplayReport, 'commands' | 'records' | 'orphanEffects' | 'preview' | 'outcome'>;

export function reportToRows(report: AlignedReport): readonly AlignedRow[] {
  const { commands, records, orphanEffects, preview } = report;
  const ended = hasEnded(report.outcome);
  const declared = new Map((preview?.items ?? []).map(({ path, reasons }) => [path, reasons]));
  const recordsByEvent = new Map(records.map((record) => [record.event, record]));
  const orphans = new Map(orphanEffects.map((orphan) => [orphan.event, orphan]));
  const matched = new Set<EventId | undefined>(commands.map(({ event }) => event));
  const behind = new Map<EventId | undefined, RecordReport[]>();
  let last: EventId | undefined;
  for (const record of records) {
    if (matched.has(record.event)) last = record.event;
    else behind.set(last, [...(behind.get(last) ?? []), record]);
  }
  const rows: AlignedRow[] = [];
  const addRecords = (after: EventId | undefined): void => {
    for (const record of behind.get(after) ?? []) rows.push(recordToRow(record, ended, orphans.get(record.event)));
    behind.delete(after);
  };
  addRecords(undefined);
  const placed = new Set<EventId>();
  for (const [n, command] of commands.entries()) {
    const { event } = command;
    // Two commands may name one record; it is compared with the first.
    const record = event === undefined || placed.has(event) ? undefined : recordsByEvent.get(event);
    if (event !== undefined) placed.add(event);
    rows.push(commandToRow(command, n, record, event === undefined ? undefined : orphans.get(event)));
    if (event !== undefined) addRecords(event);
  }
  return rows.map((row) => ({ ...row, reasons: preferDeclared(row.reasons, declared.get(row.path)) }));
}

/** Where re-execution knows no path to the change, the one by declared edges is told, if there is one. */
function preferDeclared(
  reasons: readonly ReplayReason[],
  declared: readonly ReplayReason[] | undefined,
): readonly ReplayReason[] {
  const isUnexplained = reasons.length === 1 && reasons[0]?.as === 'undeclared';
  return isUnexplained && declared !== undefined && declared.length > 0 ? declared : reasons;
}

function recordToRow(record: RecordReport, ended: boolean, orphan: OrphanEffect | undefined): AlignedRow {
  const { path, kind, name, reasons } = record;
  return {
    key: `record ${record.event}`,
    path,
    kind,
    name,
    status: recordToBadge(record.status, ended),
    record,
    orphan,
    reasons,
  };
}

function commandToRow(
  command: CommandReport,
  n: number,
  record: RecordReport | undefined,
  orphan: OrphanEffect | undefined,
): AlignedRow {
  const { path, kind, name, status, reasons, waitsFor, isOpen } = command;
  return {
    key: `command ${n}`,
    path,
    kind,
    name,
    status: waitsFor === 'suspect' && isOpen !== true ? 'suspect' : commandToBadge(command),
    exactly: isOpen === true ? 'open' : status === 'cancelled' || status === 'ambiguous' ? status : undefined,
    command,
    record,
    orphan,
    reasons,
  };
}

/** Effects the world keeps and the branch does not are counted beside the status of their row. */
export function rowsToCounts(rows: readonly AlignedRow[]): ReadonlyMap<BranchStatus, number> {
  const counts = new Map<BranchStatus, number>();
  const add = (status: BranchStatus): void => {
    counts.set(status, (counts.get(status) ?? 0) + 1);
  };
  for (const { status, orphan } of rows) {
    add(status);
    if (orphan !== undefined) add('orphan effect');
  }
  return counts;
}

export function isRowOf({ status, orphan }: AlignedRow, shown: BranchStatus | undefined): boolean {
  return shown === undefined || status === shown || (shown === 'orphan effect' && orphan !== undefined);
}
