/**
 * What a program changed of the protection of its effects: an idempotency key that is new, gone, or another one.
 *
 * A key is an option and no argument, so matching rightly reuses the answer; the change must be told all the same. Invariant: a recorded key
 * that ends with the path of its command was made by the runtime from run and path; the program did not give it, and cannot take it away.
 * Called by the rows of a report, the lines of a branch and the comparison.
 */
import type { JournalEntry } from './journal-types.ts';
import type { ReplayCommand } from './pass-types.ts';

export type ProtectionChange = 'with-key' | 'program-key' | 'without-key' | 'other-key';

export interface ChangedProtection {
  readonly path: string;
  readonly kind: string;
  readonly name: string;
  readonly change: ProtectionChange;
  /** The keys of the program, where there is one. */
  readonly recorded?: string;
  readonly now?: string;
}

export const protectionWords: Readonly<Record<ProtectionChange, string>> = {
  'with-key': 'now with an idempotency key (recorded without)',
  'program-key': "now with a key from the program (recorded with the runtime's own key)",
  'without-key': 'now without an idempotency key (recorded with one)',
  'other-key': 'now with another idempotency key than recorded',
};

/** Where the page shows what it is good for. */
export const protectionPointer = 'What it protects is seen under Kill here.';

/** The key the program gave, as far as the record shows it: what its branch says of it, else the key that was sent. */
export function entryToKey({
  path,
  programKey,
  attempts,
}: Pick<JournalEntry, 'path' | 'programKey' | 'attempts'>): string | undefined {
  if (programKey !== undefined) return programKey ?? undefined;
  const sent = attempts.at(-1)?.idempotencyKey;
  return sent?.endsWith(path) === true ? undefined : sent;
}

/** The key the runtime made and sent of itself, where the program gave none. */
export function entryToRuntimeKey(entry: Pick<JournalEntry, 'path' | 'programKey' | 'attempts'>): string | undefined {
  const sent = entry.attempts.at(-1)?.idempotencyKey;
  return sent?.endsWith(entry.path) === true && entryToKey(entry) === undefined ? sent : undefined;
}

function compareKeys(record: JournalEntry, now: string | undefined): ProtectionChange | undefined {
  const recorded = entryToKey(record);
  if (recorded === now) return undefined;
  if (recorded === undefined) return entryToRuntimeKey(record) === undefined ? 'with-key' : 'program-key';
  return now === undefined ? 'without-key' : 'other-key';
}

/** Of a command with a record to compare it with. */
export function commandToProtection(command: ReplayCommand): ChangedProtection | undefined {
  const { record, path, kind, name, idempotencyKey } = command;
  if (record === undefined || command.match === 'ambiguous') return undefined;
  const recorded = entryToKey(record);
  const change = compareKeys(record, idempotencyKey);
  if (change === undefined) return undefined;
  return {
    path,
    kind,
    name,
    change,
    ...(recorded === undefined ? {} : { recorded }),
    ...(idempotencyKey === undefined ? {} : { now: idempotencyKey }),
  };
}

/** One sentence about all of them; empty where there is none. */
export function protectionsToText(changes: readonly ChangedProtection[]): string {
  const [first, ...others] = changes;
  if (first === undefined) return '';
  const rest = others.length === 0 ? '' : `, and ${String(others.length)} more changed their keys`;
  return `${first.path} is ${protectionWords[first.change]}${rest}.`;
}
