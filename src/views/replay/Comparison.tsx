/** The new branch beside the original, command by command: status, rule, both values, and why. */
import { Fragment, useId, useState } from 'react';
import { lineToShown } from '../../core/base/shown-text.ts';
import type { JsonValue } from '../../core/base/json.ts';
import { computeJsonDifferences } from '../../core/replay/json-diff.ts';
import { protectionWords } from '../../core/replay/protection.ts';
import { type BranchStatus, Chip, StatusBadge, branchStatuses } from '../../ui/Chip.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { FamilyIcon } from '../../ui/FamilyIcon.tsx';
import { Icon } from '../../ui/Icons.tsx';
import { type AlignedRow, isRowOf, rowsToCounts } from './align.ts';
import { baseToWords } from './base-words.ts';
import { commandToValue } from './command-value.ts';
import { ComparisonDetail } from './ComparisonDetail.tsx';
import { kindToFamily } from './kinds.ts';
import { ReasonPath } from './Links.tsx';
import { More } from '../../ui/More.tsx';
import type { ReplayResult, ReplaySession } from './session.ts';
import { Asked, NotThere, Places, Same, StatusFilter, Value } from './TwoSides.tsx';
import { useRecordedCall } from './use-recorded-call.ts';
import { openToWords, pendingToWords, ruleToWords } from './words.ts';
import styles from './Comparison.module.css';

export interface ComparisonProps {
  readonly session: ReplaySession;
  readonly result: ReplayResult;
  readonly rows: readonly AlignedRow[];
}

export function Comparison({ session, result, rows }: ComparisonProps) {
  const [shown, setShown] = useState<BranchStatus>();
  const counts = rowsToCounts(rows);
  const { name, phrase, title } = baseToWords(result.request.base);
  const present = branchStatuses.filter((status) => counts.has(status));
  // A filter of the last result may name a status that this one has not.
  const filter = shown !== undefined && counts.has(shown) ? shown : undefined;
  const visible = rows.filter((row) => isRowOf(row, filter));
  return (
    <section className={styles['comparison']} aria-label={`Branch and ${name}`}>
      <header className={styles['head']}>
        <h3>Branch beside {phrase}</h3>
        <StatusFilter
          label="Show by status"
          counts={present.map((status) => [status, counts.get(status) ?? 0] as const)}
          selected={filter}
          onSelect={setShown}
        >
          {(status) => <StatusBadge status={status} />}
        </StatusFilter>
      </header>
      <More key={filter} items={visible} noun="row">
        {(part) => (
          <DataTable label={`Commands of the branch and of ${phrase}`} place="flush" className={styles['table']}>
            <thead>
              <tr>
                <th scope="col">Status</th>
                <th scope="col">Command</th>
                <th scope="col">{title}</th>
                <th scope="col">This branch</th>
              </tr>
            </thead>
            <tbody>
              {part.map((row) => (
                <Row key={row.key} row={row} session={session} base={result} />
              ))}
            </tbody>
          </DataTable>
        )}
      </More>
    </section>
  );
}

interface RowProps {
  readonly row: AlignedRow;
  readonly session: ReplaySession;
  readonly base: ReplayResult;
}

function Row({ row, session, base }: RowProps) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const { status, exactly, kind, name, path, command, record, orphan, reasons } = row;
  const protection = base.report.protections.find((one) => one.path === command?.path);
  const place = { trace: session.trace, branch: base.request.base };
  return (
    <Fragment>
      <tr className={styles['row']} data-status={status}>
        <td>
          <StatusBadge status={status} />
          {exactly === undefined ? undefined : <Chip>{exactly}</Chip>}
          {orphan === undefined ? undefined : <StatusBadge status="orphan effect" />}
        </td>
        <th scope="row">
          <button type="button" aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
            <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} size={12} />
            <FamilyIcon family={kindToFamily(kind)} effect={kind === 'write'} />
            <span>{lineToShown(name)}</span>
          </button>
          <span className={styles['path']}>{lineToShown(path)}</span>
          {protection === undefined ? undefined : (
            <span className={styles['key']}>{protectionWords[protection.change]}</span>
          )}
          {isKept(status) ? (
            command?.rule === undefined ? undefined : (
              <span className={styles['none']}>
                {ruleToWords(command.rule)}
                {record === undefined || record.path === path ? '' : `; recorded at ${lineToShown(record.path)}`}
              </span>
            )
          ) : (
            <ReasonPath reasons={reasons} />
          )}
        </th>
        <Values row={row} place={place} />
      </tr>
      {isOpen ? (
        <tr id={id} className={styles['detail']}>
          <td colSpan={4}>
            <ComparisonDetail row={row} place={place} />
          </td>
        </tr>
      ) : undefined}
    </Fragment>
  );
}

interface ValuesProps {
  readonly row: AlignedRow;
  readonly place: Pick<ReplaySession, 'trace' | 'branch'>;
}

/** Both values; where both are known and large, only the places where they differ. Before them, what was asked otherwise. */
function Values({ row, place }: ValuesProps) {
  const { status, command, record } = row;
  const recorded = useRecordedCall(place, record?.event);
  const before = recorded.error === undefined ? recorded.value : { error: recorded.error };
  const now = command === undefined ? undefined : commandToValue(command);
  const isSame = isKept(status) && record !== undefined;
  const asked =
    isSame ||
    command?.args === undefined ||
    recorded.args === undefined ||
    command.kind === 'state' ||
    command.kind === 'decide'
      ? []
      : computeJsonDifferences(recorded.args, command.args);
  const differences =
    isSame || before === undefined || now === undefined ? undefined : computeJsonDifferences(before, now);
  const places = differences !== undefined && differences.length > 0 && isLarge(before) ? differences : undefined;
  const isEqual = differences?.length === 0;
  return (
    <>
      <td>
        <Asked differences={asked} side="recorded" />
        {places !== undefined ? (
          <Places differences={places} side="recorded" />
        ) : record === undefined ? (
          <NotThere />
        ) : recorded.isLoading ? (
          <span className={styles['none']}>…</span>
        ) : before === undefined ? (
          <span className={styles['none']}>value not recorded</span>
        ) : (
          <Value value={before} />
        )}
      </td>
      <td>
        <Asked differences={asked} side="now" />
        {places !== undefined ? (
          <Places differences={places} side="now" />
        ) : command === undefined ? (
          <NotThere isReached={status !== 'not reached'} />
        ) : isSame ? (
          <Same>the same</Same>
        ) : now === undefined ? (
          <span className={styles['none']}>
            {command.isOpen === true
              ? openToWords
              : command.waitsFor === undefined
                ? 'no answer yet'
                : pendingToWords(command.waitsFor)}
          </span>
        ) : isEqual ? (
          <>
            <Same>the same value</Same>
            {asked.length > 0 ? undefined : <span className={styles['none']}>{equalToWords(row)}</span>}
          </>
        ) : (
          <Value value={now} />
        )}
      </td>
    </>
  );
}

/** Its recorded answer counts, wherever it is asked for. */
function isKept(status: BranchStatus): boolean {
  return status === 'reused' || status === 'moved';
}

/** Why a row is told as different whose value is the recorded one, and whose arguments show no difference either. */
function equalToWords({ status, command }: AlignedRow): string {
  if (status === 'superseded') return 'you replaced it by a value that is equal';
  if (command?.kind === 'state') return 'it follows another version than in the record';
  if (command?.kind === 'decide') return 'it was decided anew, and came out as recorded';
  return 'it was asked anew: the record of it did not count, and its answer was supplied';
}

function isLarge(value: JsonValue | undefined): boolean {
  return typeof value === 'object' && value !== null;
}
