/**
 * What the stream declares about its producers and tools, merged over all `stream.declared` events of a trace.
 *
 * Invariant: nothing is assumed here; a tool or producer that was not declared is absent. Read by the effect ledger (which
 * tools reach outside, which service answers for them) and by findings (what a killed producer may have lost).
 */
import type { EventOf, HindcastEvent } from '../../model/index.ts';

export type FlushPolicy = 'none' | 'batch' | 'fsync';

export interface ToolDeclaration {
  readonly name: string;
  readonly version?: string | undefined;
  readonly service?: string | undefined;
  readonly effect?: 'none' | 'external' | undefined;
}

export interface Declarations {
  readonly tools: ReadonlyMap<string, ToolDeclaration>;
  /** Flush policy by component; undefined value: the producer is declared, its policy is not. */
  readonly producers: ReadonlyMap<string, FlushPolicy | undefined>;
  readonly events: readonly EventOf<'stream.declared'>[];
}

export function computeDeclarations(events: readonly HindcastEvent[]): Declarations {
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

export function toolOf(event: HindcastEvent): string | undefined {
  const tool = event.type.startsWith('tool_call.') ? event.data?.['tool'] : undefined;
  return typeof tool === 'string' ? tool : event.command?.name;
}

/** Recorded on the call, else by the kind of its command, else as its tool was declared. */
export function isExternal(event: EventOf<'tool_call.dispatched'>, declarations: Declarations): boolean {
  if (event.data.effect !== undefined) return event.data.effect === 'external';
  if (event.command?.kind !== undefined) return event.command.kind === 'write';
  return declarations.tools.get(toolOf(event) ?? '')?.effect === 'external';
}
