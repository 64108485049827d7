/**
 * The explorer: headline, overview, panes and status of one branch, around one selection.
 *
 * Three panes from 1280 px, two from 900, one below. Pane sizes are remembered on this machine; everything a link should
 * carry is in the address.
 */
import { memo, useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { type BranchId, type EventId, branchId, eventId } from '../../core/model/index.ts';
import { parseFilter } from '../../core/projections/filter.ts';
import { type TraceId, useBranchMarks, useCounterpart, useHeadline, useRows } from '../../data/index.ts';
import { type Panel, type TraceViewProps, branchChange, leftExtra } from '../../state/location.ts';
import { setFolded } from '../../state/preferences.ts';
import type { ReplayDraft } from '../../state/replay-draft.ts';
import { useMedia } from '../../ui/use-media.ts';
import { type Explorer, noFilter } from './explorer.ts';
import { paneToFold } from './FoldablePanes.tsx';
import { Headline as HeadlineNow } from './Headline.tsx';
import { type InspectorTab, textToInspectorTab } from './inspector-tabs.ts';
import { OverlayBanner } from './OverlayBanner.tsx';
import { Overview } from './Overview.tsx';
import { Panes as PanesNow } from './Panes.tsx';
import { type FocusRequest, inspectorId } from './pane-focus.ts';
import { ProblemsDrawer } from './ProblemsDrawer.tsx';
import { Searching } from './Searching.tsx';
import { StatusBar as StatusBarNow } from './StatusBar.tsx';
import { useExplorerKeys } from './use-explorer-keys.ts';
import { useOverlay } from './use-overlay.ts';
import { isUsable } from './what-if.ts';
import styles from './View.module.css';

export interface ExplorerViewProps extends TraceViewProps {
  readonly trace: TraceId;
}

/** What follows a selection in slices between frames, and is passed over while keys come faster than it can be drawn. */
const Headline = memo(HeadlineNow);
const Panes = memo(PanesNow);
const StatusBar = memo(StatusBarNow);

export function View({ trace, location, change, views }: ExplorerViewProps) {
  const { branch, filter: filterText, panel, extra } = location;
  const filter = useMemo(() => {
    const parsed = parseFilter(filterText);
    return parsed.ok ? parsed.value : noFilter;
  }, [filterText]);
  const { event, isChoosing } = useShownEvent(trace, location);
  const select = useCallback((to: EventId) => change({ event: to }, 'replace'), [change]);
  const clearFilter = useCallback(() => change({ filter: '' }), [change]);
  const showPanel = useCallback(
    (to: Panel) => {
      setFolded(paneToFold('left'), false);
      change({ panel: to }, 'replace');
    },
    [change],
  );
  const showFinding = useCallback(
    (finding: string) => {
      setFolded(paneToFold('left'), false);
      change({ panel: 'findings', extra: { finding } }, 'replace');
    },
    [change],
  );
  const canEdit = views.includes('replay');
  const wantsEditor = useRef(false);
  const takeEditFocus = useCallback(() => {
    const wanted = wantsEditor.current;
    wantsEditor.current = false;
    return wanted;
  }, []);
  const edit = useMemo(() => {
    if (!canEdit) return undefined;
    return (to: EventId) => {
      wantsEditor.current = true;
      // The event may have to be read first: what is pressed until then is pressed where its editor will be.
      document.getElementById(inspectorId)?.focus();
      change({ event: to, extra: { if: to } });
    };
  }, [canEdit, change]);
  const [hidden, setHidden] = useState<ReplayDraft>();
  const laid = useOverlay(trace, location, hidden);
  const { overlay, supposed: edited, titleOf } = laid;
  const finding = extra['finding'];
  const explorer = useMemo<Explorer>(
    () => ({
      trace,
      branch,
      filter,
      event,
      isChoosing,
      select,
      clearFilter,
      showPanel,
      showFinding,
      finding,
      edit,
      takeEditFocus,
      edited,
      overlay,
      titleOf,
    }),
    [
      trace,
      branch,
      filter,
      event,
      isChoosing,
      select,
      clearFilter,
      showPanel,
      showFinding,
      finding,
      edit,
      takeEditFocus,
      edited,
      overlay,
      titleOf,
    ],
  );
  const settled = useDeferredValue(explorer);
  const isDrawerOpen = extra['drawer'] === 'problems';
  const openDrawer = useCallback(() => change({ extra: { drawer: 'problems' } }, 'replace'), [change]);
  const turnDrawer = useCallback(
    () => change({ extra: { drawer: isDrawerOpen ? undefined : 'problems' } }, 'replace'),
    [change, isDrawerOpen],
  );
  const left = useDeferredValue(location);
  const openBranch = useCallback((to: BranchId) => change(branchChange(left, to)), [change, left]);
  const openTab = useCallback(
    (tab: InspectorTab) => change({ extra: { tab: tab === 'why' ? undefined : tab } }, 'replace'),
    [change],
  );
  const closeDrawer = useCallback(() => change({ extra: { drawer: undefined } }, 'replace'), [change]);
  // Syncs the address with what is shown, so that a link and the other views begin at the same event.
  useEffect(() => {
    if (location.event === undefined && event !== undefined && !isChoosing)
      change({ event, extra: { [leftExtra]: undefined } }, 'replace');
  }, [location.event, event, isChoosing, change]);
  const clear = (): void => {
    if (edited === undefined) setHidden(laid.draft);
    else change({ extra: { if: undefined } }, 'replace');
  };
  const [firstStep] = Object.keys(laid.draft.steps);
  const openReplay = useCallback(() => {
    const to = edited ?? (firstStep === undefined ? event : eventId(firstStep));
    change({ view: 'replay', event: to, extra: { if: undefined } });
  }, [edited, firstStep, event, change]);
  const isWide = useMedia('(width >= 1280px)');
  const isMiddle = useMedia('(width >= 900px)');
  const [focus, setFocus] = useState<FocusRequest>();
  useExplorerKeys(explorer, location, change, {
    hasTranscriptPane: isWide,
    onFocus: setFocus,
    onReplay: openReplay,
    canReplay: isUsable(laid.draft),
  });
  const banner = (
    <OverlayBanner
      explorer={explorer}
      state={laid}
      onReplay={canEdit ? openReplay : undefined}
      onClear={clear}
      onTurn={() =>
        overlay?.kind === 'parent'
          ? change({ branch: branchId(extra['with'] ?? ''), event: undefined, extra: { with: undefined } })
          : change({ branch: laid.parent ?? branch, event: undefined, extra: { with: branch } })
      }
    />
  );
  // A preview comes by a press: above the panes it would push from under the pointer what was pressed.
  const isPreview = laid.subject !== undefined;
  return (
    <div className={styles['explorer']} data-layout={isWide ? 'three' : isMiddle ? 'two' : 'one'}>
      <Headline explorer={settled} onProblems={openDrawer} onBranch={openBranch} />
      <Overview explorer={explorer} />
      {isPreview ? undefined : banner}
      <Panes
        explorer={settled}
        panel={panel}
        tab={textToInspectorTab(extra['tab'])}
        onTab={openTab}
        layout={isWide ? 'three' : isMiddle ? 'two' : 'one'}
        focus={focus}
      />
      {isPreview ? banner : undefined}
      {isDrawerOpen ? <ProblemsDrawer explorer={explorer} onClose={closeDrawer} /> : undefined}
      <Searching explorer={explorer} onStop={clearFilter} />
      <StatusBar explorer={settled} onProblems={turnDrawer} onClearFilter={clearFilter} />
    </div>
  );
}

/**
 * What is selected: as the address says. Else, where another branch was left, what stands in the place of the event selected there. On a
 * branch else what the edit replaced. Else the first event worth reading, as the headline names it. Else, and as long as the headline is
 * not there, the first event.
 */
function useShownEvent(
  trace: TraceId,
  location: ExplorerViewProps['location'],
): { readonly event: EventId | undefined; readonly isChoosing: boolean } {
  const headline = useHeadline(trace, location.branch);
  const rows = useRows(trace, location.branch, noFilter, 0, 1);
  const marks = useBranchMarks(trace, location.branch);
  const left = location.event === undefined ? location.extra[leftExtra] : undefined;
  const counterpart = useCounterpart(trace, location.branch, left === undefined ? undefined : eventId(left));
  const chosen = (event: EventId | undefined) => ({ event, isChoosing: false });
  if (location.event !== undefined) return chosen(location.event);
  if (left !== undefined && counterpart.isPending) return { event: undefined, isChoosing: true };
  if (counterpart.data !== undefined) return chosen(counterpart.data);
  // Findings of a long trace take a while; until they are there the beginning is shown, and a selection of the person stays.
  if (headline.isPending || marks.isPending) return { event: rows.data?.rows[0]?.id, isChoosing: true };
  if (headline.data === undefined) return chosen(rows.data?.rows[0]?.id);
  const replaced = marks.data?.onBranch.find(({ status }) => status === 'superseded')?.event;
  if (replaced !== undefined) return chosen(replaced);
  return chosen(headline.data.start ?? rows.data?.rows[0]?.id);
}
