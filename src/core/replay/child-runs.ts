/**
 * Which recorded sub-agents ran elsewhere: their run is not in this journal, so their result is delivered and not computed.
 *
 * The one rule of a pass and of what is foreseen for it. Linear in the journal, however many sub-agents it has.
 */
import type { JournalEntry } from './journal-types.ts';

/** Every scope that has an entry, and every scope around it. */
export function computeInhabitedScopes(entries: readonly Pick<JournalEntry, 'scope'>[]): ReadonlySet<string> {
  const scopes = new Set<string>();
  for (const { scope } of entries) {
    // What is around a scope that is known is known.
    for (let around = scope; around !== '' && !scopes.has(around); around = around.slice(0, around.lastIndexOf('/')))
      scopes.add(around);
  }
  return scopes;
}

export function ranElsewhere(
  { childRun, path }: Pick<JournalEntry, 'childRun' | 'path'>,
  inhabited: ReadonlySet<string>,
): boolean {
  return childRun && !inhabited.has(path);
}
