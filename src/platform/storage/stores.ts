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

/** The tables in which a store has rows. */
export function storeTables({ body, places, problems, index, audits, answers, imports }: LibraryDatabase) {
  return [body, places, problems, index, audits, answers, imports];
}

/** Call inside a read-write transaction over `storeTables`. */
export async function deleteStore(db: LibraryDatabase, store: string): Promise<void> {
  for (const table of [db.body, db.places, db.problems]) {
    await table
      .where('[store+chunk]')
      .between(...rangeOf(store))
      .delete();
  }
  await db.audits
    .where('[store+branch]')
    .between(...rangeOf(store))
    .delete();
  await db.answers
    .where('[store+method]')
    .between(...rangeOf(store))
    .delete();
  await db.index.delete(store);
  await db.imports.delete(store);
}
