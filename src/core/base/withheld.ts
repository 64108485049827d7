/**
 * Holes of a redacted copy: whether one is inside a value, and whether two values are equal besides them.
 *
 * Invariant: a hole is never delivered to control code and never compared as if it were a value.
 */
import { type JsonValue, isHole, isJsonArray, isJsonObject } from './json.ts';

export function containsHole(value: JsonValue | undefined): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const todo: JsonValue[] = [value];
  for (let item = todo.pop(); item !== undefined; item = todo.pop()) {
    if (typeof item !== 'object' || item === null) continue;
    if (isJsonArray(item)) for (const member of item) addObject(member, todo);
    else {
      const keys = Object.keys(item);
      if (keys.length === 1 && isHole(item)) return true;
      for (const key of keys) addObject(item[key], todo);
    }
  }
  return false;
}

/** Every value of a record is looked at: what can hold nothing is not kept for later. */
function addObject(value: JsonValue | undefined, todo: JsonValue[]): void {
  if (typeof value === 'object' && value !== null) todo.push(value);
}

/** `recorded` may have holes, each of which stands for any value. */
export function equalsBesidesHoles(recorded: JsonValue, actual: JsonValue): boolean {
  const todo: (readonly [JsonValue | undefined, JsonValue | undefined])[] = [[recorded, actual]];
  for (let pair = todo.pop(); pair !== undefined; pair = todo.pop()) {
    const [left, right] = pair;
    if (isHole(left) || left === right) continue;
    if (isJsonArray(left) && isJsonArray(right)) {
      if (left.length !== right.length) return false;
      for (const [n, item] of left.entries()) todo.push([item, right[n]]);
    } else if (isJsonObject(left) && isJsonObject(right)) {
      const keys = Object.keys(left);
      if (keys.length !== Object.keys(right).length || keys.some((key) => !Object.hasOwn(right, key))) return false;
      for (const key of keys) todo.push([left[key], right[key]]);
    } else return false;
  }
  return true;
}

/** Nothing of a value with a hole is delivered: control code could not tell what is missing. */
export function isWithheldValue(observation: MaybeWithheld): boolean {
  return containsHole(observation.value) || containsHole(observation.error?.data);
}

/** What any observation may have, recorded or about to be delivered. */
interface MaybeWithheld {
  readonly kind: string;
  readonly value?: JsonValue;
  readonly error?: { readonly data?: JsonValue };
}
