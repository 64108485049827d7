/**
 * Leases: how one tab knows that an import in another tab is alive.
 *
 * Web Locks say so exactly and end with the tab that held them. Where the browser has none (no secure context), a heartbeat in the row of
 * the import stands in: slower to notice a death, never wrong about a life that still beats.
 */
import type { StoredImport } from './schema.ts';

export interface Lease {
  release(): void;
}

export interface Leases {
  /** Exact ones know of every death at once; the others go by heartbeats. */
  readonly exact: boolean;
  /** Takes the lease of a name, or undefined when someone alive holds it. */
  take(name: string): Promise<Lease | undefined>;
  /** Whether the import of this row is alive. */
  isAlive(row: StoredImport, now: number): Promise<boolean>;
}

/** A heartbeat older than this is a death. Imports renew it several times within. */
export const heartbeatLimit = 30_000;
export const heartbeatEvery = 5_000;

export function leaseName(fingerprint: string): string {
  return `hindcast-import-${fingerprint}`;
}

export function createWebLockLeases(locks: LockManager): Leases {
  return {
    exact: true,
    take: (name) =>
      new Promise((resolve, reject) => {
        locks
          .request(name, { ifAvailable: true }, (lock) => {
            if (lock === null) {
              resolve(undefined);
              return undefined;
            }
            // The lock is held until this promise settles, or the tab ends.
            return new Promise<void>((release) => resolve({ release }));
          })
          .catch(reject);
      }),
    async isAlive(row) {
      const { held = [] } = await locks.query();
      return held.some(({ name }) => name === leaseName(row.fingerprint));
    },
  };
}

/** Without locks every import may begin; a living one is found by its row (see `beginImport`). */
export function createHeartbeatLeases(): Leases {
  return {
    exact: false,
    take: () => Promise.resolve({ release: () => undefined }),
    isAlive: (row, now) => Promise.resolve(isBeating(row, now)),
  };
}

export function isBeating(row: StoredImport, now: number): boolean {
  return now - row.heartbeat < heartbeatLimit;
}
