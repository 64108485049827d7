/**
 * What every part of the library needs from its surroundings. Made once where the database is opened; tests pass their own clock.
 */
import { createHeartbeatLeases, createWebLockLeases, type Leases } from './leases.ts';
import { LibraryDatabase, libraryName } from './schema.ts';

export interface LibraryContext {
  readonly db: LibraryDatabase;
  readonly leases: Leases;
  readonly now: () => Date;
  readonly createId: () => string;
  /** How bytes become something the database keeps on disk and hands back unread. */
  readonly createBlob: (bytes: Uint8Array<ArrayBuffer>) => Blob;
}

/** Opens nothing yet: Dexie opens with the first request. */
export function createLibraryContext(createId: () => string, name = libraryName): LibraryContext {
  const locks: LockManager | undefined = navigator.locks;
  return {
    db: new LibraryDatabase(name),
    leases: locks === undefined ? createHeartbeatLeases() : createWebLockLeases(locks),
    now: () => new Date(),
    createId,
    createBlob: (bytes) => new Blob([bytes]),
  };
}
