/**
 * Golden cases: what of a run or branch must stay when its program changes; pinned here, run against the program on the left, taken along
 * as files for a repository (R80 to R82).
 */
import { useState } from 'react';
import { type BranchId, mainBranch } from '../../core/model/index.ts';
import type { GoldenCase, GoldenRunAnswer, GoldenRunAsk, GoldenRunProgress } from '../../data/index.ts';
import { type Job, useGoldenActs, useGoldens } from '../../data/replay-view.ts';
import { Button } from '../../ui/Button.tsx';
import { countOf, countToText } from '../../ui/format.ts';
import { Icon } from '../../ui/Icons.tsx';
import { Message } from '../../ui/Message.tsx';
import { announce, notify } from '../../ui/notices.ts';
import { Waiting } from '../../ui/Progress.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { FileChoice } from './FileChoice.tsx';
import { casesToProgram, placeToTried } from './golden-program.ts';
import { GoldenEntry } from './GoldenEntry.tsx';
import { JobProgress } from './JobProgress.tsx';
import { PinForm } from './PinForm.tsx';
import { type PinDraft, emptyPin } from './pin-draft.ts';
import type { ReplaySession } from './session.ts';
import styles from './Sheet.module.css';

export type GoldenJob = Job<GoldenRunAsk, GoldenRunProgress, GoldenRunAnswer>;

export interface GoldensProps {
  readonly session: ReplaySession;
  readonly job: GoldenJob;
  readonly onProgram: () => void;
  readonly onOpenBranch: (branch: BranchId) => void;
  /** What is typed in the form of pinning; undefined while it is closed. */
  readonly pin: PinDraft | undefined;
  readonly onPin: (pin: PinDraft | undefined) => void;
}

export function Goldens({ session, job, onProgram, onOpenBranch, pin, onPin }: GoldensProps) {
  const goldens = useGoldens();
  const acts = useGoldenActs();
  const isPinning = pin !== undefined;
  const [problem, setProblem] = useState<string>();
  const { draft, facts } = session;
  const cases = goldens.data ?? [];
  const program = draft.program ?? facts.program.source;
  const place = { branch: session.branch, run: facts.run, changed: draft.program, own: facts.program.source };
  const isRunning = job.state.status === 'running';
  const fail = (error: unknown): void => setProblem(error instanceof Error ? error.message : String(error));
  const attempt = (act: Promise<unknown>): void => {
    setProblem(undefined);
    act.catch(fail);
  };
  const run = (chosen: readonly GoldenCase[]): void => {
    const own = casesToProgram(chosen, place);
    job.start({ cases: chosen, ...(own === undefined ? {} : { program: own }) }).then((answer) => {
      if (answer !== undefined) announce(answerToSentence(answer));
    }, reportError);
  };
  const bring = (files: readonly File[]): void => {
    const opened = files.map((file) => ({ path: file.webkitRelativePath || file.name, blob: file }));
    attempt(acts.bring(opened).then((made) => notify(`${countOf(made.length, 'golden case')} brought.`)));
  };
  return (
    <section className={styles['sheet']} aria-label="Golden cases">
      <header className={styles['head']}>
        <h2>What must stay when the program changes</h2>
        <p>
          A golden case pins decisions, effects, states and their order in a run or branch. It is run against the
          program on the left,{' '}
          {draft.program !== undefined
            ? 'as you changed it'
            : placeToTried(place) === undefined
              ? 'which is the recorded one'
              : 'which is that of this branch'}
          ; nothing is sent. As a file it belongs in the repository of the program, where{' '}
          <code>hindcast golden run</code> runs it.
        </p>
        <div className={styles['bar']}>
          <Button
            kind={cases.length === 0 ? 'plain' : 'primary'}
            icon="replay"
            isDisabled={cases.length === 0 || isRunning}
            onPress={() => run(cases)}
          >
            Run {countOf(cases.length, 'case')}
          </Button>
          <Button
            kind={cases.length === 0 ? 'primary' : 'plain'}
            icon="plus"
            isDisabled={program === undefined || isPinning}
            onPress={() => onPin(emptyPin)}
          >
            Pin {session.branch === mainBranch ? 'this run' : 'this branch'}
          </Button>
          <Button icon="pencil" onPress={onProgram}>
            {draft.program === undefined ? 'Change the program' : 'Show the changed program'}
          </Button>
          <FileChoice label="Bring cases" isMany accept=".zip,.json,.jsonl" onFiles={bring} />
          <Button
            kind="quiet"
            icon="download"
            isDisabled={cases.length === 0}
            onPress={() => attempt(acts.exportFile(cases).then((file) => saveFile(file, 'golden-cases.zip')))}
          >
            Save all as files
          </Button>
        </div>
        {problem === undefined ? undefined : (
          <p className={styles['danger']} role="alert">
            {problem}
          </p>
        )}
      </header>
      {pin === undefined ? undefined : (
        <PinForm session={session} draft={pin} onDraft={onPin} onClose={() => onPin(undefined)} />
      )}
      {job.state.status === 'running' ? (
        <JobProgress
          label="Running the golden cases"
          what={progressToText(job.state.progress, job.state.ask.cases.length)}
          share={(job.state.progress?.done ?? 0) / job.state.ask.cases.length}
          onCancel={job.cancel}
        />
      ) : undefined}
      {job.state.status === 'failed' ? (
        <Message title="The cases were not run" tone="problem" icon="warning">
          {job.state.message}
        </Message>
      ) : undefined}
      {job.state.status === 'done' ? (
        <div className={styles['part']} role="status">
          <h3>{answerToSentence(job.state.answer)}</h3>
          {job.state.ask.program === casesToProgram(job.state.ask.cases, place) ? undefined : (
            <p className={styles['warning']}>
              <Icon name="info" size={14} /> The program on the left is not the one that was run. Run the cases again to
              see what it does.
            </p>
          )}
        </div>
      ) : undefined}
      {goldens.isPending ? <Waiting label="Reading the golden cases" /> : undefined}
      {goldens.error === null ? undefined : (
        <Message title="The golden cases could not be read" tone="problem" icon="warning">
          {goldens.error.message}
        </Message>
      )}
      {goldens.data?.length === 0 && !isPinning ? (
        <Message title="Nothing is pinned yet" icon="check">
          Pin this run, or a branch that shows the behaviour you want to keep: a replay with the repaired program, for
          instance. Or bring cases that stand in a repository.
        </Message>
      ) : undefined}
      <ul>
        {cases.map((one) => (
          <li key={one.id}>
            <GoldenEntry
              one={one}
              session={session}
              result={job.state.status === 'done' ? job.state.answer.results[one.id] : undefined}
              isRunning={isRunning}
              onRun={() => run([one])}
              onSave={() =>
                attempt(acts.exportFile([one]).then((file) => saveFile(file, `${one.golden.name}.golden.zip`)))
              }
              onRemove={() => attempt(acts.remove(one))}
              onOpenBranch={onOpenBranch}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

function progressToText(progress: GoldenRunProgress | undefined, of: number): string {
  if (progress === undefined) return 'Starting the sandbox';
  return `${countToText(progress.done)} of ${countOf(of, 'case')} run. ${countOf(progress.commands, 'call')} of the program so far`;
}

function answerToSentence({ results }: GoldenRunAnswer): string {
  const all = Object.values(results);
  const passed = all.filter((one) => 'passes' in one && one.passes).length;
  if (passed === all.length) return all.length === 1 ? 'The case passes.' : `All ${countOf(all.length, 'case')} pass.`;
  return `${countToText(all.length - passed)} of ${countOf(all.length, 'case')} ${all.length - passed === 1 ? 'fails' : 'fail'}.`;
}
