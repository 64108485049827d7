/**
 * Stored branches beside each other, and as files. Called by the replay worker, which loads it when it is first asked for.
 */
import { type Result, err, ok } from '../../core/base/result.ts';
import { type ComparedSides, compareSides } from '../../core/compare/index.ts';
import { sliceTrace } from '../../core/golden/index.ts';
import { eventToLine } from '../../core/model/index.ts';
import { readBase } from '../../core/replay/index.ts';
import { recordAct } from '../storage/index.ts';
import type { BranchPlace } from './replay-compare-methods.ts';
import { openedToEvents } from './replay-input.ts';
import type { ReplayDeps } from './replay-job.ts';
import type { ReplayFailure } from './replay-methods.ts';

export async function compareStored(
  { opener }: Pick<ReplayDeps, 'opener'>,
  here: BranchPlace,
  there: BranchPlace,
): Promise<Result<ComparedSides, ReplayFailure>> {
  const first = await opener.open(here.trace);
  if (!first.ok) return first;
  const second = await opener.open(there.trace);
  if (!second.ok) return second;
  const compared = compareSides(
    { events: openedToEvents(first.value), run: here.run, branch: here.branch },
    { events: openedToEvents(second.value), run: there.run, branch: there.branch },
  );
  return compared.ok ? compared : err({ code: 'refused', message: compared.error });
}

export async function branchToFile(
  { library, opener }: Pick<ReplayDeps, 'library' | 'opener'>,
  { trace, run, branch }: BranchPlace,
): Promise<Result<Blob, ReplayFailure>> {
  const opened = await opener.open(trace);
  if (!opened.ok) return opened;
  const events = openedToEvents(opened.value);
  const base = readBase(events, run, branch);
  if (!base.ok) return err({ code: 'refused', message: base.error });
  const slice = new Set(sliceTrace(events, base.value.run, branch) ?? []);
  const lines = events.flatMap((event, position) => (slice.has(position) ? [`${eventToLine(event)}\n`] : []));
  const detail = `Wrote branch ${branch} with its parents into a file, ${lines.length} events.`;
  await recordAct(library, { what: 'export', detail, trace });
  return ok(new Blob(lines, { type: 'application/x-ndjson' }));
}
