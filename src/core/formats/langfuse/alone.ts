/**
 * Traces and scores of Langfuse that stand in files of their own, without their observations: told by members that only they have together.
 */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { listAt } from '../members.ts';

/** What the server writes with every trace, in either spelling. */
const ofTraces: readonly (readonly string[])[] = [
  ['id', 'timestamp', 'htmlPath'],
  ['id', 'timestamp', 'sessionId', 'userId', 'public'],
  ['id', 'timestamp', 'session_id', 'user_id', 'public'],
  ['id', 'timestamp', 'projectId', 'tags', 'bookmarked'],
  ['id', 'timestamp', 'project_id', 'tags', 'bookmarked'],
];

const ofScores: readonly (readonly string[])[] = [
  ['id', 'traceId', 'name', 'source', 'dataType'],
  ['id', 'trace_id', 'name', 'source', 'data_type'],
];

type Names = Pick<ReadonlySet<string>, 'has'>;

export function isTrace(names: Names): boolean {
  return ofTraces.some((members) => members.every((name) => names.has(name)));
}

export function isScore(names: Names): boolean {
  return ofScores.some((members) => members.every((name) => names.has(name)));
}

export function looksLikeTrace(value: JsonValue | undefined): boolean {
  return isJsonObject(value) && isTrace(new Set(Object.keys(value)));
}

export function looksLikeScore(value: JsonValue | undefined): boolean {
  return isJsonObject(value) && isScore(new Set(Object.keys(value)));
}

/** Ids of what a trace is said to hold and what was exported apart from it. */
export function idsIn(trace: JsonObject, key: 'observations' | 'scores'): readonly string[] {
  const listed = listAt(trace, key);
  return isJsonArray(listed) ? listed.filter((id) => typeof id === 'string') : [];
}
