/**
 * A changed program over many recorded runs: which runs, the one press that starts it, and one verdict a run (replay 3.10).
 *
 * The program is the one on the left, as it is typed. The same set of runs has the same digest whatever the program, so that two programs
 * can be compared over it.
 */
import { type ReactNode, useId, useMemo, useState } from 'react';
import { lineToShown } from '../../core/base/shown-text.ts';
import { verdictToWords } from '../../core/replay/change-words.ts';
import { type TraceId, type TraceRecord, useTraces } from '../../data/index.ts';
import { useRunPrograms } from '../../data/replay-view.ts';
import { Awaited } from '../../ui/Awaited.tsx';
import { Button } from '../../ui/Button.tsx';
import { Chip } from '../../ui/Chip.tsx';
import { Checkbox, Field } from '../../ui/Field.tsx';
import { countOf, countToText } from '../../ui/format.ts';
import { Message } from '../../ui/Message.tsx';
import { announce } from '../../ui/notices.ts';
import { Waiting } from '../../ui/Progress.tsx';
import { JobProgress } from './JobProgress.tsx';
import { RunSetResult } from './RunSetResult.tsx';
import type { ReplaySession } from './session.ts';
import { type ProgramGroup, defaultChoice, groupByProgram, isFull } from './set-groups.ts';
import { type SetSession, textToChosen } from './set-session.ts';
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
      <Choice session={session} set={set} traces={traces.data} onProgram={onProgram}>
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
      </Choice>
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
  const now =
    row === undefined
      ? `${countOf(commands, 'call')} of the program so far`
      : `${row.name}: ${verdictToWords(row.verdict)}`;
  return `${countToText(done)} of ${countOf(of, 'run')} replayed. ${now}`;
}

interface ChoiceProps extends RunSetProps {
  readonly traces: readonly TraceRecord[];
  /** What came of it: it stands above the list of runs, which then is folded. */
  readonly children: ReactNode;
}

function Choice({ session, set, traces, onProgram, children }: ChoiceProps) {
  const [text, setText] = useState('');
  const ids = useMemo(() => traces.map(({ id }) => id), [traces]);
  const programs = useRunPrograms(ids);
  const groups = useMemo(
    () => groupByProgram(traces, programs.data ?? [], session.trace),
    [traces, programs.data, session.trace],
  );
  const { choose, job } = set;
  const chosen = set.chosen ?? textToChosen(set.named, traces) ?? defaultChoice(groups, session.trace);
  const program = programOf(session);
  const isChanged = session.draft.program !== undefined;
  const here = traces.filter(({ id }) => chosen.has(id));
  const runs = here.reduce((sum, trace) => sum + trace.runs, 0);
  const wanted = text.trim().toLowerCase();
  const shown = groups.flatMap((group) => {
    const listed = group.traces.filter(({ name }) => wanted === '' || name.toLowerCase().includes(wanted));
    return listed.length === 0 ? [] : [{ ...group, listed }];
  });
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
          {session.facts.problem !== null || (program === undefined && session.facts.isLoading) ? (
            <Awaited of={{ error: session.facts.problem }} label="Reading the program of this run" isInline />
          ) : program === undefined ? (
            'This trace has no control program. Bring one on the left, then it is run over the runs chosen here.'
          ) : isChanged ? (
            'The program as you changed it on the left is run over each run chosen here, against what that run recorded. Nothing is sent.'
          ) : (
            'The program is the recorded one, unchanged. Change it on the left to see how the change fares over runs that were recorded.'
          )}
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
      {children}
      <Runs
        isFolded={job.state.status === 'done'}
        title={`${countToText(here.length)} of ${countOf(traces.length, 'trace')} chosen`}
      >
        <div className={styles['bar']}>
          <Button isDisabled={chosen.size === 0} onPress={() => choose([])}>
            Choose none
          </Button>
        </div>
        {traces.length > 8 ? <Field label="Show those named" value={text} onChange={setText} /> : undefined}
        {programs.data === undefined ? (
          <Awaited of={programs} label="Reading which program each run ran" lines={3} />
        ) : (
          shown.map(({ listed, ...group }) => (
            <Group key={group.key} group={group} listed={listed} chosen={chosen} onChoose={choose} />
          ))
        )}
        {traces.length === 1 ? (
          <p className={styles['soft']}>
            Only this trace is in the library. Open more recorded runs of the same program there, and they can be chosen
            here.
          </p>
        ) : undefined}
      </Runs>
    </>
  );
}

interface RunsProps {
  readonly title: string;
  readonly isFolded: boolean;
  readonly children: ReactNode;
}

/** The list as it is chosen from; with a result above it, folded until somebody wants other runs. */
function Runs({ title, isFolded, children }: RunsProps) {
  if (!isFolded)
    return (
      <section className={styles['part']} aria-label="Runs to replay">
        <h3>{title}</h3>
        {children}
      </section>
    );
  return (
    <details className={styles['part']}>
      <summary>{title}. Choose other runs</summary>
      {children}
    </details>
  );
}

interface GroupProps {
  readonly group: ProgramGroup<TraceRecord>;
  /** Those that the filter lets through. */
  readonly listed: readonly TraceRecord[];
  readonly chosen: ReadonlySet<TraceId>;
  readonly onChoose: (traces: Iterable<TraceId>) => void;
}

/** Runs of one program: a change of it is meant for these, and other programs ask for other things. */
function Group({ group: { title, isOwn, traces }, listed, chosen, onChoose }: GroupProps) {
  const id = useId();
  const full = traces.filter(isFull);
  const switchOne = (trace: TraceRecord, isOn: boolean): void =>
    onChoose(isOn ? [...chosen, trace.id] : [...chosen].filter((one) => one !== trace.id));
  return (
    <section aria-labelledby={id}>
      <div className={styles['bar']}>
        <h4 id={id}>{lineToShown(title)}</h4>
        {isOwn ? <Chip tone="accent">the program of this trace</Chip> : undefined}
        <Button
          isDisabled={full.every((trace) => chosen.has(trace.id))}
          onPress={() => onChoose([...chosen, ...full.map((trace) => trace.id)])}
        >
          {`Choose all of ${isOwn ? 'this program' : 'that program'} that replay in full (${countToText(full.length)})`}
        </Button>
      </div>
      <ul className={styles['choices']} aria-label={`Runs of ${lineToShown(title)}`}>
        {listed.map((trace) => (
          <li key={trace.id}>
            <Checkbox isSelected={chosen.has(trace.id)} onChange={(isOn) => switchOne(trace, isOn)}>
              {trace.name}
            </Checkbox>
            <span className={styles['faint']}>
              {countOf(trace.runs, 'run')} · {countOf(trace.events, 'event')} as recorded · replays: {trace.replayGrade}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
