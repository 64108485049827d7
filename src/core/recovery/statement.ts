/**
 * The sentence that may be quoted: what was tried, on what, and what was recorded (R89). It never speaks of what was not tried.
 */
import type { JsonObject } from '../base/json.ts';
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
  const faulted = trials.filter(({ arm }) => arm !== 'control');
  const valid = faulted.filter(({ validity }) => validity === 'valid');
  const where = [textIn(envelope, 'workload'), textIn(envelope, 'engine_version') ?? textIn(envelope, 'runtime')];
  const setting = where.flatMap((part) => (part === undefined ? [] : [`"${part}"`])).join(' on ');
  if (valid.length === 0) return `Of ${name}, no valid trial with a fault is among these records; nothing can be said.`;
  const struck = grid.filter(({ fixed, repeated, random }) => fixed.length + repeated.length + random.length > 0);
  const points = [...new Set(struck.map(({ point }) => point))].join(', ');
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
  const unknown = sum(({ outcome }) => outcome.duplicates === undefined);
  const sentences = [
    `In ${n} valid ${n === 1 ? 'trial' : 'trials'} of ${name}${setting === '' ? '' : `, ${setting}`}, with ${signals === '' ? 'the recorded fault' : signals} at ${points === '' ? 'no named boundary' : `point ${points}`} of ${effects === '' ? 'no named effect' : effects}:`,
    `the run completed in ${of(sum(({ outcome }) => outcome.completed))};`,
    `effects were executed twice in ${of(sum(({ outcome }) => (outcome.duplicates ?? 0) > 0))}`,
    `and missing in ${of(sum(({ outcome }) => (outcome.losses ?? 0) > 0))}${unknown === 0 ? '' : ` (not known in ${unknown})`};`,
    `a model was asked again in ${of(sum(({ outcome }) => outcome.models.extraCalls > 0))}.`,
    invariantSentence(valid),
    report.complete ? '' : `Not recorded in the envelope: ${report.missing.join(', ')}.`,
    'This says nothing about other workloads, settings, faults or boundaries.',
  ];
  return sentences.filter((sentence) => sentence !== '').join(' ');
}

function invariantSentence(trials: readonly TrialReport[]): string {
  const checked = new Set<string>();
  const broken = new Set<string>();
  for (const { invariants } of trials) {
    for (const { id, verdict } of invariants) {
      if (verdict !== 'not checked') checked.add(id);
      if (verdict === 'violated') broken.add(id);
    }
  }
  const held = [...checked].filter((id) => !broken.has(id)).join(', ');
  const bad = broken.size === 0 ? '' : `; violated at least once: ${[...broken].join(', ')}`;
  return `Invariants that held in every one: ${held === '' ? 'none' : held}${bad}.`;
}
