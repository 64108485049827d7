/**
 * A least-recently-used cache bounded by bytes, not by entries. What is larger than the whole budget is handed through, never kept.
 */

export interface ByteCache<T> {
  get(key: number): T | undefined;
  set(key: number, value: T, bytes: number): void;
  readonly bytes: number;
}

export function createByteCache<T>(budget: number): ByteCache<T> {
  // A Map iterates in order of insertion: taking out and putting back marks as used.
  const entries = new Map<number, { readonly value: T; readonly bytes: number }>();
  let total = 0;

  function drop(key: number): void {
    const entry = entries.get(key);
    if (entry === undefined) return;
    entries.delete(key);
    total -= entry.bytes;
  }

  return {
    get bytes() {
      return total;
    },
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      entries.delete(key);
      entries.set(key, entry);
      return entry.value;
    },
    set(key, value, bytes) {
      drop(key);
      if (bytes > budget) return;
      entries.set(key, { value, bytes });
      total += bytes;
      for (const oldest of entries.keys()) {
        if (total <= budget) break;
        drop(oldest);
      }
    },
  };
}
