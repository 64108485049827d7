/**
 * The audit of a list of events that is no opened trace: a stream with the lines of a branch behind it.
 *
 * For golden cases (command line and page), which judge a branch before it is stored anywhere.
 */
import { ensureExists } from '../base/assert.ts';
import { createIndexBuilder } from '../causal/index.ts';
import { type BranchId, type HindcastEvent, eventToLine } from '../model/index.ts';
import { createTraceReader } from '../projections/index.ts';
import type { Finding } from '../projections/trace-reader.ts';
import { createReading } from './reading.ts';
import { rules } from './registry.ts';

export interface StreamAudit {
  /** Ids of the rules there are. */
  readonly rules: ReadonlySet<string>;
  findingsOf(events: readonly HindcastEvent[], branch: BranchId): readonly Finding[];
}

export const streamAudit: StreamAudit = {
  rules: new Set(rules.map(({ id }) => id)),
  findingsOf(events, branch) {
    const builder = createIndexBuilder();
    for (const event of events) builder.add(event);
    const at = (position: number): HindcastEvent => ensureExists(events[position], 'an event of the stream');
    const source = { count: events.length, at, line: (position: number) => eventToLine(at(position)) };
    const counts = { input: events.length, mapped: events.length, merged: 0, problems: 0 };
    const summary = { format: 'hindcast', replayGrade: 'full', missingForReplay: [], counts };
    const placeOf = (): undefined => undefined;
    const reader = createTraceReader({ index: builder.build(), source, problems: [], placeOf, summary, createReading });
    return reader.findings(branch);
  },
};
