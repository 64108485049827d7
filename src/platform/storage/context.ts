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
  const host: Partial<Pick<Navigator, 'locks'>> = navigator;
  return {
    db: new LibraryDatabase(name),
    leases: host.locks === undefined ? createHeartbeatLeases() : createWebLockLeases(host.locks),
    now: () => new Date(),
    createId,
    createBlob: (bytes) => new Blob([bytes]),
  };
}
