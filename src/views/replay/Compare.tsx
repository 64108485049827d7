/** The branch beside its parent as both are stored: what is the same, what changed, what only one side has. */
import { Fragment, useId, useState } from 'react';
import type { JsonObject } from '../../core/base/json.ts';
import type { BranchId } from '../../core/model/index.ts';
import { Button } from '../../ui/Button.tsx';
import { Chip, type Tone } from '../../ui/Chip.tsx';
import { FamilyIcon } from '../../ui/FamilyIcon.tsx';
import { countOf, countToText } from '../../ui/format.ts';
import { Icon } from '../../ui/Icons.tsx';
import { JsonView } from '../../ui/JsonView.tsx';
import { jsonToLine } from '../../ui/json-text.ts';
import { Message } from '../../ui/Message.tsx';
import { Waiting } from '../../ui/Progress.tsx';
import { type ComparedRow, type ComparedStatus, comparedStatuses } from './compare-branches.ts';
import { JsonDiff } from './JsonDiff.tsx';
import { kindToFamily } from './kinds.ts';
import { EventRef } from './Links.tsx';
import { More } from './More.tsx';
import type { ReplaySession } from './session.ts';
import { type ComparedBranches, useComparedBranches } from './use-compared.ts';
import styles from './Comparison.module.css';

export interface CompareProps {
  readonly session: ReplaySession;
  /** The branch beside its parent. */
  readonly branch: BranchId;
  readonly onBranches: () => void;
}

const tones: Readonly<Record<ComparedStatus, Tone>> = {
  changed: 'accent',
  'only here': 'ok',
  'only there': 'warning',
  same: 'neutral',
};

export function Compare({ session, branch, onBranches }: CompareProps) {
  const { data, isOriginal, problem } = useComparedBranches(session.trace, branch);
  if (isOriginal) {
    return (
      <Message
        title="The original has no parent to compare with"
        icon="branch"
        actions={<Button onPress={onBranches}>Show the branches</Button>}
      >
        Choose a branch that a replay made, in the list or with B.
      </Message>
    );
  }
  if (problem !== undefined) {
    return (
      <Message title="The branches could not be compared" tone="problem" icon="warning">
        {problem}
      </Message>
    );
  }
  if (data === undefined) return <Waiting label="Comparing the branch with its parent" />;
  return <Shown data={data} />;
}

function Shown({ data }: { readonly data: ComparedBranches }) {
  const [only, setOnly] = useState<ComparedStatus>();
  const count = (status: ComparedStatus): number => data.rows.filter((row) => row.status === status).length;
  const visible = data.rows.filter(({ status }) => only === undefined || status === only);
  return (
    <section className={styles['comparison']} aria-label="Branch and parent">
      <header className={styles['head']}>
        <h3>
          “{data.label}” beside its parent, “{data.parentLabel}”
        </h3>
        <ul aria-label="Show by what became of it">
          {comparedStatuses
            .filter((status) => count(status) > 0)
            .map((status) => (
              <li key={status}>
                <button
                  type="button"
                  aria-pressed={status === only}
                  onClick={() => setOnly(status === only ? undefined : status)}
                >
                  <Chip tone={tones[status]}>{status}</Chip> <b>{countToText(count(status))}</b>
                </button>
              </li>
            ))}
        </ul>
      </header>
      <p className={styles['lead']}>{dataToSentence(data)}</p>
      <More key={only} items={visible} noun="command">
        {(part) => (
          <table className={styles['table']} aria-label="Commands of the branch and of its parent">
            <thead>
              <tr>
                <th scope="col">Status</th>
                <th scope="col">Command</th>
                <th scope="col">Parent</th>
                <th scope="col">This branch</th>
              </tr>
            </thead>
            <tbody>
              {part.map((row) => (
                <Row key={row.path} row={row} />
              ))}
            </tbody>
          </table>
        )}
      </More>
    </section>
  );
}

function dataToSentence({ shared, apart, unread }: ComparedBranches): string {
  const rest = apart.here + apart.there;
  return [
    `${countOf(shared, 'record')} ${shared === 1 ? 'is' : 'are'} shared by both and not listed.`,
    rest === 0
      ? ''
      : `${countOf(rest, 'record')} without a command (workers, the replay’s own notes) cannot be aligned.`,
    unread === 0 ? '' : `${countOf(unread, 'record')} more were not read: the branches differ in too many places.`,
  ]
    .filter((part) => part !== '')
    .join(' ');
}

function Row({ row }: { readonly row: ComparedRow }) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const { status, kind, name, path, here, there, differences } = row;
  return (
    <Fragment>
      <tr className={styles['row']}>
        <td>
          <Chip tone={tones[status]}>{status}</Chip>
        </td>
        <th scope="row">
          <button type="button" aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
            <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} size={12} />
            <FamilyIcon family={kindToFamily(kind)} effect={kind === 'write'} />
            <span>{name}</span>
          </button>
          <span className={styles['path']}>{path}</span>
        </th>
        <td>
          <Payload payload={there?.payload} />
        </td>
        <td>
          {status === 'same' ? <span className={styles['none']}>the same</span> : <Payload payload={here?.payload} />}
        </td>
      </tr>
      {isOpen ? (
        <tr id={id} className={styles['detail']}>
          <td colSpan={4}>
            <div className={styles['full']}>
              {here === undefined || there === undefined ? undefined : (
                <JsonDiff label="Payload" differences={differences} before="parent" after="this branch" />
              )}
              <div className={styles['sides']}>
                <div>
                  <h4>Parent</h4>
                  <Side side={there} label="Payload on the parent" />
                </div>
                <div>
                  <h4>This branch</h4>
                  <Side side={here} label="Payload on this branch" />
                </div>
              </div>
            </div>
          </td>
        </tr>
      ) : undefined}
    </Fragment>
  );
}

function Payload({ payload }: { readonly payload: JsonObject | undefined }) {
  if (payload === undefined) return <span className={styles['none']}>not there</span>;
  const shown = payload['result'] ?? payload['value'] ?? payload['output'] ?? payload['error'] ?? payload['args'];
  return <code className={styles['value']}>{jsonToLine(shown ?? payload, 120)}</code>;
}

function Side({ side, label }: { readonly side: ComparedRow['here']; readonly label: string }) {
  if (side === undefined) return <p className={styles['none']}>not there</p>;
  return (
    <>
      <EventRef event={side.event} />
      <JsonView label={label} value={side.payload} depth={2} />
    </>
  );
}
