/** Which records make up a trial: those of its runs, however many there are, and each under an id of its own. */
import { describe, expect, it, vi } from 'vitest';
import { isJsonObject, type JsonObject } from '../base/json.ts';
import { eventId, type HindcastEvent, isRunId, parseEvent, type RunId } from '../model/index.ts';
import { groupTraces } from './group.ts';
import { analyseCampaigns } from './index.ts';
import { readSample, toTrace } from './testing/opened-trials.ts';

const incident = readSample('ticket-incident');
const { events } = toTrace('file', incident);
const [first] = events;

function copyOf(event: HindcastEvent | undefined, change: Partial<Pick<HindcastEvent, 'id' | 'run'>>): HindcastEvent {
  if (event === undefined) throw new Error('the sample is empty');
  return { ...event, ...change };
}

function runOf(n: number): RunId {
  const run = String(n).padStart(32, '1');
  if (!isRunId(run)) throw new Error('not the id of a run');
  return run;
}

describe('trials of streams', () => {
  it('R24 a record under the id of another one of the trial is told, and the trial is not valid', () => {
    const service = incident.filter(({ source }) => JSON.stringify(source).includes('ticket-service'));
    const rest = incident.filter((record) => !service.includes(record));
    expect(service.length).toBeGreaterThan(1);
    const taken = rest.filter(({ source }) => JSON.stringify(source).includes('"worker"'));
    const renumbered = service.map((record, n) => ({ ...record, id: taken[n]?.['id'] ?? '' }));
    const [campaign] = analyseCampaigns([toTrace('worker.jsonl', rest), toTrace('service.jsonl', renumbered)]);
    const trial = campaign?.trials[0];
    expect(trial?.validity).not.toBe('valid');
    expect(trial?.checks.filter(({ id }) => id.startsWith('ids-distinct'))).toMatchObject([
      {
        status: 'not established',
        text: `service.jsonl: ${String(service.length)} records cannot be read, because the trial has other records under their ids, such as ${JSON.stringify(taken[0]?.['id'])}. Give the records of each file ids of their own.`,
      },
    ]);
    // The same record in two files is one record.
    const [twice] = analyseCampaigns([toTrace('one.jsonl', incident), toTrace('two.jsonl', incident)]);
    expect(twice?.trials[0]?.validity).toBe('valid');
  });

  it('R117 records of another run are counted once each, without a look at the others', () => {
    const foreign = Array.from({ length: 2000 }, (_, n) =>
      copyOf(events.at(-1), { id: eventId(`x${String(n)}`), run: runOf(1) }),
    );
    const searched = vi.spyOn(Array.prototype, 'includes');
    const { trials } = groupTraces([{ name: 'file', events: [...events, ...foreign, ...foreign.slice(0, 10)] }]);
    const calls = searched.mock.calls.length;
    searched.mockRestore();
    expect(trials[0]?.foreign.map(({ events: ids }) => ids.length)).toEqual([2000]);
    expect(calls).toBeLessThan(1000);
  });

  it('R24 runs that start one another in a long row belong to the trial of the first, each link followed once', () => {
    const count = 300;
    const rolled = Array.from({ length: count }, (_, n): HindcastEvent => {
      const own = copyOf(first, { id: eventId(`r${String(n)}`) });
      const record: JsonObject = {
        ...{ v: 1, id: own.id, branch: 'main', source: { component: 'worker' } },
        run: n === 0 ? own.run : runOf(n),
        type: 'run.rolled_over',
        data: { next: { run: runOf(n + 1) } },
      };
      const parsed = parseEvent(record);
      if (!parsed.ok) throw new Error(parsed.error.message);
      return parsed.value;
    });
    const asked = vi.spyOn(Set.prototype, 'has');
    const { trials, unmatched } = groupTraces([{ name: 'file', events: [...events, ...rolled.reverse()] }]);
    const calls = asked.mock.calls.length;
    asked.mockRestore();
    expect(unmatched).toEqual([]);
    expect(trials[0]?.events).toHaveLength(events.length + count);
    expect(calls).toBeLessThan(12 * count);
  });

  it('R117 lives that are called alike in two trials of one file are told apart by their process', () => {
    const headless = incident
      .filter(({ type }) => type !== 'trial.started' && type !== 'worker.started')
      .map((record) => JSON.stringify(record).replaceAll(String(first?.run), 'e'.repeat(32)));
    const others = (pid: number): readonly JsonObject[] =>
      headless.flatMap((line) => {
        const parsed: unknown = JSON.parse(line.replaceAll(/"pid":\s?41\d\d/g, `"pid":${String(pid)}`));
        return isJsonObject(parsed) ? [parsed] : [];
      });
    const second = JSON.stringify(incident).replaceAll(String(first?.run), 'd'.repeat(32));
    const another: unknown = JSON.parse(second.replaceAll(/"pid":\s?41\d\d/g, '"pid":77'));
    const both = [...incident, ...(Array.isArray(another) ? another.filter(isJsonObject) : [])];
    const foreign = (pid: number): readonly number[] =>
      groupTraces([toTrace('all', [...both, ...others(pid)])]).trials.map((trial) => trial.foreign.length);
    expect(foreign(99)).toEqual([0, 0]);
    expect(foreign(77)).toEqual([0, 1]);
  });
});
