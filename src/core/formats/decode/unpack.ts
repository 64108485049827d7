/**
 * Streaming decompression behind one small interface, with faults as values.
 *
 * Invariant: what was decoded before a fault is handed out before the fault is told, so a cut or damaged archive loses only its rest.
 */
import { Gunzip, Inflate, inflateSync } from 'fflate';
import { Decompress as ZstdDecompress } from 'fzstd';
import { updateCrc32 } from './crc32.ts';
import { createFrameWalker } from './zstd-frames.ts';
import { createXxh64, type Xxh64 } from './xxh64.ts';

export interface UnpackFault {
  /** `unsealed`: all data is there, and only the checksum behind it is not. */
  readonly kind: 'truncated' | 'corrupt' | 'trailing' | 'too-wide' | 'unsealed';
  readonly detail: string;
  /** Of trailing bytes: where in the packed file they begin, if that can be told. */
  readonly from?: number | undefined;
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

/** Packed bytes are pushed in slices of this size, which bounds what one push of deflate can grow to: 16 MiB. */
const sliceBytes = 16 * 1024;

/** Header, the code of no content, checksum and length. */
const shortestGzip = 20;

/** Checksum and length behind the data of a gzip member. */
const trailerBytes = 8;
/** The decompressor looks at so many bytes behind a trailer before it says that they begin no member. */
const magicBytes = 4;

/**
 * A small member at once, where it is whole: a stream takes buffers of a hundred times its length. Undefined where it is not what `size` and
 * `crc` say; then a stream tells what is wrong.
 */
export function inflateWhole(packed: Uint8Array, size: number, crc: number): Uint8Array | undefined {
  try {
    const whole = inflateSync(packed, { out: new Uint8Array(size + 1) });
    return whole.length === size && updateCrc32(0, whole) === crc ? whole : undefined;
  } catch {
    return undefined;
  }
}

export function createGunzip(sink: Sink): Unpacker {
  const members = createMemberCheck();
  let isProbing = false;
  const gunzip = new Gunzip((bytes) => {
    if (isProbing) return;
    members.decoded(bytes);
    if (!sink(bytes)) throw new Stop();
  });
  gunzip.onmember = (offset) => {
    members.nextStarts(offset);
  };

  function push(chunk: Uint8Array): UnpackFault | undefined {
    members.packed(chunk);
    const fault = attempt(() => {
      gunzip.push(chunk, false);
    }, gzipFault);
    return withPlace(fault) ?? members.fault();
  }

  function withPlace(fault: UnpackFault | undefined): UnpackFault | undefined {
    return fault?.kind === 'trailing' ? { ...fault, from: members.lastEnd() } : fault;
  }

  /**
   * How many bytes stand behind the end of the data, told by how many more the decompressor takes before it finds that no member
   * begins there; undefined where the data has not ended.
   */
  function bytesBehind(): number | undefined {
    isProbing = true;
    for (let more = 1; more <= trailerBytes + magicBytes; more++) {
      const fault = attempt(() => {
        gunzip.push(new Uint8Array(1), false);
      }, gzipFault);
      if (fault !== undefined) return fault.kind === 'trailing' ? trailerBytes + magicBytes - more : undefined;
    }
    return undefined;
  }

  function finish(): UnpackFault | undefined {
    const found = members.fault();
    if (found !== undefined) return found;
    // Cut inside its header or right behind it, where the decompressor waits and says nothing.
    const behind = members.read() < shortestGzip ? undefined : bytesBehind();
    if (behind === undefined) return { kind: 'truncated', detail: 'it ends in the middle' };
    if (behind > trailerBytes)
      return {
        kind: 'trailing',
        detail: 'bytes that are not gzip follow',
        from: members.read() - behind + trailerBytes,
      };
    return members.end(behind);
  }

  return { push, finish };
}

/**
 * Compares what each gzip member decoded to with the checksum and length behind it. The decompressor skips them, and a trace
 * whose evidence was changed by a flipped bit must not look whole.
 */
function createMemberCheck() {
  let crc = 0;
  let bytesOut = 0;
  let read = 0;
  /** Where the present member begins. */
  let start = 0;
  let tail = new Uint8Array(0);
  let found: UnpackFault | undefined;

  /** What stands behind the data of the present member. */
  function trailer(): DataView {
    const wanted = new DataView(new ArrayBuffer(trailerBytes));
    wanted.setUint32(0, crc, true);
    wanted.setUint32(4, bytesOut % 2 ** 32, true);
    return wanted;
  }

  /** Checks the trailer that ends at `end`, of which `length` bytes are there. */
  function compare(end: number, length = trailerBytes): void {
    const last = tail.subarray(0, tail.length - (read - end)).subarray(tail.length - (read - end) - length);
    const wanted = trailer();
    if (last.every((byte, at) => byte === wanted.getUint8(at))) return;
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
      bytesOut += bytes.length;
    },
    nextStarts(offset: number): void {
      compare(offset);
      start = offset;
      crc = 0;
      bytesOut = 0;
    },
    fault: () => found,
    read: () => read,
    /** Where the last member ends, found by its trailer; undefined where none of the latest bytes are it. */
    lastEnd(): number | undefined {
      const wanted = trailer();
      for (let at = Math.max(0, start - read + tail.length); at <= tail.length - trailerBytes; at++) {
        let n = 0;
        while (n < trailerBytes && tail[at + n] === wanted.getUint8(n)) n++;
        if (n === trailerBytes) return read - tail.length + at + trailerBytes;
      }
      return undefined;
    },
    /** At the end of the file, with so many bytes of the last trailer. */
    end(length: number): UnpackFault | undefined {
      compare(read, length);
      if (found === undefined && length < trailerBytes)
        found = {
          kind: 'unsealed',
          detail: `the checksum at its end is missing (${length} of its ${trailerBytes} bytes are there)`,
        };
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
    push: (chunk) => step(chunk, false),
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
  let isStopped = false;

  function open(): NonNullable<typeof frame> {
    const hash = createXxh64();
    const stream = new ZstdDecompress((bytes) => {
      hash.add(bytes);
      if (bytes.length === 0 || sink(bytes)) return;
      isStopped = true;
      throw new Stop();
    });
    return { stream, hash };
  }

  function step(chunk: Uint8Array): UnpackFault | undefined {
    for (const part of walker.push(chunk)) {
      if (part.kind === 'fault')
        return { kind: part.trailing ? 'trailing' : 'corrupt', detail: part.detail, from: part.from };
      if (part.window > maxZstdWindow)
        return { kind: 'too-wide', detail: 'it asks for more than 128 MiB of memory at once' };
      const { stream, hash } = (frame ??= open());
      const fault = attempt(() => {
        stream.push(part.bytes, part.ends);
      }, zstdFault);
      if (fault !== undefined || isStopped) return fault;
      if (!part.ends) continue;
      frame = undefined;
      if (part.checksum !== undefined && part.checksum !== hash.low())
        return { kind: 'corrupt', detail: 'the checksum at its end does not match what was unpacked' };
    }
    return undefined;
  }

  return {
    push: step,
    finish: () => {
      if (walker.isBetween()) return undefined;
      const from = walker.restFrom();
      if (from !== undefined) return { kind: 'trailing', detail: 'bytes that are not zstd follow', from };
      if (walker.isBeforeChecksum()) return { kind: 'unsealed', detail: 'the checksum at its end is missing' };
      return { kind: 'truncated', detail: 'it ends in the middle' };
    },
  };
}

function zstdFault(error: unknown): UnpackFault {
  const message = error instanceof Error ? error.message : String(error);
  if (/unexpected EOF/i.test(message)) return { kind: 'truncated', detail: 'it ends in the middle' };
  return { kind: 'corrupt', detail: message };
}

/** The chunk in parts small enough that what one of them unpacks to can be held. */
export function* toSlices(chunk: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < chunk.length; at += sliceBytes) yield chunk.subarray(at, at + sliceBytes);
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
