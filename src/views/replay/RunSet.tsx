/**
 * A changed program over many recorded runs: which runs, the one press that starts it, and one verdict a run (replay 3.10).
 *
 * The program is the one on the left, as it is typed. The same set of runs has the same digest whatever the program, so that two programs
 * can be compared over it.
 */
import { useState } from 'react';
import { type TraceRecord, useTraces } from '../../data/index.ts';
import { Button } from '../../ui/Button.tsx';
import { Checkbox, Field } from '../../ui/Field.tsx';
import { countOf, countToText } from '../../ui/format.ts';
import { Message } from '../../ui/Message.tsx';
import { announce } from '../../ui/notices.ts';
import { Waiting } from '../../ui/Progress.tsx';
import { JobProgress } from './JobProgress.tsx';
import { RunSetResult } from './RunSetResult.tsx';
import type { ReplaySession } from './session.ts';
import type { SetSession } from './set-session.ts';
import styles from './Sheet.module.css';

export interface RunSetProps {
  readonly session: ReplaySession;
  readonly set: SetSession;
  readonly onProgram: () => void;
}

export function RunSet({ session, set, onProgram }: RunSetProps) {
  const traces = useTraces();
  if (traces.error !== null) {
    return (
      <Message title="The library could not be read" tone="problem" icon="warning">
        {traces.error.message}
      </Message>
    );
  }
  if (traces.data === undefined) return <Waiting label="Reading the library" />;
  const { state, cancel } = set.job;
  return (
    <section className={styles['sheet']} aria-label="Recorded runs">
      <Choice session={session} set={set} traces={traces.data} onProgram={onProgram} />
      {state.status === 'running' ? (
        <JobProgress
          label="Replaying the set"
          what={progressToText(state.progress)}
          share={
            state.progress === undefined || state.progress.of === 0
              ? undefined
              : state.progress.done / state.progress.of
          }
          onCancel={cancel}
        />
      ) : undefined}
      {state.status === 'failed' ? (
        <Message title="The set was not replayed" tone="problem" icon="warning">
          {state.message}
        </Message>
      ) : undefined}
      {state.status === 'done' ? (
        <RunSetResult answer={state.answer} isOld={state.ask.program !== programOf(session)} />
      ) : undefined}
    </section>
  );
}

function programOf({ draft, facts }: ReplaySession): string | undefined {
  return draft.program ?? facts.program.source;
}

function progressToText(
  progress: NonNullable<Extract<SetSession['job']['state'], { status: 'running' }>['progress']> | undefined,
): string {
  if (progress === undefined || progress.of === 0) return 'Reading the runs';
  const { done, of, commands, row } = progress;
  const now = row === undefined ? `${countOf(commands, 'command')} issued` : `${row.name}: ${row.verdict}`;
  return `${countToText(done)} of ${countOf(of, 'run')} replayed. ${now}`;
}

interface ChoiceProps extends RunSetProps {
  readonly traces: readonly TraceRecord[];
}

function Choice({ session, set, traces, onProgram }: ChoiceProps) {
  const [text, setText] = useState('');
  const { chosen, choose, job } = set;
  const program = programOf(session);
  const isChanged = session.draft.program !== undefined;
  const here = traces.filter(({ id }) => chosen.has(id));
  const runs = here.reduce((sum, trace) => sum + trace.runs, 0);
  const wanted = text.trim().toLowerCase();
  const shown = traces.filter(({ name }) => wanted === '' || name.toLowerCase().includes(wanted));
  const full = traces.filter(isFull);
  const switchOne = (trace: TraceRecord, isOn: boolean): void =>
    choose(isOn ? [...chosen, trace.id] : [...chosen].filter((id) => id !== trace.id));
  const run = (): void => {
    if (program === undefined) return;
    job.start({ program, traces: here.map(({ id, name }) => ({ trace: id, name })) }).then((answer) => {
      if (answer !== undefined) announce(`${countOf(answer.rows.length, 'run')} replayed`);
    }, reportError);
  };
  return (
    <>
      <header className={styles['head']}>
        <h2>One program over many recorded runs</h2>
        <p>
          {program === undefined
            ? 'This trace has no control program. Bring one on the left, then it is run over the runs chosen here.'
            : isChanged
              ? 'The program as you changed it on the left is run over each run chosen here, against what that run recorded. Nothing is sent.'
              : 'The program is the recorded one, unchanged. Change it on the left to see how the change fares over runs that were recorded.'}
        </p>
        <div className={styles['bar']}>
          <Button
            kind="primary"
            icon="replay"
            isDisabled={program === undefined || here.length === 0 || job.state.status === 'running'}
            onPress={run}
          >
            Replay {countOf(runs, 'run')}
          </Button>
          <Button icon="pencil" onPress={onProgram}>
            {isChanged ? 'Show the changed program' : 'Change the program'}
          </Button>
        </div>
      </header>
      <section className={styles['part']} aria-label="Runs to replay">
        <div className={styles['bar']}>
          <h3>
            {countToText(here.length)} of {countOf(traces.length, 'trace')} chosen
          </h3>
          <Button
            kind="quiet"
            isDisabled={full.every(({ id }) => chosen.has(id))}
            onPress={() => choose(full.map(({ id }) => id))}
          >
            Choose all that replay in full ({countToText(full.length)})
          </Button>
          <Button kind="quiet" isDisabled={chosen.size === 0} onPress={() => choose([])}>
            None
          </Button>
        </div>
        {traces.length > 8 ? <Field label="Show those named" value={text} onChange={setText} /> : undefined}
        <ul className={styles['choices']} aria-label="Traces of the library">
          {shown.map((trace) => (
            <li key={trace.id}>
              <Checkbox isSelected={chosen.has(trace.id)} onChange={(isOn) => switchOne(trace, isOn)}>
                {trace.name}
              </Checkbox>
              <span className={styles['faint']}>
                {countOf(trace.runs, 'run')} · {countOf(trace.events, 'event')} · replays: {trace.replayGrade}
              </span>
            </li>
          ))}
        </ul>
        {traces.length === 1 ? (
          <p className={styles['soft']}>
            Only this trace is in the library. Open more recorded runs of the same program there, and they can be chosen
            here.
          </p>
        ) : undefined}
      </section>
    </>
  );
}

function isFull({ replayGrade }: TraceRecord): boolean {
  return replayGrade === 'full';
}
