/**
 * Problems of order and identity on one branch, as the index establishes them, for the rule that turns them into findings (R35).
 *
 * Invariant: nothing is detected here that the index does not already know; a problem is named by the events that show it.
 */
import type { TraceView } from '../projections/trace-view.ts';
import type { AuditProblem } from './audit-view.ts';

export function viewToProblems(view: TraceView): AuditProblem[] {
  return [...cycles(view), ...dangling(view), ...repeats(view), ...holes(view)];
}

function cycles(view: TraceView): AuditProblem[] {
  return view.order.cycles
    .map((positions) => positions.filter(view.holds))
    .filter((positions) => positions.length > 0)
    .map((positions) => ({
      code: 'cycle',
      message: `${String(positions.length)} events are recorded as causes of each other.`,
      severity: 'problem',
      events: positions.map(view.index.id),
    }));
}

function dangling(view: TraceView): AuditProblem[] {
  return view.index.dangling
    .filter(({ effect }) => view.holds(effect))
    .map(({ effect, cause }) => ({
      code: 'dangling-cause',
      message: `The cause "${cause}" is not in the trace.`,
      severity: 'problem',
      events: [view.index.id(effect)],
    }));
}

function repeats(view: TraceView): AuditProblem[] {
  const found: AuditProblem[] = [];
  for (const position of view.positions) {
    if (!view.index.has(position, 'repeat')) continue;
    const id = view.index.id(position);
    found.push({ code: 'repeated-id', message: `The id of ${id} was used before.`, severity: 'problem', events: [id] });
  }
  return found;
}

/** A hole is reported only inside the range of numbers present in a log. */
function holes(view: TraceView): AuditProblem[] {
  const { positions, numbers, offsets } = view.order.logs;
  const found: AuditProblem[] = [];
  for (let log = 0; log + 1 < offsets.length; log++) {
    for (let at = (offsets[log] ?? 0) + 1; at < (offsets[log + 1] ?? 0); at++) {
      const before = numbers[at - 1] ?? 0;
      const after = numbers[at] ?? 0;
      const ends = [positions[at - 1] ?? -1, positions[at] ?? -1];
      if (after - before < 2 || !ends.every(view.holds)) continue;
      found.push({
        code: 'sequence-hole',
        message: `Numbers ${String(before + 1)} to ${String(after - 1)} are missing in the log of ${view.index.log(ends[0] ?? 0).component}.`,
        severity: 'problem',
        events: ends.map(view.index.id),
      });
    }
  }
  return found;
}
