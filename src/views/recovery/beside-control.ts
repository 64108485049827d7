/**
 * A faulted trial beside its control, number by number, with the difference. A number that is not known on one side has none.
 */
import {
  type EffectOutcome,
  extraCallsOf,
  modelCallsOf,
  type SeenCount,
  seenToText,
  type TrialReport,
} from '../../core/recovery/index.ts';

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
      executionsIn(a),
      executionsIn(b),
      a?.executions.flatMap(({ events }) => events) ?? [],
      b?.executions.flatMap(({ events }) => events) ?? [],
    );
  });
  const both = (of: typeof extraCallsOf): readonly [SeenCount, SeenCount] => [of(one), of(other)];
  return [
    completed,
    ...effects,
    numbers('model calls', ...both(modelCallsOf), [], other.models.extraEvents),
    numbers('model calls made again', ...both(extraCallsOf), [], other.models.extraEvents),
  ];
}

function toAnswer(completed: boolean | undefined): string {
  if (completed === undefined) return 'not known';
  return completed ? 'yes' : 'no';
}

function executionsIn(effect: EffectOutcome | undefined): SeenCount {
  const isKnown = effect?.duplicates !== undefined;
  return { count: isKnown ? effect.executions.length : undefined, isAtLeast: effect?.duplicatesAtLeast === true };
}

function numbers(
  what: string,
  control: SeenCount,
  faulted: SeenCount,
  controlEvents: readonly string[],
  faultedEvents: readonly string[],
): BesideRow {
  const isExact = !control.isAtLeast && !faulted.isAtLeast;
  const both =
    isExact && control.count !== undefined && faulted.count !== undefined ? faulted.count - control.count : undefined;
  return {
    what,
    control: seenToText(control),
    faulted: seenToText(faulted),
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
