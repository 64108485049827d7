/**
 * Kill here: what would have happened if the worker had died at a boundary of an effect, under each design of the runtime (replay, simulated
 * faults). A matrix an effect; each cell tells its story.
 */
import { type ReactNode, useState } from 'react';
import { lineToShown, passageToShown } from '../../core/base/shown-text.ts';
import { type SimulatedTrial, sweepToSentence } from '../../core/simulate/index.ts';
import { mainBranch } from '../../core/model/index.ts';
import type { KillAsk, KillProgress, ReplayRequest, SimulatedSweep } from '../../data/index.ts';
import type { Job } from '../../data/replay-view.ts';
import { Awaited } from '../../ui/Awaited.tsx';
import { Button } from '../../ui/Button.tsx';
import { countOf, countToText } from '../../ui/format.ts';
import { Icon } from '../../ui/Icons.tsx';
import { Message } from '../../ui/Message.tsx';
import { announce } from '../../ui/notices.ts';
import { isSameOperation } from './draft-request.ts';
import { JobProgress } from './JobProgress.tsx';
import { KillMatrix } from './KillMatrix.tsx';
import { KillStory } from './KillStory.tsx';
import { Segments } from './Segments.tsx';
import type { ReplaySession } from './session.ts';
import styles from './Sheet.module.css';

export type KillJob = Job<KillAsk, KillProgress, SimulatedSweep>;

export interface KillHereProps {
  readonly session: ReplaySession;
  readonly job: KillJob;
  /** The effect that was chosen elsewhere, by its path. */
  readonly path: string | undefined;
  readonly onPath: (path: string | undefined) => void;
  /** To where a program is changed or brought. */
  readonly onProgram: () => void;
  /** What stands below the matrices of a sweep: what was measured. */
  readonly children?: (sweep: SimulatedSweep, ask: KillAsk) => ReactNode;
}

/** Effects offered by name; beyond that all are struck, or one by one from its row in the preview. */
const mostOffered = 6;

export function KillHere({ session, job, path, onPath, onProgram, children }: KillHereProps) {
  const [modelVaries, setModelVaries] = useState(true);
  const { trace, branch, facts, preview, reading, hasProgram } = session;
  const writes = (preview.data?.items ?? []).filter(({ kind }) => kind === 'write');
  const chosen = writes.find((write) => write.path === path);
  const change = reading.changes === 0 ? undefined : reading.request;
  const isUnusable = reading.changes > 0 && change === undefined;
  const canRun = hasProgram && writes.length > 0 && !isUnusable;
  const run = (): void => {
    job
      .start({
        trace,
        run: facts.run,
        branch,
        modelVaries,
        ...(change === undefined ? {} : { change }),
        ...(chosen === undefined ? {} : { paths: [chosen.path] }),
      })
      .then((sweep) => {
        if (sweep !== undefined) announce(sweepToSentence(sweep));
      }, reportError);
  };
  const { state } = job;
  if (facts.problem !== null) return <Awaited of={{ error: facts.problem }} label="Reading the program" />;
  if (!hasProgram && !facts.isLoading)
    return (
      <section className={styles['sheet']} aria-label="Kill here">
        <Message
          title="No worker can be simulated without a control program"
          icon="info"
          actions={<Button onPress={onProgram}>Bring a program</Button>}
        >
          This trace carries none. Bring the one that made it under “Program”, and its effects can be struck here.
        </Message>
      </section>
    );
  return (
    <section className={styles['sheet']} aria-label="Kill here">
      <header className={styles['head']}>
        <h2>What if the worker had died here?</h2>
        <p>
          A simulated worker runs the program, dies at a boundary of an effect, and a new one goes on with only what its
          design would have kept. Services answer from the record and keep a ledger of their own. It is a simulation:
          nothing real is touched and nothing was measured.
        </p>
        <p>
          It runs <b>{lineToShown(programToWords(session))}</b>.
        </p>
        {writes.length > 1 && writes.length <= mostOffered ? (
          <Segments
            label="Strike"
            items={[
              { id: '', label: 'every effect' },
              ...writes.map((write) => ({ id: write.path, label: write.name })),
            ]}
            selected={chosen?.path ?? ''}
            onSelect={(id) => onPath(id === '' ? undefined : id)}
          />
        ) : chosen === undefined ? undefined : (
          <div className={styles['bar']}>
            <span>
              Only <code>{lineToShown(chosen.path)}</code> is struck.
            </span>
            <Button kind="quiet" onPress={() => onPath(undefined)}>
              Strike every effect
            </Button>
          </div>
        )}
        <Segments
          label="A model that is asked again answers"
          items={[
            { id: 'varies', label: 'in other words' },
            { id: 'same', label: 'word for word' },
          ]}
          selected={modelVaries ? 'varies' : 'same'}
          onSelect={(id) => setModelVaries(id === 'varies')}
        />
        <div className={styles['bar']}>
          <Button kind="primary" icon="drill" isDisabled={!canRun || state.status === 'running'} onPress={run}>
            {chosen === undefined
              ? `Kill at every boundary of ${countOf(writes.length, 'effect')}`
              : `Kill at every boundary of ${lineToShown(chosen.name)}`}
          </Button>
        </div>
      </header>
      {canRun || preview.data === undefined || facts.isLoading ? undefined : (
        <Message title="There is nothing to strike" icon="info">
          {isUnusable
            ? 'Something typed on the left is not a value yet, so there is nothing to run.'
            : 'The run has no external effect: nothing can be doubled or lost.'}
        </Message>
      )}
      {state.status === 'running' ? (
        <JobProgress
          label="Simulating kills"
          what={
            state.progress === undefined
              ? 'Starting the sandbox'
              : `${countToText(state.progress.done)} of ${countOf(state.progress.of, 'trial')} simulated`
          }
          share={state.progress === undefined ? undefined : state.progress.done / state.progress.of}
          onCancel={job.cancel}
        />
      ) : undefined}
      {state.status === 'failed' ? (
        <Message title="The kills were not simulated" tone="problem" icon="warning">
          {state.message}
        </Message>
      ) : undefined}
      {state.status === 'done' ? (
        <>
          <Swept sweep={state.answer} session={session} isOld={!isSameAsk(state.ask, branch, change)} />
          {children?.(state.answer, state.ask)}
        </>
      ) : undefined}
    </section>
  );
}

interface SweptProps {
  readonly sweep: SimulatedSweep;
  readonly session: ReplaySession;
  /** What is on the left, or the branch, is not what was run. */
  readonly isOld: boolean;
}

function Swept({ sweep, session, isOld }: SweptProps) {
  const [told, setTold] = useState<SimulatedTrial>();
  const assumptions = [...new Set([...sweep.controls, ...sweep.trials].flatMap((trial) => trial.assumptions))];
  return (
    <>
      <div className={styles['part']}>
        <h3>{sweepToSentence(sweep)}</h3>
        <p className={styles['soft']}>Program: {lineToShown(sweep.program)}</p>
        {isOld ? (
          <p className={styles['warning']}>
            <Icon name="info" size={14} /> What was run is not what is on the left now. Run it again to see what that
            does.
          </p>
        ) : undefined}
        {sweep.suspect ? (
          <div className={styles['warning']}>
            <Icon name="warning" size={14} />
            <div>
              <p>
                {sweep.causes.every((cause) => cause.includes('key of its own'))
                  ? 'The control could not fail: the program gives its effects idempotency keys of its own, which protect them even from a naive restart. That is what such a key is for. Strike the program without it to see that this sweep would have caught a duplicate; until then it counts as suspect.'
                  : 'This sweep is suspect: the naive restart is the control that must duplicate after commitment, and a control without a kill must repeat the record. Nothing may be concluded from it.'}
              </p>
              <ul>
                {sweep.causes.map((cause) => (
                  <li key={cause}>{passageToShown(cause)}</li>
                ))}
              </ul>
            </div>
          </div>
        ) : (
          <p className={styles['soft']}>
            The naive restart duplicated at every boundary after commitment, as it must; without a kill every design
            repeats the record.
          </p>
        )}
      </div>
      {sweep.effects.map((path) => (
        <KillMatrix key={path} sweep={sweep} path={path} told={told} onTell={setTold}>
          {told !== undefined && (told.kill?.path ?? sweep.effects[0]) === path ? (
            <KillStory trial={told} session={session} />
          ) : undefined}
        </KillMatrix>
      ))}
      {sweep.notSwept.length + assumptions.length === 0 ? undefined : (
        <div className={styles['part']}>
          {sweep.notSwept.map(({ path, why }) => (
            <p key={path} className={styles['soft']}>
              <code>{lineToShown(path)}</code> is not struck: {passageToShown(why)}.
            </p>
          ))}
          {assumptions.length === 0 ? undefined : (
            <>
              <h3>Assumed</h3>
              <ul className={styles['list']}>
                {assumptions.map((text) => (
                  <li key={text}>{passageToShown(text)}</li>
                ))}
              </ul>
            </>
          )}
        </div>
      )}
    </>
  );
}

/** What a person sees on the left and in the crumbs is what is run. */
function programToWords({ branch, facts, draft, reading }: ReplaySession): string {
  const { name, version } = facts.program;
  const what = version === undefined ? name : `${name} ${version}`;
  const edits = reading.changes - (draft.program === undefined ? 0 : 1);
  const own = branch === mainBranch ? 'as recorded' : 'as this branch has it';
  const text = draft.program === undefined ? own : 'as you changed it on the left';
  return `${what}, ${text}${edits === 0 ? '' : `, with ${countOf(edits, 'other change')} made on the left`}`;
}

function isSameAsk(ask: KillAsk, branch: KillAsk['branch'], change: ReplayRequest | undefined): boolean {
  if (ask.branch !== branch) return false;
  if (ask.change === undefined || change === undefined) return ask.change === change;
  return isSameOperation(ask.change, change);
}
