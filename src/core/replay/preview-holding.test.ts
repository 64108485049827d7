import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseLossless } from '../base/lossless.ts';
import { type HindcastEvent, eventId, parseEvent } from '../model/index.ts';
import { drawTrace } from '../model/testing/trace.ts';
import { findHolding } from './preview-holding.ts';
import { previewEdits } from './testing/preview.ts';

const sample = new URL('../../../public/samples/wrong-observation.hindcast.jsonl', import.meta.url);

function readEvents(): HindcastEvent[] {
  return readFileSync(sample, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .flatMap((line) => {
      const json = parseLossless(line);
      const event = json.ok ? parseEvent(json.value) : undefined;
      return event?.ok === true ? [event.value] : [];
    });
}

const events = readEvents();
function byType(type: string, name: string): string | undefined {
  return events.find(
    (event) => event.type === type && (event.data?.['name'] === name || event.step?.includes(name) === true),
  )?.id;
}

function previewOf(path: string) {
  const preview = previewEdits(events, { edits: [{ target: { path }, value: {} }], supply: [] });
  if (!preview.ok) throw new Error(preview.error);
  return preview.value;
}

describe('starts that stand while something in them falls', () => {
  it('R39 names the sub-agent and the steps that hold what falls, and no other', () => {
    const { holding, events: fallen } = previewOf('/par:account/child:account#0/read:customers.lookup#0');
    const held = holding.map(({ event }) => event);
    expect(held).toContain(byType('agent.spawned', 'account'));
    expect(held).not.toContain(byType('agent.spawned', 'device'));
    expect(held).toContain(byType('step.started', 'decide-resolution'));
    expect(held).toContain(byType('step.completed', 'decide-resolution'));
    expect(held.some((id) => fallen.some(({ event }) => event === id))).toBe(false);
    for (const { because } of holding) expect(fallen.map(({ event }) => event)).toContain(because.event);
  });

  it('R39 the end of a step is told as its start is, and so is the end of a sub-agent', () => {
    const drawn = drawTrace(`
      w/w/1 agent=a:
        run    run.started {}
        spawn  agent.spawned <- run:caused_by {"name":"b"}
        s1     step.started step=1 <- run:caused_by {}
        read   tool_call.completed step=1 {}
        use    decision.made step=1 <- read:consumed {}
        e1     step.completed step=1 <- s1:caused_by {}
        s2     step.started step=2 <- run:caused_by {}
        e2     step.completed step=2 <- s2:caused_by {}
        joined agent.joined <- spawn:result_of {}
      w/w/1 agent=b:
        inner  decision.made <- read:consumed {}
    `).events;
    const fallen = new Map([
      [eventId('use'), 'falls'],
      [eventId('inner'), 'falls'],
    ]);
    const ids = (held: ReturnType<typeof findHolding>): readonly string[] => held.map(({ event }) => event);
    expect(ids(findHolding(drawn, fallen))).toEqual(['spawn', 's1', 'e1', 'joined']);
    expect(ids(findHolding(drawn, fallen.set(eventId('e1'), 'falls')))).toEqual(['spawn', 's1', 'joined']);
  });

  it('a start that falls itself is told as falling', () => {
    const { holding, events: fallen } = previewOf('/read:cases.get#0');
    const start = byType('agent.spawned', 'account');
    expect(fallen.find(({ event }) => event === start)?.status).toBe('falls');
    expect(holding.map(({ event }) => event)).not.toContain(start);
  });
});

describe('the reasons of a preview', () => {
  it('R39 what a recorded edge reaches is told by it, an inferred one only where there is no other', () => {
    const { events: fallen, items } = previewOf('/read:cases.get#0');
    const isDown = new Set(fallen.filter(({ status }) => status !== 'may-fall').map(({ event }) => event));
    const causes = new Map(events.map((event) => [event.id, event.causes ?? []]));
    const inferred = fallen.filter(({ because }) => because?.as === 'content');
    const recorded = inferred.filter(({ event }) =>
      causes.get(event)?.some((cause) => cause.as !== 'informed_by' && isDown.has(cause.event)),
    );
    expect(recorded).toEqual([]);
    // One of them repeats text of the edited answer, and names what it used besides.
    expect(items.find(({ event }) => event === 'worker-1:67')?.reasons[0]?.as).toBe('consumed');
  });
});
