/**
 * The access log: appended only, each entry's digest over the entry and the digest before it, and the length committed apart.
 *
 * Invariant: changing, removing, reordering or cutting off entries shows in `readLog`. It shows tampering with single rows, not by someone
 * who rewrites the whole database: that takes a copy of the head kept elsewhere. Appending runs inside the transaction of the act it
 * records, so neither happens without the other.
 */
import { sha256Hex } from '../../core/base/hash.ts';
import { canon } from '../../core/model/index.ts';
import type { AccessLog, LogAction, LogEntry, TraceId } from './records.ts';
import type { LibraryDatabase } from './schema.ts';

/** What stands before the first entry. */
const genesis = sha256Hex('hindcast access log 1');
const headKey = 'log-head';

interface LogHead {
  readonly length: number;
  readonly digest: string;
}

export interface Act {
  readonly what: LogAction;
  readonly detail: string;
  readonly trace?: TraceId | undefined;
  readonly traceName?: string | undefined;
}

/** Call inside a read-write transaction over `log` and `settings`. */
export async function appendAct(db: LibraryDatabase, act: Act, who: string, now: Date): Promise<void> {
  const head = await readHead(db);
  const entry = {
    n: head.length + 1,
    at: now.toISOString(),
    who,
    what: act.what,
    ...(act.trace === undefined ? {} : { trace: act.trace }),
    ...(act.traceName === undefined ? {} : { traceName: act.traceName }),
    detail: act.detail,
    previous: head.digest,
  };
  const digest = computeEntryDigest(entry);
  await db.log.add({ ...entry, digest });
  await db.settings.put({ key: headKey, value: { length: entry.n, digest } satisfies LogHead });
}

export async function readLog(db: LibraryDatabase): Promise<AccessLog> {
  const { entries, head } = await db.transaction('r', db.log, db.settings, async () => ({
    entries: await db.log.orderBy('n').toArray(),
    head: await readHead(db),
  }));
  const fault = findFault(entries, head);
  return fault === undefined ? { entries, intact: true } : { entries, intact: false, fault };
}

async function readHead(db: LibraryDatabase): Promise<LogHead> {
  const value = (await db.settings.get(headKey))?.value;
  // Cast: only `appendAct` writes this key.
  return value === undefined ? { length: 0, digest: genesis } : (value as LogHead);
}

function computeEntryDigest(entry: Omit<LogEntry, 'digest'>): string {
  const { n, at, who, what, trace, traceName, detail, previous } = entry;
  return sha256Hex(canon({ n, at, who, what, trace: trace ?? null, traceName: traceName ?? null, detail, previous }));
}

function findFault(entries: readonly LogEntry[], head: LogHead): string | undefined {
  let previous = genesis;
  for (const [position, entry] of entries.entries()) {
    if (entry.n !== position + 1) return `Entry ${position + 1} of the access log is missing.`;
    if (entry.previous !== previous || computeEntryDigest(entry) !== entry.digest) {
      return `Entry ${entry.n} of the access log was changed after it was written.`;
    }
    previous = entry.digest;
  }
  if (entries.length !== head.length || previous !== head.digest) {
    return `The access log was cut: ${head.length} entries were written, ${entries.length} are there.`;
  }
  return undefined;
}
