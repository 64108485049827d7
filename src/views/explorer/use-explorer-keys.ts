/** The keys of the explorer: walking events, causes and findings, choosing panels, and stepping back out. */
import { useEffect, useMemo, useRef, useState } from 'react';
import type { EventId } from '../../core/model/index.ts';
import type { Finding, RowPage } from '../../core/projections/trace-reader.ts';
import { useFindings, useInspection, useRowOf, useRows } from '../../data/index.ts';
import { type TraceLocation, type TraceViewProps, panels } from '../../state/location.ts';
import { setFolded, usePreferences } from '../../state/preferences.ts';
import { type Command, firstMatchCommand, useCommands } from '../../ui/commands.ts';
import { notify } from '../../ui/notices.ts';
import type { Explorer } from './explorer.ts';
import { paneToFold } from './FoldablePanes.tsx';
import { stepTab } from './inspector-tabs.ts';
import { type FocusRequest, inspectorKey, panelToPane } from './pane-focus.ts';

const group = 'Explorer';
const panesGroup = 'Panes';
const walk = { group, inPalette: false } as const;

const foldable = [
  { fold: 'headline', name: 'the headline' },
  { fold: 'overview', name: 'the overview' },
  { fold: paneToFold('left'), name: 'the views' },
  { fold: paneToFold('transcript'), name: 'the transcript' },
  { fold: paneToFold('inspector'), name: 'the inspector' },
] as const;

/** The finding after the one whose evidence is selected; the first after the last. */
export function findNextFinding(findings: readonly Finding[], shown: string | undefined): Finding | undefined {
  const withEvidence = findings.filter(({ evidence }) => evidence.length > 0);
  const at = withEvidence.findIndex(({ id }) => id === shown);
  return withEvidence[(at + 1) % Math.max(1, withEvidence.length)];
}

/** The events before and after a row (-1 where nothing is selected); nothing while the row, or the page around it, is being asked for. */
export function computeNeighbours(
  row: number | undefined,
  page: RowPage | undefined,
): { readonly previous: EventId | undefined; readonly next: EventId | undefined } {
  if (row === undefined || page === undefined) return { previous: undefined, next: undefined };
  return {
    previous: row > 0 ? page.rows[row - 1 - page.from]?.id : undefined,
    next: page.rows[row + 1 - page.from]?.id,
  };
}

interface KeyTargets {
  readonly hasTranscriptPane: boolean;
  readonly onFocus: (request: FocusRequest) => void;
  /** Opens the replay with the edit that is being typed. */
  readonly onReplay: () => void;
  /** False while what is typed is no value. */
  readonly canReplay: boolean;
}

export function useExplorerKeys(
  explorer: Explorer,
  location: TraceLocation,
  change: TraceViewProps['change'],
  { hasTranscriptPane, onFocus, onReplay, canReplay }: KeyTargets,
): void {
  const { trace, branch, filter, event, select, edited } = explorer;
  useFirstMatch(explorer, onFocus);
  const rowOf = useRowOf(trace, branch, filter, event);
  // Before the row of the selection is known there is no next one: a key that is held down waits for it.
  const row = event === undefined ? -1 : rowOf.data;
  const around = useRows(trace, branch, filter, Math.max(0, (row ?? 0) - 1), (row ?? 0) + 2);
  const inspection = useInspection(trace, branch, event);
  const findings = useFindings(trace, branch);

  const page = around.isPlaceholderData ? undefined : around.data;
  const { previous, next } = computeNeighbours(row, page);
  const cause = inspection.data?.causes.listed[0]?.row.id;
  const effect = inspection.data?.effects.listed[0]?.row.id;
  const found = findNextFinding(findings.data ?? [], explorer.finding);
  const toEdit = inspection.data?.editable === undefined ? inspection.data?.editableCause?.id : event;

  const commands = useMemo<readonly Command[]>(() => {
    const go = (to: typeof next, none?: string) => () => {
      if (to !== undefined) select(to);
      else if (none !== undefined && inspection.data !== undefined) notify(none);
    };
    const { edit } = explorer;
    return [
      { ...walk, id: 'explorer.next', name: 'Next event', keys: ['j', 'ArrowDown'], run: go(next) },
      { ...walk, id: 'explorer.previous', name: 'Previous event', keys: ['k', 'ArrowUp'], run: go(previous) },
      {
        ...walk,
        id: 'explorer.cause',
        name: 'To the cause',
        keys: ['['],
        run: go(cause, 'No cause of this event is on record.'),
      },
      {
        ...walk,
        id: 'explorer.effect',
        name: 'To the effect',
        keys: [']'],
        run: go(effect, 'No event names this one as its cause.'),
      },
      {
        id: 'explorer.finding',
        name: 'Next finding',
        group,
        keys: ['.'],
        run: () => {
          if (found !== undefined)
            change({ event: found.evidence[0] ?? event, extra: { finding: found.id } }, 'replace');
          else if (findings.data !== undefined) notify('No finding of this branch names an event.');
        },
      },
      ...(edit === undefined
        ? []
        : [
            {
              id: 'explorer.edit',
              name: 'Edit this step and see what falls',
              group,
              keys: ['e'],
              run: () => {
                if (toEdit === undefined) {
                  notify('Nothing here can be edited: it is no decision, input or answer, and rests on none.');
                  return;
                }
                setFolded(paneToFold('inspector'), false);
                edit(toEdit);
              },
            },
          ]),
      ...(edited === undefined
        ? []
        : [
            {
              id: 'explorer.replay',
              name: 'Open the edit in replay',
              group,
              keys: ['mod+enter'],
              unavailable: canReplay ? undefined : 'what is typed cannot be read',
              run: onReplay,
            },
          ]),
      ...panels.map((panel, at) => ({
        id: `explorer.${panel}`,
        name: `Go to the ${panel}`,
        group: panesGroup,
        keys: [String(at + 1)],
        run: () => {
          const pane = panelToPane(panel, hasTranscriptPane);
          setFolded(paneToFold(pane), false);
          // Beside its own pane the transcript takes no place in the tabs.
          if (pane === 'left') change({ panel }, 'replace');
          onFocus({ pane });
        },
      })),
      {
        id: 'explorer.inspector',
        name: 'Go to the inspector',
        group: panesGroup,
        keys: [inspectorKey],
        run: () => {
          setFolded(paneToFold('inspector'), false);
          onFocus({ pane: 'inspector' });
        },
      },
      ...([1, -1] as const).map((step) => ({
        id: `explorer.inspector.${step === 1 ? 'next' : 'previous'}`,
        name: `${step === 1 ? 'Next' : 'Previous'} tab of the inspector`,
        group: panesGroup,
        keys: [step === 1 ? 'i' : 'I'],
        run: () => {
          const tab = stepTab(location.extra['tab'], step);
          setFolded(paneToFold('inspector'), false);
          change({ extra: { tab: tab === 'why' ? undefined : tab } }, 'replace');
          onFocus({ pane: 'inspector' });
        },
      })),
      ...foldable.map(({ fold, name }) => ({
        id: `explorer.fold.${fold}`,
        name: `Fold or unfold ${name}`,
        group,
        run: () => setFolded(fold, usePreferences.getState().folded[fold] !== true),
      })),
      {
        id: 'explorer.problems',
        name: 'Show problems and remarks',
        group,
        keys: ['p'],
        run: () => change({ extra: { drawer: 'problems' } }, 'replace'),
      },
      {
        id: 'explorer.out',
        name: 'Back out one level',
        group,
        keys: ['Escape'],
        inPalette: false,
        run: () => backOut(location, change),
      },
    ];
  }, [
    next,
    previous,
    cause,
    effect,
    found,
    findings.data,
    inspection.data,
    event,
    toEdit,
    edited,
    onReplay,
    canReplay,
    explorer,
    select,
    change,
    location,
    hasTranscriptPane,
    onFocus,
  ]);
  useCommands('explorer', commands);
}

/** The command that the filter box runs when a person ends it with Enter; nobody presses it otherwise. */
function useFirstMatch({ trace, branch, filter, event, select }: Explorer, onFocus: KeyTargets['onFocus']): void {
  // How often it was asked for, and which asking was answered.
  const [asked, setAsked] = useState(0);
  const answered = useRef(0);
  const first = useRows(trace, branch, filter, 0, 1);
  const rowOf = useRowOf(trace, branch, filter, event);
  const isKnown = first.data !== undefined && !first.isPlaceholderData && (event === undefined || rowOf.isSuccess);
  // Syncs the selection with what was asked for, when it is known what passes the filter; a selection that passes it stays.
  useEffect(() => {
    if (answered.current === asked || !isKnown) return;
    answered.current = asked;
    const to = first.data.rows[0]?.id;
    if (to === undefined) return;
    if (event === undefined || (rowOf.data ?? -1) < 0) select(to);
    onFocus({ pane: 'left' });
  }, [asked, isKnown, first.data, rowOf.data, event, select, onFocus]);
  useCommands(
    'matches',
    useMemo(
      () => [
        {
          id: firstMatchCommand,
          name: 'Go to the first match of the filter',
          group,
          run: () => setAsked((times) => times + 1),
        },
      ],
      [],
    ),
    'part',
  );
}

/** The drawer, then the edit, the comparison, the filter, the selection. */
function backOut(location: TraceLocation, change: TraceViewProps['change']): void {
  if (location.extra['drawer'] !== undefined) change({ extra: { drawer: undefined } }, 'replace');
  else if (location.extra['if'] !== undefined) change({ extra: { if: undefined } }, 'replace');
  else if (location.extra['with'] !== undefined) change({ extra: { with: undefined } }, 'replace');
  else if (location.filter !== '') change({ filter: '' });
  else if (location.event !== undefined) change({ event: undefined, extra: { finding: undefined } }, 'replace');
}
