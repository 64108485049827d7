/** Readings of a clock that the records contradict, in streams with the time of the wall alone; a shipped trial altered. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../base/json.ts';
import { textIn, trialOf } from './testing/altered-trials.ts';
import { readSample } from './testing/opened-trials.ts';

const measured = readSample('campaign/one-ticket-journal-kill-3');

/** Without a monotonic clock, and the end of the process is told by another producer than its kill. */
const walled = measured.map(({ mono: _mono, ...record }): JsonObject => {
  const source = { component: 'supervisor', instance: 'supervisor-a', incarnation: 1 };
  return record['type'] === 'worker.exited' ? { ...record, source, seq: 900 + Number(record['seq']) } : record;
});

function later(record: JsonObject, millis: number): JsonObject {
  return { ...record, time: new Date(Date.parse(textIn(record, 'time')) + millis).toISOString() };
}

function firstTimes(records: readonly JsonObject[]): readonly (number | undefined)[] {
  const ids = ['detection', 'next-acknowledged', 'completion'];
  return trialOf(records)
    .metrics.filter(({ id }) => ids.includes(id))
    .map(({ ms }) => ms);
}

describe('a clock against a recorded cause', () => {
  it('R96 R101 a kill that was read after the end it brought gives no time by the clock of the wall either', () => {
    // After the end of the process, and before the next record of its own log.
    const moved = walled.map((record) => (record['type'] === 'fault.injected' ? later(record, 175) : record));
    const before = firstTimes(walled);
    expect(before.filter((ms) => ms !== undefined).length).toBeGreaterThan(1);
    expect(firstTimes(moved)).toEqual(before.map(() => undefined));
    const why = trialOf(moved).metrics.find(({ id }) => id === 'next-acknowledged')?.whyNot;
    expect(why).toContain('contradict the order of the two records');
  });
});

describe('a clock against the order of its log', () => {
  it('R96 R101 a record that was read before an earlier one of its log gives no time, and says why', () => {
    const isAcknowledged = ({ type }: JsonObject): boolean => type === 'tool_call.acknowledged';
    const last = measured.findLastIndex(isAcknowledged);
    const forged = measured.map((record, at) =>
      at < last || !isAcknowledged(record)
        ? record
        : { ...record, mono: String(BigInt(textIn(record, 'mono')) - 10n ** 12n) },
    );
    const of = (records: readonly JsonObject[]) =>
      trialOf(records).metrics.find(({ id }) => id === 'next-acknowledged');
    expect(of(measured)?.ms).toBeGreaterThan(0);
    expect(of(forged)).toMatchObject({
      ms: undefined,
      whyNot: expect.stringMatching(/^the clock of ".+" and of ".+" contradict the order of the two records$/),
    });
  });
});
