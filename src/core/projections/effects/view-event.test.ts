/** Bodies of a trace in which two runs number alike: what a record names is the record of its own run. */
import { describe, expect, it } from 'vitest';
import { type HindcastEvent, parseEvent } from '../../model/index.ts';
import { eventsToView } from '../testing/drawn-view.ts';
import { viewEvent } from './view-event.ts';

function event(run: string, seq: number, more: object = {}): HindcastEvent {
  const id = `worker-1:${String(seq)}`;
  const source = { component: 'worker', instance: `w-${run}`, incarnation: 1 };
  const parsed = parseEvent({ v: 1, id, type: 'note.made', run, branch: 'main', seq, source, data: {}, ...more });
  if (!parsed.ok) throw new Error(parsed.error.message);
  return parsed.value;
}

function runOf(name: string): readonly HindcastEvent[] {
  const run = name.repeat(32);
  const causes = [{ event: 'worker-1:0', as: 'consumed' }];
  return [event(run, 0), event(run, 1, { supersedes: 'worker-1:0', causes, origin: 'supplied' })];
}

describe('the body of a record in one of two runs that number alike', () => {
  it('R20 R58 names the cause and the superseded record of its own run', () => {
    const view = eventsToView([...runOf('a'), ...runOf('b')]);
    const bodies = Array.from(view.positions, (position) => viewEvent(view, position));
    const replaced = bodies.filter(({ supersedes }) => supersedes !== undefined);
    expect(replaced).toHaveLength(2);
    for (const { run, supersedes, causes } of replaced) {
      const own = bodies.find((body) => body.run === run && body.supersedes === undefined);
      expect([supersedes, causes?.map((cause) => cause.event)]).toEqual([own?.id, [own?.id]]);
    }
    expect(new Set(replaced.map(({ supersedes }) => supersedes)).size).toBe(2);
  });
});
