/** A binary heap: the smallest item first. Fan-outs of 100,000 ready observations stay cheap to order. */
export interface Heap<T> {
  readonly size: number;
  push(item: T): void;
  peek(): T | undefined;
  pop(): T | undefined;
}

export function createHeap<T>(compare: (a: T, b: T) => number): Heap<T> {
  const items: T[] = [];
  const at = (i: number): T => items[i] as T; // Cast: every index used below is in range.
  return {
    get size() {
      return items.length;
    },
    peek: () => items[0],
    push(item) {
      let i = items.push(item) - 1;
      while (i > 0) {
        const parent = (i - 1) >> 1;
        if (compare(at(parent), item) <= 0) break;
        items[i] = at(parent);
        i = parent;
      }
      items[i] = item;
    },
    pop() {
      const top = items[0];
      const item = items.pop();
      if (item === undefined || items.length === 0) return top;
      let i = 0;
      for (;;) {
        let child = 2 * i + 1;
        if (child >= items.length) break;
        if (child + 1 < items.length && compare(at(child + 1), at(child)) < 0) child++;
        if (compare(at(child), item) >= 0) break;
        items[i] = at(child);
        i = child;
      }
      items[i] = item;
      return top;
    },
  };
}
