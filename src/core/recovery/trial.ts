/**
 * The report of one trial, put together from the steps in their order: kills, validity, outcome, invariants, times, and last what the
 * producer had claimed.
 */
import { nameToShown } from '../base/shown-text.ts';
import { computeCompletion } from './completion.ts';
import type { ChosenControl, Role } from './control.ts';
import { describeEnvelope } from './envelope.ts';
import { compareWithControl } from './equivalence.ts';
import { computeInvariants } from './invariants.ts';
import { computeFaultMetrics } from './fault-metrics.ts';
import { isProcessKill, isKillByCode, refusedAfter } from './fault-records.ts';
import { type Kill, plannedPoints } from './kills.ts';
import { computeLoad } from './load.ts';
import { gapsToText } from './ledger-gaps.ts';
import { strayCommitments } from './lost-effects.ts';
import { computeMetrics } from './metrics.ts';
import { computeOutcome, type ControlRecords } from './outcome.ts';
import { computeRecordsDigest } from './records-digest.ts';
import type { Arm, Check, Design, TimelineItem, TrialReport } from './report.ts';
import { actingComponents, isOwnWord } from './services.ts';
import { compareClaims } from './told.ts';
import { textIn, type TrialRecords } from './trial-records.ts';
import { checksToValidity, isBesideKills } from './validity.ts';

export interface TrialParts {
  readonly trial: TrialRecords;
  readonly name: string;
  readonly strategy: string;
  readonly arm: Role<Arm>;
  readonly design: Role<Design>;
  readonly kills: readonly Kill[];
  readonly checks: readonly Check[];
  readonly control: ChosenControl;
  /** Of a control: why no trial with a fault stands beside it. */
  readonly whyAlone?: string | undefined;
}

export function reportTrial(parts: TrialParts): TrialReport {
  const { trial, name, strategy, arm, design, kills, checks, control, whyAlone } = parts;
  const validity = checksToValidity(checks);
  const outcome = outcomeWithControl(trial, control);
  const whyNoControl = control.trial === undefined ? `not comparable: ${control.report.text}` : undefined;
  const invariants = computeInvariants(trial, kills, outcome, whyNoControl);
  const envelope = describeEnvelope(trial.envelope);
  const { repeat } = trial.data;
  return {
    id: trial.run,
    name,
    traces: trial.input.traces,
    recordsDigest: computeRecordsDigest(trial.events),
    strategy,
    arm: arm.value,
    armBasis: arm.basis,
    design: design.value,
    designBasis: design.basis,
    repeat: typeof repeat === 'number' ? repeat : undefined,
    validity,
    checks,
    placements: kills.map(({ placement }) => placement),
    faults: faultsOf(trial),
    outcome,
    metrics: [...computeMetrics(trial, kills), ...computeFaultMetrics(trial)],
    load: computeLoad(trial, kills),
    invariants,
    findings: compareClaims(trial, kills, validity, outcome, invariants),
    envelope,
    hasProgram: trial
      .ofType('run.started')
      .some(({ run, data }) => run === trial.run && data.program?.source !== undefined),
    control: control.report,
    versions: versionsOf(trial),
    limits: [
      ...(whyAlone === undefined
        ? []
        : [`This control stands in a campaign without a trial with a fault: ${whyAlone}.`]),
      ...limitsOf(trial, kills, outcome, envelope.missing, control),
    ],
    timeline: toTimeline(trial),
  };
}

function outcomeWithControl(trial: TrialRecords, { trial: control }: ChosenControl): TrialReport['outcome'] {
  if (control === undefined) return computeOutcome(trial, undefined, []);
  const records: ControlRecords = { trial: control, outcome: computeOutcome(control, undefined, []) };
  return computeOutcome(trial, records, compareWithControl(trial, control));
}

/** A campaign name tells trials apart where the record gives one; else engine and points do. */
export function nameOf(trial: TrialRecords): string {
  const recorded = trial.data.trial;
  if (recorded !== undefined) return recorded;
  const points = plannedPoints(trial);
  const kills = points.length > 0 ? `killed at ${points.map(String).join(', ')}` : 'no fault';
  const engine = textIn(trial.data, 'engine') ?? textIn(trial.envelope, 'engine');
  return engine === undefined ? trial.run : `${engine}, ${kills}`;
}

export function strategyOf(trial: TrialRecords): string {
  const named =
    textIn(trial.data['cell'], 'strategy') ?? textIn(trial.data, 'strategy') ?? textIn(trial.data, 'engine');
  return named ?? textIn(trial.envelope, 'engine') ?? 'design not recorded';
}

function faultsOf(trial: TrialRecords): TrialReport['faults'] {
  return trial
    .ofType('fault.injected')
    .filter((event) => !isProcessKill(event))
    .map((event) => {
      const [path, component] = ['path', 'component'].map((member) => textIn(event.data.target, member));
      return {
        class: event.data.class ?? 'fault without a class',
        event: event.id,
        ...(path === undefined && component === undefined ? {} : { target: { path, component } }),
        refused: refusedAfter(trial, event),
      };
    });
}

function versionsOf(trial: TrialRecords): TrialReport['versions'] {
  return trial.ofType('worker.spawned').flatMap(({ id, data }, i) => {
    const versions = data.versions;
    return versions === undefined ? [] : [{ life: `start ${i + 1}`, versions, event: id }];
  });
}

function limitsOf(
  trial: TrialRecords,
  kills: readonly Kill[],
  { models: { unseen } }: TrialReport['outcome'],
  missing: readonly string[],
  control: ChosenControl,
): readonly string[] {
  const limits: string[] = [];
  if (missing.length > 0) limits.push(`Not recorded in the envelope: ${missing.join(', ')}.`);
  if (control.trial === undefined && control.report.status !== 'is the control') {
    limits.push(`Equivalence and differences are not comparable: ${control.report.text}`);
  }
  if (!trial.ledger.commands.every(({ hasServiceRecords }) => hasServiceRecords)) {
    limits.push('A service that was asked has no records here: duplicates and losses are not known.');
  }
  const isStray = trial.ledger.commands.some((command) => strayCommitments(trial, command).length > 0);
  if (isStray) {
    limits.push(
      'Commitments name neither a request nor a command: duplicates and losses of what asked that service are not known.',
    );
  }
  limits.push(...limitsOfLedger(trial, kills), ...limitsOfEnds(trial, kills));
  if (unseen !== undefined) limits.push(`Whether a model was asked again is not known in full: ${unseen.why}.`);
  if (!trial.timesAreMeasured)
    limits.push('The stream declares that its times are laid out: no duration is a measurement.');
  const cut = trial.input.unread.filter(({ isCut }) => isCut);
  if (cut.length > 0)
    limits.push(
      `A last line was cut off as it was written, and is not read: ${cut.map(({ place }) => place).join('; ')}.`,
    );
  const starts = trial.ofType('worker.spawned');
  const isUnversioned = starts.some(({ data }) => data.versions === undefined);
  if (isUnversioned)
    limits.push('A process was started without its version on record: what ran before and after cannot be told.');
  return limits;
}

/** What an answer about an end rests on where no record tells of that end itself. */
function limitsOfEnds(trial: TrialRecords, kills: readonly Kill[]): readonly string[] {
  const { limit } = computeCompletion(trial);
  const byCode = kills.filter(({ exited }) => exited !== undefined && isKillByCode(exited));
  return [
    ...(limit === undefined ? [] : [limit]),
    ...byCode.map(
      ({ ordinal, exited }) =>
        `That kill ${String(ordinal)} ended the process rests on its exit code (${String(exited?.data.code)}), with which a shell and a container tell a signal, and no record names the signal: a process may end with this code by itself.`,
    ),
  ];
}

/** What stands in the streams beside the ledger and may be mistaken for it, or for a part of it. */
function limitsOfLedger(trial: TrialRecords, kills: readonly Kill[]): readonly string[] {
  const acting = actingComponents(trial.events);
  const own = trial.events.filter((event) => isOwnWord(event, acting));
  const writers = [...new Set(own.map(({ source }) => nameToShown(source.component)))].join(', ');
  const unknown = trial.gaps.filter(({ kind }) => kind === 'unknown type');
  const holes = trial.gaps.filter((gap) => isBesideKills(trial, kills, gap));
  const idle = trial.idleHoles.filter(({ verdicts }) => verdicts === undefined);
  return [
    ...(idle.length === 0
      ? []
      : [
          `The ledger has holes: ${gapsToText(idle)}. Each is of one record, and every request that the service tells of has its end: no execution stands in it.`,
        ]),
    ...(holes.length === 0
      ? []
      : [`The ledger has holes: ${gapsToText(holes)}. Counts of executions are lower bounds.`]),
    ...(own.length === 0
      ? []
      : [
          `What ${writers} wrote of effects is the word of a process of the trial and no ledger: it counts for nothing.`,
        ]),
    ...(unknown.length === 0 ? [] : [`What a service executed is not known: ${gapsToText(unknown)}.`]),
  ];
}

const roles: readonly (readonly [pattern: RegExp, role: TimelineItem['role']])[] = [
  [/^fault\.injected$/, 'kill'],
  [/^fault\./, 'witness'],
  [/^worker\.exited$/, 'exit'],
  [/^(?:worker\.|recovery\.)/, 'restart'],
  [/^(?:tool_call\.dispatched|model_call\.requested)$/, 'request'],
  [/^effect\./, 'effect'],
  [/^(?:tool_call|model_call)\./, 'answer'],
  [/^(?:state|checkpoint)\./, 'state'],
  [/^run\./, 'end'],
];

/** In display order, for a drawing with producers as lanes. Events without a role in a recovery are left out. */
function toTimeline(trial: TrialRecords): readonly TimelineItem[] {
  return trial.events.flatMap((event) => {
    const role = roles.find(([pattern]) => pattern.test(event.type))?.[1];
    if (role === undefined) return [];
    const lane = trial.ledger.lives.of(event)?.label ?? event.source.component;
    const { id, type, time, mono, clock } = event;
    return [{ event: id, type, lane, time, mono, clock, role }];
  });
}
