/**
 * Small facts beside a thing: chips, verdicts, the status of a record on a branch, and “not recorded”.
 *
 * Invariant: a state is never shown by colour alone: every chip has its word, most have a sign.
 */
import { type ReactNode, createContext, use } from 'react';
import { labelToShown } from './shown-children.ts';
import styles from './Chip.module.css';

export type Tone = 'neutral' | 'ok' | 'warning' | 'danger' | 'accent' | 'effect';

export function Chip({
  children,
  tone = 'neutral',
  mono = false,
  title,
}: {
  readonly children: ReactNode;
  readonly tone?: Tone;
  readonly mono?: boolean;
  /** What the word means, for who points at it. */
  readonly title?: string;
}) {
  return (
    <span className={styles['chip']} data-tone={tone} data-mono={mono} title={title}>
      {labelToShown(children)}
    </span>
  );
}

/** True below a redacted copy: there an absent field may have been recorded and left out. */
export const CopyContext = createContext(false);

/** What no record says. The same everywhere: hollow, dashed, in words. */
export function NotRecorded({ what }: { readonly what?: string }) {
  const isCopy = use(CopyContext);
  const words = isCopy ? 'not recorded or withheld' : 'not recorded';
  const meaning = isCopy ? 'no record of this copy says it' : 'no record says it; nothing was filled in';
  return (
    <span className={styles['absent']} title={meaning}>
      {what === undefined ? words : `${what}: ${words}`}
    </span>
  );
}

/** What a finding cannot say from the records there are. */
export function NotKnown() {
  return (
    <span className={styles['absent']} title="the records that are here do not tell it">
      not known
    </span>
  );
}

/** Where nothing could be recorded: the field or the stage does not apply. Never the same as “not recorded”. */
export function DoesNotApply() {
  return (
    <span className={styles['inapplicable']} title="does not apply: nothing could stand here">
      <span aria-hidden="true">–</span>
      <span className={styles['spoken']}>does not apply</span>
    </span>
  );
}

/** A value that was withheld from a redacted copy; the same everywhere, and never the same as "not recorded". */
export function Withheld() {
  return <span className={styles['withheld']}>withheld</span>;
}

export const branchStatuses = [
  'reused',
  'moved',
  'superseded',
  'changed',
  'inserted',
  'removed',
  'not reached',
  'suspect',
  'pending',
  'orphan effect',
  'uncertain',
  'unknown',
] as const;
export type BranchStatus = (typeof branchStatuses)[number];

function hatchLines(): ReactNode {
  return <path d="M2 7 7 2M3 12 12 3M7 12l5-5" strokeWidth="1" />;
}

const statusShapes: Readonly<Record<BranchStatus, ReactNode>> = {
  reused: <path d="m3 7.5 2.6 2.6L11 4.5" />,
  moved: <path d="M2.5 9.5v-5h9M9 2l2.5 2.5L9 7" />,
  superseded: <path d="m2.5 11.5.5-2.4 6-6L11 5l-6 6-2.5.5Z" />,
  changed: (
    <>
      <circle cx="7" cy="7" r="4.5" />
      <path d="M7 2.5a4.5 4.5 0 0 1 0 9Z" fill="currentColor" stroke="none" />
    </>
  ),
  inserted: <path d="M7 2.5v9M2.5 7h9" />,
  removed: (
    <>
      <rect x="2.5" y="3.5" width="9" height="7" rx="1" />
      <path d="M1 7h12" />
    </>
  ),
  'not reached': <path d="M2 7h4M9 3.5v7M12 3.5v7" />,
  suspect: (
    <>
      <rect x="2" y="2" width="10" height="10" rx="1.5" />
      {hatchLines()}
    </>
  ),
  pending: <circle cx="7" cy="7" r="4.5" />,
  'orphan effect': (
    <path d="M7 4.5V12M4.5 6h5M2.5 8.5C2.5 10.5 4.5 12 7 12s4.5-1.5 4.5-3.5M8.3 3a1.3 1.3 0 1 1-2.6 0 1.3 1.3 0 0 1 2.6 0Z" />
  ),
  uncertain: <path d="M6 2.6a4.5 4.5 0 0 0 0 8.8M8 2.6a4.5 4.5 0 0 1 0 8.8" />,
  unknown: <path d="M5.3 5.2A1.8 1.8 0 1 1 8 6.8c-.7.4-1 .7-1 1.4M7 10.8v.1" />,
};

/** The sign alone, for a picture whose words stand elsewhere. */
export function StatusSign({ status }: { readonly status: BranchStatus }) {
  return (
    <svg viewBox="0 0 14 14" aria-hidden="true" focusable="false">
      {statusShapes[status]}
    </svg>
  );
}

/** Badge, fill and word together: what became of a record or command on a branch. */
export function StatusBadge({ status, count }: { readonly status: BranchStatus; readonly count?: number }) {
  return (
    <span className={styles['status']} data-status={status}>
      <StatusSign status={status} />
      {status}
      {count === undefined ? undefined : <b>{count}</b>}
    </span>
  );
}
