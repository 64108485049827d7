/**
 * XXH64, the checksum of zstd frames, over bytes as they come. Only its low half is stored there, but all of it must be computed.
 *
 * 64-bit numbers are pairs of 32-bit halves: big integers would be ten times slower, and this runs over every decoded byte.
 */

interface Prime {
  readonly low: number;
  readonly high: number;
}

const p1: Prime = { high: 0x9e3779b1, low: 0x85ebca87 };
const p2: Prime = { high: 0xc2b2ae3d, low: 0x27d4eb4f };
const p3: Prime = { high: 0x165667b1, low: 0x9e3779f9 };
const p4: Prime = { high: 0x85ebca77, low: 0xc2b2ae63 };
const p5: Prime = { high: 0x27d4eb2f, low: 0x165667c5 };

/** The high half of the last product; the low half is returned. A pair per call would be garbage at every eighth byte. */
let high = 0;

/** Every function below returns the low half and leaves the high one in `high`. */
function multiply(low: number, top: number, by: Prime): number {
  const a0 = low & 0xffff;
  const a1 = low >>> 16;
  const b0 = by.low & 0xffff;
  const b1 = by.low >>> 16;
  const p01 = a0 * b1;
  const p10 = a1 * b0;
  const middle = ((a0 * b0) >>> 16) + (p01 & 0xffff) + (p10 & 0xffff);
  const carried = a1 * b1 + (p01 >>> 16) + (p10 >>> 16) + (middle >>> 16);
  high = (carried + Math.imul(low, by.high) + Math.imul(top, by.low)) | 0;
  return Math.imul(low, by.low);
}

function add(low: number, top: number, otherLow: number, otherTop: number): number {
  const sum = (low >>> 0) + (otherLow >>> 0);
  high = (top + otherTop + (sum > 0xffffffff ? 1 : 0)) | 0;
  return sum | 0;
}

function rotate(low: number, top: number, by: number): number {
  if (by < 32) {
    high = (top << by) | (low >>> (32 - by));
    return (low << by) | (top >>> (32 - by));
  }
  if (by === 32) {
    high = low;
    return top;
  }
  const rest = by - 32;
  high = (low << rest) | (top >>> (32 - rest));
  return (top << rest) | (low >>> (32 - rest));
}

/** One lane: acc += input * p2; rotate 31; times p1. */
function round(low: number, top: number, inLow: number, inTop: number): number {
  let l = multiply(inLow, inTop, p2);
  l = add(low, top, l, high);
  l = rotate(l, high, 31);
  return multiply(l, high, p1);
}

export interface Xxh64 {
  readonly add: (bytes: Uint8Array) => void;
  /** The low 32 bits, as an unsigned number. */
  readonly low: () => number;
}

export function createXxh64(): Xxh64 {
  // Seed 0. Lane i: low half at 2i, high half at 2i + 1.
  const lanes = new Int32Array(8);
  lanes[0] = add(p1.low, p1.high, p2.low, p2.high);
  lanes[1] = high;
  lanes[2] = p2.low;
  lanes[3] = p2.high;
  lanes[6] = add(0, 0, ~p1.low, ~p1.high);
  lanes[6] = add(lanes[6], high, 1, 0);
  lanes[7] = high;
  const stripe = new Uint8Array(32);
  let held = 0;
  let length = 0;

  function takeStripe(bytes: Uint8Array, at: number): void {
    for (let lane = 0; lane < 4; lane++) {
      const from = at + lane * 8;
      const inLow = word(bytes, from);
      const inTop = word(bytes, from + 4);
      lanes[lane * 2] = round(lanes[lane * 2] ?? 0, lanes[lane * 2 + 1] ?? 0, inLow, inTop);
      lanes[lane * 2 + 1] = high;
    }
  }

  function addBytes(bytes: Uint8Array): void {
    length += bytes.length;
    let at = 0;
    if (held > 0) {
      const taken = Math.min(32 - held, bytes.length);
      stripe.set(bytes.subarray(0, taken), held);
      held += taken;
      at = taken;
      if (held < 32) return;
      takeStripe(stripe, 0);
      held = 0;
    }
    for (; at + 32 <= bytes.length; at += 32) takeStripe(bytes, at);
    held = bytes.length - at;
    stripe.set(bytes.subarray(at));
  }

  return { add: addBytes, low: () => finish(lanes, stripe.subarray(0, held), length) >>> 0 };
}

function word(bytes: Uint8Array, at: number): number {
  return (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24);
}

function finish(lanes: Int32Array, rest: Uint8Array, length: number): number {
  let low: number = p5.low;
  high = p5.high;
  if (length >= 32) low = mergeLanes(lanes);
  low = add(low, high, length | 0, Math.floor(length / 2 ** 32));
  let top = high;
  let at = 0;
  for (; at + 8 <= rest.length; at += 8) {
    const mixed = round(0, 0, word(rest, at), word(rest, at + 4));
    low = rotate(low ^ mixed, top ^ high, 27);
    low = multiply(low, high, p1);
    low = add(low, high, p4.low, p4.high);
    top = high;
  }
  if (at + 4 <= rest.length) {
    const mixed = multiply(word(rest, at), 0, p1);
    low = rotate(low ^ mixed, top ^ high, 23);
    low = multiply(low, high, p2);
    low = add(low, high, p3.low, p3.high);
    top = high;
    at += 4;
  }
  for (; at < rest.length; at++) {
    const mixed = multiply(rest[at] ?? 0, 0, p5);
    low = rotate(low ^ mixed, top ^ high, 11);
    low = multiply(low, high, p1);
    top = high;
  }
  return avalanche(low, top);
}

function mergeLanes(lanes: Int32Array): number {
  let low = 0;
  let top = 0;
  for (const [lane, by] of [1, 7, 12, 18].entries()) {
    const turned = rotate(lanes[lane * 2] ?? 0, lanes[lane * 2 + 1] ?? 0, by);
    low = add(low, top, turned, high);
    top = high;
  }
  for (let lane = 0; lane < 4; lane++) {
    const mixed = round(0, 0, lanes[lane * 2] ?? 0, lanes[lane * 2 + 1] ?? 0);
    low = multiply(low ^ mixed, top ^ high, p1);
    low = add(low, high, p4.low, p4.high);
    top = high;
  }
  high = top;
  return low;
}

/** x ^= x >>> 33; x *= p2; x ^= x >>> 29; x *= p3; x ^= x >>> 32. */
function avalanche(low: number, top: number): number {
  let l = low ^ (top >>> 1);
  l = multiply(l, top, p2);
  let t = high;
  l ^= (l >>> 29) | (t << 3);
  t ^= t >>> 29;
  l = multiply(l, t, p3);
  return l ^ high;
}
