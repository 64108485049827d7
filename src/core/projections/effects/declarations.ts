/**
 * Whether a call reaches outside: as it is recorded, else as its tool is declared. Asked by the effect ledger, rows and rules.
 */
import type { Declarations, EventOf, HindcastEvent } from '../../model/index.ts';

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
