/**
 * An engine's own tables held against the ledger of the service (R100): what was executed, and what of it the engine knows.
 *
 * The ledger is the witness; a row of it is joined to a step of the engine by the id that the step's result holds (rule
 * `ledger-result-id`), else by name (rule `ledger-step-name`). A row that no step remembers is an execution all the same. What cannot be
 * joined is said, and counted as nothing.
 */
import { pathToSegment } from '../replay/command-path.ts';
import type { HindcastEvent } from '../model/index.ts';
import { type EngineRun, type EngineStep, holdsText, nameOfEngine, readEngineRuns } from './engine-run.ts';
import type { LedgerFile, LedgerRow } from './ledger-file.ts';
import type { RecoveryTrace } from './report.ts';
import { actingComponents, isOwnWord } from './services.ts';
import { type Known, otherIdsIn, placesOf, toShape } from '../projections/effects/like-ids.ts';

export interface RememberedExecution extends LedgerRow {
  /** Whose row it is: the file's name, or the component that recorded it. */
  readonly source: string;
  /** The step whose result holds its id. */
  readonly heldBy: string | undefined;
}

export interface EngineOperation {
  /** As the ledger calls it; as the engine does where the ledger has nothing. */
  readonly name: string;
  readonly verdict: 'once' | 'more often' | 'missing' | 'under way' | 'not joined';
  readonly text: string;
  readonly executions: readonly RememberedExecution[];
  readonly steps: readonly EngineStep[];
  readonly rule: 'ledger-result-id' | 'ledger-step-name' | undefined;
  readonly events: readonly string[];
  /** Ids that a result of its steps holds in place of those that the ledger has. */
  readonly otherIds: readonly string[];
}

export interface EngineReport extends EngineRun {
  readonly operations: readonly EngineOperation[];
  /** Executions beyond one for each step; undefined where no ledger has a row of this run. */
  readonly duplicates: number | undefined;
  readonly missing: number | undefined;
  readonly text: string;
}

export interface LedgerReport {
  readonly name: string;
  readonly basis: string;
  readonly executions: number;
  readonly notExecuted: number;
  /** Runs of it that no opened table of an engine has. */
  readonly otherRuns: readonly string[];
}

export interface EngineEvidence {
  readonly runs: readonly EngineReport[];
  readonly ledger: LedgerReport | undefined;
}

interface Sourced extends LedgerRow {
  readonly source: string;
}

export function joinEngines(traces: readonly RecoveryTrace[], ledger: LedgerFile | undefined): EngineEvidence {
  const runs = readEngineRuns(traces);
  const rows = [...fileRows(ledger), ...serviceRows(traces)];
  const known = new Set(rows.flatMap((row) => nameOfRow(row).normal));
  const reports = runs.map((run) => {
    const own = distinct(rows.filter((row) => isOfRun(row, run)));
    return joinRun(run, own, { names: known, ids: ledger?.ids ?? new Set(), isCut: mayBeCut(ledger, run, runs) });
  });
  const otherRuns = [...new Set((ledger?.rows ?? []).map(({ run }) => run))].filter(
    (name) => !runs.some((run) => run.run === name || run.executions.includes(name)),
  );
  return {
    runs: reports,
    ledger:
      ledger === undefined
        ? undefined
        : {
            name: ledger.name,
            basis: ledger.basis,
            executions: ledger.rows.length,
            notExecuted: ledger.notExecuted,
            otherRuns,
          },
  };
}

function fileRows(ledger: LedgerFile | undefined): readonly Sourced[] {
  return (ledger?.rows ?? []).map((row) => ({ ...row, source: ledger?.name ?? '' }));
}

/** What services recorded in streams that are open too. */
function serviceRows(traces: readonly RecoveryTrace[]): readonly Sourced[] {
  const acting = actingComponents(traces.flatMap(({ events }) => events));
  return traces.flatMap(({ events }) =>
    events.flatMap((event) =>
      event.type === 'effect.committed' && !isOwnWord(event, acting) ? [eventToRow(event)] : [],
    ),
  );
}

/** A line that was cut off may tell of the run that it names; of any where it names none of these. */
function mayBeCut(ledger: LedgerFile | undefined, run: EngineRun, runs: readonly EngineRun[]): boolean {
  const cut = ledger?.cut;
  if (cut === undefined) return false;
  const isNamed = (one: EngineRun): boolean => [one.run, ...one.executions].some((name) => cut.text.includes(name));
  return isNamed(run) || !runs.some(isNamed);
}

function eventToRow(event: Extract<HindcastEvent, { readonly type: 'effect.committed' }>): Sourced {
  const { effect, idempotency_key: key } = event.data;
  return {
    run: event.run,
    command: event.command?.path,
    operation: effect?.kind,
    id: effect?.id === undefined ? undefined : String(effect.id),
    key: key ?? undefined,
    time: event.time,
    event: event.id,
    source: event.source.component,
  };
}

function isOfRun({ run }: Sourced, engine: EngineRun): boolean {
  return run === engine.run || engine.executions.includes(run);
}

/** One execution, told by the file and by a stream, is one. */
function distinct(rows: readonly Sourced[]): readonly Sourced[] {
  const seen = new Set<string>();
  return rows.filter(({ operation, command, id }) => {
    if (id === undefined) return true;
    const key = `${operation ?? command ?? ''}|${id}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** Rows of one command are one operation; without commands, rows of one kind. */
function nameOfRow({ command, operation }: LedgerRow): { readonly name: string; readonly normal: string } {
  const name = command ?? operation ?? 'operation not recorded';
  return { name, normal: normalise(name) };
}

/** `/seg:1/write:tickets.create#0`, `write:tickets.create` and `tickets_create` are one name; the first is one of a later segment. */
function normalise(name: string): string {
  const segment = pathToSegment(name);
  const last = name.split('/').at(-1) ?? name;
  const bare = last
    .replace(/^[a-z]+:(?=.)/, '')
    .replace(/#0$/, '')
    .toLowerCase()
    .replace(/[^a-z0-9#]+/g, '');
  return segment === 0 ? bare : `${bare}@${segment}`;
}

interface KnownOfLedger {
  /** Of what it tells, over all runs. */
  readonly names: ReadonlySet<string>;
  /** Of all of its rows. */
  readonly ids: ReadonlySet<string>;
  /** A line of it that is not whole may be of this run. */
  readonly isCut: boolean;
}

function joinRun(run: EngineRun, rows: readonly Sourced[], { names, ids, isCut }: KnownOfLedger): EngineReport {
  const groups = new Map<string, Sourced[]>();
  for (const row of rows) {
    const { normal } = nameOfRow(row);
    groups.set(normal, [...(groups.get(normal) ?? []), row]);
  }
  const used = new Set<EngineStep>();
  const operations = [...groups].map(([normal, own]) => joinOperation(run, normal, own, used, ids));
  // A step with the name of something the ledger knows from elsewhere, and nothing of it here.
  const bare = run.steps.filter((step) => !used.has(step) && names.has(normalise(step.name)));
  const all = [...operations, ...bare.map((step) => withoutExecution(run, step))];
  const hasLedger = rows.length > 0 || bare.length > 0;
  const sum = (verdict: EngineOperation['verdict'], count: (one: EngineOperation) => number): number =>
    all.filter((one) => one.verdict === verdict).reduce((total, one) => total + count(one), 0);
  const duplicates = sum('more often', ({ executions, steps }) => executions.length - steps.length);
  const missing = sum('missing', ({ executions, steps }) => completed(steps).length - executions.length);
  const why = isCut
    ? 'the last line of the ledger was cut off, and may tell of this run'
    : all.flatMap(({ otherIds }) => otherIds)[0] === undefined
      ? undefined
      : 'a step remembers what the ledger does not have';
  const isKnown = hasLedger && why === undefined;
  return {
    ...run,
    operations: all,
    duplicates: isKnown ? duplicates : undefined,
    missing: isKnown ? missing : undefined,
    text: runToText(run, all, hasLedger, why, duplicates, missing),
  };
}

function joinOperation(
  run: EngineRun,
  normal: string,
  rows: readonly Sourced[],
  used: Set<EngineStep>,
  known: ReadonlySet<string>,
): EngineOperation {
  const named = run.steps.filter(({ name }) => normalise(name) === normal);
  // A later step may carry the id on: the one of that name made it, else the first.
  const holders = rows.map((row) => [...named, ...run.steps].find(({ result }) => isHeld(row, result)));
  const executions = rows.map((row, i): RememberedExecution => ({ ...row, heldBy: holders[i]?.name }));
  const steps = named.length > 0 ? named : [...new Set(holders.flatMap((step) => step ?? []))];
  for (const step of steps) used.add(step);
  const name = rows[0] === undefined ? normal : nameOfRow(rows[0]).name;
  const isHeldByAny = holders.some((step) => step !== undefined);
  const rule = isHeldByAny ? 'ledger-result-id' : steps.length > 0 ? 'ledger-step-name' : undefined;
  const events = [...steps.flatMap((step) => step.events), ...rows.map(({ event }) => event)];
  const ids = rows.flatMap(({ id }) => id ?? []);
  const like: Known = {
    ids: new Set(ids),
    shapes: new Set(ids.map(toShape)),
    words: [normal, name],
    places: new Set(named.flatMap(({ result }) => placesOf(result, new Set(ids)))),
  };
  const otherIds = named.flatMap(({ result }) => otherIdsIn(result, like)).filter((id) => !known.has(id));
  return { name, executions, steps, rule, events, otherIds, ...judge(run, name, executions, steps, otherIds) };
}

function completed(steps: readonly EngineStep[]): readonly EngineStep[] {
  return steps.filter(({ state }) => state === 'completed');
}

/** Ids of one or two characters stand in too many results by chance. */
function isHeld({ id }: LedgerRow, result: EngineStep['result']): boolean {
  return id !== undefined && id.length > 2 && holdsText(result, id);
}

function judge(
  run: EngineRun,
  name: string,
  executions: readonly RememberedExecution[],
  steps: readonly EngineStep[],
  otherIds: readonly string[],
): Pick<EngineOperation, 'verdict' | 'text'> {
  const n = executions.length;
  const times = n === 1 ? 'once' : `${n} times`;
  const ids = executions.flatMap(({ id }) => id ?? []).join(', ');
  const done = `The ledger has ${name} executed ${times}${ids === '' ? '' : ` (${ids})`}`;
  if (steps.length === 0) {
    const text = `${done}; no step of ${nameOfEngine(run.engine)} has its name or holds its id. The engine does not know of it, or calls it otherwise.`;
    return { verdict: 'not joined', text };
  }
  const called = `${steps.length === 1 ? 'one step' : `${steps.length} steps`} of ${nameOfEngine(run.engine)} (${[...new Set(steps.map((step) => step.name))].join(', ')})`;
  if (otherIds.length > 0) {
    const text = `${done}, and ${called} ${steps.length === 1 ? 'holds' : 'hold'} ${otherIds.join(', ')}, which the ledger does not have: a row of it is missing, or the two are not of one run.`;
    return { verdict: 'not joined', text };
  }
  const held = executions.filter(({ heldBy }) => heldBy !== undefined).flatMap(({ id }) => id ?? []);
  if (n > steps.length) {
    const remembered =
      held.length === 0
        ? 'its tables hold no id of them'
        : `its tables hold ${held.join(', ')} and nothing of the rest`;
    return {
      verdict: 'more often',
      text: `${done}, for ${called}; ${remembered}. Its tables alone would not show it.`,
    };
  }
  const open = steps.length - completed(steps).length;
  if (n < completed(steps).length)
    return { verdict: 'missing', text: `${done}, for ${called}: not every step is in the ledger.` };
  if (open > 0)
    return { verdict: 'under way', text: `${done}; the engine has no result of the step: it may be asked for again.` };
  return { verdict: 'once', text: `${done}, and ${called} ${steps.length === 1 ? 'remembers' : 'remember'} it.` };
}

function withoutExecution(run: EngineRun, step: EngineStep): EngineOperation {
  const isDone = step.state === 'completed';
  return {
    name: step.name,
    verdict: isDone ? 'missing' : 'under way',
    text: isDone
      ? `${nameOfEngine(run.engine)} holds a result of ${step.name}, and the ledger has nothing of it in this run.`
      : `${step.name} is ${step.state}, and the ledger has nothing of it in this run.`,
    executions: [],
    steps: [step],
    rule: 'ledger-step-name',
    events: step.events,
    otherIds: [],
  };
}

function runToText(
  run: EngineRun,
  operations: readonly EngineOperation[],
  hasLedger: boolean,
  why: string | undefined,
  duplicates: number,
  missing: number,
): string {
  const status = `By ${nameOfEngine(run.engine)}, ${run.statusText}; ${run.steps.length === 1 ? 'one step' : `${run.steps.length} steps`} remembered.`;
  if (!hasLedger)
    return `${status} No ledger has a row of this run: what was executed outside, and how often, is not known.`;
  const open = operations.filter(({ verdict }) => verdict === 'not joined').length;
  if (why !== undefined)
    return `${status} How often its steps were executed is not known: ${why}. That the run was struck by a kill, and where, these tables cannot show.`;
  const found = [
    `executed more often than its tables show: ${duplicates}`,
    `remembered and not executed: ${missing}`,
    ...(open === 0 ? [] : [`not joined: ${open}`]),
  ];
  return `${status} By the ledger, ${found.join('; ')}. That the run was struck by a kill, and where, these tables cannot show.`;
}
