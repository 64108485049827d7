/**
 * A library of its own for a test: real tables over fake-indexeddb, a clock that stands still until moved, ids that count.
 */
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { createIndexBuilder } from '../../../core/causal/index.ts';
import { type BodyChunk, createChunkWriter } from '../chunks.ts';
import type { LibraryContext } from '../context.ts';
import type { NewTrace } from '../import-store.ts';
import { createHeartbeatLeases, type Lease, type Leases } from '../leases.ts';
import { LibraryDatabase } from '../schema.ts';

export interface TestLibrary extends LibraryContext {
  readonly clock: { at: Date };
  /** The same database seen by another tab. */
  readonly otherTab: () => TestLibrary;
}

export function createTestLibrary(leases: Leases = createHeartbeatLeases()): TestLibrary {
  const indexedDB = new IDBFactory();
  const clock = { at: new Date('2026-01-01T00:00:00Z') };
  let ids = 0;
  function open(): TestLibrary {
    return {
      db: new LibraryDatabase('test', { indexedDB, IDBKeyRange }),
      leases,
      now: () => clock.at,
      createId: () => `store-${++ids}`,
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
