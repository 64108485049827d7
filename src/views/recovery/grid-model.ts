/**
 * The coverage grid as the page shows it: one row a design and effect, one cell a boundary; trials with a fault placed on purpose, with
 * several kills in one run, and placed at random apart in each.
 *
 * Invariant: a cell counts only valid trials whose point is verified (src/core/recovery/grid.ts chooses them); what was not run has no
 * group and says so.
 */
import {
  type CampaignReport,
  type Cell,
  executionsOf,
  extraCallsOf,
  type KillPoint,
  type TrialReport,
} from '../../core/recovery/index.ts';
import { groupBy } from '../../ui/group.ts';
import { countOf } from '../../ui/format.ts';
import { pointLabels, pointWords } from './words.ts';

export type Placed = 'on purpose' | 'several in one run' | 'at random';

export interface CellGroup {
  readonly placed: Placed;
  readonly trials: readonly string[];
  /** Short marks: “2×”, “1× d”, “1× m+1”, “1× X”. */
  readonly text: string;
  /** `plain`: a control that must fail did not fail where it need not, which is no success. `suspect`: where it had to. */
  readonly tone: 'good' | 'twice' | 'bad' | 'unknown' | 'plain' | 'suspect';
}

/** A trial that was struck here and is not counted. */
export interface Refused {
  readonly trial: string;
  readonly validity: 'invalid' | 'not established';
  readonly why: string;
}

export interface GridCell {
  readonly point: KillPoint;
  readonly groups: readonly CellGroup[];
  readonly refused: readonly Refused[];
  /** Everything the cell says, in words. */
  readonly words: string;
}

export interface GridRow {
  readonly strategy: string;
  readonly isNegativeControl: boolean;
  readonly effect: string;
  readonly cells: readonly GridCell[];
}

export function campaignToGrid({
  strategies,
  trials,
  negativeControl,
}: Pick<CampaignReport, 'strategies' | 'trials' | 'negativeControl'>): readonly GridRow[] {
  const byId = new Map(trials.map((trial) => [trial.id, trial]));
  const passes = new Set(negativeControl.passing.flatMap(({ trial, points }) => points.map((at) => `${trial} ${at}`)));
  const controls = new Set(trials.flatMap(({ id, arm }) => (arm === 'negative-control' ? [id] : [])));
  return strategies.flatMap(({ name, isNegativeControl, grid }) =>
    [...groupBy(grid, rowNameOf)].map(([effect, cells]) => ({
      strategy: name,
      isNegativeControl,
      effect,
      cells: cells.map((cell) => withoutSuccess(toCell(name, cell, byId), controls, passes)),
    })),
  );
}

/** What would be a success of a design is none of a control that must fail: by its trials, for a design may have others. */
function withoutSuccess(cell: GridCell, controls: ReadonlySet<string>, passes: ReadonlySet<string>): GridCell {
  const groups = cell.groups.map((group): CellGroup => {
    if (group.tone !== 'good' || !group.trials.some((trial) => controls.has(trial))) return group;
    const isPass = group.trials.some((trial) => passes.has(`${trial} ${cell.point}`));
    return { ...group, tone: isPass ? 'suspect' : 'plain' };
  });
  const isSuspect = groups.some(({ tone }) => tone === 'suspect');
  const aside = isSuspect ? ' It passed where it must fail: every verdict of the campaign is suspect.' : '';
  return { ...cell, groups, words: `${cell.words}${aside}` };
}

/** A kill beside another fault of its trial is not a kill alone. */
function rowNameOf({ effect, beside }: Cell): string {
  return beside === undefined ? effect : `${effect}, with ${beside}`;
}

function toCell(strategy: string, cell: Cell, byId: ReadonlyMap<string, TrialReport>): GridCell {
  const { effect, point, fixed, repeated, random, refused } = cell;
  const sets = [
    { placed: 'on purpose', ids: fixed },
    { placed: 'several in one run', ids: repeated },
    { placed: 'at random', ids: random },
  ] as const;
  const summaries = sets.flatMap(({ placed, ids }) => {
    const trials = ids.flatMap((id) => byId.get(id) ?? []);
    return trials.length === 0 ? [] : [summarise(placed, effect, trials)];
  });
  const place = `${strategy}, ${rowNameOf(cell)}, killed at point ${pointLabels[point]} (${pointWords[point]})`;
  const notCounted = refused.flatMap((id) => toRefused(byId.get(id)));
  const none = notCounted.length === 0 ? 'not run' : 'no valid trial';
  const parts = summaries.length === 0 ? [none] : summaries.map(({ words }) => words);
  const aside = notCounted.map(({ validity, why }) => ` A trial struck here is ${validity} and not counted: ${why}`);
  return {
    point,
    groups: summaries.map(({ group }) => group),
    refused: notCounted,
    words: `${place}: ${parts.join('; ')}.${aside.join('')}`,
  };
}

function toRefused(trial: TrialReport | undefined): readonly Refused[] {
  if (trial === undefined || trial.validity === 'valid') return [];
  const { id, validity, checks } = trial;
  const against = checks.filter(({ status }) => status === (validity === 'invalid' ? 'violated' : 'not established'));
  return [{ trial: id, validity, why: against.map(({ text }) => text).join(' ') }];
}

interface Summary {
  readonly group: CellGroup;
  readonly words: string;
}

function summarise(placed: Placed, effect: string, trials: readonly TrialReport[]): Summary {
  const n = trials.length;
  const own = trials.map(({ outcome }) => outcome.effects.find((one) => one.effect === effect));
  const commitments = trials.map((trial) => executionsOf(trial, effect));
  const known = commitments.filter((count) => count !== undefined);
  const saved = own.filter((one) => (one?.savedAnswers.length ?? 0) > 0).length;
  const calls = trials.map(({ outcome }) => extraCallsOf(outcome));
  const extra = calls.flatMap(({ count = 0 }) => (count > 0 ? [count] : []));
  const least = calls.some(({ isAtLeast }) => isAtLeast) ? 'at least ' : '';
  const unseen = calls.filter(({ count }) => count === undefined).length;
  const again = extra.length;
  const stuck = trials.filter(({ outcome }) => outcome.completed === false).length;
  const twice = own.filter((one) => (one?.duplicates ?? 0) > 0).length;
  const lost = own.filter((one) => one?.lost === true).length;
  const others = trials.filter(({ outcome }) =>
    outcome.effects.some((one) => one.effect !== effect && (one.duplicates ?? 0) > 0),
  ).length;
  const range = known.length < n ? '?' : rangeOf(known);
  const marks = [
    mark('+2×', others, n),
    mark('d', saved, n),
    mark(`m+${least === '' ? '' : '≥'}${rangeOf(extra)}`, again, n),
    mark('m?', unseen, n),
    mark('X', stuck, n),
    mark('lost', lost, n),
  ];
  const of = (count: number): string => `in ${count} of ${n}`;
  const words = [
    `${countOf(n, 'valid trial')} with the kill ${placed === 'several in one run' ? 'among several in one run' : `placed ${placed}`}`,
    known.length < n
      ? `commitments not known ${of(n - known.length)}`
      : `${countOf(Number(range.split('–')[0]), 'commitment')}${range.includes('–') ? ` up to ${range.split('–')[1] ?? ''}` : ''} each`,
    twice > 0 ? `executed more than once ${of(twice)}` : undefined,
    others > 0 ? `another effect executed more than once ${of(others)}` : undefined,
    lost > 0 ? `lost ${of(lost)}` : undefined,
    saved > 0 ? `answered from the key ${of(saved)}` : undefined,
    again > 0 ? `model asked again ${least}${rangeOf(extra)}× ${of(again)}` : undefined,
    unseen > 0 ? `whether a model was asked again is not known ${of(unseen)}` : undefined,
    stuck > 0 ? `never completed ${of(stuck)}` : `completed ${of(n)}`,
  ];
  const tone = twice + others > 0 ? 'twice' : stuck + lost > 0 ? 'bad' : known.length < n ? 'unknown' : 'good';
  return {
    group: {
      placed,
      trials: trials.map(({ id }) => id),
      text: [known.length < n ? range : `${range}×`, ...marks].filter((part) => part !== '').join(' '),
      tone,
    },
    words: words.filter((part) => part !== undefined).join(', '),
  };
}

function rangeOf(counts: readonly number[]): string {
  const sorted = counts.toSorted((a, b) => a - b);
  const [low, high] = [sorted[0] ?? 0, sorted.at(-1) ?? 0];
  return low === high ? String(low) : `${low}–${high}`;
}

/** A mark that holds for some trials only says for how many. */
function mark(sign: string, count: number, of: number): string {
  if (count === 0) return '';
  return count === of ? sign : `${sign} ${count}/${of}`;
}
