/**
 * Copies of an interpreter's memory, so that a session can go on from an earlier moment.
 *
 * Invariant: a copy and its restoration are equal byte by byte. Only pages that are not all zero are kept, and a page equal to that of the
 * copy before is shared with it: the memory of a small program is one of 16 MiB, of which it uses one. Used by `session.ts` only.
 */
import { sha256Hex } from '../../core/base/hash.ts';
import type { SandboxCheckpoint } from '../../core/replay/sandbox-port.ts';
import type { MessageReader, ToldCounts } from './messages.ts';
import { type ZeroScan, createZeroScan } from './zero-scan.ts';

/** Bytes of one kept page: small, because consecutive moments differ in little. */
const pageBytes = 4096;
const wordsPerPage = pageBytes / 4;
const wasmPageBytes = 65_536;

export interface MemoryCopy {
  /** Size of the memory, in WebAssembly's pages of 64 KiB. */
  readonly pages: number;
  /** Number of a page of 4 KiB to its words; a page that is absent is zero. */
  readonly words: ReadonlyMap<number, Uint32Array>;
  /** Held by this copy alone. */
  readonly ownBytes: number;
}

/** What the host counts beside the memory. */
export interface SessionCounters {
  readonly open: readonly number[];
  readonly burnt: bigint;
  readonly bytes: number;
  readonly commands: number;
  readonly acts: number;
  /** Addresses the host holds; a session can only take over a checkpoint with the same ones. */
  readonly place: string;
  /** What the guest had told once and only names since: how much of the list of the session that was copied. */
  readonly reader: MessageReader;
  readonly told: ToldCounts;
}

export class SessionCheckpoint implements SandboxCheckpoint {
  readonly memory: MemoryCopy;
  readonly counters: SessionCounters;

  constructor(memory: MemoryCopy, counters: SessionCounters) {
    this.memory = memory;
    this.counters = counters;
  }

  get bytes(): number {
    return this.memory.ownBytes;
  }

  digest(): string {
    const parts = [...this.memory.words].map(
      ([page, words]) => `${String(page)} ${sha256Hex(new Uint8Array(words.buffer, words.byteOffset, pageBytes))}`,
    );
    return `sha256:${sha256Hex([String(this.memory.pages), ...parts].join('\n'))}`;
  }
}

export function copyMemory(memory: WebAssembly.Memory, previous: MemoryCopy | undefined): MemoryCopy {
  const all = new Uint32Array(memory.buffer);
  const words = new Map<number, Uint32Array>();
  const findUsed = scanOf(memory);
  const end = memory.buffer.byteLength;
  let ownBytes = 0;
  for (let at = findUsed(0, end); at < end;) {
    const page = Math.floor(at / pageBytes);
    const from = page * wordsPerPage;
    const before = previous?.words.get(page);
    if (before !== undefined && isEqualAt(all, from, before)) {
      words.set(page, before);
    } else {
      words.set(page, all.slice(from, from + wordsPerPage));
      ownBytes += pageBytes;
    }
    at = findUsed((page + 1) * pageBytes, end);
  }
  return { pages: memory.buffer.byteLength / wasmPageBytes, words, ownBytes };
}

export function restoreMemory(memory: WebAssembly.Memory, { words }: MemoryCopy): void {
  const all = new Uint32Array(memory.buffer);
  all.fill(0);
  for (const [page, content] of words) all.set(content, page * wordsPerPage);
}

const scans = new WeakMap<WebAssembly.Memory, ZeroScan>();

function scanOf(memory: WebAssembly.Memory): ZeroScan {
  let scan = scans.get(memory);
  if (scan === undefined) scans.set(memory, (scan = createZeroScan(memory)));
  return scan;
}

function isEqualAt(all: Uint32Array, from: number, page: Uint32Array): boolean {
  const difference = (at: number): number => (all[from + at] ?? 0) ^ (page[at] ?? 0);
  for (let at = 0; at < wordsPerPage; at += 4) {
    if ((difference(at) | difference(at + 1) | difference(at + 2) | difference(at + 3)) !== 0) return false;
  }
  return true;
}
