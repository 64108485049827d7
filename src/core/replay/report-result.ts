/**
 * The one word for a replay, and the sentence that goes with it.
 */
import type { Divergence, ReplayFlags, ReplayOutcome, ReplayResultWord } from './report-types.ts';

export interface ResultInput {
  /** Nothing was changed: an unedited replay, or an operation whose every edit equals the record. */
  readonly unchanged: boolean;
  readonly outcome: ReplayOutcome;
  readonly divergences: readonly Divergence[];
  readonly flags: ReplayFlags;
  readonly counts: Readonly<Record<string, number>>;
  readonly passLimit: boolean;
}

export function decideResult(input: ResultInput): ReplayResultWord {
  const { unchanged, outcome, divergences, counts } = input;
  if (outcome.status === 'no-program') return 'error';
  if (outcome.status === 'limit' || input.passLimit) return 'limit';
  const settled = outcome.status !== 'open';
  const everythingStands =
    divergences.length === 0 &&
    of(counts, 'superseded') +
      of(counts, 'changed') +
      of(counts, 'removed') +
      of(counts, 'inserted') +
      of(counts, 'suspect') ===
      0;
  if (unchanged || everythingStands) {
    // What is merely not reached behind a value the record lacks is no difference of the run.
    const isOnlyBlocked = divergences.every((d) => d.kind === 'missing' || d.kind === 'blocked-early');
    if (divergences.length > 0)
      return !settled && isOnlyBlocked && of(counts, 'pending') + of(counts, 'uncertain') > 0 ? 'blocked' : 'diverged';
    if (!settled && of(counts, 'uncertain') + blockedByValues(counts) > 0) return 'blocked';
    return isFullyChecked(input.flags) ? 'identical' : 'identical-where-recorded';
  }
  return settled ? 'complete' : 'blocked';
}

/** Open in the record too is legal; waiting for a value that was recorded elsewhere is not. */
function blockedByValues(counts: Readonly<Record<string, number>>): number {
  return of(counts, 'valueMissing');
}

function isFullyChecked(flags: ReplayFlags): boolean {
  return !flags.orderAssumed && flags.derivedOrder.length + flags.unchecked.length + flags.derivedDraws.length === 0;
}

function of(counts: Readonly<Record<string, number>>, key: string): number {
  return counts[key] ?? 0;
}

export function resultToSentence(result: ReplayResultWord, input: ResultInput): string {
  const { counts, divergences, outcome, flags } = input;
  const waiting = of(counts, 'pending') + of(counts, 'uncertain');
  switch (result) {
    case 'identical':
      return `Identical: ${plural(of(counts, 'reused'), 'command')}, states and outcome are the recorded ones.`;
    case 'identical-where-recorded':
      return `Identical where recorded: ${plural(flags.unchecked.length, 'command')} without recorded arguments, ${plural(flags.derivedDraws.length, 'draw')} derived${flags.orderAssumed ? ', order assumed' : ''}${flags.derivedOrder.length > 0 ? ', order derived from virtual time' : ''}.`;
    case 'complete':
      return `The branch completes: ${plural(of(counts, 'reused'), 'command')} reused, ${String(of(counts, 'superseded'))} superseded, ${String(of(counts, 'changed'))} changed, ${String(of(counts, 'inserted'))} inserted, ${plural(of(counts, 'removed'), 'record')} removed.`;
    case 'blocked':
      return `The branch stops at ${plural(waiting, 'command')} without a recorded observation; ${plural(of(counts, 'reused'), 'command')} reused.`;
    case 'diverged':
      return `Not identical: ${divergences[0]?.message ?? 'it differs'}`;
    case 'limit':
      return outcome.message ?? 'A limit of the replay was reached.';
    case 'error':
      return `The text is not a control program: ${outcome.message ?? 'it does not load'}.`;
    case 'not-replayable':
      return outcome.message ?? 'The run cannot be replayed.';
  }
}

function plural(count: number, noun: string): string {
  return `${String(count)} ${noun}${count === 1 ? '' : 's'}`;
}
