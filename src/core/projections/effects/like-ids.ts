/**
 * Ids of effects in answers: which values of an answer name an effect, beside those that are known. Asked by told.ts, and by the recovery of
 * trials for the same question of a ledger.
 *
 * Invariant: that a value is written like an id is not enough, for an amount or the number of a customer may be: it stands under the name of
 * what the effect is of, or where an answer of the same command has a known id. An answer that holds a known id tells of that one.
 */
import { holdsId, leavesIn, shortestPart } from '../../base/held-ids.ts';
import type { JsonValue } from '../../base/json.ts';

/** `8421` and `8422` are written alike, and so are `mail-301` and `mail-302`; what has no digit is no id here. */
export function toShape(id: string): string {
  return /\d/.test(id) ? id.replace(/\d+/g, '0') : `word ${id}`;
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
      text.length > shortestPart && shapes.has(toShape(text)) && (places.has(name) || isNameOf(name, words)),
  );
  return [...new Set(told.map(({ text }) => text))];
}

/** `ticket`, `ticket_id` and `ticketNo` of `tickets.create`; a bare id is that of the answer. */
function isNameOf(name: string, words: readonly string[]): boolean {
  if (name === '') return true;
  const stem = name.replace(/[_-]?(?:id|no|nr|num|number|key|ref)$/i, '').toLowerCase();
  return stem.length > shortestPart && words.some((word) => word.toLowerCase().includes(stem));
}
