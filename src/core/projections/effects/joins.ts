/**
 * Which attempt a record belongs to: by recorded causes, else by what both carry.
 *
 * Invariant: a join never rests on time or on file order, and never chooses: where several attempts of one command fit, the record
 * is joined to the command alone, and where several commands fit it is joined to none (SPEC G12). A recorded cause wins over every
 * other basis; an idempotency key, and the id of an effect, join only within one run, and never a record of one service to a request
 * that another answers.
 * Called by ledger.ts once per record, after all requests are known.
 */
import type { CommandPath, EventId, HindcastEvent } from '../../model/index.ts';
import type { Attempt, AttemptDraft, JoinBasis } from './attempt.ts';
import { lifeKey } from './lives.ts';

export type Join =
  | { readonly to: 'attempt'; readonly attempt: AttemptDraft; readonly basis: JoinBasis }
  /** To one of several attempts of this command; the record does not say which. */
  | { readonly to: 'command'; readonly path: CommandPath; readonly basis: JoinBasis };

/** Requests known so far, by everything a later record may name. */
export class JoinIndex {
  private readonly byDispatch = new Map<EventId, AttemptDraft>();
  private readonly byCommand = new Map<string, AttemptDraft[]>();
  private readonly byCall = new Map<string, AttemptDraft[]>();
  private readonly byKey = new Map<string, AttemptDraft[]>();
  /** Commands whose answers name this effect: by run and id. */
  private readonly pathsByEffect = new Map<string, Set<CommandPath>>();
  private readonly toolByAttempt = new Map<AttemptDraft, string>();
  private readonly servicesByTool = new Map<string, Set<string>>();
  private readonly eventsById: ReadonlyMap<EventId, HindcastEvent>;

  constructor(eventsById: ReadonlyMap<EventId, HindcastEvent>) {
    this.eventsById = eventsById;
  }

  addAttempt(attempt: AttemptDraft, event: HindcastEvent, tool: string): void {
    pushTo(this.byCommand, `${attempt.run}|${attempt.path}`, attempt);
    this.toolByAttempt.set(attempt, tool);
    const call = callIdOf(event);
    if (call !== undefined) pushTo(this.byCall, `${attempt.run}|${call}`, attempt);
    if (attempt.key !== undefined) pushTo(this.byKey, `${attempt.run}|${attempt.key}`, attempt);
  }

  addRequest(attempt: AttemptDraft, event: HindcastEvent): void {
    this.byDispatch.set(event.id, attempt);
  }

  /** A service that answers for a tool: as declared and present in the trace, or as a recorded cause shows. */
  addService(tool: string, service: string): void {
    const known = this.servicesByTool.get(tool);
    if (known === undefined) this.servicesByTool.set(tool, new Set([service]));
    else known.add(service);
  }

  /** Learns from a record of a service that names its request which service answers for the tool. */
  learnService(event: HindcastEvent): void {
    const join = this.byCause(event);
    const tool = join?.to === 'attempt' ? this.toolByAttempt.get(join.attempt) : undefined;
    if (tool !== undefined) for (const service of servicesOf(event)) this.addService(tool, service);
  }

  /** Learns from an answer that names what was made which command asked for it. */
  learnAnswer(event: HindcastEvent): void {
    const id = event.type.startsWith('tool_call.') ? effectNamedBy(event) : undefined;
    const join = id === undefined ? undefined : this.find(event);
    if (join === undefined) return;
    const key = `${event.run}|${id}`;
    const path = join.to === 'attempt' ? join.attempt.path : join.path;
    this.pathsByEffect.set(key, (this.pathsByEffect.get(key) ?? new Set<CommandPath>()).add(path));
  }

  attemptsOf(run: string, path: string): readonly AttemptDraft[] {
    return this.byCommand.get(`${run}|${path}`) ?? [];
  }

  find(event: HindcastEvent): Join | undefined {
    return (
      this.byCause(event) ??
      this.byPath(event) ??
      this.byCallId(event) ??
      this.byIdempotencyKey(event) ??
      this.byEffectId(event)
    );
  }

  /** The requests under the key of a record that was joined to none of them, because nothing chooses among their commands. */
  candidatesOf(event: HindcastEvent): readonly AttemptDraft[] {
    return this.underKey(event);
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
          if (attempt !== undefined)
            return { to: 'attempt', attempt, basis: isInferred ? 'inferred cause' : 'recorded cause' };
          const next = this.eventsById.get(cause.event);
          if (next !== undefined && isAnswer(next)) queue.push({ event: next, inferred: isInferred });
        }
      }
    }
    return undefined;
  }

  private byPath(event: HindcastEvent): Join | undefined {
    const path = event.command?.path;
    const all = path === undefined ? [] : this.attemptsOf(event.run, path);
    if (path === undefined || all.length === 0) return undefined;
    const pool = ofOwnLife(event, all);
    const number = event.command?.attempt;
    const isNumbered = (attempt: AttemptDraft): boolean => number !== undefined && attempt.number === number;
    const ofPool = pool.filter(isNumbered);
    const numbered = ofPool.length > 0 ? ofPool : all.filter(isNumbered);
    const only = numbered.length === 1 ? numbered[0] : undefined;
    if (only !== undefined) return { to: 'attempt', attempt: only, basis: 'command and attempt' };
    // A number that no attempt of the command has is none of those that have another.
    const fitting = number === undefined ? pool : pool.filter((attempt) => attempt.number === undefined);
    return (
      this.chooseByIds(event, numbered.length > 0 ? numbered : fitting) ?? { to: 'command', path, basis: 'command' }
    );
  }

  /** The one of these attempts, or the one that shares the record's call id, or its key. */
  private chooseByIds(event: HindcastEvent, attempts: readonly AttemptDraft[]): Join | undefined {
    const [first, second] = attempts;
    if (first !== undefined && second === undefined) return { to: 'attempt', attempt: first, basis: 'command' };
    const call = callIdOf(event);
    const called = call === undefined ? [] : (this.byCall.get(`${event.run}|${call}`) ?? []);
    const key = keyOf(event);
    const ways: readonly (readonly [JoinBasis, readonly AttemptDraft[]])[] = [
      ['call id', attempts.filter((attempt) => called.includes(attempt))],
      ['idempotency key', key === undefined ? [] : attempts.filter((attempt) => attempt.key === key)],
    ];
    for (const [basis, [attempt, ...others]] of ways)
      if (attempt !== undefined && others.length === 0) return { to: 'attempt', attempt, basis };
    return undefined;
  }

  private byCallId(event: HindcastEvent): Join | undefined {
    const call = callIdOf(event);
    const all = call === undefined ? [] : (this.byCall.get(`${event.run}|${call}`) ?? []);
    return attemptsToJoin(ofOwnLife(event, all), 'call id');
  }

  private byIdempotencyKey(event: HindcastEvent): Join | undefined {
    return attemptsToJoin(this.underKey(event), 'idempotency key');
  }

  /**
   * What a service made is of the command whose answer names it. To none of its attempts: the answer may be a saved one, to another
   * request than the one that made it.
   */
  private byEffectId(event: HindcastEvent): Join | undefined {
    if (!event.type.startsWith('effect.') || event.command !== undefined) return undefined;
    const id = effectNamedBy(event);
    const [path, ...others] = id === undefined ? [] : (this.pathsByEffect.get(`${event.run}|${id}`) ?? []);
    if (path === undefined || others.length > 0) return undefined;
    const names = servicesOf(event);
    const answered = this.attemptsOf(event.run, path).map((attempt) =>
      this.servicesByTool.get(this.toolByAttempt.get(attempt) ?? ''),
    );
    const isOther = answered.some((services) => services !== undefined && !names.some((name) => services.has(name)));
    return isOther ? undefined : { to: 'command', path, basis: 'effect id' };
  }

  /** Requests of the run under the record's key that it may answer: a service answers for its own tools alone. */
  private underKey(event: HindcastEvent): readonly AttemptDraft[] {
    const key = keyOf(event);
    const all = key === undefined ? [] : (this.byKey.get(`${event.run}|${key}`) ?? []);
    if (event.type.startsWith('tool_call.')) return ofOwnLife(event, all);
    const names = servicesOf(event);
    const sure: AttemptDraft[] = [];
    const open: AttemptDraft[] = [];
    for (const attempt of all) {
      const services = this.servicesByTool.get(this.toolByAttempt.get(attempt) ?? '');
      if (services === undefined) open.push(attempt);
      else if (names.some((name) => services.has(name))) sure.push(attempt);
    }
    return sure.length > 0 ? sure : open;
  }
}

/** A service does not live the caller's lives; a record of the caller belongs to a request of its own life, where there is one. */
function ofOwnLife(event: HindcastEvent, attempts: readonly AttemptDraft[]): readonly AttemptDraft[] {
  if (!event.type.startsWith('tool_call.')) return attempts;
  const own = attempts.filter((attempt) => attempt.lifeKey === lifeKey(event.source));
  return own.length > 0 ? own : attempts;
}

/** To the one attempt, to their one command, or to nothing. */
function attemptsToJoin(attempts: readonly AttemptDraft[], basis: JoinBasis): Join | undefined {
  const [first, ...others] = attempts;
  if (first === undefined) return undefined;
  if (others.length === 0) return { to: 'attempt', attempt: first, basis };
  return others.every(({ path }) => path === first.path) ? { to: 'command', path: first.path, basis } : undefined;
}

/** Who tells an effect: the writer of the record, and whom it names as its source. */
export function servicesOf(event: HindcastEvent): readonly string[] {
  const reporter = event.data?.['reported_by'];
  return [event.source.component, ...(typeof reporter === 'string' ? [reporter] : [])];
}

/** Records that answer a request: causes lead through them, and only through them, back to it. */
function isAnswer(event: HindcastEvent): boolean {
  return event.type.startsWith('effect.') || event.type.startsWith('tool_call.');
}

/** The id of an effect, as its service tells it and as an answer names it. */
function effectNamedBy({ data }: HindcastEvent): string | undefined {
  const effect: unknown = data?.['effect'];
  const nested: unknown = typeof effect === 'object' && effect !== null ? Reflect.get(effect, 'id') : undefined;
  const id = nested ?? data?.['effect_id'];
  return (typeof id === 'string' && id !== '') || typeof id === 'number' ? String(id) : undefined;
}

export function keyOf(event: HindcastEvent): string | undefined {
  const key = event.data?.['idempotency_key'];
  return typeof key === 'string' && key !== '' ? key : undefined;
}

/** The key of an attempt as its caller recorded it, else as the service told it. */
export function keyOfAttempt({ key, records }: Attempt): string | undefined {
  if (key !== undefined) return key;
  for (const event of [...records.committed, ...records.requested, ...records.deduplicated]) {
    const told = keyOf(event);
    if (told !== undefined) return told;
  }
  return undefined;
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
