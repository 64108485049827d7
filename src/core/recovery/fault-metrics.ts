/**
 * Times after a fault that is no kill: a call that hung, was refused, answered too late or carried out twice; a credential that expired, a
 * model that changed (R95, R96, R101).
 *
 * Who misbehaves records the fault, mostly on a clock of its own, so a time starts at the request that met it, where the fault names one
 * as its cause: that and the ends are readings of the caller's clock. The numbers are not those after a kill and never stand in one row
 * with them.
 */
import type { EventOf, HindcastEvent } from '../model/index.ts';
import { isProcessKill } from './fault-records.ts';
import { duration, toAnchor } from './metrics.ts';
import type { Metric } from './report.ts';
import { textIn, type TrialRecords } from './trial-records.ts';

interface Definition {
  readonly id: string;
  readonly name: string;
  readonly kind: Metric['kind'];
  readonly none: string;
  readonly ends: (event: HindcastEvent) => boolean;
}

const definitions: readonly Definition[] = [
  {
    id: 'fault-noticed',
    name: 'notice of a fault: request that met a fault that is no kill, to its time-out or failure at the caller',
    kind: 'detection',
    none: 'no caller recorded a time-out or a failure after it',
    ends: isOneOf('tool_call.timed_out', 'tool_call.failed', 'model_call.failed', 'model_call.timed_out'),
  },
  {
    id: 'fault-acknowledged',
    name: 'answer after a fault: request that met a fault that is no kill, to the next answer that is no refusal',
    kind: 'recovery',
    none: 'no answer but refusals came after it',
    ends: (event) =>
      (event.type === 'tool_call.acknowledged' && Number(textIn(event.data, 'http_status') ?? 0) < 400) ||
      event.type === 'tool_call.completed',
  },
  {
    id: 'fault-transition',
    name: 'state after a fault: request that met a fault that is no kill, to the next state transition',
    kind: 'recovery',
    none: 'no new transition is recorded after it',
    ends: isOneOf('state.transitioned'),
  },
  {
    id: 'fault-completion',
    name: 'completion after a fault: request that met a fault that is no kill, to completion of the run',
    kind: 'recovery',
    none: 'the run did not complete after it',
    ends: isOneOf('run.completed'),
  },
];

export const faultMetricIds: ReadonlyMap<string, Metric['kind']> = new Map(
  definitions.map(({ id, kind }) => [id, kind]),
);

export function computeFaultMetrics(trial: TrialRecords): readonly Metric[] {
  const faults = trial.ofType('fault.injected').filter((event) => !isProcessKill(event));
  return faults.flatMap((fault, i) => definitions.map((definition) => measure(trial, fault, i + 1, definition)));
}

function measure(
  trial: TrialRecords,
  fault: EventOf<'fault.injected'>,
  ordinal: number,
  { id, name, kind, none, ends }: Definition,
): Metric {
  const from = requestOf(trial, fault) ?? fault;
  const to = trial.events.find(
    (event) => ends(event) && event.replayed !== true && trial.compare(from, event).order === 'before',
  );
  const base = {
    id,
    name,
    section: 'performance',
    kind,
    ordinal,
    fault: fault.data.class ?? 'fault without a class',
    effect: textIn(fault.data.target, 'path'),
    start: toAnchor(from),
    end: to === undefined ? undefined : toAnchor(to),
  } as const;
  const nothing = { ms: undefined, clock: undefined, basis: undefined };
  if (to === undefined) return { ...base, ...nothing, whyNot: none };
  if (!trial.timesAreMeasured)
    return { ...base, ...nothing, whyNot: 'the stream declares that its times are laid out and not measured' };
  return { ...base, ...duration(trial, from, to) };
}

/** The request that the fault names as its cause. */
function requestOf(trial: TrialRecords, { causes }: EventOf<'fault.injected'>): HindcastEvent | undefined {
  return causes
    ?.map(({ event }) => trial.find(event))
    .find((event) => event?.type === 'tool_call.dispatched' || event?.type === 'model_call.requested');
}

function isOneOf(...types: readonly string[]): (event: HindcastEvent) => boolean {
  return ({ type }) => types.includes(type);
}
