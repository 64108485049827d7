/**
 * What the library keeps about a trace, and the shapes the rest of the product sees.
 *
 * Owns the names. Nothing here knows how things are stored (`schema.ts` does). All values are plain and cloneable: they cross from the
 * worker that owns the database to the page.
 */
import type { RecordCounts } from '../../core/formats/format.ts';
import type { Brand } from '../../core/base/brand.ts';

/** Names a trace in URLs. Made from the digest of its content: the same content has the same id, also after deletion or elsewhere. */
export type TraceId = Brand<string, 'TraceId'>;

/** `hexDigest` is the content digest: 64 hex digits. */
export function digestToTraceId(hexDigest: string): TraceId {
  return traceId(`t-${hexDigest.slice(0, 20)}`);
}

/** Cast: the brand factory. A text from a URL that names no trace is answered with "not in this library". */
export function traceId(text: string): TraceId {
  return text as TraceId;
}

/** How long a trace is kept, and why. Dates are RFC 3339, UTC. */
export interface Retention {
  /** Kept until then; afterwards it is offered for purge or purged. Absent: kept until deleted. */
  readonly keepUntil?: string | undefined;
  /** Must not be deleted before (logs of high-risk systems: at least six months); an override is explicit and logged. */
  readonly floor?: string | undefined;
  /** Kept whatever the dates say. */
  readonly hold: boolean;
  /** What happens after `keepUntil`. */
  readonly then: 'offer' | 'purge';
  /** The person's own words. */
  readonly reason?: string | undefined;
}

export interface TraceRecord {
  readonly id: TraceId;
  readonly name: string;
  /** Id of the format, and its name for people. */
  readonly format: string;
  readonly formatLabel: string;
  readonly replayGrade: string;
  readonly missingForReplay: readonly string[];
  /** A record in it starts a recovery trial. Absent in traces that were opened before this was noted. */
  readonly holdsTrial?: boolean | undefined;
  /** Names of the files that were opened. */
  readonly files: readonly string[];
  /** Decompressed bytes read, and bytes that the events take here, which are fewer once they are packed. */
  readonly sourceBytes: number;
  readonly storedBytes: number;
  readonly events: number;
  readonly runs: number;
  readonly branches: number;
  readonly counts: RecordCounts;
  readonly problems: number;
  readonly notices: number;
  readonly created: string;
  readonly retention: Retention;
  /** Reviewer copies are read-only and say so. */
  readonly origin: 'opened' | 'sample' | 'shared';
}

export interface RunRecord {
  readonly trace: TraceId;
  readonly run: string;
  readonly events: number;
}

/** A branch made by a replay: its events as lines of the stream, and the operation that made it. */
export interface BranchRecord {
  readonly trace: TraceId;
  readonly branch: string;
  readonly label: string;
  /** What a person calls it, where they said so. */
  readonly name?: string | undefined;
  readonly status: string;
  readonly lines: readonly string[];
  readonly created: string;
}

export type LogAction =
  | 'import'
  | 'rename'
  | 'delete'
  | 'purge'
  | 'retention'
  | 'edit'
  | 'replay'
  | 'export'
  | 'redact'
  | 'share'
  | 'disclose'
  | 'fetch';

/** One entry of the access log. `digest` is over the entry and the digest before it, so an entry cannot be changed or taken out unseen. */
export interface LogEntry {
  /** From 1, without holes. */
  readonly n: number;
  readonly at: string;
  readonly who: string;
  readonly what: LogAction;
  readonly trace?: TraceId | undefined;
  readonly traceName?: string | undefined;
  /** One sentence: what exactly. */
  readonly detail: string;
  readonly previous: string;
  readonly digest: string;
}

export interface AccessLog {
  readonly entries: readonly LogEntry[];
  /** Whether the chain and its committed length hold; the reason where they do not. */
  readonly intact: boolean;
  readonly fault?: string | undefined;
}

export interface Settings {
  /** The name a person gave, written into the access log; never checked. */
  readonly person: string;
}

/** Why the library could not do what was asked: one or two sentences for the person. */
export interface StorageFailure {
  readonly code:
    'not-found' | 'in-use' | 'quota' | 'before-floor' | 'held' | 'busy' | 'blocked' | 'unavailable' | 'damaged';
  readonly message: string;
}

/** What the browser says about the space of this site. Absent: it does not say. */
export interface StorageState {
  readonly usage?: number | undefined;
  readonly quota?: number | undefined;
  /** Whether the browser promised not to evict the library by itself. */
  readonly persisted?: boolean | undefined;
}
