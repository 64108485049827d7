/**
 * The control that must fail (R115, R116): a strategy that starts over from the first step, without reconciling, has to execute an
 * effect twice at every point after its commitment. Where it does not, the whole campaign is suspect.
 */
import { isLikeNaive } from './naive-name.ts';
import { pointsAfterCommitment } from './placement.ts';
import type { KillPoint, NegativeControlReport, TrialReport } from './report.ts';

const causes = [
  'the fault did not strike where it seems to: the effect was not committed, or the kill came to nothing',
  'the ledger cannot show a duplicate: it is not that of the external system, or its records are not joined to the command',
  'the control is not naive: it reconciles, or the service refuses or answers a repeated request by itself',
] as const;

export function judgeNegativeControl(trials: readonly TrialReport[]): NegativeControlReport {
  const arms = trials.filter(({ arm }) => arm === 'negative-control');
  const [first] = arms;
  const none = { passing: [], failing: [], causes: [] } as const;
  if (first === undefined) {
    const text = `No control that must fail is among the trials: that duplicates would have been seen is not shown.${likeOnes(trials)}`;
    return { status: 'absent', basis: undefined, text, ...none };
  }
  const basis = first.armBasis === 'recorded' ? 'recorded' : 'naive-by-name';
  const all = arms
    .filter(({ validity }) => validity === 'valid')
    .map((trial) => ({ trial: trial.id, kills: judgeKills(trial) }));
  const everyKill = all.flatMap(({ kills }) => kills);
  const asideText = `${preventedToText(everyKill)}${openToText(everyKill)}`;
  const struck = all
    .map(({ trial, kills }) => ({
      trial,
      kills: kills.filter(({ preventedBy, isOpen }) => preventedBy === undefined && !isOpen),
    }))
    .filter(({ kills }) => kills.length > 0);
  if (struck.length === 0) {
    const text = `The control that must fail was not struck after a commitment in any valid trial${asideText === '' ? '' : ' in which it could have executed the effect again, and whether it did is known'}.${asideText}`;
    return { status: 'not struck after a commitment', basis, text, ...none };
  }
  const judged = struck.map(({ trial, kills }) => ({ trial, kills, passed: kills.filter(({ passes }) => passes) }));
  const passing = judged.filter(({ passed }) => passed.length > 0);
  const failing = judged.filter(({ passed }) => passed.length === 0).map(({ trial }) => trial);
  if (passing.length > 0) {
    const kills = judged.flatMap((one) => one.kills).length;
    const passed = passing.flatMap((one) => one.passed);
    const of = kills === struck.length ? '' : `, at ${passed.length} of ${kills} kills`;
    const effects = [...new Set(passed.map(({ effect }) => effect))].join(', ');
    const text = `The control that must fail passed in ${passing.length} of ${struck.length} valid trials struck after a commitment${of}: after it, ${effects} was not executed again. Every verdict of this campaign is suspect until the cause is known.${asideText}`;
    const told = passing.map((one) => ({ trial: one.trial, points: one.passed.map(({ point }) => point) }));
    return { status: 'passes', basis, passing: told, failing, causes, text };
  }
  const text = `The control that must fail executed effects twice in ${struck.length === 1 ? 'the one valid trial' : `all ${struck.length} valid trials`} struck after a commitment. That it passes at other points is expected, and is no proof of sensitivity to subtler faults.${asideText}`;
  return { status: 'fails as it must', basis, passing: [], failing, causes: [], text };
}

/** Trials that nobody declared to be the control, by names that people give it. */
function likeOnes(trials: readonly TrialReport[]): string {
  const names = [...new Set(trials.filter(({ arm }) => arm === 'faulted').map(({ strategy }) => strategy))];
  const like = names.filter(isLikeNaive).map((name) => `"${name}"`);
  if (like.length === 0) return '';
  return ` No trial is declared as the negative control; ${like.join(', ')} ${like.length === 1 ? 'looks' : 'look'} like one. If so, record "arm": "negative-control" in its trials.`;
}

interface JudgedKill {
  readonly point: KillPoint;
  readonly effect: string;
  readonly passes: boolean;
  /** Class of another fault of the trial, by which the service refused what was asked again: nothing could be executed twice. */
  readonly preventedBy: string | undefined;
  /** Not seen to be executed again, where what the ledger has of the effect is not known in full. */
  readonly isOpen: boolean;
}

function preventedToText(kills: readonly JudgedKill[]): string {
  const faults = [...new Set(kills.flatMap(({ preventedBy }) => preventedBy ?? []))];
  if (faults.length === 0) return '';
  const set = kills.filter(({ preventedBy }) => preventedBy !== undefined).length;
  return ` ${set === 1 ? 'One kill is' : `${set} kills are`} not counted: the effect was asked for again, and refused because of another fault of the trial (${faults.join(', ')}).`;
}

function openToText(kills: readonly JudgedKill[]): string {
  const open = kills.filter(({ isOpen }) => isOpen);
  if (open.length === 0) return '';
  const effects = [...new Set(open.map(({ effect }) => effect))].join(', ');
  return ` ${open.length === 1 ? 'One kill is' : `${open.length} kills are`} not judged: how often ${effects} was executed is not known.`;
}

/**
 * Each kill after a commitment by itself: the very effect that it struck has to be executed again before the next such kill, or the end.
 */
function judgeKills(trial: TrialReport): readonly JudgedKill[] {
  const kills = trial.placements.flatMap(({ verdict, point, effect, life }, at) =>
    verdict === 'verified' && point !== undefined && effect !== undefined && pointsAfterCommitment.has(point)
      ? [{ point, effect, life, at }]
      : [],
  );
  return kills.map(({ point, effect, at }) => {
    const next = kills.find((kill) => kill.at > at && kill.effect === effect)?.at ?? trial.placements.length;
    const passes = !isExecutedAgain(trial, effect, at, next);
    const set = passes ? preventedBy(trial, effect) : undefined;
    const own = trial.outcome.effects.find((one) => one.effect === effect);
    const isKnown = own?.duplicates !== undefined && own.duplicatesAtLeast !== true;
    return { point, effect, passes, preventedBy: set, isOpen: passes && set === undefined && !isKnown };
  });
}

function preventedBy(trial: TrialReport, effect: string): string | undefined {
  const refused = new Set(trial.outcome.effects.find((one) => one.effect === effect)?.refused ?? []);
  return trial.faults.find((fault) => fault.refused.some((id) => refused.has(id)))?.class;
}

/** By the lives that executed it: those that began after one kill and ended with the other. */
function isExecutedAgain(trial: TrialReport, effect: string, after: number, upTo: number): boolean {
  const { executions = [], duplicates } = trial.outcome.effects.find((one) => one.effect === effect) ?? {};
  const lives = trial.placements.map(({ life }) => life);
  const places = executions.map(({ life }) => {
    if (life === undefined) return undefined;
    const at = lives.indexOf(life);
    return at < 0 ? trial.placements.length : at;
  });
  // Where a record of the ledger names no request, no life can be named: then there have to be as many as kills demand.
  if (places.includes(undefined) || lives.includes(undefined)) {
    const struck = trial.placements.filter((one) => one.effect === effect && isAfterCommitment(one.point)).length;
    return (duplicates ?? 0) >= struck;
  }
  return places.some((at) => at !== undefined && at > after && at <= upTo);
}

function isAfterCommitment(point: KillPoint | undefined): boolean {
  return point !== undefined && pointsAfterCommitment.has(point);
}
