/**
 * Golden cases pinned or brought here: the properties, and which trace of the library is their record.
 *
 * Invariant: the record itself is not copied; a case whose trace was deleted stays listed and cannot be run. Kept beside the settings,
 * under keys of their own.
 */
import { type JsonValue, isJsonObject } from '../../core/base/json.ts';
import { appendAct } from './access-log.ts';
import { attemptOrThrow } from './failures.ts';
import type { LibraryContext } from './context.ts';
import type { TraceId } from './records.ts';
import { traceId } from './records.ts';
import { readPerson } from './settings.ts';

export interface StoredGolden {
  readonly id: string;
  readonly trace: TraceId;
  /** As in its file; whoever reads it checks it. */
  readonly golden: JsonValue;
  readonly created: string;
}

const prefix = 'golden ';

export async function listGoldens({ db }: LibraryContext): Promise<readonly StoredGolden[]> {
  const rows = await db.settings.where('key').startsWith(prefix).toArray();
  const goldens = rows.flatMap(({ key, value }) => toGolden(key.slice(prefix.length), value));
  return goldens.sort((a, b) => (a.created < b.created ? 1 : a.created > b.created ? -1 : a.id < b.id ? -1 : 1));
}

function toGolden(id: string, value: unknown): readonly StoredGolden[] {
  // Cast: only this file writes under these keys, and what it writes is JSON.
  const row = value as JsonValue;
  if (!isJsonObject(row)) return [];
  const { trace, golden, created } = row;
  if (typeof trace !== 'string' || golden === undefined || typeof created !== 'string') return [];
  return [{ id, trace: traceId(trace), golden, created }];
}

/** A case that is there already is replaced. `detail` is the sentence for the access log. */
export async function saveGolden(
  { db, now }: LibraryContext,
  { id, trace, golden }: Omit<StoredGolden, 'created'>,
  detail: string,
): Promise<void> {
  await attemptOrThrow(() =>
    db.transaction('rw', db.settings, db.log, db.traces, async () => {
      await db.settings.put({ key: `${prefix}${id}`, value: { trace, golden, created: now().toISOString() } });
      const traceName = (await db.traces.get(trace))?.name;
      await appendAct(db, { what: 'edit', detail, trace, traceName }, await readPerson(db), now());
    }),
  );
}

export async function deleteGolden({ db, now }: LibraryContext, id: string, detail: string): Promise<void> {
  await attemptOrThrow(() =>
    db.transaction('rw', db.settings, db.log, async () => {
      await db.settings.delete(`${prefix}${id}`);
      await appendAct(db, { what: 'delete', detail }, await readPerson(db), now());
    }),
  );
}
