/**
 * The lines of durable state on one branch: each named state with its versions, values and what changed.
 *
 * Invariant: a version is joined to the version it says it consumed, never to the one before it in the list; without that, or
 * without both values, no change is stated. Re-emissions of a recovering runtime are no further versions.
 */
import type { JsonValue } from '../../base/json.ts';
import { nameToShown } from '../../base/shown-text.ts';
import { payloadOf, textOf } from '../../causal/index.ts';
import type { EventOf, HindcastEvent } from '../../model/index.ts';
import type { StateLine, StateVersion } from '../trace-reader.ts';
import type { TraceView } from '../trace-view.ts';
import { applyPatch, computeChanges } from './changes.ts';

interface Known {
  readonly to: string | undefined;
  readonly value: JsonValue | undefined;
}

export function computeStateLines(view: TraceView): StateLine[] {
  const lines = new Map<
    string,
    { readonly name: string; readonly versions: StateVersion[]; readonly known: Known[] }
  >();
  const runs = new Set<string>();
  const transitions = view.ofType('state.transitioned').map((position) => ({ position, event: view.event(position) }));
  for (const { event } of transitions) runs.add(event.run);
  for (const { position, event } of transitions) {
    if (event.type !== 'state.transitioned' || event.replayed === true) continue;
    const name = event.data.name ?? event.command?.name ?? 'state';
    const key = `${event.run}|${name}`;
    let line = lines.get(key);
    if (line === undefined) {
      const shown = nameToShown(name);
      line = { name: runs.size > 1 ? `${shown} (run ${event.run.slice(0, 8)})` : shown, versions: [], known: [] };
      lines.set(key, line);
    }
    const version = eventToVersion(view, event, line.known);
    line.known.push({ to: version.to, value: version.value });
    line.versions.push({ ...version, event: view.index.id(position) });
  }
  return [...lines.values()].map(({ name, versions }) => ({ name, versions }));
}

function eventToVersion(view: TraceView, event: EventOf<'state.transitioned'>, known: readonly Known[]): StateVersion {
  const from = versionToText(event.data.from);
  const base = from === undefined ? undefined : known.findLast(({ to }) => to === from);
  const value = valueOf(view, event, base?.value);
  const isFirst = base === undefined && (event.data.from === null || event.data.from === 0);
  return {
    event: event.id,
    from,
    to: versionToText(event.data.to),
    digest: event.data.digest,
    value,
    changes: value !== undefined && (base?.value !== undefined || isFirst) ? computeChanges(base?.value, value) : [],
  };
}

function versionToText(version: JsonValue | undefined): string | undefined {
  const text = version === null ? 'none' : textOf(version);
  return text === undefined ? undefined : nameToShown(text);
}

/** Recorded whole, by reference, or as a patch of the version consumed; undefined where the bytes are not here. */
function valueOf(
  view: TraceView,
  event: EventOf<'state.transitioned'>,
  base: JsonValue | undefined,
): JsonValue | undefined {
  const { value, patch } = event.data;
  if (value !== undefined) return resolved(view, value);
  const ref = event.data['$ref'];
  if (typeof ref === 'string') return resolved(view, { $ref: ref, bytes: 0 });
  const read = patch === undefined ? undefined : resolved(view, patch);
  return read === undefined || base === undefined ? supplied(view, event) : applyPatch(base, read);
}

/** On a branch, an edited or recomputed transition may carry its value as its result. */
function supplied(view: TraceView, event: HindcastEvent): JsonValue | undefined {
  const args: unknown = event.data?.['args'];
  if (event.origin === undefined || args === undefined) return undefined;
  const value = payloadOf(event)['args'];
  return value === undefined ? undefined : resolved(view, value);
}

function resolved(view: TraceView, value: JsonValue): JsonValue | undefined {
  const found = view.resolve(value);
  // Still a reference: the bytes are not in this trace.
  return found === value && typeof value === 'object' && value !== null && '$ref' in value && 'bytes' in value
    ? undefined
    : found;
}
