/** One golden case: what it pins and of which record, and of its last run every property with its sentence and the branch behind it. */
import { passageToShown, lineToShown } from '../../core/base/shown-text.ts';
import { verdictMeanings, verdictToWords } from '../../core/replay/change-words.ts';
import type { BranchId } from '../../core/model/index.ts';
import { branchId } from '../../core/model/index.ts';
import { type GoldenCase, type GoldenRunAnswer, useTrace } from '../../data/index.ts';
import { traceLocation, useNavigation } from '../../state/location.ts';
import { DataTable } from '../../ui/DataTable.tsx';
import { branchStatusToWords } from '../../ui/branch-status.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { Chip, type Tone } from '../../ui/Chip.tsx';
import { countOf, dateToText } from '../../ui/format.ts';
import { JsonView } from '../../ui/JsonView.tsx';
import { verdictTones } from './set-words.ts';
import { propertyToText, statusOrder, statusToWords, statusTones, targetToText } from './golden-words.ts';
import type { ReplaySession } from './session.ts';
import styles from './Sheet.module.css';

export interface GoldenEntryProps {
  readonly one: GoldenCase;
  readonly session: ReplaySession;
  readonly result: GoldenRunAnswer['results'][string] | undefined;
  readonly isRunning: boolean;
  readonly onRun: () => void;
  readonly onSave: () => void;
  readonly onRemove: () => void;
  readonly onOpenBranch: (branch: BranchId) => void;
}

export function GoldenEntry({
  one,
  session,
  result,
  isRunning,
  onRun,
  onSave,
  onRemove,
  onOpenBranch,
}: GoldenEntryProps) {
  const { golden, created } = one;
  const verdict = result !== undefined && 'passes' in result ? result : undefined;
  return (
    <article className={styles['part']} aria-label={golden.name}>
      <div className={styles['bar']}>
        {result === undefined ? undefined : <Chip tone={verdictToTone(verdict)}>{verdictToWord(verdict)}</Chip>}
        <h3>{golden.name}</h3>
        <span>
          {countOf(golden.properties.length, 'property', 'properties')}
          {golden.exempt.length === 0 ? '' : `, ${countOf(golden.exempt.length, 'exemption')}`} · pinned{' '}
          {dateToText(created)}
        </span>
      </div>
      <p className={styles['soft']}>
        <Record one={one} session={session} />
        {golden.reason === undefined ? '' : ` · ${golden.reason}`}
      </p>
      {result === undefined ? (
        <details>
          <summary>What it pins</summary>
          <ul className={styles['list']} aria-label={`Properties of ${golden.name}`}>
            {golden.properties.map((property) => (
              <li key={property.id}>
                <code>{lineToShown(targetToText(property))}</code> {passageToShown(propertyToText(property))}
              </li>
            ))}
          </ul>
        </details>
      ) : verdict === undefined ? (
        <p className={styles['danger']}>{'problem' in result ? result.problem : ''}</p>
      ) : (
        <Properties
          one={one}
          verdict={verdict}
          onOpenBranch={one.trace === session.trace && session.hasBranch(verdict.branch) ? onOpenBranch : undefined}
        />
      )}
      <div className={styles['bar']}>
        <Button icon="replay" isDisabled={isRunning} onPress={onRun}>
          Run
        </Button>
        <Button kind="quiet" icon="download" onPress={onSave}>
          Save as file
        </Button>
        <IconButton icon="trash" label={`Remove ${golden.name}`} onPress={onRemove} />
      </div>
    </article>
  );
}

type Verdict = Extract<GoldenRunAnswer['results'][string], { readonly passes: boolean }>;

/** What is not decided breaks nothing, and is no pass to rely on. */
function verdictToWord(verdict: Verdict | undefined): string {
  if (verdict === undefined) return 'not run';
  if (!verdict.passes) return 'fails';
  return verdict.counts['not-decided'] > 0 ? 'passes as far as it came' : 'passes';
}

function verdictToTone(verdict: Verdict | undefined): Tone {
  if (verdict?.passes !== true) return 'danger';
  return verdict.counts['not-decided'] > 0 ? 'warning' : 'ok';
}

function Record({ one: { golden, trace }, session }: Pick<GoldenEntryProps, 'one' | 'session'>) {
  const { hrefOf } = useNavigation();
  const record = useTrace(trace);
  const branch = golden.branch === 'main' ? 'as recorded' : `branch ${golden.branch}`;
  if (trace === session.trace) return <>This trace, {branch}</>;
  if (record.data === undefined)
    return <>{record.isPending ? '' : 'Its record is no longer in this library, so it cannot be run.'}</>;
  const to = {
    ...traceLocation(trace),
    view: 'replay',
    branch: branchId(golden.branch),
    extra: { show: 'goldens' },
  } as const;
  return (
    <>
      <a href={hrefOf(to)}>{record.data.name}</a>, {branch}
    </>
  );
}

interface PropertiesProps {
  readonly one: GoldenCase;
  readonly verdict: Verdict;
  readonly onOpenBranch: ((branch: BranchId) => void) | undefined;
}

function Properties({ one, verdict, onOpenBranch }: PropertiesProps) {
  const { properties, counts, branch, result, stored, notStored, program, verdict: word } = verdict;
  const shown = statusOrder.flatMap((status) => properties.filter((property) => property.status === status));
  const told = statusOrder
    .filter((status) => counts[status] > 0)
    .map((status) => `${counts[status]} ${statusToWords(status, counts[status])}`);
  return (
    <>
      <div className={styles['bar']}>
        <span>
          {told.join(', ')}. {program.after === program.before ? 'The recorded program' : 'The changed program'}:{' '}
          <span title={verdictMeanings[word]}>
            <Chip tone={verdictTones[word]}>{verdictToWords(word)}</Chip>
          </span>
          {branchStatusToWords(result) === verdictToWords(word) ? '' : `, replay ${branchStatusToWords(result)}`}
          {stored ? ', branch ' : ''}
          {stored ? <code>{branch}</code> : '.'}
          {notStored === undefined ? '' : ` Its branch is not kept. ${notStored}`}
        </span>
        {stored && onOpenBranch !== undefined ? (
          <Button kind="quiet" icon="branch" onPress={() => onOpenBranch(branchId(branch))}>
            Open that branch
          </Button>
        ) : undefined}
      </div>
      <DataTable label={`Properties of ${one.golden.name}`} className={styles['table']}>
        <thead>
          <tr>
            <th scope="col">Result</th>
            <th scope="col">What is pinned</th>
            <th scope="col">What the replay shows</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ property, status, sentence, actual }) => (
            <tr key={property.id}>
              <td>
                <Chip tone={statusTones[status]}>{statusToWords(status)}</Chip>
              </td>
              <th scope="row">
                <code>{lineToShown(targetToText(property))}</code>
                <div className={styles['soft']}>{passageToShown(propertyToText(property))}</div>
              </th>
              <td>
                {passageToShown(sentence)}
                {actual === undefined || typeof actual !== 'object' || actual === null ? undefined : (
                  <JsonView label={`What ${property.id} is instead`} value={actual} depth={1} />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </DataTable>
    </>
  );
}
