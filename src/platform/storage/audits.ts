/**
 * What the rules found on the branches of a trace, kept so that opening it again does not read all bodies.
 *
 * Invariant: derived; a row under another key than the one asked for is not handed out. Called by the library worker alone.
 */
import type { LibraryContext } from './context.ts';
import type { TraceId } from './records.ts';
import type { KeptAudit } from './schema.ts';

export async function readAudit(
  { db }: LibraryContext,
  trace: TraceId,
  branch: string,
  key: string,
): Promise<KeptAudit | undefined> {
  const store = (await db.traces.get(trace))?.store;
  if (store === undefined) return undefined;
  const row = await db.audits.get([store, branch]);
  return row?.key === key ? { findings: row.findings, headline: row.headline } : undefined;
}

/** Does nothing where the trace was deleted meanwhile. */
export async function saveAudit(
  { db }: LibraryContext,
  trace: TraceId,
  branch: string,
  key: string,
  { findings, headline }: KeptAudit,
): Promise<void> {
  await db.transaction('rw', db.traces, db.audits, async () => {
    const store = (await db.traces.get(trace))?.store;
    if (store !== undefined) await db.audits.put({ store, branch, key, findings, headline });
  });
}
