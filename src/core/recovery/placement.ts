/**
 * Where a kill struck, derived from the records around it and never from its label (R106 to R109, R113).
 *
 * For one effect, the life that was killed stands at the boundary after its last record: no dispatch (1), dispatch (2, 2late, 3 by what
 * the service recorded), acknowledgement (4), persisted result (5). Each stage rests on a record that is not there, so a killed process
 * whose records may be lost leaves the stage open. Called once for each kill by kills.ts.
 */
import { type HindcastEvent, killPointToText } from '../model/index.ts';
import type { Attempt } from '../projections/effects/attempt.ts';
import type { EffectCommand } from '../projections/effects/ledger.ts';
import type { Life } from '../projections/effects/lives.ts';
import { strayCommitments, unassignedRecords } from './lost-effects.ts';
import type { KillPoint } from './report.ts';
import { textIn, type TrialRecords } from './trial-records.ts';

export interface KillRecords {
  readonly injected: HindcastEvent;
  readonly exited: HindcastEvent | undefined;
  readonly life: Life | undefined;
}

/** The boundary at which one effect stood when the life ended. */
export interface Stage {
  readonly point: KillPoint | undefined;
  /** What it may be; one entry where `point` is known. */
  readonly candidates: readonly KillPoint[];
  readonly text: string;
  readonly events: readonly string[];
  readonly interval: string;
  readonly lastRecord: string | undefined;
  readonly expected: string | undefined;
  readonly filledBy: readonly string[];
}

export function computeStage(trial: TrialRecords, command: EffectCommand, kill: KillRecords): Stage {
  const { life } = kill;
  if (life === undefined)
    return open(['1', '2', '2late', '3', '4', '5'], 'no record of the process that was struck', []);
  const own = command.attempts.filter((attempt) => attempt.lifeKey === life.key);
  const isSafe = trial.absence(life) === 'absent';
  const attempt = own.at(-1);
  if (attempt === undefined) return beforeDispatch(trial, command, life, isSafe);
  const { records } = attempt;
  const dispatched = records.dispatched[0] ?? records.requested[0];
  const persisted = records.persisted[0];
  if (persisted !== undefined) {
    const where = textIn(persisted.data, 'where');
    const text = `the life had recorded its result${where === undefined ? '' : ` (${where})`}`;
    return known('5', text, [persisted], persisted, undefined);
  }
  const acknowledged = records.acknowledged[0] ?? records.completed[0];
  if (acknowledged !== undefined) {
    if (!isSafe)
      return open(['4', '5'], 'the answer was read; records after it may be lost with the process', [acknowledged]);
    const stage = known(
      '4',
      'the answer was read and no persisted result is recorded',
      [acknowledged],
      acknowledged,
      'tool_call.result_persisted',
    );
    return { ...stage, filledBy: toldBy(attempt) };
  }
  if (isKnownEnded(attempt)) {
    const ended = records.failed[0] ?? records.timedOut[0] ?? records.cancelled[0];
    return known('1', 'the last attempt had ended and no other was dispatched', [ended], ended, 'tool_call.dispatched');
  }
  return unanswered(trial, command, attempt, kill, dispatched, isSafe);
}

/** Where an effect stood that no record of the whole trial asks for: named by the fault alone. */
export function computeUnaskedStage(trial: TrialRecords, { life }: KillRecords): Stage {
  if (life === undefined)
    return open(['1', '2', '2late', '3', '4', '5'], 'no record of the process that was struck', []);
  return beforeDispatch(trial, { attempts: [] }, life, trial.absence(life) === 'absent');
}

/** No request of this life: before the dispatch, or long after it where an earlier life had left a durable result. */
function beforeDispatch(
  trial: TrialRecords,
  command: Pick<EffectCommand, 'attempts'>,
  life: Life,
  isSafe: boolean,
): Stage {
  const last = trial.ofLife(life).at(-1);
  const persisted = command.attempts.flatMap(({ records }) => records.persisted);
  const durable = persisted.find((event) => !/memory/i.test(textIn(event.data, 'where') ?? ''));
  const isResumed = trial.ofLife(life).some((event) => event.replayed === true || event.type.startsWith('recovery.'));
  if (durable !== undefined && isResumed) {
    return known(
      '5',
      'an earlier life had persisted the result, and this one did not ask again',
      [durable, last],
      last,
      undefined,
    );
  }
  if (!isSafe)
    return open(['1', '2', '2late', '3', '4', '5'], 'no request is recorded; it may be lost with the process', [last]);
  return known('1', 'no request of this life is recorded', [last], last, 'tool_call.dispatched');
}

/** Dispatched and not answered: what the service recorded decides, and where in the order its commitment stands. */
function unanswered(
  trial: TrialRecords,
  command: EffectCommand,
  attempt: Attempt,
  kill: KillRecords,
  dispatched: HindcastEvent | undefined,
  isSafe: boolean,
): Stage {
  const { records } = attempt;
  const after = isSafe ? [] : (['4', '5'] as const);
  const saved = records.deduplicated[0];
  const committed = records.committed[0];
  const answer = 'tool_call.acknowledged';
  if (!command.hasServiceRecords) {
    return open(['2', '2late', '3', ...after], 'dispatched; no record of the service says what became of the request', [
      dispatched,
    ]);
  }
  if (saved !== undefined || committed !== undefined) {
    const { point, how } =
      saved === undefined && committed !== undefined
        ? placeCommitment(trial, committed, kill)
        : { point: '3' as const, how: 'the service had answered it from its ledger' };
    const shown = saved ?? committed;
    if (point === undefined) return open(['2late', '3', ...after], how, [dispatched, shown]);
    if (point === '3' && !isSafe)
      return open(['3', '4', '5'], `${how}; records of the answer may be lost with the process`, [dispatched, shown]);
    const stage = known(point, `${how}; no acknowledgement is recorded`, [dispatched, shown], dispatched, answer);
    return { ...stage, filledBy: toldBy(attempt) };
  }
  // What names none of the attempts may be the outcome of this one.
  const loose = [...unassignedRecords(command), ...strayCommitments(trial, command)];
  if (loose.length > 0) {
    const what = 'dispatched; the service tells of outcomes that name no request, and may be of this one';
    return open(['2', '2late', '3', ...after], what, [dispatched, ...loose]);
  }
  if (!isSafe)
    return open(['2', '4', '5'], 'dispatched and not committed; records of the answer may be lost with the process', [
      dispatched,
    ]);
  const [dropped] = records.dropped;
  const what = dropped === undefined ? 'the service never committed it' : 'the service dropped the request';
  const stage = known('2', `dispatched, and ${what}`, [dispatched, records.requested[0], dropped], dispatched, answer);
  return { ...stage, filledBy: toldBy(attempt) };
}

/** Before the kill: 3. After it: 2late. By recorded order, else by one clock, else by what the service saw when it held the request. */
function placeCommitment(
  trial: TrialRecords,
  committed: HindcastEvent,
  kill: KillRecords,
): { readonly point: KillPoint | undefined; readonly how: string } {
  const toKill = trial.compare(committed, kill.injected);
  if (toKill.order === 'before') return { point: '3', how: `committed before the kill (${toKill.basis ?? ''})` };
  const toExit = kill.exited === undefined ? toKill : trial.compare(kill.exited, committed);
  if (kill.exited !== undefined && toExit.order === 'before') {
    return { point: '2late', how: `committed after the process was dead (${toExit.basis ?? ''})` };
  }
  const witness = serviceWitness(trial, committed, kill.injected);
  const held = witness === undefined ? undefined : trial.compare(witness, committed);
  if (held?.order === 'before') {
    return {
      point: '2late',
      how: 'committed after the service had recorded that it held the request, on which record the kill was sent',
    };
  }
  if (toKill.order === 'after')
    return { point: '2late', how: `committed after the kill was sent (${toKill.basis ?? ''})` };
  return { point: undefined, how: 'committed; no record says whether before or after the kill' };
}

/** What the service recorded of holding the request, where the kill was sent on that record. */
function serviceWitness(
  trial: TrialRecords,
  committed: HindcastEvent,
  injected: HindcastEvent,
): HindcastEvent | undefined {
  for (const { event } of injected.causes ?? []) {
    const cause = trial.find(event);
    if (cause?.type === 'fault.witnessed' && cause.source.component === committed.source.component) return cause;
  }
  return undefined;
}

function isKnownEnded({ records }: Attempt): boolean {
  const ended = records.failed.length + records.timedOut.length + records.cancelled.length;
  return ended > 0 && records.committed.length === 0 && records.deduplicated.length === 0;
}

function toldBy({ records }: Attempt): readonly string[] {
  const told = [
    ...records.requested,
    ...records.dropped,
    ...records.committed,
    ...records.deduplicated,
    ...records.refused,
  ];
  return told.map(({ id }) => id);
}

function known(
  point: KillPoint,
  text: string,
  events: readonly (HindcastEvent | undefined)[],
  last: HindcastEvent | undefined,
  expected: string | undefined,
): Stage {
  return {
    point,
    candidates: [point],
    text,
    events: idsOf(events),
    interval: intervalOf(point),
    lastRecord: last?.id,
    expected,
    filledBy: [],
  };
}

function open(candidates: readonly KillPoint[], text: string, events: readonly (HindcastEvent | undefined)[]): Stage {
  const ids = idsOf(events);
  const interval = `not established: one of ${candidates.join(', ')}`;
  return {
    point: undefined,
    candidates,
    text,
    events: ids,
    interval,
    lastRecord: ids.at(-1),
    expected: undefined,
    filledBy: [],
  };
}

function idsOf(events: readonly (HindcastEvent | undefined)[]): readonly string[] {
  return events.flatMap((event) => (event === undefined ? [] : [event.id]));
}

const intervals: Readonly<Record<KillPoint, string>> = {
  '1': 'before dispatch',
  '2': 'after dispatch, before commitment; the request was lost',
  '2late': 'after dispatch, before commitment; the service committed when the process was dead',
  '3': 'after commitment, before acknowledgement',
  '4': 'after acknowledgement, before the result was durable',
  '5': 'after the durable result',
};

export const killPoints: readonly KillPoint[] = ['1', '2', '2late', '3', '4', '5'];

/** Points at which the effect exists outside: whoever starts over from the first step makes it twice. */
export const pointsAfterCommitment: ReadonlySet<KillPoint> = new Set(['2late', '3', '4', '5']);

export function intervalOf(point: KillPoint): string {
  return intervals[point];
}

/** Each once, in the order of the boundaries, in words. */
export function pointsToText(points: readonly (KillPoint | undefined)[]): string {
  return killPoints
    .filter((point) => points.includes(point))
    .map(killPointToText)
    .join(', ');
}

/** A label as harnesses write it: 4, "4", "2-late", "kp4", "point 4". */
export function toKillPoint(label: unknown): KillPoint | undefined {
  if (typeof label !== 'string' && typeof label !== 'number') return undefined;
  // A hyphen parts words; before everything it is a sign, and no point is negative.
  if (/^\s*-/.test(String(label))) return undefined;
  const text = String(label)
    .toLowerCase()
    .replace(/[\s_.:#()-]/g, '')
    .replace(/^(?:at)?(?:kill|crash|fault)?(?:kp|points?|boundary|pt|p)?/, '');
  return killPoints.find((point) => point === text);
}
