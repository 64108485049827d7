/**
 * Which attempt a record belongs to: by recorded causes, else by what both carry.
 *
 * Invariant: a join never rests on time or on file order. A recorded cause wins over every other basis; an idempotency key
 * joins only within one run. Called by ledger.ts once per record, after all requests are known.
 */
import type { EventId, HindcastEvent } from '../../model/index.ts';
import type { AttemptDraft, JoinBasis } from './attempt.ts';
import { lifeKey } from './lives.ts';

export interface Join {
  readonly attempt: AttemptDraft;
  readonly basis: JoinBasis;
}

/** Requests known so far, by everything a later record may name. */
export class JoinIndex {
  private readonly byDispatch = new Map<EventId, AttemptDraft>();
  private readonly byCommand = new Map<string, AttemptDraft[]>();
  private readonly byCall = new Map<string, AttemptDraft[]>();
  private readonly byKey = new Map<string, AttemptDraft[]>();
  private readonly eventsById: ReadonlyMap<EventId, HindcastEvent>;

  constructor(eventsById: ReadonlyMap<EventId, HindcastEvent>) {
    this.eventsById = eventsById;
  }

  addAttempt(attempt: AttemptDraft, event: HindcastEvent): void {
    pushTo(this.byCommand, `${attempt.run}|${attempt.path}`, attempt);
    const call = callIdOf(event);
    if (call !== undefined) pushTo(this.byCall, `${attempt.run}|${call}`, attempt);
    if (attempt.key !== undefined) pushTo(this.byKey, `${attempt.run}|${attempt.key}`, attempt);
  }

  addRequest(attempt: AttemptDraft, event: HindcastEvent): void {
    this.byDispatch.set(event.id, attempt);
  }

  attemptsOf(run: string, path: string): readonly AttemptDraft[] {
    return this.byCommand.get(`${run}|${path}`) ?? [];
  }

  find(event: HindcastEvent): Join | undefined {
    return this.byCause(event) ?? this.byPath(event) ?? this.byCallId(event) ?? this.byIdempotencyKey(event);
  }

  /** Follows causes that answer something, through other records of the same request, up to a request. */
  private byCause(event: HindcastEvent): Join | undefined {
    const queue: { readonly event: HindcastEvent; readonly inferred: boolean }[] = [{ event, inferred: false }];
    const seen = new Set<EventId>([event.id]);
    for (const { event: at, inferred } of queue) {
      for (const kind of ['result_of', 'caused_by'] as const) {
        for (const cause of at.causes ?? []) {
          if (cause.as !== kind || cause.grade === 'clock-only' || seen.has(cause.event)) continue;
          seen.add(cause.event);
          const isInferred = inferred || cause.grade === 'inferred';
          const attempt = this.byDispatch.get(cause.event);
          if (attempt !== undefined) return { attempt, basis: isInferred ? 'inferred cause' : 'recorded cause' };
          const next = this.eventsById.get(cause.event);
          if (next !== undefined && isAnswer(next)) queue.push({ event: next, inferred: isInferred });
        }
      }
    }
    return undefined;
  }

  private byPath(event: HindcastEvent): Join | undefined {
    const path = event.command?.path;
    const candidates = path === undefined ? [] : this.attemptsOf(event.run, path);
    if (candidates.length === 0) return undefined;
    // A service does not live the worker's lives: for its records the attempt number must do.
    const isCaller = event.type.startsWith('tool_call.');
    const ofLife = isCaller ? candidates.filter((attempt) => attempt.lifeKey === lifeKey(event.source)) : candidates;
    const pool = ofLife.length > 0 ? ofLife : candidates;
    const number = event.command?.attempt;
    const numbered = number === undefined ? [] : pool.filter((attempt) => attempt.number === number);
    const only = numbered.length === 1 ? numbered[0] : undefined;
    if (only !== undefined) return { attempt: only, basis: 'command and attempt' };
    const keyed = isCaller ? undefined : this.byIdempotencyKey(event);
    if (keyed !== undefined) return keyed;
    const last = pool.at(-1);
    return last === undefined ? undefined : { attempt: last, basis: 'command' };
  }

  private byCallId(event: HindcastEvent): Join | undefined {
    const call = callIdOf(event);
    const attempt = call === undefined ? undefined : this.byCall.get(`${event.run}|${call}`)?.at(-1);
    return attempt === undefined ? undefined : { attempt, basis: 'call id' };
  }

  /** With one key on several attempts, a commitment belongs to the first without one, a saved answer to the last. */
  private byIdempotencyKey(event: HindcastEvent): Join | undefined {
    const key = keyOf(event);
    const attempts = key === undefined ? [] : (this.byKey.get(`${event.run}|${key}`) ?? []);
    const attempt =
      event.type === 'effect.committed'
        ? (attempts.find(({ records }) => records.committed.length === 0) ?? attempts[0])
        : attempts.at(-1);
    return attempt === undefined ? undefined : { attempt, basis: 'idempotency key' };
  }
}

/** Records that answer a request: causes lead through them, and only through them, back to it. */
function isAnswer(event: HindcastEvent): boolean {
  return event.type.startsWith('effect.') || event.type.startsWith('tool_call.');
}

export function keyOf(event: HindcastEvent): string | undefined {
  const key = event.data?.['idempotency_key'];
  return typeof key === 'string' && key !== '' ? key : undefined;
}

function callIdOf(event: HindcastEvent): string | undefined {
  const call = event.type.startsWith('tool_call.') ? event.data?.['call_id'] : undefined;
  return typeof call === 'string' && call !== '' ? call : undefined;
}

function pushTo(map: Map<string, AttemptDraft[]>, key: string, attempt: AttemptDraft): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [attempt]);
  else list.push(attempt);
}
