/**
 * The envelope that every converted event shares, and the provenance it carries: file, line, record, and every field of the
 * record that has no place of its own in the event.
 */
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { type Result, err, ok } from '../../base/result.ts';
import { type EventId, eventToLine, mainBranch, parseEvent } from '../../model/index.ts';
import type { ImportedEvent, InputPlace } from '../format.ts';
import { type Links, mainAgent } from './link.ts';
import type { CcRecord } from './record.ts';
import type { RuleName } from './rules.ts';
import type { Node } from './survey.ts';

export interface CauseDraft {
  readonly event: EventId;
  readonly as: string;
  readonly rule?: RuleName | undefined;
}

export interface EventDraft {
  readonly id: EventId;
  readonly type: string;
  readonly causes?: readonly (CauseDraft | undefined)[];
  readonly data: JsonObject;
  readonly step?: string | undefined;
  readonly command?: JsonObject | undefined;
  readonly principal?: JsonObject | undefined;
  readonly extra?: JsonObject | undefined;
  /** Instead of the record's own time. */
  readonly time?: string | undefined;
}

export const formatId = 'claude-code';

/** Fields that have a place in the event; all others go to `imported.extra`. */
const mapped: ReadonlySet<string> = new Set([
  'type',
  'uuid',
  'parentUuid',
  'logicalParentUuid',
  'sessionId',
  'timestamp',
  'version',
  'message',
  'agentId',
  'toolUseResult',
]);

export function extraOf(record: CcRecord): JsonObject {
  const extra: Record<string, JsonValue> = {};
  for (const key of Object.keys(record.raw)) {
    const value = record.raw[key];
    const isPlain = key !== 'timestamp' || record.time !== undefined;
    if (value !== undefined && value !== null && !(mapped.has(key) && isPlain) && key !== '__proto__')
      extra[key] = value;
  }
  return extra;
}

/** A draft to an event of the model. An event that the model refuses is the record's problem, told in words. */
export function draftToEvent(
  links: Links,
  record: CcRecord,
  node: Node,
  draft: EventDraft,
): Result<ImportedEvent, string> {
  const session = links.sessionOf(node, record.session);
  const run = links.runOf(session);
  const causes = (draft.causes ?? []).filter((cause) => cause !== undefined && cause.event !== draft.id);
  const place = record.source.place;
  const time = draft.time ?? record.time;
  const raw = withoutUndefined({
    v: 1,
    id: draft.id,
    type: draft.type,
    run,
    session,
    step: draft.step,
    branch: mainBranch,
    time,
    clock: time === undefined ? undefined : `host/${run.slice(0, 8)}`,
    source: withoutUndefined({ component: formatId, version: record.version }),
    agent: links.agentOf(node),
    principal: draft.principal,
    causes: causes.length === 0 ? undefined : uniqueCauses(causes).map(causeToJson),
    command: draft.command,
    imported: importedOf(record, place, draft.extra),
    data: draft.data,
  });
  return rawToEvent(raw, place);
}

export function rawToEvent(raw: JsonObject, place: InputPlace): Result<ImportedEvent, string> {
  const parsed = parseEvent(raw);
  if (!parsed.ok) return err(parsed.error.message);
  return ok({ event: parsed.value, line: eventToLine(parsed.value), place });
}

function importedOf(record: CcRecord, place: InputPlace, extra: JsonObject | undefined): JsonObject {
  const kept = extra ?? extraOf(record);
  return withoutUndefined({
    format: formatId,
    file: place.file,
    line: place.line,
    record: record.uuid,
    extra: Object.keys(kept).length === 0 ? undefined : kept,
  });
}

function uniqueCauses(causes: readonly (CauseDraft | undefined)[]): readonly CauseDraft[] {
  const seen = new Set<string>();
  const unique: CauseDraft[] = [];
  for (const cause of causes) {
    if (cause === undefined || seen.has(`${cause.event} ${cause.as}`)) continue;
    seen.add(`${cause.event} ${cause.as}`);
    unique.push(cause);
  }
  return unique;
}

function causeToJson(cause: CauseDraft): JsonObject {
  const edge = { event: cause.event, as: cause.as };
  return cause.rule === undefined ? edge : { ...edge, grade: 'inferred', rule: cause.rule };
}

export function withoutUndefined(object: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  const out: Record<string, JsonValue> = {};
  for (const key in object) {
    const value = object[key];
    if (value !== undefined && Object.hasOwn(object, key)) out[key] = value;
  }
  return out;
}

export function isMain(links: Links, node: Node): boolean {
  return links.agentOf(node) === mainAgent;
}
