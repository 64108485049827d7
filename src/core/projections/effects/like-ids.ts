/**
 * Ids of effects in answers: which values of an answer name an effect, beside those that are known. Asked by told.ts, and by the recovery of
 * trials for the same question of a ledger.
 *
 * Invariant: that a value is written like an id is not enough, for an amount or the number of a customer may be: it stands under the name of
 * what the effect is of, or where an answer of the same command has a known id. An answer that holds a known id tells of that one.
 */
import { isJsonArray, isJsonObject, type JsonValue } from '../../base/json.ts';

interface Leaf {
  /** Of the member that holds it; of what has it, for a member `id`; empty for the whole value. */
  readonly name: string;
  readonly text: string;
}

/** Shorter ones stand in too many answers by chance. */
const shortest = 2;

/** `8421` and `8422` are written alike, and so are `mail-301` and `mail-302`; what has no digit is no id here. */
export function toShape(id: string): string {
  return /\d/.test(id) ? id.replace(/\d+/g, '0') : `word ${id}`;
}

/** The text is the id, or has it as a part of its own: in an address, in a sentence, behind a prefix. */
export function holdsId(text: string, id: string): boolean {
  if (text === id) return true;
  if (id.length <= shortest) return false;
  for (let at = text.indexOf(id); at >= 0; at = text.indexOf(id, at + 1))
    if (!isOfWord(text.charAt(at - 1)) && !isOfWord(text.charAt(at + id.length))) return true;
  return false;
}

function isOfWord(character: string): boolean {
  return /[a-z0-9]/i.test(character);
}

export function holdsAnyId(value: JsonValue | undefined, ids: Iterable<string>): boolean {
  const leaves = leavesIn(value);
  return [...ids].some((id) => leaves.some(({ text }) => holdsId(text, id)));
}

export interface Known {
  readonly ids: ReadonlySet<string>;
  readonly shapes: ReadonlySet<string>;
  /** What the effects are called: tool, kind, target. */
  readonly words: readonly string[];
  /** Names under which answers of the command have a known id. */
  readonly places: ReadonlySet<string>;
}

/** Names of the members of an answer that are a known id. */
export function placesOf(value: JsonValue | undefined, ids: ReadonlySet<string>): readonly string[] {
  return leavesIn(value).flatMap(({ name, text }) => (ids.has(text) ? [name] : []));
}

/** Ids that an answer names and that are not known, each once, in the order of the answer; none where it holds a known one. */
export function otherIdsIn(value: JsonValue | undefined, { ids, shapes, words, places }: Known): readonly string[] {
  if (holdsAnyId(value, ids)) return [];
  const told = leavesIn(value).filter(
    ({ name, text }) =>
      text.length > shortest && shapes.has(toShape(text)) && (places.has(name) || isNameOf(name, words)),
  );
  return [...new Set(told.map(({ text }) => text))];
}

/** `ticket`, `ticket_id` and `ticketNo` of `tickets.create`; a bare id is that of the answer. */
function isNameOf(name: string, words: readonly string[]): boolean {
  if (name === '') return true;
  const stem = name.replace(/[_-]?(?:id|no|nr|num|number|key|ref)$/i, '').toLowerCase();
  return stem.length > shortest && words.some((word) => word.toLowerCase().includes(stem));
}

/** Every text and number in a value, at any depth, in its order. */
function leavesIn(value: JsonValue | undefined): readonly Leaf[] {
  const stack: { readonly name: string; readonly value: JsonValue | undefined }[] = [{ name: '', value }];
  const found: Leaf[] = [];
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const { name, value: held } = top;
    if (typeof held === 'string' || typeof held === 'number') found.push({ name, text: String(held) });
    else if (isJsonArray(held)) for (const item of held.toReversed()) stack.push({ name, value: item });
    else if (isJsonObject(held))
      for (const [key, item] of Object.entries(held).toReversed())
        stack.push({ name: key.toLowerCase() === 'id' ? name : key, value: item });
  }
  return found;
}
