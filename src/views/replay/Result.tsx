/** What a replay made: the verdict, what it waits for, and the new branch beside the original. */
import { useEffect, useMemo, useRef } from 'react';
import { passageToShown, lineToShown } from '../../core/base/shown-text.ts';
import { hasEnded, verdictToSentence, verdictToWords } from '../../core/replay/change-words.ts';
import { protectionPointer } from '../../core/replay/protection.ts';
import { computeVerdict } from '../../core/replay/verdict.ts';
import type { BranchId } from '../../core/model/index.ts';
import { useBranchLines } from '../../data/index.ts';
import { branchStatusToWords } from '../../ui/branch-status.ts';
import { Button } from '../../ui/Button.tsx';
import { Chip, type BranchStatus, StatusBadge } from '../../ui/Chip.tsx';
import { countOf, countToText } from '../../ui/format.ts';
import { Icon } from '../../ui/Icons.tsx';
import { Message } from '../../ui/Message.tsx';
import { type AlignedRow, reportToRows } from './align.ts';
import { baseToWords } from './base-words.ts';
import { Comparison } from './Comparison.tsx';
import { Divergences } from './Divergences.tsx';
import { kindToFamily } from './kinds.ts';
import { Limits } from './Limits.tsx';
import { Outcome } from './Outcome.tsx';
import { misfitsToSentence, orphansToSentence } from './result-words.ts';
import { Pending, goToPending, listOpenCommands } from './Pending.tsx';
import { isIdentical, type ReplayResult, type ReplaySession } from './session.ts';
import { StatesCompared } from './StatesCompared.tsx';
import { Strip, type StripEntry } from './Strip.tsx';
import { verdictTones } from './set-words.ts';
import { resultTones } from './words.ts';
import styles from './Result.module.css';

/** Characters of a verdict that are read as a title. */
const mostOfTitle = 110;

export interface ResultProps {
  readonly session: ReplaySession;
  readonly onOpenBranch: (branch: BranchId) => void;
  /** The same program over other recorded runs. */
  readonly onSet: () => void;
  /** What must stay of the branch. */
  readonly onPin: (branch: BranchId) => void;
  readonly onKill: () => void;
  /** A line of the program on the left. */
  readonly onLine: (line: number) => void;
}

export function Result(props: ResultProps) {
  const { result, elsewhere } = props.session;
  if (result === undefined) {
    return (
      <Message
        title={elsewhere === undefined ? 'Nothing was replayed yet' : 'Nothing was replayed from here yet'}
        icon="replay"
      >
        {elsewhere === undefined ? undefined : (
          <p>
            The last replay was of {baseToWords(elsewhere.base).phrase}
            {elsewhere.run === undefined ? '' : `, run ${elsewhere.run}`}: its result stands there.
          </p>
        )}
        <p>Replay runs the control program in this page against the recorded observations, with your change.</p>
        <p>Verify runs it without a change and says whether it repeats the record.</p>
      </Message>
    );
  }
  return <Shown {...props} result={result} />;
}

function Shown(props: ResultProps & { readonly result: ReplayResult }) {
  const { session, result } = props;
  const { report, request } = result;
  const rows = useMemo(() => reportToRows(report), [report]);
  const entries = useMemo(() => rows.map(rowToEntry), [rows]);
  const top = useRef<HTMLElement>(null);
  // Syncs the scroll position, which is the browser's: a new verdict is read from its head.
  useEffect(() => {
    if (top.current !== null) top.current.scrollTop = 0;
  }, [report]);
  const isPlain = request.edits.length + request.supply.length === 0 && request.program === undefined;
  // A text that is no program was never run: there is nothing to compare.
  const isNoProgram = report.result === 'error';
  // An edit is meant to differ, and the table says where; without one every difference is news.
  const hasNewsInDivergences =
    report.divergences.length > 0 && (request.edits.length === 0 || report.result === 'diverged');
  return (
    <section ref={top} className={styles['result']} aria-label="Result">
      <Verdict {...props} isPlain={isPlain} />
      <Pending session={session} result={result} />
      {hasNewsInDivergences ? <Divergences report={report} /> : undefined}
      {rows.length === 0 || isNoProgram ? undefined : (
        <>
          <Strip label={lineToShown(report.sentence)} entries={entries} />
          <Comparison session={session} result={result} rows={rows} />
        </>
      )}
      <Outcome session={session} report={report} />
      {isNoProgram ? undefined : (
        <>
          <StatesCompared session={session} result={result} />
          <Limits report={report} />
        </>
      )}
    </section>
  );
}

function rowToEntry(row: AlignedRow): StripEntry {
  const { key, path, name, kind, status, command, record, reasons } = row;
  const events = [command?.event, record?.event].filter((event) => event !== undefined);
  return {
    key,
    path,
    events,
    stands: status === 'reused' || status === 'moved',
    reasons,
    family: kindToFamily(kind),
    label: name,
    sign: status,
    word: status,
    look: statusToLook(status),
  };
}

function statusToLook(status: BranchStatus): StripEntry['look'] {
  switch (status) {
    case 'reused':
    case 'moved':
      return 'kept';
    case 'superseded':
      return 'edited';
    case 'changed':
    case 'inserted':
      return 'new';
    case 'removed':
      return 'fallen';
    default:
      return 'maybe';
  }
}

interface VerdictProps extends ResultProps {
  readonly result: ReplayResult;
  readonly isPlain: boolean;
}

function Verdict({ session, result, isPlain, onOpenBranch, onSet, onPin, onKill, onLine }: VerdictProps) {
  const { report, request } = result;
  const { programs } = report;
  const { error } = report.outcome;
  const waiting = listOpenCommands(report.commands);
  const misfits = misfitsToSentence(report, request.supply);
  const stops = useBranchLines(session.trace).data?.stopsOf.get(report.branch) ?? [];
  const tone = report.outcome.status === 'failed' && !isIdentical(report) ? 'danger' : resultTones[report.result];
  const line = session.isResultOld ? undefined : programLine(report);
  const isForeignProgram =
    session.facts.program.source === undefined && request.program !== undefined && !isIdentical(report);
  return (
    <header className={styles['verdict']} data-tone={tone}>
      <div className={styles['headline']}>
        <Chip tone={tone}>{branchStatusToWords(report.result)}</Chip>
        {request.program === undefined || isIdentical(report) || report.outcome.status === 'no-program' ? undefined : (
          <PatchVerdict report={report} />
        )}
        {isForeignProgram || session.isUnverified ? <Chip tone="warning">unverified program</Chip> : undefined}
        {report.noop && !isPlain ? <Chip>equals the record</Chip> : undefined}
        <h2 data-long={report.sentence.length > mostOfTitle}>{passageToShown(report.sentence)}</h2>
      </div>
      {session.isResultOld ? (
        <p className={styles['old']}>
          <Icon name="info" size={14} />{' '}
          {session.reading.changes === 0
            ? 'On the left nothing is changed any more: this is what came of the change that was taken back.'
            : 'The change on the left is not the one that was run here. Replay again to see what it does.'}
        </p>
      ) : undefined}
      {line === undefined ? undefined : (
        <div className={styles['actions']}>
          <Button icon="target" onPress={() => onLine(line)}>
            Go to line {countToText(line)}
          </Button>
        </div>
      )}
      <div className={styles['facts']}>
        <span>
          {isPlain ? 'Unedited replay of' : 'Replay of'} <b>{baseToWords(request.base).name}</b>
        </span>
        <span>
          program{' '}
          {lineToShown(programs.before === programs.after ? programs.after : `${programs.before} → ${programs.after}`)}
        </span>
        <span>{askedToText(report)}</span>
        <span>nothing was sent</span>
      </div>
      {report.outcome.status === 'failed' && error !== undefined ? (
        <p className={styles['failed']}>
          <Icon name="warning" size={14} /> The program ended with an error:{' '}
          {passageToShown(`${error.name}: ${error.message}`)}
        </p>
      ) : undefined}
      {report.orphanEffects.length === 0 || report.result === 'error' ? undefined : (
        <p className={styles['orphans']}>
          <StatusBadge status="orphan effect" />
          <span>
            {passageToShown(
              orphansToSentence(
                report.orphanEffects,
                new Set(waiting.map(({ path }) => path)),
                hasEnded(report.outcome),
              ),
            )}
          </span>
        </p>
      )}
      {misfits === undefined ? undefined : (
        <p className={styles['failed']}>
          <Icon name="warning" size={14} /> {lineToShown(misfits)}
        </p>
      )}
      {report.protections.length === 0 ? undefined : (
        <p className={styles['old']}>
          <Icon name="info" size={14} /> {protectionPointer}{' '}
          <Button kind="quiet" icon="drill" onPress={onKill}>
            Kill here
          </Button>
        </p>
      )}
      {report.stored && !session.hasBranch(report.branch) ? (
        <p className={styles['old']}>
          <Icon name="info" size={14} /> Branch {report.branch}, which this replay made, was deleted.
        </p>
      ) : undefined}
      {report.stored && session.hasBranch(report.branch) ? (
        <div className={styles['actions']}>
          {waiting.length === 0 ? undefined : (
            <Button kind="primary" icon="pencil" onPress={goToPending}>
              Supply what waits
            </Button>
          )}
          <Button
            kind={waiting.length === 0 ? 'primary' : 'plain'}
            icon="branch"
            onPress={() => onOpenBranch(report.branch)}
          >
            Open branch {report.branch}
          </Button>
          {request.program === undefined ? undefined : (
            <Button icon="replay" onPress={onSet}>
              Replay it over other runs
            </Button>
          )}
          <Button icon="check" onPress={() => onPin(report.branch)}>
            Pin what must stay
          </Button>
          {stops.length === 0 ? undefined : (
            <span>
              It continues {stops[0]}
              {stops.length === 1 ? '' : ` and ${countOf(stops.length - 1, 'earlier stop')}`}, and stands in the lists
              of branches in {stops.length === 1 ? 'its' : 'their'} place.
            </span>
          )}
          <span>Its events stand beside {baseToWords(request.base).phrase}, which is unchanged.</span>
        </div>
      ) : undefined}
    </header>
  );
}

/** Where a text stops to be a program, as its error says. */
function programLine({ outcome }: ReplayResult['report']): number | undefined {
  const found = outcome.status === 'no-program' ? /\(line (\d+)\)/.exec(outcome.message ?? '') : null;
  return found === null ? undefined : Number(found[1]);
}

/** Counted as everywhere else: commands of the program, decisions and states among them, beside those of the record. */
function askedToText({ commands, records }: ReplayResult['report']): string {
  const asked = `the program asks for ${countOf(commands.length, 'command')}`;
  return `${asked}, the record has ${countToText(records.length)}`;
}

/** A changed program has the same verdict here as in a run set and in a golden case. */
function PatchVerdict({ report }: Pick<ReplayResult, 'report'>) {
  const { verdict } = computeVerdict(report);
  return (
    <span title={verdictToSentence(verdict, report.outcome)}>
      <Chip tone={verdictTones[verdict]}>{verdictToWords(verdict)}</Chip>
    </span>
  );
}
