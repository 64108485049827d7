/**
 * What IndexedDB throws, as sentences. Only failures a person can do something about become values; the rest are defects and go on.
 */
import { type Result, err, ok } from '../../core/base/result.ts';
import type { StorageFailure } from './records.ts';

/**
 * Runs one piece of storage work, whole or not at all; a failure that the browser is known for becomes a value. `undone` says what was
 * not kept where the disk is full, and what to do again.
 */
export async function attempt<T>(work: () => Promise<T>, undone = ofChange): Promise<Result<T, StorageFailure>> {
  try {
    return ok(await work());
  } catch (error) {
    const failure = errorToFailure(error, undone);
    if (failure === undefined) throw error;
    return err(failure);
  }
}

/** The same for work that has no answer but that it was done: the error that it throws says so in a sentence. */
export async function attemptOrThrow<T>(work: () => Promise<T>): Promise<T> {
  const done = await attempt(work);
  if (done.ok) return done.value;
  throw new StorageError(done.error.message);
}

/** Its message is a sentence for the person: no defect, and what was to be done was not done. */
class StorageError extends Error {}

/** What an error of the storage or of the browser around it means for the person; undefined for a defect. */
export function errorToSentence(error: unknown): string | undefined {
  return error instanceof StorageError ? error.message : errorToFailure(error, ofChange)?.message;
}

interface Undone {
  readonly kept: string;
  readonly again: string;
}

const ofChange: Undone = { kept: 'This change was not kept, and the library is as it was.', again: 'try again' };
export const ofImport: Undone = { kept: 'Nothing of this import was kept.', again: 'open it again' };

function errorToFailure(error: unknown, undone: Undone): StorageFailure | undefined {
  // Dexie wraps the browser's error; what counts may stand one or two levels down.
  for (let cause = error, depth = 0; cause instanceof Error && depth < 4; depth++) {
    const failure = nameToFailure(cause.name, undone);
    if (failure !== undefined) return failure;
    cause = 'inner' in cause ? cause.inner : cause.cause;
  }
  return undefined;
}

function nameToFailure(name: string, { kept, again }: Undone): StorageFailure | undefined {
  switch (name) {
    case 'QuotaExceededError':
      return {
        code: 'quota',
        message: `The browser gives this site no more space on this machine. ${kept} Delete traces you no longer need, or free disk space, and ${again}.`,
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
