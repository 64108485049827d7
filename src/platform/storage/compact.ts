/**
 * Packing what imports wrote plain, once they are over: the bodies of traces that nobody waits for.
 *
 * Invariant: each chunk (and its places) is exchanged in a transaction of its own, and only where it still lies there plain, so a closed tab, a deletion
 * meanwhile or a second tab leave whole chunks of either kind and nothing else. A chunk may copy from those before it, packed or plain: they stay as long as it does. The lines do not change. A chunk that would not get
 * smaller stays as it is. Called by the import worker while it has nothing to import.
 */
import type { LibraryContext } from './context.ts';
import { packPlaces } from './packed-places.ts';
import { createPacker, type Packer } from './packing.ts';
import type { StoredChunk, StoredTrace } from './schema.ts';
import { rangeOf } from './stores.ts';

/** One tab at a time does it; another that finds the lease taken leaves it to that one. */
const lease = 'hindcast-pack';

export interface CompactOptions {
  readonly signal: AbortSignal;
  /** Lets others have their turn; after each block. */
  readonly pause: () => Promise<void>;
}

/** Resolves with how many chunks were packed, also when it was told to stop. */
export async function compactTraces(context: LibraryContext, options: CompactOptions): Promise<number> {
  const held = await context.leases.take(lease);
  if (held === undefined) return 0;
  let packed = 0;
  try {
    for (const trace of await context.db.traces.toArray()) {
      if (trace.packed === true) continue;
      packed += await compactTrace(context, trace, options);
      if (options.signal.aborted) break;
    }
  } finally {
    held.release();
  }
  return packed;
}

async function compactTrace(context: LibraryContext, trace: StoredTrace, options: CompactOptions): Promise<number> {
  const { db } = context;
  const keys = await db.body
    .where('[store+chunk]')
    .between(...rangeOf(trace.store))
    .primaryKeys();
  const packer = createPacker();
  let packed = 0;
  for (const key of keys) {
    if (options.signal.aborted) return packed;
    const chunk = await db.body.get(key);
    // Nothing is left of a trace that was deleted meanwhile.
    if (chunk === undefined) return packed;
    if (chunk.packed !== undefined) packer.skip(chunk.packed.size);
    else if (await exchange(context, chunk, packer, options)) packed++;
  }
  for (const key of keys) if (!options.signal.aborted) await exchangePlaces(context, key);
  if (options.signal.aborted) return packed;
  await db.transaction('rw', db.traces, db.body, async () => {
    let storedBytes = 0;
    for (const key of keys) storedBytes += (await db.body.get(key))?.bytes.size ?? 0;
    await db.traces.update(trace.id, { packed: true, storedBytes });
  });
  return packed;
}

async function exchangePlaces({ db }: LibraryContext, key: [string, number]): Promise<void> {
  const none = { file: new Uint32Array(), line: new Uint32Array(), offset: new Float64Array() };
  await db.transaction('rw', db.places, async () => {
    const row = await db.places.get(key);
    if (row !== undefined && row.packed === undefined)
      await db.places.put({ ...row, ...none, packed: packPlaces(row) });
  });
}

async function exchange(
  { db, createBlob }: LibraryContext,
  chunk: StoredChunk,
  packer: Packer,
  { pause }: CompactOptions,
): Promise<boolean> {
  const plain = new Uint8Array(await chunk.bytes.arrayBuffer());
  const { layout, bytes } = await packer.pack(plain, chunk.offsets, pause);
  if (bytes.length >= plain.length) return false;
  const row: StoredChunk = { ...chunk, bytes: createBlob(bytes), packed: layout };
  return db.transaction('rw', db.body, async () => {
    const present = await db.body.get([chunk.store, chunk.chunk]);
    if (present === undefined || present.packed !== undefined) return false;
    await db.body.put(row);
    return true;
  });
}
