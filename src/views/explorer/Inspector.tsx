/** Everything about the selected event, by question. What no record says is shown as such, never filled in. */
import { lineToShown } from '../../core/base/shown-text.ts';
import { useInspection, useSummary } from '../../data/index.ts';
import type { EventId } from '../../core/model/index.ts';
import type { Inspection } from '../../core/projections/trace-reader.ts';
import { traceLocation, useNavigation } from '../../state/location.ts';
import { useReplayDraft } from '../../state/replay-draft.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { Chip } from '../../ui/Chip.tsx';
import { copyText } from '../../ui/copy-text.ts';
import { FamilyIcon } from '../../ui/FamilyIcon.tsx';
import { StepIn } from './StepIn.tsx';
import { Message } from '../../ui/Message.tsx';
import { Waiting } from '../../ui/Progress.tsx';
import { type TabItem, Tabs } from '../../ui/Tabs.tsx';
import { Explained } from '../../ui/Term.tsx';
import { type InspectorTab, inspectorTabs } from './inspector-tabs.ts';
import { titleToRead } from './title.ts';
import type { Explorer } from './explorer.ts';
import { MarkBadge } from './MarkBadge.tsx';
import { reasonsToText } from './overlay.ts';
import { WhatIf } from './WhatIf.tsx';
import { FoldButton } from './FoldablePanes.tsx';
import { PaneContent } from './PaneContent.tsx';
import { CausesTab } from './InspectorCauses.tsx';
import { IdentityTab, StateTab } from './InspectorFacts.tsx';
import { PayloadTab, RawTab } from './InspectorPayload.tsx';
import { ProvenanceTab } from './InspectorProvenance.tsx';
import { effectToKill } from './kill-way.ts';
import { ReplayNeeds } from './ReplayNeeds.tsx';
import { WhyTab } from './InspectorWhy.tsx';
import styles from './Inspector.module.css';

const tabs: readonly TabItem<InspectorTab>[] = inspectorTabs.map((id) => ({
  id,
  label: `${id.charAt(0).toUpperCase()}${id.slice(1)}`,
}));

export interface InspectorProps {
  readonly explorer: Explorer;
  readonly tab: InspectorTab;
  readonly onTab: (tab: InspectorTab) => void;
}

export function Inspector({ explorer, tab, onTab }: InspectorProps) {
  const { data, error, isPending } = useInspection(explorer.trace, explorer.branch, explorer.event);
  if (explorer.event === undefined)
    return explorer.isChoosing ? (
      <Waiting label="Looking for the first event" lines={6} />
    ) : (
      <Message title="Nothing is selected" icon="target">
        Select an event in any pane.
      </Message>
    );
  if (error !== null)
    return (
      <Message title="The event could not be read" tone="problem" icon="warning">
        {error.message}
      </Message>
    );
  if (isPending) return <Waiting label="Reading the event" lines={6} />;
  if (data === undefined) {
    return (
      <Message title="This event is not on this branch" icon="branch">
        The address names <code>{lineToShown(explorer.event)}</code>, which no record of this branch has.
      </Message>
    );
  }
  return <Inspected inspection={data} explorer={explorer} tab={tab} onTab={onTab} />;
}

function Inspected({ inspection, explorer, tab, onTab }: InspectorProps & { readonly inspection: Inspection }) {
  const { row, editable, editableCause } = inspection;
  const { name, value } = titleToRead(row.title);
  const { edit } = explorer;
  return (
    <div className={styles['inspector']}>
      <header className={styles['header']}>
        <FamilyIcon family={row.family} effect={row.effect} failed={row.failed} />
        <div className={styles['names']}>
          <h2 title={row.title}>
            <Explained text={name} />
          </h2>
          {value === undefined ? undefined : <p className={styles['preview']}>{value}</p>}
        </div>
        <IconButton
          icon="copy"
          label="Copy the id of the event"
          tip="left"
          onPress={() => copyText(row.id, 'The id was copied.')}
        />
        <FoldButton pane="inspector" label="Fold the inspector" />
        <div className={styles['under']}>
          <code>{lineToShown(row.type)}</code>
          {row.effect ? <Chip tone="effect">left the system</Chip> : undefined}
          {row.mayEffect === true ? <Chip>may have left the system</Chip> : undefined}
          {row.failed ? <Chip tone="danger">failed</Chip> : undefined}
          {inspection.canStepIn ? <StepIn /> : undefined}
          <span className={styles['edit']}>
            {edit === undefined ? undefined : <KillLink inspection={inspection} explorer={explorer} />}
            {edit === undefined ? undefined : editable !== undefined ? (
              <Button icon="pencil" shortcut="e" onPress={() => edit(row.id)}>
                Edit
              </Button>
            ) : editableCause === undefined ? undefined : (
              <Button
                icon="pencil"
                shortcut="e"
                aria-label={`Edit what it rests on: ${titleToRead(editableCause.title).name}`}
                onPress={() => edit(editableCause.id)}
              >
                Edit cause
              </Button>
            )}
          </span>
        </div>
      </header>
      {explorer.edited === row.id ? <WhatIf inspection={inspection} explorer={explorer} /> : undefined}
      <Fate explorer={explorer} event={row.id} />
      <Tabs isDense label="Inspector" items={tabs} selected={tab} onSelect={onTab}>
        <PaneContent isScrolling pane="inspector" label="Content of the inspector">
          <Content inspection={inspection} explorer={explorer} tab={tab} />
        </PaneContent>
      </Tabs>
    </div>
  );
}

/** For an effect: what if the worker had died at it, simulated in the replay. */
function KillLink({ inspection, explorer }: { readonly inspection: Inspection; readonly explorer: Explorer }) {
  const { hrefOf } = useNavigation();
  const summary = useSummary(explorer.trace);
  const draft = useReplayDraft(explorer.trace, explorer.branch);
  const way = effectToKill(inspection.event, summary.data?.missingForReplay, draft.program !== undefined);
  if (way === undefined) return undefined;
  if (way.missing.length > 0)
    return (
      <ReplayNeeds
        missing={way.missing}
        because="The death of the worker at this effect cannot be simulated: that runs the control program, as a replay does. One that you have can be brought under “Program” in Replay."
      >
        No kill here
      </ReplayNeeds>
    );
  const extra = { show: 'kill', kill: way.path };
  const to = { ...traceLocation(explorer.trace), branch: explorer.branch, view: 'replay', extra } as const;
  return <a href={hrefOf(to)}>Kill here</a>;
}

/** What becomes of the event under the overlay, and by which path. */
function Fate({ explorer, event }: { readonly explorer: Explorer; readonly event: EventId }) {
  const { overlay, titleOf } = explorer;
  const mark = overlay?.markOf(event);
  if (overlay === undefined || mark === undefined || mark.word === 'inherited') return undefined;
  const reasons = overlay.reasonsOf(event);
  return (
    <section className={styles['fate']} aria-label="What becomes of it">
      <MarkBadge mark={mark} />
      <p>
        {mark.meaning}
        {reasons.length === 0 ? undefined : <> It {reasonsToText(reasons, titleOf)}.</>}
      </p>
    </section>
  );
}

function Content({
  inspection,
  explorer,
  tab,
}: {
  readonly inspection: Inspection;
  readonly explorer: Explorer;
  readonly tab: InspectorTab;
}) {
  switch (tab) {
    case 'why':
      return <WhyTab inspection={inspection} explorer={explorer} />;
    case 'payload':
      return <PayloadTab key={inspection.row.id} inspection={inspection} explorer={explorer} />;
    case 'causes':
      return <CausesTab inspection={inspection} explorer={explorer} />;
    case 'identity':
      return <IdentityTab inspection={inspection} explorer={explorer} />;
    case 'state':
      return <StateTab inspection={inspection} explorer={explorer} />;
    case 'provenance':
      return <ProvenanceTab inspection={inspection} explorer={explorer} />;
    case 'raw':
      return <RawTab inspection={inspection} />;
  }
}
