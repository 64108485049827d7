/**
 * A library of its own for a test: real tables over fake-indexeddb, a clock that stands still until moved, ids that count.
 */
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import type { ReadSlice } from '../body.ts';
import { createIndexBuilder } from '../../../core/causal/index.ts';
import { type BodyChunk, createChunkWriter } from '../chunks.ts';
import type { LibraryContext } from '../context.ts';
import type { NewTrace } from '../import-store.ts';
import { createHeartbeatLeases, type Lease, type Leases } from '../leases.ts';
import { LibraryDatabase } from '../schema.ts';

export interface TestLibrary extends LibraryContext {
  readonly clock: { at: Date };
  /** Reads stored chunks synchronously, which Node cannot do with a Blob: their bytes are noted when they are made. */
  readonly readSlice: ReadSlice;
  /** The same database seen by another tab. */
  readonly otherTab: () => TestLibrary;
}

export function createTestLibrary(leases: Leases = createHeartbeatLeases()): TestLibrary {
  const indexedDB = new IDBFactory();
  const clock = { at: new Date('2026-01-01T00:00:00Z') };
  let ids = 0;
  const made: Uint8Array[] = [];
  /** Chunks are told apart by their size: enough for the small traces of tests, and an error where it is not. */
  const readSlice = (blob: Blob, from: number, to: number): Uint8Array => {
    const sizes = made.filter((bytes) => bytes.length === blob.size).map((bytes) => [bytes.join(), bytes] as const);
    const [found, ...more] = new Map(sizes).values();
    if (found === undefined || more.length > 0) throw new Error(`not one stored chunk of ${blob.size} bytes`);
    return found.slice(from, to);
  };
  function open(): TestLibrary {
    return {
      db: new LibraryDatabase('test', { indexedDB, IDBKeyRange }),
      leases,
      now: () => clock.at,
      createId: () => `store-${++ids}`,
      createBlob: (bytes) => {
        made.push(bytes);
        return new Blob([bytes]);
      },
      readSlice,
      clock,
      otherTab: open,
    };
  }
  return open();
}

/** Leases as a browser with locks gives them: exact, and released for a tab that ends. */
export function createLockLeases(): Leases & { readonly held: Set<string> } {
  const held = new Set<string>();
  return {
    exact: true,
    held,
    take: (name) => {
      if (held.has(name)) return Promise.resolve(undefined);
      held.add(name);
      const lease: Lease = { release: () => held.delete(name) };
      return Promise.resolve(lease);
    },
    isAlive: ({ fingerprint }) => Promise.resolve([...held].some((name) => name.endsWith(fingerprint))),
  };
}

export function linesToChunks(lines: readonly string[], limit?: number): readonly BodyChunk[] {
  const writer = createChunkWriter(limit);
  const chunks = lines.flatMap((line) => writer.add(line) ?? []);
  const last = writer.finish();
  return last === undefined ? chunks : [...chunks, last];
}

export const noColumns = createIndexBuilder().toColumns();

export const noPlaces = {
  files: [],
  file: new Uint32Array(),
  line: new Uint32Array(),
  offset: new Float64Array(),
};

export function newTrace(over: Partial<NewTrace> = {}): NewTrace {
  return {
    name: 'incident',
    digest: '0123456789abcdef'.repeat(4),
    format: 'hindcast',
    formatLabel: 'Hindcast stream',
    replayGrade: 'full',
    missingForReplay: [],
    files: ['incident.hindcast.jsonl'],
    sourceBytes: 100,
    storedBytes: 100,
    events: 3,
    counts: { input: 3, mapped: 3, merged: 0, problems: 0 },
    problems: 0,
    notices: 0,
    origin: 'opened',
    runs: [{ run: '1'.repeat(32), events: 3 }],
    ...over,
  };
}
