/**
 * Tables that are asked by names from outside: of an event type, a tool, a span kind.
 *
 * Invariant: holds what was written into it and nothing else. An object literal also answers to `constructor` and `toString`, so a record
 * that carries such a name would be read as one of the table.
 */

/** The members of `rows`, frozen, without a prototype. */
export function createTable<T>(rows: Readonly<Record<string, T>>): Readonly<Record<string, T>> {
  const table: Record<string, T> = { ...rows };
  Object.setPrototypeOf(table, null);
  return Object.freeze(table);
}
