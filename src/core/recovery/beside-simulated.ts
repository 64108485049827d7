/**
 * Measured cells beside what the simulation says for the same boundary, effect and design, and where the two disagree.
 *
 * Invariant: a measured cell stands on its valid trials; where trials of one cell differ among themselves it says so and agrees with
 * nothing. Which simulated design a measured one is follows from its name, and is told beside it.
 */
import { executionsOf } from './grid.ts';
import { extraCallsOf } from './outcome.ts';
import type { CampaignReport, KillPoint, StrategyReport, TrialReport } from './report.ts';
import { killPointToText } from '../model/index.ts';
import { traitsOf, type SimulatedSweep, type SimulatedTrial } from '../simulate/index.ts';

export interface CellOutcome {
  /** Undefined where no record of the service tells it. */
  readonly executions: number | undefined;
  readonly completed: boolean;
  /** Undefined where no record of the model tells it. */
  readonly extraModelCalls: number | undefined;
  /** There may be more of them. */
  readonly extraModelCallsAtLeast?: true | undefined;
}

export interface SimulatedRow {
  readonly strategy: string;
  readonly simulatedAs: SimulatedTrial['strategy'];
  readonly effect: string;
  readonly point: KillPoint;
  readonly trials: readonly string[];
  readonly measured: readonly CellOutcome[];
  readonly simulated: CellOutcome | undefined;
  readonly verdict: 'agree' | 'disagree' | 'measured only' | 'not comparable';
}

/** The design of the simulation that a name stands for. */
export function nameToSimulated({ name, isNegativeControl }: Pick<StrategyReport, 'name' | 'isNegativeControl'>) {
  const hasKey = /\bkey\b|idem/i.test(name) && !/\b(?:no|without)\b[^,]*\bkey\b/i.test(name);
  const isNaive = isNegativeControl || /naive|exit/i.test(name);
  if (isNaive) return hasKey ? 'naive-key' : 'naive';
  return hasKey ? 'journal-key' : 'journal';
}

/** The run that kills are simulated in: a valid control that completed, of a design with a journal, with its program on record. */
export function chooseSimulated({ trials }: CampaignReport): TrialReport | string {
  const controls = trials.filter(
    ({ arm, validity, outcome, strategy }) =>
      arm === 'control' && validity === 'valid' && outcome.completed && /journal/i.test(strategy),
  );
  const found = controls.find(({ hasProgram }) => hasProgram);
  if (found !== undefined) return found;
  return controls.length === 0
    ? 'No control of a design with a journal is among these trials: there is no run to simulate kills in.'
    : 'The control among these trials does not hold its control program: a recorded program is what kills are simulated in.';
}

export function besideSimulated(campaign: CampaignReport, sweep: SimulatedSweep): readonly SimulatedRow[] {
  const trials = new Map(campaign.trials.map((trial) => [trial.id, trial]));
  return campaign.strategies.flatMap((strategy) => {
    const simulatedAs = nameToSimulated(strategy);
    return strategy.grid.flatMap(({ effect, point, beside, fixed }): readonly SimulatedRow[] => {
      // Kills are simulated alone, without another fault of the trial.
      if (fixed.length === 0 || beside !== undefined) return [];
      const measured = fixed.flatMap((id) => trialToOutcome(trials.get(id), effect));
      const found = sweep.trials.find(
        ({ strategy: design, kill }) => design === simulatedAs && kill?.path === effect && kill.boundary === point,
      );
      const simulated = found === undefined || !found.reached ? undefined : simulatedToOutcome(found);
      const verdict = simulated === undefined ? 'measured only' : compare(measured, simulated);
      return [{ strategy: strategy.name, simulatedAs, effect, point, trials: fixed, measured, simulated, verdict }];
    });
  });
}

function trialToOutcome(trial: TrialReport | undefined, effect: string): readonly CellOutcome[] {
  if (trial === undefined) return [];
  const { completed } = trial.outcome;
  // Without all records of the service nobody knows how often it was made.
  const executions = executionsOf(trial, effect);
  const { count: extraModelCalls, isAtLeast } = extraCallsOf(trial.outcome);
  const least = isAtLeast ? ({ extraModelCallsAtLeast: true } as const) : {};
  return [{ executions, completed: completed === true, extraModelCalls, ...least }];
}

function simulatedToOutcome({ committed, completed, extraModelCalls }: SimulatedTrial): CellOutcome {
  return { executions: committed, completed, extraModelCalls };
}

function compare(measured: readonly CellOutcome[], simulated: CellOutcome): SimulatedRow['verdict'] {
  if (measured.some(({ executions }) => executions === undefined)) return 'not comparable';
  if (measured.some((one) => differs(one, simulated))) return 'disagree';
  return measured.every((one) => one.extraModelCalls !== undefined && one.extraModelCallsAtLeast !== true)
    ? 'agree'
    : 'not comparable';
}

/** Whatever else there may be. */
function differs(one: CellOutcome, other: CellOutcome): boolean {
  const [calls, simulated] = [one.extraModelCalls, other.extraModelCalls ?? 0];
  const isOfOthers =
    calls !== undefined && (one.extraModelCallsAtLeast === true ? calls > simulated : calls !== simulated);
  return one.executions !== other.executions || one.completed !== other.completed || isOfOthers;
}

export function outcomeToWords({ executions, completed, ...models }: CellOutcome): string {
  const times =
    executions === undefined
      ? 'how often is not known'
      : executions === 0
        ? 'never made'
        : executions === 1
          ? 'once'
          : timesToWords(executions);
  return `${times}${againToWords(models)}${completed ? '' : ', not completed'}`;
}

function againToWords(models: Pick<CellOutcome, 'extraModelCalls' | 'extraModelCallsAtLeast'>): string {
  const { extraModelCalls: calls, extraModelCallsAtLeast: isAtLeast } = models;
  if (calls === undefined) return ', whether the model was asked again is not known';
  const least = isAtLeast === true ? 'at least ' : '';
  return calls === 0 ? '' : `, model asked again ${least}${calls === 1 ? 'once' : timesToWords(calls)}`;
}

/** As the matrix of simulated kills says it. */
function timesToWords(times: number): string {
  return times === 2 ? 'twice' : `${times} times`;
}

/** A row for people: what was measured stands once for each thing that came of it. */
export function simulatedRowToWords({ strategy, simulatedAs, effect, point, ...row }: SimulatedRow) {
  return {
    design: strategy,
    simulatedAs: traitsOf[simulatedAs].label,
    effect,
    point: killPointToText(point),
    trials: row.trials,
    measured: [...new Set(row.measured.map(outcomeToWords))],
    simulated: row.simulated === undefined ? undefined : outcomeToWords(row.simulated),
    verdict: row.verdict,
  };
}

/** Cells of the coverage grid that hold a valid trial, however its kills were placed. */
export function countStruckCells({ strategies }: Pick<CampaignReport, 'strategies'>): number {
  const cells = strategies.flatMap(({ grid }) => grid);
  return cells.filter(({ fixed, repeated, random }) => fixed.length + repeated.length + random.length > 0).length;
}
