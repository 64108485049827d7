/**
 * What IndexedDB throws, as sentences. Only failures a person can do something about become values; the rest are defects and go on.
 */
import { type Result, err, ok } from '../../core/base/result.ts';
import type { StorageFailure } from './records.ts';

/** Runs one piece of storage work; a failure that the browser is known for becomes a value. */
export async function attempt<T>(work: () => Promise<T>): Promise<Result<T, StorageFailure>> {
  try {
    return ok(await work());
  } catch (error) {
    const failure = errorToFailure(error);
    if (failure === undefined) throw error;
    return err(failure);
  }
}

export function errorToFailure(error: unknown): StorageFailure | undefined {
  // Dexie wraps the browser's error; what counts may stand one or two levels down.
  for (let cause = error, depth = 0; cause instanceof Error && depth < 4; depth++) {
    const failure = nameToFailure(cause.name);
    if (failure !== undefined) return failure;
    cause = 'inner' in cause ? cause.inner : cause.cause;
  }
  return undefined;
}

function nameToFailure(name: string): StorageFailure | undefined {
  switch (name) {
    case 'QuotaExceededError':
      return {
        code: 'quota',
        message:
          'The browser gives this site no more space on this machine. Nothing of this import was kept. Delete traces you no longer need, or free disk space, and open it again.',
      };
    case 'VersionError':
      return {
        code: 'blocked',
        message: 'The library was written by a newer version of Hindcast. Reload the page to get that version.',
      };
    case 'InvalidStateError':
    case 'MissingAPIError':
    case 'OpenFailedError':
    case 'SecurityError':
    case 'UnknownError':
      return {
        code: 'unavailable',
        message:
          'The browser does not let this page keep data (private browsing, blocked site data, or a damaged profile). Allow site data for this address and reload.',
      };
    default:
      return undefined;
  }
}
