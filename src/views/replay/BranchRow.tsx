/** One branch in the list: who, why, when, what became of it; to open, compare, edit from, or delete. */
import type { ReactNode } from 'react';
import type { BranchId } from '../../core/model/index.ts';
import type { BranchSummary } from '../../core/projections/trace-reader.ts';
import type { BranchRecord } from '../../data/index.ts';
import type { BranchEntry, BranchOperation } from '../../data/replay-view.ts';
import { branchStatusToWords } from '../../ui/branch-status.ts';
import { Button } from '../../ui/Button.tsx';
import { Chip, NotRecorded } from '../../ui/Chip.tsx';
import { countOf, momentToText } from '../../ui/format.ts';
import { Icon } from '../../ui/Icons.tsx';
import type { ReplaySession } from './session.ts';
import { statusToTone } from './words.ts';
import styles from './Branches.module.css';

export interface BranchListEntry extends BranchEntry {
  readonly branch: BranchSummary;
  /** What the branch it was made from is called; undefined for the original. */
  readonly parent: string | undefined;
  /** What a person called it. */
  readonly name: string | undefined;
  /** Absent for a branch that came with the file. */
  readonly record: BranchRecord | undefined;
}

export interface BranchActs {
  readonly onOpen: (branch: BranchId) => void;
  readonly onBase: (branch: BranchId) => void;
  readonly onCompare: (branch: BranchId) => void;
  readonly onRename: (branch: BranchListEntry) => void;
  readonly onSave: (branch: BranchListEntry) => void;
  readonly onDelete: (branches: readonly BranchListEntry[]) => void;
}

export interface BranchRowProps {
  readonly entry: BranchListEntry;
  readonly session: ReplaySession;
  readonly acts: BranchActs;
}

export function BranchRow({ entry, session, acts }: BranchRowProps) {
  const { branch, record, operation, parent } = entry;
  const isBase = branch.id === session.branch;
  const at = operation?.at ?? record?.created;
  return (
    <div className={styles['branch']} data-here={isBase}>
      <header>
        <Icon name="branch" />
        <h3>{branchToTitle(entry)}</h3>
        <code>{branch.id}</code>
        {branch.status === undefined ? undefined : (
          <Chip tone={statusToTone(branch.status)}>{branchStatusToWords(branch.status)}</Chip>
        )}
      </header>
      <p className={styles['facts']}>
        <span>{actorToWords(operation?.actor)}</span>
        <span>{at === undefined ? <NotRecorded what="time" /> : momentToText(at)}</span>
        <span>from {parent ?? 'original'}</span>
        <span>
          changed {operation === undefined ? <NotRecorded what="operation" /> : operationToChanges(operation)}
        </span>
      </p>
      <p className={styles['facts']}>
        <span>{operation === undefined ? eventsToText(branch.ownEvents) : countsToText(operation.counts, branch)}</span>
      </p>
      <div className={styles['actions']}>
        <Button icon="target" onPress={() => acts.onOpen(branch.id)}>
          Open
        </Button>
        <Button icon="branch" onPress={() => acts.onCompare(branch.id)}>
          Compare
        </Button>
        {operation === undefined ? undefined : (
          <Button
            icon="replay"
            isDisabled={session.state.status === 'running'}
            onPress={() => session.runAgain(operation.request(session.trace))}
          >
            Replay it again
          </Button>
        )}
        {isBase ? (
          <span>The next replay starts from this branch.</span>
        ) : (
          <Button kind="quiet" icon="pencil" onPress={() => acts.onBase(branch.id)}>
            Edit from here
          </Button>
        )}
        <Button kind="quiet" icon="download" onPress={() => acts.onSave(entry)}>
          Save as file
        </Button>
        {record === undefined ? undefined : (
          <Button kind="quiet" icon="pencil" onPress={() => acts.onRename(entry)}>
            Rename
          </Button>
        )}
        {record === undefined ? undefined : (
          <Button kind="quiet" icon="trash" onPress={() => acts.onDelete([entry])}>
            Delete
          </Button>
        )}
      </div>
    </div>
  );
}

/** A name of its own is told as a name; the page writes `not named` for a person who gave none. */
function actorToWords(actor: string | undefined): ReactNode {
  if (actor === undefined) return <NotRecorded what="who made it" />;
  if (actor === 'not named') return 'made on this machine, by somebody without a name';
  return (
    <>
      by <b>{actor}</b>
    </>
  );
}

/** The same name as in every list in which a branch is chosen. */
export function branchToTitle({ branch, name }: BranchListEntry): string {
  return name ?? branch.label;
}

function operationToChanges({ changed, supplied }: BranchOperation): string {
  const parts = [changed.join(', '), supplied.length === 0 ? '' : `${countOf(supplied.length, 'value')} supplied`];
  return parts.filter((part) => part !== '').join('; ') || 'nothing';
}

/** Its own: what it shares with its parent is not written again. */
function eventsToText(events: number): string {
  return `${countOf(events, 'event')} of its own`;
}

function countsToText(counts: BranchOperation['counts'], { ownEvents, status }: BranchSummary): string {
  const words = ['reused', 'superseded', 'changed', 'inserted', 'removed', 'suspect', 'pending', 'open', 'uncertain'];
  const isOpen = status === 'blocked' || status === 'limit';
  const parts = words.flatMap((word) => {
    const count = counts[word] ?? 0;
    return count > 0 ? [`${count} ${word === 'removed' && isOpen ? 'not reached' : word}`] : [];
  });
  return [...(parts.length > 0 ? [`commands: ${parts.join(', ')}`] : []), eventsToText(ownEvents)].join(' · ');
}
