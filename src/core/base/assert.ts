/**
 * Assertions for what logic guarantees but the compiler cannot prove. Never for input: input gets a `Result`.
 */

export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(`Assertion failed: ${message}`);
}

/** Narrows away `undefined` where an index or a look-up is known to hit. */
export function ensureExists<T>(value: T | undefined, what: string): T {
  assert(value !== undefined, `${what} must exist`);
  return value;
}

/** Ends a `switch` over a union; a new variant becomes a compile error at the call. */
export function exhaustive(value: never): never {
  throw new Error(`Unhandled variant: ${String(value)}`);
}
