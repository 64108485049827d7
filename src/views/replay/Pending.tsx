/**
 * What the branch waits for: each open command with its arguments and why, and a form to supply what it would have received.
 *
 * Nothing is filled in by itself. The recorded answer is offered as starting text and named as what it is: an answer to other arguments.
 */
import { useState } from 'react';
import type { EventId } from '../../core/model/index.ts';
import { computeJsonDifferences } from '../../core/replay/json-diff.ts';
import type { CommandReport } from '../../core/replay/report-types.ts';
import { useEffectRows, useInspections } from '../../data/index.ts';
import type { DraftSupply, DraftValue } from '../../state/replay-draft.ts';
import { Button } from '../../ui/Button.tsx';
import { FamilyIcon } from '../../ui/FamilyIcon.tsx';
import { StatusBadge } from '../../ui/Chip.tsx';
import { countOf } from '../../ui/format.ts';
import { JsonEditor } from '../../ui/JsonEditor.tsx';
import { JsonView } from '../../ui/JsonView.tsx';
import { jsonToText } from '../../ui/json-text.ts';
import { textToReplacement } from './draft-request.ts';
import { memberAt } from './facts.ts';
import { JsonDiff } from './JsonDiff.tsx';
import { kindToFamily, kindToWords } from './kinds.ts';
import { EventRef, ReasonPath } from './Links.tsx';
import { Segments } from './Segments.tsx';
import type { ReplayResult, ReplaySession } from './session.ts';
import { useRecordedCall } from './use-recorded-call.ts';
import { useShapeCheck } from './use-shape-check.ts';
import { pendingToWords } from './words.ts';
import styles from './Pending.module.css';

/** Forms shown at once; the rest is counted. Supplying one often changes what the others ask. */
const mostForms = 8;

export interface PendingProps {
  readonly session: ReplaySession;
  readonly result: ReplayResult;
}

/** Commands a person can answer: what only waits for something inside it is answered there. */
export function listOpenCommands(commands: readonly CommandReport[]): readonly CommandReport[] {
  return commands.filter(
    ({ status, waitsFor }) => (status === 'pending' && waitsFor !== 'waits-inside') || status === 'uncertain',
  );
}

export function Pending({ session, result }: PendingProps) {
  const open = listOpenCommands(result.report.commands);
  const isOld = session.isResultOld;
  const outer = result.report.commands.filter(({ waitsFor }) => waitsFor === 'waits-inside').length;
  if (open.length === 0) return undefined;
  return (
    <section className={styles['pending']} aria-label="What the branch waits for">
      <h3>
        {countOf(open.length, 'command waits', 'commands wait')} for an answer that no record has
        {outer === 0 ? '' : `; ${outer} more ${outer === 1 ? 'waits' : 'wait'} for what is inside`}
      </h3>
      <p className={styles['lead']}>
        The branch stops here. Write what the outside would have answered and the replay goes on; what you write is kept
        as supplied by you.
      </p>
      {open.slice(0, mostForms).map((command) => (
        <Form key={`${result.report.branch} ${command.path}`} session={session} command={command} isOld={isOld} />
      ))}
      {open.length > mostForms ? (
        <p className={styles['lead']}>
          And {countOf(open.length - mostForms, 'more')}; they come up as these are answered.
        </p>
      ) : undefined}
    </section>
  );
}

interface FormProps {
  readonly session: ReplaySession;
  readonly command: CommandReport;
  readonly isOld: boolean;
}

function Form({ session, command, isOld }: FormProps) {
  const { path, kind, name, status, waitsFor, args, event, reasons } = command;
  const [value, setValue] = useState<DraftValue>({ as: 'value', text: '' });
  const [start, setStart] = useState<'recorded' | 'evidence'>();
  const [evidence, setEvidence] = useState<EventId>();
  const recorded = useRecordedCall(session, event);
  const replacement = value.text.trim() === '' ? undefined : textToReplacement(value);
  const typed = replacement?.ok === true && 'value' in replacement.value ? replacement.value.value : undefined;
  const check = useShapeCheck(session, { kind, name, recorded: recorded.value, typed });
  const supply = (): void => {
    const next: DraftSupply = { path, ...value, ...(evidence === undefined ? {} : { evidence }) };
    const draft = session.change((now) => ({
      ...now,
      supplies: [...now.supplies.filter((one) => one.path !== path), next],
    }));
    session.replay(draft);
  };
  const problems = replacement === undefined ? [] : replacement.ok ? check.problems : [replacement.error];
  const type = (text: string): void => {
    setValue({ as: value.as, text });
    if (text === '') setStart(undefined);
  };
  return (
    <article className={styles['form']} aria-label={`${name} waits`}>
      <header>
        <FamilyIcon family={kindToFamily(kind)} effect={kind === 'write'} />
        <div>
          <h4>
            {kindToWords(kind)} {name}
          </h4>
          <p className={styles['path']}>{path}</p>
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
            <JsonView label={`Arguments of ${name}`} value={args} />
          </div>
        )}
        {args !== undefined && recorded.args !== undefined ? (
          <JsonDiff
            label="Asked otherwise"
            differences={computeJsonDifferences(recorded.args, args)}
            before="original"
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
              setValue({ as, text: as === 'error' ? jsonToText({ name: 'Error', message: '' }) : '' });
            }}
          />
          {recorded.value === undefined ? undefined : (
            <Button
              icon="copy"
              onPress={() => {
                setStart('recorded');
                setValue({ as: 'value', text: jsonToText(recorded.value ?? null) });
              }}
            >
              Start from the recorded answer
            </Button>
          )}
        </div>
        {status === 'uncertain' ? (
          <Evidence
            session={session}
            path={path}
            chosen={evidence}
            onChoose={(proof, text) => {
              setEvidence(proof);
              setStart('evidence');
              setValue({ as: 'value', text });
            }}
          />
        ) : undefined}
        <JsonEditor
          label={`Answer to ${name}`}
          text={value.text}
          onText={type}
          problems={problems}
          note={
            start === 'recorded'
              ? 'The starting text is the recorded answer of the original at this place; it answered other arguments. Change what would be different.'
              : start === 'evidence'
                ? 'The starting text is what the service recorded about this effect. Where that is not its whole answer, complete it.'
                : typed === undefined || check.basis === ''
                  ? undefined
                  : `${check.problems.length === 0 ? 'Fits' : 'Checked against'} ${check.basis}.`
          }
        />
        <div className={styles['bar']}>
          <Button
            kind="primary"
            isDisabled={replacement?.ok !== true || session.state.status === 'running' || isOld}
            onPress={supply}
          >
            {evidence === undefined ? 'Supply and continue' : 'Adopt and continue'}
          </Button>
          {isOld ? <span className={styles['path']}>Replay the changed edit first.</span> : undefined}
        </div>
      </div>
    </article>
  );
}

interface EvidenceProps {
  readonly session: ReplaySession;
  readonly path: string;
  readonly chosen: EventId | undefined;
  readonly onChoose: (event: EventId, text: string) => void;
}

/** Records of the service that prove an uncertain effect; adopting one is always a person's act (replay 3.8). */
function Evidence({ session, path, chosen, onChoose }: EvidenceProps) {
  const effects = useEffectRows(session.trace, session.branch);
  const row = effects.data?.find(({ command }) => command === path);
  const proofs = row?.attempts.flatMap(({ committed, deduplicated }) => [...committed, ...deduplicated]) ?? [];
  const inspections = useInspections(session.trace, session.branch, proofs);
  if (proofs.length === 0) return <p className={styles['path']}>No record of the service proves or denies it.</p>;
  return (
    <ul className={styles['evidence']} aria-label="Evidence in the ledger">
      {proofs.map((event, n) => {
        const data = memberAt(inspections[n]?.event, 'data');
        const text = jsonToText(
          memberAt(data, 'response') ?? memberAt(data, 'result') ?? memberAt(data, 'effect') ?? null,
        );
        return (
          <li key={event}>
            <EventRef event={event} />
            <Button isDisabled={chosen === event} onPress={() => onChoose(event, text)}>
              Adopt as evidence
            </Button>
          </li>
        );
      })}
    </ul>
  );
}
