/**
 * The explorer: headline, overview, panes and status of one branch, around one selection.
 *
 * Three panes from 1280 px, two from 900, one below. Pane sizes are remembered on this machine; everything a link should
 * carry is in the address.
 */
import { useCallback, useMemo } from 'react';
import type { EventId } from '../../core/model/index.ts';
import { parseFilter } from '../../core/projections/filter.ts';
import { type TraceId, useFindings, useRows } from '../../data/index.ts';
import type { Panel, TraceViewProps } from '../../state/location.ts';
import { useMedia } from '../../ui/use-media.ts';
import { type Explorer, noFilter } from './explorer.ts';
import { Headline } from './Headline.tsx';
import { textToInspectorTab } from './Inspector.tsx';
import { Overview } from './Overview.tsx';
import { Panes } from './Panes.tsx';
import { ProblemsDrawer } from './ProblemsDrawer.tsx';
import { StatusBar } from './StatusBar.tsx';
import { useExplorerKeys } from './use-explorer-keys.ts';
import styles from './View.module.css';

export interface ExplorerViewProps extends TraceViewProps {
  readonly trace: TraceId;
}

export function View({ trace, location, change, views }: ExplorerViewProps) {
  const { branch, filter: filterText, panel, extra } = location;
  const filter = useMemo(() => {
    const parsed = parseFilter(filterText);
    return parsed.ok ? parsed.value : noFilter;
  }, [filterText]);
  const event = useShownEvent(trace, location);
  const select = useCallback((to: EventId) => change({ event: to }, 'replace'), [change]);
  const showPanel = useCallback((to: Panel) => change({ panel: to }, 'replace'), [change]);
  const showFinding = useCallback(
    (finding: string) => change({ panel: 'findings', extra: { finding } }, 'replace'),
    [change],
  );
  const canEdit = views.includes('replay');
  const edit = useMemo(
    () => (canEdit ? (to: EventId) => change({ view: 'replay', event: to, extra: { edit: '1' } }) : undefined),
    [canEdit, change],
  );
  const finding = extra['finding'];
  const explorer = useMemo<Explorer>(
    () => ({ trace, branch, filter, event, select, showPanel, showFinding, finding, edit }),
    [trace, branch, filter, event, select, showPanel, showFinding, finding, edit],
  );
  const isDrawerOpen = extra['drawer'] === 'problems';
  const closeDrawer = useCallback(() => change({ extra: { drawer: undefined } }, 'replace'), [change]);
  useExplorerKeys(explorer, location, change);
  const isWide = useMedia('(width >= 1280px)');
  const isMiddle = useMedia('(width >= 900px)');
  return (
    <div className={styles['explorer']} data-layout={isWide ? 'three' : isMiddle ? 'two' : 'one'}>
      <Headline explorer={explorer} />
      <Overview explorer={explorer} />
      <Panes
        explorer={explorer}
        panel={panel}
        tab={textToInspectorTab(extra['tab'])}
        onTab={(tab) => change({ extra: { tab: tab === 'why' ? undefined : tab } }, 'replace')}
        layout={isWide ? 'three' : isMiddle ? 'two' : 'one'}
      />
      {isDrawerOpen ? <ProblemsDrawer explorer={explorer} onClose={closeDrawer} /> : undefined}
      <StatusBar
        explorer={explorer}
        onProblems={() => change({ extra: { drawer: isDrawerOpen ? undefined : 'problems' } }, 'replace')}
        onClearFilter={() => change({ filter: '' })}
      />
    </div>
  );
}

/** What is selected: as the address says, else the first evidence of the weightiest finding, else the first event. */
function useShownEvent(trace: TraceId, location: ExplorerViewProps['location']): EventId | undefined {
  const findings = useFindings(trace, location.branch);
  const rows = useRows(trace, location.branch, noFilter, 0, 1);
  if (location.event !== undefined) return location.event;
  if (findings.data === undefined) return undefined;
  return findings.data.find(({ evidence }) => evidence.length > 0)?.evidence[0] ?? rows.data?.rows[0]?.id;
}
