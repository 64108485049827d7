/**
 * Lives of processes: which incarnation of which component wrote what, and how it ended as far as the records tell.
 *
 * Invariant: `killed` is true only where an exit by signal, or an injected kill, is recorded and joined to this life by a
 * recorded cause, a named incarnation or a process id; never because records stop. Used by the ledger, findings and headline.
 */
import type { EventEnvelope, EventId, EventOf, HindcastEvent } from '../../model/index.ts';
import { isService, lifeToText } from '../title-words.ts';

export interface Life {
  readonly key: string;
  readonly component: string;
  readonly instance?: string | undefined;
  readonly incarnation?: string | undefined;
  /** 1 for the first life of the component in display order. */
  readonly ordinal: number;
  /** "worker 1", as titles call it; the component alone where it had one life. */
  readonly label: string;
  readonly started?: EventOf<'worker.started'> | undefined;
  readonly exited?: EventOf<'worker.exited'> | undefined;
  readonly injected?: EventOf<'fault.injected'> | undefined;
  readonly killed: boolean;
}

interface Draft {
  readonly key: string;
  readonly component: string;
  readonly instance: string | undefined;
  readonly incarnation: string | undefined;
  started: EventOf<'worker.started'> | undefined;
  exited: EventOf<'worker.exited'> | undefined;
  injected: EventOf<'fault.injected'> | undefined;
  readonly pids: Set<number>;
}

export interface Lives {
  /** In display order of their first event among those given. */
  readonly all: readonly Life[];
  readonly byKey: ReadonlyMap<string, Life>;
  readonly of: (event: EventEnvelope) => Life | undefined;
}

export function lifeKey(source: EventEnvelope['source']): string {
  return `${source.component}|${String(source.instance ?? '')}|${String(source.incarnation ?? '')}`;
}

/** `events`: at least those of families tool, effect and fault, in display order. */
export function computeLives(events: readonly HindcastEvent[]): Lives {
  const drafts = new Map<string, Draft>();
  const byId = new Map<EventId, HindcastEvent>();
  for (const event of events) {
    byId.set(event.id, event);
    addEvent(drafts, event);
  }
  for (const event of events) {
    if (event.type !== 'worker.exited' && event.type !== 'fault.injected') continue;
    if (event.type === 'fault.injected' && isNoKill(event)) continue;
    const draft = targetOf(event, drafts, byId);
    if (draft === undefined) continue;
    if (event.type === 'worker.exited') draft.exited ??= event;
    else draft.injected ??= event;
  }
  const all = draftsToLives([...drafts.values()]);
  const byKey = new Map(all.map((life) => [life.key, life]));
  return { all, byKey, of: (event) => byKey.get(lifeKey(event.source)) };
}

/** A fault of another class (a call that hangs, a credential that expired) ends no life. */
function isNoKill({ data }: EventOf<'fault.injected'>): boolean {
  const isNamed = data.class !== undefined && !/kill|crash|signal|abort|oom/i.test(data.class);
  return isNamed && data.signal === undefined && data.kill_point === undefined;
}

function addEvent(drafts: Map<string, Draft>, event: HindcastEvent): void {
  const { source } = event;
  const key = lifeKey(source);
  let draft = drafts.get(key);
  if (draft === undefined) {
    draft = {
      key,
      component: source.component,
      instance: source.instance === undefined ? undefined : String(source.instance),
      incarnation: source.incarnation === undefined ? undefined : String(source.incarnation),
      started: undefined,
      exited: undefined,
      injected: undefined,
      pids: new Set(),
    };
    drafts.set(key, draft);
  }
  if (source.pid !== undefined) draft.pids.add(source.pid);
  if (event.type === 'worker.started') {
    draft.started ??= event;
    if (event.data.pid !== undefined) draft.pids.add(event.data.pid);
  }
}

/** The life an exit or a kill was about. The writer is another process, so its own source is never the answer. */
function targetOf(
  event: EventOf<'worker.exited'> | EventOf<'fault.injected'>,
  drafts: ReadonlyMap<string, Draft>,
  byId: ReadonlyMap<EventId, HindcastEvent>,
): Draft | undefined {
  return byNamedLife(event, drafts) ?? byRecordedCause(event, drafts, byId) ?? byPid(event, drafts);
}

function byNamedLife(event: HindcastEvent, drafts: ReadonlyMap<string, Draft>): Draft | undefined {
  const named = event.type === 'worker.exited' || event.type === 'fault.injected' ? event.data : undefined;
  const worker: unknown = named?.['worker'];
  const told: unknown = typeof worker === 'object' && worker !== null ? worker : named;
  const incarnation: unknown = fieldOf(told, 'incarnation');
  if (typeof incarnation !== 'string' && typeof incarnation !== 'number') return undefined;
  const component = fieldOf(told, 'component');
  const own = lifeKey(event.source);
  for (const draft of drafts.values()) {
    if (draft.incarnation !== String(incarnation) || draft.key === own) continue;
    if (typeof component !== 'string' || component === draft.component) return draft;
  }
  return undefined;
}

function fieldOf(value: unknown, field: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, field) : undefined;
}

/**
 * Walks recorded causes up, through the writer's own records (spawned, armed) and through what a service told, to the first
 * record of the process that was struck; a spawn record leads down to the life that names it as its cause.
 */
function byRecordedCause(
  event: HindcastEvent,
  drafts: ReadonlyMap<string, Draft>,
  byId: ReadonlyMap<EventId, HindcastEvent>,
): Draft | undefined {
  const queue: EventId[] = (event.causes ?? []).map((cause) => cause.event);
  const seen = new Set<EventId>(queue);
  for (const id of queue) {
    const cause = byId.get(id);
    // What came before an end was about a life that is over.
    if (cause === undefined || cause.type === 'worker.exited') continue;
    if (cause.type === 'worker.spawned') {
      const spawned = [...drafts.values()].find((draft) => isCause(draft.started, id));
      if (spawned !== undefined) return spawned;
    }
    const isWitness = cause.source.component === event.source.component || /^(?:effect|fault)\./.test(cause.type);
    if (!isWitness) return drafts.get(lifeKey(cause.source));
    for (const next of cause.causes ?? []) {
      if (seen.has(next.event)) continue;
      seen.add(next.event);
      queue.push(next.event);
    }
  }
  return undefined;
}

function isCause(event: HindcastEvent | undefined, cause: EventId): boolean {
  return event?.causes?.some(({ event: id }) => id === cause) ?? false;
}

function byPid(event: HindcastEvent, drafts: ReadonlyMap<string, Draft>): Draft | undefined {
  const pid = event.type === 'worker.exited' || event.type === 'fault.injected' ? event.data['pid'] : undefined;
  if (typeof pid !== 'number') return undefined;
  const own = lifeKey(event.source);
  const matches = [...drafts.values()].filter((draft) => draft.pids.has(pid) && draft.key !== own);
  return matches.length === 1 ? matches[0] : undefined;
}

function draftsToLives(drafts: readonly Draft[]): Life[] {
  const livesByComponent = new Map<string, number>();
  for (const { component } of drafts) livesByComponent.set(component, (livesByComponent.get(component) ?? 0) + 1);
  const names = recordedNames(drafts);
  const ordinals = new Map<string, number>();
  return drafts.map((draft) => {
    const ordinal = (ordinals.get(draft.component) ?? 0) + 1;
    ordinals.set(draft.component, ordinal);
    const several = (livesByComponent.get(draft.component) ?? 0) > 1;
    const { key, component, instance, incarnation, started, exited, injected } = draft;
    return {
      key,
      component,
      instance,
      incarnation,
      ordinal,
      label: several ? `${component} ${names.get(key) ?? String(ordinal)}` : component,
      started,
      exited,
      injected,
      killed: typeof exited?.data.signal === 'string' || (exited === undefined && isKill(injected)),
    };
  });
}

/** How each life is called beside its component: by its own incarnation, where that tells it from the others (R19). */
function recordedNames(drafts: readonly Draft[]): ReadonlyMap<string, string> {
  const counts = new Map<string, number>();
  const named = drafts.flatMap(({ key, component, incarnation }) => {
    if (incarnation === undefined || isService(component)) return [];
    const name = lifeToText(incarnation);
    const told = `${component} ${name}`;
    counts.set(told, (counts.get(told) ?? 0) + 1);
    return [{ key, name, told }];
  });
  return new Map(named.filter(({ told }) => counts.get(told) === 1).map(({ key, name }) => [key, name]));
}

function isKill(injected: EventOf<'fault.injected'> | undefined): boolean {
  if (injected === undefined) return false;
  return injected.data.signal !== undefined || injected.data.class === 'kill' || injected.data.kill_point !== undefined;
}
