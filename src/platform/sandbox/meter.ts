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
  const out = new Writer();
  const count = body.leb();
  out.bytes(leb(count));
  for (let n = 0; n < count; n++) {
    const made = meterFunction(new Reader(body.take(body.leb())), fuel, parametersOf(n));
    out.bytes(leb(made.length));
    out.bytes(made);
  }
  return out.result();
}

function meterFunction(body: Reader, fuel: number, parameters: number): Uint8Array {
  const groups = body.leb();
  const start = body.at;
  let locals = parameters;
  for (let g = 0; g < groups; g++) {
    locals += body.leb();
    body.byte();
  }
  const out = new Writer();
  out.bytes(leb(groups + 1));
  out.bytes(body.between(start, body.at));
  // One more local, for the length of a bulk copy.
  out.bytes([1, 0x7f]);
  out.bytes(charge(fuel, [0x42, 1]));
  let copied = body.at;
  while (!body.done) {
    const at = body.at;
    const opcode = body.byte();
    const bulk = skipImmediates(body, opcode);
    if (opcode !== 0x03 && !bulk) continue;
    const upTo = bulk ? at : body.at;
    out.bytes(body.between(copied, upTo));
    copied = upTo;
    if (bulk) out.bytes([0x22, ...leb(locals), ...charge(fuel, [0x20, ...leb(locals), 0x41, 5, 0x76, 0xad])]);
    else out.bytes(charge(fuel, [0x42, 1]));
  }
  out.bytes(body.between(copied, body.at));
  return out.result();
}

/** `fuel -= amount; if (fuel < 0) unreachable`, where `amount` is code that leaves an `i64`. */
function charge(fuel: number, amount: readonly number[]): readonly number[] {
  const global = leb(fuel);
  return [
    ...[0x23, ...global, ...amount, 0x7d, 0x24, ...global],
    ...[0x23, ...global, 0x42, 0, 0x53, 0x04, 0x40, 0x00, 0x0b],
  ];
}

/** Moves behind the immediates of an instruction; true for `memory.copy` and `memory.fill`. An unknown one is a defect, not a guess. */
function skipImmediates(body: Reader, opcode: number): boolean {
  if (opcode >= 0x45 && opcode <= 0xc4) return false;
  if (opcode >= 0x28 && opcode <= 0x3e) {
    body.leb();
    body.leb();
    return false;
  }
  switch (opcode) {
    case 0x00: // unreachable
    case 0x01: // nop
    case 0x05: // else
    case 0x0b: // end
    case 0x0f: // return
    case 0x1a: // drop
    case 0x1b: // select
    case 0xd1: // ref.is_null
      return false;
    case 0x02: // block
    case 0x03: // loop
    case 0x04: // if
    case 0x0c: // br
    case 0x0d: // br_if
    case 0x10: // call
    case 0x20: // local.get
    case 0x21: // local.set
    case 0x22: // local.tee
    case 0x23: // global.get
    case 0x24: // global.set
    case 0x25: // table.get
    case 0x26: // table.set
    case 0x3f: // memory.size
    case 0x40: // memory.grow
    case 0x41: // i32.const
    case 0x42: // i64.const
    case 0xd0: // ref.null
    case 0xd2: // ref.func
      body.leb();
      return false;
    case 0x11: // call_indirect
      body.leb();
      body.leb();
      return false;
    case 0x0e: // br_table
      for (let n = body.leb(); n >= 0; n--) body.leb();
      return false;
    case 0x43: // f32.const
      body.skip(4);
      return false;
    case 0x44: // f64.const
      body.skip(8);
      return false;
    default: {
      assert(opcode === 0xfc, `the interpreter uses only instructions that can be metered, not ${String(opcode)}`);
      const operation = body.leb();
      const immediates = bulkImmediates[operation];
      assert(immediates !== undefined, `the interpreter uses only bulk instructions that can be metered`);
      for (let n = 0; n < immediates; n++) body.leb();
      return operation === 10 || operation === 11;
    }
  }
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
  private data = new Uint8Array(1024);
  private length = 0;

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

  result(): Uint8Array<ArrayBuffer> {
    return this.data.slice(0, this.length);
  }
}
