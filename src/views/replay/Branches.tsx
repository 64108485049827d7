/** The branches replays have made, newest first. Stops of one replay that was continued stand under its last one. */
import { useEffect, useMemo, useState } from 'react';
import { type BranchId, branchId, mainBranch } from '../../core/model/index.ts';
import type { BranchSummary } from '../../core/projections/trace-reader.ts';
import { type BranchRecord, useBranchFile, useBranchNames, useBranches, useSummary } from '../../data/index.ts';
import { type BranchGroup, groupBranches, linesToOperation } from '../../data/replay-view.ts';
import { Awaited } from '../../ui/Awaited.tsx';
import { Button } from '../../ui/Button.tsx';
import { countOf } from '../../ui/format.ts';
import { Message } from '../../ui/Message.tsx';
import { notify } from '../../ui/notices.ts';
import { saveFile } from '../../ui/save-file.ts';
import { type BranchActs, type BranchListEntry, BranchRow } from './BranchRow.tsx';
import { DeleteBranchDialog } from './DeleteBranchDialog.tsx';
import { More } from '../../ui/More.tsx';
import { RenameBranchDialog } from './RenameBranchDialog.tsx';
import type { ReplaySession } from './session.ts';
import styles from './Branches.module.css';

export interface BranchesProps extends Omit<BranchActs, 'onDelete' | 'onRename' | 'onSave'> {
  readonly session: ReplaySession;
}

export function Branches({ session, ...acts }: BranchesProps) {
  const summary = useSummary(session.trace);
  const stored = useBranches(session.trace);
  const names = useBranchNames(session.trace);
  const saveAs = useBranchFile();
  const [renaming, setRenaming] = useState<BranchListEntry>();
  const [deleting, setDeleting] = useState<readonly BranchListEntry[]>();
  const { onBase } = acts;
  const isGone = !session.hasBranch(session.branch);
  // Syncs the address with the library: a branch that was deleted, perhaps one of several of which others stayed, is shown no more.
  useEffect(() => {
    if (isGone) onBase(mainBranch);
  }, [isGone, onBase]);
  const groups = useMemo(
    () => groupBranches(listEntries(summary.data?.branches ?? [], stored.data ?? [], names.data ?? {}), session.trace),
    [summary.data, stored.data, names.data, session.trace],
  );
  if (summary.data === undefined || stored.data === undefined)
    return <Awaited of={summary.error === null ? stored : summary} label="Reading the branches" />;
  const save = ({ id }: BranchListEntry): void => {
    saveAs({ trace: session.trace, branch: branchId(id), run: session.facts.run }).then(
      (file) => saveFile(file, `${id}.hindcast.jsonl`),
      (error: unknown) => notify(error instanceof Error ? error.message : String(error), { tone: 'problem' }),
    );
  };
  const all: BranchActs = { ...acts, onRename: setRenaming, onSave: save, onDelete: setDeleting };
  return (
    <section className={styles['branches']} aria-label="Branches">
      {groups.length === 0 ? (
        <Message title="The original is the only branch" icon="branch">
          A replay with a change makes another one beside it. The original always stays as it was recorded.
        </Message>
      ) : (
        <More items={groups} noun="branch" nouns="branches">
          {(part) => (
            <ol>
              {part.map((group) => (
                <Group key={group.last.id} group={group} session={session} acts={all} />
              ))}
            </ol>
          )}
        </More>
      )}
      {renaming === undefined ? undefined : (
        <RenameBranchDialog session={session} entry={renaming} onClose={() => setRenaming(undefined)} />
      )}
      {deleting === undefined ? undefined : (
        <DeleteBranchDialog session={session} entries={deleting} onClose={() => setDeleting(undefined)} />
      )}
    </section>
  );
}

interface GroupProps {
  readonly group: BranchGroup<BranchListEntry>;
  readonly session: ReplaySession;
  readonly acts: BranchActs;
}

function Group({ group: { last, earlier }, session, acts }: GroupProps) {
  const stops = countOf(earlier.length, 'earlier stop');
  return (
    <li className={styles['group']}>
      <BranchRow entry={last} session={session} acts={acts} />
      {earlier.length === 0 ? undefined : (
        <details className={styles['earlier']}>
          <summary>{stops} of this replay, before more answers were supplied</summary>
          <ol>
            {earlier.map((entry) => (
              <li key={entry.id}>
                <BranchRow entry={entry} session={session} acts={acts} />
              </li>
            ))}
          </ol>
          <Button kind="quiet" icon="trash" onPress={() => acts.onDelete(earlier)}>
            Delete the {stops}
          </Button>
        </details>
      )}
    </li>
  );
}

function listEntries(
  summaries: readonly BranchSummary[],
  stored: readonly BranchRecord[],
  names: Readonly<Record<string, string>>,
): readonly BranchListEntry[] {
  const records = new Map(stored.map((record): [BranchId | string, BranchRecord] => [record.branch, record]));
  return summaries
    .filter(({ id }) => id !== mainBranch)
    .map((branch) => {
      const record = records.get(branch.id);
      return {
        id: branch.id,
        // Branches that came with the file have no date of their own and stand last.
        created: record?.created ?? '',
        operation: record === undefined ? undefined : linesToOperation(record.lines),
        branch,
        name: names[branch.id],
        parent: parentToName(branch.parent, summaries, names),
        record,
      };
    });
}

function parentToName(
  parent: BranchId | undefined,
  summaries: readonly BranchSummary[],
  names: Readonly<Record<string, string>>,
): string | undefined {
  if (parent === undefined || parent === mainBranch) return undefined;
  return names[parent] ?? summaries.find(({ id }) => id === parent)?.label ?? parent;
}
