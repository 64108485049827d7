/**
 * An opened trace as a `TraceReader`: the core's reader over stored columns and bodies.
 */
import { createReading } from '../../core/audit/index.ts';
import { createTraceReader, type CreateReading, type TraceReader } from '../../core/projections/index.ts';
import type { KeptAudit } from '../storage/index.ts';
import type { OpenedTrace } from './open-traces.ts';

/**
 * `audited` answers for a branch what its rules found, or no findings yet where that takes too long to wait for; without it, and where
 * it answers undefined, the rules run when first asked.
 */
export function openedToReader(
  { parts, index, source, graphProblems, order }: OpenedTrace,
  audited: (branch: string) => Pick<KeptAudit, 'findings'> | undefined = () => undefined,
): TraceReader {
  const { formatLabel, replayGrade, missingForReplay, counts } = parts.trace;
  const createKnown: CreateReading = (view, problems) => createReading(view, problems, audited(view.branch));
  return createTraceReader({
    index,
    source,
    order,
    problems: parts.problems,
    graphProblems,
    summary: { format: formatLabel, replayGrade, missingForReplay, counts },
    createReading: createKnown,
  });
}
