/**
 * Rewrites the interpreter's WebAssembly so that it counts its own work and stops by itself.
 *
 * Every entry of a function and of a loop takes one unit from an exported counter, every bulk copy one per 32 bytes; below zero the
 * module traps, which no guest code can catch. So a limit of computing falls at the same instruction on every host, whether the
 * time went into guest code, a native loop, the collector or the text of a stack. Called once per loaded interpreter, by `engine.ts`.
 */
import { assert } from '../../core/base/assert.ts';

/** Name under which the counter is exported: a mutable `i64`. */
export const fuelExport = 'fuel';

const section = { type: 1, import: 2, function: 3, global: 6, export: 7, code: 10 } as const;
const i64 = 0x7e;
/** 2^56, what an instance starts with: its own start function runs before anyone can set the counter. */
const plenty = [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01];

export function meterModule(wasm: Uint8Array): Uint8Array<ArrayBuffer> {
  const reader = new Reader(wasm);
  reader.skip(8);
  const out = new Writer();
  out.bytes(wasm.subarray(0, 8));
  let types: readonly number[] = [];
  let functionTypes: readonly number[] = [];
  let fuel = 0;
  while (!reader.done) {
    const id = reader.byte();
    const body = new Reader(reader.take(reader.leb()));
    if (id === section.type) types = readParameterCounts(body);
    if (id === section.import) fuel += countImportedGlobals(body);
    if (id === section.function) functionTypes = Array.from({ length: body.leb() }, () => body.leb());
    body.at = 0;
    let made: Uint8Array | undefined;
    if (id === section.global) {
      const count = body.leb();
      fuel += count;
      made = withEntry(body, count, [i64, 1, 0x42, ...plenty, 0x0b]);
    } else if (id === section.export) {
      const name = new TextEncoder().encode(fuelExport);
      made = withEntry(body, body.leb(), [name.length, ...name, 3, ...leb(fuel)]);
    } else if (id === section.code) {
      made = meterCode(body, fuel, (n) => types[functionTypes[n] ?? 0] ?? 0);
    }
    const content = made ?? body.rest();
    out.byte(id);
    out.bytes(leb(content.length));
    out.bytes(content);
  }
  return out.result();
}

/** A vector section with one more entry at its end, which shifts no index. */
function withEntry(body: Reader, count: number, entry: readonly number[]): Uint8Array {
  const out = new Writer();
  out.bytes(leb(count + 1));
  out.bytes(body.rest());
  out.bytes(entry);
  return out.result();
}

/** Number of parameters of each type; parameters are the first locals. */
function readParameterCounts(body: Reader): readonly number[] {
  return Array.from({ length: body.leb() }, () => {
    assert(body.byte() === 0x60, 'a type of the interpreter is a function type');
    const parameters = body.leb();
    body.skip(parameters);
    body.skip(body.leb());
    return parameters;
  });
}

function countImportedGlobals(body: Reader): number {
  let globals = 0;
  for (let n = body.leb(); n > 0; n--) {
    body.skip(body.leb());
    body.skip(body.leb());
    const kind = body.byte();
    if (kind === 0) body.leb();
    else if (kind === 3) {
      globals++;
      body.skip(2);
    } else {
      if (kind === 1) body.byte();
      const hasMaximum = (body.byte() & 1) === 1;
      body.leb();
      if (hasMaximum) body.leb();
    }
  }
  return globals;
}

function meterCode(body: Reader, fuel: number, parametersOf: (n: number) => number): Uint8Array {
  const out = new Writer(body.rest().length * 2);
  const scratch = new Writer(1 << 16);
  const count = body.leb();
  out.bytes(leb(count));
  for (let n = 0; n < count; n++) {
    const length = body.leb();
    meterFunction(body, body.at + length, scratch, createCharges(fuel, parametersOf(n)));
    out.bytes(leb(scratch.length));
    out.bytes(scratch.written());
    scratch.length = 0;
  }
  return out.written();
}

interface Charges {
  readonly parameters: number;
  /** One unit. */
  readonly one: Uint8Array;
  /** What a bulk copy of the length in the local takes; one unit per 32 bytes. */
  readonly bulkInto: (local: number) => readonly number[];
}

const oneUnits = new Map<number, Uint8Array>();

function createCharges(fuel: number, parameters: number): Charges {
  let one = oneUnits.get(fuel);
  if (one === undefined) oneUnits.set(fuel, (one = Uint8Array.from(charge(fuel, [0x42, 1]))));
  const bulkInto = (local: number): readonly number[] => [
    ...[0x22, ...leb(local)],
    ...charge(fuel, [0x20, ...leb(local), 0x41, 5, 0x76, 0xad]),
  ];
  return { parameters, one, bulkInto };
}

/** Half a megabyte of instructions before the first replay: written for code that the host has not compiled yet. */
function meterFunction(body: Reader, end: number, out: Writer, { parameters, one, bulkInto }: Charges): void {
  const groups = body.leb();
  const start = body.at;
  let locals = parameters;
  for (let g = 0; g < groups; g++) {
    locals += body.leb();
    body.at++;
  }
  out.bytes(leb(groups + 1));
  out.bytes(body.between(start, body.at));
  // One more local, for the length of a bulk copy.
  out.bytes([1, 0x7f]);
  out.bytes(one);
  let copied = body.at;
  while (body.at < end) {
    const at = body.at;
    const kind = body.skipInstruction();
    if (kind === plain) continue;
    const upTo = kind === bulk ? at : body.at;
    out.bytes(body.between(copied, upTo));
    copied = upTo;
    out.bytes(kind === bulk ? bulkInto(locals) : one);
  }
  out.bytes(body.between(copied, end));
}

/** `fuel -= amount; if (fuel < 0) unreachable`, where `amount` is code that leaves an `i64`. */
function charge(fuel: number, amount: readonly number[]): readonly number[] {
  const global = leb(fuel);
  return [
    ...[0x23, ...global, ...amount, 0x7d, 0x24, ...global],
    ...[0x23, ...global, 0x42, 0, 0x53, 0x04, 0x40, 0x00, 0x0b],
  ];
}

/** Kinds of instructions: those that are metered, and all others. */
const plain = 0;
const loop = 1;
const bulk = 2;

/** What stands behind an opcode: that many numbers in LEB128, unless it is one of the other shapes. Absent: unknown. */
const shapes = { table: 4, fourBytes: 5, eightBytes: 6, prefixed: 7, unknown: 8 } as const;

const shapeOf = createShapes();

function createShapes(): Uint8Array {
  const out = new Uint8Array(256).fill(shapes.unknown);
  // Numeric instructions, and: unreachable, nop, else, end, return, drop, select, ref.is_null.
  out.fill(0, 0x45, 0xc5);
  for (const opcode of [0x00, 0x01, 0x05, 0x0b, 0x0f, 0x1a, 0x1b, 0xd1]) out[opcode] = 0;
  // block, loop, if, br, br_if, call; local and global get, set, tee; table get, set; memory size, grow; i32 and i64 const; ref null, func.
  for (const opcode of [0x02, 0x03, 0x04, 0x0c, 0x0d, 0x10]) out[opcode] = 1;
  out.fill(1, 0x20, 0x27);
  for (const opcode of [0x3f, 0x40, 0x41, 0x42, 0xd0, 0xd2]) out[opcode] = 1;
  // Loads and stores; call_indirect.
  out.fill(2, 0x28, 0x3f);
  out[0x11] = 2;
  out[0x0e] = shapes.table;
  out[0x43] = shapes.fourBytes;
  out[0x44] = shapes.eightBytes;
  out[0xfc] = shapes.prefixed;
  return out;
}

/** Immediates of the instructions behind 0xfc: eight conversions, then init, drop, copy and fill of memory. */
const bulkImmediates: readonly number[] = [0, 0, 0, 0, 0, 0, 0, 0, 2, 1, 2, 1];

/** LEB128 of a number that is not negative. */
function leb(value: number): readonly number[] {
  const out: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return [...out, rest];
    out.push((rest % 128) + 128);
  }
}

class Reader {
  at = 0;
  private readonly data: Uint8Array;

  constructor(data: Uint8Array) {
    this.data = data;
  }

  get done(): boolean {
    return this.at >= this.data.length;
  }

  byte(): number {
    const value = this.data[this.at++];
    assert(value !== undefined, 'the interpreter is not cut off');
    return value;
  }

  /** Value of a LEB128 number that is not negative; also steps over a signed one, whose value nobody needs. */
  leb(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.byte();
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
  }

  skip(count: number): void {
    this.at += count;
  }

  /** Moves behind an instruction and its immediates. An unknown one is a defect, not a guess. */
  skipInstruction(): number {
    const { data } = this;
    const opcode = data[this.at++] ?? 0;
    const shape = shapeOf[opcode];
    if (shape === 0) return plain;
    if (shape === 1 || shape === 2) {
      let at = this.at;
      while ((data[at++] ?? 0) >= 0x80);
      if (shape === 2) while ((data[at++] ?? 0) >= 0x80);
      this.at = at;
      return opcode === 0x03 ? loop : plain;
    }
    return this.skipLongImmediates(opcode);
  }

  private skipLongImmediates(opcode: number): number {
    const shape = shapeOf[opcode];
    assert(
      shape !== shapes.unknown,
      `the interpreter uses only instructions that can be metered, not ${String(opcode)}`,
    );
    if (shape === shapes.fourBytes) this.at += 4;
    else if (shape === shapes.eightBytes) this.at += 8;
    else if (shape === shapes.table) for (let n = this.leb(); n >= 0; n--) this.leb();
    else {
      const operation = this.leb();
      const immediates = bulkImmediates[operation];
      assert(immediates !== undefined, `the interpreter uses only bulk instructions that can be metered`);
      for (let n = 0; n < immediates; n++) this.leb();
      return operation === 10 || operation === 11 ? bulk : plain;
    }
    return plain;
  }

  take(count: number): Uint8Array {
    this.at += count;
    return this.data.subarray(this.at - count, this.at);
  }

  between(from: number, to: number): Uint8Array {
    return this.data.subarray(from, to);
  }

  rest(): Uint8Array {
    return this.data.subarray(this.at);
  }
}

class Writer {
  length = 0;
  private data: Uint8Array<ArrayBuffer>;

  constructor(capacity = 1024) {
    this.data = new Uint8Array(capacity);
  }

  byte(value: number): void {
    this.bytes([value]);
  }

  bytes(values: Uint8Array | readonly number[]): void {
    const needed = this.length + values.length;
    if (needed > this.data.length) {
      const grown = new Uint8Array(Math.max(needed, this.data.length * 2));
      grown.set(this.data.subarray(0, this.length));
      this.data = grown;
    }
    this.data.set(values, this.length);
    this.length = needed;
  }

  /** What was written; a view, until more is. */
  written(): Uint8Array {
    return this.data.subarray(0, this.length);
  }

  result(): Uint8Array<ArrayBuffer> {
    return this.data.slice(0, this.length);
  }
}
