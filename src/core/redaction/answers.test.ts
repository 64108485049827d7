/** What a copy says of the answers that it withholds: ids that its other records have, and nothing else of them. */
import { expect, it } from 'vitest';
import { parseLossless } from '../base/lossless.ts';
import { type HindcastEvent, parseEvent } from '../model/index.ts';
import { drawTrace } from '../model/testing/trace.ts';
import { closedPolicy, redact } from './index.ts';

function copyOf(events: readonly HindcastEvent[]): readonly HindcastEvent[] {
  return redact({ events, policy: closedPolicy, secret: 'a'.repeat(32) }).lines.map((line) => {
    const json = parseLossless(line);
    const event = json.ok ? parseEvent(json.value) : undefined;
    if (event?.ok !== true) throw new Error(`not an event: ${line.slice(0, 80)}`);
    return event.value;
  });
}

function declaredIn(copy: readonly HindcastEvent[]): readonly (readonly string[])[] {
  return copy.flatMap((event) =>
    event.type === 'share.declared' ? (event.data.answers ?? []).map(({ effects }) => effects) : [],
  );
}

/** Ids of effects as the records of the copy tell them. */
function toldIn(copy: readonly HindcastEvent[]): readonly string[] {
  return copy.flatMap((event) =>
    event.type === 'effect.committed' && event.data.effect?.id !== undefined ? [String(event.data.effect.id)] : [],
  );
}

it('R73 a copy of a copy names effects of its own records alone, whatever the copy before it declared', () => {
  const { events } = drawTrace(`
    worker/w/1:
      a1 tool_call.dispatched path=/write:t#0 attempt=1 {"tool":"t","effect":"external"}
      e1 tool_call.completed path=/write:t#0 attempt=1 <- a1:result_of {"result":{"ticket":"t-8421"}}
      a2 tool_call.dispatched path=/write:t#1 attempt=1 {"tool":"t","effect":"external"}
      e2 tool_call.completed path=/write:t#1 attempt=1 <- a2:result_of {"result":{"ticket":"t-8422"}}
    tickets/t/1:
      c1 effect.committed <- a1:result_of {"effect":{"kind":"ticket","id":"t-8421"}}
      c2 effect.committed <- a2:result_of {"effect":{"kind":"ticket","id":"t-8422"}}`);
  const first = copyOf(events);
  expect(declaredIn(first)).toEqual(toldIn(first).map((id) => [id]));
  expect(declaredIn(first)).toHaveLength(2);
  expect(declaredIn(copyOf(first))).toHaveLength(2);
  // Of an effect whose record was taken out in between, the second copy says nothing.
  const committed = first.filter(({ type }) => type === 'effect.committed');
  const again = copyOf(first.filter((event) => event !== committed[0]));
  expect(declaredIn(again)).toEqual(toldIn(again).map((id) => [id]));
  expect(declaredIn(again)).toHaveLength(1);
});
