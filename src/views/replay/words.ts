/** Rules and flags of the replay engine in the words of the page. */
import { type ChangeWord, commandToWord, recordToWord } from '../../core/replay/change-words.ts';
import type { MatchRule, PendingReason } from '../../core/replay/pass-types.ts';
import type { ReplayFlags } from '../../core/replay/report-types.ts';
import type { CommandStatus, PreviewStatus, RecordStatus, ReplayResultWord } from '../../data/index.ts';
import type { BranchStatus, Tone } from '../../ui/Chip.tsx';
import { countOf } from '../../ui/format.ts';

export const previewWords: Readonly<Record<PreviewStatus, string>> = {
  edited: 'edited',
  falls: 'falls',
  'may-fall': 'may fall',
  unknown: 'unknown',
  stands: 'stands',
};

export const previewMeanings: Readonly<Record<PreviewStatus, string>> = {
  edited: 'what you replaced',
  falls: 'depends on the edit, by what the records say they used',
  'may-fall': 'was only informed by what falls',
  unknown: 'declares nothing it used, so the trace cannot say',
  stands: 'does not depend on the edit',
};

const ruleWords: Readonly<Record<MatchRule, string>> = {
  M1: 'same place, same arguments',
  M2: 'same arguments, at another place in its group',
  M5: 'same arguments, at another place or under another key',
  unchecked: 'same place; its arguments are not recorded',
  suspect: 'delivered although what it read may have changed',
  segment: 'its whole segment stands',
};

export function ruleToWords(rule: MatchRule): string {
  return ruleWords[rule];
}

const pendingWords: Readonly<Record<PendingReason, string>> = {
  inserted: 'The record has no command at this place.',
  changed: 'It asks with other arguments than the recorded command, so the recorded answer does not count.',
  suspect: 'What it reads may have been changed by the edit, so the recorded answer does not count.',
  uncertain: 'It was sent, and no record says whether it was executed.',
  'open-in-record': 'The record has no answer to it either.',
  'value-not-recorded': 'An answer is on record, its value is not.',
  withheld: 'The answer is withheld in this copy.',
  'value-absent': 'The answer is recorded by digest, and its bytes are not in the trace.',
  'double-claim': 'Another command of this branch already took the only matching record.',
  'waits-inside': 'It waits for a command inside it.',
};

export function pendingToWords(reason: PendingReason): string {
  return pendingWords[reason];
}

/** What a command lacks that was open when the run ended. */
export const openToWords = 'The run ended before it was answered.';

/** The word of the core; three of them are told by the badge of another and their own word beside it. */
export function commandToBadge(command: {
  readonly status: CommandStatus;
  readonly rule?: MatchRule | undefined;
  readonly isOpen?: true | undefined;
}): BranchStatus {
  return wordToBadge(commandToWord(command));
}

export function recordToBadge(status: RecordStatus, ended: boolean): BranchStatus {
  return wordToBadge(recordToWord(status, ended));
}

function wordToBadge(word: ChangeWord): BranchStatus {
  if (word === 'cancelled') return 'reused';
  if (word === 'open') return 'not reached';
  return word === 'ambiguous' ? 'unknown' : word;
}

export const resultTones: Readonly<Record<ReplayResultWord, Tone>> = {
  identical: 'ok',
  'identical-where-recorded': 'ok',
  complete: 'ok',
  blocked: 'accent',
  diverged: 'danger',
  limit: 'warning',
  error: 'danger',
  'not-replayable': 'warning',
};

function isResultWord(status: string): status is ReplayResultWord {
  return Object.hasOwn(resultTones, status);
}

/** The status stored with a branch; a stream from elsewhere may name one that is not known here. */
export function statusToTone(status: string): Tone {
  return isResultWord(status) ? resultTones[status] : 'warning';
}

/** Everything that makes a result weaker than it looks, in sentences. */
export function flagsToSentences(flags: ReplayFlags): readonly string[] {
  const out: string[] = [];
  if (flags.orderAssumed) {
    out.push(
      'The trace does not record the order in which answers were delivered; the order of the log was taken (order assumed).',
    );
  }
  const say = (list: readonly string[], one: string, rest: string): void => {
    if (list.length > 0)
      out.push(`${countOf(list.length, one)} ${rest}: ${list.slice(0, 5).join(', ')}${list.length > 5 ? ' …' : ''}.`);
  };
  say(flags.derivedOrder, 'race', 'decided by virtual time, not by the record (derived order)');
  say(flags.clamped, 'answer', 'delivered later than recorded, because its command is now issued later (clamped)');
  say(flags.unchecked, 'command', 'matched by place alone, because arguments are not recorded');
  say(flags.derivedDraws, 'draw', 'of time or chance computed, not recorded (derived draw)');
  say(
    flags.orderDependentIdentity,
    'command',
    'named by the order in which concurrent code ran (order-dependent identity)',
  );
  if (flags.rules.length > 0) out.push(`Commands were inferred by ${flags.rules.join(', ')}.`);
  return out;
}
