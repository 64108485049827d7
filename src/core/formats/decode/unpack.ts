/**
 * Streaming decompression behind one small interface, with faults as values.
 *
 * Invariant: what was decoded before a fault is handed out before the fault is told, so a cut or damaged archive loses only its rest.
 */
import { Gunzip, Inflate } from 'fflate';
import { Decompress as ZstdDecompress } from 'fzstd';
import { updateCrc32 } from './crc32.ts';
import { createFrameWalker } from './zstd-frames.ts';
import { createXxh64, type Xxh64 } from './xxh64.ts';

export interface UnpackFault {
  readonly kind: 'truncated' | 'corrupt' | 'trailing' | 'too-wide';
  readonly detail: string;
}

export interface Unpacker {
  /** Gives decoded bytes to `sink`; a fault ends the archive. */
  readonly push: (chunk: Uint8Array) => UnpackFault | undefined;
  readonly finish: () => UnpackFault | undefined;
}

/** Receives decoded bytes; false means that no more are wanted. */
export type Sink = (bytes: Uint8Array) => boolean;

/** Thrown through a decompressor that has no other way to be stopped in the middle of a push. */
class Stop extends Error {}

/** Packed bytes are pushed in slices of this size, which bounds what one push can blow up to. */
const sliceBytes = 16 * 1024;

/** Header, the code of no content, checksum and length. */
const shortestGzip = 20;

export function createGunzip(sink: Sink): Unpacker {
  const members = createMemberCheck();
  const gunzip = new Gunzip((bytes) => {
    members.decoded(bytes);
    if (!sink(bytes)) throw new Stop();
  });
  gunzip.onmember = (offset) => {
    members.nextStarts(offset);
  };
  const step = (chunk: Uint8Array, final: boolean): UnpackFault | undefined => {
    members.packed(chunk);
    return attempt(() => {
      gunzip.push(chunk, final);
    }, gzipFault);
  };
  return {
    push: (chunk) => inSlices(chunk, (slice) => step(slice, false) ?? members.fault()),
    finish: () => {
      const fault = step(new Uint8Array(0), true);
      return fault ?? members.fault() ?? members.end();
    },
  };
}

/**
 * Compares what each gzip member decoded to with the checksum and length behind it. The decompressor skips them, and a trace
 * whose evidence was changed by a flipped bit must not look whole.
 */
function createMemberCheck() {
  let crc = 0;
  let length = 0;
  let read = 0;
  let tail = new Uint8Array(0);
  let found: UnpackFault | undefined;

  function compare(end: number): void {
    const last = tail.subarray(0, tail.length - (read - end)).subarray(-8);
    if (last.length < 8) return;
    const view = new DataView(last.buffer, last.byteOffset, 8);
    if (view.getUint32(0, true) === crc && view.getUint32(4, true) === length % 2 ** 32) return;
    found ??= { kind: 'corrupt', detail: 'the checksum at its end does not match what was unpacked' };
  }

  return {
    packed(chunk: Uint8Array): void {
      const joined = new Uint8Array(tail.length + chunk.length);
      joined.set(tail);
      joined.set(chunk, tail.length);
      // A boundary is noticed at most a few bytes after it was passed.
      tail = joined.subarray(-(chunk.length + 64));
      read += chunk.length;
    },
    decoded(bytes: Uint8Array): void {
      crc = updateCrc32(crc, bytes);
      length += bytes.length;
    },
    nextStarts(offset: number): void {
      compare(offset);
      crc = 0;
      length = 0;
    },
    fault: () => found,
    end(): UnpackFault | undefined {
      // Cut inside its header or right behind it, where the decompressor waits and says nothing.
      if (read < shortestGzip) return { kind: 'truncated', detail: 'it ends in the middle' };
      compare(read);
      return found;
    },
  };
}

function gzipFault(error: unknown): UnpackFault {
  const message = error instanceof Error ? error.message : String(error);
  if (/unexpected EOF/i.test(message)) return { kind: 'truncated', detail: 'it ends in the middle' };
  if (/invalid gzip data/i.test(message)) return { kind: 'trailing', detail: 'bytes that are not gzip follow' };
  return { kind: 'corrupt', detail: message };
}

/** Raw deflate, as in zip archives. */
export function createInflate(sink: Sink): Unpacker {
  const inflate = new Inflate((bytes) => {
    if (bytes.length > 0 && !sink(bytes)) throw new Stop();
  });
  const step = (chunk: Uint8Array, final: boolean): UnpackFault | undefined =>
    attempt(() => {
      inflate.push(chunk, final);
    }, gzipFault);
  return {
    push: (chunk) => inSlices(chunk, (slice) => step(slice, false)),
    finish: () => step(new Uint8Array(0), true),
  };
}

/** Windows above this need as much memory; the reference tool refuses them too unless told otherwise. */
const maxZstdWindow = 128 * 1024 * 1024;

/**
 * Frames one after another, each by a decompressor of its own: so every frame is held to the window allowed, and to the checksum
 * behind it, which the decompressor skips.
 */
export function createUnzstd(sink: Sink): Unpacker {
  const walker = createFrameWalker();
  let frame: { readonly stream: ZstdDecompress; readonly hash: Xxh64 } | undefined;

  function open(): NonNullable<typeof frame> {
    const hash = createXxh64();
    const stream = new ZstdDecompress((bytes) => {
      hash.add(bytes);
      if (bytes.length > 0 && !sink(bytes)) throw new Stop();
    });
    return { stream, hash };
  }

  function step(slice: Uint8Array): UnpackFault | undefined {
    for (const part of walker.push(slice)) {
      if (part.kind === 'fault') return { kind: part.trailing ? 'trailing' : 'corrupt', detail: part.detail };
      if (part.window > maxZstdWindow)
        return { kind: 'too-wide', detail: 'it asks for more than 128 MiB of memory at once' };
      const { stream, hash } = (frame ??= open());
      const fault = attempt(() => {
        stream.push(part.bytes, part.ends);
      }, zstdFault);
      if (fault !== undefined) return fault;
      if (!part.ends) continue;
      frame = undefined;
      if (part.checksum !== undefined && part.checksum !== hash.low())
        return { kind: 'corrupt', detail: 'the checksum at its end does not match what was unpacked' };
    }
    return undefined;
  }

  return {
    push: (chunk) => inSlices(chunk, step),
    finish: () => (walker.isBetween() ? undefined : { kind: 'truncated', detail: 'it ends in the middle' }),
  };
}

function zstdFault(error: unknown): UnpackFault {
  const message = error instanceof Error ? error.message : String(error);
  if (/unexpected EOF/i.test(message)) return { kind: 'truncated', detail: 'it ends in the middle' };
  return { kind: 'corrupt', detail: message };
}

function inSlices(chunk: Uint8Array, push: (slice: Uint8Array) => UnpackFault | undefined): UnpackFault | undefined {
  for (let at = 0; at < chunk.length; at += sliceBytes) {
    const fault = push(chunk.subarray(at, at + sliceBytes));
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function attempt(push: () => void, toFault: (error: unknown) => UnpackFault): UnpackFault | undefined {
  try {
    push();
    return undefined;
  } catch (error) {
    // The one who stopped it knows why.
    if (error instanceof Stop) return undefined;
    return toFault(error);
  }
}
