/**
 * A store: the bytes, problems and index that one import wrote, under one name.
 */
import Dexie from 'dexie';
import type { LibraryDatabase } from './schema.ts';

/** All of a compound key's second members under one first member, as one range. */
export function rangeOf(first: string): readonly [lower: [string, unknown], upper: [string, unknown]] {
  return [
    [first, Dexie.minKey],
    [first, Dexie.maxKey],
  ];
}

/** Call inside a read-write transaction over `body`, `problems`, `index` and `imports`. */
export async function deleteStore(db: LibraryDatabase, store: string): Promise<void> {
  const range = rangeOf(store);
  await db.body
    .where('[store+chunk]')
    .between(...range)
    .delete();
  await db.problems
    .where('[store+chunk]')
    .between(...range)
    .delete();
  await db.index.delete(store);
  await db.imports.delete(store);
}
