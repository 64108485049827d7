/** Why a record fell, in the words of the page: one step of a path of reasons, read before the event it names. */
import { createTable } from '../core/base/table.ts';

const words: Readonly<Record<string, string>> = createTable({
  caused_by: 'follows from',
  informed_by: 'was informed by',
  selected_by: 'was selected by',
  authorized_by: 'was authorised by',
  result_of: 'is the answer to',
  consumed: 'used',
  edited: 'was edited:',
  input: 'changed with the input of',
  program: 'changed with the program of',
  record: 'differs from',
  content: 'repeats text of (inferred)',
  from_version: 'builds on the version made by',
  undeclared: 'fell with no declared edge to',
  inside: 'holds',
  'run-ended': 'was cut off: the run ended first, after',
  'not-reached': 'was not reached after',
  uncertain: 'was sent, and nothing says what became of',
  'open-in-record': 'has no answer in',
  'value-not-recorded': 'has an answer without a value in',
  withheld: 'has an answer that is withheld in',
  'value-absent': 'has an answer whose bytes are missing in',
});

export function reasonToWords(as: string): string {
  if (as.startsWith('world:')) return `may read what changed in “${as.slice('world:'.length)}”, through`;
  // The last step of a path that was cut says so behind its word.
  const cut = / \(\d+ steps? before it (?:is|are) left out\)$/.exec(as)?.[0];
  if (cut !== undefined) return `${cut.trim()} ${reasonToWords(as.slice(0, -cut.length))}`;
  return Object.hasOwn(words, as) ? (words[as] ?? as) : as.replaceAll(/[_-]/g, ' ');
}

/** Steps of a path that say something. A result and its request are one: the hop between them is told only where the path ends in it. */
export function reasonsToSteps<Reason extends { readonly as: string }>(reasons: readonly Reason[]): readonly Reason[] {
  return reasons.filter(({ as }, at) => as !== 'result_of' || at === reasons.length - 1);
}
