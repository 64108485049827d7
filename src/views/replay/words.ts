/** Rules, reasons and flags of the replay engine in the words of the page. */
import type { CauseKind } from '../../core/model/index.ts';
import type { MatchRule, PendingReason } from '../../core/replay/pass-types.ts';
import type { ReplayFlags } from '../../core/replay/report-types.ts';
import type { CommandStatus, PreviewStatus, RecordStatus, ReplayResultWord } from '../../data/index.ts';
import type { BranchStatus, Tone } from '../../ui/Chip.tsx';
import { countOf } from '../../ui/format.ts';

const causeWords: Readonly<Record<CauseKind, string>> = {
  caused_by: 'follows from',
  informed_by: 'was informed by',
  selected_by: 'was selected by',
  authorized_by: 'was authorised by',
  result_of: 'is the answer to',
  consumed: 'used',
};

const otherReasons: Readonly<Record<string, string>> = {
  edited: 'was edited:',
  input: 'changed with the input of',
  program: 'changed with the program of',
  record: 'differs from',
  content: 'repeats text of (inferred)',
  from_version: 'builds on the version made by',
  undeclared: 'fell with no declared edge to',
  'not-reached': 'was not reached after',
  uncertain: 'was sent, and nothing says what became of',
  'open-in-record': 'has no answer in',
  'value-not-recorded': 'has an answer without a value in',
  'value-absent': 'has an answer whose bytes are missing in',
};

function isCauseKind(as: string): as is CauseKind {
  return Object.hasOwn(causeWords, as);
}

/** One step of a path of reasons, read before the event it names. */
export function reasonToWords(as: string): string {
  if (as.startsWith('world:')) return `may read what changed in “${as.slice('world:'.length)}”, through`;
  if (isCauseKind(as)) return causeWords[as];
  return otherReasons[as] ?? as.replaceAll(/[_-]/g, ' ');
}

export const previewWords: Readonly<Record<PreviewStatus, string>> = {
  edited: 'superseded',
  falls: 'falls',
  'may-fall': 'may fall',
  unknown: 'unknown',
  stands: 'stands',
};

export const previewMeanings: Readonly<Record<PreviewStatus, string>> = {
  edited: 'what you replaced',
  falls: 'depends on the edit through declared edges',
  'may-fall': 'was only informed by what falls',
  unknown: 'declares nothing it used, so the trace cannot say',
  stands: 'does not depend on the edit',
};

const ruleWords: Readonly<Record<MatchRule, string>> = {
  M1: 'same place, same arguments',
  M2: 'same arguments, another place in its group',
  M5: 'same arguments, moved to another scope',
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
  'open-in-record': 'The original run has no answer to it either.',
  'value-not-recorded': 'An answer is on record, its value is not.',
  'value-absent': 'The answer is recorded by digest, and its bytes are not in the trace.',
  'double-claim': 'Another command of this branch already took the only matching record.',
  'waits-inside': 'It waits for a command inside it.',
};

export function pendingToWords(reason: PendingReason): string {
  return pendingWords[reason];
}

export function commandToBadge(status: CommandStatus): BranchStatus {
  if (status === 'cancelled') return 'reused';
  if (status === 'ambiguous') return 'unknown';
  return status;
}

export function recordToBadge(status: RecordStatus): BranchStatus {
  return status === 'retained' ? 'reused' : status;
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

export function resultToWord(result: ReplayResultWord): string {
  return result.replaceAll('-', ' ');
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
