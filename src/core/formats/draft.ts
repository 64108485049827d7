/**
 * Drafts of converted events to events of the model: the envelope, the causes with their grade, and where the record stood.
 *
 * Invariant: what a draft leaves out stays absent. A draft that the model refuses is the record's problem, in words. Called by the
 * formats that map foreign records.
 */
import { sha256Hex } from '../base/hash.ts';
import type { JsonObject, JsonValue } from '../base/json.ts';
import { err, ok, type Result } from '../base/result.ts';
import { type EventId, eventId, eventToLine, isRunId, mainBranch, parseEvent } from '../model/index.ts';
import type { ImportedEvent, InputPlace } from './format.ts';
import { isEmptyObject, withoutUndefined } from './members.ts';

export interface CauseDraft {
  readonly event: EventId;
  readonly as: 'selected_by' | 'result_of' | 'consumed' | 'informed_by' | 'authorized_by' | 'caused_by';
  /** The named rule that infers it; absent where the record says so. */
  readonly rule?: string | undefined;
  /** Nothing but clocks: drawn as such. */
  readonly clockOnly?: boolean | undefined;
}

export interface EventDraft {
  readonly id: EventId;
  readonly type: string;
  readonly run: string;
  readonly data: JsonObject;
  readonly branch?: string | undefined;
  readonly span?: string | undefined;
  readonly session?: string | undefined;
  readonly step?: string | undefined;
  readonly time?: string | undefined;
  readonly clock?: string | undefined;
  readonly component?: string | undefined;
  readonly version?: string | undefined;
  readonly agent?: string | undefined;
  readonly principal?: JsonObject | undefined;
  readonly causes?: readonly (CauseDraft | undefined)[] | undefined;
  readonly command?: JsonObject | undefined;
  /** Id of the record in its own words. */
  readonly record?: string | undefined;
  readonly extra?: JsonObject | undefined;
}

export function draftToImported(format: string, draft: EventDraft, place: InputPlace): Result<ImportedEvent, string> {
  const causes = uniqueCauses(draft);
  const extra = draft.extra === undefined || isEmptyObject(draft.extra) ? undefined : draft.extra;
  const raw = withoutUndefined({
    v: 1,
    id: draft.id,
    type: draft.type,
    run: draft.run,
    span: draft.span,
    session: draft.session,
    step: draft.step,
    branch: draft.branch ?? mainBranch,
    time: draft.time,
    clock: draft.time === undefined ? undefined : draft.clock,
    source: withoutUndefined({ component: draft.component ?? format, version: draft.version }),
    agent: draft.agent,
    principal: draft.principal,
    causes: causes.length === 0 ? undefined : causes.map(causeToJson),
    command: draft.command,
    imported: withoutUndefined({ format, file: place.file, line: place.line, record: draft.record, extra }),
    data: draft.data,
  });
  const parsed = parseEvent(raw);
  if (!parsed.ok) return err(parsed.error.message);
  return ok({ event: parsed.value, line: eventToLine(parsed.value), place });
}

function uniqueCauses({ id, causes }: EventDraft): readonly CauseDraft[] {
  const seen = new Set<string>();
  const unique: CauseDraft[] = [];
  for (const cause of causes ?? []) {
    if (cause === undefined || cause.event === id || seen.has(`${cause.event} ${cause.as}`)) continue;
    seen.add(`${cause.event} ${cause.as}`);
    unique.push(cause);
  }
  return unique;
}

function causeToJson({ event, as, rule, clockOnly }: CauseDraft): JsonValue {
  if (clockOnly === true) return withoutUndefined({ event, as, grade: 'clock-only', rule });
  return rule === undefined ? { event, as } : { event, as, grade: 'inferred', rule };
}

/** The id of a foreign trace as a run id: itself where it is one (W3C, or a UUID without dashes), else of its SHA-256. */
export function traceToRun(trace: string): string {
  const plain = trace
    .toLowerCase()
    .replace(/^trace_/, '')
    .replaceAll('-', '');
  return isRunId(plain) ? plain : sha256Hex(trace).slice(0, 32);
}

/** What the ids of the events of a run begin with. A trace id of 64 bits is filled with zeros from the left, which tell no run from another. */
export function runToPrefix(run: string): string {
  return run.startsWith('0000000000000000') ? run.slice(16, 24) : run.slice(0, 8);
}

/** The id of an event made from a record: short, and unique over the runs of a trace. */
export function recordToEventId(run: string, record: string, part = ''): EventId {
  return eventId(`${runToPrefix(run)}/${record}${part === '' ? '' : `:${part}`}`);
}
