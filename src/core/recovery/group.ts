/**
 * Streams to trials by the ids in the records: one trial is one run that a record calls a trial, with the runs it is recorded to have
 * started, wherever its records stand (R24). Names and order of files mean nothing.
 *
 * Also told here: runs of others in the streams of a trial (R117), and runs that belong to no trial.
 */
import { isJsonObject, type JsonValue } from '../base/json.ts';
import { type EventOf, type HindcastEvent, mainBranch } from '../model/index.ts';
import type { RecoveryTrace, UnmatchedRun } from './report.ts';

export interface ForeignRun {
  readonly run: string;
  readonly trace: string;
  /** True when a process of the trial wrote for the other run; else the records merely stand in its streams. */
  readonly byOwnProcess: boolean;
  readonly events: readonly string[];
}

export interface TrialInput {
  readonly run: string;
  readonly started: EventOf<'trial.started'>;
  readonly events: readonly HindcastEvent[];
  readonly traces: readonly string[];
  readonly foreign: readonly ForeignRun[];
}

export interface Grouping {
  readonly trials: readonly TrialInput[];
  readonly unmatched: readonly UnmatchedRun[];
}

interface Draft {
  readonly run: string;
  readonly started: EventOf<'trial.started'>;
  readonly runs: Set<string>;
  readonly events: Map<string, HindcastEvent>;
  readonly traces: Set<string>;
  readonly foreign: Map<
    string,
    { readonly run: string; readonly trace: string; own: boolean; readonly events: string[] }
  >;
}

export function groupTraces(traces: readonly RecoveryTrace[]): Grouping {
  const drafts = findTrials(traces);
  const owners = new Map<string, Draft>();
  for (const draft of drafts.values()) for (const run of draft.runs) owners.set(run, draft);
  const unmatched: UnmatchedRun[] = [];
  for (const trace of traces) {
    const strangers = new Map<string, HindcastEvent[]>();
    for (const event of mainEvents(trace)) {
      const owner = owners.get(event.run);
      if (owner === undefined) push(strangers, event.run, event);
      else {
        owner.traces.add(trace.name);
        // The same record in two files is one record; a conflicting one is told apart by its text only where it was opened.
        if (!owner.events.has(event.id)) owner.events.set(event.id, event);
      }
    }
    addForeign(trace, drafts, owners, strangers, unmatched);
  }
  return { trials: [...drafts.values()].map(draftToTrial), unmatched };
}

function draftToTrial({ run, started, events, traces, foreign }: Draft): TrialInput {
  return {
    run,
    started,
    events: [...events.values()],
    traces: [...traces],
    foreign: [...foreign.values()].map(({ own, ...rest }) => ({ ...rest, byOwnProcess: own })),
  };
}

function mainEvents(trace: RecoveryTrace): readonly HindcastEvent[] {
  return trace.events.filter((event) => event.branch === mainBranch);
}

function findTrials(traces: readonly RecoveryTrace[]): Map<string, Draft> {
  const drafts = new Map<string, Draft>();
  const links: (readonly [from: string, to: string])[] = [];
  for (const trace of traces) {
    for (const event of mainEvents(trace)) {
      if (event.type === 'trial.started' && !drafts.has(event.run)) {
        const runs = new Set([event.run]);
        const { run } = event;
        drafts.set(run, { run, started: event, runs, events: new Map(), traces: new Set(), foreign: new Map() });
      }
      for (const to of linkedRuns(event)) links.push([event.run, to]);
    }
  }
  followLinks(drafts, links);
  return drafts;
}

/** Runs of children and of later segments belong to the trial of the run that started them. */
function followLinks(drafts: ReadonlyMap<string, Draft>, links: readonly (readonly [string, string])[]): void {
  for (let found = true; found;) {
    found = false;
    for (const [from, to] of links) {
      if (drafts.has(to)) continue;
      for (const draft of drafts.values()) {
        if (!draft.runs.has(from) || draft.runs.has(to)) continue;
        draft.runs.add(to);
        found = true;
      }
    }
  }
}

function linkedRuns(event: HindcastEvent): readonly string[] {
  if (event.type === 'agent.spawned') return runIn(event.data.child);
  if (event.type === 'run.rolled_over') return runIn(event.data.next);
  return [];
}

function runIn(value: JsonValue | undefined): readonly string[] {
  if (typeof value === 'string') return [value];
  const run = isJsonObject(value) ? value['run'] : undefined;
  return typeof run === 'string' ? [run] : [];
}

/**
 * A run is foreign to a trial when a process life that is recorded for the trial wrote it, or when it belongs to no trial and stands
 * in the streams of this trial alone.
 */
function addForeign(
  trace: RecoveryTrace,
  drafts: ReadonlyMap<string, Draft>,
  owners: ReadonlyMap<string, Draft>,
  strangers: ReadonlyMap<string, readonly HindcastEvent[]>,
  unmatched: UnmatchedRun[],
): void {
  const livesByRun = new Map<string, Set<string>>();
  const here = new Set<Draft>();
  for (const event of mainEvents(trace)) {
    if (event.type === 'worker.started') pushTo(livesByRun, event.run, lifeOf(event));
    const owner = owners.get(event.run);
    if (owner !== undefined && event.type === 'trial.started') here.add(owner);
  }
  for (const draft of here) {
    const lives = new Set([...draft.runs].flatMap((run) => [...(livesByRun.get(run) ?? [])]));
    for (const event of mainEvents(trace)) {
      const isOther = owners.get(event.run) !== draft;
      if (isOther && lives.has(lifeOf(event)) && livesByRun.get(event.run)?.has(lifeOf(event)) !== true) {
        addTo(draft, trace, event, true);
      }
    }
  }
  const [only, another] = [...here];
  for (const [run, events] of strangers) {
    if (only !== undefined && another === undefined) for (const event of events) addTo(only, trace, event, false);
    else {
      const isElsewhere = [...drafts.values()].some((draft) => draft.foreign.has(`${trace.name}|${run}`));
      if (!isElsewhere) unmatched.push(toUnmatched(trace, run, events.length));
    }
  }
}

function addTo(draft: Draft, trace: RecoveryTrace, event: HindcastEvent, own: boolean): void {
  const key = `${trace.name}|${event.run}`;
  const known = draft.foreign.get(key) ?? { run: event.run, trace: trace.name, own, events: [] };
  known.own ||= own;
  if (!known.events.includes(event.id)) known.events.push(event.id);
  draft.foreign.set(key, known);
}

function toUnmatched(trace: RecoveryTrace, run: string, records: number): UnmatchedRun {
  const text = `${trace.name}: ${records} ${records === 1 ? 'record' : 'records'} of run ${run} belong to no trial: no record says that a trial of this run started.`;
  return { trace: trace.name, run, records, text };
}

function lifeOf({ source }: HindcastEvent): string {
  return `${source.component}|${String(source.instance ?? '')}|${String(source.incarnation ?? '')}`;
}

function push<T>(map: Map<string, T[]>, key: string, item: T): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [item]);
  else list.push(item);
}

function pushTo(map: Map<string, Set<string>>, key: string, item: string): void {
  const set = map.get(key);
  if (set === undefined) map.set(key, new Set([item]));
  else set.add(item);
}
