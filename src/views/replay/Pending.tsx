/**
 * What the branch waits for: each open command with its arguments and why, and a form to supply what it would have received.
 *
 * Nothing is filled in by itself. The recorded answer is offered as starting text and named as what it is: an answer to other arguments.
 */
import { useState } from 'react';
import { lineToShown } from '../../core/base/shown-text.ts';
import type { JsonObject } from '../../core/base/json.ts';
import type { EventId } from '../../core/model/index.ts';
import { computeJsonDifferences } from '../../core/replay/json-diff.ts';
import type { CommandReport } from '../../core/replay/report-types.ts';
import { useShapeCheck } from '../../data/edit-view.ts';
import type { FoundAnswer } from '../../data/index.ts';
import { useFindAnswers } from '../../data/replay-view.ts';
import type { DraftSupply, DraftValue } from '../../state/replay-draft.ts';
import { Button } from '../../ui/Button.tsx';
import { FamilyIcon } from '../../ui/FamilyIcon.tsx';
import { StatusBadge } from '../../ui/Chip.tsx';
import { countOf } from '../../ui/format.ts';
import { JsonEditor } from '../../ui/JsonEditor.tsx';
import { JsonView } from '../../ui/JsonView.tsx';
import { jsonToText } from '../../ui/json-text.ts';
import { shapeToNote } from '../../ui/shape-words.ts';
import { notify } from '../../ui/notices.ts';
import { textToReplacement } from './draft-request.ts';
import { baseToWords } from './base-words.ts';
import { Evidence } from './Evidence.tsx';
import { JsonDiff } from './JsonDiff.tsx';
import { memberAt } from './facts.ts';
import { kindToFamily, kindToWords } from './kinds.ts';
import { ReasonPath } from './Links.tsx';
import { LiveCall } from './LiveCall.tsx';
import { FoundAnswers, Reuse } from './Reuse.tsx';
import { answersToStanding, listAsked } from './reuse-answers.ts';
import { orphanIdsIn, orphanIdsToSentence } from './orphan-ids.ts';
import { Segments } from './Segments.tsx';
import type { ReplayResult, ReplaySession } from './session.ts';
import { useRecordedCall } from './use-recorded-call.ts';
import { pendingToWords } from './words.ts';
import styles from './Pending.module.css';

/** Forms shown at once; the rest is counted. Supplying one often changes what the others ask. */
const mostForms = 8;

export interface PendingProps {
  readonly session: ReplaySession;
  readonly result: ReplayResult;
}

const pendingId = 'what-waits';

/** Brings the forms into sight, with the focus before them. */
export function goToPending(): void {
  const forms = document.getElementById(pendingId);
  forms?.focus({ preventScroll: true });
  forms?.scrollIntoView({ block: 'start' });
}

/** Commands a person can answer: what only waits for something inside it is answered there. */
export function listOpenCommands(commands: readonly CommandReport[]): readonly CommandReport[] {
  return commands.filter(
    ({ status, waitsFor, isOpen }) =>
      isOpen !== true && ((status === 'pending' && waitsFor !== 'waits-inside') || status === 'uncertain'),
  );
}

export function Pending({ session, result }: PendingProps) {
  const open = listOpenCommands(result.report.commands);
  const isOld = session.isResultOld;
  const reuse = useFindAnswers();
  const asked = listAsked(open);
  // After another replay the same path may ask something else: an answer belongs to the question it was searched for.
  const found =
    reuse.state.status === 'done'
      ? answersToStanding(reuse.state.ask, reuse.state.answer, asked)
      : new Map<string, readonly FoundAnswer[]>();
  const takeAll = (answers: readonly (readonly [path: string, answer: FoundAnswer])[]): void => {
    const digests = new Map(asked.map(({ path, args }) => [path, args]));
    const taken = answers.map(([path, answer]) => ({
      path,
      from: answerToOrigin(answer),
      asked: digests.get(path),
      ...answerToValue(answer),
    }));
    const paths = new Set(taken.map(({ path }) => path));
    session.replay(
      session.change((now) => ({
        ...now,
        supplies: [...now.supplies.filter(({ path }) => !paths.has(path)), ...taken],
      })),
    );
  };
  const outer = result.report.commands.filter(
    ({ waitsFor, isOpen }) => waitsFor === 'waits-inside' && isOpen !== true,
  ).length;
  if (open.length === 0) return undefined;
  return (
    <section id={pendingId} tabIndex={-1} className={styles['pending']} aria-label="What the branch waits for">
      <h3>
        {countOf(open.length, 'command waits', 'commands wait')} for an answer that no record has
        {outer === 0 ? '' : `; ${outer} more ${outer === 1 ? 'waits' : 'wait'} for what is inside`}
      </h3>
      <p className={styles['lead']}>
        The branch stops here. Write what the outside would have answered and the replay goes on; what you write is kept
        as supplied by you.
      </p>
      <Reuse result={result} asked={asked} found={found} isOld={isOld} job={reuse} onTakeAll={takeAll} />
      {open.slice(0, mostForms).map((command) => (
        <Form
          key={`${result.report.branch} ${command.path}`}
          session={session}
          command={command}
          isOld={isOld}
          orphans={result.report.orphanEffects}
          elsewhere={found.get(command.path) ?? []}
        />
      ))}
      {open.length > mostForms ? (
        <p className={styles['lead']}>
          And {countOf(open.length - mostForms, 'more')}; they come up as these are answered.
        </p>
      ) : undefined}
    </section>
  );
}

function answerToOrigin({ run, event }: FoundAnswer): JsonObject {
  return { origin: 'other-run', run, event };
}

function answerToValue({ outcome }: FoundAnswer): DraftValue {
  return 'value' in outcome
    ? { as: 'value', text: jsonToText(outcome.value) }
    : { as: 'error', text: jsonToText(outcome.error) };
}

interface FormProps {
  readonly session: ReplaySession;
  readonly command: CommandReport;
  readonly isOld: boolean;
  /** What the world has and the branch does not. */
  readonly orphans: ReplayResult['report']['orphanEffects'];
  /** What other runs received. */
  readonly elsewhere: readonly FoundAnswer[];
}

function Form({ session, command, isOld, orphans, elsewhere }: FormProps) {
  const { path, kind, name, status, waitsFor, args, argsDigest, event, reasons } = command;
  const [value, setValue] = useState<DraftValue>({ as: 'value', text: '' });
  const [start, setStart] = useState<'recorded' | 'evidence' | 'evidence without text'>();
  const [taken, setTaken] = useState<DraftValue & { readonly from: JsonObject }>();
  const [isAsking, setAsking] = useState(false);
  const [evidence, setEvidence] = useState<EventId>();
  const recorded = useRecordedCall(session, event);
  const base = baseToWords(session.branch);
  const replacement = value.text.trim() === '' ? undefined : textToReplacement(value);
  const typed = replacement?.ok === true && 'value' in replacement.value ? replacement.value.value : undefined;
  const check = useShapeCheck(
    { ...session, commands: session.preview.data?.items },
    { kind, name, recorded: recorded.value, typed },
  );
  // What a person changed is theirs, and no answer of a model or of another run any more.
  const from = taken !== undefined && taken.as === value.as && taken.text === value.text ? taken.from : undefined;
  const take = (next: DraftValue, origin: JsonObject): void => {
    setStart(undefined);
    setEvidence(undefined);
    setValue(next);
    setTaken({ ...next, from: origin });
  };
  const supply = (): void => {
    const next: DraftSupply = {
      path,
      ...value,
      ...(evidence === undefined ? {} : { evidence }),
      ...(from === undefined ? {} : { from, asked: argsDigest }),
    };
    const draft = session.change((now) => ({
      ...now,
      supplies: [...now.supplies.filter((one) => one.path !== path), next],
    }));
    session.replay(draft);
  };
  const canSupply = replacement?.ok === true && session.state.status !== 'running' && !isOld;
  const strays = orphanIdsIn(typed, orphans);
  const notes = strays.length === 0 ? check.problems : [...check.problems, orphanIdsToSentence(strays)];
  const problems = replacement === undefined ? [] : replacement.ok ? notes : [replacement.error];
  const type = (text: string): void => {
    setValue({ as: value.as, text });
    if (text === '') setStart((now) => (now === 'evidence without text' ? now : undefined));
  };
  return (
    <article className={styles['form']} aria-label={`${lineToShown(name)} waits`}>
      <header>
        <FamilyIcon family={kindToFamily(kind)} effect={kind === 'write'} />
        <div>
          <h4>
            {kindToWords(kind)} {lineToShown(name)}
          </h4>
          <p className={styles['path']}>{lineToShown(path)}</p>
        </div>
        <StatusBadge status={status === 'uncertain' ? 'uncertain' : waitsFor === 'suspect' ? 'suspect' : 'pending'} />
      </header>
      <p>{pendingToWords(waitsFor ?? 'inserted')}</p>
      <ReasonPath reasons={reasons} />
      <div className={styles['asks']}>
        <h5>It asks</h5>
        {args === undefined ? (
          <p className={styles['path']}>no arguments</p>
        ) : (
          <div className={styles['value']}>
            <JsonView label={`Arguments of ${lineToShown(name)}`} value={args} />
          </div>
        )}
        {kind === 'model' && memberAt(args, 'earlier') !== undefined && memberAt(args, 'messages') !== undefined ? (
          <p className={styles['path']}>
            messages: what is new since the last request; earlier: a print of all that was said before it, two numbers
            by which conversations are told apart
          </p>
        ) : undefined}
        {args !== undefined && recorded.args !== undefined ? (
          <JsonDiff
            label="Asked otherwise"
            differences={computeJsonDifferences(recorded.args, args)}
            before={base.name}
            after="this branch"
          />
        ) : undefined}
      </div>
      <div className={styles['answer']}>
        <div className={styles['bar']}>
          <Segments
            label="It receives"
            items={[
              { id: 'value', label: 'a value' },
              { id: 'error', label: 'an error' },
            ]}
            selected={value.as}
            onSelect={(as) => {
              setStart(undefined);
              setTaken(undefined);
              setValue({ as, text: as === 'error' ? jsonToText({ name: 'Error', message: '' }) : '' });
            }}
          />
          {recorded.value === undefined ? undefined : (
            <Button
              icon="copy"
              onPress={() => {
                setTaken(undefined);
                setStart('recorded');
                setValue({ as: 'value', text: jsonToText(recorded.value ?? null) });
              }}
            >
              Start from the recorded answer
            </Button>
          )}
          {kind === 'model' ? (
            <Button icon="share" onPress={() => setAsking(true)}>
              Ask a model
            </Button>
          ) : undefined}
        </div>
        {status === 'uncertain' ? (
          <Evidence
            session={session}
            path={path}
            chosen={evidence}
            onChoose={(proof, text) => {
              setEvidence(proof);
              setTaken(undefined);
              setStart(text === '' ? 'evidence without text' : 'evidence');
              setValue({ as: 'value', text });
            }}
          />
        ) : undefined}
        <FoundAnswers name={name} answers={elsewhere} onTake={(one) => take(answerToValue(one), answerToOrigin(one))} />
        <JsonEditor
          label={`Answer to ${lineToShown(name)}`}
          text={value.text}
          onText={type}
          onSubmit={canSupply ? supply : doNothing}
          problems={problems}
          note={
            taken !== undefined
              ? takenToNote(taken.from, from !== undefined)
              : start === 'recorded'
                ? `The starting text is the recorded answer of ${base.phrase} at this place; it answered other arguments. Change what would be different.`
                : start === 'evidence'
                  ? 'The starting text is what the service recorded about this effect. Where that is not its whole answer, complete it.'
                  : start === 'evidence without text' && value.text === ''
                    ? 'The record of the service proves the effect and holds no answer. Write the one the program would have received.'
                    : typed === undefined
                      ? undefined
                      : shapeToNote(check)
          }
        />
        <div className={styles['bar']}>
          <Button kind="primary" isDisabled={!canSupply} onPress={supply}>
            {evidence === undefined ? 'Supply and continue' : 'Adopt and continue'}
          </Button>
          {isOld ? (
            <span className={styles['path']}>
              {session.reading.changes === 0
                ? 'The change that led here was taken back.'
                : 'Replay the changed edit first.'}
            </span>
          ) : undefined}
        </div>
      </div>
      {isAsking ? (
        <LiveCall
          session={session}
          path={path}
          name={name}
          args={args}
          seen={recorded.value}
          onAnswer={(answer, call) => take({ as: 'value', text: jsonToText(answer) }, { origin: 'live', call })}
          onClose={() => setAsking(false)}
        />
      ) : undefined}
    </article>
  );
}

function takenToNote(from: JsonObject, isAsTaken: boolean): string {
  const what = from['origin'] === 'live' ? 'the answer of the model' : 'the answer of another run';
  return isAsTaken
    ? `This is ${what}, as it came. It is kept as such, with where it is from.`
    : `You changed ${what}: it is kept as supplied by you.`;
}

/** Ctrl+Enter in an answer that cannot be given: not the replay of the page, which would ask for it again. */
function doNothing(): void {
  notify('Write an answer first, then it can be supplied.');
}
