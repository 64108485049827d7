/**
 * The sweep: every write of a recorded run, struck at every boundary, under every design, with a control for each design.
 *
 * The naive restart is the control that must fail: it must duplicate at every boundary after commitment, else the sweep is suspect and
 * says why. Called by the command line and the page's worker.
 */
import { type Result, err, ok } from '../base/result.ts';
import { programToText } from '../replay/index.ts';
import { type Recorded, readRecorded } from './recorded.ts';
import { runTrial, whyNotStruck } from './simulate.ts';
import {
  type Boundary,
  type SimulatedSweep,
  type SimulatedTrial,
  type SimulationRequest,
  type Strategy,
  afterCommitment,
  boundaries as allBoundaries,
  strategies as allStrategies,
} from './types.ts';

export interface SweepRequest extends SimulationRequest {
  /** Default: every write that can be struck. */
  readonly paths?: readonly string[];
  readonly boundaries?: readonly Boundary[];
  /** The naive restart is always among them. */
  readonly strategies?: readonly Strategy[];
  readonly onProgress?: (progress: { readonly done: number; readonly of: number }) => void;
}

export async function simulateSweep(request: SweepRequest): Promise<Result<SimulatedSweep, string>> {
  const read = readRecorded(request.events, request.run, request.branch);
  if (!read.ok) return read;
  const recorded = read.value;
  const chosen = chooseEffects(recorded, request.paths);
  if (!chosen.ok) return chosen;
  const { effects, notSwept } = chosen.value;
  const boundaries = request.boundaries ?? allBoundaries;
  const strategies = allStrategies.filter(
    (one) => one === 'naive' || (request.strategies ?? allStrategies).includes(one),
  );
  const of = strategies.length * (1 + effects.length * boundaries.length);
  const controls: SimulatedTrial[] = [];
  const trials: SimulatedTrial[] = [];
  for (const strategy of strategies) {
    controls.push(await runTrial(request, recorded, strategy, undefined));
    for (const path of effects) {
      for (const boundary of boundaries) {
        trials.push(await runTrial(request, recorded, strategy, { path, boundary }));
        request.onProgress?.({ done: controls.length + trials.length, of });
      }
    }
  }
  const causes = [...controlCauses(controls), ...trials.flatMap((trial) => naiveCauses(trial, recorded))];
  return ok({
    run: recorded.run,
    program: programToText(recorded.info.program),
    boundaries,
    strategies,
    effects,
    notSwept,
    controls,
    trials,
    suspect: causes.length > 0,
    causes,
    modelVaries: request.modelVaries === true,
  });
}

function chooseEffects(
  recorded: Recorded,
  paths: readonly string[] | undefined,
): Result<Pick<SimulatedSweep, 'effects' | 'notSwept'>, string> {
  for (const path of paths ?? []) {
    const entry = recorded.entries.get(path);
    const why = entry === undefined ? 'the record has no command there' : whyNotStruck(entry);
    if (why !== undefined) return err(`${path} cannot be struck: ${why}.`);
  }
  const writes = [...recorded.entries.values()].filter(({ kind }) => kind === 'write');
  const effects = paths ?? writes.filter((entry) => whyNotStruck(entry) === undefined).map(({ path }) => path);
  const notSwept = writes.flatMap((entry) => {
    const why = whyNotStruck(entry);
    return why === undefined ? [] : [{ path: entry.path, why }];
  });
  return effects.length === 0
    ? err('The run has no write that can be struck: there is no effect to double or to lose.')
    : ok({ effects, notSwept });
}

/** A simulation that does not repeat the recorded run without a kill says nothing of it with one. */
function controlCauses(controls: readonly SimulatedTrial[]): readonly string[] {
  return controls
    .filter((control) => !control.equalsRecorded || control.duplicates > 0)
    .map(({ strategy, sentence }) => `The control of ${strategy} is not the recorded run: ${sentence}`);
}

/** Why the control that must duplicate did not. */
function naiveCauses(trial: SimulatedTrial, recorded: Recorded): readonly string[] {
  const { kill, strategy, committed } = trial;
  if (strategy !== 'naive' || kill === undefined || !afterCommitment.has(kill.boundary) || committed > 1) return [];
  const place = `The naive restart did not duplicate ${kill.path} at ${kill.boundary}`;
  if (!trial.reached) return [`${place}: the worker never came there.`];
  if (trial.deduplicated > 0)
    return [`${place}: the program gives the write an idempotency key of its own, which protects it.`];
  if (trial.refused > 0) return [`${place}: the service refused the second request.`];
  if (!trial.completed) return [`${place}: the new worker did not come as far. ${trial.sentence}`];
  const entry = recorded.entries.get(kill.path);
  return [
    `${place}: the new worker took another way${entry === undefined ? '' : ` and never asked for ${entry.name}`}.`,
  ];
}
