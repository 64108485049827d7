/**
 * Effects of the world that a supplied answer speaks of although the branch does not have them: their ids belong to the recorded request.
 *
 * Invariant: only whole texts and numbers count, wherever they stand in the value; a part of a longer text is no name of an effect.
 */
import { type JsonValue, isJsonArray, isJsonObject } from '../../core/base/json.ts';
import type { OrphanEffect } from '../../core/replay/report-types.ts';

export function orphanIdsIn(value: JsonValue | undefined, orphans: readonly OrphanEffect[]): readonly string[] {
  if (value === undefined || orphans.length === 0) return [];
  const ids = new Set(orphans.flatMap(({ effects }) => effects.flatMap(({ id }) => id ?? [])));
  const found = new Set<string>();
  const waiting: JsonValue[] = [value];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (isJsonArray(next)) for (const item of next) waiting.push(item);
    else if (isJsonObject(next)) for (const item of Object.values(next)) waiting.push(item);
    else if ((typeof next === 'string' || typeof next === 'number') && ids.has(String(next))) found.add(String(next));
  }
  return [...found];
}

export function orphanIdsToSentence(ids: readonly string[]): string {
  const names = ids.join(', ');
  return `It names ${names}: ${ids.length === 1 ? 'an effect' : 'effects'} of the recorded request, which this branch does not make. Another request would have been answered with another id. You may replay it all the same.`;
}
