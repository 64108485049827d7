/**
 * The causal graph: the cone of the selection, drawn by React Flow at the positions the reader gave.
 *
 * A selection inside the cone keeps the picture where it is; one outside moves the focus. `f` moves it by hand. The list
 * behind the same button says everything the picture says.
 */
import { useCallback, useMemo, useState } from 'react';
import type { EventId } from '../../core/model/index.ts';
import type { ConeRequest } from '../../core/projections/trace-reader.ts';
import { useCone } from '../../data/index.ts';
import { setFolded, usePreferences } from '../../state/preferences.ts';
import { Awaited } from '../../ui/Awaited.tsx';
import { Button, IconButton } from '../../ui/Button.tsx';
import { useCommands } from '../../ui/commands.ts';
import { countOf } from '../../ui/format.ts';
import { Icon } from '../../ui/Icons.tsx';
import { EdgeSample } from '../../ui/Legend.tsx';
import { Message } from '../../ui/Message.tsx';
import { Explained } from '../../ui/Term.tsx';
import { Waiting } from '../../ui/Progress.tsx';
import { type Explorer, isFiltering } from './explorer.ts';
import { GraphCanvas } from './GraphCanvas.tsx';
import { GraphList } from './GraphList.tsx';
import { hasEvent } from './graph-model.ts';
import styles from './Graph.module.css';

const limit = 300;
const depths = [1, 2, 3, 4, 6, 8, 12, 20] as const;

export function Graph({ explorer }: { readonly explorer: Explorer }) {
  const { event } = explorer;
  const [focus, setFocus] = useState(event);
  const [depth, setDepth] = useState(2);
  const [expanded, setExpanded] = useState<readonly EventId[]>([]);
  // What the picture is looked at around: the focus, or what was opened or folded last.
  const [anchor, setAnchor] = useState<EventId>();
  const [refocused, setRefocused] = useState(0);
  const isList = usePreferences(({ folded }) => folded['graph.picture'] === true);
  const steps = depths[depth] ?? 3;
  const request: ConeRequest | undefined =
    focus === undefined ? undefined : { focus, up: steps, down: steps, limit, expanded };
  const cone = useCone(explorer.trace, explorer.branch, request);

  // The selection left the picture: the picture follows. Decided while drawing, so that no wrong picture is ever shown.
  if (
    event !== undefined &&
    event !== focus &&
    (focus === undefined || (cone.data !== undefined && !cone.isPlaceholderData && !hasEvent(cone.data, event)))
  ) {
    setFocus(event);
    setExpanded([]);
    setAnchor(undefined);
  }
  const refocus = useCallback(() => {
    setFocus(event);
    setExpanded([]);
    setAnchor(undefined);
    setRefocused((times) => times + 1);
  }, [event]);
  useCommands(
    'graph',
    useMemo(
      () => [
        { id: 'graph.focus', name: 'Focus the graph on the selection', group: 'Explorer', keys: ['f'], run: refocus },
      ],
      [refocus],
    ),
    'part',
  );
  const expand = useCallback((node: EventId) => {
    setExpanded((known) => (known.includes(node) ? known.filter((id) => id !== node) : [...known, node]));
    setAnchor(node);
  }, []);

  if (event === undefined)
    return explorer.isChoosing ? (
      <Waiting label="Looking for the first event" />
    ) : (
      <Message title="Nothing is selected" icon="target">
        Select an event anywhere to see what caused it and what it caused.
      </Message>
    );
  // Kept from the question before, a picture is no answer to one that failed.
  if (cone.data === undefined || cone.error !== null) return <Awaited of={cone} label="Laying out the graph" />;
  if (cone.data.nodes.length === 0 && !cone.isPlaceholderData)
    return (
      <Message title="This branch does not have the selected event" icon="branch">
        Select an event of it in any other pane.
      </Message>
    );
  const gaps = cone.data.nodes.filter(({ kind }) => kind === 'gap').length;
  const rim = cone.data.nodes.reduce((sum, { hiddenCauses, hiddenEffects }) => sum + hiddenCauses + hiddenEffects, 0);
  return (
    <section className={styles['graph']} aria-label="Causal graph">
      <header className={styles['bar']}>
        <span className={styles['depth']}>
          <IconButton
            icon="minus"
            label="Fewer steps of cause"
            isDisabled={depth === 0}
            onPress={() => setDepth(depth - 1)}
          />
          <span>
            {steps} {steps === 1 ? 'step' : 'steps'} each way
          </span>
          <IconButton
            icon="plus"
            label="More steps of cause"
            isDisabled={depth === depths.length - 1}
            onPress={() => setDepth(depth + 1)}
          />
        </span>
        <span className={styles['counts']}>
          {countOf(cone.data.nodes.length - gaps, 'event')}
          {gaps === 0 ? '' : `, ${countOf(gaps, 'gap')}`}
          <span className={styles['rimCount']}>
            {rim === 0 ? undefined : <Explained text={`, ${countOf(rim, 'neighbour')} beyond the rim`} />}
          </span>
        </span>
        {isFiltering(explorer.filter) ? (
          <span className={styles['unfiltered']} title="A cause that the filter hides is a cause all the same.">
            <Icon name="info" size={12} /> not filtered
          </span>
        ) : undefined}
        <span className={styles['legend']}>
          {explorer.overlay === undefined ? undefined : (
            <span>
              <span className={styles['frontierSample']} aria-hidden="true" /> kept ends here
            </span>
          )}
          <span>
            <EdgeSample grade="recorded" /> recorded
          </span>
          <span>
            <EdgeSample grade="inferred" /> inferred
          </span>
          <span>
            <EdgeSample grade="clock-only" /> clock
          </span>
        </span>
        <span className={styles['end']}>
          {focus === event ? undefined : (
            <Button kind="quiet" icon="target" shortcut="f" onPress={refocus}>
              Focus
            </Button>
          )}
          <IconButton
            icon="menu"
            label={isList ? 'Show the picture' : 'Show it as a list'}
            pressed={isList}
            onPress={() => setFolded('graph.picture', !isList)}
          />
        </span>
      </header>
      {isList ? (
        <GraphList cone={cone.data} explorer={explorer} />
      ) : (
        <GraphCanvas
          cone={cone.data}
          explorer={explorer}
          focus={focus}
          anchor={anchor ?? focus}
          refocused={refocused}
          expanded={expanded}
          onExpand={expand}
        />
      )}
    </section>
  );
}
