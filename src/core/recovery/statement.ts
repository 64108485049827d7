/**
 * The sentence that may be quoted: what was tried, on what, and what was recorded (R89). It never speaks of what was not tried.
 *
 * Invariant: it speaks in words; an id stands in it only where nothing else tells which one is meant. Trials with several kills in one
 * run are told apart from those with one. In a suspect campaign its first words are that it must not be quoted.
 */
import type { JsonObject } from '../base/json.ts';
import { nameOfEngine } from './engine-run.ts';
import { countInvariants, isCounted, needsRepetition } from './invariant-counts.ts';
import { isRedeployed } from './menu.ts';
import { extraCallsOf } from './outcome.ts';
import { struckToWords } from './struck-words.ts';
import { textIn } from './trial-records.ts';
import type { Cell, EnvelopeReport, NegativeControlReport, TrialReport } from './report.ts';

export interface StatementInput {
  readonly name: string;
  readonly envelope: JsonObject;
  readonly report: EnvelopeReport;
  readonly trials: readonly TrialReport[];
  readonly grid: readonly Cell[];
  /** What the control that must fail says of the whole campaign. */
  readonly negativeControl: NegativeControlReport['status'];
}

export function computeStatement(input: StatementInput): string {
  const words = input.trials.some(isCounted) ? triedToWords(input) : nothingToWords(input);
  return input.negativeControl === 'passes' ? `${mustNotBeQuoted} ${words}` : words;
}

const mustNotBeQuoted =
  'This must not be quoted: the control that must fail passed, so that a duplicate would have been seen in these trials is not shown.';

function nothingToWords({ name, envelope }: StatementInput): string {
  return `Of ${designToWords(name, envelope).words}, no valid trial with a fault is among these records; nothing can be said.`;
}

function triedToWords({ name, envelope, report, trials, grid, negativeControl }: StatementInput): string {
  const valid = trials.filter(isCounted);
  const design = designToWords(name, envelope);
  const struck = grid.filter(({ fixed, repeated, random }) => fixed.length + repeated.length + random.length > 0);
  const n = valid.length;
  const of = (count: number): string => `${count} of ${n}`;
  const sum = (test: (trial: TrialReport) => boolean): number => valid.filter(test).length;
  const unknown = (what: 'duplicates' | 'losses'): string => {
    const count = sum(({ outcome }) => outcome[what] === undefined);
    return count === 0 ? '' : ` (not known in ${count})`;
  };
  const unseen = sum(({ outcome }) => extraCallsOf(outcome).count === undefined);
  const redeployed = sum(isRedeployed);
  const sentences = [
    `In ${n} valid ${n === 1 ? 'trial' : 'trials'} of ${design.words} (${design.id}${killsToWords(valid)})${settingOf(envelope)}, with ${struckToWords(valid, struck)}${redeployed === 0 ? '' : `, and other code after the restart in ${of(redeployed)}`}:`,
    `the run completed in ${of(sum(({ outcome }) => outcome.completed === true))};`,
    `effects were executed more than once in ${of(sum(({ outcome }) => (outcome.duplicates ?? 0) > 0))}${unknown('duplicates')}`,
    `and missing in ${of(sum(({ outcome }) => (outcome.losses ?? 0) > 0))}${unknown('losses')};`,
    `a model was asked again in ${of(sum(({ outcome }) => (extraCallsOf(outcome).count ?? 0) > 0))}${unseen === 0 ? '' : ` (not known in ${unseen})`}.`,
    invariantSentences(valid),
    report.complete ? '' : `Not recorded in the envelope: ${report.missing.join(', ')}.`,
    'This says nothing about other workloads, settings, faults or boundaries.',
    notShownToWords(negativeControl),
  ];
  return sentences.filter((sentence) => sentence !== '').join(' ');
}

/** Without a control that was seen to fail, that nothing was doubled may be that nobody could have seen it. */
function notShownToWords(status: NegativeControlReport['status']): string {
  const what = 'That duplicates would have been seen is not shown:';
  if (status === 'absent') return `${what} no control that must fail is among the trials.`;
  if (status !== 'not struck after a commitment') return '';
  return `${what} no kill after a commitment in a valid trial of the control that must fail can be judged.`;
}

/** "2 with one kill, 1 with 5 kills in its run": what several kills in one run show is not what one shows. */
function killsToWords(trials: readonly TrialReport[]): string {
  const counts = new Map<number, number>();
  for (const { placements } of trials) counts.set(placements.length, (counts.get(placements.length) ?? 0) + 1);
  const told = [...counts].sort(([a], [b]) => a - b).map(([kills, n]) => [n, killCountToWords(kills, n)] as const);
  const [only, another] = told;
  if (only !== undefined && another === undefined) return `${only[1]}${only[0] === 1 ? '' : ' each'}`;
  return told.map(([n, words]) => `${n} with ${words}`).join(', ');
}

function killCountToWords(kills: number, trials: number): string {
  if (kills === 0) return 'no kill but another fault';
  return kills === 1 ? 'one kill' : `${kills} kills in ${trials === 1 ? 'its run' : 'one run'}`;
}

function settingOf(envelope: JsonObject): string {
  const version = textIn(envelope, 'engine_version');
  const parts = [
    ['workload', textIn(envelope, 'workload')],
    version === undefined ? ['runtime', textIn(envelope, 'runtime')] : ['engine version', version],
  ] as const;
  return parts.map(([what, text]) => (text === undefined ? '' : `, ${what} "${text}"`)).join('');
}

/** First words of the names that harnesses give their designs, beside those of the engines with tables of their own. */
const designNames: ReadonlyMap<string, string> = new Map([
  ['naive', 'naive restart'],
  ['journal', 'journal'],
  ['temporal', 'Temporal'],
  ['inngest', 'Inngest'],
]);

/** `restate-idem` of an envelope with a key: Restate, with an idempotency key, and the id beside it. A name in words stays as it is. */
function designToWords(name: string, envelope: JsonObject): { readonly words: string; readonly id: string } {
  const [, id, number = ''] = /^(\S+)( \(\d+\))?$/.exec(name) ?? [];
  const [first = '', ...more] = (id ?? '').toLowerCase().split(/[^a-z0-9]+/);
  const engine = nameOfEngine(first);
  const known = designNames.get(first) ?? (engine === first ? undefined : engine);
  if (id === undefined || known === undefined) return { words: name, id: '' };
  const key = envelope['idempotency_key'];
  const told = typeof key === 'boolean' ? `, with${key ? ' an' : 'out'} idempotency key` : '';
  return { words: `${known}${told}`, id: more.length === 0 && number === '' ? '' : `"${name}", ` };
}

/** "In every one" is said only of what was checked in every one; for the others the number of trials that it rests on stands beside it. */
function invariantSentences(trials: readonly TrialReport[]): string {
  const counts = countInvariants(trials);
  const held = counts.filter(({ checked, violatedIn }) => checked > 0 && violatedIn.length === 0);
  const isOnce = ({ id, checked }: (typeof held)[number]): boolean => checked === 1 && needsRepetition.has(id);
  const once = held.filter(isOnce).map(({ text }) => textToClause(text));
  const repeated = held.filter((count) => !isOnce(count));
  const inEvery = repeated.filter(({ checked }) => checked === trials.length).map(({ text }) => textToClause(text));
  const inSome = repeated
    .filter(({ checked }) => checked < trials.length)
    .map(({ text, checked }) => `${textToClause(text)} (${checked} of ${trials.length})`);
  const broken = counts
    .filter(({ violatedIn }) => violatedIn.length > 0)
    .map(({ text, checked, violatedIn }) => `"${textToClause(text)}" (${violatedIn.length} of ${checked})`);
  return [
    `Invariants that held in every one: ${inEvery.length === 0 ? 'none' : inEvery.join('; ')}.`,
    ...(inSome.length === 0 ? [] : [`Held where they were checked: ${inSome.join('; ')}.`]),
    ...(once.length === 0 ? [] : [`Seen in one trial, which does not establish it: ${once.join('; ')}.`]),
    ...(broken.length === 0 ? [] : [`Violated: ${broken.join('; ')}.`]),
  ].join(' ');
}

/** A sentence as a part of one. */
function textToClause(text: string): string {
  return `${text.slice(0, 1).toLowerCase()}${text.slice(1).replace(/\.$/, '')}`;
}
