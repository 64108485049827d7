/**
 * A faulted trial beside its control, number by number, with the difference. A number that is not known on one side has none.
 */
import type { TrialReport } from '../../core/recovery/index.ts';

export interface BesideRow {
  readonly what: string;
  readonly control: string;
  readonly faulted: string;
  readonly difference: string;
  readonly differs: boolean;
  readonly controlEvents: readonly string[];
  readonly faultedEvents: readonly string[];
}

export function besideControl(control: TrialReport, faulted: TrialReport): readonly BesideRow[] {
  const [one, other] = [control.outcome, faulted.outcome];
  const completed: BesideRow = {
    what: 'run completed',
    control: toAnswer(one.completed),
    faulted: toAnswer(other.completed),
    difference: one.completed === other.completed ? 'none' : 'differs',
    differs: one.completed !== other.completed,
    controlEvents: present(one.completedBy),
    faultedEvents: present(other.completedBy),
  };
  const effects = [...new Set([...one.effects, ...other.effects].map(({ effect }) => effect))].map((effect) => {
    const [a, b] = [one, other].map(({ effects: list }) => list.find((entry) => entry.effect === effect));
    return numbers(
      `executions of ${effect}`,
      a?.duplicates === undefined || a.duplicatesAtLeast === true ? undefined : a.executions.length,
      b?.duplicates === undefined || b.duplicatesAtLeast === true ? undefined : b.executions.length,
      a?.executions.flatMap(({ events }) => events) ?? [],
      b?.executions.flatMap(({ events }) => events) ?? [],
    );
  });
  return [
    completed,
    ...effects,
    numbers('model calls', one.models.calls, other.models.calls, [], other.models.extraEvents),
    numbers('model calls made again', one.models.extraCalls, other.models.extraCalls, [], other.models.extraEvents),
  ];
}

function toAnswer(completed: boolean | undefined): string {
  if (completed === undefined) return 'not known';
  return completed ? 'yes' : 'no';
}

function numbers(
  what: string,
  control: number | undefined,
  faulted: number | undefined,
  controlEvents: readonly string[],
  faultedEvents: readonly string[],
): BesideRow {
  const both = control !== undefined && faulted !== undefined ? faulted - control : undefined;
  return {
    what,
    control: control === undefined ? 'not known' : String(control),
    faulted: faulted === undefined ? 'not known' : String(faulted),
    difference:
      both === undefined
        ? 'not comparable'
        : both === 0
          ? 'none'
          : both > 0
            ? `+${both}`
            : String(both).replace('-', '−'),
    differs: both !== 0 && both !== undefined,
    controlEvents,
    faultedEvents,
  };
}

function present(event: string | undefined): readonly string[] {
  return event === undefined ? [] : [event];
}
