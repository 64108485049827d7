/**
 * First answers of long traces, kept so that opening one again shows its first view before columns are read.
 *
 * Invariant: derived; an answer is handed out only under the key it was kept with, to the very question it answered, while the branches
 * and the findings at hand are those it was computed from. One a method, so that they take next to nothing. Called by the library worker.
 */
import type { LibraryContext } from './context.ts';
import { readBranchNames } from './library.ts';
import type { TraceId } from './records.ts';
import { rangeOf } from './stores.ts';

export interface AnswerKey {
  readonly method: string;
  /** Method and arguments as text. */
  readonly question: string;
  /** Names the build that computes answers. */
  readonly build: string;
}

export async function readAnswer(
  context: LibraryContext,
  trace: TraceId,
  { method, question, build }: AnswerKey,
): Promise<{ readonly value: unknown } | undefined> {
  const { db } = context;
  return db.transaction('r', db.traces, db.branches, db.audits, db.answers, async () => {
    const store = (await db.traces.get(trace))?.store;
    const row = store === undefined ? undefined : await db.answers.get([store, method]);
    if (store === undefined || row?.question !== question || row.build !== build) return undefined;
    if (row.branches !== (await readBranchNames(context, trace))) return undefined;
    const audits = await db.audits
      .where('[store+branch]')
      .between(...rangeOf(store))
      .count();
    // Without findings it was right until they were found.
    return row.audited || audits === 0 ? { value: row.value } : undefined;
  });
}

/** `audited`: the findings were at hand when it was computed, from a trace with these branches. Does nothing where the trace is gone. */
export async function saveAnswer(
  { db }: LibraryContext,
  trace: TraceId,
  key: AnswerKey,
  answer: { readonly value: unknown; readonly branches: string; readonly audited: boolean },
): Promise<void> {
  await db.transaction('rw', db.traces, db.answers, async () => {
    const store = (await db.traces.get(trace))?.store;
    if (store !== undefined) await db.answers.put({ store, ...key, ...answer });
  });
}
