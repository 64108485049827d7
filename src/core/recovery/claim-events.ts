/**
 * Which records a claim's clause counts: types of the model, and the names that the streams themselves give them (R88).
 *
 * Invariant: a name that nobody writes, and the verdict of a producer, are no records to count: a clause bound to one is not testable.
 * What cannot be known of a trial (an effect without records of its service, an order that nothing tells) is open, and not zero.
 */
import { toRecordType, typeByRecord } from '../formats/recovery-lab/types.ts';
import { type HindcastEvent, isKnownEventType } from '../model/index.ts';
import { isVerdictType, type TrialRecords } from './trial-records.ts';

/** Records of a type in one trial. */
export interface CountedEvents {
  readonly events: readonly string[];
  /** Of how many more it cannot be told whether they count. */
  readonly open: number;
  /** Why nothing can be said of this trial. */
  readonly whyNot?: string | undefined;
}

export interface EventCounter {
  /** Why a clause bound to records of this type is not testable. */
  readonly whyNot: (type: string) => string | undefined;
  /** Counts the records of one type in a trial, over all of it or after its first fault. */
  readonly count: (trial: string, type: string, afterFault: boolean) => CountedEvents;
}

export function createEventCounter(trials: ReadonlyMap<string, TrialRecords>): EventCounter {
  const seen = new Set<string>();
  for (const { events } of trials.values()) for (const { type } of events) seen.add(type);
  return {
    whyNot: (name) => whyUncounted(name, seen),
    count: (id, name, afterFault) => {
      const trial = trials.get(id);
      return trial === undefined
        ? { events: [], open: 0, whyNot: 'no records of this trial' }
        : countIn(trial, name, afterFault);
    },
  };
}

/** `effect_committed` to `effect.committed`; a type of the model as it is; undefined for a name that is neither. */
function toModelType(name: string): string | undefined {
  return isKnownEventType(name) ? name : typeByRecord.get(toRecordType(name));
}

function whyUncounted(name: string, seen: ReadonlySet<string>): string | undefined {
  const type = toModelType(name);
  if (type !== undefined && isVerdictType(type)) {
    const also = type === name ? '' : ` (${type})`;
    return `${name}${also} is a verdict that the producer of the stream writes: it is compared and decides nothing; a metric or an invariant can be named instead`;
  }
  if (type !== undefined || seen.has(name) || seen.has(`recovery_lab.${name}`)) return undefined;
  return `"${name}" is no type of record: neither these streams nor the published event types have it, so that none came says nothing`;
}

function countIn(trial: TrialRecords, name: string, afterFault: boolean): CountedEvents {
  const type = toModelType(name) ?? name;
  if (type.startsWith('effect.') && trial.ledger.commands.some(({ hasServiceRecords }) => !hasServiceRecords))
    return { events: [], open: 0, whyNot: 'not known: no records of the service that was asked' };
  const found = trial.events.filter((event) => isNamed(event, name, type));
  if (!afterFault) return { events: idsOf(found), open: 0 };
  const [first] = trial.ofType('fault.injected');
  if (first === undefined) return { events: [], open: 0, whyNot: 'no fault is recorded' };
  const orders = found.map((event) => ({ event, order: trial.compare(first, event).order }));
  const after = orders.filter(({ order }) => order === 'before').map(({ event }) => event);
  return { events: idsOf(after), open: orders.filter(({ order }) => order === 'not recorded').length };
}

/** Several names of a stream may become one type: `kill_point_reached` and `kill_point_escaped` are both witnesses. */
function isNamed(event: HindcastEvent, name: string, type: string): boolean {
  if (event.type !== type) return event.type === `recovery_lab.${name}`;
  if (type !== 'fault.witnessed' || isKnownEventType(name)) return true;
  return (event.data?.['escaped'] === true) === (toRecordType(name) === 'kill_point_escaped');
}

function idsOf(events: readonly HindcastEvent[]): readonly string[] {
  return events.map(({ id }) => String(id));
}
