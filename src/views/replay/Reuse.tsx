/**
 * Answers of other recorded runs to the very same questions: searched for when a person asks, kind by kind, and never taken by itself.
 * Effects, timers and signals are not among them: what happened elsewhere did not happen here.
 */
import { useState } from 'react';
import { lineToShown } from '../../core/base/shown-text.ts';
import {
  type AnswerAsk,
  type AnswerProgress,
  type AnswersFound,
  type FoundAnswer,
  type ReusableKind,
  useTraces,
} from '../../data/index.ts';
import type { Job } from '../../data/replay-view.ts';
import { eventId } from '../../core/model/index.ts';
import { traceLocation, useNavigation } from '../../state/location.ts';
import { Button } from '../../ui/Button.tsx';
import { Checkbox } from '../../ui/Field.tsx';
import { countOf, countToText } from '../../ui/format.ts';
import { jsonToLine } from '../../ui/json-text.ts';
import type { ReplayResult } from './session.ts';
import styles from './Pending.module.css';

export type ReuseJob = Job<AnswerAsk, AnswerProgress, AnswersFound>;

const kinds: readonly { readonly id: ReusableKind; readonly label: string }[] = [
  { id: 'model', label: 'model calls' },
  { id: 'read', label: 'reads' },
];

export interface ReuseProps {
  readonly result: ReplayResult;
  /** What waits and can be asked of other runs. */
  readonly asked: AnswerAsk['commands'];
  /** What they answered to it. */
  readonly found: ReadonlyMap<string, readonly FoundAnswer[]>;
  /** The change on the left is another one: nothing is continued from here. */
  readonly isOld: boolean;
  readonly job: ReuseJob;
  /** Takes every answer that is the only one to its question. */
  readonly onTakeAll: (answers: readonly (readonly [path: string, answer: FoundAnswer])[]) => void;
}

export function Reuse({ result, asked, found, isOld, job, onTakeAll }: ReuseProps) {
  const traces = useTraces();
  const [chosen, setChosen] = useState<ReadonlySet<ReusableKind>>(new Set());
  if (asked.length === 0) return undefined;
  const { state } = job;
  const search = (): void => {
    job
      .start({
        run: result.report.run,
        traces: (traces.data ?? []).map(({ id, name }) => ({ trace: id, name })),
        commands: asked.filter(({ kind }) => chosen.has(kind)),
      })
      .catch(reportError);
  };
  const single = [...found].flatMap(([path, answers]) => {
    const [only, ...others] = answers;
    return only === undefined || others.length > 0 ? [] : [[path, only] as const];
  });
  return (
    <div className={styles['reuse']} role="group" aria-label="Answers of other recorded runs">
      <div className={styles['bar']}>
        <span>Look in other recorded runs for answers to the same question:</span>
        {kinds
          .filter(({ id }) => asked.some(({ kind }) => kind === id))
          .map(({ id, label }) => (
            <Checkbox
              key={id}
              isSelected={chosen.has(id)}
              onChange={(isOn) =>
                setChosen((now) => new Set(isOn ? [...now, id] : [...now].filter((one) => one !== id)))
              }
            >
              {label} ({countToText(asked.filter(({ kind }) => kind === id).length)})
            </Checkbox>
          ))}
        {state.status === 'running' ? (
          <Button onPress={job.cancel}>Cancel</Button>
        ) : (
          <Button icon="search" isDisabled={chosen.size === 0 || traces.data === undefined} onPress={search}>
            Look
          </Button>
        )}
      </div>
      <p className={styles['path']} role="status">
        {state.status === 'running'
          ? `Looking: ${countToText(state.progress?.done ?? 0)} of ${countOf(state.ask.traces.length, 'trace')}.`
          : state.status === 'failed'
            ? state.message
            : state.status === 'done'
              ? foundToSentence(state.answer)
              : ''}
      </p>
      {single.length > 1 ? (
        <div className={styles['bar']}>
          <Button isDisabled={isOld} onPress={() => onTakeAll(single)}>
            Take the {countOf(single.length, 'answer')} that stand alone, and continue
          </Button>
        </div>
      ) : undefined}
    </div>
  );
}

function foundToSentence({ byPath, looked, notRead }: AnswersFound): string {
  const paths = Object.keys(byPath).length;
  const what = paths === 0 ? 'No other run asked the same' : `${countOf(paths, 'command')} asked the same elsewhere`;
  const rest = notRead.length === 0 ? '' : ` ${countOf(notRead.length, 'trace')} could not be read.`;
  return `${what}: ${countOf(looked, 'trace')} looked through.${rest}`;
}

export interface FoundAnswersProps {
  readonly name: string;
  readonly answers: readonly FoundAnswer[];
  readonly onTake: (answer: FoundAnswer) => void;
}

/** What other runs received, each different answer once. */
export function FoundAnswers({ name, answers, onTake }: FoundAnswersProps) {
  const { hrefOf } = useNavigation();
  if (answers.length === 0) return undefined;
  return (
    <ul className={styles['evidence']} aria-label={`Answers of other runs to ${lineToShown(name)}`}>
      {answers.map((answer) => {
        const { trace, traceName, event, outcome, more } = answer;
        return (
          <li key={`${trace} ${event}`}>
            <span>
              <code>{jsonToLine('value' in outcome ? outcome.value : outcome.error, 120)}</code>{' '}
              <a href={hrefOf({ ...traceLocation(trace), event: eventId(event) })}>{traceName}</a>
              {more === 0 ? '' : ` and ${countOf(more, 'more record')}`}
            </span>
            <Button onPress={() => onTake(answer)}>Take this answer</Button>
          </li>
        );
      })}
    </ul>
  );
}
