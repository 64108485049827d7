/**
 * Joins what the outside world reported to the commands that caused it: by recorded cause to an attempt, else by
 * idempotency key within the run, to each command under that key. An orphan lists the effects of all its attempts in all lives.
 */
import { isJsonObject } from '../base/json.ts';
import type { EventId, HindcastEvent } from '../model/index.ts';
import { dataOf } from './contents.ts';
import type { Attempt, DraftEntry, RecordedEffect } from './journal-types.ts';

export function attachEffects(
  events: readonly HindcastEvent[],
  drafts: ReadonlyMap<string, DraftEntry>,
  setAside: ReadonlyMap<string, readonly Attempt[]>,
): void {
  const byAttempt = new Map<EventId, DraftEntry>();
  const byKey = new Map<string, Set<DraftEntry>>();
  for (const draft of drafts.values()) {
    for (const attempt of [...draft.attempts, ...(setAside.get(draft.path) ?? [])]) {
      byAttempt.set(attempt.event, draft);
      const key = attempt.idempotencyKey;
      if (key !== undefined) byKey.set(key, (byKey.get(key) ?? new Set<DraftEntry>()).add(draft));
    }
  }
  const requests = effectRequests(events, byAttempt);
  for (const event of events) {
    if (event.type !== 'effect.committed' && event.type !== 'effect.deduplicated') continue;
    const effect = eventToEffect(event, event.causes?.find((cause) => byAttempt.has(cause.event))?.event);
    for (const draft of ownersOf(event, byAttempt, byKey, requests)) {
      draft.evidence.push(event.id);
      draft.effects.push(effect);
    }
  }
}

/** `effect.requested` stands between the attempt and the commitment in some streams. */
function effectRequests(
  events: readonly HindcastEvent[],
  byAttempt: ReadonlyMap<EventId, DraftEntry>,
): Map<EventId, DraftEntry> {
  const out = new Map<EventId, DraftEntry>();
  for (const event of events) {
    if (event.type !== 'effect.requested') continue;
    for (const cause of event.causes ?? []) {
      const draft = byAttempt.get(cause.event);
      if (draft !== undefined) out.set(event.id, draft);
    }
  }
  return out;
}

/** The command of a recorded cause; else every command that was sent under its key, for nothing says which of them it answers. */
function ownersOf(
  event: HindcastEvent,
  byAttempt: ReadonlyMap<EventId, DraftEntry>,
  byKey: ReadonlyMap<string, ReadonlySet<DraftEntry>>,
  requests: ReadonlyMap<EventId, DraftEntry>,
): Iterable<DraftEntry> {
  for (const cause of event.causes ?? []) {
    const owner = byAttempt.get(cause.event) ?? requests.get(cause.event);
    if (owner !== undefined) return [owner];
  }
  const key = dataOf(event)['idempotency_key'];
  return (typeof key === 'string' ? byKey.get(key) : undefined) ?? [];
}

function eventToEffect(event: HindcastEvent, attempt: EventId | undefined): RecordedEffect {
  const data = dataOf(event);
  const effect = isJsonObject(data['effect']) ? data['effect'] : data;
  const { kind, id } = effect;
  return {
    event: event.id,
    kind: typeof kind === 'string' ? kind : undefined,
    id: typeof id === 'string' || typeof id === 'number' ? String(id) : undefined,
    deduplicated: event.type === 'effect.deduplicated',
    attempt,
  };
}
