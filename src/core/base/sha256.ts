/**
 * SHA-256 of short texts in one call, for the digests of commands, values and events: many texts of a few hundred bytes.
 *
 * Owns FIPS 180-4 over buffers of its own and nothing else; longer content goes through the library, as it always did. Invariant: equal
 * to the library at every length. Its own because the library prepares a stream for each text, which costs more than hashing it.
 * Called by `hash.ts` only.
 */

const encoder = new TextEncoder();

/** Longest text that is taken, in bytes of UTF-8. */
const longest = 4096;

/** The text, then its padding: one bit, zeros, and the length in 64 bits, to whole blocks of 64 bytes. */
const message = new Uint8Array(longest + 128);
const content = message.subarray(0, longest);
const schedule = new Int32Array(64);
const state = new Int32Array(8);

const initial = Int32Array.of(
  ...[0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19],
);

const constants = Int32Array.of(
  ...[0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5],
  ...[0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174],
  ...[0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da],
  ...[0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967],
  ...[0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85],
  ...[0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070],
  ...[0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3],
  ...[0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2],
);

/** Two hex digits of every byte. */
const hexOfByte = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** 64 hex digits over the UTF-8 of `text`; undefined when that is longer than what is taken here. */
export function shortTextToSha256Hex(text: string): string | undefined {
  if (text.length > longest) return undefined;
  const { read, written } = encoder.encodeInto(text, content);
  if (read < text.length) return undefined;
  const end = (written + 72) & ~63;
  message.fill(0, written, end);
  message[written] = 0x80;
  message[end - 3] = written >>> 13;
  message[end - 2] = written >>> 5;
  message[end - 1] = written << 3;
  state.set(initial);
  for (let from = 0; from < end; from += 64) hashBlock(from);
  let hex = '';
  for (let n = 0; n < 8; n++) {
    const word = stateAt(n);
    hex += `${hexAt(word >>> 24)}${hexAt((word >>> 16) & 255)}${hexAt((word >>> 8) & 255)}${hexAt(word & 255)}`;
  }
  return hex;
}

function hexAt(byte: number): string {
  return hexOfByte[byte] ?? '';
}

/** Without calls inside its loops: the first thousand blocks are hashed before the host has compiled anything. */
function hashBlock(from: number): void {
  for (let n = 0, at = from; n < 16; n++, at += 4)
    schedule[n] =
      ((message[at] ?? 0) << 24) |
      ((message[at + 1] ?? 0) << 16) |
      ((message[at + 2] ?? 0) << 8) |
      (message[at + 3] ?? 0);
  for (let n = 16; n < 64; n++) {
    const x = schedule[n - 15] ?? 0;
    const y = schedule[n - 2] ?? 0;
    const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
    const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
    schedule[n] = (schedule[n - 16] ?? 0) + s0 + (schedule[n - 7] ?? 0) + s1;
  }
  let a = stateAt(0);
  let b = stateAt(1);
  let c = stateAt(2);
  let d = stateAt(3);
  let e = stateAt(4);
  let f = stateAt(5);
  let g = stateAt(6);
  let h = stateAt(7);
  for (let n = 0; n < 64; n++) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + (constants[n] ?? 0) + (schedule[n] ?? 0)) | 0;
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  state[0] = stateAt(0) + a;
  state[1] = stateAt(1) + b;
  state[2] = stateAt(2) + c;
  state[3] = stateAt(3) + d;
  state[4] = stateAt(4) + e;
  state[5] = stateAt(5) + f;
  state[6] = stateAt(6) + g;
  state[7] = stateAt(7) + h;
}

function stateAt(n: number): number {
  return state[n] ?? 0;
}
