/**
 * Which boundary of which effect was struck, by valid trials (R106 to R109, R112, R113), and observations by ordinal (R102 to R105).
 *
 * Invariant: a kill placed on purpose, one of several in a run, and one placed at random are counted apart; nothing fills a cell that
 * is not verified. Repeats in one run and independent runs never share a row, and no mean is computed.
 */
import { isRedeployed } from './menu.ts';
import { extraCallsOf } from './outcome.ts';
import { killPoints } from './placement.ts';
import type { Cell, Observation, OrdinalRow, Placement, TrialReport } from './report.ts';

/** A kill alone and a kill beside another fault have rows of their own. */
export function computeGrid(trials: readonly TrialReport[], effects: readonly string[]): readonly Cell[] {
  const struck = trials.filter(({ placements }) => placements.length > 0);
  const all = new Set(struck.map(besideOf));
  // The kill alone comes first; sorting would put it last.
  const named = [...all].filter((beside) => beside !== undefined).sort();
  const others = all.has(undefined) ? [undefined, ...named] : named;
  return effects.flatMap((effect) =>
    (others.length === 0 ? [undefined] : others).flatMap((beside) =>
      killPoints.map((point) => computeCell(trials, effect, point, beside)),
    ),
  );
}

/** The other faults of a trial, by class, and other code after the restart: what came of a kill beside them says nothing of the kill alone. */
function besideOf(trial: TrialReport): string | undefined {
  const classes = new Set(trial.faults.map((fault) => fault.class));
  if (trial.placements.length > 0 && isRedeployed(trial)) classes.add('other code');
  return classes.size === 0 ? undefined : [...classes].sort().join(' and ');
}

function computeCell(
  trials: readonly TrialReport[],
  effect: string,
  point: Cell['point'],
  beside: string | undefined,
): Cell {
  const isHere = (one: Placement): boolean => one.effect === effect && one.point === point;
  const struck = trials.filter((trial) => besideOf(trial) === beside && trial.placements.some(isHere));
  const valid = struck.filter(
    ({ validity, placements }) =>
      validity === 'valid' && placements.some((one) => isHere(one) && one.verdict === 'verified'),
  );
  const single = valid.filter(({ placements }) => placements.length === 1);
  const isRandom = ({ design }: TrialReport): boolean => design === 'random';
  const own = valid.map(({ outcome }) => outcome.effects.find((one) => one.effect === effect));
  const ids = (list: readonly TrialReport[]): readonly string[] => list.map(({ id }) => id);
  return {
    effect,
    point,
    beside,
    fixed: ids(single.filter((trial) => !isRandom(trial))),
    repeated: ids(valid.filter((trial) => trial.placements.length > 1 && !isRandom(trial))),
    random: ids(valid.filter(isRandom)),
    // Also a kill that is labelled otherwise: it struck here, whatever it says.
    refused: ids(struck.filter(({ validity }) => validity !== 'valid')),
    completed: valid.filter(({ outcome }) => outcome.completed === true).length,
    withDuplicates: own.filter((one) => (one?.duplicates ?? 0) > 0).length,
    executions: valid.flatMap((trial) => executionsOf(trial, effect) ?? []),
    otherDuplicates: othersOf(valid, effect),
    withLosses: own.filter((one) => one?.lost === true).length,
    notKnown: valid.filter(
      (trial, at) => !hasExecutions(trial, effect) || (own[at] !== undefined && own[at].lost === undefined),
    ).length,
    withExtraModelCalls: valid.filter(({ outcome }) => (extraCallsOf(outcome).count ?? 0) > 0).length,
    extraModelCallsNotKnown: valid.filter(({ outcome }) => extraCallsOf(outcome).count === undefined).length,
  };
}

/** How often an effect was executed; none where all is known and nobody asked for it. Undefined: not known, or at least so often. */
export function executionsOf({ outcome }: Pick<TrialReport, 'outcome'>, effect: string): number | undefined {
  const own = outcome.effects.find((one) => one.effect === effect);
  const { duplicates, duplicatesAtLeast } = own ?? outcome;
  if (duplicates === undefined || duplicatesAtLeast === true) return undefined;
  return own?.executions.length ?? 0;
}

function hasExecutions(trial: TrialReport, effect: string): boolean {
  const own = trial.outcome.effects.find((one) => one.effect === effect);
  return own === undefined ? executionsOf(trial, effect) !== undefined : own.duplicates !== undefined;
}

function othersOf(trials: readonly TrialReport[], effect: string): Cell['otherDuplicates'] {
  const counts = new Map<string, number>();
  for (const { outcome } of trials) {
    for (const { effect: other, duplicates = 0 } of outcome.effects) {
      if (other !== effect && duplicates > 0) counts.set(other, (counts.get(other) ?? 0) + 1);
    }
  }
  return [...counts].map(([other, n]) => ({ effect: other, trials: n }));
}

/** Cells that no kill placed on purpose has struck; random ones do not fill them. */
export function uncoveredCells(grid: readonly Cell[]): readonly Pick<Cell, 'effect' | 'point'>[] {
  const isCovered = ({ fixed, repeated }: Cell): boolean => fixed.length + repeated.length > 0;
  const covered = new Set(grid.filter(isCovered).map(({ effect, point }) => `${point}|${effect}`));
  const cells = new Map(grid.map(({ effect, point }) => [`${point}|${effect}`, { effect, point }]));
  return [...cells].flatMap(([key, cell]) => (covered.has(key) ? [] : [cell]));
}

export function computeOrdinals(trials: readonly TrialReport[]): readonly OrdinalRow[] {
  const rows = new Map<
    string,
    { readonly row: Omit<OrdinalRow, 'observations' | 'median' | 'note'>; readonly observations: Observation[] }
  >();
  for (const trial of trials.filter(({ validity }) => validity === 'valid')) {
    for (const { id, name, kind, ordinal, fault, effect: about, ms, start, end, basis } of trial.metrics) {
      if (ms === undefined || end === undefined) continue;
      const placement = fault === undefined ? trial.placements.find((one) => one.ordinal === ordinal) : undefined;
      const isRepeat = fault === undefined ? trial.placements.length > 1 : trial.faults.length > 1;
      const grouping = isRepeat ? 'several kills in one run' : 'independent runs';
      const { effect = about, point } = placement ?? {};
      const beside = fault === undefined ? besideOf(trial) : undefined;
      const key = [id, grouping, trial.design, effect, point, fault, beside, ordinal].join('|');
      const found = rows.get(key) ?? {
        row: { metric: id, name, kind, grouping, design: trial.design, effect, point, fault, beside, ordinal },
        observations: [],
      };
      const read = basis === 'wall clock' ? { basis } : {};
      found.observations.push({ trial: trial.id, ms, start, end, ...read });
      rows.set(key, found);
    }
  }
  return [...rows.values()].map(({ row, observations }) => ({
    ...row,
    observations,
    median: medianOf(observations.map(({ ms }) => ms)),
    note: observations.length < 10 ? `${observations.length} of 10: too few for a rate or a spread` : undefined,
  }));
}

function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}
