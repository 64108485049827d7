/**
 * Ids and names as numbers.
 *
 * `createNames` interns texts that repeat (types, agents, steps): number 0 stands for "absent".
 * `createSymbols` holds event ids, nearly all different, in one arena of bytes with an open-addressing table over it: a text is
 * compared byte by byte, so two ids are never taken for one. A code unit below 255 is one byte; any other is 255 and two bytes,
 * which keeps every text, lone surrogates included.
 */
import { createColumn, ints } from './column.ts';

export interface Names {
  /** 0 for undefined. */
  readonly intern: (name: string | undefined) => number;
  readonly toArray: () => readonly string[];
}

/** The first name is a place-holder for "absent" and is never looked up. */
export function createNames(from: readonly string[] = ['']): Names {
  const names = [...from];
  const numbers = new Map<string, number>();
  for (let i = 1; i < names.length; i++) numbers.set(names[i] ?? '', i);
  return {
    intern: (name) => {
      if (name === undefined) return 0;
      const known = numbers.get(name);
      if (known !== undefined) return known;
      numbers.set(name, names.length);
      names.push(name);
      return names.length - 1;
    },
    toArray: () => names.slice(),
  };
}

export interface SymbolArena {
  readonly bytes: Uint8Array;
  /** Ends: symbol `s` is the bytes from `ends[s - 1]` (0 for the first) to `ends[s]`. */
  readonly ends: Int32Array;
}

export interface Symbols {
  readonly count: () => number;
  /** The number of the text, given now if it had none. */
  readonly intern: (text: string) => number;
  /** -1 when the text was never seen. */
  readonly find: (text: string) => number;
  readonly text: (symbol: number) => string;
  readonly toArena: () => SymbolArena;
}

export function createSymbols(from?: SymbolArena): Symbols {
  let arena = new Uint8Array(Math.max(1024, from?.bytes.length ?? 0));
  let arenaLength = from?.bytes.length ?? 0;
  if (from !== undefined) arena.set(from.bytes);
  const ends = createColumn(ints, from?.ends);
  let table = new Int32Array(64).fill(-1);
  // The id being looked up, as bytes; reused so that a look-up allocates nothing.
  let scratch = new Uint8Array(256);
  let scratchLength = 0;

  function encode(text: string): number {
    if (scratch.length < text.length * 3) scratch = new Uint8Array(text.length * 6);
    let length = 0;
    let hash = 0x811c9dc5;
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      if (unit < 255) scratch[length++] = unit;
      else {
        scratch[length++] = 255;
        scratch[length++] = unit >>> 8;
        scratch[length++] = unit & 255;
      }
      hash = Math.imul(hash ^ unit, 0x01000193);
    }
    scratchLength = length;
    return mix(hash);
  }

  function equals(symbol: number): boolean {
    const start = symbol === 0 ? 0 : ends.get(symbol - 1);
    if (ends.get(symbol) - start !== scratchLength) return false;
    for (let i = 0; i < scratchLength; i++) if (arena[start + i] !== scratch[i]) return false;
    return true;
  }

  function append(): void {
    if (arenaLength + scratchLength > arena.length) {
      const grown = new Uint8Array(Math.max(arena.length * 2, arenaLength + scratchLength));
      grown.set(arena.subarray(0, arenaLength));
      arena = grown;
    }
    for (let i = 0; i < scratchLength; i++) arena[arenaLength + i] = scratch[i] ?? 0;
    arenaLength += scratchLength;
  }

  /** Slot of the scratch text, or of the first free slot where it would stand. */
  function slotOf(hash: number): number {
    const mask = table.length - 1;
    let slot = hash & mask;
    for (let symbol = table[slot] ?? -1; symbol >= 0 && !equals(symbol); symbol = table[slot] ?? -1) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  function grow(): void {
    table = new Int32Array(table.length * 2).fill(-1);
    const mask = table.length - 1;
    for (let symbol = 0; symbol < ends.length(); symbol++) {
      let slot = hashOf(symbol) & mask;
      while ((table[slot] ?? -1) >= 0) slot = (slot + 1) & mask;
      table[slot] = symbol;
    }
  }

  function hashOf(symbol: number): number {
    let hash = 0x811c9dc5;
    const end = ends.get(symbol);
    for (let at = symbol === 0 ? 0 : ends.get(symbol - 1); at < end; at++) {
      let unit = arena[at] ?? 0;
      if (unit === 255) {
        unit = ((arena[at + 1] ?? 0) << 8) | (arena[at + 2] ?? 0);
        at += 2;
      }
      hash = Math.imul(hash ^ unit, 0x01000193);
    }
    return mix(hash);
  }

  while (table.length < ends.length() * 2) table = new Int32Array(table.length * 2);
  if (ends.length() > 0) {
    table = new Int32Array(table.length / 2);
    grow();
  }

  return {
    count: () => ends.length(),
    intern: (text) => {
      if (ends.length() * 2 >= table.length) grow();
      const slot = slotOf(encode(text));
      const known = table[slot] ?? -1;
      if (known >= 0) return known;
      const symbol = ends.length();
      append();
      ends.push(arenaLength);
      table[slot] = symbol;
      return symbol;
    },
    find: (text) => table[slotOf(encode(text))] ?? -1,
    text: (symbol) => bytesToText(arena, symbol === 0 ? 0 : ends.get(symbol - 1), ends.get(symbol)),
    toArena: () => ({ bytes: arena.slice(0, arenaLength), ends: ends.toArray() }),
  };
}

function bytesToText(arena: Uint8Array, start: number, end: number): string {
  let text = '';
  for (let at = start; at < end; at++) {
    const unit = arena[at] ?? 0;
    if (unit < 255) text += String.fromCharCode(unit);
    else {
      text += String.fromCharCode(((arena[at + 1] ?? 0) << 8) | (arena[at + 2] ?? 0));
      at += 2;
    }
  }
  return text;
}

function mix(hash: number): number {
  let h = hash ^ (hash >>> 16);
  h = Math.imul(h, 0x7feb352d);
  h ^= h >>> 15;
  return (h >>> 1) | 0;
}
