/**
 * A typed array that grows by doubling: how the columns of an index are filled while events arrive.
 */

// Four kinds and no more: with a fifth, engines stop inlining the one access that every field of every event goes through.
type TypedArray = Uint8Array | Uint16Array | Int32Array | Float64Array;

export interface Column<T extends TypedArray> {
  readonly length: () => number;
  readonly push: (value: number) => void;
  readonly get: (at: number) => number;
  readonly set: (at: number, value: number) => void;
  /** A copy of exactly the values pushed so far. */
  readonly toArray: () => T;
}

/** `make` is a constructor of a typed array, such as `(n) => new Int32Array(n)`. */
export function createColumn<T extends TypedArray>(make: (length: number) => T, from?: T): Column<T> {
  let data = make(Math.max(64, from?.length ?? 0));
  let length = 0;
  if (from !== undefined) {
    data.set(from);
    length = from.length;
  }
  return {
    length: () => length,
    push: (value) => {
      if (length === data.length) {
        const grown = make(length * 2);
        grown.set(data);
        data = grown;
      }
      data[length++] = value;
    },
    get: (at) => data[at] ?? 0,
    set: (at, value) => {
      data[at] = value;
    },
    toArray: () => {
      const out = make(length);
      out.set(data.subarray(0, length));
      return out;
    },
  };
}

export function bytes(length: number): Uint8Array {
  return new Uint8Array(length);
}

export function shorts(length: number): Uint16Array {
  return new Uint16Array(length);
}

export function ints(length: number): Int32Array {
  return new Int32Array(length);
}

export function doubles(length: number): Float64Array {
  return new Float64Array(length);
}
