/** The branches replays have made: who, why, when, what became of it; to open, or to compare with its parent again. */
import { useMemo } from 'react';
import { type BranchId, mainBranch } from '../../core/model/index.ts';
import type { BranchSummary } from '../../core/projections/trace-reader.ts';
import { type BranchRecord, useBranches, useSummary } from '../../data/index.ts';
import { Button } from '../../ui/Button.tsx';
import { Chip, NotRecorded } from '../../ui/Chip.tsx';
import { countOf, dateToText } from '../../ui/format.ts';
import { Icon } from '../../ui/Icons.tsx';
import { Message } from '../../ui/Message.tsx';
import { Waiting } from '../../ui/Progress.tsx';
import { type BranchOperation, linesToOperation } from './branch-operation.ts';
import { More } from './More.tsx';
import type { ReplaySession } from './session.ts';
import styles from './Branches.module.css';

export interface BranchesProps {
  readonly session: ReplaySession;
  readonly onOpen: (branch: BranchId) => void;
  readonly onBase: (branch: BranchId) => void;
}

export function Branches({ session, onOpen, onBase }: BranchesProps) {
  const summary = useSummary(session.trace);
  const stored = useBranches(session.trace);
  const records = useMemo(() => new Map((stored.data ?? []).map((record) => [record.branch, record])), [stored.data]);
  if (summary.error !== null) {
    return (
      <Message title="The branches could not be read" tone="problem" icon="warning">
        {summary.error.message}
      </Message>
    );
  }
  if (summary.data === undefined || stored.data === undefined) return <Waiting label="Reading the branches" />;
  // Newest first; branches that came with the file have no date of their own and stand last.
  const dateOf = (id: BranchId): string => records.get(id)?.created ?? '';
  const made = summary.data.branches
    .filter(({ id }) => id !== mainBranch)
    .toSorted((a, b) => (dateOf(a.id) < dateOf(b.id) ? 1 : -1));
  if (made.length === 0) {
    return (
      <Message title="The original is the only branch" icon="branch">
        A replay with a change makes another one beside it. The original always stays as it was recorded.
      </Message>
    );
  }
  return (
    <section className={styles['branches']} aria-label="Branches">
      <More items={made} noun="branch">
        {(part) => (
          <ol>
            {part.map((branch) => (
              <Branch
                key={branch.id}
                branch={branch}
                record={records.get(branch.id)}
                session={session}
                onOpen={onOpen}
                onBase={onBase}
              />
            ))}
          </ol>
        )}
      </More>
    </section>
  );
}

interface BranchProps extends BranchesProps {
  readonly branch: BranchSummary;
  readonly record: BranchRecord | undefined;
}

function Branch({ branch, record, session, onOpen, onBase }: BranchProps) {
  const operation = useMemo(() => (record === undefined ? undefined : linesToOperation(record.lines)), [record]);
  const isBase = branch.id === session.branch;
  const at = operation?.at ?? record?.created;
  return (
    <li className={styles['branch']} data-here={isBase}>
      <header>
        <Icon name="branch" />
        <h3>{operation?.reason ?? (operation === undefined ? branch.label : operationToTitle(operation))}</h3>
        <code>{branch.id}</code>
        {branch.status === undefined ? undefined : (
          <Chip tone={branch.status === 'complete' ? 'ok' : branch.status === 'blocked' ? 'accent' : 'warning'}>
            {branch.status}
          </Chip>
        )}
      </header>
      <p className={styles['facts']}>
        <span>
          by{' '}
          {operation?.actor === undefined || operation.actor === 'not named' ? (
            <NotRecorded what="name" />
          ) : (
            <b>{operation.actor}</b>
          )}
        </span>
        <span>{at === undefined ? <NotRecorded what="time" /> : dateToText(at)}</span>
        <span>from {branch.parent === undefined || branch.parent === mainBranch ? 'original' : branch.parent}</span>
        <span>
          changed {operation === undefined ? <NotRecorded what="operation" /> : operationToChanges(operation)}
        </span>
      </p>
      <p className={styles['facts']}>
        <span>
          {operation === undefined
            ? countOf(branch.ownEvents, 'event')
            : countsToText(operation.counts, branch.ownEvents)}
        </span>
      </p>
      <div className={styles['actions']}>
        <Button icon="target" onPress={() => onOpen(branch.id)}>
          Open
        </Button>
        {operation === undefined ? undefined : (
          <Button
            icon="replay"
            isDisabled={session.state.status === 'running'}
            onPress={() => session.runAgain(operation.request(session.trace))}
          >
            Compare with its parent
          </Button>
        )}
        {isBase ? (
          <span>The next replay starts from this branch.</span>
        ) : (
          <Button kind="quiet" icon="pencil" onPress={() => onBase(branch.id)}>
            Edit from here
          </Button>
        )}
      </div>
    </li>
  );
}

function operationToTitle({ kind, changed }: BranchOperation): string {
  const [first] = changed;
  return first === undefined ? kind : `Edit of ${first}${changed.length > 1 ? ` and ${changed.length - 1} more` : ''}`;
}

function operationToChanges({ changed, supplied }: BranchOperation): string {
  const parts = [changed.join(', '), supplied.length === 0 ? '' : `${countOf(supplied.length, 'value')} supplied`];
  return parts.filter((part) => part !== '').join('; ') || 'nothing';
}

function countsToText(counts: BranchOperation['counts'], events: number): string {
  const words = ['reused', 'superseded', 'changed', 'inserted', 'removed', 'suspect', 'pending', 'uncertain'];
  const parts = words.flatMap((word) => ((counts[word] ?? 0) > 0 ? [`${counts[word] ?? 0} ${word}`] : []));
  return [...parts, countOf(events, 'event')].join(', ');
}
