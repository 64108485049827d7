/**
 * The frame around every view of one trace: breadcrumbs with the branch switcher, the filter, the buttons of the views.
 *
 * Loads what the frame itself needs (the library's entry and the summary); the view inside loads the rest.
 */
import { Suspense, useEffect, useMemo, useState } from 'react';
import { type TraceId, useBranchLines, useBranchNames, useSummary, useTrace } from '../data/index.ts';
import { mainBranch } from '../core/model/index.ts';
import { nameApart, newestFirst } from '../core/projections/name-apart.ts';
import type { BranchSummary } from '../core/projections/trace-reader.ts';
import { traceId } from '../platform/storage/index.ts';
import {
  type Navigation,
  type TraceChange,
  type TraceLocation,
  type TraceView,
  branchChange,
  changeLocation,
} from '../state/location.ts';
import { branchStatusToWords } from '../ui/branch-status.ts';
import { Button } from '../ui/Button.tsx';
import { type Command, useCommands } from '../ui/commands.ts';
import { countOf, momentToText } from '../ui/format.ts';
import { Icon } from '../ui/Icons.tsx';
import { Menu, type MenuGroup } from '../ui/Menu.tsx';
import { Message } from '../ui/Message.tsx';
import { announce, dismissNoticesAbout } from '../ui/notices.ts';
import { useTitle } from '../ui/use-title.ts';
import { ExportDialog } from '../views/library/ExportDialog.tsx';
import { FilterBox } from './FilterBox.tsx';
import { LoadingView } from './LoadingView.tsx';
import { offeredViews } from './offered-views.ts';
import { type Sheet, TopBar } from './TopBar.tsx';
import { type TraceViewEntry, traceViewEntries } from './views.ts';
import styles from './TraceFrame.module.css';

export interface TraceFrameProps {
  readonly location: TraceLocation;
  readonly navigation: Navigation;
  readonly onSheet: (sheet: Sheet) => void;
  /** A received copy: explored, never edited or shared on. */
  readonly isCopy?: boolean;
}

export function TraceFrame({ location, navigation, onSheet, isCopy = false }: TraceFrameProps) {
  const trace = traceId(location.trace);
  const record = useTrace(trace);
  const summary = useSummary(trace);
  const branchNames = useBranchNames(trace);
  const holdsTrial = summary.data?.types.some(({ name }) => name === 'trial.started') ?? false;
  const format = record.data?.format;
  const views = useMemo(
    () =>
      offeredViews({ isCopy, holdsTrial, record: format === undefined ? undefined : { format } }).filter(
        (view) => traceViewEntries[view] !== undefined,
      ),
    [isCopy, holdsTrial, format],
  );
  const [isBranchesOpen, setBranchesOpen] = useState(false);
  const change = useMemo(
    () =>
      (changes: TraceChange, how: 'push' | 'replace' = 'push'): void =>
        navigation.go(changeLocation(location, changes), how),
    [location, navigation],
  );
  useCommands(
    'trace',
    useMemo(
      () => frameCommands(views, location.view, change, () => setBranchesOpen(true)),
      [views, location.view, change],
    ),
    'trace',
  );
  const [isExportOpen, setExportOpen] = useState(false);
  const exported = isCopy ? undefined : record.data;
  const canExport = exported !== undefined;
  useCommands(
    'trace.export',
    useMemo(
      () =>
        canExport
          ? [{ id: 'trace.export', name: 'Export the trace…', group: 'Trace', run: () => setExportOpen(true) }]
          : [],
      [canExport],
    ),
    'trace',
  );
  const name = record.data?.name ?? location.trace;
  useTitle(name);
  // Syncs with what the page says: what was said of this trace is not said of the next one.
  useEffect(
    () => () => {
      announce('');
      dismissNoticesAbout(location.trace);
    },
    [location.trace],
  );
  return (
    <>
      {exported !== undefined && isExportOpen ? (
        <ExportDialog trace={exported} onClose={() => setExportOpen(false)} />
      ) : undefined}
      <TopBar
        onSheet={onSheet}
        crumbs={[
          <span key="name" className={styles['name']} title={name}>
            {name}
          </span>,
          <BranchSwitcher
            key="branch"
            trace={trace}
            branches={nameBranches(summary.data?.branches ?? [], branchNames.data)}
            location={location}
            isOpen={isBranchesOpen}
            onOpenChange={setBranchesOpen}
            onChoose={(branch) => change(branchChange(location, branch))}
          />,
        ]}
        centre={
          location.view === 'explore' ? (
            <FilterBox
              key={location.trace}
              filter={location.filter}
              summary={summary.data}
              onFilter={(filter) => change({ filter }, 'replace')}
            />
          ) : undefined
        }
        actions={<ViewButtons views={views} location={location} onView={(view) => change({ view })} />}
      />
      <Content
        name={name}
        trace={trace}
        location={location}
        views={views}
        change={change}
        navigation={navigation}
        isMissing={record.data === undefined && record.isSuccess}
        problem={record.error ?? summary.error ?? undefined}
      />
    </>
  );
}

interface ContentProps {
  readonly trace: TraceId;
  readonly location: TraceLocation;
  readonly views: readonly TraceView[];
  readonly change: (change: TraceChange, how?: 'push' | 'replace') => void;
  readonly navigation: Navigation;
  readonly name: string;
  readonly isMissing: boolean;
  readonly problem: Error | undefined;
}

function Content({ name, trace, location, views, change, navigation, isMissing, problem }: ContentProps) {
  const entry = traceViewEntries[location.view];
  const toLibrary = (
    <Button kind="primary" onPress={() => navigation.go({ kind: 'library' })}>
      Go to the library
    </Button>
  );
  if (isMissing) {
    return (
      <main className={styles['centre']}>
        <Message title="This trace is not in the library of this browser" icon="file" actions={toLibrary}>
          Traces stay on the machine where they were opened. Open the file here again and this address will work: a
          trace is named by its content.
        </Message>
      </main>
    );
  }
  if (problem !== undefined) {
    return (
      <main className={styles['centre']}>
        <Message title="The trace could not be read" tone="problem" icon="warning" actions={toLibrary}>
          {problem.message}
        </Message>
      </main>
    );
  }
  if (entry === undefined) {
    return (
      <main className={styles['centre']}>
        <Message
          title="This page does not have that view"
          icon="eye"
          actions={
            <Button kind="primary" onPress={() => change({ view: 'explore' })}>
              Explore the trace
            </Button>
          }
        >
          The link names the view “{location.view}”.
        </Message>
      </main>
    );
  }
  return (
    <main className={styles['view']} aria-label={entry.label}>
      <h1 className={styles['spoken']}>{name}</h1>
      {/* By its name: while a view loads, the one that was left is gone, and so are its keys. */}
      <Suspense key={location.view} fallback={<LoadingView label={`Loading ${entry.label}`} />}>
        <entry.View trace={trace} location={location} change={change} views={views} />
      </Suspense>
    </main>
  );
}

function ViewButtons({
  views,
  location,
  onView,
}: {
  readonly views: readonly TraceView[];
  readonly location: TraceLocation;
  readonly onView: (view: TraceLocation['view']) => void;
}) {
  return views.map((view) => {
    const entry = traceViewEntries[view];
    // The explorer is where one is; it has a button only where one is elsewhere.
    if (entry === undefined || view === location.view) return undefined;
    return (
      <Button
        key={view}
        collapses
        icon={entry.icon}
        shortcut={entry.key}
        onPress={() => onView(view)}
        aria-label={entry.verb}
      >
        {entry.verb}
      </Button>
    );
  });
}

/** A name that a person gave goes before the one made of the operation. */
function nameBranches(
  branches: readonly BranchSummary[],
  names: Readonly<Record<string, string>> = {},
): readonly BranchSummary[] {
  return branches.map((branch) => {
    const given = Object.hasOwn(names, branch.id) ? names[branch.id] : undefined;
    return { ...branch, label: given ?? branch.label };
  });
}

/** When it was made sets apart what is called alike; events are those that a branch has beside its parent's. */
function branchToDetail({ id, status, ownEvents }: BranchSummary, when: string): string {
  const events = `${countOf(ownEvents, 'event')}${id === mainBranch ? ' as recorded' : ' of its own'}`;
  return [when, status === undefined ? '' : branchStatusToWords(status), events]
    .filter((part) => part !== '')
    .join(' · ');
}

interface BranchSwitcherProps {
  readonly trace: TraceId;
  readonly branches: readonly BranchSummary[];
  readonly location: TraceLocation;
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
  readonly onChoose: (branch: BranchSummary['id']) => void;
}

function BranchSwitcher({ trace, branches, location, isOpen, onOpenChange, onChoose }: BranchSwitcherProps) {
  const current = branches.find(({ id }) => id === location.branch);
  const label = current?.label ?? (location.branch === mainBranch ? 'original' : location.branch);
  const apart = nameApart(branches, momentToText);
  // A replay that was continued is one line of work: its latest stands first, its stops apart.
  const lines = useBranchLines(trace, isOpen && branches.length > 2);
  const isStop = ({ id }: BranchSummary): boolean => lines.data?.latestOf.has(id) === true;
  const newest = newestFirst(branches);
  const toEntries = (listed: readonly BranchSummary[]): MenuGroup['entries'] =>
    listed.map((branch) => ({
      id: branch.id,
      label: branch.label,
      detail: branchToDetail(branch, apart.get(branch.id)?.when ?? ''),
      current: branch.id === location.branch,
      run: () => onChoose(branch.id),
    }));
  const shown = newest.filter((branch) => !isStop(branch));
  const stops = newest.filter(isStop);
  const groups: readonly MenuGroup[] = [
    {
      title:
        branches.length === 1
          ? 'The only branch of this trace'
          : `Branches of this trace${shown.length > 2 ? ', newest first' : ''}`,
      entries: toEntries(shown),
    },
    ...(stops.length === 0
      ? []
      : [
          {
            title: `Earlier stops of replays that were continued${stops.length > 1 ? ', newest first' : ''}`,
            entries: toEntries(stops),
          },
        ]),
  ];
  return (
    <Menu
      label="Branches"
      groups={groups}
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      trigger={
        <Button kind="quiet" icon="branch" aria-label={`Branch: ${label}`}>
          <span className={styles['branch']}>
            <span>branch:</span> {label} <Icon name="chevron-down" size={12} />
          </span>
        </Button>
      }
    />
  );
}

function frameCommands(
  offered: readonly TraceView[],
  shown: TraceLocation['view'],
  change: (change: TraceChange) => void,
  openBranches: () => void,
): readonly Command[] {
  const group = 'Trace';
  const views = offered.flatMap((view): readonly Command[] => {
    const entry: TraceViewEntry | undefined = traceViewEntries[view];
    // Inside a view its key is the view's own: `r` opens the replay, and there it runs it.
    if (entry === undefined || view === shown) return [];
    const keys = entry.key === undefined ? {} : { keys: [entry.key] };
    return [{ id: `trace.${view}`, name: entry.verb, group, ...keys, run: () => change({ view }) }];
  });
  const compare: Command = {
    id: 'trace.compare',
    name: 'Compare the branch with its parent',
    group,
    keys: ['c'],
    run: () => change({ view: 'replay', extra: { show: 'compare' } }),
  };
  // What a view has to back out of first it says itself, with the same key.
  const out: Command = {
    id: 'trace.out',
    name: 'Back to the explorer',
    group,
    keys: ['Escape'],
    inPalette: false,
    run: () => change({ view: 'explore' }),
  };
  return [
    ...views,
    ...(shown === 'explore' ? [] : [out]),
    // In the replay it is the view's own command, with the same key.
    ...(offered.includes('replay') && shown !== 'replay' ? [compare] : []),
    { id: 'trace.branches', name: 'Choose a branch', group, keys: ['b'], run: openBranches },
  ];
}
