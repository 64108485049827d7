import { expect, it } from 'vitest';
import { createReading } from '../../audit/index.ts';
import { type HindcastEvent, mainBranch } from '../../model/index.ts';
import { drawTrace } from '../../model/testing/trace.ts';
import { emptyFilter } from '../matching.ts';
import { eventsToReader } from '../testing/drawn-reader.ts';
import { eventsToView } from '../testing/drawn-view.ts';

const drawing = `
  w agent=main:
    run run.started {}
    a tool_call.dispatched path=/write:shell#0 <- run:caused_by {"tool":"shell","effect":"external","effect_rule":"tool-effects"}
    b tool_call.dispatched path=/write:mail#0 <- run:caused_by {"tool":"mail"}
    c tool_call.dispatched path=/write:pay#0 <- run:caused_by {"tool":"pay","effect":"external"}
    d tool_call.dispatched path=/read:look#0 <- run:caused_by {"tool":"look","effect":"none","effect_rule":"tool-effects"}
`;

function imported(events: readonly HindcastEvent[]): readonly HindcastEvent[] {
  return events.map((event) => ({ ...event, imported: { format: 'codex' } }));
}

function marksOf(events: readonly HindcastEvent[]): readonly string[] {
  const { rows } = eventsToReader(events).rows(mainBranch, emptyFilter, 0, 10);
  return rows.slice(1).map(({ effect, mayEffect }) => (effect ? 'left' : mayEffect === true ? 'may have left' : 'no'));
}

it('what only a rule takes to reach outside may have left the system; what a record says has', () => {
  const { events } = drawTrace(drawing);
  expect(marksOf(imported(events))).toEqual(['may have left', 'may have left', 'left', 'no']);
  expect(marksOf(events)).toEqual(['left', 'left', 'left', 'no']);
  const told = drawTrace(
    `${drawing}\n  shop:\n    e effect.committed <- a:caused_by {"effect":{"kind":"x","id":"1"}}`,
  ).events;
  expect(marksOf(imported(told))[0]).toBe('left');
});

it('the headline calls them so too, unless one of them is known', () => {
  const answered = ['a', 'b', 'c', 'd'].map((id) => `    ${id}2 tool_call.completed <- ${id}:result_of {"result":1}`);
  const chosen = drawing.replaceAll(/(#0) <- run:caused_by/g, '$1 step=1 <- run:selected_by');
  const { events } = drawTrace(`${chosen}${answered.join('\n')}\n    z run.completed <- a2:consumed {}`);
  const sentence = (of: readonly HindcastEvent[]): string => {
    const { facts } = createReading(eventsToView(of)).headline();
    return facts.map((spans) => spans.map(({ text }) => text).join('')).join(' ');
  };
  const assumed = imported(events).filter(({ id }) => !id.startsWith('c'));
  expect(sentence(assumed)).toContain('2 calls that may have left the system');
  expect(sentence(imported(events))).toContain('outside effect');
});
