/**
 * External effects, one a command: what control code asked for, what the service told, what came back, what was kept.
 *
 * Executed twice is told from recorded twice, uncertain from not executed; no cell is filled from another.
 */
import { Fragment } from 'react';
import { lineToShown, nameToShown } from '../../core/base/shown-text.ts';
import type { EventId } from '../../core/model/index.ts';
import { capitalise, verdictToText } from '../../core/projections/effects/words.ts';
import { agentToText } from '../../core/projections/title-words.ts';
import type { EffectAttempt, EffectRow, RowVerdict } from '../../core/projections/trace-reader.ts';
import { useEffectRows, useHeadline } from '../../data/index.ts';
import { Awaited } from '../../ui/Awaited.tsx';
import { Chip, DoesNotApply, NotRecorded, type Tone } from '../../ui/Chip.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { countOf } from '../../ui/format.ts';
import { FamilyIcon } from '../../ui/FamilyIcon.tsx';
import { Icon, type IconName } from '../../ui/Icons.tsx';
import { StepIn } from './StepIn.tsx';
import { Message } from '../../ui/Message.tsx';
import { More } from '../../ui/More.tsx';
import { Explained } from '../../ui/Term.tsx';
import { EventIdLink } from './EventLink.tsx';
import type { Explorer } from './explorer.ts';
import styles from './Effects.module.css';

const verdictTones: Readonly<Record<RowVerdict, Tone>> = {
  'executed once': 'ok',
  'executed twice': 'effect',
  'not executed': 'neutral',
  uncertain: 'warning',
  missing: 'danger',
  'not decidable in this copy': 'neutral',
};

export function Effects({ explorer }: { readonly explorer: Explorer }) {
  const effects = useEffectRows(explorer.trace, explorer.branch);
  const leftOut = useHeadline(explorer.trace, explorer.branch).data?.leftOut;
  const { data } = effects;
  if (data === undefined) return <Awaited of={effects} label="Reading the effects" />;
  if (data.length === 0 && leftOut !== undefined) {
    return (
      <Message title="Not decidable in this copy" icon="info">
        No external effect is among what is here; {countOf(leftOut, 'event')} of this branch{' '}
        {leftOut === 1 ? 'is' : 'are'} left out of this copy.
      </Message>
    );
  }
  if (data.length === 0) {
    return (
      <Message title="No external effect is on record" icon="share">
        No command of this branch is declared to act outside the system. What a tool did without declaring it is not
        recorded.
      </Message>
    );
  }
  return (
    <section className={styles['effects']} aria-label="Effects">
      <More items={data} noun="effect" wanted={data.findIndex((row) => isOfEffect(row, explorer.event))}>
        {(part) => part.map((row) => <Effect key={row.command} row={row} explorer={explorer} />)}
      </More>
    </section>
  );
}

function isOfEffect(row: EffectRow, event: EventId | undefined): boolean {
  return event !== undefined && row.attempts.some((attempt) => attemptToEvents(attempt).includes(event));
}

function Effect({ row, explorer }: { readonly row: EffectRow; readonly explorer: Explorer }) {
  const isHere = isOfEffect(row, explorer.event);
  return (
    <article
      className={styles['effect']}
      data-here={isHere}
      aria-label={`${nameToShown(row.tool)}: ${verdictToText(row)}`}
    >
      <header>
        <FamilyIcon family={row.stopped === undefined ? 'effect' : 'tool'} effect={row.stopped === undefined} />
        <h3>
          {nameToShown(row.tool)}
          {row.target === undefined ? undefined : <span> → {nameToShown(row.target)}</span>}
        </h3>
        <span className={styles['badges']}>
          <Chip tone={row.noServiceRecords && row.verdict === 'executed once' ? 'neutral' : verdictTones[row.verdict]}>
            <Explained text={verdictToText(row)} />
          </Chip>
          {row.recordedTwice ? <Chip tone="warning">recorded twice</Chip> : undefined}
          {row.noServiceRecords && row.stopped === undefined && row.verdict !== 'not decidable in this copy' ? (
            <Chip tone="warning">no service records</Chip>
          ) : undefined}
        </span>
      </header>
      {row.args === undefined ? undefined : (
        <p className={styles['args']} title="What it was called with">
          {row.args}
        </p>
      )}
      {row.undecided === undefined ? undefined : <p className={styles['undecided']}>{capitalise(row.undecided)}.</p>}
      <dl className={styles['facts']}>
        <div>
          <dt>Made outside</dt>
          <dd>
            {row.effectIds.length === 0 ? (
              row.verdict === 'not executed' ? (
                'nothing'
              ) : (
                <NotRecorded />
              )
            ) : (
              row.effectIds.map((id) => (
                <Chip key={id} tone="effect" mono>
                  {nameToShown(id)}
                </Chip>
              ))
            )}
          </dd>
        </div>
        <div>
          <dt>Chosen by</dt>
          <dd>
            {row.chosenIn === undefined ? undefined : <>{row.chosenIn} </>}
            {row.chosenBy === undefined ? <NotRecorded /> : <EventIdLink explorer={explorer} event={row.chosenBy} />}
          </dd>
        </div>
        <div>
          <dt>Agent</dt>
          <dd title={row.agent === undefined ? undefined : lineToShown(row.agent)}>
            {row.agent === undefined ? <NotRecorded /> : (row.agentName ?? agentToText(row.agent))}
          </dd>
        </div>
        <div>
          <dt>Authority</dt>
          <dd>{row.principal === undefined ? <NotRecorded /> : nameToShown(row.principal)}</dd>
        </div>
      </dl>
      <DataTable label={`Attempts of ${lineToShown(row.tool)}`} place="plain" className={styles['table']}>
        <thead>
          <tr>
            <th scope="col">Attempt</th>
            <th scope="col">Dispatched</th>
            <th scope="col">The service told</th>
            <th scope="col">Acknowledged</th>
            <th scope="col">Persisted</th>
            <th scope="col">Status</th>
          </tr>
        </thead>
        <tbody>
          {row.attempts.map((attempt, at) => (
            <Fragment key={at}>
              <Attempt attempt={attempt} at={at} row={row} explorer={explorer} />
              <KeyOfAttempt attempt={attempt} />
            </Fragment>
          ))}
        </tbody>
      </DataTable>
      <p className={styles['command']} title="The identity of the command in the control program">
        command {lineToShown(row.command)}
      </p>
    </article>
  );
}

function attemptToEvents(attempt: EffectAttempt): readonly string[] {
  const { dispatched, committed, deduplicated, refused, dropped, acknowledged, completed, persisted, failed } = attempt;
  return [
    ...committed,
    ...deduplicated,
    ...refused,
    ...dropped,
    dispatched,
    acknowledged,
    completed,
    persisted,
    failed,
  ].filter((event) => event !== undefined);
}

interface AttemptProps {
  readonly attempt: EffectAttempt;
  readonly at: number;
  readonly row: EffectRow;
  readonly explorer: Explorer;
}

function Attempt({ attempt, at, row, explorer }: AttemptProps) {
  const answer = attempt.acknowledged ?? attempt.completed;
  const told = [
    ...attempt.committed.map((event) => ({ event, word: 'committed' })),
    ...attempt.deduplicated.map((event) => ({ event, word: 'saved answer' })),
    ...attempt.refused.map((event) => ({ event, word: 'refused' })),
    ...attempt.dropped.map((event) => ({ event, word: 'dropped' })),
  ];
  return (
    <tr>
      <th scope="row">
        {/* Each life counts its own attempts from one: their order here tells them apart. */}
        {attempt.isUnassigned === true ? (
          <span title="These records belong to the command and do not say to which of its attempts">
            attempt not recorded
          </span>
        ) : (
          <>
            <b
              title={attempt.attempt === undefined ? undefined : `attempt ${attempt.attempt} of its life, as recorded`}
            >
              {at + 1}
            </b>
            {attempt.life === undefined ? undefined : <span>{nameToShown(attempt.life)}</span>}
            {attempt.key === undefined ? <span>no key</span> : undefined}
          </>
        )}
      </th>
      <td>
        <Cell event={attempt.dispatched} word="dispatched" explorer={explorer} />
      </td>
      <td>
        {told.length === 0 ? (
          attempt.stopped !== undefined ? (
            <DoesNotApply />
          ) : row.noServiceRecords ? (
            <NotRecorded />
          ) : (
            <span className={styles['none']}>none told</span>
          )
        ) : undefined}
        {told.map(({ event, word }) => (
          <Cell key={event} event={event} word={word} isEffect={word === 'committed'} explorer={explorer} />
        ))}
      </td>
      <td>
        {answer === undefined && attempt.failed !== undefined ? (
          <Cell event={attempt.failed} word={attempt.ending ?? 'failed'} sign="close" explorer={explorer} />
        ) : (
          <Cell event={answer} word={answerToWord(attempt)} absence={attempt.absence} explorer={explorer} />
        )}
      </td>
      <td>
        {attempt.persisted === undefined && attempt.status === 'not executed' ? (
          <DoesNotApply />
        ) : (
          <Cell event={attempt.persisted} word="persisted" absence={attempt.absence} explorer={explorer} />
        )}
      </td>
      <td>
        <AttemptStatus attempt={attempt} isByCaller={row.noServiceRecords} />
        {attempt.canStepIn === true ? <StepIn /> : undefined}
      </td>
    </tr>
  );
}

/** The key in a row of its own: it is long, and it is what two attempts are told apart by. */
function KeyOfAttempt({ attempt }: { readonly attempt: EffectAttempt }) {
  if (attempt.key === undefined || attempt.isUnassigned === true) return undefined;
  return (
    <tr className={styles['key']}>
      <td colSpan={6}>key {lineToShown(attempt.key)}</td>
    </tr>
  );
}

/** Only a service acknowledges; what a person put into a replay is supplied. */
function answerToWord({ late, answeredBy }: EffectAttempt): string {
  if (answeredBy === 'person') return 'supplied by a person';
  return late ? 'late' : 'acknowledged';
}

/** Without a record of the service an answer is known, and an execution is not. */
function AttemptStatus({ attempt, isByCaller }: { readonly attempt: EffectAttempt; readonly isByCaller: boolean }) {
  const { stopped, status } = attempt;
  if (isByCaller && status === 'executed') return <Chip tone="neutral">answered</Chip>;
  const tone = status === 'executed' ? 'ok' : status === 'uncertain' ? 'warning' : 'neutral';
  return <Chip tone={tone}>{stopped ?? status}</Chip>;
}

interface CellProps {
  readonly event: EventId | undefined;
  readonly word: string;
  readonly isEffect?: boolean;
  readonly sign?: IconName;
  /** What a finding says of a record that is not here. */
  readonly absence?: EffectAttempt['absence'];
  readonly explorer: Explorer;
}

function Cell({ event, word, isEffect = false, sign = 'check', absence, explorer }: CellProps) {
  if (event === undefined)
    return absence === undefined ? (
      <NotRecorded />
    ) : (
      <Chip tone="warning">
        <Explained text={absence} />
      </Chip>
    );
  return (
    <button
      type="button"
      className={styles['cell']}
      data-effect={isEffect}
      aria-current={event === explorer.event}
      title={lineToShown(event)}
      onClick={() => explorer.select(event)}
    >
      <Icon name={sign} size={12} />
      {word}
    </button>
  );
}
