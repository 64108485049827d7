/**
 * Names that a person gives to branches: kept beside the branch, gone with it, and no part of the stream.
 *
 * Invariant: the rename and its entry in the access log are one transaction; the lines of the branch never change.
 */
import { type Result, err, ok } from '../../core/base/result.ts';
import { nameToShown } from '../../core/base/shown-text.ts';
import { appendAct } from './access-log.ts';
import type { LibraryContext } from './context.ts';
import { attempt } from './failures.ts';
import type { StorageFailure, TraceId } from './records.ts';
import { readPerson } from './settings.ts';
import { rangeOf } from './stores.ts';

/** By the id of the branch; only those that were named. */
export async function listBranchNames(
  { db }: LibraryContext,
  trace: TraceId,
): Promise<Readonly<Record<string, string>>> {
  const names: Record<string, string> = {};
  await db.branches
    .where('[trace+branch]')
    .between(...rangeOf(trace))
    .each(({ branch, name }) => {
      if (name !== undefined) names[branch] = nameToShown(name);
    });
  return names;
}

/** An empty name takes the one it had away. */
export async function renameBranch(
  { db, now }: LibraryContext,
  trace: TraceId,
  branch: string,
  name: string,
): Promise<Result<undefined, StorageFailure>> {
  const shown = nameToShown(name);
  const tables = [db.traces, db.branches, db.log, db.settings];
  const done = await attempt(() =>
    db.transaction('rw', tables, async (): Promise<Result<undefined, StorageFailure>> => {
      const stored = await db.branches.get([trace, branch]);
      if (stored === undefined) {
        const message = `This library has no branch ${branch} that a replay made here; one that came with a file keeps its name.`;
        return err({ code: 'not-found', message });
      }
      const { name: before, ...rest } = stored;
      await db.branches.put(shown === '' ? rest : { ...rest, name: shown });
      const traceName = (await db.traces.get(trace))?.name;
      const detail = `Branch ${branch} renamed from "${before ?? rest.label}" to "${shown === '' ? rest.label : shown}".`;
      await appendAct(db, { what: 'rename', detail, trace, traceName }, await readPerson(db), now());
      return ok(undefined);
    }),
  );
  return done.ok ? done.value : done;
}
