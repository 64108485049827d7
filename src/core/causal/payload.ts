/**
 * Reading recorded payloads without trusting them: an absent or differently typed member is `undefined`, never a guess.
 */
import { type JsonObject, type JsonValue, isJsonObject, reservedKeyOf } from '../base/json.ts';
import type { HindcastEvent } from '../model/index.ts';

/** The payload as recorded JSON; empty where there is none. */
export function payloadOf(event: HindcastEvent): JsonObject {
  // Cast: every member of an event is recorded JSON; the typed view only narrows it.
  return (event.data ?? {}) as JsonObject;
}

export function memberOf(value: JsonValue | undefined, key: string): JsonValue | undefined {
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** A text, or a number as its text; anything else is undefined. */
export function textOf(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  if (isJsonObject(value) && reservedKeyOf(value) === '$num') return textOfToken(value['$num']);
  return undefined;
}

export function numberOf(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** `textAt(payload, 'effect', 'id')`: a text or number at that path. */
export function textAt(value: JsonValue | undefined, ...keys: readonly string[]): string | undefined {
  let at = value;
  for (const key of keys) at = memberOf(at, key);
  return textOf(at);
}

/** The token of a number that no double holds, as it was recorded. */
function textOfToken(token: JsonValue | undefined): string | undefined {
  return typeof token === 'string' ? token : undefined;
}

const refusals: ReadonlySet<string> = new Set(
  'violated fail failed false deny denied refuse refused block blocked reject rejected'.split(' '),
);

/** A verdict that says no, in any of the usual words or as a boolean; what else it may say is no refusal. */
export function isRefusal(verdict: JsonValue | undefined): boolean {
  return verdict === false || refusals.has(textOf(verdict)?.trim().toLowerCase() ?? '');
}
