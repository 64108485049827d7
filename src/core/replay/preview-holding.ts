/**
 * Starts that stand although something of what they began does not: the start of a sub-agent, the start of a step.
 *
 * Invariant: a start that falls itself is not here; whether it would begin at all is another question than what comes of it. Told from
 * records alone: the agent and the step that an event names. One pass over the events. Called by preview.ts.
 */
import type { EventId, HindcastEvent } from '../model/index.ts';
import type { ReplayReason } from './reason.ts';

export interface HoldingEvent {
  readonly event: EventId;
  /** The first event within that does not stand. */
  readonly because: ReplayReason;
}

type Fallen = ReadonlyMap<EventId, string>;

/** `fallen`: what becomes of each event that does not stand, `edited` for the edit itself. */
export function findHolding(events: readonly HindcastEvent[], fallen: Fallen): readonly HoldingEvent[] {
  const first = new Map<string, EventId>();
  for (const event of events) {
    const status = fallen.get(event.id);
    if (status === undefined || status === 'edited') continue;
    for (const place of placesAround(event)) if (!first.has(place)) first.set(place, event.id);
  }
  if (first.size === 0) return [];
  return events.flatMap((event) => {
    const begun = beginning(event);
    const within = begun === undefined || fallen.has(event.id) ? undefined : first.get(begun);
    return within === undefined ? [] : [{ event: event.id, because: { event: within, as: 'inside' } }];
  });
}

/** What a record begins, as what happens in it names it. */
function beginning(event: HindcastEvent): string | undefined {
  if (event.type === 'step.started' && event.step !== undefined) return stepKey(event, event.step);
  if (event.type !== 'agent.spawned') return undefined;
  const { to, name } = event.data;
  const child = typeof to === 'string' ? to : name;
  return typeof child === 'string' && child !== event.agent ? agentKey(event, child) : undefined;
}

/** The sub-agent an event is of, and its step with the steps around it. An outer sub-agent holds it by the answer of the inner one. */
function placesAround(event: HindcastEvent): readonly string[] {
  const places = event.agent === undefined ? [] : [agentKey(event, event.agent)];
  for (let step = event.step ?? ''; step !== ''; step = step.slice(0, Math.max(0, step.lastIndexOf('/'))))
    places.push(stepKey(event, step));
  return places;
}

function agentKey({ run }: HindcastEvent, agent: string): string {
  return JSON.stringify([run, agent]);
}

function stepKey({ run, agent }: HindcastEvent, step: string): string {
  return JSON.stringify([run, agent ?? '', step]);
}
