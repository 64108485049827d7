/** The graph as a list: every event by causal depth, with its causes and effects in words. Says all that the picture says. */
import { lineToShown } from '../../core/base/shown-text.ts';
import type { Cone, ConeEdge, ConeNode } from '../../core/projections/trace-reader.ts';
import { FamilyIcon } from '../../ui/FamilyIcon.tsx';
import { stepInWord } from '../../ui/legend-marks.ts';
import type { Explorer } from './explorer.ts';
import { nodeToName } from './GraphNode.tsx';
import { type ListedNode, coneToList, edgeToName } from './graph-model.ts';
import { MarkSign } from './MarkBadge.tsx';
import { reasonsToText } from './overlay.ts';
import styles from './GraphList.module.css';

export function GraphList({ cone, explorer }: { readonly cone: Cone; readonly explorer: Explorer }) {
  return (
    <ol className={styles['list']} aria-label="Events of the graph by causal depth">
      {coneToList(cone).map((listed) => (
        <Item key={listed.node.id} listed={listed} explorer={explorer} />
      ))}
    </ol>
  );
}

function Item({ listed, explorer }: { readonly listed: ListedNode; readonly explorer: Explorer }) {
  const { node, causes, effects } = listed;
  const { event } = node;
  const mark = explorer.overlay?.markOf(event);
  const reasons = event === undefined ? [] : (explorer.overlay?.reasonsOf(event) ?? []);
  return (
    <li className={styles['item']} data-kind={node.kind}>
      <button
        type="button"
        disabled={event === undefined}
        aria-label={nodeToName(node)}
        aria-current={event !== undefined && event === explorer.event}
        onClick={() => event !== undefined && explorer.select(event)}
      >
        <FamilyIcon family={node.family} effect={node.effect} failed={node.failed} />
        <span>{node.title}</span>
        <code>
          {node.kind === 'event' ? lineToShown(node.type) : node.kind === 'gap' ? 'not recorded' : stepInWord}
        </code>
        {mark === undefined ? undefined : <MarkSign mark={mark} />}
      </button>
      {mark === undefined || reasons.length === 0 ? undefined : (
        <p>
          {mark.word}: {reasonsToText(reasons, explorer.titleOf)}
        </p>
      )}
      <Neighbours title="because of" members={causes} />
      <Neighbours title="led to" members={effects} />
    </li>
  );
}

function Neighbours({
  title,
  members,
}: {
  readonly title: string;
  readonly members: readonly { readonly edge: ConeEdge; readonly node: ConeNode }[];
}) {
  if (members.length === 0) return undefined;
  return (
    <p>
      {title} {members.map(({ edge, node }) => `${node.title} (${edgeToName(edge)})`).join('; ')}
    </p>
  );
}
