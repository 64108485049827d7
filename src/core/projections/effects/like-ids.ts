/**
 * Ids as they are written: which texts of an answer are of the kind of the ids that are known. Asked by told.ts, and by the recovery of
 * trials for the same question of a ledger.
 */
import { isJsonArray, isJsonObject, type JsonValue } from '../../base/json.ts';

/** Shorter ones stand in too many answers by chance. */
const shortest = 2;

export function isLongEnough(text: string): boolean {
  return text.length > shortest;
}

/** `8421` and `8422` are written alike, and so are `mail-301` and `mail-302`; what has no digit is no id here. */
export function toShape(id: string): string {
  return /\d/.test(id) ? id.replace(/\d+/g, '0') : `word ${id}`;
}

/** Every text and number in a value, at any depth. */
export function textsIn(value: JsonValue | undefined): readonly string[] {
  const stack: (JsonValue | undefined)[] = [value];
  const found: string[] = [];
  while (stack.length > 0) {
    const top = stack.pop();
    if (typeof top === 'string' || typeof top === 'number') found.push(String(top));
    else if (isJsonArray(top)) for (const item of top) stack.push(item);
    else if (isJsonObject(top)) for (const item of Object.values(top)) stack.push(item);
  }
  return found;
}

/** Those of these texts that are written as one of these shapes is, each once. */
export function textsLike(texts: readonly string[], shapes: ReadonlySet<string>): readonly string[] {
  return [...new Set(texts)].filter((text) => isLongEnough(text) && shapes.has(toShape(text)));
}
