/**
 * Lists that grow while files are read.
 *
 * Invariant: adding costs by what is added and never by what is there, so that a group of everything costs no more than many small ones.
 */

export function pushTo<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

/** Adds without a limit: as arguments of a call, more than some hundred thousand items would not fit on the stack. */
export function pushAll<V>(list: V[], more: Iterable<V>): void {
  for (const value of more) list.push(value);
}
