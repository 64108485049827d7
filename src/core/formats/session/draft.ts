/**
 * Drafts of events, and what the parts of events share: where they come from, and the paths of commands.
 */
import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { EventId } from '../../model/index.ts';
import { withoutUndefined } from '../members.ts';
import type { Reading } from './part.ts';
import {
  type Call,
  callEvent,
  type CauseDraft,
  type Entry,
  type Group,
  mainEvent,
  type Plan,
  recordEvent,
  runEvent,
} from './plan.ts';
import { isSpawnTool, toolToEffect } from './tools.ts';

export interface EventDraft {
  readonly id: EventId;
  readonly type: string;
  readonly causes: readonly (CauseDraft | undefined)[];
  readonly data: JsonObject;
  readonly step?: string | undefined;
  readonly command?: JsonObject | undefined;
  readonly principal?: JsonObject | undefined;
  readonly extra?: JsonObject | undefined;
  readonly time?: string | undefined;
  /** The record it came from, where that is not the present one. */
  readonly entry?: Entry | undefined;
}

/** What the second pass holds of an answer until its last record was read. */
export interface OpenAnswer {
  readonly pieces: { readonly entry: Entry; readonly reading: Reading; readonly raw: JsonValue }[];
}

export interface Converting {
  readonly format: string;
  readonly plan: Plan;
  readonly open: Map<Group, OpenAnswer>;
}

/** What led to a record by its own words, for the first of its events. */
export function recordedCauses(plan: Plan, entry: Entry): readonly CauseDraft[] {
  const causes: CauseDraft[] = [];
  for (const id of entry.stub.causes) {
    const known = plan.recordOf(entry.session, id);
    if (known !== undefined && known !== entry) causes.push({ event: mainEvent(known), as: 'caused_by' });
  }
  return causes;
}

/** The recorded parent; one that is in no file given stays as a reference into the void. Else the beginning of the run. */
export function parentCause(at: Converting, entry: Entry): CauseDraft | undefined {
  const { parent, causes } = entry.stub;
  if (causes.some((id) => at.plan.recordOf(entry.session, id) !== undefined)) return undefined;
  if (typeof parent === 'string') {
    const known = at.plan.parentOf(entry);
    const event = known === undefined ? recordEvent({ ...entry, name: parent }, 0) : mainEvent(known);
    return { event, as: 'caused_by' };
  }
  const { startedBy } = entry.scope;
  if (startedBy !== undefined) return { event: callEvent(startedBy), as: 'caused_by' };
  return { event: runEvent(entry.run), as: 'caused_by', rule: 'run-of-session' };
}

export function startCauses(plan: Plan, session: string): readonly CauseDraft[] {
  const info = plan.sessions.get(session);
  if (info?.spawn !== undefined) {
    return [{ event: callEvent(info.spawn.call), as: 'caused_by', rule: info.spawn.rule }];
  }
  const parent = info?.parentSession === undefined ? undefined : plan.sessions.get(info.parentSession);
  return parent === undefined ? [] : [{ event: runEvent(parent.run), as: 'caused_by' }];
}

export function scopePath(entry: Entry): string {
  const { startedBy } = entry.scope;
  if (startedBy === undefined) return '';
  return startedBy.entry.scope === entry.scope ? '' : `/child:${startedBy.name}=${startedBy.key}`;
}

export function callCommand(call: Call): { readonly path: string; readonly kind: string | undefined } {
  const effect = toolToEffect(call.name);
  const isSpawn = call.spawns || call.child !== undefined || isSpawnTool(call.name);
  const kind = isSpawn ? 'child' : effect === undefined ? undefined : effect === 'none' ? 'read' : 'write';
  return { path: `${scopePath(call.entry)}/${kind ?? 'tool'}:${call.name}=${call.key}`, kind };
}

export function alsoOf(entry: Entry): readonly JsonObject[] {
  return entry.also.map(({ line, kind, time }) => withoutUndefined({ line, kind, time }));
}
