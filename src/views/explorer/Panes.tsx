/** The panes and their tabs, in three, two or one column. In fewer columns the missing panes become tabs. */
import { useEffect } from 'react';
import { useFindings } from '../../data/index.ts';
import type { Panel } from '../../state/location.ts';
import { type TabItem, Tabs } from '../../ui/Tabs.tsx';
import { Effects } from './Effects.tsx';
import type { Explorer } from './explorer.ts';
import { Findings } from './Findings.tsx';
import { FoldButton, FoldablePanes, type Pane } from './FoldablePanes.tsx';
import { Graph } from './Graph.tsx';
import { Inspector } from './Inspector.tsx';
import type { InspectorTab } from './inspector-tabs.ts';
import { PaneContent } from './PaneContent.tsx';
import { type FocusRequest, inspectorId, inspectorKey, paneToElementId } from './pane-focus.ts';
import { States } from './States.tsx';
import { Timeline } from './Timeline.tsx';
import { Transcript } from './Transcript.tsx';
import styles from './Panes.module.css';

export interface PanesProps {
  readonly explorer: Explorer;
  readonly panel: Panel;
  readonly tab: InspectorTab;
  readonly onTab: (tab: InspectorTab) => void;
  readonly layout: 'three' | 'two' | 'one';
  /** The pane a key asked for last. */
  readonly focus: FocusRequest | undefined;
}

const tabs: readonly TabItem<Panel>[] = [
  { id: 'graph', label: 'Graph', shortcut: '1' },
  { id: 'timeline', label: 'Timeline', shortcut: '2' },
  { id: 'transcript', label: 'Transcript', shortcut: '3' },
  { id: 'effects', label: 'Effects', shortcut: '4' },
  { id: 'state', label: 'State', shortcut: '5' },
  { id: 'findings', label: 'Findings', shortcut: '6' },
];

export function Panes({ explorer, panel, tab, onTab, layout, focus }: PanesProps) {
  // Moves the focus after the pane asked for is unfolded and shown.
  useEffect(() => {
    if (focus !== undefined) document.getElementById(paneToElementId(focus.pane))?.focus();
  }, [focus]);
  const left: Pane = {
    id: 'left',
    label: layout === 'three' ? 'Views of the run' : 'Views',
    node: <Left explorer={explorer} panel={panel} hasTranscript={layout !== 'three'} />,
  };
  const transcript: Pane = {
    id: 'transcript',
    label: 'Transcript',
    node: (
      <section className={styles['pane']} aria-labelledby="transcript-title">
        <header className={styles['title']}>
          <h2 id="transcript-title">Transcript</h2>
          <kbd>3</kbd>
          <FoldButton pane="transcript" label="Fold the transcript" />
        </header>
        <PaneContent pane="transcript" label="Lines of the transcript">
          <Transcript explorer={explorer} />
        </PaneContent>
      </section>
    ),
  };
  const inspector: Pane = {
    id: 'inspector',
    label: 'Inspector',
    node: (
      <section
        id={inspectorId}
        tabIndex={-1}
        className={styles['pane']}
        aria-label="Inspector"
        aria-keyshortcuts={inspectorKey}
      >
        <Inspector explorer={explorer} tab={tab} onTab={onTab} />
      </section>
    ),
  };
  return (
    <div className={styles['panes']} data-layout={layout}>
      <FoldablePanes
        panes={layout === 'three' ? [left, transcript, inspector] : [left, inspector]}
        direction={layout === 'one' ? 'rows' : 'columns'}
        splits={layout === 'three' ? threeSplits : layout === 'two' ? [twoSplit] : []}
      />
    </div>
  );
}

const threeSplits = [
  { name: 'left', label: 'Width of the left pane', share: 0.42 },
  { name: 'middle', label: 'Width of the transcript', share: 0.51 },
] as const;
const twoSplit = { name: 'two', label: 'Width of the left pane', share: 0.6 } as const;

function Left({
  explorer,
  panel,
  hasTranscript,
}: {
  readonly explorer: Explorer;
  readonly panel: Panel;
  readonly hasTranscript: boolean;
}) {
  const findings = useFindings(explorer.trace, explorer.branch);
  const grave = findings.data?.filter(({ severity }) => severity !== 'notice').length ?? 0;
  const notices = (findings.data?.length ?? 0) - grave;
  const shown = panel === 'transcript' && !hasTranscript ? 'graph' : panel;
  const items = tabs
    .filter(({ id }) => hasTranscript || id !== 'transcript')
    .map((item) =>
      item.id === 'findings'
        ? {
            ...item,
            count: grave,
            counted: 'Violations, warnings and gaps',
            tone: 'danger' as const,
            also: { count: notices, counted: 'Notices' },
          }
        : item,
    );
  return (
    <div className={styles['pane']}>
      <Tabs
        label="Views of the run"
        items={items}
        selected={shown}
        onSelect={explorer.showPanel}
        end={<FoldButton pane="left" label="Fold the views" />}
      >
        <h2 className={styles['spoken']}>{labelOf(shown)}</h2>
        <PaneContent pane="left" label={`Content of ${labelOf(shown)}`}>
          <Content panel={shown} explorer={explorer} />
        </PaneContent>
      </Tabs>
    </div>
  );
}

function labelOf(panel: Panel): string {
  return tabs.find(({ id }) => id === panel)?.label ?? '';
}

function Content({ panel, explorer }: { readonly panel: Panel; readonly explorer: Explorer }) {
  switch (panel) {
    case 'graph':
      return <Graph explorer={explorer} />;
    case 'timeline':
      return <Timeline explorer={explorer} />;
    case 'transcript':
      return <Transcript explorer={explorer} />;
    case 'effects':
      return <Effects explorer={explorer} />;
    case 'state':
      return <States explorer={explorer} />;
    case 'findings':
      return <Findings explorer={explorer} />;
  }
}
