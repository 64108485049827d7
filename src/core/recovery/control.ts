/**
 * Which trial may stand as the control of another (R91): named by the record, else of the same envelope; never one whose envelope or
 * settings differ beyond the fault, that is not valid, or that did not complete.
 */
import type { JsonValue } from '../base/json.ts';
import { canon, type EventOf, type HindcastEvent } from '../model/index.ts';
import { compareEnvelopes, differencesToText } from './envelope.ts';
import { compareSettings, isRedeployed } from './settings.ts';
import type { Arm, ControlReport, Design, Difference } from './report.ts';
import { endToText, injectionsOf } from './fault-records.ts';
import { plannedPoints } from './kills.ts';
import { isNaiveName } from './naive-name.ts';
import { textIn, type TrialRecords } from './trial-records.ts';

export interface Candidate {
  readonly trial: TrialRecords;
  readonly name: string;
  /** Name of the design, as its records give it. */
  readonly strategy: string;
  readonly isValid: boolean;
  readonly isCompleted: boolean;
}

export interface Role<T> {
  readonly value: T;
  readonly basis: 'recorded' | 'inferred';
}

/** Recorded; else a naive engine without a key is the control that must fail, and a trial without faults the clean one. */
export function armOf(trial: TrialRecords): Role<Arm> {
  const { arm } = trial.data;
  if (arm === 'faulted' || arm === 'control' || arm === 'negative-control') return { value: arm, basis: 'recorded' };
  const isFaulted = plannedPoints(trial).length > 0 || trial.ofType('fault.injected', 'fault.armed').length > 0;
  if (!isFaulted) return { value: 'control', basis: 'inferred' };
  return { value: isNaive(trial) ? 'negative-control' : 'faulted', basis: 'inferred' };
}

/** A record by which a process went on from what it had stored, and not from the first step (R115). */
export function reconciled(trial: TrialRecords): HindcastEvent | undefined {
  const replayed = trial.ofType('recovery.observation_replayed').find(({ run }) => run === trial.run);
  if (replayed !== undefined) return replayed;
  return trial.ofType('worker.spawned', 'worker.started').find(({ data }) => {
    const resume = textIn(data, 'resume');
    return resume !== undefined && !/^(?:none|no|never|naive|restart|scratch|false)$/i.test(resume);
  });
}

/** Rule `naive-by-name`. */
function isNaive({ data, envelope }: TrialRecords): boolean {
  const engine = textIn(data, 'engine') ?? textIn(envelope, 'engine');
  return engine !== undefined && isNaiveName(engine) && envelope['idempotency_key'] !== true;
}

export function designOf(trial: TrialRecords): Role<Design> {
  const { design } = trial.data;
  if (isDesign(design)) return { value: design, basis: 'recorded' };
  const labels: readonly EventOf<'fault.injected'>[] = injectionsOf(trial).map(([first]) => first);
  const isRandom = plannedPoints(trial).includes('random') || labels.some(({ data }) => data.kill_point === 'random');
  if (isRandom) return { value: 'random', basis: 'inferred' };
  return { value: labels.length > 1 ? 'repeat' : 'sweep', basis: 'inferred' };
}

const designs = ['sweep', 'repeat', 'random', 'load', 'redeploy', 'calls', 'rollover', 'drill'] as const;

function isDesign(text: string | undefined): text is Design {
  return designs.some((design) => design === text);
}

export interface ChosenControl {
  readonly report: ControlReport;
  readonly trial: TrialRecords | undefined;
}

export function chooseControl(
  trial: TrialRecords,
  strategy: string,
  arm: Arm,
  candidates: readonly Candidate[],
): ChosenControl {
  if (arm === 'control') {
    return result('is the control', undefined, 'This trial is the control.');
  }
  const named = textIn(trial.data, 'control');
  if (named !== undefined) {
    const found = candidates.find((one) => one.trial.run === named || one.name === named);
    if (found === undefined) return result('absent', named, `The control named (${named}) is not among the traces.`);
    return judge(trial, found);
  }
  const ofDesign = candidates.filter((one) => one.strategy === strategy);
  const judged = ofDesign.map((one) => judge(trial, one));
  const [fewest] = [...judged].sort((a, b) => a.report.differences.length - b.report.differences.length);
  const compared = judged.find(({ report }) => report.status === 'compared');
  return compared ?? fewest ?? result('absent', undefined, 'No control of this design is among the traces.');
}

function judge(trial: TrialRecords, { trial: control, isValid, isCompleted }: Candidate): ChosenControl {
  const differences = compareEnvelopes(control.envelope, trial.envelope, isRedeployed(trial));
  const settings = compareSettings(control, trial);
  if (Object.keys(control.envelope).length === 0) {
    return result('refused', control.run, 'The control has no envelope, so nothing shows that it is one.');
  }
  if (differences.length > 0) {
    const text = `The control is refused: its envelope differs beyond the fault (${differencesToText(differences)}).`;
    return { report: { status: 'refused', trial: control.run, text, differences }, trial: undefined };
  }
  if (settings.length > 0) {
    const text = `The control is refused: it was started with other settings (${settingsToText(settings)}).`;
    return { report: { status: 'refused', trial: control.run, text, differences: settings }, trial: undefined };
  }
  if (!isValid) return result('refused', control.run, 'The control is refused: it is not a valid trial itself.');
  const failed = control.ofType('worker.exited').find(({ data }) => typeof data.code === 'number' && data.code !== 0);
  if (failed !== undefined) {
    return result('refused', control.run, `The control is refused: a process of it ended ${endToText(failed)}.`);
  }
  if (!isCompleted) return result('refused', control.run, 'The control is refused: its run did not complete.');
  const { report } = result(
    'compared',
    control.run,
    'Compared with the control; the envelopes and the starts are equal apart from the fault.',
  );
  return { report, trial: control };
}

function settingsToText(settings: readonly Difference[]): string {
  const shown = (value: JsonValue | undefined): string => (value === undefined ? 'not set' : canon(value));
  return settings.map(({ field, one, other }) => `${field}: ${shown(one)}, here ${shown(other)}`).join('; ');
}

function result(status: ControlReport['status'], trial: string | undefined, text: string): ChosenControl {
  return { report: { status, trial, text, differences: [] }, trial: undefined };
}
