/**
 * Collects what an importer makes into batches, and keeps the account: input = mapped + merged + problems.
 */
import { assert } from '../base/assert.ts';
import type { ImportBatch, ImportedEvent, Problem } from './format.ts';

/** Events a batch holds before it is handed on; small enough that the first view comes early. */
export const batchSize = 2048;

export interface BatchBuilder {
  /** A record that made these events (at least one), and what else was noticed about it. */
  readonly mapped: (events: readonly ImportedEvent[]) => void;
  /** A record whose content went into the events of another record. */
  readonly merged: () => void;
  /** A record that could not be used. */
  readonly problem: (problem: Problem) => void;
  /** Something noticed that changes no count: about the file, or about a record counted already. */
  readonly note: (problem: Problem) => void;
  /** An event that belongs to no single record: derived from the whole by a named rule. */
  readonly derived: (event: ImportedEvent) => void;
  readonly isFull: () => boolean;
  readonly isEmpty: () => boolean;
  readonly take: (bytesRead: number) => ImportBatch;
}

export function createBatchBuilder(): BatchBuilder {
  let events: ImportedEvent[] = [];
  let problems: Problem[] = [];
  let mapped = 0;
  let merged = 0;
  let damaged = 0;
  return {
    mapped: (made) => {
      assert(made.length > 0, 'a mapped record makes at least one event');
      for (const event of made) events.push(event);
      mapped++;
    },
    merged: () => {
      merged++;
    },
    problem: (problem) => {
      problems.push(problem);
      damaged++;
    },
    note: (problem) => {
      problems.push(problem);
    },
    derived: (event) => {
      events.push(event);
    },
    isFull: () => events.length >= batchSize || problems.length >= batchSize,
    isEmpty: () => mapped + merged + damaged + events.length + problems.length === 0,
    take: (bytesRead) => {
      const counts = { input: mapped + merged + damaged, mapped, merged, problems: damaged };
      const batch = { events, problems, counts, bytesRead };
      events = [];
      problems = [];
      mapped = merged = damaged = 0;
      return batch;
    },
  };
}
