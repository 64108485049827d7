/**
 * What a stream declares about its producers and tools, merged over all `stream.declared` events.
 *
 * Invariants: nothing is assumed here, a tool or producer that was not declared is absent; of two declarations of one name the first
 * in the given order counts, for everybody who asks. Read by the effect ledger, the findings, the inspector and the replay.
 */
import type { EventOf, HindcastEvent } from './event.ts';

export type FlushPolicy = 'none' | 'batch' | 'fsync';

type ToolDeclaration = NonNullable<EventOf<'stream.declared'>['data']['tools']>[number];

export interface Declarations {
  readonly tools: ReadonlyMap<string, ToolDeclaration>;
  /** Flush policy by component; undefined value: the producer is declared, its policy is not. */
  readonly producers: ReadonlyMap<string, FlushPolicy | undefined>;
  /** The declaring events themselves, for what else they say. */
  readonly events: readonly EventOf<'stream.declared'>[];
}

export function computeDeclarations(events: Iterable<HindcastEvent>): Declarations {
  const tools = new Map<string, ToolDeclaration>();
  const producers = new Map<string, FlushPolicy | undefined>();
  const declaring: EventOf<'stream.declared'>[] = [];
  for (const event of events) {
    if (event.type !== 'stream.declared') continue;
    declaring.push(event);
    for (const tool of event.data.tools ?? []) {
      if (!tools.has(tool.name)) tools.set(tool.name, tool);
    }
    for (const { component, flush } of event.data.producers ?? []) {
      if (producers.get(component) === undefined) producers.set(component, flush);
    }
  }
  return { tools, producers, events: declaring };
}
