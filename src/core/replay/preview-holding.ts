/**
 * Starts and ends that stand although something between them does not: those of a sub-agent, those of a step.
 *
 * Invariant: one that falls itself is not here; whether it would begin or end at all is another question than what comes of it. Told from
 * records alone: the agent and the step that an event names, and the spawn that an end answers. A few passes over the events. Called by
 * preview.ts.
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
  const spawned = new Map<EventId, string>();
  for (const event of events) {
    const begun = event.type === 'agent.spawned' ? beginning(event) : undefined;
    if (begun !== undefined) spawned.set(event.id, begun);
  }
  return events.flatMap((event) => {
    const around = beginning(event) ?? ending(event, spawned);
    const within = around === undefined || fallen.has(event.id) ? undefined : first.get(around);
    return within === undefined ? [] : [{ event: event.id, because: { event: within, as: 'inside' } }];
  });
}

/** What a record ends: a step as it names it, a sub-agent by the spawn that it answers. */
function ending(event: HindcastEvent, spawned: ReadonlyMap<EventId, string>): string | undefined {
  if (event.type === 'step.completed') return event.step === undefined ? undefined : stepKey(event, event.step);
  if (event.type !== 'agent.joined' && event.type !== 'agent.cancelled') return undefined;
  const answered = event.causes?.find((cause) => cause.as === 'result_of' && spawned.has(cause.event));
  return answered === undefined ? undefined : spawned.get(answered.event);
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
