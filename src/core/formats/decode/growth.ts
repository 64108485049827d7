/**
 * The guard against archives that blow up: how much came out of how little, at any place of the file.
 *
 * Invariants: constant memory; a stretch that grows beyond what real traces do is noticed wherever it stands, so that honest data in
 * front of it hides nothing; an archive that passes is never asked about twice. Called by the decoder for gzip and zstd, and by the
 * reader of zip members. Why a part is asked about: `src/decisions/0007-when-an-archive-is-asked-about.md`.
 */
import type { UnusableInput } from '../format.ts';

/** Decoded size above which the person is asked before going on. */
export const hugeBytes = 8 * 2 ** 30;
/** An archive that grows more than this many times is asked about too, once it is more than `suspectBytes` unpacked. */
const suspectRatio = 1000;
export const suspectBytes = 256 * 2 ** 20;

/**
 * Deflate cannot grow more than 1,032 times, and only runs of one pattern get beyond a few dozen, so a stretch of it is suspect
 * early. Zstd finds repetitions megabytes back: a log that repeats its whole context each turn may honestly grow a thousand times.
 */
const stretchOf = {
  deflate: { ratio: 300, bytes: 64 * 2 ** 20 },
  zstd: { ratio: suspectRatio, bytes: suspectBytes },
} as const;

/** A single line is held in memory, and so are most documents: they are asked about sooner, whatever they were packed with. */
const heldStretch = { ratio: 100, bytes: 64 * 2 ** 20 } as const;

const lf = 10;

/** Told what was unpacked, and how many packed bytes went in until now; true when the person must be asked. */
interface GrowthGuard {
  readonly unpacked: (bytes: Uint8Array, bytesIn: number) => boolean;
}

/** `isInDocument`: the lines that come are parts of one JSON document. */
export function createGrowthGuard(method: 'deflate' | 'zstd', isInDocument: () => boolean): GrowthGuard {
  let before = 0;
  let bytesOut = 0;
  const stretch = createStretch(stretchOf[method]);
  const held = createStretch(heldStretch);
  return {
    unpacked: (bytes, bytesIn) => {
      if (bytesIn > before) {
        stretch.packed(bytesIn - before);
        held.packed(bytesIn - before);
        before = bytesIn;
      }
      bytesOut += bytes.length;
      stretch.add(bytes.length);
      const heldFrom = isInDocument() ? 0 : bytes.lastIndexOf(lf) + 1;
      if (heldFrom > 0) held.reset();
      held.add(bytes.length - heldFrom);
      return bytesOut > hugeBytes || isSuspect(bytesOut, bytesIn) || stretch.isSuspect() || held.isSuspect();
    },
  };
}

/** For archives that say beforehand what they hold. */
export function isSuspect(out: number, from: number): boolean {
  return out > suspectBytes && out > suspectRatio * from;
}

/** For one member of an archive that says beforehand what it holds. */
export function isSuspectMember(method: 'deflate' | 'zstd', out: number, from: number): boolean {
  const { ratio, bytes } = stretchOf[method];
  return out - ratio * from > bytes;
}

/**
 * A stretch is suspect when, ending here, more than `bytes` came out beyond `ratio` times what went in. The excess never goes below
 * nothing, so that the stretch begins where growing began.
 */
function createStretch({ ratio, bytes }: { readonly ratio: number; readonly bytes: number }) {
  let excess = 0;
  return {
    packed: (length: number): void => {
      excess = Math.max(0, excess) - ratio * length;
    },
    add: (length: number): void => {
      excess += length;
    },
    reset: (): void => {
      excess = 0;
    },
    isSuspect: (): boolean => excess > bytes,
  };
}

/**
 * Why nothing was opened: `out` bytes of `from` were unpacked when it stopped, or are said to be there. How to go on all the same is
 * told by the page and the command line, each in its own words.
 */
export function tooLarge(
  name: string,
  out: number,
  from: number,
  verb: 'has unpacked' | 'would unpack',
): UnusableInput {
  const grown = `${name} ${verb} to ${Math.round(out / 2 ** 20)} MiB from ${Math.ceil(from / 1024)} KiB`;
  const how = isSuspect(out, from)
    ? 'more than a thousand times its size'
    : 'and a part of it grows hundreds of times or more';
  const message =
    out > hugeBytes
      ? `${name} unpacks to more than 8 GiB. Nothing was opened.`
      : `${grown}, ${how}, which real traces do not do. Nothing was opened.`;
  return { code: 'archive-too-large', message };
}
