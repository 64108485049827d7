/**
 * The picture of what falls: one node a command in order of issue, one lane a line of work, the paths of reasons between them, and the
 * frontier between what is kept and what is not.
 *
 * Pure geometry in pixels over a list of any length; what is beyond `mostNodes` is counted, not drawn.
 */
import { pathToFiber } from '../../core/replay/command-path.ts';
import type { ReplayReason } from '../../core/replay/reason.ts';

export const laneHeight = 40;
export const labelWidth = 104;
const widestStep = 44;
const narrowestStep = 30;
export const mostNodes = 600;

export interface StripItem {
  readonly key: string;
  readonly path: string;
  /** For traces without commands: who acted. */
  readonly agent?: string | undefined;
  /** Events that stand for this item. */
  readonly events: readonly string[];
  readonly stands: boolean;
  readonly reasons: readonly ReplayReason[];
}

export interface StripNode {
  readonly key: string;
  readonly x: number;
  readonly y: number;
}

export interface StripEdge {
  readonly from: StripNode;
  readonly to: StripNode;
}

export interface StripLayout {
  readonly width: number;
  readonly height: number;
  readonly lanes: readonly { readonly label: string; readonly y: number }[];
  readonly nodes: readonly StripNode[];
  readonly edges: readonly StripEdge[];
  /** Corners of the line between kept and fallen; empty where nothing falls. */
  readonly frontier: readonly { readonly x: number; readonly y: number }[];
  readonly hidden: number;
}

/** Over which the picture fades out where it goes on. */
export const fadeWidth = 48;

/** Nodes that do not stand whole between two edges of the picture, by side. */
export function countBeyond(
  nodes: readonly StripNode[],
  from: number,
  to: number,
): { readonly left: number; readonly right: number } {
  const half = 12;
  let [left, right] = [0, 0];
  for (const { x } of nodes) {
    if (x - half < from) left++;
    else if (x + half > to) right++;
  }
  return { left, right };
}

export function itemsToStrip(all: readonly StripItem[], available: number): StripLayout {
  const items = all.slice(0, mostNodes);
  const laneKeys = [...new Set(items.map(itemToLane))];
  const room = Math.max(0, available - labelWidth);
  const step = Math.min(widestStep, Math.max(narrowestStep, room / Math.max(1, items.length)));
  const nodes = new Map<string, StripNode>();
  const nodesByEvent = new Map<string, StripNode>();
  for (const [n, item] of items.entries()) {
    const lane = laneKeys.indexOf(itemToLane(item));
    const node = { key: item.key, x: labelWidth + (n + 0.5) * step, y: (lane + 0.5) * laneHeight };
    nodes.set(item.key, node);
    for (const event of item.events) if (!nodesByEvent.has(event)) nodesByEvent.set(event, node);
  }
  return {
    width: Math.max(available, labelWidth + items.length * step),
    height: laneKeys.length * laneHeight,
    lanes: laneKeys.map((key, lane) => ({ label: laneToLabel(key), y: (lane + 0.5) * laneHeight })),
    nodes: [...nodes.values()],
    edges: items.flatMap((item) => itemToEdge(item, nodes, nodesByEvent)),
    frontier: itemsToFrontier(items, laneKeys, step),
    hidden: all.length - items.length,
  };
}

function itemToLane({ path, agent }: StripItem): string {
  return path === '' ? (agent ?? '') : pathToFiber(path);
}

function laneToLabel(key: string): string {
  if (key === '') return 'main line';
  const label = key.split('/').findLast((part) => part.startsWith('par:') || part.startsWith('each='));
  return label?.replace(/^(?:par:|each=)/, '') ?? key;
}

/** To the nearest thing it fell with. A result and its request are one item, so the first reason another item stands for counts. */
function itemToEdge(
  { key, reasons }: StripItem,
  nodes: ReadonlyMap<string, StripNode>,
  nodesByEvent: ReadonlyMap<string, StripNode>,
): readonly StripEdge[] {
  const to = nodes.get(key);
  if (to === undefined) return [];
  for (const { event } of reasons) {
    const from = nodesByEvent.get(event);
    if (from !== undefined && from !== to) return [{ from, to }];
  }
  return [];
}

function itemsToFrontier(items: readonly StripItem[], lanes: readonly string[], step: number): StripLayout['frontier'] {
  if (items.every(({ stands }) => stands)) return [];
  const corners: { x: number; y: number }[] = [];
  for (const [lane, key] of lanes.entries()) {
    const first = items.findIndex((item) => !item.stands && itemToLane(item) === key);
    const x = labelWidth + (first < 0 ? items.length : first) * step;
    corners.push({ x, y: lane * laneHeight }, { x, y: (lane + 1) * laneHeight });
  }
  return corners;
}
