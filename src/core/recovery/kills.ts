/**
 * The kills of a trial, in their order: which life each struck, how that life ended, and at which boundary of which effect.
 *
 * Invariant: the number of a kill is its place among the recorded kills; a recorded number that says otherwise is only compared (R103).
 */
import type { EventOf, HindcastEvent } from '../model/index.ts';
import { armingsOf, exitsOf, injectionsOf, isProcessKill, lifeOf } from './fault-records.ts';
import type { EffectCommand } from '../projections/effects/ledger.ts';
import type { Life } from '../projections/effects/lives.ts';
import {
  computeStage,
  computeUnaskedStage,
  intervalOf,
  type KillRecords,
  type Stage,
  toKillPoint,
} from './placement.ts';
import type { Placement } from './report.ts';
import { textIn, type TrialRecords } from './trial-records.ts';

export interface Kill extends KillRecords {
  readonly injected: EventOf<'fault.injected'>;
  /** The same kill, told again under another id. */
  readonly toldAgain: readonly EventOf<'fault.injected'>[];
  /** Every record of how the process ended, the first first. */
  readonly exits: readonly EventOf<'worker.exited'>[];
  readonly exited: EventOf<'worker.exited'> | undefined;
  readonly armed: EventOf<'fault.armed'> | undefined;
  readonly ordinal: number;
  /** The life that came after it. */
  readonly next: Life | undefined;
  readonly placement: Placement;
}

export function computeKills(trial: TrialRecords): readonly Kill[] {
  const all = injectionsOf(trial);
  const groups = all.filter(([injected]) => isProcessKill(injected));
  const armings = armingsOf(
    trial,
    all.map(([injected]) => injected),
  );
  return groups.map(([injected, ...toldAgain], i) => {
    const life = lifeOf(trial, injected);
    const exits = life !== undefined && life.exits.length > 0 ? life.exits : exitsOf(trial, injected);
    const armed = armings.get(injected.id);
    const found = { injected, exited: exits[0], life };
    const at = life === undefined ? -1 : trial.workers.indexOf(life);
    const next = at < 0 ? undefined : trial.workers[at + 1];
    const ordinal = i + 1;
    const placement = placeKill(trial, found, armed, ordinal, groups.length);
    const again = toldAgain.map(({ id }) => id);
    return {
      ...found,
      toldAgain,
      exits,
      armed,
      ordinal,
      next,
      placement: { ...placement, events: [...placement.events, ...again] },
    };
  });
}

function placeKill(
  trial: TrialRecords,
  kill: KillRecords & { readonly injected: EventOf<'fault.injected'> },
  armed: EventOf<'fault.armed'> | undefined,
  ordinal: number,
  count: number,
): Placement {
  const labels = labelsOf(trial, kill, armed, ordinal, count);
  const claims = claimedPoints(labels);
  const stages = trial.ledger.commands.map((command) => ({ command, stage: computeStage(trial, command, kill) }));
  const target = chooseTarget(trial, kill, armed, stages, claims[0]);
  const stage = target?.stage;
  const call = openModelCall(trial, kill.life);
  const contradicted = claims.find((claim) =>
    claim === modelCallLabel ? call === undefined : stage !== undefined && !agrees(stage, claim),
  );
  // An entry of the menu of its own: it fills no cell of an effect's boundaries.
  const struckCall = contradicted === undefined && claims[0] === modelCallLabel ? call : undefined;
  const point = struckCall === undefined ? stage?.point : undefined;
  const isPlaced = struckCall !== undefined || point !== undefined;
  const verdict = contradicted !== undefined ? 'contradicted' : isPlaced ? 'verified' : 'not established';
  const { data } = kill.injected;
  const struck =
    struckCall === undefined
      ? toStruckEffect(trial, kill, target)
      : toStruckCall(trial, kill, struckCall, namedTargets(trial, kill, armed));
  return {
    ordinal,
    recordedOrdinal: data.ordinal,
    claimed: claims[0],
    ...(claims.length === 0 && labels[0] !== undefined ? { unreadLabel: labels[0] } : {}),
    point,
    verdict,
    alsoStruck: stages.flatMap(({ command, stage: other }) =>
      (struckCall === undefined && command === target?.command) || !isUnderWay(other)
        ? []
        : [{ effect: command.path, point: other.point }],
    ),
    text:
      struckCall === undefined
        ? placementToText(claims[0] ?? unreadToText(labels[0]), contradicted, stage, target?.path, ordinal)
        : `Kill ${ordinal} is labelled as during a model call; the records show ${modelToText(struckCall)} under way when the process died.`,
    duringModelCall: call !== undefined,
    signal: data.signal,
    life: kill.life?.label,
    injected: kill.injected.id,
    exited: kill.exited?.id,
    ...struck,
    events: [
      kill.injected.id,
      ...(kill.exited === undefined ? [] : [kill.exited.id]),
      ...(struckCall === undefined ? (stage?.events ?? []) : struck.events),
    ],
  };
}

interface Struck extends Pick<Placement, 'effect' | 'effectBasis' | 'candidates' | 'gap'> {
  readonly events: readonly string[];
}

function toStruckEffect(trial: TrialRecords, { life }: KillRecords, target: Target | undefined): Struck {
  const stage = target?.stage;
  return {
    effect: target?.path,
    effectBasis: target?.basis,
    candidates: stage?.candidates ?? [],
    gap: {
      interval: stage?.interval ?? 'not established: no outside effect is recorded',
      lastRecord: stage?.lastRecord,
      expected: stage?.expected,
      wording: trial.absence(life),
      filledBy: stage?.filledBy ?? [],
    },
    events: stage?.events ?? [],
  };
}

/** The call that was under way is what was struck, and no effect is. */
function toStruckCall(
  trial: TrialRecords,
  { life }: KillRecords,
  call: EventOf<'model_call.requested'>,
  named: readonly string[],
): Struck {
  const path = call.command?.path;
  const served = trial
    .ofType('model_call.served')
    .filter(({ causes = [] }) => causes.some(({ event }) => event === call.id))
    .map(({ id }) => String(id));
  return {
    effect: path,
    effectBasis: path === undefined ? undefined : named.includes(path) ? 'recorded' : 'inferred',
    candidates: [],
    gap: {
      interval: 'after the request of a model, before its answer was recorded',
      lastRecord: life === undefined ? undefined : trial.ofLife(life).at(-1)?.id,
      expected: 'model_call.completed',
      wording: trial.absence(life),
      filledBy: served,
    },
    events: [call.id, ...served],
  };
}

function modelToText({ command }: HindcastEvent): string {
  return command === undefined ? 'a model call' : `a model call (${command.path})`;
}

/** The label of a kill while a model call was under way, an entry of the fault menu (R122). */
const modelCallLabel = 'model';

/** Every label of this kill's point: of the kill itself, of its arming, of the trial, and of who saw it. */
function labelsOf(
  trial: TrialRecords,
  kill: KillRecords & { readonly injected: EventOf<'fault.injected'> },
  armed: EventOf<'fault.armed'> | undefined,
  ordinal: number,
  count: number,
): readonly string[] {
  const planned = plannedPoints(trial);
  const labels: unknown[] = [kill.injected.data.kill_point, armed?.data.kill_point];
  if (planned.length === count) labels.push(planned[ordinal - 1]);
  labels.push(...witnessesOf(trial, kill).map(({ data }) => data?.['kill_point']));
  const texts = labels.flatMap((label) =>
    typeof label === 'string' || typeof label === 'number' ? String(label) : [],
  );
  return [...new Set(texts)].filter((text) => text !== 'random');
}

/** The points that labels name. What a label of another vocabulary means is not known, so it contradicts nothing. */
function claimedPoints(labels: readonly string[]): readonly string[] {
  return [...new Set(labels.flatMap((label) => toKillPoint(label) ?? (label === modelCallLabel ? label : [])))];
}

function unreadToText(label: string | undefined): string | undefined {
  return label === undefined ? undefined : `"${label}", which names no point that is known here`;
}

export function plannedPoints(trial: TrialRecords): readonly unknown[] {
  const own: unknown = trial.data['kill_points'];
  const cell: unknown = trial.data['cell'];
  const points: unknown = own ?? (typeof cell === 'object' && cell !== null ? Reflect.get(cell, 'points') : undefined);
  return Array.isArray(points) ? points.filter((point) => point !== null && point !== 'none') : [];
}

function agrees(stage: Stage, claim: string): boolean {
  return stage.candidates.some((point) => point === claim);
}

interface Target {
  readonly path: string;
  /** Absent: the fault names it, and no record asks for it. */
  readonly command?: EffectCommand;
  readonly stage: Stage;
  readonly basis: 'recorded' | 'inferred';
}

function chooseTarget(
  trial: TrialRecords,
  kill: KillRecords & { readonly injected: EventOf<'fault.injected'> },
  armed: EventOf<'fault.armed'> | undefined,
  stages: readonly { readonly command: EffectCommand; readonly stage: Stage }[],
  claim: string | undefined,
): Target | undefined {
  const named = namedTargets(trial, kill, armed);
  const cell = textIn(trial.data['cell'], 'effect');
  for (const path of [...named, ...(cell === undefined ? [] : [cell])]) {
    const found = stages.find(({ command }) => command.path === path);
    if (found !== undefined) return { ...found, path, basis: 'recorded' };
  }
  const [unasked] = named;
  if (unasked !== undefined && claim === '1')
    return { path: unasked, stage: computeUnaskedStage(trial, kill), basis: 'recorded' };
  const guess =
    stages.find(({ stage }) => isUnderWay(stage)) ??
    (claim === '1' ? stages.find(({ stage }) => stage.point === '1') : undefined) ??
    [...stages].reverse().find(({ stage }) => stage.point === '5') ??
    stages[0];
  return guess === undefined ? undefined : { ...guess, path: guess.command.path, basis: 'inferred' };
}

/** Paths that records of the fault name as what it was about. */
function namedTargets(
  trial: TrialRecords,
  kill: KillRecords,
  armed: EventOf<'fault.armed'> | undefined,
): readonly string[] {
  return [kill.injected, armed, ...witnessesOf(trial, kill)].flatMap(
    (event) => textIn(event?.data?.['target'], 'path') ?? [],
  );
}

function witnessesOf(trial: TrialRecords, kill: KillRecords): readonly HindcastEvent[] {
  return (kill.injected.causes ?? []).flatMap(({ event }) => {
    const cause = trial.find(event);
    return cause?.type === 'fault.witnessed' ? [cause] : [];
  });
}

function isUnderWay({ point, candidates }: Stage): boolean {
  if (point === undefined) return candidates.length < 6;
  return point === '2' || point === '2late' || point === '3' || point === '4';
}

/** The last model request of the life that has no end recorded in it (R122). */
function openModelCall(trial: TrialRecords, life: Life | undefined): EventOf<'model_call.requested'> | undefined {
  if (life === undefined) return undefined;
  const open: EventOf<'model_call.requested'>[] = [];
  for (const event of trial.ofLife(life)) {
    if (event.type === 'model_call.requested') open.push(event);
    else if (isModelEnd(event)) close(open, event);
  }
  return open.at(-1);
}

function isModelEnd({ type }: HindcastEvent): boolean {
  return type === 'model_call.completed' || type === 'model_call.failed' || type === 'model_call.cancelled';
}

/** The one that the end names, else one of its command, else the last. */
function close(open: EventOf<'model_call.requested'>[], { causes = [], command }: HindcastEvent): void {
  const named = open.findIndex(({ id }) => causes.some(({ event }) => event === id));
  const alike = open.findIndex((asked) => command !== undefined && asked.command?.path === command.path);
  open.splice(named >= 0 ? named : alike >= 0 ? alike : -1, 1);
}

function placementToText(
  label: string | undefined,
  contradicted: string | undefined,
  stage: Stage | undefined,
  path: string | undefined,
  ordinal: number,
): string {
  const what = `Kill ${ordinal}`;
  if (stage === undefined || path === undefined)
    return `${what}: no outside effect is recorded, so no boundary can be named.`;
  const derived =
    stage.point === undefined
      ? `the records leave ${stage.candidates.join(', ')} open: ${stage.text}`
      : `the records show point ${stage.point} of ${path} (${intervalOf(stage.point)}): ${stage.text}`;
  if (contradicted !== undefined) return `${what} is labelled ${contradicted}; ${derived}.`;
  return `${what} ${label === undefined ? 'has no label' : `is labelled ${label}`}; ${derived}.`;
}
