/**
 * An opened trace as a `TraceReader`: the core's reader over stored columns and bodies.
 */
import { createReading } from '../../core/audit/index.ts';
import { createTraceReader, type TraceReader } from '../../core/projections/index.ts';
import type { OpenedTrace } from './open-traces.ts';

export function openedToReader({ parts, index, source, graphProblems }: OpenedTrace): TraceReader {
  const { formatLabel, replayGrade, missingForReplay, counts } = parts.trace;
  return createTraceReader({
    index,
    source,
    problems: parts.problems,
    graphProblems,
    summary: { format: formatLabel, replayGrade, missingForReplay, counts },
    createReading,
  });
}
