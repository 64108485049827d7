/**
 * The one word for a replay, and the sentence that goes with it.
 */
import { createTable } from '../base/table.ts';
import { type ChangeWord, changesToText } from './change-words.ts';
import { kindToText } from './kind-words.ts';
import { type ChangedProtection, protectionsToText } from './protection.ts';
import type { Divergence, ReplayFlags, ReplayItem, ReplayOutcome, ReplayResultWord } from './report-types.ts';

export interface ResultInput {
  /** Nothing was changed: an unedited replay, or an operation whose every edit equals the record. */
  readonly unchanged: boolean;
  readonly outcome: ReplayOutcome;
  readonly divergences: readonly Divergence[];
  /** Everything recorded is repeated; there the record stops, and the program asks more, ends, or waits for what became of an effect. */
  readonly isToEnd: boolean;
  /** The record holds the program that ran, or at least says which one it was. */
  readonly hasProgram: boolean;
  readonly protections: readonly ChangedProtection[];
  readonly flags: ReplayFlags;
  readonly counts: Readonly<Record<string, number>>;
  /** Every command is as recorded, and every record stands or says nothing. */
  readonly isUntouched: boolean;
  /** The same in the words in which they are told. */
  readonly changes: ReadonlyMap<ChangeWord, number>;
  readonly passLimit: boolean;
  /** Pending and uncertain commands, in order of issue. */
  readonly waiting: readonly ReplayItem[];
}

export function decideResult(input: ResultInput): ReplayResultWord {
  const { unchanged, outcome, divergences, counts } = input;
  if (outcome.status === 'no-program') return 'error';
  if (outcome.status === 'limit' || input.passLimit) return 'limit';
  // A program that is brought is held against the record; what became of an effect is asked once it is known to fit.
  if (input.isToEnd && !(input.hasProgram && of(counts, 'uncertain') > 0)) return 'identical-where-recorded';
  const settled = outcome.status !== 'open';
  const everythingStands = divergences.length === 0 && input.isUntouched;
  if (unchanged || everythingStands) {
    // What is merely not reached behind a value the record lacks is no difference of the run.
    const isOnlyBlocked = divergences.every((d) => d.kind === 'missing' || d.kind === 'blocked-early');
    if (divergences.length > 0)
      return !settled && isOnlyBlocked && of(counts, 'pending') + of(counts, 'uncertain') > 0 ? 'blocked' : 'diverged';
    if (!settled && of(counts, 'uncertain') + blockedByValues(counts) > 0) return 'blocked';
    // A program that never ends where the record did is not the recorded run, whatever it asked until then.
    if (!settled && !outcome.equalsRecorded) return 'blocked';
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

/** The result, and that the run itself failed where it did: a branch that completes by throwing is no success. */
export function resultToSentence(result: ReplayResultWord, input: ResultInput): string {
  const { error, equalsRecorded } = input.outcome;
  const keys = shorten(protectionsToText(input.protections));
  const sentence = `${wordToSentence(result, input)}${keys === '' ? '' : ` ${keys}`}`;
  if (error === undefined) return sentence;
  const what = shorten(`${error.name}: ${error.message}`);
  return equalsRecorded ? `${sentence} The run failed as recorded: ${what}` : `The run failed: ${what}. ${sentence}`;
}

function wordToSentence(result: ReplayResultWord, input: ResultInput): string {
  const { counts, divergences, outcome, flags } = input;
  switch (result) {
    case 'identical':
      return `Identical: ${plural(of(counts, 'reused'), 'command')}, states and outcome are the recorded ones.`;
    case 'identical-where-recorded':
      if (input.isToEnd) return `${toEndToText(input)}${weaknessToText(input)}`;
      return `Identical where recorded: ${weaknesses(flags).join(', ')}.`;
    case 'complete':
      return `The branch ${outcome.error === undefined ? 'completes' : 'ends'}: ${changesToText(input.changes)}.`;
    case 'blocked':
      return `${blockedToText(input.waiting)} ${changesToText(input.changes)}.`;
    case 'diverged':
      return `Not identical: ${shorten(divergences[0]?.message ?? 'it differs')}`;
    case 'limit':
      return shorten(outcome.message ?? 'A limit of the replay was reached.');
    case 'error':
      return `The text is not a control program: ${shorten(outcome.message ?? 'it does not load')}.`;
    case 'not-replayable':
      return outcome.message ?? 'The run cannot be replayed.';
  }
}

/** What came behind the end of the record is no difference, and is told as what it is. */
function toEndToText({ counts, waiting, outcome, changes }: ResultInput): string {
  const reused = of(counts, 'reused') + (changes.get('cancelled') ?? 0);
  const start = `It repeats the record to its end, ${plural(reused, 'command')}.`;
  const [first] = waiting.filter((item) => item.waitsFor !== 'waits-inside');
  if (first === undefined)
    return `${start} The record stops there${outcome.status === 'open' ? '' : ', before the run ended; here the program ends'}.`;
  const what = `the ${kindToText(first.kind)} "${shorten(first.name)}" at ${shorten(first.path)}`;
  if (first.waitsFor === 'inserted') return `${start} The record stops there; next the program asks for ${what}.`;
  const why = reasonTexts[first.waitsFor ?? 'open-in-record'] ?? first.waitsFor ?? '';
  return `${start} It stops within ${what}: ${why}.`;
}

/** What the word is weaker for besides. */
function weaknessToText({ flags }: ResultInput): string {
  const parts = weaknesses(flags);
  return parts.length === 0 ? '' : ` Weaker than identical: ${parts.join(', ')}.`;
}

/** What could not be compared, in a few words each; what there is none of is not counted. */
function weaknesses(flags: ReplayFlags): readonly string[] {
  return [
    ...(flags.unchecked.length === 0
      ? []
      : [`${plural(flags.unchecked.length, 'command')} without recorded arguments`]),
    ...(flags.derivedDraws.length === 0 ? [] : [`${plural(flags.derivedDraws.length, 'draw')} derived`]),
    ...(flags.orderAssumed ? ['order assumed'] : []),
    ...(flags.derivedOrder.length === 0 ? [] : ['order derived from virtual time']),
  ];
}

/** What a sentence quotes at most; the whole text stands in the outcome. */
const mostQuoted = 500;

function shorten(text: string): string {
  if (text.length <= mostQuoted) return text;
  return `${text.slice(0, mostQuoted).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** What the program waits for, and what to do next. A child that waits inside is not what is waited for. */
function blockedToText(waiting: readonly ReplayItem[]): string {
  const items = waiting.filter((item) => item.waitsFor !== 'waits-inside');
  const [first] = items;
  if (first !== undefined) {
    const why = reasonTexts[first.waitsFor ?? 'open-in-record'] ?? first.waitsFor ?? '';
    const what = `the ${kindToText(first.kind)} "${shorten(first.name)}" at ${shorten(first.path)} (${why})`;
    const isKnown = first.waitsFor === 'uncertain';
    const wait =
      items.length === 1
        ? `waits for ${isKnown ? 'what became of' : 'the answer to'} ${what}`
        : `waits for their answers, first ${what}`;
    const next = isKnown
      ? 'Adopt the evidence of it or supply its answer, and it goes on.'
      : `Supply ${items.length === 1 ? 'the answer' : 'the answers'}, and it goes on.`;
    return `The branch stops at ${plural(items.length, 'command')} and ${wait}. ${next}`;
  }
  const inside = waiting[0] === undefined ? '' : ` inside ${shorten(waiting[0].path)}`;
  return `The branch stops with no command open: the program waits${inside} for a promise that nothing settles, and cannot go on. Change the program or the edit.`;
}

const reasonTexts: Readonly<Record<string, string>> = createTable({
  inserted: 'not in the record',
  changed: 'its arguments differ from the record',
  suspect: 'what it read was touched by a change',
  uncertain: 'the record does not say whether it was executed',
  'open-in-record': 'the record has no ending of it',
  'value-not-recorded': 'its value was not recorded',
  'value-absent': 'its value is stored apart and absent',
  'double-claim': 'another command took its record over',
  withheld: 'its value is withheld in this copy',
});

function plural(count: number, noun: string): string {
  return `${String(count)} ${noun}${count === 1 ? '' : 's'}`;
}
