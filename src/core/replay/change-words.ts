/**
 * The one vocabulary for what became of a command between a record and a replay of it, and the one rule by which it is chosen.
 *
 * Invariant: replay, run set, golden cases, comparison and command line take their words from here. A record that a command claimed at
 * another place has *moved*; a record that nobody asked for is *removed* only once the run has come to its end, and *not reached* before.
 */
import type { MatchRule } from './pass-types.ts';
import type { CommandStatus, DivergenceKind, RecordStatus, ReplayOutcome, ReplayReport } from './report-types.ts';
import type { VerdictWord } from './verdict.ts';

/** In the order in which they are told. */
export const changeWords = [
  'reused',
  'moved',
  'superseded',
  'changed',
  'inserted',
  'removed',
  'not reached',
  'suspect',
  'pending',
  'open',
  'uncertain',
  'cancelled',
  'ambiguous',
  'unknown',
] as const;
export type ChangeWord = (typeof changeWords)[number];

/** Whether what is not there yet will not come any more. */
export function hasEnded({ status }: Pick<ReplayOutcome, 'status'>): boolean {
  return status === 'completed' || status === 'failed' || status === 'rolled-over';
}

export function isMove(rule: MatchRule | undefined): boolean {
  return rule === 'M2' || rule === 'M5';
}

export function commandToWord({
  status,
  rule,
  isOpen,
}: {
  readonly status: CommandStatus;
  readonly rule?: MatchRule | undefined;
  readonly isOpen?: true | undefined;
}): ChangeWord {
  if (isOpen === true) return 'open';
  return status === 'reused' && isMove(rule) ? 'moved' : status;
}

export function recordToWord(status: RecordStatus, ended: boolean): ChangeWord {
  if (status === 'retained') return 'reused';
  return status === 'removed' && !ended ? 'not reached' : status;
}

const divergenceWords: Readonly<Record<DivergenceKind, string>> = {
  extra: 'inserted',
  missing: 'removed',
  args: 'changed',
  shifted: 'moved',
  moved: 'moved',
  ambiguous: 'ambiguous',
  order: 'other order',
  state: 'state changed',
  outcome: 'outcome changed',
  'blocked-early': 'waits',
  unconsumed: 'not consumed',
  limit: 'limit',
  record: 'contradiction',
};

export function divergenceToWord(kind: DivergenceKind, ended: boolean): string {
  return kind === 'missing' && !ended ? 'not reached' : divergenceWords[kind];
}

/** Commands and what of the record has none, each once. */
export function countChanges({
  commands,
  removed,
  outcome,
}: Pick<ReplayReport, 'commands' | 'removed' | 'outcome'>): ReadonlyMap<ChangeWord, number> {
  const counts = new Map<ChangeWord, number>();
  for (const command of commands) {
    const word = commandToWord(command);
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  if (removed.length > 0) counts.set(recordToWord('removed', hasEnded(outcome)), removed.length);
  return counts;
}

/** “40 commands reused, 1 moved, 2 not reached”. */
export function changesToText(counts: ReadonlyMap<ChangeWord, number>): string {
  const reused = counts.get('reused') ?? 0;
  const rest = changeWords.flatMap((word) => {
    const count = counts.get(word) ?? 0;
    return word === 'reused' || count === 0 ? [] : [`${String(count)} ${word}`];
  });
  return [`${String(reused)} ${reused === 1 ? 'command' : 'commands'} reused`, ...rest].join(', ');
}

/** The best first. */
export const verdictOrder = [
  'identical',
  'compatible',
  'extends',
  'needs-observation',
  'diverges',
  'limit',
  'error',
] as const satisfies readonly VerdictWord[];

export const verdictMeanings: Readonly<Record<VerdictWord, string>> = {
  identical: 'Every command, state and outcome is the recorded one.',
  compatible: 'Commands moved or states changed, and the outcome is the recorded one.',
  extends: 'It repeats the record and then asks for more than the record has.',
  'needs-observation': 'It asks, before the end of the record, for something the record has no answer to.',
  diverges: 'It ends otherwise than recorded, or stops for good: it waits for a promise that nothing settles.',
  limit: 'A limit of the sandbox ended it.',
  error: 'It could not be replayed.',
};

export function verdictToWords(verdict: VerdictWord): string {
  return verdict === 'needs-observation' ? 'needs an answer' : verdict;
}

/** “1 needs an answer”, “14 need an answer”, “1 diverges”, “2 diverge”. */
export function verdictCountToWords(verdict: VerdictWord, count: number): string {
  const word = verdictToWords(verdict);
  const several = verdict === 'needs-observation' ? 'need an answer' : (severalOf.get(verdict) ?? word);
  return `${count} ${count === 1 ? word : several}`;
}

const severalOf: ReadonlyMap<VerdictWord, string> = new Map([
  ['extends', 'extend'],
  ['diverges', 'diverge'],
]);

const ends: ReadonlyMap<ReplayOutcome['status'], string> = new Map([
  ['completed', 'completes'],
  ['failed', 'fails'],
  ['rolled-over', 'goes on in another run'],
]);

/** Of what the word may stand for, the one that happened. */
export function verdictToSentence(
  verdict: VerdictWord,
  { status, equalsRecorded }: Pick<ReplayOutcome, 'status' | 'equalsRecorded'>,
): string {
  if (verdict !== 'diverges') return verdictMeanings[verdict];
  const end = ends.get(status);
  if (end === undefined) return 'It stops for good: it waits for a promise that nothing settles.';
  return equalsRecorded
    ? `It ${end} as recorded, by other commands than the recorded ones.`
    : `It ${end}, and not as the recorded run ended.`;
}
