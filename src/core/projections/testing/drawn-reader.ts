/**
 * A reader over a drawn trace, for tests of the structural half only: the interpreting half answers with the findings given.
 */
import { createIndexBuilder, eventsToSource } from '../../causal/index.ts';
import type { BranchId, HindcastEvent } from '../../model/index.ts';
import { drawTrace } from '../../model/testing/trace.ts';
import { type ImportProblem, createTraceReader } from '../index.ts';
import type { Finding, TraceReader } from '../trace-reader.ts';

export interface DrawnReaderOptions {
  readonly findings?: readonly Finding[];
  readonly problems?: readonly ImportProblem[];
  /** Called whenever somebody asks which branch an event is of. */
  readonly onBranch?: () => void;
}

export function drawReader(drawing: string, options: DrawnReaderOptions = {}): TraceReader {
  return eventsToReader(drawTrace(drawing).events, options);
}

export function eventsToReader(events: readonly HindcastEvent[], options: DrawnReaderOptions = {}): TraceReader {
  const builder = createIndexBuilder();
  for (const event of events) builder.add(event);
  const count = events.length;
  const index = builder.build();
  const { onBranch } = options;
  const branch = (position: number): BranchId => {
    onBranch?.();
    return index.branch(position);
  };
  return createTraceReader({
    index: onBranch === undefined ? index : { ...index, branch },
    source: eventsToSource(events),
    problems: options.problems ?? [],
    summary: {
      format: 'hindcast',
      replayGrade: 'none',
      missingForReplay: ['program'],
      counts: { input: count, mapped: count, merged: 0, problems: 0 },
    },
    createReading: () => ({
      findings: () => options.findings ?? [],
      headline: () => ({ facts: [], violations: 0, gaps: 0, notices: 0, failedRuns: 0, checked: [] }),
      effects: () => [],
      states: () => [],
      transcript: (_, from) => ({ total: 0, from, lines: [], hidden: 0 }),
      transcriptLineOf: () => -1,
      provenance: () => ({ records: [], decisions: [] }),
      decisionProvenance: () => undefined,
    }),
  });
}
