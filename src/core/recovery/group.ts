/**
 * Streams to trials by the ids in the records: one trial is one run that a record calls a trial, with the runs it is recorded to have
 * started, wherever its records stand (R24). Names and order of files mean nothing.
 *
 * Also told here: runs of others in the streams of a trial (R117), and runs that belong to no trial.
 */
import { isJsonObject, type JsonValue } from '../base/json.ts';
import type { EventOf, HindcastEvent } from '../model/index.ts';
import { type CopyAnswers, joinCopies, readCopyAnswers } from '../projections/copy-records.ts';
import { type Homeless, computeGaps, findHomeless, type LedgerGap } from './ledger-gaps.ts';
import type { RecoveryTrace, UnmatchedRun } from './report.ts';
import { fullerOf, isSameRecord } from './same-record.ts';
import { countedTraces, streamKey } from './services.ts';
import { isTrialStart, problemsToUnread, type UnreadOfTrial, type UnreadRecord } from './unread-records.ts';

export interface ForeignRun {
  readonly run: string;
  readonly trace: string;
  /** True when a process of the trial wrote for the other run; else the records merely stand in its streams. */
  readonly byOwnProcess: boolean;
  readonly events: readonly string[];
}

/** Records that are not read, because the trial has other records under their ids. */
interface LostRecords {
  readonly trace: string;
  readonly events: readonly string[];
}

export interface TrialInput {
  readonly run: string;
  readonly started: EventOf<'trial.started'>;
  readonly events: readonly HindcastEvent[];
  readonly traces: readonly string[];
  readonly foreign: readonly ForeignRun[];
  readonly lost: readonly LostRecords[];
  /** Records of it of which no event was made. */
  readonly unread: readonly UnreadOfTrial[];
  /** Where records of it, above all of a service, are known to be missing. */
  readonly gaps: readonly LedgerGap[];
  /** Where it stands in copies: what these say of answers that they do not show. */
  readonly copy: CopyAnswers | undefined;
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
    { readonly run: string; readonly trace: string; own: boolean; readonly events: Set<string> }
  >;
  /** By trace. */
  readonly lost: Map<string, string[]>;
  readonly unread: UnreadOfTrial[];
}

export function groupTraces(traces: readonly RecoveryTrace[]): Grouping {
  const counted = countedTraces(traces);
  const drafts = findTrials(counted);
  const owners = new Map<string, Draft>();
  for (const draft of drafts.values()) for (const run of draft.runs) owners.set(run, draft);
  const unmatched: UnmatchedRun[] = [];
  const foreignSomewhere = new Set<string>();
  const copies = new Map<string, CopyAnswers>();
  for (const trace of counted) {
    const unread = problemsToUnread(trace.problems ?? []);
    const strangers = new Map<string, HindcastEvent[]>();
    const { events } = trace;
    for (const event of events) {
      const owner = owners.get(event.run);
      const copy = readCopyAnswers(event.type, event.data);
      if (copy !== undefined) copies.set(trace.name, copy);
      if (owner === undefined) push(strangers, event.run, event);
      else addOwn(owner, trace.name, event);
    }
    addUnread(trace.name, unread, drafts, owners);
    addForeign({ trace: trace.name, events, owners, strangers, unmatched, foreignSomewhere, unread });
  }
  const everything = (): Iterable<HindcastEvent> => recordsOf(traces);
  const homeless = drafts.size === 0 ? [] : findHomeless(everything);
  return {
    trials: [...drafts.values()].map((draft) => draftToTrial(draft, everything, homeless, copies)),
    unmatched,
  };
}

function* recordsOf(traces: readonly RecoveryTrace[]): Iterable<HindcastEvent> {
  for (const { events } of traces) yield* events;
}

/** The same record in two files is one record; another one under its id cannot be told apart by what refers to it, and is told. */
function addOwn(owner: Draft, trace: string, event: HindcastEvent): void {
  owner.traces.add(trace);
  const known = owner.events.get(event.id);
  if (known === undefined) owner.events.set(event.id, event);
  else if (!isSameRecord(known, event)) push(owner.lost, trace, String(event.id));
  else owner.events.set(event.id, fullerOf(known, event));
}

/**
 * By the runs that it names, and where a line may be two records in one by the records that it mentions as well: two trials that it tells
 * of are the two. One that names no run and mentions records of fewer than two may be of any trial of its file.
 */
function addUnread(
  trace: string,
  unread: readonly UnreadRecord[],
  drafts: ReadonlyMap<string, Draft>,
  owners: ReadonlyMap<string, Draft>,
): void {
  for (const record of unread) {
    const named = new Set(record.runs.flatMap((run) => owners.get(run) ?? []));
    const here = [...drafts.values()].filter((draft) => draft.traces.has(trace));
    const mentioned = here.filter((draft) => !named.has(draft) && isMentioned(draft, record, here));
    for (const draft of named) draft.unread.push({ ...record, isOwn: true });
    const isToldOf = record.runs.length > 0 || mentioned.length > 1;
    for (const draft of isToldOf ? mentioned : here) draft.unread.push({ ...record, isOwn: false });
  }
}

/** A record of it, or the one before or behind a record of it in the log of both, stands in the line, and is of no other trial. */
function isMentioned(draft: Draft, { mentions }: UnreadRecord, here: readonly Draft[]): boolean {
  return mentions.some((text) => {
    const ids = [text, nextTo(text, -1), nextTo(text, 1)];
    return ids.some((id) => draft.events.has(id) && here.every((other) => other === draft || !other.events.has(id)));
  });
}

function nextTo(id: string, step: number): string {
  return id.replace(/\d{1,15}$/, (digits) => String(Number(digits) + step).padStart(digits.length, '0'));
}

function draftToTrial(
  { run, started, events, traces, foreign, lost, unread }: Draft,
  everything: () => Iterable<HindcastEvent>,
  homeless: readonly Homeless[],
  copies: ReadonlyMap<string, CopyAnswers>,
): TrialInput {
  const whole = events.get(started.id);
  return {
    run,
    started: whole?.type === 'trial.started' ? whole : started,
    events: [...events.values()],
    traces: [...traces],
    foreign: [...foreign.values()].map(({ own, events: ids, ...rest }) => ({
      ...rest,
      events: [...ids],
      byOwnProcess: own,
    })),
    lost: [...lost].map(([trace, ids]) => ({ trace, events: ids })),
    unread,
    gaps: computeGaps([...events.values()], everything, homeless),
    copy: joinCopies([...traces].flatMap((trace) => copies.get(trace) ?? [])),
  };
}

function findTrials(traces: readonly RecoveryTrace[]): Map<string, Draft> {
  const drafts = new Map<string, Draft>();
  const links: (readonly [from: string, to: string])[] = [];
  for (const trace of traces) {
    for (const event of trace.events) {
      if (event.type === 'trial.started' && !drafts.has(event.run)) {
        const runs = new Set([event.run]);
        const { run } = event;
        drafts.set(run, {
          run,
          started: event,
          runs,
          events: new Map(),
          traces: new Set(),
          foreign: new Map(),
          lost: new Map(),
          unread: [],
        });
      }
      for (const to of linkedRuns(event)) links.push([event.run, to]);
    }
  }
  followLinks(drafts, links);
  return drafts;
}

/** Runs of children and of later segments belong to the trial of the run that started them. */
function followLinks(drafts: ReadonlyMap<string, Draft>, links: readonly (readonly [string, string])[]): void {
  const next = new Map<string, string[]>();
  for (const [from, to] of links) if (!drafts.has(to)) push(next, from, to);
  for (const { run, runs } of drafts.values()) {
    const todo = [run];
    for (let from = todo.pop(); from !== undefined; from = todo.pop()) {
      for (const to of next.get(from) ?? []) {
        if (runs.has(to)) continue;
        runs.add(to);
        todo.push(to);
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

interface ForeignSearch {
  readonly trace: string;
  readonly events: readonly HindcastEvent[];
  readonly owners: ReadonlyMap<string, Draft>;
  /** Of runs that belong to no trial. */
  readonly strangers: ReadonlyMap<string, readonly HindcastEvent[]>;
  readonly unmatched: UnmatchedRun[];
  /** Trace and run of what is foreign to any trial. */
  readonly foreignSomewhere: Set<string>;
  readonly unread: readonly UnreadRecord[];
}

/**
 * A run is foreign to a trial when a process life that is recorded for the trial wrote it, or when it belongs to no trial and stands
 * in the streams of this trial alone.
 */
function addForeign({ trace, events, owners, strangers, unmatched, foreignSomewhere, unread }: ForeignSearch): void {
  const livesByRun = new Map<string, Set<string>>();
  const here = new Set<Draft>();
  for (const event of events) {
    if (event.type === 'worker.started') pushTo(livesByRun, event.run, streamKey(event));
    const owner = owners.get(event.run);
    if (owner !== undefined && event.type === 'trial.started') here.add(owner);
  }
  const draftsByLife = new Map<string, Draft[]>();
  for (const draft of here) {
    const lives = new Set([...draft.runs].flatMap((run) => [...(livesByRun.get(run) ?? [])]));
    for (const life of lives) push(draftsByLife, life, draft);
  }
  const add = (draft: Draft, event: HindcastEvent, own: boolean): void => {
    foreignSomewhere.add(toKey(trace, event.run));
    addTo(draft, trace, event, own);
  };
  for (const event of draftsByLife.size === 0 ? [] : events) {
    const life = streamKey(event);
    if (livesByRun.get(event.run)?.has(life) === true) continue;
    for (const draft of draftsByLife.get(life) ?? []) if (owners.get(event.run) !== draft) add(draft, event, true);
  }
  const [only, another] = [...here];
  for (const [run, own] of strangers) {
    if (only !== undefined && another === undefined) for (const event of own) add(only, event, false);
    else if (!foreignSomewhere.has(toKey(trace, run))) unmatched.push(toUnmatched(trace, run, own.length, unread));
  }
}

function toKey(trace: string, run: string): string {
  return `${trace}|${run}`;
}

function addTo(draft: Draft, trace: string, event: HindcastEvent, own: boolean): void {
  const key = toKey(trace, event.run);
  const known = draft.foreign.get(key) ?? { run: event.run, trace, own, events: new Set<string>() };
  known.own ||= own;
  known.events.add(event.id);
  draft.foreign.set(key, known);
}

function toUnmatched(trace: string, run: string, records: number, unread: readonly UnreadRecord[]): UnmatchedRun {
  const starts = unread.filter((record) => isTrialStart(record) && (record.run ?? run) === run);
  const why =
    starts.length === 0
      ? 'no record says that a trial of this run started'
      : `the record of its start could not be read (${starts.map(({ place }) => place).join('; ')}): \`hindcast check\` says what is wrong with it`;
  const text = `${trace}: ${records} ${records === 1 ? 'record' : 'records'} of run ${run} belong to no trial: ${why}.`;
  return { trace, run, records, text };
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
