/** Two sides compared: the first difference as the headline, then commands, states and the end. */
import { Fragment, useId, useState } from 'react';
import { lineToShown } from '../../core/base/shown-text.ts';
import type { EventId } from '../../core/model/index.ts';
import type {
  ComparedCall,
  ComparedRow,
  ComparedSides,
  ComparedStatus,
  Contradiction,
} from '../../core/compare/index.ts';
import type { BranchPlace } from '../../data/index.ts';
import { traceLocation, useNavigation } from '../../state/location.ts';
import { Chip, type Tone } from '../../ui/Chip.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { FamilyIcon } from '../../ui/FamilyIcon.tsx';
import { countOf } from '../../ui/format.ts';
import { Icon } from '../../ui/Icons.tsx';
import { JsonView } from '../../ui/JsonView.tsx';
import {
  comparedMeanings,
  comparedToWord,
  firstToParts,
  startsToSentence,
  unreachedToSentence,
} from './compare-words.ts';
import { JsonDiff } from './JsonDiff.tsx';
import { kindToFamily } from './kinds.ts';
import { More } from '../../ui/More.tsx';
import { Asked, NotThere, Places, Same, Shown, type Side, StatusFilter, Value } from './TwoSides.tsx';
import { useRecordedCall } from './use-recorded-call.ts';
import styles from './Comparison.module.css';
import sheet from './Sheet.module.css';

const statuses: readonly ComparedStatus[] = ['changed', 'moved', 'only here', 'only there', 'not reached', 'same'];
const tones: Readonly<Record<ComparedStatus, Tone>> = {
  changed: 'accent',
  moved: 'neutral',
  'only here': 'ok',
  'only there': 'warning',
  'not reached': 'neutral',
  same: 'neutral',
};

export interface CompareResultProps {
  readonly compared: ComparedSides;
  readonly left: BranchPlace;
  readonly right: BranchPlace;
  /** What the two sides are called, whole: the choices above cut them. */
  readonly names: { readonly here: string; readonly there: string };
}

export function CompareResult({ compared, left, right, names }: CompareResultProps) {
  const { rows, counts, drawsApart, states, outcomes, inputDifferences } = compared;
  const [only, setOnly] = useState<ComparedStatus>();
  const differing = rows.length - counts.same;
  const filter = only !== undefined && counts[only] > 0 ? only : undefined;
  // What both share is one press away, and listed at once where there is nothing else.
  const visible = rows.filter(({ status }) =>
    filter === undefined ? differing === 0 || status !== 'same' : status === filter,
  );
  return (
    <>
      <First compared={compared} left={left} right={right} names={names} />
      {inputDifferences.length === 0 ? undefined : (
        <div className={sheet['part']}>
          <JsonDiff label="Input of the run" differences={inputDifferences} before="A" after="B" />
        </div>
      )}
      <section className={styles['comparison']} aria-label="Commands of both sides">
        <header className={styles['head']}>
          <h3>Commands, by path</h3>
          <StatusFilter
            label="Show by what became of it"
            counts={statuses.filter((status) => counts[status] > 0).map((status) => [status, counts[status]] as const)}
            selected={filter}
            onSelect={setOnly}
          >
            {(status) => (
              <span title={comparedMeanings[status]}>
                <Chip tone={tones[status]}>{comparedToWord(status)}</Chip>
              </span>
            )}
          </StatusFilter>
        </header>
        {counts['not reached'] === 0 ? undefined : <p className={styles['lead']}>{unreachedToSentence(compared)}</p>}
        {counts.same > 0 && differing > 0 && filter === undefined ? (
          <p className={styles['lead']}>
            {countOf(counts.same, 'command')} {counts.same === 1 ? 'is' : 'are'} the same on both sides and not listed.
            {drawsApart === 0
              ? ''
              : ` ${countOf(drawsApart, 'draw')} of time or chance ${drawsApart === 1 ? 'differs' : 'differ'}.`}
          </p>
        ) : undefined}
        <More key={filter} items={visible} noun="command">
          {(part) => (
            <DataTable label="Commands of both sides" place="flush" className={styles['table']}>
              <thead>
                <tr>
                  <th scope="col">Status</th>
                  <th scope="col">Command</th>
                  <th scope="col">A: {names.there}</th>
                  <th scope="col">B: {names.here}</th>
                </tr>
              </thead>
              <tbody>
                {part.map((row) => (
                  <Row
                    key={`${row.here === undefined ? 'there' : 'here'} ${row.path}`}
                    row={row}
                    left={left}
                    right={right}
                  />
                ))}
              </tbody>
            </DataTable>
          )}
        </More>
      </section>
      {states.length === 0 ? undefined : (
        <section className={sheet['part']} aria-label="Last states of both sides">
          <h3>Last states</h3>
          {states.map(({ name, here, there, isEqual, differences }) => (
            <div key={name}>
              <p>
                <b>{lineToShown(name)}</b>{' '}
                {isEqual === true ? (
                  <Same>the same</Same>
                ) : isEqual === undefined ? (
                  <Chip>its value is not recorded on both sides</Chip>
                ) : here === undefined || there === undefined ? (
                  <Chip tone="warning">{comparedToWord(here === undefined ? 'only there' : 'only here')}</Chip>
                ) : (
                  <Chip tone="accent">differs</Chip>
                )}
              </p>
              {isEqual !== false ? undefined : (
                <JsonDiff label={lineToShown(name)} differences={differences} before="A" after="B" />
              )}
            </div>
          ))}
        </section>
      )}
      <section className={sheet['part']} aria-label="Ends of both sides">
        <h3>End</h3>
        <p>
          A: {outcomes.there}. B: {outcomes.here}. {outcomes.isEqual === true ? 'With the same result.' : ''}
        </p>
      </section>
    </>
  );
}

function First({ compared, left, right, names }: CompareResultProps) {
  const { first, effects } = compared;
  return (
    <div className={sheet['part']} aria-label="First difference" role="region">
      <h3>{first === undefined ? 'No command differs' : 'First difference'}</h3>
      {first === undefined ? undefined : (
        <p>
          {firstToParts(first).map((part, n) =>
            part.isCode ? (
              <code key={n}>{lineToShown(part.text)}</code>
            ) : (
              <Fragment key={n}>{lineToShown(part.text)}</Fragment>
            ),
          )}
        </p>
      )}
      <Contradictions name="A" found={compared.contradictions.there} place={right} />
      <Contradictions name="B" found={compared.contradictions.here} place={left} />
      {effects?.there === undefined ? undefined : <p>A: {effects.there}</p>}
      {effects?.here === undefined ? undefined : <p>B: {effects.here}</p>}
      <p className={sheet['soft']}>{startsToSentence(compared)}</p>
      <p className={sheet['soft']}>
        A: {names.there} ·{' '}
        <PlaceLink place={right} event={undefined}>
          Open A
        </PlaceLink>
        <br />
        B: {names.here} ·{' '}
        <PlaceLink place={left} event={undefined}>
          Open B
        </PlaceLink>
      </p>
    </div>
  );
}

interface ContradictionsProps {
  readonly name: string;
  readonly found: readonly Contradiction[];
  readonly place: BranchPlace;
}

const mostTold = 5;

/** What such a record shows is not what its digest says; the first few are named, and the trace lists all. */
function Contradictions({ name, found, place }: ContradictionsProps) {
  const rest = found.length - mostTold;
  return (
    <>
      {found.slice(0, mostTold).map(({ event, message }) => (
        <p key={event}>
          {name}: {lineToShown(message)}{' '}
          <PlaceLink place={place} event={event}>
            Show
          </PlaceLink>
        </p>
      ))}
      {rest > 0 ? (
        <p>
          {name}: {countOf(rest, 'more such record')}; the problems of the trace list them.
        </p>
      ) : undefined}
    </>
  );
}

interface PlaceLinkProps {
  readonly place: BranchPlace;
  readonly event: EventId | undefined;
  readonly children: string;
}

function PlaceLink({ place: { trace, branch }, event, children }: PlaceLinkProps) {
  const { hrefOf } = useNavigation();
  return <a href={hrefOf({ ...traceLocation(trace), branch, event })}>{children}</a>;
}

interface RowProps {
  readonly row: ComparedRow;
  readonly left: BranchPlace;
  readonly right: BranchPlace;
}

function Row({ row, left, right }: RowProps) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const { status, kind, name, path, movedFrom, here, there, fields } = row;
  return (
    <Fragment>
      <tr
        className={styles['row']}
        data-status={status === 'only there' ? 'removed' : status === 'not reached' ? 'unreached' : status}
      >
        <td>
          <Chip tone={tones[status]}>{comparedToWord(status)}</Chip>
        </td>
        <th scope="row">
          <button type="button" aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
            <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} size={12} />
            <FamilyIcon family={kindToFamily(kind)} effect={kind === 'write'} />
            <span>{lineToShown(name)}</span>
          </button>
          <span className={styles['path']}>{lineToShown(path)}</span>
          {fields.some(({ of }) => of === 'idempotency key') ? (
            <span className={styles['key']}>{keysToWords(row)}</span>
          ) : undefined}
          {movedFrom === undefined ? undefined : <span className={styles['path']}>in A at {movedFrom}</span>}
        </th>
        <td>
          {status === 'same' || status === 'moved' ? (
            <Received place={right} event={there?.event} />
          ) : (
            <Call row={row} call={there} side="recorded" />
          )}
        </td>
        <td>
          {status === 'same' || status === 'moved' ? <Same>the same</Same> : <Call row={row} call={here} side="now" />}
        </td>
      </tr>
      {isOpen ? (
        <tr id={id} className={styles['detail']}>
          <td colSpan={4}>
            <div className={styles['full']}>
              {fields.map(({ of, differences }) => (
                <JsonDiff key={of} label={fieldLabels[of]} differences={differences} before="A" after="B" />
              ))}
              <div className={styles['sides']}>
                <Whole title="A" call={there} place={right} isReached={status !== 'not reached'} />
                <Whole title="B" call={here} place={left} isReached={status !== 'not reached'} />
              </div>
            </div>
          </td>
        </tr>
      ) : undefined}
    </Fragment>
  );
}

const fieldLabels = { arguments: 'Arguments', 'idempotency key': 'Idempotency key', value: 'Value' } as const;

function keysToWords({ fields }: ComparedRow): string {
  const field = fields.find(({ of }) => of === 'idempotency key');
  const [difference] = field?.differences ?? [];
  const without = field?.runtimeKey === undefined ? 'without one' : "with the runtime's own";
  return difference?.now === undefined
    ? `with a key from the program in A, ${without} in B`
    : `with a key from the program in B, ${without} in A`;
}

/** What is the same is not carried with the comparison; it is read from its record. */
function Received({ place, event }: { readonly place: BranchPlace; readonly event: EventId | undefined }) {
  const { value, error, isLoading } = useRecordedCall(place, event);
  const received = error === undefined ? value : { error };
  if (isLoading) return <span className={styles['none']}>…</span>;
  return received === undefined ? (
    <span className={styles['none']}>value not recorded</span>
  ) : (
    <Value value={received} />
  );
}

function Call({
  row: { status, kind, fields },
  call,
  side,
}: {
  readonly row: ComparedRow;
  readonly call: ComparedCall | undefined;
  readonly side: Side;
}) {
  if (call === undefined) return <NotThere isReached={status !== 'not reached'} />;
  const asked = fields.find(({ of }) => of === 'arguments')?.differences ?? [];
  const value = fields.find(({ of }) => of === 'value')?.differences ?? [];
  const received = call.value ?? (kind === 'state' ? call.args : undefined);
  const isValueEqual = fields.length > 0 && !fields.some(({ of }) => of === 'value');
  return (
    <>
      {kind === 'state' || kind === 'decide' ? undefined : <Asked differences={asked} side={side} />}
      {kind === 'state' && asked.length > 0 ? (
        <Places differences={asked} side={side} />
      ) : value.length > 0 && typeof received === 'object' ? (
        <Places differences={value} side={side} />
      ) : isValueEqual && side === 'now' && kind !== 'state' ? (
        <Same>the same value</Same>
      ) : received === undefined ? (
        <span className={styles['none']}>{call.ending ?? 'value not recorded'}</span>
      ) : (
        <Value value={received} beside={value[0]?.[side === 'now' ? 'recorded' : 'now']} />
      )}
    </>
  );
}

function Whole({
  title,
  call,
  place,
  isReached,
}: {
  readonly title: string;
  readonly call: ComparedCall | undefined;
  readonly place: BranchPlace;
  readonly isReached: boolean;
}) {
  return (
    <div>
      <h4>{title}</h4>
      {call === undefined ? (
        <p>
          <NotThere isReached={isReached} />
        </p>
      ) : (
        <>
          <PlaceLink place={place} event={call.event}>
            Open the record
          </PlaceLink>
          {call.args === undefined ? undefined : (
            <Shown title="asked with">
              <JsonView label={`Arguments of ${title}`} value={call.args} depth={2} />
            </Shown>
          )}
          {call.value === undefined ? undefined : (
            <Shown title="received">
              <JsonView label={`Value of ${title}`} value={call.value} depth={2} />
            </Shown>
          )}
          {call.ending === undefined ? undefined : <p className={styles['none']}>{call.ending}</p>}
        </>
      )}
    </div>
  );
}
