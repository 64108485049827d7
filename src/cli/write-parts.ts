/**
 * A large file, written in pieces while they are made. Called by `export.ts`.
 *
 * Invariant: a file that is not whole does not stay, and never overwrites one that is there. What goes wrong in writing is a sentence;
 * what goes wrong in making the pieces is a defect and is thrown on.
 */
import { type FileHandle, open, rm } from 'node:fs/promises';
import { writeFailure } from './failures.ts';

/** Pieces are gathered to writes of about this many characters. */
const writeLength = 1 << 20;

/** `what` begins the sentence about a failure, which is undefined where the file is whole. */
export async function writeParts(what: string, out: string, parts: Iterable<string>): Promise<string | undefined> {
  let file: FileHandle;
  try {
    file = await open(out, 'wx');
  } catch (error) {
    return writeFailure(what, out, error);
  }
  try {
    for (const text of gather(parts)) {
      const failure = await attempt(() => file.write(text));
      if (failure !== undefined) {
        await giveUp(file, out);
        return writeFailure(what, out, failure.error);
      }
    }
  } catch (error) {
    await giveUp(file, out);
    throw error;
  }
  const failure = await attempt(() => file.close());
  if (failure === undefined) return undefined;
  await rm(out);
  return writeFailure(what, out, failure.error);
}

function* gather(parts: Iterable<string>): Generator<string> {
  let pending: string[] = [];
  let length = 0;
  for (const part of parts) {
    pending.push(part);
    length += part.length;
    if (length < writeLength) continue;
    yield pending.join('');
    pending = [];
    length = 0;
  }
  yield pending.join('');
}

async function attempt(act: () => Promise<unknown>): Promise<{ readonly error: unknown } | undefined> {
  try {
    await act();
    return undefined;
  } catch (error) {
    return { error };
  }
}

async function giveUp(file: FileHandle, out: string): Promise<void> {
  await file.close();
  await rm(out);
}
