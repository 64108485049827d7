/**
 * What a report says, in the words of the page. Nothing here decides anything: verdicts come from src/core/recovery.
 */
import type {
  Arm,
  ClauseVerdict,
  Design,
  KillPoint,
  NegativeControlReport,
  Observation,
  OrdinalRow,
  Placement,
  TrialReport,
} from '../../core/recovery/index.ts';
import { completionToWords, extraCallsOf, seenToText } from '../../core/recovery/index.ts';
import { boundaryLabels, boundaryWords, killPointToText } from '../../core/model/index.ts';
import type { Tone } from '../../ui/Chip.tsx';
import { countOf } from '../../ui/format.ts';

/** What stood on either side of the kill. */
export const pointWords: Readonly<Record<KillPoint, string>> = boundaryWords;

export const pointLabels: Readonly<Record<KillPoint, string>> = boundaryLabels;

export const armWords: Readonly<Record<Arm, string>> = {
  faulted: 'faulted',
  control: 'control, no fault',
  'negative-control': 'control that must fail',
};

export const designWords: Readonly<Record<Design, string>> = {
  sweep: 'one kill, placed on purpose',
  repeat: 'several kills in one run',
  random: 'kill at a random place',
  load: 'under load',
  redeploy: 'other code after the restart',
  calls: 'a call answered wrongly, late or never',
  rollover: 'kill around the end of a history',
  drill: 'drill: kill, and a change outside meanwhile',
};

export const validityTones: Readonly<Record<TrialReport['validity'], Tone>> = {
  valid: 'ok',
  invalid: 'danger',
  'not established': 'warning',
};

export const clauseTones: Readonly<Record<ClauseVerdict['verdict'], Tone>> = {
  holds: 'ok',
  failed: 'danger',
  'not testable': 'warning',
};

export const negativeControlTones: Readonly<Record<NegativeControlReport['status'], Tone>> = {
  'fails as it must': 'ok',
  passes: 'danger',
  absent: 'warning',
  'not struck after a commitment': 'warning',
};

/** A control that is in no trace is not “absent”, which is said of records (`OpenWords.tsx`). */
export const negativeControlWords: Readonly<Record<NegativeControlReport['status'], string>> = {
  'fails as it must': 'fails as it must',
  passes: 'passes',
  absent: 'none among these trials',
  'not struck after a commitment': 'not struck after a commitment',
};

/** Milliseconds as people read them: “4.96 s”, “565 ms”, “2.6 ms”. */
export function msToText(ms: number): string {
  if (ms >= 1000) return `${(ms / 1000).toFixed(2)} s`;
  return `${ms >= 100 ? ms.toFixed(0) : ms.toFixed(1)} ms`;
}

/** A time with the clock that it is told by, where that is one that may be set. */
export function observationToText({ ms, basis }: Pick<Observation, 'ms' | 'basis'>): string {
  return `${msToText(ms)}${basis === undefined ? '' : ` by the ${basis}`}`;
}

/** A kill that is verified and has no point of an effect struck a model call. */
export function pointOf({
  point,
  verdict,
  duringModelCall,
}: Pick<Placement, 'point'> & Partial<Pick<Placement, 'verdict' | 'duringModelCall'>>): string {
  if (point === undefined && verdict === 'verified' && duringModelCall === true) return 'during a model call';
  return point === undefined ? 'point not established' : `point ${killPointToText(point)}`;
}

/** What a label says and what the records show, where the two are not the same. */
function contradictedToText(claimed: Placement['claimed'], point: Placement['point']): string {
  // Of several labels of one kill, another one may be the wrong one.
  const label = claimed === undefined || claimed === point ? 'labelled in two ways' : `labelled ${claimed}`;
  return `${label}, records show ${point === undefined ? 'another point' : killPointToText(point)}`;
}

/** “killed at 3 (committed, not acknowledged)”, “killed 5 times, each at 4 (…)”, “killed at 1 (…), 3 (…)”, “no fault”. */
export function killsToText({ arm, placements, faults }: Pick<TrialReport, 'arm' | 'placements' | 'faults'>): string {
  const [first] = placements;
  // Of a trial that is no control, the record of its fault may be one that could not be read.
  const none = arm === 'control' ? 'no fault' : 'no fault on record';
  if (first === undefined) return faults.map((fault) => fault.class).join(', ') || none;
  const points = placements.map(({ claimed, point, verdict, duringModelCall }) => {
    if (verdict === 'contradicted') return contradictedToText(claimed, point);
    if (verdict !== 'verified') return '?';
    return point === undefined ? (duringModelCall ? 'a model call' : '?') : killPointToText(point);
  });
  if (placements.length === 1 && first.verdict === 'contradicted') return `kill ${points[0] ?? ''}`;
  if (points.length === 1 && points[0] === 'a model call') return 'killed during a model call';
  if (points.length === 1) return points[0] === '?' ? 'kill point not verified' : `killed at ${points[0] ?? ''}`;
  if (new Set(points).size === 1) return `killed ${points.length} times, each at ${points[0] ?? ''}`;
  return `killed at ${points.join(', ')}`;
}

/**
 * What a trial was: its arm, and of one that was struck how its kills were placed and where they fell. A control has no design of
 * kills, and is one whatever the design of the trials beside it.
 */
export function trialToText(
  trial: Pick<TrialReport, 'arm' | 'armBasis' | 'design' | 'designBasis' | 'repeat' | 'placements' | 'faults'>,
): string {
  const { arm, armBasis, design, designBasis, repeat, placements, faults } = trial;
  const inferred = (basis: typeof armBasis): string => (basis === 'inferred' ? ' (inferred)' : '');
  const isStruck = arm !== 'control' || placements.length + faults.length > 0;
  return [
    `${armWords[arm]}${inferred(armBasis)}`,
    arm === 'control' ? undefined : `${designWords[design]}${inferred(designBasis)}`,
    repeat === undefined ? undefined : `repeat ${repeat}`,
    isStruck ? killsToText(trial) : undefined,
  ]
    .filter((part) => part !== undefined)
    .join(' · ');
}

/** The outcome in a few words; “not known” is never written as zero. */
export function outcomeToText({ outcome }: Pick<TrialReport, 'outcome'>): string {
  const { completed, duplicates, duplicatesAtLeast, losses } = outcome;
  const again = extraCallsOf(outcome);
  const least = duplicatesAtLeast === true ? 'at least ' : '';
  return [
    completionToWords(completed),
    duplicates === undefined
      ? 'duplicates not known'
      : duplicates > 0
        ? `${least}${countOf(duplicates, 'duplicate')}`
        : undefined,
    losses === undefined ? undefined : losses > 0 ? `${losses} lost` : undefined,
    again.count === undefined
      ? 'model calls again not known'
      : again.count > 0
        ? `model asked again ${seenToText(again)}×`
        : undefined,
  ]
    .filter((part) => part !== undefined)
    .join(', ');
}

/** The short half of a metric's name: what stands before the colon, or all of it. */
export function metricTitle(name: string): string {
  const cut = name.indexOf(':');
  return cut < 0 ? name : name.slice(0, cut);
}

/** Where a row of observations stands: “kill 2, point 4 (acknowledged, not durable) of /write:x#0”. */
export function rowToWords({ grouping, ordinal, point, fault, effect, design }: OrdinalRow): string {
  if (fault !== undefined) return `${fault}${effect === undefined ? '' : ` of ${effect}`}`;
  const which = grouping === 'independent runs' ? '' : `kill ${ordinal}, `;
  // Only valid trials have rows: a kill without a point of an effect struck a model call.
  const where = point === undefined ? 'during a model call' : `point ${killPointToText(point)}`;
  return `${which}${where}${effect === undefined ? '' : ` of ${effect}`}${design === 'random' ? ', at random' : ''}`;
}

/** A recorded value in one line. */
export function valueToText(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined ? '' : JSON.stringify(value);
}
