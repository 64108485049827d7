/**
 * Which trials a claim is about: those in which the very fault was tried that it names (R87, R89).
 *
 * Invariant: a fault that nobody tried is held by no trial. A text names an entry of the fault menu, a class that is recorded, or a kill of
 * a process in words; what names none of these concerns nothing here.
 */
import { nameToShown } from '../base/shown-text.ts';
import type { Claim } from './claim-schema.ts';
import { type FaultWords, isNamedIn, readFaultWords } from './fault-words.ts';
import type { MenuEntry, TrialReport } from './report.ts';

/**
 * Trials of one design that a claim is about. A control that must fail is claimed for by nobody; but where other trials of the same design
 * are meant to hold, what these are called hides no failure of them.
 */
export function trialsOfClaim(
  claim: Claim,
  trials: readonly TrialReport[],
  menu: readonly MenuEntry[],
): readonly TrialReport[] {
  const { fault } = claim;
  return trialsOfFault(claim, trials, menu).filter((trial) => typeof fault === 'string' || isAt(fault, trial));
}

/** Wherever it struck. */
export function trialsOfFault(
  { fault }: Claim,
  trials: readonly TrialReport[],
  menu: readonly MenuEntry[],
): readonly TrialReport[] {
  const named = typeof fault === 'string' ? fault : fault.class;
  const isOfClass = named === undefined ? isKilled : createIsNamed(named, trials, menu);
  const isMixed = trials.some(({ arm }) => arm === 'faulted');
  return trials.filter(
    (trial) => (trial.arm === 'faulted' || (trial.arm === 'negative-control' && isMixed)) && isOfClass(trial),
  );
}

/** What was tried, in the words of the records: for whoever named something else. */
export function triedToText(trials: readonly TrialReport[]): string {
  const kinds = trials.flatMap((trial) => [
    ...(isKilled(trial) ? ['process-kill'] : []),
    ...trial.faults.map((one) => one.class),
  ]);
  const names = [...new Set(kinds)].sort();
  return names.length === 0 ? 'no fault at all' : names.map(nameToShown).join(', ');
}

type IsOf = (trial: TrialReport) => boolean;

function isKilled({ placements }: TrialReport): boolean {
  return placements.length > 0;
}

function createIsNamed(named: string, trials: readonly TrialReport[], menu: readonly MenuEntry[]): IsOf {
  const words = readFaultWords(named);
  const isStruck = createIsStruck(words);
  if (words.isAny) return words.points === undefined ? () => true : isStruck;
  // The longest names say most: a kill while a model is called is not any kill.
  const entries = menu.filter(
    ({ id, title }) => id !== 'process-kill' && [id, title].some((name) => isNamedIn(named, name)),
  );
  const recorded = new Set(trials.flatMap(({ faults }) => faults.map((one) => one.class)));
  const classes = [...recorded].filter((one) => isNamedIn(named, one));
  const isNamed: IsOf = ({ id, faults }) =>
    entries.every((entry) => entry.trials.includes(id)) &&
    classes.every((one) => faults.some((fault) => fault.class === one));
  const isOther = entries.length + classes.length > 0;
  // What the name of a class says of an end is for its records to say.
  const end = classes.some((one) => readFaultWords(one).end !== undefined) ? undefined : words.end;
  switch (end) {
    case 'kill':
      return (trial) => isNamed(trial) && isStruck(trial);
    case 'other':
      return () => false;
    case 'none':
      return (trial) => isOther && isNamed(trial) && !isKilled(trial);
    case undefined:
      return (trial) => isOther && isNamed(trial) && ((words.points ?? []).length === 0 || isStruck(trial));
  }
}

function createIsStruck({ points, kills, isRandom }: FaultWords): IsOf {
  return ({ placements, design }) =>
    placements.length > 0 &&
    (points === undefined || placements.some(({ point }) => point !== undefined && points.includes(point))) &&
    (kills === undefined || (kills === 'several' ? placements.length > 1 : placements.length === kills)) &&
    (!isRandom || design === 'random');
}

function isAt(fault: Exclude<Claim['fault'], string>, trial: TrialReport): boolean {
  const { points, effects, repeated } = fault;
  const { placements, metrics } = trial;
  if (repeated === false && placements.length > 1) return false;
  if (points === undefined && effects === undefined) return true;
  const isOfEffect = (effect: string | undefined): boolean =>
    effects === undefined || effects.some((one) => effect === one || effect?.includes(`:${one}#`) === true);
  const isStruck = placements.some(
    ({ point, effect }) => (points === undefined || points.some((one) => one === point)) && isOfEffect(effect),
  );
  // Of a fault that is no kill its times name the effect that it was about.
  return isStruck || (points === undefined && metrics.some((one) => one.fault !== undefined && isOfEffect(one.effect)));
}
