/**
 * What recorded observations are to control code: references resolved, then plain JSON. Each is turned once, however often it is asked for.
 *
 * Invariant: equal observations asked twice are one object, so that whoever foresaw a delivery can be compared with the one that is due.
 * Used by the pass and its prediction.
 */
import { plainToRecorded, recordedToPlain } from '../base/json.ts';
import type { Contents } from './contents.ts';
import type { JournalEntry } from './journal-types.ts';
import type { PassObservation } from './pass-types.ts';
import type { Delivered } from './sandbox-port.ts';
import { isWithheldValue } from '../base/withheld.ts';

export interface Observations {
  /** With every reference inside resolved; undefined when one of them is not in the stream. */
  resolve(observation: PassObservation): PassObservation | undefined;
  toDelivered(observation: PassObservation): Delivered;
  /** Whether a part of it is withheld, so that nothing of it can be delivered. */
  isWithheld(observation: JournalEntry['observation']): boolean;
}

export function createObservations(contents: Contents): Observations {
  const resolved = new Map<PassObservation, PassObservation | undefined>();
  const delivered = new Map<PassObservation, Delivered>();
  const withheld = new Map<JournalEntry['observation'], boolean>();
  return {
    resolve(observation) {
      if (observation.kind !== 'ok') return observation;
      const known = resolved.get(observation);
      if (known !== undefined || resolved.has(observation)) return known;
      const value = contents.resolve(observation.value);
      const made: PassObservation | undefined =
        value === observation.value ? observation : value === undefined ? undefined : { kind: 'ok', value };
      resolved.set(observation, made);
      return made;
    },
    toDelivered(observation) {
      const known = delivered.get(observation);
      if (known !== undefined) return known;
      const made = toPlain(observation);
      delivered.set(observation, made);
      return made;
    },
    isWithheld(observation) {
      const known = withheld.get(observation);
      if (known !== undefined) return known;
      const made = isWithheldValue(observation);
      withheld.set(observation, made);
      return made;
    },
  };
}

function toPlain(observation: PassObservation): Delivered {
  return observation.kind === 'cancelled' ? { kind: 'cancelled' } : toPlainOutcome(observation);
}

export function toPlainOutcome(
  observation: Exclude<PassObservation, { kind: 'cancelled' }>,
): Exclude<Delivered, { kind: 'cancelled' }> {
  if (observation.kind === 'ok') return { kind: 'ok', value: recordedToPlain(observation.value) };
  const { name, message, data } = observation.error;
  return { kind: 'err', error: { name, message, ...(data === undefined ? {} : { data: recordedToPlain(data) }) } };
}

export function toRecordedOutcome(
  outcome: Exclude<Delivered, { kind: 'cancelled' }>,
): Exclude<PassObservation, { kind: 'cancelled' }> {
  if (outcome.kind === 'ok') return { kind: 'ok', value: plainToRecorded(outcome.value) };
  const { name, message, data } = outcome.error;
  return { kind: 'err', error: { name, message, ...(data === undefined ? {} : { data: plainToRecorded(data) }) } };
}

/** What control code can be given; the other observations say that there is none. */
export function isDeliverable(
  observation: JournalEntry['observation'],
): observation is PassObservation & JournalEntry['observation'] {
  return observation.kind === 'ok' || observation.kind === 'err' || observation.kind === 'cancelled';
}
