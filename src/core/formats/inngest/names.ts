/**
 * Names of members as the many writers of Inngest's records spell them: `groupID`, `group_id`, `GroupID` are one name.
 */
import { type JsonObject, type JsonValue, setOwn } from '../../base/json.ts';
import { restOf } from '../members.ts';

function plainName(name: string): string {
  return name.replaceAll('_', '').toLowerCase();
}

/** The members under their plain names; of two spellings of one name the first stands. */
export function readNames(object: JsonObject): JsonObject {
  const out: Record<string, JsonValue> = {};
  for (const [name, value] of Object.entries(object)) {
    const plain = plainName(name);
    if (!Object.hasOwn(out, plain)) setOwn(out, plain, value);
  }
  return out;
}

export function restOfNames(object: JsonObject, placed: readonly string[]): JsonObject {
  const plain = new Set(placed.map(plainName));
  const spelled = new Set<string>();
  const seen = new Set<string>();
  for (const name of Object.keys(object)) {
    const of = plainName(name);
    if (plain.has(of) && !seen.has(of)) spelled.add(name);
    seen.add(of);
  }
  return restOf(object, spelled);
}
