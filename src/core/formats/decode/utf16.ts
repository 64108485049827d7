/**
 * UTF-16 bytes to UTF-8 bytes, chunk by chunk.
 *
 * Lone surrogates are written as three bytes each (the form that `decodeText` reads back), so that nothing changes on the way.
 */

export interface Transcoder {
  readonly push: (chunk: Uint8Array) => Uint8Array;
  readonly finish: () => Uint8Array;
}

export function createUtf16Transcoder(bigEndian: boolean): Transcoder {
  let half: number | undefined;
  let high: number | undefined;
  let first = true;

  function push(chunk: Uint8Array): Uint8Array {
    const out = new Uint8Array(chunk.length * 2 + 8);
    let n = 0;
    const scalar = (c: number): void => {
      if (c < 0x80) out[n++] = c;
      else if (c < 0x800) {
        out[n++] = 0xc0 | (c >> 6);
        out[n++] = 0x80 | (c & 63);
      } else if (c < 0x10000) {
        out[n++] = 0xe0 | (c >> 12);
        out[n++] = 0x80 | ((c >> 6) & 63);
        out[n++] = 0x80 | (c & 63);
      } else {
        out[n++] = 0xf0 | (c >> 18);
        out[n++] = 0x80 | ((c >> 12) & 63);
        out[n++] = 0x80 | ((c >> 6) & 63);
        out[n++] = 0x80 | (c & 63);
      }
    };
    const unit = (c: number): void => {
      if (first) {
        first = false;
        if (c === 0xfeff) return;
      }
      if (high !== undefined) {
        const lead = high;
        high = undefined;
        if (c >= 0xdc00 && c < 0xe000) {
          scalar(0x10000 + ((lead - 0xd800) << 10) + (c - 0xdc00));
          return;
        }
        scalar(lead);
      }
      if (c >= 0xd800 && c < 0xdc00) high = c;
      else scalar(c);
    };
    for (const byte of chunk) {
      if (half === undefined) half = byte;
      else {
        unit(bigEndian ? (half << 8) | byte : (byte << 8) | half);
        half = undefined;
      }
    }
    return out.subarray(0, n);
  }

  /** An unpaired high surrogate at the very end; an odd last byte is no character and is reported by the caller's length. */
  function finish(): Uint8Array {
    if (high === undefined) return new Uint8Array(0);
    const c = high;
    high = undefined;
    return Uint8Array.of(0xe0 | (c >> 12), 0x80 | ((c >> 6) & 63), 0x80 | (c & 63));
  }

  return { push, finish };
}
