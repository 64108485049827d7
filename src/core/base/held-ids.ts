/**
 * Ids that stand in a value: as a text or number of it, or as a part of a text. Asked where answers are held against the effects that are
 * recorded, and where a copy says which of these a withheld answer names.
 *
 * Invariant: the work of finding many ids in a value grows with the length of the value, not with the number of ids.
 */
import { isJsonArray, isJsonObject, type JsonValue } from './json.ts';

export interface Leaf {
  /** Of the member that holds it; of what has it, for a member `id`; empty for the whole value. */
  readonly name: string;
  readonly text: string;
}

/** What is no longer than this stands in too many texts by chance. */
export const shortestPart = 2;

/** The text is the id, or has it as a part of its own: in an address, in a sentence, behind a prefix. */
export function holdsId(text: string, id: string): boolean {
  if (text === id) return true;
  if (id.length <= shortestPart) return false;
  for (let at = text.indexOf(id); at >= 0; at = text.indexOf(id, at + 1))
    if (!isOfWord(text.charAt(at - 1)) && !isOfWord(text.charAt(at + id.length))) return true;
  return false;
}

function isOfWord(character: string): boolean {
  return /[a-z0-9]/i.test(character);
}

/** Every text and number in a value, at any depth, in its order. */
export function leavesIn(value: JsonValue | undefined): readonly Leaf[] {
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

/** Asks of any value which of these ids it holds. A part that is an id has the words of that id as its own. */
export function createIdFinder(ids: Iterable<string>): (value: JsonValue | undefined) => readonly string[] {
  const byWord = new Map<string, string[]>();
  const wordless: string[] = [];
  for (const id of new Set(ids)) {
    const word = wordsIn(id).at(-1);
    if (word === undefined) wordless.push(id);
    else byWord.set(word, [...(byWord.get(word) ?? []), id]);
  }
  return (value) => {
    const found = new Set<string>();
    for (const { text } of leavesIn(value)) {
      const likely = [...new Set(wordsIn(text))].flatMap((word) => byWord.get(word) ?? []);
      for (const id of [...likely, ...wordless]) if (holdsId(text, id)) found.add(id);
    }
    return [...found];
  };
}

function wordsIn(text: string): readonly string[] {
  return text.match(/[a-z0-9]+/gi) ?? [];
}
