/**
 * The tables, and why each index exists.
 *
 * Two classes of table. *User data* (traces, runs, body, places, problems, branches, log, settings) is never wiped: a change of its shape is a new
 * `version` with an upgrade step, added below the others and never edited. *Derived* data (index, audits, answers) is a function of user data: its
 * rows carry the version of that function and are rebuilt when it differs. `imports` belongs to neither: its rows live while an import does.
 *
 * Never a row an event: bodies are chunks of up to 16 MB, columns are one row a trace.
 */
import Dexie, { type DexieOptions, type EntityTable, type Table } from 'dexie';
import type { CausalProblem, IndexColumns, InferredEdges, KnownOrder } from '../../core/causal/index.ts';
import type { Problem } from '../../core/formats/format.ts';
import type { Finding, Headline } from '../../core/projections/trace-reader.ts';
import type { PackedLayout } from './packing.ts';
import type { BranchRecord, LogEntry, RunRecord, TraceRecord } from './records.ts';

/** A trace, and the store that holds its bytes. */
export interface StoredTrace extends TraceRecord {
  readonly store: string;
  /** Content digest; `id` is cut from it. */
  readonly digest: string;
  /** Its chunks were packed, as far as that makes them smaller. */
  readonly packed?: boolean | undefined;
}

/** Lines of events `first` to `first + offsets.length`, each ended by one newline. `offsets` are bytes within the chunk. */
export interface StoredChunk {
  readonly store: string;
  readonly chunk: number;
  readonly first: number;
  readonly offsets: Uint32Array;
  readonly bytes: Blob;
  /** Where `bytes` are packed lines; an import writes them plain, and they are packed once it is over. */
  readonly packed?: PackedLayout | undefined;
}

/** Where the records of a chunk stood in what was opened. `file` counts into `files`; line 0 is unknown. Read only to rebuild the index. */
export interface PlaceColumns {
  readonly files: readonly string[];
  readonly file: Uint32Array;
  readonly line: Uint32Array;
  readonly offset: Float64Array;
}

export interface StoredPlaces extends PlaceColumns {
  readonly store: string;
  readonly chunk: number;
  /** The columns, which are empty then; see packed-places.ts. */
  readonly packed?: Uint8Array | undefined;
}

/** Functions of the columns, kept so that opening a long trace computes neither inference nor order. */
export interface DerivedColumns extends KnownOrder {
  readonly inferred: InferredEdges;
}

export interface StoredIndex {
  readonly store: string;
  /** Version of the function that made it; another one is rebuilt from the body. */
  readonly version: number;
  readonly columns: IndexColumns;
  /** What is wrong with the trace as a graph. */
  readonly problems: readonly CausalProblem[];
  /** Rows written before it was kept have none. */
  readonly derived?: DerivedColumns | undefined;
}

/** What the rules found on a branch: for a long trace it takes a pass over all bodies. */
export interface KeptAudit {
  readonly findings: readonly Finding[];
  readonly headline: Headline;
}

export interface StoredAudit extends KeptAudit {
  readonly store: string;
  readonly branch: string;
  /** Names the build of the rules and the branches there were: under another one it counts for nothing. */
  readonly key: string;
}

/** What the first view of a long trace asks, answered. */
export interface StoredAnswer {
  readonly store: string;
  readonly method: string;
  readonly question: string;
  readonly build: string;
  readonly branches: string;
  readonly audited: boolean;
  readonly value: unknown;
}

export interface StoredProblems {
  readonly store: string;
  readonly chunk: number;
  readonly problems: readonly Problem[];
}

/** An import that has not ended. Whatever lies in its store belongs to no trace and is removed when nobody holds its lease. */
export interface StoredImport {
  readonly store: string;
  /** What is being imported, so that a second tab does not import it as well. */
  readonly fingerprint: string;
  readonly label: string;
  /** Milliseconds since the epoch; renewed while the import lives. */
  readonly heartbeat: number;
}

export interface StoredSetting {
  readonly key: string;
  readonly value: unknown;
}

export class LibraryDatabase extends Dexie {
  readonly traces!: EntityTable<StoredTrace, 'id'>;
  readonly runs!: Table<RunRecord, [string, string]>;
  readonly body!: Table<StoredChunk, [string, number]>;
  readonly places!: Table<StoredPlaces, [string, number]>;
  readonly index!: EntityTable<StoredIndex, 'store'>;
  readonly audits!: Table<StoredAudit, [string, string]>;
  readonly answers!: Table<StoredAnswer, [string, string]>;
  readonly problems!: Table<StoredProblems, [string, number]>;
  readonly branches!: Table<BranchRecord, [string, string]>;
  readonly imports!: EntityTable<StoredImport, 'store'>;
  readonly log!: EntityTable<LogEntry, 'n'>;
  readonly settings!: EntityTable<StoredSetting, 'key'>;

  /** `options` only to put another IndexedDB under it in tests. */
  constructor(name: string, options: DexieOptions = {}) {
    super(name, { chromeTransactionDurability: 'strict', ...options });
    this.version(1).stores({
      // No index but the key: the library has hundreds of traces, not thousands, and lists all of them.
      traces: 'id',
      // The compound keys keep what belongs together in one range, so reading or deleting it is one range request.
      runs: '[trace+run]',
      body: '[store+chunk]',
      places: '[store+chunk]',
      index: 'store',
      problems: '[store+chunk]',
      branches: '[trace+branch]',
      imports: 'store',
      // Appended in order and read in order.
      log: 'n',
      settings: 'key',
    });
    // Derived, so nothing is upgraded.
    this.version(2).stores({ audits: '[store+branch]' });
    this.version(3).stores({ answers: '[store+method]' });
  }
}

/** The name under which this site keeps its library. */
export const libraryName = 'hindcast';
