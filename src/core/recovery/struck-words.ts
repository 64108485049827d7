/**
 * What was struck, in words for a sentence: boundaries of effects, a model call, calls that met another fault, services that changed (R89, R118).
 *
 * Invariant: a fault that is no kill has no boundary, and is told by what met it. Called by statement.ts and claims.ts.
 */
import { nameToShown } from '../base/shown-text.ts';
import { pathToParts } from '../replay/command-path.ts';
import { isInModelCall } from './invariant-counts.ts';
import { pointsToText } from './placement.ts';
import type { Cell, TrialReport } from './report.ts';

type Struck = Pick<TrialReport, 'placements' | 'faults'>;

/** "SIGKILL at point 3 (…) of the effect tickets.create, in 1 of 4 during a model call, and call-hung met by calls of the effect mail.send". */
export function struckToWords(trials: readonly Struck[], struck: readonly Pick<Cell, 'effect' | 'point'>[]): string {
  const parts = [killsToWords(trials, struck), ...faultsToWords(trials)].filter((words) => words !== '');
  return parts.length === 0 ? 'the recorded fault' : parts.join(', and ');
}

function killsToWords(trials: readonly Struck[], struck: readonly Pick<Cell, 'effect' | 'point'>[]): string {
  const placements = trials.flatMap((trial) => trial.placements);
  if (placements.length === 0) return '';
  const named = [...new Set(placements.flatMap(({ signal }) => signal ?? []))].join(', ');
  const what = named === '' ? 'a kill' : named;
  const points = pointsToText(struck.map(({ point }) => point));
  const n = trials.filter(isInModelCall).length;
  const inModel = `in ${String(n)} of ${String(trials.length)}`;
  if (points === '')
    return n === 0 ? `${what} at a boundary that is not known` : `${what} during a model call ${inModel}`;
  const at = `${what} at point ${points} of ${effectsToWords(struck.map(({ effect }) => effect))}`;
  return n === 0 ? at : `${at}, ${inModel} during a model call`;
}

/** "call-hung, call-late met by calls of the effect tickets.create", "expired-credential at ticket-service": one text for each place. */
export function faultsToWords(trials: readonly Pick<TrialReport, 'faults'>[]): readonly string[] {
  const faults = trials.flatMap((trial) => trial.faults);
  const classes = [...new Set(faults.map((fault) => fault.class))].sort();
  const byPlace = new Map<string, string[]>();
  for (const name of classes) {
    const place = placeToWords(faults.filter((fault) => fault.class === name));
    byPlace.set(place, [...(byPlace.get(place) ?? []), name]);
  }
  return [...byPlace].map(([place, names]) => `${names.join(', ')} ${place}`);
}

function placeToWords(faults: TrialReport['faults']): string {
  const paths = faults.flatMap(({ target }) => target?.path ?? []);
  if (paths.length > 0) return `met by calls of ${effectsToWords(paths)}`;
  const components = [...new Set(faults.flatMap(({ target }) => target?.component ?? []).map(nameToShown))];
  return components.length > 0 ? `at ${components.join(', ')}` : 'of which no record says what it was about';
}

/** By name; by path where two of them have one name. */
function effectsToWords(struck: readonly string[]): string {
  const paths = [...new Set(struck)];
  const names = paths.map(effectToName);
  const words = paths.map((path, at) => {
    const name = names[at] ?? path;
    return names.filter((other) => other === name).length > 1 ? `${name} (${path})` : name;
  });
  return `the ${nounOf(paths)} ${words.join(', ')}`;
}

function nounOf(paths: readonly string[]): string {
  const noun = paths.every((path) => pathToParts(path).label.startsWith('model:')) ? 'model' : 'effect';
  return paths.length === 1 ? noun : `${noun}s`;
}

function effectToName(path: string): string {
  const { label, key } = pathToParts(path);
  const name = label.slice(label.indexOf(':') + 1) || path;
  return key === undefined ? name : `${name} for ${key}`;
}
