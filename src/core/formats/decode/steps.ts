/**
 * Decoded bytes in parts small enough that what a reader makes of one takes a moment, and a step of the host after each.
 *
 * Invariant: after its signal was aborted no more bytes are given, and the reading ends by `ReadingCancelled`, whatever its reader would
 * have done with the rest. Called by the decoder for every file.
 */
import { type ImportOptions, ReadingCancelled } from '../format.ts';

/** A few kilobytes of an archive may be megabytes of records. */
const pieceBytes = 2 ** 20;

type StepOptions = Pick<ImportOptions, 'signal' | 'onStep'>;

export async function* inSteps(chunks: readonly Uint8Array[], options: StepOptions): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += pieceBytes) {
      yield chunk.subarray(at, at + pieceBytes);
      await takeStep(options);
    }
  }
}

export async function takeStep({ signal, onStep }: StepOptions): Promise<void> {
  await onStep?.();
  if (signal?.aborted === true) throw new ReadingCancelled();
}
