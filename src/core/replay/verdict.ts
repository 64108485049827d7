/**
 * How a patched program fares against one recorded run (3.10), and the comparison over a set of runs.
 */
import { hasEnded } from './change-words.ts';
import type { ChangedProtection } from './protection.ts';
import type { ReplayReport } from './report-types.ts';

export type VerdictWord = 'identical' | 'compatible' | 'extends' | 'needs-observation' | 'diverges' | 'limit' | 'error';

export interface PatchVerdict {
  readonly run: string;
  readonly verdict: VerdictWord;
  /** The replay came to its end: what it did not ask for is removed, and not merely not reached. */
  readonly ended: boolean;
  /** Reused of recorded, 0 to 1. */
  readonly reuse: number;
  readonly firstDifference: string | undefined;
  /** Idempotency keys that are new, gone or others. */
  readonly protections: readonly ChangedProtection[];
  /** Effects the new program would send. */
  readonly newEffects: readonly string[];
  readonly orphanEffects: readonly string[];
  readonly extraModelCalls: number;
  /** Their paths, in order of issue. */
  readonly extraModelPaths: readonly string[];
  readonly programs: ReplayReport['programs'];
}

export function computeVerdict(report: Omit<ReplayReport, 'lines'>): PatchVerdict {
  // Asked for and not answered by the record, also where the run ended without waiting for the answer.
  const fresh = report.commands.filter(
    ({ status, waitsFor }) =>
      status === 'inserted' || status === 'changed' || waitsFor === 'inserted' || waitsFor === 'changed',
  );
  const extraModelPaths = [...new Set(fresh.filter((item) => item.kind === 'model').map((item) => item.path))];
  return {
    run: report.run,
    verdict: toVerdict(report),
    ended: hasEnded(report.outcome),
    reuse: report.records.length === 0 ? 1 : report.reused.length / report.records.length,
    firstDifference: report.divergences[0]?.message,
    protections: report.protections,
    newEffects: [...new Set(fresh.filter((item) => item.kind === 'write').map((item) => item.path))],
    orphanEffects: report.orphanEffects.map((item) => item.path),
    extraModelCalls: extraModelPaths.length,
    extraModelPaths,
    programs: report.programs,
  };
}

function toVerdict(report: Omit<ReplayReport, 'lines'>): VerdictWord {
  switch (report.result) {
    case 'error':
    case 'not-replayable':
      return 'error';
    case 'limit':
      return 'limit';
    case 'identical':
      return 'identical';
    // Behind a record that stops it may go on, which is no difference from it.
    case 'identical-where-recorded':
      return report.pending.some(({ waitsFor }) => waitsFor === 'inserted') ? 'extends' : 'identical';
    default:
      break;
  }
  const harmless = report.divergences.every(
    (d) => d.kind === 'shifted' || d.kind === 'moved' || d.kind === 'state' || d.kind === 'order',
  );
  // Of a record without an end the outcome is equal as long as nothing ended: what waits for an answer decides then.
  if (harmless && report.outcome.equalsRecorded && report.result !== 'blocked') return 'compatible';
  // A child that waits inside is not what is waited for: where nothing else is, no answer would help.
  const waiting = report.pending.filter((item) => item.waitsFor !== 'waits-inside');
  if (waiting.length + report.uncertain.length === 0) return 'diverges';
  const onlyInserted = waiting.every((item) => item.waitsFor === 'inserted') && report.uncertain.length === 0;
  const everythingElseStands = report.records.every(({ status }) => status !== 'removed' && status !== 'changed');
  return onlyInserted && everythingElseStands ? 'extends' : 'needs-observation';
}
