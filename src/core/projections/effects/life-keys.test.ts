/** Several runs read together: workers of equal name are processes of their own, unless records tie the runs. */
import { describe, expect, it } from 'vitest';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { type HindcastEvent, parseEvent } from '../../model/index.ts';
import { readSample } from '../../recovery/testing/opened-trials.ts';
import { computeLives, type Lives } from './lives.ts';

const killed = readSample('campaign/one-ticket-journal-kill-3');
const clean = readSample('campaign/one-ticket-journal-control');

/** As records of one trace, in which no two carry one id. */
function named(records: readonly JsonObject[], prefix: string): readonly JsonObject[] {
  const text = JSON.stringify(records).replaceAll(
    /"((?:worker|harness|model-server|ticket-service)-\d+:\d+)"/g,
    `"${prefix}$1"`,
  );
  const read: unknown = JSON.parse(text);
  return Array.isArray(read) ? read.filter(isJsonObject) : [];
}

function toEvents(records: readonly JsonObject[]): readonly HindcastEvent[] {
  return records.map((record) => {
    const parsed = parseEvent(record);
    if (!parsed.ok) throw new Error(parsed.error.message);
    return parsed.value;
  });
}

const [a, b] = [named(killed, 'a-'), named(clean, 'b-')];

function told(lives: Lives, of: readonly JsonObject[]): unknown {
  return toEvents(of)
    .filter(({ type }) => type === 'worker.started')
    .map((event) => {
      const life = lives.of(event);
      return [life?.started?.id === event.id, life?.killed, life?.exits.map(({ run }) => run === event.run)];
    });
}

/** The first worker under another process id. */
function withPid(records: readonly JsonObject[], pid: number): readonly JsonObject[] {
  const first = toEvents(records).find(({ type }) => type === 'worker.started')?.source.pid ?? 0;
  const read: unknown = JSON.parse(
    JSON.stringify(records).replaceAll(`"pid":${String(first)}`, `"pid":${String(pid)}`),
  );
  return Array.isArray(read) ? read.filter(isJsonObject) : [];
}

describe('two runs that nothing ties', () => {
  const alone = [a, b].map((records) => told(computeLives(toEvents(records)), records));

  it('R19 workers of equal name are lives of their own: what struck one is told of no other', () => {
    for (const both of [
      [...a, ...b],
      [...b, ...a],
    ]) {
      const lives = computeLives(toEvents(both));
      expect([a, b].map((records) => told(lives, records))).toEqual(alone);
      const workers = lives.all.filter(({ component }) => component === 'worker');
      expect(workers.map(({ killed: isKilled }) => isKilled).filter(Boolean)).toHaveLength(1);
      expect(workers).toHaveLength(3);
      expect(new Set(workers.map(({ label }) => label)).size).toBe(3);
    }
  });

  it('R110 an end and a kill that name a process by its number or its incarnation are those of their own run', () => {
    const bare = (records: readonly JsonObject[]): readonly JsonObject[] =>
      withPid(records, 7).map((record) => {
        const isEnd = record['type'] === 'worker.exited' || record['type'] === 'fault.injected';
        return isEnd ? { ...record, causes: [] } : record;
      });
    const [one, other] = [bare(a), bare(b)];
    const expected = [one, other].map((records) => told(computeLives(toEvents(records)), records));
    expect(JSON.stringify(expected)).toContain('true,true,[true]');
    for (const both of [
      [...one, ...other],
      [...other, ...one],
    ]) {
      const lives = computeLives(toEvents(both));
      expect([one, other].map((records) => told(lives, records))).toEqual(expected);
    }
  });

  it('R19 also where none records its start, by the process ids, or by the numbers of their records', () => {
    const silent = (records: readonly JsonObject[], pid: number): readonly JsonObject[] =>
      records
        .filter(({ type }) => type !== 'worker.started')
        .map((record) => {
          const { source } = record;
          const own = isJsonObject(source) && source['component'] === 'worker' ? { ...source, pid } : source;
          return own === undefined ? record : { ...record, source: own };
        });
    const unnumbered = (records: readonly JsonObject[]): readonly JsonObject[] =>
      records.map(({ seq: _seq, ...record }) => record);
    const count = (records: readonly JsonObject[]): number =>
      computeLives(toEvents(records)).all.filter(({ component }) => component === 'worker').length;
    expect(count([...silent(a, 7), ...silent(b, 7)])).toBe(3);
    expect(count([...unnumbered(silent(a, 7)), ...unnumbered(silent(b, 8))])).toBe(3);
    expect(count([...unnumbered(withPid(a, 7)), ...unnumbered(withPid(b, 7))])).toBe(3);
    // Nothing speaks against one process that worked on both.
    expect(count([...unnumbered(silent(a, 7)), ...unnumbered(silent(b, 7))])).toBe(2);
  });
});

describe('runs that records tie', () => {
  it('R19 a cause of one in the other makes them share their processes, and so does one trial', () => {
    const [first] = a;
    const tied = b.map((record, at) =>
      at === 1 ? { ...record, causes: [{ event: first?.['id'] ?? '', as: 'caused_by' }] } : record,
    );
    const workers = (lives: Lives): number => lives.all.filter(({ component }) => component === 'worker').length;
    expect(workers(computeLives(toEvents([...a, ...tied])))).toBe(2);
    expect(workers(computeLives(toEvents([...a, ...b]), true))).toBe(2);
  });
});
