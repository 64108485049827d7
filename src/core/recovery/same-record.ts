/**
 * Whether two events under one id are one record that stands in two files, and which of the two says more.
 *
 * What an importer adds is not what was recorded: where the record stood, edges and members that it found in other records of the same
 * file. Files that overlap give such a record twice, once with less. Invariant: a difference in anything that was recorded makes two
 * records. Called by group.ts.
 */
import { assert } from '../base/assert.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import { canon, type HindcastEvent } from '../model/index.ts';

/** Members that an importer takes from other records of the file: the envelope of a trial, the life that ended, the command struck. */
const foundElsewhere: ReadonlyMap<string, string> = new Map([
  ['trial.started', 'envelope'],
  ['worker.exited', 'worker'],
  ['fault.witnessed', 'target'],
]);

export function isSameRecord(one: HindcastEvent, other: HindcastEvent): boolean {
  if (one === other) return true;
  if (one.type !== other.type) return false;
  const found = one.imported === undefined || other.imported === undefined ? undefined : foundElsewhere.get(one.type);
  const isTold = [one, other].every(({ data }) => found === undefined || (isJsonObject(data) && found in data));
  // The path of a target holds the kind of its command, so it may differ where both have it.
  const aside = isTold && found !== 'target' ? undefined : found;
  return canon(toRecorded(one, aside)) === canon(toRecorded(other, aside));
}

/** The one that knows more; the first of equals. */
export function fullerOf(one: HindcastEvent, other: HindcastEvent): HindcastEvent {
  return one === other || knownLength(one) >= knownLength(other) ? one : other;
}

function knownLength(event: HindcastEvent): number {
  return canon({ ...toJson(event), imported: null }).length;
}

/** What was recorded, as far as an importer's event tells it; `aside`: a member that only one of the two could be given. */
export function toRecorded(event: HindcastEvent, aside?: string): JsonObject {
  const { command, data = null, seq = null, ...rest } = toJson(event);
  if (event.imported === undefined) return toJson(event);
  const recorded = (event.causes ?? []).filter(({ grade }) => grade !== 'inferred');
  return {
    ...rest,
    imported: without(rest['imported'] ?? null, ['file', 'line']),
    causes: recorded.map((cause) => cause.event),
    // The kind of a command, which is a part of its path, is told by the other records of the command.
    command: event.command?.alias === undefined ? (command ?? null) : without(command ?? null, ['path', 'kind']),
    // The start of a trial takes the place of the record that completes it.
    seq: event.type === 'trial.started' ? null : seq,
    data: aside === undefined ? data : without(data, [aside]),
  };
}

function without(value: JsonValue, names: readonly string[]): JsonValue {
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
}

function toJson(event: HindcastEvent): JsonObject {
  const value: unknown = event;
  assert(isJsonObject(value), 'an event is recorded JSON');
  return value;
}
