/**
 * The envelope that every converted event shares, and the provenance it carries.
 */
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { type Result, err, ok } from '../../base/result.ts';
import { type EventId, eventToLine, mainBranch, parseEvent } from '../../model/index.ts';
import type { ImportedEvent, InputPlace } from '../format.ts';
import type { Edge } from './link.ts';
import type { Emitter } from './record.ts';
import { serviceOf } from './survey.ts';
import { resourcePrint } from './trace-info.ts';
import { isEmpty, textAt, valueAt, withoutUndefined } from './values.ts';

export interface Draft {
  readonly id: EventId;
  readonly type: string;
  readonly time?: string | undefined;
  readonly span?: string | undefined;
  readonly session?: string | undefined;
  readonly step?: string | undefined;
  readonly agent?: string | undefined;
  readonly principal?: JsonObject | undefined;
  readonly command?: JsonObject | undefined;
  readonly causes: readonly (Edge | undefined)[];
  readonly data: JsonObject;
  readonly extra?: JsonObject | undefined;
  /** The record's id as it was written. */
  readonly record?: string | undefined;
}

export interface Origin {
  readonly format: string;
  readonly trace: string;
  readonly place: InputPlace;
  readonly emitter: Emitter | undefined;
}

/** An event that the model refuses is the record's problem, told in words. */
export function draftToEvent(origin: Origin, draft: Draft): Result<ImportedEvent, string> {
  const { emitter, place, trace } = origin;
  const extra = draft.extra ?? {};
  const causes = uniqueCauses(draft.causes, draft.id);
  const raw = withoutUndefined({
    v: 1,
    id: draft.id,
    type: draft.type,
    run: trace,
    span: draft.span,
    session: draft.session,
    step: draft.step,
    branch: mainBranch,
    time: draft.time,
    clock: draft.time === undefined || emitter === undefined ? undefined : `host/${serviceOf(emitter)}`,
    source: emitter === undefined ? { component: origin.format } : emitterToSource(emitter, origin.format),
    agent: draft.agent,
    principal: draft.principal,
    causes: causes.length === 0 ? undefined : causes,
    command: draft.command,
    imported: withoutUndefined({
      format: origin.format,
      file: place.file,
      line: place.line,
      record: draft.record,
      extra: isEmpty(extra) ? undefined : extra,
    }),
    data: draft.data,
  });
  const parsed = parseEvent(raw);
  if (!parsed.ok) return err(parsed.error.message);
  return ok({ event: parsed.value, line: eventToLine(parsed.value), place });
}

function emitterToSource({ resource }: Emitter, format: string): JsonObject {
  const pid = valueAt(resource, 'process.pid');
  return withoutUndefined({
    component: textAt(resource, 'service.name') ?? format,
    instance: textAt(resource, 'service.instance.id'),
    version: textAt(resource, 'service.version'),
    pid: typeof pid === 'number' && Number.isInteger(pid) && pid >= 0 ? pid : undefined,
  });
}

/** Where the record came from in its process: the resource, told once for each run, and the scope. */
export function emitterToExtra({ resource, scope }: Emitter): JsonObject {
  return withoutUndefined({
    resource: isEmpty(resource) ? undefined : resourcePrint(resource),
    scope: isEmpty(scope) ? undefined : scope,
  });
}

function uniqueCauses(causes: readonly (Edge | undefined)[], own: EventId): readonly JsonValue[] {
  const seen = new Set<string>();
  const unique: JsonValue[] = [];
  for (const cause of causes) {
    if (cause === undefined || cause.event === own || seen.has(`${cause.event} ${cause.as}`)) continue;
    seen.add(`${cause.event} ${cause.as}`);
    unique.push(edgeToJson(cause));
  }
  return unique;
}

function edgeToJson({ event, as, rule, grade }: Edge): JsonObject {
  return rule === undefined ? { event, as } : { event, as, grade: grade ?? 'inferred', rule };
}
