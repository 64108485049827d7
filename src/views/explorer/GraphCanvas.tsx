/** The picture of the cone. React Flow only pans, zooms and places; what is where was decided before. */
import {
  type Edge,
  type Node,
  MarkerType,
  ReactFlow,
  ReactFlowProvider,
  ViewportPortal,
  useReactFlow,
  useStore,
} from '@xyflow/react';
import '@xyflow/react/dist/base.css';
import { useEffect, useMemo, useRef } from 'react';
import { nameToShown } from '../../core/base/shown-text.ts';
import type { EventId } from '../../core/model/index.ts';
import type { Cone } from '../../core/projections/trace-reader.ts';
import { useMedia } from '../../ui/use-media.ts';
import type { Explorer } from './explorer.ts';
import { type Overlay, reasonsToText } from './overlay.ts';
import { CauseEdge, type CauseEdgeData } from './GraphEdge.tsx';
import { EventNode, type EventNodeData } from './GraphNode.tsx';
import {
  type GraphPicture,
  type Point,
  computeBows,
  computeFrontier,
  computeViewpoint,
  coneToPicture,
  nodeHeight,
  pictureToBox,
  pictureToRows,
  widthToColumns,
} from './graph-model.ts';
import styles from './Graph.module.css';

const nodeTypes = { event: EventNode };
const edgeTypes = { cause: CauseEdge };

export interface GraphCanvasProps {
  readonly cone: Cone;
  readonly explorer: Explorer;
  readonly focus: EventId | undefined;
  /** What is in the middle: the focus, or the node whose neighbours were asked for last. */
  readonly anchor: EventId | undefined;
  /** Counts how often a person asked for the focus. */
  readonly refocused: number;
  readonly expanded: readonly EventId[];
  readonly onExpand: (event: EventId) => void;
}

export function GraphCanvas(props: GraphCanvasProps) {
  return (
    <ReactFlowProvider>
      <Flow {...props} />
    </ReactFlowProvider>
  );
}

function Flow({ cone, explorer, focus, anchor, refocused, expanded, onExpand }: GraphCanvasProps) {
  const width = useStore((state) => state.width);
  const columns = widthToColumns(width);
  const picture = useMemo(() => coneToPicture(cone, columns, width), [cone, columns, width]);
  const { event, overlay } = explorer;
  const nodes = useMemo(
    () => pictureToNodes(picture, { explorer, focus, expanded, onExpand }),
    [picture, explorer, focus, expanded, onExpand],
  );
  const edges = useMemo(() => pictureToEdges(picture, event, overlay), [picture, event, overlay]);
  const frontier = useMemo(
    () => (overlay === undefined ? [] : computeFrontier(picture, (id) => isFallen(overlay, id))),
    [picture, overlay],
  );
  return (
    <div className={styles['canvas']}>
      <ReactFlow
        nodes={nodes}
        edges={edges}
        nodeTypes={nodeTypes}
        edgeTypes={edgeTypes}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        elementsSelectable={false}
        edgesFocusable
        disableKeyboardA11y
        onlyRenderVisibleElements
        minZoom={0.15}
        maxZoom={1.5}
        panOnScroll
        proOptions={{ hideAttribution: true }}
        aria-label="Causal graph, drawn. The list behind the button above says the same."
      >
        <Lanes picture={picture} />
        <Ranks picture={picture} />
        <Frontier corners={frontier} />
        <Viewpoint picture={picture} anchor={anchor} focus={focus} event={event} refocused={refocused} />
      </ReactFlow>
    </div>
  );
}

/**
 * Syncs the viewport, which React Flow owns: the anchor to the middle, a selection at the edge into view. Where neighbours were asked for they
 * stay in view: the selection is followed when it changes.
 */
function Viewpoint({
  picture,
  anchor,
  focus,
  event,
  refocused,
}: {
  readonly picture: GraphPicture;
  readonly anchor: EventId | undefined;
  readonly focus: EventId | undefined;
  readonly event: EventId | undefined;
  readonly refocused: number;
}) {
  const flow = useReactFlow();
  const isStill = useMedia('(prefers-reduced-motion: reduce)');
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  const duration = isStill ? 0 : 160;
  useEffect(() => {
    const at =
      picture.nodes.find(({ node }) => node.event === anchor) ?? picture.nodes.find(({ node }) => node.event === focus);
    if (at === undefined || width === 0) return;
    const to = computeViewpoint(
      pictureToBox(picture),
      { x: at.x + picture.nodeWidth / 2, y: at.y + nodeHeight / 2 },
      { width, height },
      pictureToRows(picture),
    );
    flow.setCenter(to.x, to.y, { zoom: to.zoom, duration: 0 }).catch((error: unknown) => reportError(error));
  }, [flow, picture, anchor, focus, refocused, width, height]);
  const followed = useRef(event);
  useEffect(() => {
    const isNew = followed.current !== event;
    followed.current = event;
    // The picture grew around another node: what was asked for is there, and the selection did not move.
    if (!isNew && anchor !== focus) return;
    const at = picture.nodes.find(({ node }) => node.event === event);
    if (at === undefined || width === 0) return;
    const { x, y, zoom } = flow.getViewport();
    const [left, top] = [at.x * zoom + x, at.y * zoom + y];
    const isInside =
      left >= 0 && top >= 24 && left + picture.nodeWidth * zoom <= width && top + nodeHeight * zoom <= height;
    if (isInside) return;
    const middle = { x: at.x + picture.nodeWidth / 2, y: at.y + nodeHeight / 2 };
    const to = computeViewpoint(pictureToBox(picture), middle, { width, height }, pictureToRows(picture), zoom);
    flow.setCenter(to.x, to.y, { zoom, duration }).catch((error: unknown) => reportError(error));
  }, [flow, picture, anchor, focus, event, width, height, duration]);
  return undefined;
}

/** Ranks that take several rows stand on a ground of their own: the second row comes from none of the first. */
function Ranks({ picture }: { readonly picture: GraphPicture }) {
  const { left, width } = pictureToBox(picture);
  return (
    <ViewportPortal>
      {picture.ranks.map((rank) => (
        <div
          key={rank.y}
          className={styles['rank']}
          style={{
            transform: `translate(${left - 16}px, ${rank.y - 17}px)`,
            width: width + 32,
            height: rank.height + 34,
          }}
        />
      ))}
    </ViewportPortal>
  );
}

/** Bands behind the nodes, and their names in a strip that stays while the picture moves. */
function Lanes({ picture }: { readonly picture: GraphPicture }) {
  const [left, , zoom] = useStore((state) => state.transform);
  const room = useStore((state) => state.width);
  const { top, height } = pictureToBox(picture);
  return (
    <>
      <ViewportPortal>
        {picture.lanes.map((lane, at) => (
          <div
            key={lane.x}
            className={styles['lane']}
            data-odd={at % 2 === 1}
            style={{
              transform: `translate(${lane.x - 12}px, ${top - 2000}px)`,
              width: lane.width,
              height: height + 4000,
            }}
          />
        ))}
      </ViewportPortal>
      {picture.lanes.length === 0 ? undefined : (
        <ol className={styles['strip']} aria-label="Lanes">
          {picture.lanes.map((lane) => {
            // What of the lane is in view: its name stays readable while the picture moves under it.
            const from = Math.max(0, (lane.x - 12) * zoom + left);
            const to = Math.min(room, (lane.x - 12 + lane.width) * zoom + left);
            const { label } = lane;
            return to - from < 24 ? undefined : (
              <li key={lane.x} style={{ left: from, width: to - from }} title={label}>
                <span>{label}</span>
              </li>
            );
          })}
        </ol>
      )}
    </>
  );
}

/** The line between what is kept and what is not: above it all is kept, below it what has a tick. */
function Frontier({ corners }: { readonly corners: readonly Point[] }) {
  if (corners.length === 0) return undefined;
  return (
    <ViewportPortal>
      <svg className={styles['frontier']} role="img" aria-label="Frontier between what is kept and what falls">
        <polyline points={corners.map(({ x, y }) => `${x},${y}`).join(' ')} />
      </svg>
    </ViewportPortal>
  );
}

function isFallen(overlay: Overlay, event: EventId | undefined): boolean {
  const look = overlay.markOf(event)?.look;
  return look === 'fallen' || look === 'maybe';
}

interface NodeContext {
  readonly explorer: Explorer;
  readonly focus: EventId | undefined;
  readonly expanded: readonly EventId[];
  readonly onExpand: (event: EventId) => void;
}

function pictureToNodes(
  picture: GraphPicture,
  { explorer, focus, expanded, onExpand }: NodeContext,
): Node<EventNodeData>[] {
  const { event, select, overlay, titleOf } = explorer;
  return picture.nodes.map(({ node, x, y }) => ({
    id: node.id,
    type: 'event',
    position: { x, y },
    width: picture.nodeWidth,
    height: nodeHeight,
    data: {
      node,
      isSelected: node.event !== undefined && node.event === event,
      isFocus: node.event !== undefined && node.event === focus,
      isExpanded: node.event !== undefined && expanded.includes(node.event),
      onSelect: select,
      onExpand,
      mark: overlay?.markOf(node.event),
      why: nodeToWhy(node.event, overlay, titleOf),
      showsAgent: picture.lanes.length === 0,
    },
  }));
}

function nodeToWhy(
  event: EventId | undefined,
  overlay: Overlay | undefined,
  titleOf: Explorer['titleOf'],
): string | undefined {
  const mark = overlay?.markOf(event);
  if (event === undefined || overlay === undefined || mark === undefined) return undefined;
  if (mark.look === 'kept' || mark.look === 'edited') return undefined;
  const reasons = overlay.reasonsOf(event);
  return reasons.length === 0 ? `${mark.word}: ${mark.meaning}` : `${mark.word}: ${reasonsToText(reasons, titleOf)}`;
}

function pictureToEdges(
  picture: GraphPicture,
  event: EventId | undefined,
  overlay: Overlay | undefined,
): Edge<CauseEdgeData>[] {
  const events = new Map(picture.nodes.map(({ node }) => [node.id, node.event]));
  const bows = computeBows(picture);
  const selected = picture.nodes.find(({ node }) => node.event === event && event !== undefined)?.node.id;
  return picture.edges.map((edge) => ({
    id: edge.id,
    source: edge.from,
    target: edge.to,
    type: 'cause',
    focusable: edge.grade !== 'recorded',
    ariaLabel: `${edge.as}: ${edge.grade}${edge.rule === undefined ? '' : `, rule ${nameToShown(edge.rule)}`}`,
    markerEnd: { type: MarkerType.ArrowClosed, width: 14, height: 14, color: 'context-stroke' },
    data: {
      edge,
      bow: bows.get(edge.id),
      isFaded: overlay !== undefined && isFallen(overlay, events.get(edge.to)),
      isNear: selected !== undefined && (edge.from === selected || edge.to === selected),
    },
  }));
}
