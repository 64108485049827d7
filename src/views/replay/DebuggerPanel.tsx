/**
 * The debugger: one replay walked step by step, forward and back.
 *
 * What is walked is the last replay that was run here, else the record itself, unedited. The position is in the address; everything shown at
 * it is asked of the worker, which keeps the replay.
 */
import { useMemo } from 'react';
import type { EventId } from '../../core/model/index.ts';
import { type DebugOverview, type ReplayRequest, useDebugger, useDebugView } from '../../data/index.ts';
import { Awaited } from '../../ui/Awaited.tsx';
import { Button } from '../../ui/Button.tsx';
import { countOf } from '../../ui/format.ts';
import { Message } from '../../ui/Message.tsx';
import { Waiting } from '../../ui/Progress.tsx';
import { Breakpoints } from './DebuggerBreakpoints.tsx';
import { DebuggerBar } from './DebuggerBar.tsx';
import { DebuggerProgram } from './DebuggerProgram.tsx';
import { Moment } from './DebuggerMoment.tsx';
import { JobProgress } from './JobProgress.tsx';
import { useWalk } from './debugger-walk.ts';
import type { ReplaySession } from './session.ts';
import styles from './Debugger.module.css';

export interface DebuggerPanelProps {
  readonly session: ReplaySession;
  /** What is selected: a place to run to. */
  readonly event: EventId | undefined;
  /** The position, as it stands in the address. */
  readonly place: string | undefined;
  readonly onPlace: (place: string) => void;
}

export function DebuggerPanel(props: DebuggerPanelProps) {
  const { session } = props;
  const { result, facts, trace, branch, draft } = session;
  const { program } = draft;
  const request = useMemo<ReplayRequest>(
    () =>
      result?.request ?? {
        trace,
        base: branch,
        edits: [],
        supply: [],
        ...(facts.run === undefined ? {} : { run: facts.run }),
        ...(facts.program.source === undefined && program !== undefined ? { program } : {}),
      },
    [result, trace, branch, facts.run, facts.program.source, program],
  );
  const { isLoading, problem } = facts;
  if (isLoading || problem !== null) return <Awaited of={{ error: problem }} label="Reading the program" />;
  return <Opened {...props} request={request} key={JSON.stringify(request)} />;
}

function Opened({ request, ...props }: DebuggerPanelProps & { readonly request: ReplayRequest }) {
  const opened = useDebugger(request);
  const { overview, problem } = opened;
  if (problem !== undefined) {
    return (
      <Message
        title="The replay cannot be walked"
        tone="problem"
        icon="warning"
        actions={<Button onPress={opened.again}>Try again</Button>}
      >
        {problem}
      </Message>
    );
  }
  if (opened.isCancelled) {
    return (
      <Message
        title="The preparation was cancelled"
        icon="info"
        actions={
          <Button icon="replay" onPress={opened.again}>
            Prepare the walk
          </Button>
        }
      >
        To be walked in both directions, the replay is run once more with a tape beside it. Nothing is sent.
      </Message>
    );
  }
  if (overview === undefined) {
    return (
      <JobProgress
        label="Preparing the debugger"
        what={`Running the replay with a tape beside it: ${countOf(opened.commands, 'call')} of the program so far`}
        share={undefined}
        onCancel={opened.cancel}
      />
    );
  }
  if (overview.length === 0) {
    return (
      <Message title="There is nothing to walk" icon="info">
        {overview.sentence}
      </Message>
    );
  }
  return <Walked {...props} request={request} overview={overview} />;
}

interface WalkedProps extends DebuggerPanelProps {
  readonly request: ReplayRequest;
  readonly overview: DebugOverview;
}

function Walked({ session, event, place, onPlace, request, overview }: WalkedProps) {
  const walk = useWalk({ trace: session.trace, request, overview, event, place, onPlace });
  const view = useDebugView(request, walk.position, true);
  const isPlain = request.edits.length + request.supply.length === 0 && request.program === undefined;
  return (
    <section className={styles['debugger']} aria-label="Debugger">
      <DebuggerBar walk={walk} overview={overview} what={isPlain ? 'the record, unedited' : 'the last replay'} />
      {view.data === undefined ? (
        <Waiting label="Reading the state at this position" />
      ) : (
        <div className={styles['panes']} aria-busy={view.isPlaceholderData}>
          <DebuggerProgram program={overview.program} step={view.data.step} />
          <Moment view={view.data} overview={overview} onPosition={walk.goTo} />
          <Breakpoints trace={session.trace} step={view.data.step} />
        </div>
      )}
      {view.isError ? (
        <Message title="This position cannot be shown" tone="problem" icon="warning">
          {view.error.message}
        </Message>
      ) : undefined}
    </section>
  );
}
