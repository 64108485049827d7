/**
 * Expected failures as values.
 *
 * Owns the `Result` type used wherever a caller can recover: import, decode, replay, share.
 * Programmer errors use `assert` instead and are allowed to reach the error boundary.
 */

export interface Ok<T> {
  readonly ok: true;
  readonly value: T;
}

export interface Err<E> {
  readonly ok: false;
  readonly error: E;
}

export type Result<T, E> = Ok<T> | Err<E>;

export function ok<T>(value: T): Ok<T> {
  return { ok: true, value };
}

export function err<E>(error: E): Err<E> {
  return { ok: false, error };
}
