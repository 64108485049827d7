/**
 * Where zstd frames begin and end, told from their headers without unpacking anything.
 *
 * Hands the bytes of each frame on, says when it ends and which checksum it carries; frames without content are passed over. Only
 * `unpack.ts` calls this.
 */
import { joinBytes } from './join-bytes.ts';

export type FramePart =
  | {
      readonly kind: 'bytes';
      readonly bytes: Uint8Array;
      /** Memory that the frame asks for. */
      readonly window: number;
      readonly ends: boolean;
      /** With the last bytes, where the frame has one. */
      readonly checksum?: number | undefined;
    }
  | { readonly kind: 'fault'; readonly detail: string; readonly trailing: boolean; readonly from: number };

export interface FrameWalker {
  readonly push: (chunk: Uint8Array) => readonly FramePart[];
  /** True between frames: nothing is cut off there. */
  readonly isBetween: () => boolean;
  /** At the end of the file: where bytes begin that are behind the last frame and too few to begin another. */
  readonly restFrom: () => number | undefined;
  /** True where all content of a frame was handed on and only its checksum is missing. */
  readonly isBeforeChecksum: () => boolean;
}

/** What the next bytes are. */
type State = 'header' | 'block' | 'content' | 'checksum' | 'skipped' | 'broken';

export function createFrameWalker(): FrameWalker {
  let state: State = 'header';
  let held: Uint8Array = new Uint8Array(0);
  let left = 0;
  let isLast = false;
  let frames = 0;
  /** Bytes of the file before what is held or looked at. */
  let passed = 0;
  let header = { size: 0, window: 0, hasChecksum: false };

  function push(chunk: Uint8Array): readonly FramePart[] {
    const parts: FramePart[] = [];
    let rest: Uint8Array = joinBytes([held, chunk]);
    held = new Uint8Array(0);
    while (rest.length > 0 && state !== 'broken') {
      const used = take(rest, parts);
      if (used === 0) {
        held = rest;
        break;
      }
      rest = rest.subarray(used);
      passed += used;
    }
    return parts;
  }

  function give(parts: FramePart[], bytes: Uint8Array, ends: boolean, checksum?: number): void {
    parts.push({ kind: 'bytes', bytes, window: header.window, ends, checksum });
  }

  /** How many bytes were used; 0 when more are needed. */
  function take(rest: Uint8Array, parts: FramePart[]): number {
    switch (state) {
      case 'header':
        return takeHeader(rest, parts);
      case 'block':
        return takeBlock(rest, parts);
      case 'content': {
        const used = Math.min(left, rest.length);
        left -= used;
        const ends = left === 0 && isLast && !header.hasChecksum;
        if (left === 0) state = ends ? 'header' : isLast ? 'checksum' : 'block';
        give(parts, rest.subarray(0, used), ends);
        return used;
      }
      case 'checksum': {
        if (rest.length < 4) return 0;
        const view = new DataView(rest.buffer, rest.byteOffset, 4);
        state = 'header';
        give(parts, rest.subarray(0, 4), true, view.getUint32(0, true));
        return 4;
      }
      case 'skipped': {
        const used = Math.min(left, rest.length);
        left -= used;
        if (left === 0) state = 'header';
        return used;
      }
      case 'broken':
        return rest.length;
    }
  }

  function takeHeader(rest: Uint8Array, parts: FramePart[]): number {
    if (rest.length < 8) return 0;
    const view = new DataView(rest.buffer, rest.byteOffset);
    const magic = view.getUint32(0, true);
    if (magic >>> 4 === 0x0184d2a5) {
      left = view.getUint32(4, true);
      state = left === 0 ? 'header' : 'skipped';
      frames++;
      return 8;
    }
    if (magic !== 0xfd2fb528) {
      state = 'broken';
      parts.push({ kind: 'fault', detail: 'bytes that are not zstd follow', trailing: frames > 0, from: passed });
      return rest.length;
    }
    const found = readHeader(rest);
    if (found === undefined) return 0;
    header = found;
    frames++;
    state = 'block';
    give(parts, rest.subarray(0, header.size), false);
    return header.size;
  }

  function takeBlock(rest: Uint8Array, parts: FramePart[]): number {
    if (rest.length < 3) return 0;
    const word = (rest[0] ?? 0) | ((rest[1] ?? 0) << 8) | ((rest[2] ?? 0) << 16);
    const type = (word >> 1) & 3;
    isLast = (word & 1) === 1;
    // A block of one repeated byte holds that byte.
    left = type === 1 ? 1 : word >> 3;
    const ends = left === 0 && isLast && !header.hasChecksum;
    state = left > 0 ? 'content' : ends ? 'header' : isLast ? 'checksum' : 'block';
    give(parts, rest.subarray(0, 3), ends);
    return 3;
  }

  return {
    push,
    isBetween: () => state === 'broken' || (state === 'header' && held.length === 0),
    restFrom: () => (state === 'header' && frames > 0 && !mayBeginFrame(held) ? passed : undefined),
    isBeforeChecksum: () => state === 'checksum',
  };
}

/** The first bytes of a frame, or of one without content, as far as they are there. */
function mayBeginFrame(bytes: Uint8Array): boolean {
  const [first = 0] = bytes;
  const begins = first >>> 4 === 5 ? [first, 0x2a, 0x4d, 0x18] : [0x28, 0xb5, 0x2f, 0xfd];
  return begins.every((byte, at) => at >= bytes.length || bytes[at] === byte);
}

/** The header of a frame, when all of it is there. */
function readHeader(
  head: Uint8Array,
): { readonly size: number; readonly window: number; readonly hasChecksum: boolean } | undefined {
  const flags = head[4] ?? 0;
  const isSingle = ((flags >> 5) & 1) === 1;
  const sizeFlag = flags >> 6;
  const idBytes = [0, 1, 2, 4][flags & 3] ?? 0;
  const contentBytes = sizeFlag === 0 ? (isSingle ? 1 : 0) : 2 ** sizeFlag;
  const contentAt = 5 + (isSingle ? 0 : 1) + idBytes;
  const size = contentAt + contentBytes;
  if (head.length < size) return undefined;
  const hasChecksum = ((flags >> 2) & 1) === 1;
  if (!isSingle) {
    const window = 2 ** (10 + ((head[5] ?? 0) >> 3));
    return { size, hasChecksum, window: window + (window / 8) * ((head[5] ?? 0) & 7) };
  }
  let window = 0;
  for (let i = contentBytes - 1; i >= 0; i--) window = window * 256 + (head[contentAt + i] ?? 0);
  return { size, hasChecksum, window: sizeFlag === 1 ? window + 256 : window };
}
