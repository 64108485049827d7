/**
 * Finds what is not zero in a memory: of the 16 MiB of an interpreter a small program uses one, and every copy looks at all of them.
 *
 * A function of WebAssembly over that memory, written out here: the host compiles it at once, and it looks at 64 bytes a turn. Invariant: it
 * only reads. Used by `checkpoint.ts`.
 */
import { assert } from '../../core/base/assert.ts';

/** Address of the first group of 64 bytes from `from` on, before `end`, that is not all zero; else `end`. */
export type ZeroScan = (from: number, end: number) => number;

/** `i64.load` from the address in local 0, at an offset. */
function loadAt(offset: number): readonly number[] {
  return [0x20, 0, 0x29, 3, offset];
}

const or = 0x84;

/** `loop { if (from >= end) return end; if (eight words or-ed) return from; from += 64 }` */
const body = [
  ...[0, 0x03, 0x40],
  ...[0x20, 0, 0x20, 1, 0x4f, 0x04, 0x40, 0x20, 1, 0x0f, 0x0b],
  ...loadAt(0),
  ...[8, 16, 24, 32, 40, 48, 56].flatMap((offset) => [...loadAt(offset), or]),
  ...[0x50, 0x45, 0x04, 0x40, 0x20, 0, 0x0f, 0x0b],
  ...[0x20, 0, 0x41, 0xc0, 0, 0x6a, 0x21, 0, 0x0c, 0, 0x0b, 0x00, 0x0b],
];

/** Header; type `(i32, i32) -> i32`; import of the memory `m`; one function, exported as `s`. */
const moduleBytes = Uint8Array.of(
  ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...[1, 7, 1, 0x60, 2, 0x7f, 0x7f, 1, 0x7f],
  ...[2, 8, 1, 1, 0x6d, 1, 0x6d, 2, 0, 0],
  ...[3, 2, 1, 0],
  ...[7, 5, 1, 1, 0x73, 0, 0],
  ...[10, body.length + 2, 1, body.length, ...body],
);

let compiled: WebAssembly.Module | undefined;

export function createZeroScan(memory: WebAssembly.Memory): ZeroScan {
  compiled ??= new WebAssembly.Module(moduleBytes);
  const { s } = new WebAssembly.Instance(compiled, { m: { m: memory } }).exports;
  assert(typeof s === 'function', 'the module exports its one function');
  // Cast: the module written out above exports exactly this.
  return s as ZeroScan;
}
