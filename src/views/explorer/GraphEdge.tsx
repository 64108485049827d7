/** One cause. The stroke is its grade: recorded solid, inferred dashed with its rule on hover and focus, clock-only dotted and pale. */
import { BaseEdge, type Edge, type EdgeProps, getBezierPath } from '@xyflow/react';
import type { ConeEdge } from '../../core/projections/trace-reader.ts';
import { edgeToName } from './graph-model.ts';
import styles from './Graph.module.css';

export interface CauseEdgeData extends Record<string, unknown> {
  readonly edge: ConeEdge;
  /** How far to the side it goes around what stands between its ends. */
  readonly bow: number | undefined;
  /** Touches the selected event. */
  readonly isNear: boolean;
  /** Leads to something that falls. */
  readonly isFaded: boolean;
}

export function CauseEdge({
  data,
  sourceX,
  sourceY,
  sourcePosition,
  targetX,
  targetY,
  targetPosition,
  markerEnd,
}: EdgeProps<Edge<CauseEdgeData>>) {
  if (data === undefined) return undefined;
  const ends = { sourceX, sourceY, sourcePosition, targetX, targetY, targetPosition };
  const [path, labelX, labelY] =
    data.bow === undefined ? getBezierPath({ ...ends, curvature: 0.35 }) : bowToPath(ends, data.bow);
  const { edge, isNear, isFaded } = data;
  const name = edgeToName(edge);
  const width = name.length * 6.2 + 16;
  return (
    <g
      className={styles['edge']}
      data-grade={edge.as === 'gap' ? 'gap' : edge.grade}
      data-near={isNear}
      data-faded={isFaded}
    >
      <BaseEdge path={path} interactionWidth={14} {...(markerEnd === undefined ? {} : { markerEnd })} />
      <g className={styles['rule']} transform={`translate(${labelX}, ${labelY})`}>
        <rect x={-width / 2} y={-11} width={width} height={22} rx={4} />
        <text textAnchor="middle" dominantBaseline="central">
          {name}
        </text>
      </g>
    </g>
  );
}

interface Ends {
  readonly sourceX: number;
  readonly sourceY: number;
  readonly targetX: number;
  readonly targetY: number;
}

/** Out to the side within a row, down beside the column, and back in. */
function bowToPath({ sourceX, sourceY, targetX, targetY }: Ends, bow: number): [string, number, number] {
  const x = Math.max(sourceX, targetX) + bow;
  const bend = 34;
  const [top, bottom] = [sourceY + bend, targetY - bend];
  const path = [
    `M${sourceX},${sourceY}`,
    `C${sourceX},${top} ${x},${sourceY} ${x},${top}`,
    `L${x},${bottom}`,
    `C${x},${targetY} ${targetX},${bottom} ${targetX},${targetY}`,
  ].join(' ');
  return [path, x, (sourceY + targetY) / 2];
}
