/** Readings of a clock that the records contradict, in streams with the time of the wall alone; a shipped trial altered. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../base/json.ts';
import { campaignOf, textIn, trialOf } from './testing/altered-trials.ts';
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

describe('a clock of one kind at one end alone', () => {
  const withoutMono = (type: string) =>
    measured.map((record): JsonObject => {
      if (record['type'] !== type) return record;
      const { mono: _mono, ...rest } = record;
      return rest;
    });
  const of = (records: readonly JsonObject[], id: string) => trialOf(records).metrics.find((one) => one.id === id);

  it.each([
    ['fault.injected', 'end', 'start'],
    ['tool_call.acknowledged', 'start', 'end'],
  ])(
    'R96 R101 where %s has the time of the wall alone there is no number, and it is said which end has which',
    (type, one, other) => {
      expect(of(withoutMono(type), 'next-acknowledged')).toMatchObject({
        ms: undefined,
        whyNot: `the ${one} was read on a monotonic clock and the ${other} on that of the wall: no duration`,
      });
    },
  );

  it('R96 R101 where neither end has a monotonic reading the clock of the wall is named with the number, in the text too', () => {
    const both = withoutMono('fault.injected').map((record): JsonObject => {
      if (record['type'] !== 'tool_call.acknowledged') return record;
      const { mono: _mono, ...rest } = record;
      return rest;
    });
    expect(of(both, 'next-acknowledged')).toMatchObject({ basis: 'wall clock', ms: expect.any(Number) });
    const rows = campaignOf([both]).strategies.flatMap(({ ordinals }) => ordinals);
    const basisOf = (metric: string): unknown =>
      rows.filter((row) => row.metric === metric).flatMap(({ observations }) => observations.map(({ basis }) => basis));
    expect(basisOf('next-acknowledged')).toEqual(['wall clock']);
    expect(
      campaignOf([measured]).strategies.flatMap(({ ordinals }) =>
        ordinals.flatMap(({ observations }) => observations.flatMap(({ basis }) => basis ?? [])),
      ),
    ).toEqual([]);
  });

  it('R101 a time of the wall that contradicts that of a record with both readings is none', () => {
    const isStep = (record: JsonObject): boolean =>
      record['type'] === 'tool_call.acknowledged' || record['type'] === 'fault.injected';
    const moved = measured.map((record): JsonObject => {
      if (!isStep(record)) return record;
      const { mono: _mono, ...rest } = record;
      return record['type'] === 'fault.injected' ? rest : later(rest, 3_600_000);
    });
    expect(of(moved, 'next-acknowledged')?.whyNot).toContain('contradict the order of the two records');
  });
});
