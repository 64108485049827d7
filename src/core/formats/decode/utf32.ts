/**
 * UTF-32 bytes to UTF-8 bytes, chunk by chunk.
 *
 * Numbers that are no character become U+FFFD; surrogates are written as three bytes each, the form that `decodeText` reads back. The
 * mark at the beginning is left out.
 */
import type { Transcoder } from './utf16.ts';

export function createUtf32Transcoder(bigEndian: boolean): Transcoder {
  const held = new Uint8Array(4);
  const view = new DataView(held.buffer);
  let count = 0;
  let isFirst = true;

  function push(chunk: Uint8Array): Uint8Array {
    // Four bytes give four at most.
    const out = new Uint8Array(chunk.length + 4);
    let n = 0;
    for (const byte of chunk) {
      held[count++] = byte;
      if (count < 4) continue;
      count = 0;
      const found = view.getUint32(0, !bigEndian);
      const wasFirst = isFirst;
      isFirst = false;
      if (wasFirst && found === 0xfeff) continue;
      const c = found > 0x10ffff ? 0xfffd : found;
      if (c < 0x80) out[n++] = c;
      else {
        if (c < 0x800) out[n++] = 0xc0 | (c >> 6);
        else {
          if (c < 0x10000) out[n++] = 0xe0 | (c >> 12);
          else {
            out[n++] = 0xf0 | (c >> 18);
            out[n++] = 0x80 | ((c >> 12) & 63);
          }
          out[n++] = 0x80 | ((c >> 6) & 63);
        }
        out[n++] = 0x80 | (c & 63);
      }
    }
    return out.subarray(0, n);
  }

  /** What is left of a last character is told by the caller, which knows the length. */
  function finish(): Uint8Array {
    return new Uint8Array(0);
  }

  return { push, finish };
}
