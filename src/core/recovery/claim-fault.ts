/**
 * Which trials a claim is about: those in which the very fault was tried that it names (R87, R89).
 *
 * Invariant: a fault that nobody tried is held by no trial. A text names an entry of the fault menu, a class that is recorded, or a kill of
 * a process in words; what names none of these concerns nothing here.
 */
import { nameToShown } from '../base/shown-text.ts';
import type { Claim } from './claim-schema.ts';
import { toKillPoint } from './placement.ts';
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
  const isOfClass = named === undefined ? isKilled : createIsNamed(named, menu);
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

const anyFault = /^(?:any|every|each|all)\b/i;

/** The end of one process, by a signal that it cannot catch; not of a host, and not one that tidies up. */
const killWords =
  /\b(?:sig)?kill(?:s|ed|ing)?\b|\bcrash(?:es|ed)?\b|\bdeath\b|\bdies\b|\bdied\b|\boom\b|\bprocess[ -]?loss\b/i;
const otherWords = /\bsig(?!kill)[a-z]{3,5}\d?\b|\b(?:host|machine|power|disk|zone|region|cluster|network)\b/i;

/** Whom it struck, where that is told: the kills of trials are those of a process that runs the control code. */
const killOf = /\b(?:sigkill|kill|crash|death|loss) of (?:the |a |an |one )?(\w+)/i;
const workerWords =
  /^(?:workers?|process(?:es)?|program|agent|run|caller|client|executor|controller|life|app\w*|node)$/i;
const pointWords = /\b(?:point|boundary|kp|at) ?(2[ -]?late|[1-5])\b/i;

function createIsNamed(named: string, menu: readonly MenuEntry[]): IsOf {
  const text = toWords(named);
  if (anyFault.test(named.trim())) return () => true;
  // The longest names say most: a kill while a model is called is not any kill.
  const entries = menu.filter(({ id, title }) => [id, title].some((name) => text.includes(toWords(name))));
  const special = entries.filter(({ id }) => id !== 'process-kill');
  const found = special.length > 0 ? special : entries;
  if (found.length > 0) return ({ id }) => found.every(({ trials }) => trials.includes(id));
  const plain = named.replaceAll('_', ' ');
  const [, struck = 'process'] = killOf.exec(plain) ?? [];
  const isKill = killWords.test(plain) && !otherWords.test(plain) && workerWords.test(struck);
  const point = toKillPoint(pointWords.exec(plain)?.[1]);
  const isKilledThere = ({ placements }: TrialReport): boolean =>
    point === undefined ? placements.length > 0 : placements.some((one) => one.point === point);
  return (trial) =>
    (isKill && isKilledThere(trial)) ||
    trial.faults.some((one) => one.class !== '' && text.includes(toWords(one.class)));
}

/** " kill at a boundary ": words between blanks, so that one name is found in another as whole words, and articles say nothing. */
function toWords(name: string): string {
  return ` ${name
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => !/^(?:|an?|the)$/.test(word))
    .join(' ')} `;
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
