/**
 * The replay of one trace: what is changed on the left; on the right what that makes fall, what the replay made of it, and the branches.
 *
 * Two panes from 900 px, one below the other under that; a comparison, which changes nothing, has all of it. The step being edited, the base branch and the open parts are in the address;
 * what is typed is not.
 */
import { type ReactNode, useCallback, useMemo, useState } from 'react';
import { type BranchId, type EventId, mainBranch } from '../../core/model/index.ts';
import { type TraceId, useInspection } from '../../data/index.ts';
import { useGoldenRun, useKillSweep } from '../../data/replay-view.ts';
import { type TraceViewProps, changeLocation, useNavigation } from '../../state/location.ts';
import { setSplit, usePreferences } from '../../state/preferences.ts';
import { Button } from '../../ui/Button.tsx';
import { type Command, useCommands } from '../../ui/commands.ts';
import { countOf } from '../../ui/format.ts';
import { Message } from '../../ui/Message.tsx';
import { Split } from '../../ui/Split.tsx';
import { type TabItem, Tabs } from '../../ui/Tabs.tsx';
import { useMedia } from '../../ui/use-media.ts';
import { Branches } from './Branches.tsx';
import { type ChangeTab, Changes, changeTabs } from './Changes.tsx';
import { Compare } from './Compare.tsx';
import { DebuggerPanel } from './DebuggerPanel.tsx';
import { textAt } from './facts.ts';
import { Goldens } from './Goldens.tsx';
import { JobProgress } from './JobProgress.tsx';
import { KillHere } from './KillHere.tsx';
import { KillMeasured } from './KillMeasured.tsx';
import { EventLinksContext } from './Links.tsx';
import { listOpenCommands } from './Pending.tsx';
import { type PinDraft, emptyPin, usePinDraft } from './pin-draft.ts';
import type { ProgramPlace } from './ProgramEditor.tsx';
import { Preview } from './Preview.tsx';
import { Result } from './Result.tsx';
import { RunSet } from './RunSet.tsx';
import { whyNotReplay, whyNotVerify } from './run-rules.ts';
import { type ReplaySession, useReplaySession } from './session.ts';
import { useSetSession } from './set-session.ts';
import styles from './View.module.css';

const shownTabs = ['preview', 'result', 'debugger', 'branches', 'compare', 'set', 'goldens', 'kill'] as const;
type ShownTab = (typeof shownTabs)[number];

/** What runs the program on the left, over other runs or under other conditions. */
const programTabs: ReadonlySet<ShownTab> = new Set(['set', 'goldens', 'kill']);

export interface ReplayViewProps extends TraceViewProps {
  readonly trace: TraceId;
}

export function View({ trace, location, change }: ReplayViewProps) {
  const { branch, event, extra } = location;
  const { hrefOf } = useNavigation();
  const inspection = useInspection(trace, branch, event);
  const shown = shownTabs.find((tab) => tab === extra['show']) ?? 'preview';
  const runsProgram = programTabs.has(shown);
  const show = useCallback(
    (tab: ShownTab) => change({ extra: { show: tab === 'preview' ? undefined : tab, pin: undefined } }, 'replace'),
    [change],
  );
  const edit = useCallback(
    (tab: ChangeTab) => change({ extra: { edit: tab === 'step' && !runsProgram ? undefined : tab } }, 'replace'),
    [change, runsProgram],
  );
  const editEvent = useCallback(
    (to: EventId) => change({ event: to, extra: { edit: undefined } }, 'replace'),
    [change],
  );
  const place = useCallback((at: string) => change({ extra: { at } }, 'replace'), [change]);
  const showResult = useCallback(() => show('result'), [show]);
  // While the selected event is read the run stays the one that was shown.
  const [lastRun, setLastRun] = useState<string>();
  const isReading = event !== undefined && inspection.isPending;
  const run = isReading ? lastRun : (textAt(inspection.data?.event, 'run') ?? extra['run']);
  if (run !== lastRun) setLastRun(run);
  const session = useReplaySession(trace, branch, run, showResult);
  const chooseRun = (to: string): void => change({ event: undefined, extra: { run: to, edit: undefined } });
  // Where the program on the left is what is run, it is shown; a kill runs what was changed in a step too.
  const isStepRun = shown === 'kill' && Object.keys(session.draft.steps).length > 0;
  const whole = runsProgram && !isStepRun ? 'program' : 'step';
  const changeTab = changeTabs.find((tab) => tab === extra['edit']) ?? whole;
  const set = useSetSession(extra['runs']);
  const goldens = useGoldenRun();
  const kills = useKillSweep();
  const strike = useCallback(
    (kill: string | undefined) => change({ extra: { show: 'kill', kill } }, 'replace'),
    [change],
  );
  const links = useMemo(
    () => ({
      titles: session.titles,
      hrefOf: (to: EventId) => hrefOf(changeLocation(location, { view: 'explore', event: to })),
    }),
    [session.titles, hrefOf, location],
  );
  const share = usePreferences(({ splits }) => splits['replay'] ?? 0.36);
  const isWide = useMedia('(width >= 900px)');
  useReplayCommands(session, show, change);
  // What was supposed in the explorer was supposed of the branch that is left.
  const open = (to: BranchId): void =>
    change({ view: 'explore', branch: to, event: undefined, extra: { if: undefined, show: undefined } });
  const pins = usePinDraft(trace, branch, extra['pin'] === 'form');
  const typePin = (draft: PinDraft | undefined): void => {
    pins.set(branch, draft);
    if (draft === undefined && extra['pin'] !== undefined) change({ extra: { pin: undefined } }, 'replace');
  };
  const pin = (to: BranchId): void => {
    pins.set(to, emptyPin);
    change({ branch: to, event: undefined, extra: { show: 'goldens', pin: 'form' } });
  };
  const [line, setLine] = useState<ProgramPlace>();
  const left = (
    <Changes
      session={session}
      tab={changeTab}
      onTab={edit}
      onRun={chooseRun}
      event={event}
      onEvent={editEvent}
      place={line}
    />
  );
  const right = (
    <Answers session={session} shown={shown} onShow={show}>
      {shown === 'preview' ? (
        <Preview session={session} current={event} onEdit={editEvent} onKill={strike} />
      ) : undefined}
      {shown === 'result' ? (
        <Result
          session={session}
          onOpenBranch={open}
          onSet={() => show('set')}
          onPin={pin}
          onKill={() => show('kill')}
          onLine={(to) => {
            setLine({ line: to });
            edit('program');
          }}
        />
      ) : undefined}
      {shown === 'debugger' ? (
        <DebuggerPanel session={session} event={event} place={extra['at']} onPlace={place} />
      ) : undefined}
      {shown === 'branches' ? (
        <Branches
          session={session}
          onOpen={open}
          onBase={(to) => change({ branch: to, event: undefined })}
          onCompare={(to) => change({ extra: { show: 'compare', here: to, there: undefined } })}
        />
      ) : undefined}
      {shown === 'set' ? <RunSet session={session} set={set} onProgram={() => edit('program')} /> : undefined}
      {shown === 'goldens' ? (
        <Goldens
          session={session}
          job={goldens}
          onProgram={() => edit('program')}
          onOpenBranch={open}
          pin={pins.here}
          onPin={typePin}
        />
      ) : undefined}
      {shown === 'kill' ? (
        <KillHere session={session} job={kills} path={extra['kill']} onPath={strike} onProgram={() => edit('program')}>
          {(sweep, ask) => (
            <KillMeasured
              sweep={sweep}
              trace={ask.trace}
              isChanged={ask.change !== undefined || (ask.branch ?? mainBranch) !== mainBranch}
            />
          )}
        </KillHere>
      ) : undefined}
      {shown === 'compare' ? (
        <Compare
          session={session}
          here={extra['here']}
          there={extra['there']}
          onSides={(sides) => change({ extra: { ...sides, show: 'compare' } }, 'replace')}
        />
      ) : undefined}
    </Answers>
  );
  return (
    <EventLinksContext value={links}>
      <div className={styles['view']} data-stacked={!isWide}>
        {shown === 'compare' ? (
          right
        ) : isWide ? (
          <Split label="Width of what to change" share={share} onShare={(to) => setSplit('replay', to)} least={0.25}>
            {left}
            {right}
          </Split>
        ) : (
          <>
            {left}
            {right}
          </>
        )}
      </div>
    </EventLinksContext>
  );
}

interface AnswersProps {
  readonly session: ReplaySession;
  readonly shown: ShownTab;
  readonly onShow: (tab: ShownTab) => void;
  readonly children: ReactNode;
}

function Answers({ session, shown, onShow, children }: AnswersProps) {
  const { preview, result, state } = session;
  const counts = preview.data?.counts;
  const falling = counts === undefined ? 0 : counts.falls + counts['may-fall'];
  const waiting = result === undefined ? 0 : listOpenCommands(result.report.commands).length;
  const items: readonly TabItem<ShownTab>[] = [
    {
      id: 'preview',
      label: 'Preview',
      shortcut: '1',
      count: falling === 0 ? undefined : falling,
      counted: 'Commands or events that fall, fall inside or may fall',
    },
    {
      id: 'result',
      label: 'Result',
      shortcut: '2',
      count: waiting === 0 ? undefined : waiting,
      counted: 'Commands that wait for an answer',
    },
    { id: 'branches', label: 'Branches', shortcut: '3' },
    { id: 'debugger', label: 'Debugger', shortcut: '4' },
    { id: 'compare', label: 'Compare', shortcut: 'c' },
    { id: 'set', label: 'Run set', shortcut: '5' },
    { id: 'goldens', label: 'Goldens', shortcut: '6' },
    { id: 'kill', label: 'Kill here', shortcut: '7' },
  ];
  return (
    <section className={styles['answers']} aria-label="What becomes of it">
      <Tabs label="What becomes of it" items={items} selected={shown} onSelect={onShow}>
        {state.status === 'running' ? <Running session={session} commands={state.progress.commands} /> : undefined}
        {state.status === 'failed' ? (
          <Message
            title="The replay did not run"
            tone="problem"
            icon="warning"
            actions={<Button onPress={session.dismiss}>Dismiss</Button>}
          >
            {state.failure.message}
          </Message>
        ) : undefined}
        {children}
      </Tabs>
    </section>
  );
}

function Running({ session, commands }: { readonly session: ReplaySession; readonly commands: number }) {
  return (
    <JobProgress
      label="Replaying"
      what={`Replaying in the sandbox: ${countOf(commands, 'call')} of the program so far, over all passes`}
      share={undefined}
      onCancel={session.cancel}
    />
  );
}

function useReplayCommands(
  session: ReplaySession,
  show: (tab: ShownTab) => void,
  change: TraceViewProps['change'],
): void {
  const { canReplay, hasProgram, facts, reading, state, replay, verify, cancel } = session;
  const isRunning = state.status === 'running';
  const { changes } = reading;
  const isUsable = reading.request !== undefined;
  const commands = useMemo<readonly Command[]>(() => {
    const group = 'Replay';
    const verifying = whyNotVerify({ hasProgram, facts, isRunning });
    const why = whyNotReplay({ hasProgram, facts, isRunning, changes, isUsable });
    return [
      {
        id: 'replay.run',
        name: 'Replay with the change',
        group,
        keys: ['r', 'mod+enter'],
        unavailable: canReplay ? why : (why ?? 'not yet'),
        run: () => replay(),
      },
      {
        id: 'replay.verify',
        name: 'Verify: replay without a change',
        group,
        keys: ['v'],
        unavailable: verifying,
        run: verify,
      },
      { id: 'replay.preview', name: 'Show the preview', group, keys: ['1'], run: () => show('preview') },
      { id: 'replay.result', name: 'Show the result of the replay', group, keys: ['2'], run: () => show('result') },
      {
        id: 'replay.compare',
        name: 'Compare two branches or runs',
        group,
        keys: ['c'],
        run: () => show('compare'),
      },
      {
        id: 'replay.debugger',
        name: 'Walk the replay in the debugger',
        group,
        keys: ['4'],
        run: () => show('debugger'),
      },
      { id: 'replay.branches', name: 'List the branches', group, keys: ['3'], run: () => show('branches') },
      {
        id: 'replay.set',
        name: 'Replay the program over a set of recorded runs',
        group,
        keys: ['5'],
        run: () => show('set'),
      },
      { id: 'replay.goldens', name: 'Golden cases: pin and run', group, keys: ['6'], run: () => show('goldens') },
      {
        id: 'replay.kill',
        name: 'Kill here: simulate the death of the worker',
        group,
        keys: ['7'],
        run: () => show('kill'),
      },
      {
        id: 'replay.out',
        name: 'Back to the explorer',
        group,
        keys: ['Escape'],
        inPalette: false,
        run: () => {
          if (isRunning) cancel();
          else change({ view: 'explore' });
        },
      },
    ];
  }, [canReplay, hasProgram, facts, changes, isUsable, isRunning, replay, verify, cancel, show, change]);
  useCommands('replay', commands);
}
