/**
 * The ledger of a simulated service: what it did, for which command, under which idempotency key.
 *
 * Same key and same body give the saved answer; a key whose first request is still being worked on gives a conflict; a key that comes
 * back with another body is refused. Invariant: entries are only ever added. Used by the simulated world.
 */
import type { JsonValue } from '../base/json.ts';
import type { Digest } from '../model/index.ts';

export interface LedgerEntry {
  /** Path of the command the request named. */
  readonly command: string;
  readonly id: string | undefined;
  readonly key: string | undefined;
  readonly body: Digest;
  readonly answer: JsonValue;
}

export type KeyVerdict =
  | { readonly kind: 'new' }
  | { readonly kind: 'saved'; readonly entry: LedgerEntry }
  | { readonly kind: 'in-flight' }
  | { readonly kind: 'other-body' };

export interface Ledger {
  /** Looks a key up and, if it is new, holds it until `commit` or `release`. */
  claim(key: string | undefined, body: Digest): KeyVerdict;
  release(key: string | undefined): void;
  commit(entry: LedgerEntry): void;
  /** What a look-up by command finds: the first commitment. */
  find(command: string): LedgerEntry | undefined;
  entries(): readonly LedgerEntry[];
}

export function createLedger(): Ledger {
  const entries: LedgerEntry[] = [];
  const byKey = new Map<string, LedgerEntry>();
  const inFlight = new Map<string, Digest>();
  return {
    claim: (key, body) => {
      if (key === undefined) return { kind: 'new' };
      const saved = byKey.get(key);
      if (saved !== undefined) return saved.body === body ? { kind: 'saved', entry: saved } : { kind: 'other-body' };
      const held = inFlight.get(key);
      if (held !== undefined) return held === body ? { kind: 'in-flight' } : { kind: 'other-body' };
      inFlight.set(key, body);
      return { kind: 'new' };
    },
    release: (key) => {
      if (key !== undefined) inFlight.delete(key);
    },
    commit: (entry) => {
      entries.push(entry);
      if (entry.key === undefined) return;
      byKey.set(entry.key, entry);
      inFlight.delete(entry.key);
    },
    find: (command) => entries.find((entry) => entry.command === command),
    entries: () => entries,
  };
}
