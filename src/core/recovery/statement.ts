/**
 * The sentence that may be quoted: what was tried, on what, and what was recorded (R89). It never speaks of what was not tried.
 */
import type { JsonObject } from '../base/json.ts';
import { killPointToText } from '../model/index.ts';
import { countInvariants, isCounted } from './invariant-counts.ts';
import { isRedeployed } from './menu.ts';
import { textIn } from './trial-records.ts';
import type { Cell, EnvelopeReport, TrialReport } from './report.ts';

export interface StatementInput {
  readonly name: string;
  readonly envelope: JsonObject;
  readonly report: EnvelopeReport;
  readonly trials: readonly TrialReport[];
  readonly grid: readonly Cell[];
}

export function computeStatement({ name, envelope, report, trials, grid }: StatementInput): string {
  const valid = trials.filter(isCounted);
  const where = [textIn(envelope, 'workload'), textIn(envelope, 'engine_version') ?? textIn(envelope, 'runtime')];
  const setting = where.flatMap((part) => (part === undefined ? [] : [`"${part}"`])).join(' on ');
  if (valid.length === 0) return `Of ${name}, no valid trial with a fault is among these records; nothing can be said.`;
  const struck = grid.filter(({ fixed, repeated, random }) => fixed.length + repeated.length + random.length > 0);
  const points = [...new Set(struck.map(({ point }) => killPointToText(point)))].join(', ');
  const effects = [...new Set(struck.map(({ effect }) => effect))].join(', ');
  const signals = [
    ...new Set(
      valid.flatMap(({ placements, faults }) => [
        ...placements.flatMap(({ signal }) => signal ?? []),
        ...faults.map((fault) => fault.class),
      ]),
    ),
  ].join(', ');
  const n = valid.length;
  const of = (count: number): string => `${count} of ${n}`;
  const sum = (test: (trial: TrialReport) => boolean): number => valid.filter(test).length;
  const unknown = (what: 'duplicates' | 'losses'): string => {
    const count = sum(({ outcome }) => outcome[what] === undefined);
    return count === 0 ? '' : ` (not known in ${count})`;
  };
  const redeployed = sum(isRedeployed);
  const sentences = [
    `In ${n} valid ${n === 1 ? 'trial' : 'trials'} of ${name}${setting === '' ? '' : `, ${setting}`}, with ${signals === '' ? 'the recorded fault' : signals} at ${points === '' ? 'no named boundary' : `point ${points}`} of ${effects === '' ? 'no named effect' : effects}${redeployed === 0 ? '' : `, and other code after the restart in ${of(redeployed)}`}:`,
    `the run completed in ${of(sum(({ outcome }) => outcome.completed))};`,
    `effects were executed twice in ${of(sum(({ outcome }) => (outcome.duplicates ?? 0) > 0))}${unknown('duplicates')}`,
    `and missing in ${of(sum(({ outcome }) => (outcome.losses ?? 0) > 0))}${unknown('losses')};`,
    `a model was asked again in ${of(sum(({ outcome }) => outcome.models.extraCalls > 0))}.`,
    invariantSentence(valid),
    report.complete ? '' : `Not recorded in the envelope: ${report.missing.join(', ')}.`,
    'This says nothing about other workloads, settings, faults or boundaries.',
  ];
  return sentences.filter((sentence) => sentence !== '').join(' ');
}

/** "In every one" is said only of what was checked in every one; for the others the number of trials that it rests on stands beside it. */
function invariantSentence(trials: readonly TrialReport[]): string {
  const counts = countInvariants(trials);
  const held = counts.filter(({ checked, violatedIn }) => checked > 0 && violatedIn.length === 0);
  const inEvery = held.filter(({ checked }) => checked === trials.length).map(({ id }) => id);
  const inSome = held
    .filter(({ checked }) => checked < trials.length)
    .map(({ id, checked }) => `${id} (${checked} of ${trials.length})`);
  const broken = counts
    .filter(({ violatedIn }) => violatedIn.length > 0)
    .map(({ id, checked, violatedIn }) => `${id} (${violatedIn.length} of ${checked})`);
  const some = inSome.length === 0 ? '' : `; held where they were checked: ${inSome.join(', ')}`;
  const bad = broken.length === 0 ? '' : `; violated: ${broken.join(', ')}`;
  return `Invariants that held in every one: ${inEvery.length === 0 ? 'none' : inEvery.join(', ')}${some}${bad}.`;
}
