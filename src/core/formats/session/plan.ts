/**
 * Between the passes: which records are one answer of the model, which result answers which call, which session started which.
 *
 * Everything here is a function of the set of records and, where records have neither ids nor parents, of their order in the log.
 */
import { sha256Hex } from '../../base/hash.ts';
import type { JsonObject } from '../../base/json.ts';
import { assert } from '../../base/assert.ts';
import { type EventId, type RunId, eventId, isRunId } from '../../model/index.ts';
import type { SessionRule } from './rules.ts';
import type { Stub, StubPart } from './survey.ts';

export interface CauseDraft {
  readonly event: EventId;
  readonly as: 'selected_by' | 'result_of' | 'consumed' | 'informed_by' | 'authorized_by' | 'caused_by';
  readonly rule?: SessionRule | undefined;
  /** Nothing but the clock says so. */
  readonly clockOnly?: boolean | undefined;
}

export interface Group {
  name: string;
  readonly entry: Entry;
  /** Records that have a piece of it; the event is made with the last of them in the second pass. */
  readonly entries: Set<Entry>;
  readonly calls: Call[];
  failed: boolean;
  counted: boolean;
  hasModel: boolean;
  /** What was set before it. */
  setting: JsonObject | undefined;
  causes: CauseDraft[];
  /** The failed call that this one repeats. */
  retries: Group | undefined;
  retriedBy: Group | undefined;
}

export interface Call {
  key: string;
  readonly id: string | undefined;
  /** The id that the model gave it. */
  readonly asked: string | undefined;
  readonly name: string;
  readonly entry: Entry;
  readonly print: string;
  readonly spawns: boolean;
  group: Group | undefined;
  child: string | undefined;
  answers: number;
  /** Other records tell the same call. */
  retold: boolean;
  /** Event of the first answer. */
  answer: EventId | undefined;
}

export interface PlannedPart {
  readonly stub: StubPart;
  readonly index: number;
  /** Event of the part itself. */
  own?: EventId | undefined;
  group?: Group | undefined;
  call?: Call | undefined;
  rule?: SessionRule | undefined;
  /** Folded into the event of another record. */
  merged?: boolean | undefined;
  /** An echo that nothing else says. */
  alone?: boolean | undefined;
}

export interface Entry {
  readonly stub: Stub;
  readonly session: string;
  readonly run: RunId;
  readonly agent: string;
  readonly scope: Scope;
  readonly parts: PlannedPart[];
  name: string;
  /** Its place in the log of its agent. */
  at: number;
  previous: Entry | undefined;
  copyOf: Entry | undefined;
  /** Records for the screen that say the same as this one. */
  readonly also: Stub[];
}

export interface Scope {
  readonly key: string;
  readonly session: string;
  readonly agent: string;
  entries: Entry[];
  last: Group | undefined;
  agentCall: string | undefined;
  /** The call of another agent of the session that started this one. */
  startedBy: Call | undefined;
  /** The log contradicts the times so often that the times are used. */
  byTime: boolean;
}

export interface SessionInfo {
  readonly key: string;
  /** Undefined where no record names the session. */
  readonly recorded: string | undefined;
  readonly run: RunId;
  records: number;
  start: Entry | undefined;
  parentSession: string | undefined;
  agent: string | undefined;
  time: string | undefined;
  millis: number;
  zoneless: boolean;
  version: string | undefined;
  spawn: { readonly call: Call; readonly rule?: SessionRule | undefined } | undefined;
  file: number;
}

export interface Plan {
  readonly entries: readonly Entry[];
  readonly sessions: ReadonlyMap<string, SessionInfo>;
  readonly scopes: ReadonlyMap<string, Scope>;
  readonly parentOf: (entry: Entry) => Entry | undefined;
  readonly recordOf: (session: string, id: string) => Entry | undefined;
}

export function prefixOf(run: RunId): string {
  return run.slice(0, 8);
}

export function runEvent(run: RunId): EventId {
  return eventId(`${prefixOf(run)}/run`);
}

export function modelEvent(group: Group): EventId {
  return eventId(`${prefixOf(group.entry.run)}/model:${group.name}`);
}

export function decisionEvent(group: Group): EventId {
  return eventId(`${prefixOf(group.entry.run)}/decision:${group.name}`);
}

export function callEvent(call: Call): EventId {
  return eventId(`${prefixOf(call.entry.run)}/call:${call.key}`);
}

export function answerEvent(call: Call): EventId {
  return eventId(`${prefixOf(call.entry.run)}/result:${call.key}`);
}

/** The event that others mean when they name the record. */
export function mainEvent(entry: Entry): EventId {
  for (const part of entry.parts) {
    if (part.group !== undefined && part.group.hasModel && !part.merged) return modelEvent(part.group);
    if (part.own !== undefined) return part.own;
    if (part.call !== undefined && part.stub.kind === 'call') return callEvent(part.call);
    // The beginning of the session is that of its run.
    if (part.stub.kind === 'start') return runEvent(entry.run);
  }
  return recordEvent(entry, 0);
}

export function recordEvent(entry: Entry, index: number): EventId {
  return eventId(`${prefixOf(entry.run)}/${entry.name}${index === 0 ? '' : `:${index}`}`);
}

export function sessionToRun(text: string): RunId {
  const run = sha256Hex(text).slice(0, 32);
  assert(isRunId(run), 'the beginning of a digest is a run id');
  return run;
}
