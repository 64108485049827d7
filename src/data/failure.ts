/**
 * A failed act as something to throw through the query cache: its message is a sentence for the person, its code tells the view what
 * to offer.
 */
import type { Result } from '../core/base/result.ts';

export class DataError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'DataError';
    this.code = code;
  }
}

export function valueOrThrow<T>(result: Result<T, { readonly code: string; readonly message: string }>): T {
  if (result.ok) return result.value;
  throw new DataError(result.error.code, result.error.message);
}
