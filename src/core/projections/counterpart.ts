/**
 * The event of one branch that stands where an event of another branch stands.
 *
 * Invariant: a pairing is recorded (what supersedes it, what it supersedes, the record it reuses), or follows from the command it is of;
 * where neither is so there is none.
 */
import { payloadOf, textAt } from '../causal/index.ts';
import { type EventId, mainBranch } from '../model/index.ts';
import type { TraceView } from './trace-view.ts';

export function computeCounterpart(view: TraceView, event: EventId): EventId | undefined {
  const { index } = view;
  const position = index.find(event);
  if (position < 0) return undefined;
  const origins = originsOf(view, position);
  for (const { at } of origins) if (view.rowOf(at) >= 0) return index.id(at);
  const known = new Set(origins.map(({ key }) => key));
  // Only what a replay wrote supersedes anything, and that is little.
  const own = [...view.positions].filter((at) => index.branch(at) !== mainBranch);
  const heir = own.find((at) => originsOf(view, at).some(({ key }) => known.has(key)));
  return heir === undefined ? findOfCommand(view, position) : index.id(heir);
}

/** A record by its position; one that is not in the trace, position -1, by run and id. */
interface Origin {
  readonly at: number;
  readonly key: string;
}

/** The event itself, then what it takes the place of or reuses, and so on to the original. */
function originsOf(view: TraceView, position: number): readonly Origin[] {
  const { index } = view;
  const origins = new Map<string, Origin>();
  let next: Origin | undefined = { at: position, key: String(position) };
  while (next !== undefined && !origins.has(next.key)) {
    origins.set(next.key, next);
    next = next.at < 0 ? undefined : placeTaken(view, next.at);
  }
  return [...origins.values()];

  function placeTaken({ event }: TraceView, by: number): Origin | undefined {
    const reuses = index.type(by) === 'observation.reused';
    const named = event(by).supersedes ?? (reuses ? textAt(payloadOf(event(by)), 'event') : undefined);
    if (named === undefined) return undefined;
    const at = index.named(by, named);
    return { at, key: at < 0 ? `${index.run(by)} ${named}` : String(at) };
  }
}

/** What is of the same command: its record of the same type before any other. */
function findOfCommand(view: TraceView, position: number): EventId | undefined {
  const { index } = view;
  const path = index.command(position);
  if (path === undefined) return undefined;
  const alike = [...view.positions].filter((at) => index.command(at) === path);
  const found = alike.find((at) => index.type(at) === index.type(position)) ?? alike[0];
  return found === undefined ? undefined : index.id(found);
}
